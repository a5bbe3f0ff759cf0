"""Loops and choices: parts of the program that run many times, or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i1, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import NoTerminator

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.driver.calls import CALLS, CopyOp, JoinOp, TransferOp
from autodeploy.dialects.driver.memory import (
    BufferOp,
    InProgram,
    RowOp,
    ViewOp,
    check_writable,
    is_on_device,
    root_of,
    storage_of,
)
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.memref import MEMREF, MemRef, is_dense
from autodeploy.dialects.nn.open_extent import AXES, AxesAttr, axes_of


class _RegionsOp(IRDLOperation):
    """An op of regions that may be empty, which read back as regions without a block."""

    def __post_init__(self) -> None:
        for region in self.regions:
            if not region.blocks:
                region.add_block(Block())

    def _uses_device(self) -> bool:
        """Return whether the op, or one in its regions, uses memory of the device."""
        return any(is_on_device(value) for op in self.walk() for value in op.operands)


@irdl_op_definition
class ForOp(_RegionsOp):
    """Run the region step by step, each step on what the one before left.

    There are ``steps`` steps, or as many as ``trips`` says when the loop begins, whichever is
    fewer. With ``open`` they follow from the number of a run: it says how, as of a buffer of one
    axis, and ``steps`` are those for the largest number. Before each step ``condition`` must hold,
    else the loop ends. ``counter`` holds the number of the step, from 0 on. After each step, the
    memory of each buffer of ``current`` is exchanged with that of its partner in ``next``: what a
    step has computed is what the following one, or an op after the loop, reads. Nothing is copied
    for that, so both are whole buffers that no view made before the loop is used for any more.
    """

    name = "driver.for"

    steps = opt_prop_def(IntegerAttr.constr(i64))
    open = opt_prop_def(AXES)
    trips = opt_operand_def(MEMREF)
    condition = opt_operand_def(MEMREF)
    counter = opt_operand_def(MEMREF)
    current = var_operand_def(MEMREF)
    next = var_operand_def(MEMREF)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(InProgram(), NoTerminator())
    assembly_format = (
        "(`steps` $steps^)? (`open` $open^)? (`trips` $trips^ `:` type($trips))? "
        "(`while` $condition^ `:` type($condition))? (`counter` $counter^ `:` type($counter))? "
        "(`exchange` $current^ `with` $next `:` type($current) `with` type($next))? "
        "attr-dict-with-keyword $body"
    )

    def __init__(
        self,
        body: Block | Region,
        *,
        steps: int | None = None,
        open: AxesAttr | None = None,
        trips: SSAValue | None = None,
        condition: SSAValue | None = None,
        counter: SSAValue | None = None,
        exchanged: Sequence[tuple[SSAValue, SSAValue]] = (),
    ):
        super().__init__(
            operands=[
                [] if trips is None else [trips],
                [] if condition is None else [condition],
                [] if counter is None else [counter],
                [current for current, _ in exchanged],
                [computed for _, computed in exchanged],
            ],
            properties={
                **({} if steps is None else {"steps": IntegerAttr(steps, i64)}),
                **({} if open is None else {"open": open}),
            },
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @property
    def open_steps(self) -> Growth:
        """Return how the steps follow from the number of a run, if they do."""
        return CONSTANT if self.open is None else axes_of(self.open)[0]

    @property
    def exchanged(self) -> list[tuple[SSAValue, SSAValue]]:
        """Return the pairs of buffers whose memory is exchanged after each step."""
        return list(zip(self.current, self.next, strict=True))

    def exchange(self, pairs: Sequence[tuple[SSAValue, SSAValue]]) -> None:
        """Exchange these pairs of buffers after each step, and no others."""
        others = [v for v in (self.trips, self.condition, self.counter) if v is not None]
        self.operands = [*others, *(one for one, _ in pairs), *(other for _, other in pairs)]
        sizes = [int(v is not None) for v in (self.trips, self.condition, self.counter)]
        self.properties["operandSegmentSizes"] = DenseArrayBase.from_list(
            i32, [*sizes, len(pairs), len(pairs)]
        )

    def verify_(self) -> None:
        """Check the constraints.

        - (for_c1) something ends the loop: steps, trips or a condition; steps are not negative
        - (for_c2) trips and counter are one i64, the condition is one i1, all dense
        - (for_c3) buffers are exchanged in pairs of one type, each buffer once in a program
        - (for_c4) an exchanged value is a whole driver.buffer that is made before the loop
        - (for_c5) a view of such a buffer that is made before the loop is not used in or after it
        - (for_c6) what the region writes by rows it names in no other way
        - (for_c7) open says how one number grows, which is that of the steps
        - (for_c8) an exchanged value is in the arena: an exchange outlasts a run, and the next run
          may have other memory for an output
        - (for_c9) the processor runs a loop: nothing in it uses memory of the device
        """
        if self._uses_device():
            raise invalid("for_c9", "a loop of the processor uses memory of the device")
        if self.steps is None and self.trips is None and self.condition is None:
            raise invalid("for_c1", "expected steps, trips or a condition, found an endless loop")
        if self.steps is not None and self.steps.value.data < 0:
            raise invalid("for_c1", f"steps are not negative, found {self.steps.value.data}")
        for what, value, element in (
            ("trips", self.trips, i64),
            ("the condition", self.condition, i1),
            ("the counter", self.counter, i64),
        ):
            if value is not None and not _is_one(value, element):
                raise invalid("for_c2", f"{what} is one {element}, found {value.type}")
        if self.counter is not None:
            check_writable(self.counter)
        if self.open is not None and (self.steps is None or len(axes_of(self.open)) != 1):
            raise invalid("for_c7", f"open says how the steps grow, found {self.open}")
        self._check_exchanged()
        self._check_rows()

    def _check_exchanged(self) -> None:
        types = [value.type for value in self.current], [value.type for value in self.next]
        if types[0] != types[1]:
            raise invalid("for_c3", "exchanged buffers have one type")
        for value in (*self.current, *self.next):
            loops = {use.operation for use in value.uses if isinstance(use.operation, ForOp)}
            if sum([*loop.current, *loop.next].count(value) for loop in loops) > 1:
                raise invalid("for_c3", "a buffer is exchanged with one other, by one loop")
            if not isinstance(value.owner, BufferOp) or value.owner.parent is not self.parent:
                raise invalid("for_c4", "a whole driver.buffer next to the loop is exchanged")
            if value.owner.output is not None:
                raise invalid("for_c8", "exchanged buffers are in the arena")
            for view in _views(value):
                if self._is_before(view) and not all(
                    self._is_before(use.operation) for use in view.result.uses
                ):
                    raise invalid("for_c5", "a view is of the memory before the exchange")

    def _is_before(self, op: Operation) -> bool:
        """Return whether an op precedes the loop, in its block or in a region of an op there."""
        block = self.parent
        ancestor = None if block is None else block.find_ancestor_op_in_block(op)
        return ancestor is None or (ancestor is not self and ancestor.is_before_in_block(self))

    def _check_rows(self) -> None:
        rows = [op for op in self.body.block.ops if isinstance(op, RowOp)]
        for storage in {root_of(row.source) for row in rows}:
            ways: set[SSAValue] = set()
            written = False
            for op in self.body.walk():
                for value in op.operands if isinstance(op, (*CALLS, ForOp, IfOp)) else ():
                    if root_of(value) is storage:
                        ways.add(storage_of(value))
                if isinstance(op, CALLS):
                    outputs = (
                        [op.target] if isinstance(op, CopyOp | JoinOp | TransferOp) else op.outputs
                    )
                    written |= any(root_of(value) is storage for value in outputs)
            if written and len(ways) > 1:
                raise invalid("for_c6", "rows that a step writes are named in a second way")


@irdl_op_definition
class IfOp(_RegionsOp):
    """Run the first region where ``condition`` holds, else the second."""

    name = "driver.if"

    condition = operand_def(MEMREF)
    then = region_def("single_block")
    otherwise = region_def("single_block")

    traits = traits_def(InProgram(), NoTerminator())
    assembly_format = (
        "$condition `:` type($condition) attr-dict-with-keyword $then `else` $otherwise"
    )

    def __init__(self, condition: SSAValue, then: Block, otherwise: Block):
        super().__init__(operands=[condition], regions=[Region(then), Region(otherwise)])

    def verify_(self) -> None:
        """Check the constraints.

        - (if_c1) the condition is one i1, dense
        - (if_c2) the processor makes the choice: nothing in it uses memory of the device
        """
        if self._uses_device():
            raise invalid("if_c2", "a choice of the processor uses memory of the device")
        if not _is_one(self.condition, i1):
            raise invalid("if_c1", f"the condition is one i1, found {self.condition.type}")


def _is_one(value: SSAValue, element: Attribute) -> bool:
    """Return whether a value is one dense element of a type."""
    type_ = cast(MemRef, value.type)
    return is_dense(value) and type_.element_type == element and set(type_.get_shape()) <= {1}


def _views(value: SSAValue) -> Iterator[ViewOp | RowOp]:
    for use in value.uses:
        if isinstance(use.operation, ViewOp | RowOp):
            yield use.operation
            yield from _views(use.operation.result)
