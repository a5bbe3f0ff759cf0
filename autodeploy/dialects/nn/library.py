"""``nn.library_call``: what is no loop nest, such as sorting, is a C function of the library."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.base import CONSTANT_ARRAY, i64_array, ints
from autodeploy.dialects.nn.kernel import CallLikeOp
from autodeploy.dialects.nn.types import bounds_of

_EMPTY = DenseArrayBase.from_list(i64, [])


class _Effects(MemoryEffect):
    """A call that checks its inputs stays, whether its results are used or not."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        checks = isinstance(op, LibraryCallOp) and op.checks is not None
        return {EffectInstance(MemoryEffectKind.WRITE)} if checks else set()


@irdl_op_definition
class LibraryCallOp(CallLikeOp):
    """Call the function ``callee`` of ``runtime/library`` on dense tensors.

    It reads the inputs and computes the outputs from them and from ``parameters`` alone. With
    ``checks`` it may refuse what it finds in the inputs: the program then ends with an error. An
    output that nothing reads may be what the function works in. With ``rows`` the function reads
    numbers of rows from the buffers, and the first output has as many as an input: a run may have
    fewer of any.

    With ``strided`` the function reads extents and strides of these two from their buffers: axes
    but the innermost are the same, so that a run may have fewer elements along any of them, and
    along the innermost of the input; along that of the output, too, where both have as many.

    With ``sized`` the function reads extents and strides of its first input alone. A run may have
    fewer elements of that one along any axis.
    """

    name = "nn.library_call"

    callee = prop_def(StringAttr)
    parameters = prop_def(CONSTANT_ARRAY, default_value=_EMPTY)
    checks = opt_prop_def(UnitAttr)
    rows = opt_prop_def(UnitAttr)
    strided = opt_prop_def(UnitAttr)
    sized = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(_Effects())
    assembly_format = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)"

    def __init__(
        self,
        callee: str,
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        parameters: Sequence[int] = (),
        *,
        checks: bool = False,
        rows: bool = False,
        strided: bool = False,
        sized: bool = False,
    ):
        super().__init__(
            operands=[inputs],
            result_types=[result_types],
            properties={
                "callee": StringAttr(callee),
                "parameters": i64_array(parameters),
                **({"checks": UnitAttr()} if checks else {}),
                **({"rows": UnitAttr()} if rows else {}),
                **({"strided": UnitAttr()} if strided else {}),
                **({"sized": UnitAttr()} if sized else {}),
            },
        )

    @property
    def numbers(self) -> tuple[int, ...]:
        """The parameters."""
        return ints(self.parameters)

    def verify_(self) -> None:
        """Check that all extents are known, and the constraints.

        - (library_call_rows_c1) with ``rows`` an input and the first output have as many
        - (library_call_rows_c2) with ``strided`` these two have the same axes but the innermost
        """
        shapes = [[*map(_shape, values)] for values in (self.inputs, self.outputs)]
        inputs, outputs = ([shape[:1] for shape in listed] for listed in shapes)
        if self.rows is not None and (not outputs or not outputs[0] or outputs[0] not in inputs):
            raise invalid("library_call_rows_c1", "no input has as many rows as the first output")
        outer = [listed[0][:-1] if listed and listed[0] else None for listed in shapes]
        if self.strided is not None and (outer[0] is None or outer[0] != outer[1]):
            raise invalid("library_call_rows_c2", "outer axes of the first input and output differ")


def _shape(value: SSAValue) -> tuple[int, ...]:
    return bounds_of(value.type)


def goes_by_rows(op: Operation) -> bool:
    """Return whether an op calls what may have fewer rows than its types say."""
    return isinstance(op, LibraryCallOp) and op.rows is not None


def goes_by_strides(op: Operation) -> bool:
    """Return whether an op calls what may have fewer elements along any axis than its types say."""
    return isinstance(op, LibraryCallOp) and op.strided is not None


def goes_by_size(op: Operation) -> bool:
    """Return whether an op calls a function that reads the size of its first input alone."""
    return isinstance(op, LibraryCallOp) and op.sized is not None
