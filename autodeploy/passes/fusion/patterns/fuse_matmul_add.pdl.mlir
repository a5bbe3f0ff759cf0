// Turn a constant that is added to a matrix product into its bias.
//
// The sum has the type of the product: a constant that would widen it is left alone.

pdl.pattern @matmul_add : benefit(1) {
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
  %bias = pdl.operand
  %sum = pdl.operation "nn.add"(%y, %bias : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%bias : !pdl.value)
  pdl.rewrite %sum {
    %new = pdl.operation "nn.matmul"(%lhs, %rhs, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %sum with %new
  }
}

pdl.pattern @add_matmul : benefit(1) {
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
  %bias = pdl.operand
  %sum = pdl.operation "nn.add"(%bias, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%bias : !pdl.value)
  pdl.rewrite %sum {
    %new = pdl.operation "nn.matmul"(%lhs, %rhs, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %sum with %new
  }
}
