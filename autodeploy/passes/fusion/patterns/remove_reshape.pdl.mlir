// Replace a reshape of a constant by a constant; the data stays as it is.
//
// A reshape of a reshape is merged by simplify-nn.

pdl.pattern @reshape_of_constant : benefit(1) {
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %type = pdl.type
  %reshape = pdl.operation "nn.reshape"(%parameter : !pdl.value) -> (%type : !pdl.type)
  pdl.rewrite %reshape {
    %new_value = pdl.apply_native_rewrite "reshape_constant"(
      %value, %type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %new = pdl.operation "nn.constant" {"value" = %new_value} -> (%type : !pdl.type)
    pdl.replace %reshape with %new
  }
}
