"""Steps of a program: calls of kernels and of the library, and copies."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import prod
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    NoneAttr,
    StringAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.driver.memory import (
    BufferOp,
    InNoRegion,
    InProgram,
    check_offset,
    check_writable,
    is_on_device,
    may_overlap,
    root_of,
)
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.halide.in_place import may_fill_in_place
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.memref import MEMREF, MemRef, is_dense, memref_bytes, memref_strides
from autodeploy.dialects.nn.open_extent import AXES, Axes, axes_attr, axes_of
from autodeploy.dialects.nn.types import ELEMENT_BYTES
from autodeploy.dialects.properties import properties
from autodeploy.dialects.strides import is_row_major


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy all elements of ``source`` to ``target``; they do not overlap.

    Dense ones have as many bytes; where one is strided, both have the same shape.
    """

    name = "driver.copy"

    source = operand_def(MEMREF)
    target = operand_def(MEMREF)

    traits = traits_def(InProgram())
    assembly_format = "$source `to` $target attr-dict `:` type($source) `to` type($target)"

    def __init__(self, source: SSAValue, target: SSAValue):
        super().__init__(operands=[source, target])

    def verify_(self) -> None:
        """Check the constraints.

        - (copy_c1) two dense memrefs have the same number of bytes
        - (copy_c2) where one is strided, both have the same shape and element type
        - (copy_c3) source and target have no byte in common
        - (copy_c4) both are on the device, or none
        """
        if is_on_device(self.source) != is_on_device(self.target):
            raise invalid("copy_c4", "a transfer, no copy, leads to the device or from it")
        if is_dense(self.source) and is_dense(self.target):
            if memref_bytes(self.source.type) != memref_bytes(self.target.type):
                raise invalid(
                    "copy_c1", f"{self.source.type} has other bytes than {self.target.type}"
                )
        else:
            source, target = cast(MemRef, self.source.type), cast(MemRef, self.target.type)
            if (source.element_type, source.shape) != (target.element_type, target.shape):
                raise invalid("copy_c2", f"{source} has another shape than {target}")
        if may_overlap(self.source, self.target):
            raise invalid("copy_c3", "source and target are the same bytes")
        check_writable(self.target)


@irdl_op_definition
class TransferOp(IRDLOperation):
    """Copy a block of memory between the processor and the device."""

    name = "driver.transfer"

    source = operand_def(MEMREF)
    target = operand_def(MEMREF)

    traits = traits_def(InNoRegion())
    assembly_format = "$source `to` $target attr-dict `:` type($source) `to` type($target)"

    def __init__(self, source: SSAValue, target: SSAValue):
        super().__init__(operands=[source, target])

    def verify_(self) -> None:
        """Check the constraints.

        - (transfer_c1) both are whole blocks of the same type
        - (transfer_c2) one of them is on the device, the other is not
        """
        if self.source.type != self.target.type or any(
            root_of(value) is not value for value in self.operands
        ):
            raise invalid("transfer_c1", "whole blocks of one type are transferred")
        if is_on_device(self.source) == is_on_device(self.target):
            raise invalid("transfer_c2", "one of the blocks is on the device")
        check_writable(self.target)


@irdl_op_definition
class JoinOp(IRDLOperation):
    """Copy all elements of ``source`` to ``target``, from ``start`` on along an axis of it.

    A run has the first elements of open axes, and where ``behind`` says how ``start``
    follows from the number of a run, those elements are there; ``start`` is that of the largest.
    Elements inside of the axis are contiguous on both sides.
    """

    name = "driver.join"

    source = operand_def(MEMREF)
    target = operand_def(MEMREF)
    axis = prop_def(IntegerAttr.constr(i64))
    start = prop_def(IntegerAttr.constr(i64))
    behind = opt_prop_def(AXES)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(InProgram())
    assembly_format = (
        "$source `to` $target `from` $start `on` $axis (`behind` $behind^)? attr-dict "
        "`:` type($source) `to` type($target)"
    )

    def __init__(
        self, source: SSAValue, target: SSAValue, axis: int, start: int, behind: Growth = CONSTANT
    ):
        super().__init__(
            operands=[source, target],
            properties=properties(
                axis=axis, start=start, behind=axes_attr((behind,)) if behind else None
            ),
        )

    @property
    def open_start(self) -> Growth:
        """Return how ``start`` follows from the number of a run; ``CONSTANT`` if it does not."""
        return CONSTANT if self.behind is None else axes_of(self.behind)[0]

    @property
    def row_bytes(self) -> int:
        """Return the bytes of an element of the axis, with all inner axes."""
        type_ = cast(MemRef, self.target.type)
        inner = type_.get_shape()[self.axis.value.data + 1 :]
        return prod(inner) * ELEMENT_BYTES[type_.element_type]

    def verify_(self) -> None:
        """Check the constraints.

        - (join_c1) both have the same element type, and the same extents of other axes
        - (join_c2) the elements of the source end within the target
        - (join_c3) elements inside of the axis are contiguous on both sides
        - (join_c4) source and target have no byte in common
        - (join_c5) ``behind`` says how one number grows
        - (join_c6) neither is on the device
        """
        if any(map(is_on_device, self.operands)):
            raise invalid("join_c6", "rows are joined by the processor")
        source, target = cast(MemRef, self.source.type), cast(MemRef, self.target.type)
        axis, start = self.axis.value.data, self.start.value.data
        shapes = [list(type_.get_shape()) for type_ in (source, target)]
        beside = [[*shape[:axis], *shape[axis + 1 :]] for shape in shapes]
        if (
            not 0 <= axis < len(shapes[1])
            or len(shapes[0]) != len(shapes[1])
            or beside[0] != beside[1]
            or source.element_type != target.element_type
        ):
            raise invalid("join_c1", f"{source} does not fit into {target} outside of axis {axis}")
        if start < 0 or start + shapes[0][axis] > shapes[1][axis]:
            raise invalid("join_c2", f"{source} from {start} on does not end within {target}")
        for type_ in (source, target):
            inner = slice(axis + 1, None)
            if not is_row_major(type_.get_shape()[inner], memref_strides(type_)[inner]):
                raise invalid("join_c3", f"rows of {type_} inside of axis {axis} have gaps")
        if may_overlap(self.source, self.target):
            raise invalid("join_c4", "source and target are the same bytes")
        if self.behind is not None and (
            len(axes_of(self.behind)) != 1 or not axes_of(self.behind)[0]
        ):
            raise invalid("join_c5", f"expected how one number grows, found {self.behind}")
        check_writable(self.target)


def check_callee(op: CallOp, callee: PipelineOp | None, axes: Sequence[Axes | None]) -> None:
    """Check that the callee is a ``halide.pipeline`` whose buffers fit the operands.

    ``axes`` say how the operands' axes grow, outermost first; ``None`` if a view
    has no axis for an open one, which program_c11 refuses.
    """
    name = op.callee.string_value()
    if callee is None:
        raise invalid("call_c1", f"'{name}' is no halide.pipeline in scope")
    on_device = callee.on_device is not None
    if any(is_on_device(value) != on_device for value in op.operands):
        where = "on the device" if on_device else "on the processor"
        raise invalid("call_c8", f"'{name}' runs {where}, and so its operands are there")
    expected = (
        [argument.type for argument in callee.inputs],
        [argument.type for argument in callee.outputs],
    )
    found = (
        [buffer_of(operand.type) for operand in op.inputs],
        [buffer_of(operand.type) for operand in op.outputs],
    )
    if expected != found:
        takes, given = _signature(*expected), _signature(*found)
        raise invalid("call_c2", f"'{name}' takes {takes}, found {given}")
    for position, (own, known) in enumerate(zip(axes, callee.open_axes, strict=True)):
        takes = tuple(reversed(known))
        if own is None or own == takes:
            continue
        raise invalid(
            "call_c5",
            f"'{name}' takes {op.operands[position].type} with open axes {list(takes)}, found "
            f"{list(own)}",
        )
    for output, target in zip(op.outputs, callee.outputs, strict=True):
        for value, source in zip(op.inputs, callee.inputs, strict=True):
            if output is value and not may_fill_in_place(callee, source, target):
                raise invalid("call_c3", f"'{name}' cannot fill an input in place")


def check_packed_call(
    op: CallOp, callee: PipelineOp | None, packed: Sequence[int], empty: Sequence[int]
) -> None:
    """Check that the callee takes the ``packed`` operands as such, and no others.

    It reads nothing from those that may be ``empty``.
    """
    if callee is None:
        return
    name = op.callee.string_value()
    if callee.packed_inputs != tuple(packed):
        raise invalid(
            "call_c6",
            f"'{name}' takes {list(callee.packed_inputs)} without gaps, found {list(packed)}",
        )
    for index in empty:
        if not callee.reads_nothing(index):
            raise invalid("call_c7", f"'{name}' reads operand {index}, which may have no elements")


def _signature(inputs: Sequence[Attribute], outputs: Sequence[Attribute]) -> str:
    return f"({', '.join(map(str, inputs))}) to ({', '.join(map(str, outputs))})"


@cache
def buffer_of(type_: Attribute) -> BufferType:
    """Return the Halide buffer type of a memref: the same extents and strides, innermost first."""
    strides = memref_strides(type_)
    memref = cast(MemRef, type_)
    extents = tuple(reversed(memref.get_shape()))
    if isinstance(memref.layout, NoneAttr):
        return BufferType(memref.element_type, extents)
    return BufferType(memref.element_type, extents, tuple(reversed(strides)))


class CallLikeOp(IRDLOperation, ABC):
    """A call of code that is compiled apart, which reads inputs and fills outputs."""

    inputs = var_operand_def(MEMREF)
    outputs = var_operand_def(MEMREF)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(InProgram())
    assembly_format = (
        "$callee `(` $inputs `)` `to` ` ` `(` $outputs `)` attr-dict "
        "`:` `(` type($inputs) `)` `to` ` ` `(` type($outputs) `)`"
    )


@irdl_op_definition
class CallOp(CallLikeOp):
    """Run a kernel: it reads ``inputs`` and fills ``outputs``.

    An output may be one of the inputs where the kernel computes each element from that at the same
    place; else it is apart from all other operands. ``scratch`` is the offset in the arena of
    what the kernel works in, once memory is planned; the ``halide.pipeline`` says its size. With
    ``scratch_output`` it is in this output of the program instead, as a buffer may be.
    """

    name = "driver.call"

    callee = prop_def(base(SymbolRefAttr))
    scratch = opt_prop_def(IntegerAttr.constr(i64))
    scratch_output = opt_prop_def(IntegerAttr.constr(i64))

    def __init__(self, callee: str, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]):
        super().__init__(operands=[inputs, outputs], properties={"callee": SymbolRefAttr(callee)})

    def verify_(self) -> None:
        """Check the constraints.

        - (call_c1) the callee is a halide.pipeline of the module
        - (call_c2) the operands have the types of the callee's buffers
        - (call_c3) an output that is an input is one that the callee may fill in place
        - (call_c4) an output overlaps no other output, and no input that it is not
        - (call_c5) an operand has the open axes of the callee's buffer; an input may have none
        - (call_c6) the callee says which operands are the caller's with an open axis inside
        - (call_c7) of an operand that may have no elements the callee takes the extents alone
        - (call_c8) operands are in the memory of the device if the callee runs there

        ``ProgramOp`` looks up the callees.
        """
        check_offset(self.scratch, self.scratch_output)
        for operand in self.operands:
            memref_strides(operand.type)
        for i, output in enumerate(self.outputs):
            check_writable(output)
            met = {value for value in self.inputs if may_overlap(output, value)}
            if not met <= {output} or any(may_overlap(output, other) for other in self.outputs[:i]):
                raise invalid("call_c4", "an output is neither part of an input nor another output")


@irdl_op_definition
class LibraryCallOp(CallLikeOp):
    """Call the function ``callee`` of ``runtime/library``: it reads ``inputs``, fills ``outputs``.

    ``parameters`` are numbers that it gets after them. All operands are dense.
    """

    name = "driver.library_call"

    callee = prop_def(StringAttr)
    parameters = prop_def(DenseArrayBase.constr(i64))

    def __init__(
        self,
        callee: Attribute,
        parameters: Attribute,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
    ):
        super().__init__(
            operands=[inputs, outputs],
            properties={"callee": callee, "parameters": parameters},
        )

    def verify_(self) -> None:
        """Check the constraints.

        - (library_call_c1) an output overlaps no other operand
        - (library_call_c2) no operand is on the device
        """
        if any(map(is_on_device, self.operands)):
            raise invalid("library_call_c2", "functions of the library run on the processor")
        for operand in self.operands:
            memref_bytes(operand.type)
        for output in self.outputs:
            check_writable(output)
            if sum(may_overlap(output, other) for other in self.operands) > 1:
                raise invalid("library_call_c1", "an output overlaps no other operand")


CALLS = (CallOp, LibraryCallOp, CopyOp, TransferOp, JoinOp)
"""The ops that do something; all other ops name places of data."""

Call: TypeAlias = CallOp | LibraryCallOp | CopyOp | TransferOp | JoinOp
"""One of them."""


class OutputAllocation(NamedTuple):
    """A buffer, or the scratch memory of a call: its bytes and its place in an output."""

    op: BufferOp | CallOp
    output: int
    offset: int
    """In bytes, from the first aligned byte of the output."""
    bytes: int


def output_allocations(
    ops: Iterator[Operation], pipelines: Mapping[str, PipelineOp]
) -> Iterator[OutputAllocation]:
    """Yield the blocks of some ops that are in an output; ``pipelines`` are the kernels by name."""
    for op in ops:
        match op:
            case BufferOp(output=output, offset=offset) if output is not None:
                size = memref_bytes(op.result.type)
            case CallOp(scratch_output=output, scratch=offset) if output is not None:
                callee = pipelines.get(op.callee.string_value())
                needed = None if callee is None else callee.scratch_bytes
                size = 0 if needed is None else needed.value.data
            case _:
                continue
        assert offset is not None
        yield OutputAllocation(op, output.value.data, offset.value.data, size)
