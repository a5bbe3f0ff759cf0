// Turn d / sqrt(mean(d^2) + epsilon) * scale + shift, where d = x - mean(x), into nn.layer_norm.
//
// The means are over all axes from one on; sums and products stand in any order.

pdl.pattern @layer_norm : benefit(1) {
  %lhs = pdl.operand
  %rhs = pdl.operand
  %type = pdl.type
  %sum = pdl.operation "nn.add"(%lhs, %rhs : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  %x, %scale, %shift, %axis, %epsilon = pdl.apply_native_constraint "layer_norm_of"(
    %sum : !pdl.operation
  ) : !pdl.value, !pdl.value, !pdl.value, !pdl.attribute, !pdl.attribute
  pdl.rewrite %sum {
    %new = pdl.operation "nn.layer_norm"(
      %x, %scale, %shift : !pdl.value, !pdl.value, !pdl.value
    ) {"axis" = %axis, "epsilon" = %epsilon} -> (%type : !pdl.type)
    pdl.replace %sum with %new
  }
}
