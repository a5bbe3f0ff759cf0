// Turn the minimum of a relu and a number into a clip.

pdl.pattern @relu_minimum : benefit(1) {
  %x = pdl.operand
  %type = pdl.type
  %relu = pdl.operation "nn.relu"(%x : !pdl.value) -> (%type : !pdl.type)
  %y = pdl.result 0 of %relu
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %minimum = pdl.operation "nn.min"(%y, %parameter : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %max = pdl.apply_native_constraint "scalar_number"(%value : !pdl.attribute) : !pdl.attribute
  pdl.rewrite %minimum {
    %min = pdl.attribute = 0.0 : f64
    %new = pdl.operation "nn.clip"(%x : !pdl.value) {"min" = %min, "max" = %max}
      -> (%type : !pdl.type)
    pdl.replace %minimum with %new
  }
}

pdl.pattern @minimum_relu : benefit(1) {
  %x = pdl.operand
  %type = pdl.type
  %relu = pdl.operation "nn.relu"(%x : !pdl.value) -> (%type : !pdl.type)
  %y = pdl.result 0 of %relu
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %minimum = pdl.operation "nn.min"(%parameter, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %max = pdl.apply_native_constraint "scalar_number"(%value : !pdl.attribute) : !pdl.attribute
  pdl.rewrite %minimum {
    %min = pdl.attribute = 0.0 : f64
    %new = pdl.operation "nn.clip"(%x : !pdl.value) {"min" = %min, "max" = %max}
      -> (%type : !pdl.type)
    pdl.replace %minimum with %new
  }
}
