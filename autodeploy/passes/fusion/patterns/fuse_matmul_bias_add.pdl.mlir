// Add a constant after a matrix product to the constant bias that it has.

pdl.pattern @matmul_bias_add : benefit(1) {
  %lhs = pdl.operand
  %rhs = pdl.operand
  %transpose_lhs = pdl.attribute
  %transpose_rhs = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %old_value = pdl.attribute
  %old_type = pdl.type
  %old_constant = pdl.operation "nn.constant" {"value" = %old_value} -> (%old_type : !pdl.type)
  %old_bias = pdl.result 0 of %old_constant
  %type = pdl.type
  %matmul = pdl.operation "nn.matmul"(
    %lhs, %rhs, %old_bias :
    !pdl.value, !pdl.value, !pdl.value
  ) {"transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none}
    -> (%type : !pdl.type)
  %y = pdl.result 0 of %matmul
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %sum = pdl.operation "nn.add"(%y, %parameter : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %bias_type = pdl.apply_native_constraint "wider_type"(
    %old_bias, %parameter : !pdl.value, !pdl.value
  ) : !pdl.type
  pdl.rewrite %sum {
    %bias_value = pdl.apply_native_rewrite "add_constants"(
      %old_value, %value, %bias_type : !pdl.attribute, !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value} -> (%bias_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.matmul"(%lhs, %rhs, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %sum with %new
  }
}

pdl.pattern @add_matmul_bias : benefit(1) {
  %lhs = pdl.operand
  %rhs = pdl.operand
  %transpose_lhs = pdl.attribute
  %transpose_rhs = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %old_value = pdl.attribute
  %old_type = pdl.type
  %old_constant = pdl.operation "nn.constant" {"value" = %old_value} -> (%old_type : !pdl.type)
  %old_bias = pdl.result 0 of %old_constant
  %type = pdl.type
  %matmul = pdl.operation "nn.matmul"(
    %lhs, %rhs, %old_bias :
    !pdl.value, !pdl.value, !pdl.value
  ) {"transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none}
    -> (%type : !pdl.type)
  %y = pdl.result 0 of %matmul
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %sum = pdl.operation "nn.add"(%parameter, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %bias_type = pdl.apply_native_constraint "wider_type"(
    %old_bias, %parameter : !pdl.value, !pdl.value
  ) : !pdl.type
  pdl.rewrite %sum {
    %bias_value = pdl.apply_native_rewrite "add_constants"(
      %old_value, %value, %bias_type : !pdl.attribute, !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value} -> (%bias_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.matmul"(%lhs, %rhs, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %sum with %new
  }
}
