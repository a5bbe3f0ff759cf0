// Put an anchor, alone or in a kernel, and the pointwise op that alone reads it into one kernel.
//
// The pointwise op keeps the shape, its other operands may broadcast; one pattern for each place
// where the anchor's result can stand among the operands. A kernel has at most 64 ops, and one
// element of it reads inputs, or the anchor, at most 16384 times.

pdl.pattern @has_anchor_slot0 : benefit(1) {
  %inputs = pdl.operands
  %produced_type = pdl.type
  %producer = pdl.operation(%inputs : !pdl.range<value>) -> (%produced_type : !pdl.type)
  %value = pdl.result 0 of %producer
  %others = pdl.operands
  %type = pdl.type
  %consumer = pdl.operation(%value, %others : !pdl.value, !pdl.range<value>) -> (%type : !pdl.type)
  %result = pdl.result 0 of %consumer
  %kernel = pdl.attribute = "nn.kernel"
  pdl.apply_native_constraint "has_anchor"(%producer : !pdl.operation)
  pdl.apply_native_constraint "is_pointwise"(%consumer : !pdl.operation)
  pdl.apply_native_constraint "not_inside"(%consumer, %kernel : !pdl.operation, !pdl.attribute)
  pdl.apply_native_constraint "used_only_by"(%value, %consumer : !pdl.value, !pdl.operation)
  pdl.apply_native_constraint "same_shape"(%value, %result : !pdl.value, !pdl.value)
  pdl.apply_native_constraint "small_expression"(%producer, %consumer : !pdl.operation, !pdl.operation)
  pdl.rewrite %consumer with "fuse_into_kernel"(%producer : !pdl.operation)
}

pdl.pattern @has_anchor_slot1 : benefit(1) {
  %inputs = pdl.operands
  %produced_type = pdl.type
  %producer = pdl.operation(%inputs : !pdl.range<value>) -> (%produced_type : !pdl.type)
  %value = pdl.result 0 of %producer
  %operand0 = pdl.operand
  %others = pdl.operands
  %type = pdl.type
  %consumer = pdl.operation(
    %operand0, %value, %others :
    !pdl.value, !pdl.value, !pdl.range<value>
  ) -> (%type : !pdl.type)
  %result = pdl.result 0 of %consumer
  %kernel = pdl.attribute = "nn.kernel"
  pdl.apply_native_constraint "has_anchor"(%producer : !pdl.operation)
  pdl.apply_native_constraint "is_pointwise"(%consumer : !pdl.operation)
  pdl.apply_native_constraint "not_inside"(%consumer, %kernel : !pdl.operation, !pdl.attribute)
  pdl.apply_native_constraint "used_only_by"(%value, %consumer : !pdl.value, !pdl.operation)
  pdl.apply_native_constraint "same_shape"(%value, %result : !pdl.value, !pdl.value)
  pdl.apply_native_constraint "small_expression"(%producer, %consumer : !pdl.operation, !pdl.operation)
  pdl.rewrite %consumer with "fuse_into_kernel"(%producer : !pdl.operation)
}

pdl.pattern @has_anchor_slot2 : benefit(1) {
  %inputs = pdl.operands
  %produced_type = pdl.type
  %producer = pdl.operation(%inputs : !pdl.range<value>) -> (%produced_type : !pdl.type)
  %value = pdl.result 0 of %producer
  %operand0 = pdl.operand
  %operand1 = pdl.operand
  %others = pdl.operands
  %type = pdl.type
  %consumer = pdl.operation(
    %operand0, %operand1, %value, %others :
    !pdl.value, !pdl.value, !pdl.value, !pdl.range<value>
  ) -> (%type : !pdl.type)
  %result = pdl.result 0 of %consumer
  %kernel = pdl.attribute = "nn.kernel"
  pdl.apply_native_constraint "has_anchor"(%producer : !pdl.operation)
  pdl.apply_native_constraint "is_pointwise"(%consumer : !pdl.operation)
  pdl.apply_native_constraint "not_inside"(%consumer, %kernel : !pdl.operation, !pdl.attribute)
  pdl.apply_native_constraint "used_only_by"(%value, %consumer : !pdl.value, !pdl.operation)
  pdl.apply_native_constraint "same_shape"(%value, %result : !pdl.value, !pdl.value)
  pdl.apply_native_constraint "small_expression"(%producer, %consumer : !pdl.operation, !pdl.operation)
  pdl.rewrite %consumer with "fuse_into_kernel"(%producer : !pdl.operation)
}
