// Turn x * sigmoid(x) into nn.swish.

pdl.pattern @swish : benefit(1) {
  %x = pdl.operand
  %type = pdl.type
  %sigmoid = pdl.operation "nn.sigmoid"(%x : !pdl.value) -> (%type : !pdl.type)
  %s = pdl.result 0 of %sigmoid
  %product = pdl.operation "nn.mul"(%x, %s : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%s : !pdl.value)
  pdl.rewrite %product {
    %new = pdl.operation "nn.swish"(%x : !pdl.value) -> (%type : !pdl.type)
    pdl.replace %product with %new
  }
}

pdl.pattern @swish_swapped : benefit(1) {
  %x = pdl.operand
  %type = pdl.type
  %sigmoid = pdl.operation "nn.sigmoid"(%x : !pdl.value) -> (%type : !pdl.type)
  %s = pdl.result 0 of %sigmoid
  %product = pdl.operation "nn.mul"(%s, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%s : !pdl.value)
  pdl.rewrite %product {
    %new = pdl.operation "nn.swish"(%x : !pdl.value) -> (%type : !pdl.type)
    pdl.replace %product with %new
  }
}
