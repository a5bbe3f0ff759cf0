// x + x to 2 * x, and a multiplication by 2 twice to one by 4.

pdl.pattern @double : benefit(1) {
  %t = pdl.type : f32
  %x = pdl.operand : %t
  %add = pdl.operation "arith.addf"(%x, %x : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %add {
    %value = pdl.attribute = 2.0 : f32
    %constant = pdl.operation "arith.constant" {"value" = %value} -> (%t : !pdl.type)
    %two = pdl.result 0 of %constant
    %mul = pdl.operation "arith.mulf"(%x, %two : !pdl.value, !pdl.value)
    pdl.replace %add with %mul
  }
}

pdl.pattern @twice : benefit(1) {
  %t = pdl.type : f32
  %x = pdl.operand : %t
  %value = pdl.attribute = 2.0 : f32
  %constant = pdl.operation "arith.constant" {"value" = %value} -> (%t : !pdl.type)
  %two = pdl.result 0 of %constant
  %inner = pdl.operation "arith.mulf"(%x, %two : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  %y = pdl.result 0 of %inner
  %constant2 = pdl.operation "arith.constant" {"value" = %value} -> (%t : !pdl.type)
  %two2 = pdl.result 0 of %constant2
  %outer = pdl.operation "arith.mulf"(%y, %two2 : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  pdl.rewrite %outer {
    %four_value = pdl.attribute = 4.0 : f32
    %four_constant = pdl.operation "arith.constant" {"value" = %four_value} -> (%t : !pdl.type)
    %four = pdl.result 0 of %four_constant
    %mul = pdl.operation "arith.mulf"(%x, %four : !pdl.value, !pdl.value)
    pdl.replace %outer with %mul
  }
}
