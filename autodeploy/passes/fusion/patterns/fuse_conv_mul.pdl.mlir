// Fold a multiplication with a per-channel constant into the convolution before it.
//
// The result has a bias, of zeros where there was none: what is added next can go into it.

pdl.pattern @conv_mul : benefit(1) {
  %x = pdl.operand
  %filter_type = pdl.type
  %filter = pdl.operand : %filter_type
  %strides = pdl.attribute
  %pads = pdl.attribute
  %dilations = pdl.attribute
  %groups = pdl.attribute
  %layout = pdl.attribute
  %filter_layout = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %old_bias = pdl.operands
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(
    %x, %filter, %old_bias :
    !pdl.value, !pdl.value, !pdl.range<value>
  ) {
    "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
    "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
  } -> (%type : !pdl.type)
  %y = pdl.result 0 of %conv
  %factor = pdl.operand
  %product = pdl.operation "nn.mul"(%y, %factor : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.apply_native_constraint "is_floating"(%y : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%filter : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%factor : !pdl.value)
  pdl.apply_native_constraint "are_constant"(%old_bias : !pdl.range<value>)
  %channels_type = pdl.apply_native_constraint "per_channel"(
    %conv, %factor : !pdl.operation, !pdl.value
  ) : !pdl.type
  %filter_value, %bias_value, %bias_type = pdl.apply_native_constraint "fold_scale"(
    %conv, %factor : !pdl.operation, !pdl.value
  ) : !pdl.attribute, !pdl.attribute, !pdl.type
  pdl.rewrite %product {
    %filter_constant = pdl.operation "nn.constant" {"value" = %filter_value}
      -> (%filter_type : !pdl.type)
    %new_filter = pdl.result 0 of %filter_constant
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value} -> (%bias_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.conv"(%x, %new_filter, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
      "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %product with %new
  }
}

pdl.pattern @mul_conv : benefit(1) {
  %x = pdl.operand
  %filter_type = pdl.type
  %filter = pdl.operand : %filter_type
  %strides = pdl.attribute
  %pads = pdl.attribute
  %dilations = pdl.attribute
  %groups = pdl.attribute
  %layout = pdl.attribute
  %filter_layout = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %old_bias = pdl.operands
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(
    %x, %filter, %old_bias :
    !pdl.value, !pdl.value, !pdl.range<value>
  ) {
    "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
    "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
  } -> (%type : !pdl.type)
  %y = pdl.result 0 of %conv
  %factor = pdl.operand
  %product = pdl.operation "nn.mul"(%factor, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.apply_native_constraint "is_floating"(%y : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%filter : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%factor : !pdl.value)
  pdl.apply_native_constraint "are_constant"(%old_bias : !pdl.range<value>)
  %channels_type = pdl.apply_native_constraint "per_channel"(
    %conv, %factor : !pdl.operation, !pdl.value
  ) : !pdl.type
  %filter_value, %bias_value, %bias_type = pdl.apply_native_constraint "fold_scale"(
    %conv, %factor : !pdl.operation, !pdl.value
  ) : !pdl.attribute, !pdl.attribute, !pdl.type
  pdl.rewrite %product {
    %filter_constant = pdl.operation "nn.constant" {"value" = %filter_value}
      -> (%filter_type : !pdl.type)
    %new_filter = pdl.result 0 of %filter_constant
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value} -> (%bias_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.conv"(%x, %new_filter, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
      "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %product with %new
  }
}
