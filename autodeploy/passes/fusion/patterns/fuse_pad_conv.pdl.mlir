// Let a convolution pad with zeros what an nn.pad before it padded.

pdl.pattern @pad_conv : benefit(1) {
  %image = pdl.operand
  %image_pads = pdl.attribute
  %zero = pdl.attribute = 0.0 : f64
  %mode = pdl.attribute = #nn<pad_mode constant>
  %padded_type = pdl.type
  %pad = pdl.operation "nn.pad"(%image : !pdl.value) {
    "pads" = %image_pads, "value" = %zero, "mode" = %mode
  } -> (%padded_type : !pdl.type)
  %x = pdl.result 0 of %pad
  %filter = pdl.operand
  %strides = pdl.attribute
  %pads = pdl.attribute
  %dilations = pdl.attribute
  %groups = pdl.attribute
  %layout = pdl.attribute
  %filter_layout = pdl.attribute
  %activation = pdl.attribute
  %bias = pdl.operands
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(
    %x, %filter, %bias :
    !pdl.value, !pdl.value, !pdl.range<value>
  ) {
    "strides" = %strides, "pads" = %pads, "dilations" = %dilations, "groups" = %groups,
    "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %activation
  } -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%x : !pdl.value)
  %new_pads = pdl.apply_native_constraint "spatial_pads"(
    %pad, %conv : !pdl.operation, !pdl.operation
  ) : !pdl.attribute
  %outputs = pdl.attribute = "outputs"
  pdl.apply_native_constraint "attribute_absent"(%conv, %outputs : !pdl.operation, !pdl.attribute)
  pdl.rewrite %conv {
    %new = pdl.operation "nn.conv"(
      %image, %filter, %bias :
      !pdl.value, !pdl.value, !pdl.range<value>
    ) {
      "strides" = %strides, "pads" = %new_pads, "dilations" = %dilations, "groups" = %groups,
      "layout" = %layout, "filter_layout" = %filter_layout, "activation" = %activation
    } -> (%type : !pdl.type)
    pdl.replace %conv with %new
  }
}
