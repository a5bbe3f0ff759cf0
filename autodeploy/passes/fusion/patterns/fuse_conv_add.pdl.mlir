// Turn a per-channel constant that is added to a convolution into its bias.

pdl.pattern @conv_add : benefit(1) {
  %x = pdl.operand
  %filter = pdl.operand
  %strides = pdl.attribute
  %pads = pdl.attribute
  %dilations = pdl.attribute
  %groups = pdl.attribute
  %layout = pdl.attribute
  %filter_layout = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(%x, %filter : !pdl.value, !pdl.value) {
    "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
    "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
  } -> (%type : !pdl.type)
  %y = pdl.result 0 of %conv
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %sum = pdl.operation "nn.add"(%y, %parameter : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %bias_type = pdl.apply_native_constraint "per_channel"(
    %conv, %parameter : !pdl.operation, !pdl.value
  ) : !pdl.type
  %outputs = pdl.attribute = "outputs"
  pdl.apply_native_constraint "attribute_absent"(%conv, %outputs : !pdl.operation, !pdl.attribute)
  pdl.rewrite %sum {
    %bias_value = pdl.apply_native_rewrite "flatten_constant"(
      %value, %bias_type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value} -> (%bias_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.conv"(%x, %filter, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
      "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %sum with %new
  }
}

pdl.pattern @add_conv : benefit(1) {
  %x = pdl.operand
  %filter = pdl.operand
  %strides = pdl.attribute
  %pads = pdl.attribute
  %dilations = pdl.attribute
  %groups = pdl.attribute
  %layout = pdl.attribute
  %filter_layout = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(%x, %filter : !pdl.value, !pdl.value) {
    "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
    "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
  } -> (%type : !pdl.type)
  %y = pdl.result 0 of %conv
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %sum = pdl.operation "nn.add"(%parameter, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %bias_type = pdl.apply_native_constraint "per_channel"(
    %conv, %parameter : !pdl.operation, !pdl.value
  ) : !pdl.type
  %outputs = pdl.attribute = "outputs"
  pdl.apply_native_constraint "attribute_absent"(%conv, %outputs : !pdl.operation, !pdl.attribute)
  pdl.rewrite %sum {
    %bias_value = pdl.apply_native_rewrite "flatten_constant"(
      %value, %bias_type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value} -> (%bias_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.conv"(%x, %filter, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
      "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %sum with %new
  }
}
