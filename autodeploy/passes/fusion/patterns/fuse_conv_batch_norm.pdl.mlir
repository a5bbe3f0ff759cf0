// Fold a batch normalisation with constant parameters into the convolution before it.
//
// Filter and bias are computed in float64; where one is not finite, both ops stay.

pdl.pattern @conv_batch_norm : benefit(1) {
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
  %scale = pdl.operand
  %shift = pdl.operand
  %mean = pdl.operand
  %variance = pdl.operand
  %epsilon = pdl.attribute
  %norm_layout = pdl.attribute
  %norm = pdl.operation "nn.batch_norm"(
    %y, %scale, %shift, %mean, %variance :
    !pdl.value, !pdl.value, !pdl.value, !pdl.value, !pdl.value
  ) {"epsilon" = %epsilon, "layout" = %norm_layout} -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%filter : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%scale : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%shift : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%mean : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%variance : !pdl.value)
  pdl.apply_native_constraint "are_constant"(%old_bias : !pdl.range<value>)
  %filter_value, %bias_value, %bias_type = pdl.apply_native_constraint "fold_batch_norm"(
    %conv, %norm : !pdl.operation, !pdl.operation
  ) : !pdl.attribute, !pdl.attribute, !pdl.type
  pdl.rewrite %norm {
    %filter_constant = pdl.operation "nn.constant" {"value" = %filter_value}
      -> (%filter_type : !pdl.type)
    %new_filter = pdl.result 0 of %filter_constant
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value} -> (%bias_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.conv"(%x, %new_filter, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
      "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %norm with %new
  }
}
