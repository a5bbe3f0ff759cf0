"""``hoist-slices``: rows that nothing reads are not multiplied.

A decoder hands out scores for each token of a prompt, of which the last ones alone count. If a
slice takes a few rows of a product, the slice of the factor is multiplied instead.
"""

from __future__ import annotations

from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.base import NNOp, ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.movement import ReshapeOp, SliceOp, is_weight
from autodeploy.dialects.nn.types import bounds_of, shape_of


class HoistSlicesPass(ModulePass):
    """Move slices above products, and above the ops between a product and its slice.

    The slice takes whole axes but one, and is the only user of each op that it moves above. Along
    that axis, each element of such an op depends on the elements at the same place alone.
    """

    name = "hoist-slices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, SliceOp):
                _hoist(inner)


def _hoist(slice_: SliceOp) -> None:
    """Move a slice upwards as long as there is a product above it."""
    axis = _axis_of(slice_)
    while axis is not None and _is_below_product(slice_.x, axis):
        op = cast(NNOp, slice_.x.owner)
        moved = _moved(op, slice_, axis)
        if moved is None:
            return
        new, below, axis = moved
        Rewriter.replace_op(slice_, [], [new.results[0]])
        Rewriter.erase_op(op)
        slice_ = below


def _axis_of(slice_: SliceOp) -> int | None:
    """Return the axis of which a slice takes less than half; ``None`` if it takes others, too."""
    shape, sizes = shape_of(slice_.x.type), shape_of(slice_.result.type)
    cut = [
        axis
        for axis, (extent, size) in enumerate(zip(shape, sizes, strict=True))
        if not are_same((ints(slice_.starts)[axis], size, ints(slice_.steps)[axis]), (0, extent, 1))
    ]
    bounds = bounds_of(slice_.x.type), bounds_of(slice_.result.type)
    return cut[0] if len(cut) == 1 and 2 * bounds[1][cut[0]] < bounds[0][cut[0]] else None


def _is_below_product(value: SSAValue, axis: int) -> bool:
    """Return whether a value is a product that no other op reads, or is computed of one alone."""
    op = value.owner
    if not isinstance(op, NNOp) or len(list(value.uses)) != 1:
        return False
    places = _places(op, axis)
    if len(places) != 1:
        return False
    ((index, own),) = places.items()
    return op.CONTRACTS or _is_below_product(op.operands[index], own)


def _places(op: NNOp, axis: int) -> dict[int, int]:
    """Return the operands that have elements along an axis of the result, and their axis there.

    None if an operand has them elsewhere, or is a constant.
    """
    if isinstance(op, ReshapeOp) and op.numbers:
        return {}
    found: dict[int, int] = {}
    for index, operand in enumerate(op.operands):
        reads = op.axis_reads(index)
        is_constant = isinstance(operand.owner, ConstantOp) or is_weight(operand)
        if reads is None and is_constant and op.CONTRACTS:
            continue  # it has the columns
        if reads is None:
            return {}
        own = [i for i, read in enumerate(reads) if read is not None and read.iterator == axis]
        if not own:
            continue
        read = reads[own[0]]
        if len(own) > 1 or read is None or read.inner != 1 or is_constant:
            return {}
        found[index] = own[0]
    return found


def _moved(op: NNOp, slice_: SliceOp, axis: int) -> tuple[Operation, SliceOp, int] | None:
    """Return an op on a slice of its operand, the slice, and its axis; ``None`` if there is none.

    They are inserted before the slice of the result.
    """
    ((index, own),) = _places(op, axis).items()
    operand = op.operands[index]
    shape = list(shape_of(operand.type))
    starts, steps = [0] * len(shape), [1] * len(shape)
    starts[own], steps[own] = ints(slice_.starts)[axis], ints(slice_.steps)[axis]
    shape[own] = shape_of(slice_.result.type)[axis]
    below = SliceOp(operand, starts, shape, steps)
    new = op.clone()
    new.operands[index] = below.result
    if isinstance(new, ReshapeOp):
        type_ = slice_.result.type
    else:
        try:
            type_ = new.infer_result_type()
        except VerifyException:
            return None
    if type_ != slice_.result.type:
        return None
    below.location = slice_.location
    Rewriter.replace_value_with_new_type(new.results[0], type_)
    Rewriter.insert_op([below, new], InsertPoint.before(slice_))
    new.results[0].name_hint = op.results[0].name_hint
    return new, below, own
