// Fold a batch normalisation with constant parameters into the matrix product before it.
//
// Only products of rank 2: there the channels are the columns of the right-hand side.

pdl.pattern @matmul_batch_norm : benefit(1) {
  %lhs = pdl.operand
  %rhs_type = pdl.type
  %rhs = pdl.operand : %rhs_type
  %transpose_lhs = pdl.attribute
  %transpose_rhs = pdl.attribute
  %none = pdl.attribute = #nn<activation none>
  %old_bias = pdl.operands
  %type = pdl.type
  %matmul = pdl.operation "nn.matmul"(
    %lhs, %rhs, %old_bias :
    !pdl.value, !pdl.value, !pdl.range<value>
  ) {"transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none}
    -> (%type : !pdl.type)
  %y = pdl.result 0 of %matmul
  %scale = pdl.operand
  %shift = pdl.operand
  %mean = pdl.operand
  %variance = pdl.operand
  %epsilon = pdl.attribute
  %layout = pdl.attribute
  %norm = pdl.operation "nn.batch_norm"(
    %y, %scale, %shift, %mean, %variance :
    !pdl.value, !pdl.value, !pdl.value, !pdl.value, !pdl.value
  ) {"epsilon" = %epsilon, "layout" = %layout} -> (%type : !pdl.type)
  %rank = pdl.attribute = 2 : i64
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.apply_native_constraint "has_rank"(%y, %rank : !pdl.value, !pdl.attribute)
  pdl.apply_native_constraint "is_constant"(%rhs : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%scale : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%shift : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%mean : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%variance : !pdl.value)
  pdl.apply_native_constraint "are_constant"(%old_bias : !pdl.range<value>)
  %rhs_value, %bias_value, %bias_type = pdl.apply_native_constraint "fold_batch_norm"(
    %matmul, %norm : !pdl.operation, !pdl.operation
  ) : !pdl.attribute, !pdl.attribute, !pdl.type
  pdl.rewrite %norm {
    %rhs_constant = pdl.operation "nn.constant" {"value" = %rhs_value} -> (%rhs_type : !pdl.type)
    %new_rhs = pdl.result 0 of %rhs_constant
    %bias_constant = pdl.operation "nn.constant" {"value" = %bias_value} -> (%bias_type : !pdl.type)
    %bias = pdl.result 0 of %bias_constant
    %new = pdl.operation "nn.matmul"(%lhs, %new_rhs, %bias : !pdl.value, !pdl.value, !pdl.value) {
      "transpose_lhs" = %transpose_lhs, "transpose_rhs" = %transpose_rhs, "activation" = %none
    } -> (%type : !pdl.type)
    pdl.replace %norm with %new
  }
}
