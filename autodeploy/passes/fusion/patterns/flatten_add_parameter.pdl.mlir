// Give the constant bias 1 x … x N of a matrix product one axis.
//
// A convolution's bias has one axis from the start: fuse-conv-add flattens what it takes in.

pdl.pattern @flatten_bias : benefit(1) {
  %lhs = pdl.operand
  %rhs = pdl.operand
  %transpose_lhs = pdl.attribute
  %transpose_rhs = pdl.attribute
  %activation = pdl.attribute
  %value = pdl.attribute
  %old_type = pdl.type
  %old_constant = pdl.operation "nn.constant" {"value" = %value} -> (%old_type : !pdl.type)
  %old_bias = pdl.result 0 of %old_constant
  %type = pdl.type
  %matmul = pdl.operation "nn.matmul"(
    %lhs, %rhs, %old_bias :
    !pdl.value, !pdl.value, !pdl.value
  ) {"transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %activation}
    -> (%type : !pdl.type)
  %bias_type = pdl.apply_native_constraint "row_vector"(%old_bias : !pdl.value) : !pdl.type
  pdl.rewrite %matmul {
    %bias_value = pdl.apply_native_rewrite "reshape_constant"(
      %value, %bias_type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value} -> (%bias_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.matmul"(%lhs, %rhs, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs,
      "activation" = %activation
    } -> (%type : !pdl.type)
    pdl.replace %matmul with %new
  }
}
