pdl.pattern @typo : benefit(1) {
  %x = pdl.operand
  %t = pdl.type
  %relu = pdl.operation "nn.relo"(%x : !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %relu {
    pdl.replace %relu with (%x : !pdl.value)
  }
}
