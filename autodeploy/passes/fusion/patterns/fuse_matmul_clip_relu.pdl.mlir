// Turn a clip at 0 from below alone, which is a relu, into the activation of a matrix product.

pdl.pattern @matmul_clip_relu : benefit(1) {
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
  %min = pdl.attribute = 0.0 : f64
  %root = pdl.operation "nn.clip"(%y : !pdl.value) {"min" = %min} -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %absent = pdl.attribute = "max"
  pdl.apply_native_constraint "attribute_absent"(%root, %absent : !pdl.operation, !pdl.attribute)
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
