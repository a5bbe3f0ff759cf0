// Turn a clip to exactly 0 to 6 into the activation relu6 of a matrix product.

pdl.pattern @matmul_relu6 : benefit(1) {
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
  %max = pdl.attribute = 6.0 : f64
  %root = pdl.operation "nn.clip"(%y : !pdl.value) {"min" = %min, "max" = %max}
    -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.rewrite %root {
    %activation = pdl.attribute = #nn<activation relu6>
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
