"""``assign-layouts``: channels last inside, transposes only where the outside needs them.

Convolutions and pools get channels last, where a vector of channels is contiguous. Every value then
may have a copy in the other order. If one operand of an op has such a copy, the op is
computed on the copies of its operands, if it has a form in that order (``nn.axes``). Only for a use
without such a form there is a transpose back, one for all such uses; ``simplify-nn`` removes
transposes that cancel. A transpose to channels first sinks below a pointwise op that alone reads
it: the op is then adjacent to the producer of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import BoolAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.axes import permuted_form, to_first, to_last
from autodeploy.dialects.nn.base import AnchorOp, NNOp, ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvolutionOp, MatMulOp
from autodeploy.dialects.nn.control_flow import blocks_of
from autodeploy.dialects.nn.layout import CHANNELS_FIRST, CHANNELS_LAST, FIRST_TO_LAST
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp, is_weight
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.tiled import kernel_in_out
from autodeploy.dialects.nn.types import bounds_of, largest_count, shape_of
from autodeploy.passes.nn.channel_shuffle import ChannelShuffle, channel_shuffle

MAX_PLANES = 4
"""The most channels of a channels-first image that a convolution reads plane by plane."""

MIN_ROW = 16
"""The fewest elements of a row of such an image: a shorter row fills no vector."""


@dataclass
class _Layouts:
    """The channels-last copies that exist while the ops of one block are walked in order."""

    copies: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The channels-last copy of a channels-first value."""
    replaced: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """Values that only their copies compute; other readers take the transpose of the copy."""

    def last(self, value: SSAValue, user: Operation) -> SSAValue:
        """Return the copy of a value, which is inserted before ``user`` where there is none."""
        if value not in self.copies:
            transpose = TransposeOp(value, to_last(len(bounds_of(value.type))))
            _insert(transpose, user)
            self.copies[value] = transpose.result
        return self.copies[value]

    def replace(self, op: NNOp, new: NNOp) -> None:
        """Let ``new`` compute the copy of the result of ``op``."""
        new.location = op.location
        new.result.name_hint = op.result.name_hint
        _insert(new, op)
        self.copies[op.result] = new.result
        self.replaced[op.result] = None


class AssignLayoutsPass(ModulePass):
    """Give convolutions, pools and the ops between them channels last.

    Constant right-hand sides of matrix products are laid out with the columns innermost. The
    transposes of constants that this makes are left to fold-nn-constants.
    """

    name = "assign-layouts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in list(blocks_of(op)):
            _assign(block)


def _assign(block: Block) -> None:
    layouts = _Layouts()
    for op in [op for op in block.ops if isinstance(op, NNOp)]:
        match op:
            case ConvolutionOp() if op.layout == CHANNELS_FIRST and (
                op.filter_layout is None and op.winograd is None
            ):
                _convolve(op, layouts)
            case MatMulOp():
                _lay_out_right_side(op)
            case ReshapeOp() if (shuffle := channel_shuffle(op)) and shuffle.x in layouts.copies:
                _shuffle(op, shuffle, layouts)
            case ReshapeOp() if op.is_view and op.x in layouts.copies:
                _reshape(op, layouts)
            case TransposeOp() if op.x in layouts.copies:
                order = to_last(len(bounds_of(op.x.type)))
                permutation = [order.index(axis) for axis in ints(op.permutation)]
                _become(op, TransposeOp(layouts.copies[op.x], permutation))
            case AnchorOp() if op.WANTS_CHANNELS_LAST:
                _follow(op, layouts)
            case _ if any(_is_whole(op, v) and v in layouts.copies for v in op.aligned_operands):
                _follow(op, layouts)
            case PointwiseOp() if _sinks(op, layouts):
                _follow(op, layouts)
            case _:
                pass
    _transpose_back(layouts)


def _is_whole(op: NNOp, value: SSAValue) -> bool:
    """Return whether an op reads an operand as it is, not broadcast to the shape of its result."""
    return not isinstance(op, PointwiseOp) or bounds_of(value.type) == bounds_of(op.result.type)


def _sinks(op: PointwiseOp, layouts: _Layouts) -> bool:
    """Return whether a transpose to channels first may follow a pointwise op instead of leading it.

    The op has all uses of it, and no other operand has to be transposed for that at run time.
    """
    permuted = {value for value in op.aligned_operands if _is_transposed(value)}
    return (
        any(_is_whole(op, value) for value in permuted)
        and all(use.operation is op for value in permuted for use in value.uses)
        and all(
            value in permuted
            or value in layouts.copies
            or largest_count(value.type) == 1
            or is_weight(value)
            for value in op.aligned_operands
        )
    )


def _is_transposed(value: SSAValue) -> bool:
    """Return whether a value is a transpose that brings channels from the last place to the first.

    A few of them may be read plane by plane.
    """
    owner, shape = value.owner, bounds_of(value.type)
    return (
        isinstance(owner, TransposeOp)
        and len(shape) > 2
        and shape[1] > MAX_PLANES
        and ints(owner.permutation) == to_first(len(shape))
    )


def _follow(op: NNOp, layouts: _Layouts) -> None:
    """Compute an op on the copies of its operands, if it has a form in their order.

    Then its result is such a copy. If the op drops axes and the others keep their order, the
    result is the value itself.
    """
    rank = max(len(bounds_of(value.type)) for value in op.aligned_operands)
    form = permuted_form(op, to_last(rank))
    if form is None or (len(form.order) < rank and not form.keeps_result):
        return
    new = form.on([_copy(value, rank, op, layouts) for value in op.aligned_operands])
    if len(form.order) < rank:
        _become(op, new)
    else:
        layouts.replace(op, new)


def _copy(value: SSAValue, rank: int, user: NNOp, layouts: _Layouts) -> SSAValue:
    """Return the copy of an operand, which is brought to the rank of the others first.

    A single element is the same in any order.
    """
    shape = bounds_of(value.type)
    if len(shape) == rank and value in layouts.copies:
        return layouts.copies[value]
    if largest_count(value.type) == 1:
        return value
    if len(shape) < rank:
        reshape = ReshapeOp(value, (*(1,) * (rank - len(shape)), *shape_of(value.type)))
        _insert(reshape, user)
        value = reshape.result
    return layouts.last(value, user)


def _convolve(op: ConvolutionOp, layouts: _Layouts) -> None:
    rank = len(bounds_of(op.filter.type))
    planes = _reads_planes(op, layouts)
    transpose = TransposeOp(op.filter, (*range(2, rank), 1, 0))
    _insert(transpose, op)
    new = op.clone()
    # One by one: image and filter may be the same value.
    new.operands[0] = op.x if planes else layouts.last(op.x, op)
    new.operands[1] = transpose.result
    new.layout = FIRST_TO_LAST if planes else CHANNELS_LAST
    new.filter_layout = kernel_in_out(rank)
    Rewriter.replace_value_with_new_type(new.result, new.infer_result_type())
    layouts.replace(op, new)


def _reads_planes(op: ConvolutionOp, layouts: _Layouts) -> bool:
    """Return whether a convolution reads a channels-first image as it is, plane by plane.

    A few channels make no vector in any order; rows of a plane are contiguous, and no
    transpose is needed. The transpose of a single channel is a view.
    """
    shape = bounds_of(op.x.type)
    return (
        op.READS_PLANES
        and op.groups.value.data == 1
        and 1 < shape[1] <= MAX_PLANES
        and shape[-1] >= MIN_ROW
        and op.x not in layouts.copies
    )


def _lay_out_right_side(op: MatMulOp) -> None:
    """Make the columns of a right-hand side contiguous, which a product reads as vectors."""
    if op.transpose_rhs and is_weight(op.rhs):
        rank = len(bounds_of(op.rhs.type))
        transpose = TransposeOp(op.rhs, (*range(rank - 2), rank - 1, rank - 2))
        _insert(transpose, op)
        op.operands[1] = transpose.result
        op.transpose_rhs = BoolAttr.from_bool(False)


def _reshape(op: ReshapeOp, layouts: _Layouts) -> None:
    """Reshape the copy where that gives the same elements in the same order, or permute weights.

    Both orders agree where there is one channel or one place. If only matrix products with
    constant right-hand sides read a flattened image, the rows of these are permuted instead.
    """
    shape, copy = bounds_of(op.x.type), layouts.copies[op.x]
    if shape[1] == 1 or all(extent == 1 for extent in shape[2:]):
        _become(op, ReshapeOp(copy, shape_of(op.result.type)))
        return
    users = [use.operation for use in op.result.uses]
    flat = (shape_of(op.x.type)[0], prod(shape_of(op.x.type)[1:]))
    if not are_same(shape_of(op.result.type), flat) or not users:
        return
    for user in users:
        if not (
            isinstance(user, MatMulOp)
            and user.lhs is op.result
            and user.rhs is not op.result
            and user.bias is not op.result
            and not user.transpose_lhs
            and isinstance(user.rhs.owner, ConstantOp)
            and len(bounds_of(user.rhs.type)) == 2
        ):
            return
    for user in users:
        assert isinstance(user, MatMulOp)
        _permute_rows(user, shape)
    _become(op, ReshapeOp(copy, flat))


def _shuffle(op: ReshapeOp, shuffle: ChannelShuffle, layouts: _Layouts) -> None:
    """Shuffle the channels where they are, innermost."""
    copy = layouts.copies[shuffle.x]
    *steps, together = shuffle.last(copy)
    for step in steps:
        _insert(step, op)
    layouts.replace(op, together)


def _permute_rows(product: MatMulOp, image: Sequence[int]) -> None:
    """Order the inner axis of a constant right-hand side like a channels-last image."""
    shape = bounds_of(product.rhs.type)
    inner = tuple(image[1:])
    last = (*range(1, len(inner)), 0)
    if product.transpose_rhs:
        split, order = (shape[0], *inner), (0, *(axis + 1 for axis in last))
    else:
        split, order = (*inner, shape[1]), (*last, len(inner))
    apart = ReshapeOp(product.rhs, split)
    transpose = TransposeOp(apart.result, order)
    together = ReshapeOp(transpose.result, shape)
    for step in (apart, transpose, together):
        _insert(step, product)
    product.operands[1] = together.result


def _transpose_back(layouts: _Layouts) -> None:
    """Give what still reads a replaced value the transpose of its copy; drop the replaced ops."""
    for old in reversed(layouts.replaced):
        owner = old.owner
        assert isinstance(owner, Operation)
        if old.uses:
            copy = layouts.copies[old]
            back = TransposeOp(copy, to_first(len(bounds_of(copy.type))))
            _insert(back, owner)
            old.replace_all_uses_with(back.result)
        owner.detach()
        owner.erase()


def _become(op: NNOp, new: NNOp) -> None:
    """Let ``new`` take the place of ``op``."""
    new.location = op.location
    Rewriter.replace_op(op, new)


def _insert(new: Operation, before: Operation) -> None:
    Rewriter.insert_op(new, InsertPoint.before(before))
