"""What a program does: calls of kernels and of the library, and copies."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from functools import cache
from typing import cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    NoneAttr,
    StringAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
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

from autodeploy.dialects.constraints import broken
from autodeploy.dialects.driver.memory import InProgram, check_offset, check_writable, may_overlap
from autodeploy.dialects.halide.in_place import may_fill_in_place
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.memref import MEMREF, MemRef, is_dense, memref_bytes, memref_strides
from autodeploy.dialects.nn.open_extent import Axes


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
        """
        if is_dense(self.source) and is_dense(self.target):
            if memref_bytes(self.source.type) != memref_bytes(self.target.type):
                raise broken(
                    "copy_c1", f"{self.source.type} has other bytes than {self.target.type}"
                )
        else:
            source, target = cast(MemRef, self.source.type), cast(MemRef, self.target.type)
            if (source.element_type, source.shape) != (target.element_type, target.shape):
                raise broken("copy_c2", f"{source} has another shape than {target}")
        if may_overlap(self.source, self.target):
            raise broken("copy_c3", "source and target are the same bytes")
        check_writable(self.target)


def check_callee(op: CallOp, callee: PipelineOp | None, axes: Sequence[Axes | None]) -> None:
    """Check that the callee is a ``halide.pipeline`` whose buffers fit the operands.

    ``axes`` say how the operands' axes grow, outermost first; ``None`` where a view
    has no axis for an open one, which program_c11 refuses.
    """
    name = op.callee.string_value()
    if callee is None:
        raise broken("call_c1", f"'{name}' is no halide.pipeline in scope")
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
        raise broken("call_c2", f"'{name}' takes {takes}, found {given}")
    for position, (own, known) in enumerate(zip(axes, callee.open_axes, strict=True)):
        takes = tuple(reversed(known))
        if own is None or own == takes or (position < len(op.inputs) and not any(own)):
            continue
        raise broken(
            "call_c5",
            f"'{name}' takes {op.operands[position].type} with open axes {list(takes)}, found "
            f"{list(own)}",
        )
    for output, target in zip(op.outputs, callee.outputs, strict=True):
        for value, source in zip(op.inputs, callee.inputs, strict=True):
            if output is value and not may_fill_in_place(callee, source, target):
                raise broken("call_c3", f"'{name}' cannot fill an input in place")


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
    place; else it lies apart from all other operands. ``scratch`` is the offset in the arena of
    what the kernel works in, once memory is planned; the ``halide.pipeline`` says its size.
    """

    name = "driver.call"

    callee = prop_def(base(SymbolRefAttr))
    scratch = opt_prop_def(IntegerAttr.constr(i64))

    def __init__(self, callee: str, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]):
        super().__init__(operands=[inputs, outputs], properties={"callee": SymbolRefAttr(callee)})

    def verify_(self) -> None:
        """Check the constraints.

        - (call_c1) the callee is a halide.pipeline of the module
        - (call_c2) the operands have the types of the callee's buffers
        - (call_c3) an output that is an input is one that the callee may fill in place
        - (call_c4) an output overlaps no other output, and no input that it is not
        - (call_c5) an operand has the open axes of the callee's buffer; an input may have none

        ``ProgramOp`` looks up the callees.
        """
        check_offset(self.scratch)
        for operand in self.operands:
            memref_strides(operand.type)
        for i, output in enumerate(self.outputs):
            check_writable(output)
            met = {value for value in self.inputs if may_overlap(output, value)}
            if not met <= {output} or any(may_overlap(output, other) for other in self.outputs[:i]):
                raise broken("call_c4", "an output is neither part of an input nor another output")


@irdl_op_definition
class LibraryCallOp(CallLikeOp):
    """Call the function ``callee`` of ``runtime/library``: it reads ``inputs``, fills ``outputs``.

    ``parameters`` are numbers that it gets behind them. All operands are dense.
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
        """
        for operand in self.operands:
            memref_bytes(operand.type)
        for output in self.outputs:
            check_writable(output)
            if sum(may_overlap(output, other) for other in self.operands) > 1:
                raise broken("library_call_c1", "an output overlaps no other operand")


CALLS = (CallOp, LibraryCallOp, CopyOp)
"""What a program does; all other ops say where data lies."""
