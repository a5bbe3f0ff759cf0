// Put a convolution and the addition of a tensor of its type into one kernel.

pdl.pattern @conv_residual : benefit(1) {
  %x = pdl.operand
  %filter = pdl.operand
  %bias = pdl.operands
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(
    %x, %filter, %bias :
    !pdl.value, !pdl.value, !pdl.range<value>
  ) -> (%type : !pdl.type)
  %y = pdl.result 0 of %conv
  %residual = pdl.operand : %type
  %sum = pdl.operation "nn.add"(%y, %residual : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  %kernel = pdl.attribute = "nn.kernel"
  pdl.apply_native_constraint "not_inside"(%sum, %kernel : !pdl.operation, !pdl.attribute)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%residual : !pdl.value) {isNegated = true}
  pdl.rewrite %sum with "fuse_into_kernel"(%conv : !pdl.operation)
}

pdl.pattern @residual_conv : benefit(1) {
  %x = pdl.operand
  %filter = pdl.operand
  %bias = pdl.operands
  %type = pdl.type
  %conv = pdl.operation "nn.conv"(
    %x, %filter, %bias :
    !pdl.value, !pdl.value, !pdl.range<value>
  ) -> (%type : !pdl.type)
  %y = pdl.result 0 of %conv
  %residual = pdl.operand : %type
  %sum = pdl.operation "nn.add"(%residual, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  %kernel = pdl.attribute = "nn.kernel"
  pdl.apply_native_constraint "not_inside"(%sum, %kernel : !pdl.operation, !pdl.attribute)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.apply_native_constraint "is_constant"(%residual : !pdl.value) {isNegated = true}
  pdl.rewrite %sum with "fuse_into_kernel"(%conv : !pdl.operation)
}
