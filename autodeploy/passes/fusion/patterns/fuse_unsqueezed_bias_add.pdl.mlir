// Turn a reshaped constant that is added to a convolution or matrix product into its bias.

pdl.pattern @conv_unsqueezed : benefit(1) {
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
  %reshaped_type = pdl.type
  %reshape = pdl.operation "nn.reshape"(%parameter : !pdl.value) -> (%reshaped_type : !pdl.type)
  %reshaped = pdl.result 0 of %reshape
  %sum = pdl.operation "nn.add"(%y, %reshaped : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %bias_type = pdl.apply_native_constraint "per_channel"(
    %conv, %reshaped : !pdl.operation, !pdl.value
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

pdl.pattern @unsqueezed_conv : benefit(1) {
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
  %reshaped_type = pdl.type
  %reshape = pdl.operation "nn.reshape"(%parameter : !pdl.value) -> (%reshaped_type : !pdl.type)
  %reshaped = pdl.result 0 of %reshape
  %sum = pdl.operation "nn.add"(%reshaped, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %bias_type = pdl.apply_native_constraint "per_channel"(
    %conv, %reshaped : !pdl.operation, !pdl.value
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

pdl.pattern @matmul_unsqueezed : benefit(1) {
  %lhs = pdl.operand
  %rhs = pdl.operand
  %transpose_lhs = pdl.attribute
  %transpose_rhs = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %type = pdl.type
  %matmul = pdl.operation "nn.matmul"(%lhs, %rhs : !pdl.value, !pdl.value) {
    "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none
  } -> (%type : !pdl.type)
  %y = pdl.result 0 of %matmul
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %reshaped_type = pdl.type
  %reshape = pdl.operation "nn.reshape"(%parameter : !pdl.value) -> (%reshaped_type : !pdl.type)
  %reshaped = pdl.result 0 of %reshape
  %sum = pdl.operation "nn.add"(%y, %reshaped : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.rewrite %sum {
    %bias_value = pdl.apply_native_rewrite "reshape_constant"(
      %value, %reshaped_type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value}
      -> (%reshaped_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.matmul"(%lhs, %rhs, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %sum with %new
  }
}

pdl.pattern @unsqueezed_matmul : benefit(1) {
  %lhs = pdl.operand
  %rhs = pdl.operand
  %transpose_lhs = pdl.attribute
  %transpose_rhs = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %type = pdl.type
  %matmul = pdl.operation "nn.matmul"(%lhs, %rhs : !pdl.value, !pdl.value) {
    "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none
  } -> (%type : !pdl.type)
  %y = pdl.result 0 of %matmul
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %reshaped_type = pdl.type
  %reshape = pdl.operation "nn.reshape"(%parameter : !pdl.value) -> (%reshaped_type : !pdl.type)
  %reshaped = pdl.result 0 of %reshape
  %sum = pdl.operation "nn.add"(%reshaped, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.rewrite %sum {
    %bias_value = pdl.apply_native_rewrite "reshape_constant"(
      %value, %reshaped_type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value}
      -> (%reshaped_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.matmul"(%lhs, %rhs, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %sum with %new
  }
}
