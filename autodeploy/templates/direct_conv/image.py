"""How a convolution reads its image and its filter."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument, SSAValue

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp
from autodeploy.dialects.halide.expression import AddOp, ConstOp, MulOp
from autodeploy.templates.runs import RUN
from autodeploy.templates.view import PipelineView


def image_load(view: PipelineView, conv: FuncOp) -> LoadOp:
    """Return what reads an element of the image."""
    (update,) = view.updates[conv]
    loads = (op for op in update.body.walk() if isinstance(op, LoadOp))
    return next(op for op in loads if op.source is not conv.result)


def filter_load(view: PipelineView, conv: FuncOp) -> LoadOp:
    """Return what reads an element of the filter."""
    (update,) = view.updates[conv]
    known = conv.result, image_load(view, conv).source
    loads = (op for op in update.body.walk() if isinstance(op, LoadOp))
    return next(op for op in loads if op.source not in known)


def rows_read(view: PipelineView, conv: FuncOp, rows: int) -> int | None:
    """Return how many rows of the kept image ``rows`` rows of the result read, if that is known."""
    (update,), row = view.updates[conv], view.output.var_names[2]
    load = image_load(view, conv)
    if not isinstance(load.source.owner, FuncOp) or row not in load.source.owner.var_names:
        return None
    index = load.indices[load.source.owner.var_names.index(row)]
    sizes = {row: rows} | {
        name: extent
        for name, extent in zip(conv.var_names, conv.known_extents, strict=True)
        if name.endswith(RUN)
    }
    last = [sizes.get(name, 1) - 1 for name in update.var_names]
    last += [extent - 1 for _, _, extent in update.rdom]
    places = _sum_of(index, [0] * len(last)), _sum_of(index, last)
    return None if None in places else (places[1] or 0) - (places[0] or 0) + 1


def _sum_of(value: SSAValue, arguments: Sequence[int]) -> int | None:
    """Return the number that an index is, if it is made of sums and products of arguments."""
    if isinstance(value, BlockArgument):
        return arguments[value.index]
    if isinstance(value.owner, ConstOp):
        return int(value.owner.value.value.data)
    if not isinstance(value.owner, AddOp | MulOp):
        return None
    lhs, rhs = (_sum_of(operand, arguments) for operand in value.owner.operands)
    if lhs is None or rhs is None:
        return None
    return lhs + rhs if isinstance(value.owner, AddOp) else lhs * rhs
