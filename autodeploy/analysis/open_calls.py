"""The open axes of what functions of the library make: by rows, or by strides of their buffers."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.nn.growth import CONSTANT
from autodeploy.dialects.nn.library import goes_by_rows, goes_by_strides
from autodeploy.dialects.nn.open_extent import Axes, OpenExtentAttr, constant_axes
from autodeploy.dialects.nn.types import shape_of


def is_open_call(op: Operation) -> bool:
    """Tell whether an op calls a function that takes an open axis."""
    return goes_by_rows(op) or goes_by_strides(op)


def called_axes(
    op: Operation, of: Callable[[SSAValue], Axes], extent: OpenExtentAttr | None
) -> Axes | str:
    """Return how the axes of the first result grow, or why the call cannot have an open one.

    Rows of the first result follow from those of the first operand, and no others do. A function
    that goes by strides takes any axis; along the innermost one the result is open where it has as
    many elements as the operand.
    """
    first, *others = op.operands
    axes, result = of(first), op.results[0]
    by_rows = goes_by_rows(op)
    if (by_rows and any(axes[1:])) or any(any(of(value)) for value in others):
        return "it reads several places along it"
    if by_rows:
        return (axes[0], *constant_axes(len(shape_of(result.type)) - 1))
    *outer, inner = axes
    count, most = shape_of(result.type)[-1], shape_of(first.type)[-1]
    least = 0 if not inner else inner.at(1) if extent is None else extent.least(inner)
    if inner and count != most and count > least:
        return f"it takes {count} elements along it, where a run may have {least}"
    return (*outer, inner if count == most else CONSTANT)
