// Turn a relu after a matrix product into its activation.

pdl.pattern @matmul_relu : benefit(1) {
  %lhs = pdl.operand
  %rhs = pdl.operand
  %transpose_lhs = pdl.attribute
  %transpose_rhs = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %bias = pdl.operands
  %type = pdl.type
  %matmul = pdl.operation "nn.matmul"(
    %lhs, %rhs, %bias :
    !pdl.value, !pdl.value, !pdl.range<value>
  ) {"transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none}
    -> (%type : !pdl.type)
  %y = pdl.result 0 of %matmul
  %root = pdl.operation "nn.relu"(%y : !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.rewrite %root {
    %activation = pdl.attribute = #nn<activation relu>
    %new = pdl.operation "nn.matmul"(
      %lhs, %rhs, %bias :
      !pdl.value, !pdl.value, !pdl.range<value>
    ) {
      "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs,
      "activation" = %activation
    } -> (%type : !pdl.type)
    pdl.replace %root with %new
  }
}
