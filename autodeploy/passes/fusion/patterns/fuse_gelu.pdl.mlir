// Turn x / 2 * (1 + erf(x / sqrt(2))) in any order into nn.gelu.

pdl.pattern @gelu : benefit(1) {
  %lhs = pdl.operand
  %rhs = pdl.operand
  %type = pdl.type
  %product = pdl.operation "nn.mul"(%lhs, %rhs : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  %x = pdl.apply_native_constraint "gelu_of"(%product : !pdl.operation) : !pdl.value
  pdl.rewrite %product {
    %new = pdl.operation "nn.gelu"(%x : !pdl.value) -> (%type : !pdl.type)
    pdl.replace %product with %new
  }
}
