// Turn a relu after a convolution into its activation.

pdl.pattern @conv_relu : benefit(1) {
  %x = pdl.operand
  %filter = pdl.operand
  %strides = pdl.attribute
  %pads = pdl.attribute
  %dilations = pdl.attribute
  %groups = pdl.attribute
  %layout = pdl.attribute
  %filter_layout = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %bias = pdl.operands
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(
    %x, %filter, %bias :
    !pdl.value, !pdl.value, !pdl.range<value>
  ) {
    "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
    "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %none
  } -> (%type : !pdl.type)
  %y = pdl.result 0 of %conv
  %root = pdl.operation "nn.relu"(%y : !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %outputs = pdl.attribute = "outputs"
  pdl.apply_native_constraint "attribute_absent"(%conv, %outputs : !pdl.operation, !pdl.attribute)
  pdl.rewrite %root {
    %activation = pdl.attribute = #nn<activation relu>
    %new = pdl.operation "nn.conv"(
      %x, %filter, %bias :
      !pdl.value, !pdl.value, !pdl.range<value>
    ) {
      "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
      "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %activation
    } -> (%type : !pdl.type)
    pdl.replace %root with %new
  }
}
