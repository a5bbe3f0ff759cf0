// Multiply a per-channel constant after a batch normalisation into its scale and shift.

pdl.pattern @batch_norm_mul : benefit(1) {
  %x = pdl.operand
  %scale_value = pdl.attribute
  %channels_type = pdl.type
  %scale_constant = pdl.operation "nn.constant" {"value" = %scale_value}
    -> (%channels_type : !pdl.type)
  %scale = pdl.result 0 of %scale_constant
  %shift_value = pdl.attribute
  %shift_constant = pdl.operation "nn.constant" {"value" = %shift_value}
    -> (%channels_type : !pdl.type)
  %shift = pdl.result 0 of %shift_constant
  %mean = pdl.operand
  %variance = pdl.operand
  %epsilon = pdl.attribute
  %layout = pdl.attribute
  %type = pdl.type
  %norm = pdl.operation "nn.batch_norm"(
    %x, %scale, %shift, %mean, %variance :
    !pdl.value, !pdl.value, !pdl.value, !pdl.value, !pdl.value
  ) {"epsilon" = %epsilon, "layout" = %layout} -> (%type : !pdl.type)
  %y = pdl.result 0 of %norm
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %root = pdl.operation "nn.mul"(%y, %parameter : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %flat_type = pdl.apply_native_constraint "per_channel"(
    %norm, %parameter : !pdl.operation, !pdl.value
  ) : !pdl.type
  pdl.rewrite %root {
    %flat_value = pdl.apply_native_rewrite "flatten_constant"(
      %value, %flat_type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %new_scale_value = pdl.apply_native_rewrite "multiply_constants"(
      %scale_value, %flat_value, %channels_type : !pdl.attribute, !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %new_scale_constant = pdl.operation "nn.constant" {"value" = %new_scale_value}
      -> (%channels_type : !pdl.type)
    %new_scale = pdl.result 0 of %new_scale_constant
    %new_shift_value = pdl.apply_native_rewrite "multiply_constants"(
      %shift_value, %flat_value, %channels_type : !pdl.attribute, !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %new_shift_constant = pdl.operation "nn.constant" {"value" = %new_shift_value}
      -> (%channels_type : !pdl.type)
    %new_shift = pdl.result 0 of %new_shift_constant
    %new = pdl.operation "nn.batch_norm"(
      %x, %new_scale, %new_shift, %mean, %variance :
      !pdl.value, !pdl.value, !pdl.value, !pdl.value, !pdl.value
    ) {"epsilon" = %epsilon, "layout" = %layout} -> (%type : !pdl.type)
    pdl.replace %root with %new
  }
}

pdl.pattern @mul_batch_norm : benefit(1) {
  %x = pdl.operand
  %scale_value = pdl.attribute
  %channels_type = pdl.type
  %scale_constant = pdl.operation "nn.constant" {"value" = %scale_value}
    -> (%channels_type : !pdl.type)
  %scale = pdl.result 0 of %scale_constant
  %shift_value = pdl.attribute
  %shift_constant = pdl.operation "nn.constant" {"value" = %shift_value}
    -> (%channels_type : !pdl.type)
  %shift = pdl.result 0 of %shift_constant
  %mean = pdl.operand
  %variance = pdl.operand
  %epsilon = pdl.attribute
  %layout = pdl.attribute
  %type = pdl.type
  %norm = pdl.operation "nn.batch_norm"(
    %x, %scale, %shift, %mean, %variance :
    !pdl.value, !pdl.value, !pdl.value, !pdl.value, !pdl.value
  ) {"epsilon" = %epsilon, "layout" = %layout} -> (%type : !pdl.type)
  %y = pdl.result 0 of %norm
  %value = pdl.attribute
  %constant_type = pdl.type
  %constant = pdl.operation "nn.constant" {"value" = %value} -> (%constant_type : !pdl.type)
  %parameter = pdl.result 0 of %constant
  %root = pdl.operation "nn.mul"(%parameter, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint "has_one_use"(%y : !pdl.value)
  %flat_type = pdl.apply_native_constraint "per_channel"(
    %norm, %parameter : !pdl.operation, !pdl.value
  ) : !pdl.type
  pdl.rewrite %root {
    %flat_value = pdl.apply_native_rewrite "flatten_constant"(
      %value, %flat_type : !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %new_scale_value = pdl.apply_native_rewrite "multiply_constants"(
      %scale_value, %flat_value, %channels_type : !pdl.attribute, !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %new_scale_constant = pdl.operation "nn.constant" {"value" = %new_scale_value}
      -> (%channels_type : !pdl.type)
    %new_scale = pdl.result 0 of %new_scale_constant
    %new_shift_value = pdl.apply_native_rewrite "multiply_constants"(
      %shift_value, %flat_value, %channels_type : !pdl.attribute, !pdl.attribute, !pdl.type
    ) : !pdl.attribute
    %new_shift_constant = pdl.operation "nn.constant" {"value" = %new_shift_value}
      -> (%channels_type : !pdl.type)
    %new_shift = pdl.result 0 of %new_shift_constant
    %new = pdl.operation "nn.batch_norm"(
      %x, %new_scale, %new_shift, %mean, %variance :
      !pdl.value, !pdl.value, !pdl.value, !pdl.value, !pdl.value
    ) {"epsilon" = %epsilon, "layout" = %layout} -> (%type : !pdl.type)
    pdl.replace %root with %new
  }
}
