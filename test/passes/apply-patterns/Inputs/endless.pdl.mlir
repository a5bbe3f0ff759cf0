pdl.pattern @swap : benefit(1) {
  %x = pdl.operand
  %y = pdl.operand
  %t = pdl.type
  %add = pdl.operation "arith.addf"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %add {
    %swapped = pdl.operation "arith.addf"(%y, %x : !pdl.value, !pdl.value)
    pdl.replace %add with %swapped
  }
}
