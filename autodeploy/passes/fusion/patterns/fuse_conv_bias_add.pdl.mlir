// Add a per-channel constant after a convolution to the constant bias that it has.

pdl.pattern @conv_bias_add : benefit(1) {
  %x = pdl.operand
  %filter = pdl.operand
  %strides = pdl.attribute
  %pads = pdl.attribute
  %dilations = pdl.attribute
  %groups = pdl.attribute
  %layout = pdl.attribute
  %filter_layout = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %old_value = pdl.attribute
  %bias_type = pdl.type
  %old_constant = pdl.operation "nn.constant" {"value" = %old_value} -> (%bias_type : !pdl.type)
  %old_bias = pdl.result 0 of %old_constant
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(%x, %filter, %old_bias : !pdl.value, !pdl.value, !pdl.value) {
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
  %flat_type = pdl.apply_native_constraint "per_channel"(
    %conv, %parameter : !pdl.operation, !pdl.value
  ) : !pdl.type
  %outputs = pdl.attribute = "outputs"
  pdl.apply_native_constraint "attribute_absent"(%conv, %outputs : !pdl.operation, !pdl.attribute)
  pdl.rewrite %sum {
    %flat_value = pdl.apply_native_rewrite "flatten_constant"(
      %value, %flat_type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %bias_value = pdl.apply_native_rewrite "add_constants"(
      %old_value, %flat_value, %bias_type : !pdl.attribute, !pdl.attribute, !pdl.type
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

pdl.pattern @add_conv_bias : benefit(1) {
  %x = pdl.operand
  %filter = pdl.operand
  %strides = pdl.attribute
  %pads = pdl.attribute
  %dilations = pdl.attribute
  %groups = pdl.attribute
  %layout = pdl.attribute
  %filter_layout = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %old_value = pdl.attribute
  %bias_type = pdl.type
  %old_constant = pdl.operation "nn.constant" {"value" = %old_value} -> (%bias_type : !pdl.type)
  %old_bias = pdl.result 0 of %old_constant
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(%x, %filter, %old_bias : !pdl.value, !pdl.value, !pdl.value) {
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
  %flat_type = pdl.apply_native_constraint "per_channel"(
    %conv, %parameter : !pdl.operation, !pdl.value
  ) : !pdl.type
  %outputs = pdl.attribute = "outputs"
  pdl.apply_native_constraint "attribute_absent"(%conv, %outputs : !pdl.operation, !pdl.attribute)
  pdl.rewrite %sum {
    %flat_value = pdl.apply_native_rewrite "flatten_constant"(
      %value, %flat_type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %bias_value = pdl.apply_native_rewrite "add_constants"(
      %old_value, %flat_value, %bias_type : !pdl.attribute, !pdl.attribute, !pdl.type
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
