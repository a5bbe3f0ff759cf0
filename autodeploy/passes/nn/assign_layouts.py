"""``assign-layouts``: channels last inside, transposes only where the outside needs them.

Convolutions and pools are turned to channels last, where a vector of channels is contiguous. Every
value then may have a twin in the other order; ops that do not care (pointwise ops, concats, slices,
reductions …) work on the twins of their operands. A transpose back is made only for a use that has
no form in the other order, and once; ``simplify-nn`` removes those that meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.base import NNOp, i64_array, ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.layout import (
    CHANNELS_FIRST,
    CHANNELS_LAST,
    FIRST_TO_LAST,
    KERNEL_IN_OUT,
    OUT_IN_KERNEL,
)
from autodeploy.dialects.nn.lookup import GatherElementsOp, GatherOp
from autodeploy.dialects.nn.movement import (
    ConcatOp,
    PadOp,
    ReshapeOp,
    SliceOp,
    TransposeOp,
    is_weight,
)
from autodeploy.dialects.nn.normalisation import LrnOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, BatchNormOp, ReduceOp, SoftmaxOp
from autodeploy.dialects.nn.resampling import ResizeOp
from autodeploy.dialects.nn.scan import CumSumOp
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import element_count, element_of, shape_of, tensor
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.passes.nn.channel_shuffle import ChannelShuffle, channel_shuffle

MAX_PLANES = 4
"""A convolution of so many channels or fewer reads the planes of a channels-first image."""

MIN_ROW = 16
"""Elements of a row of such an image: fewer are no vector either."""


def to_last(rank: int) -> tuple[int, ...]:
    """Return the permutation from N C … to N … C."""
    return (0, *range(2, rank), 1)


def to_first(rank: int) -> tuple[int, ...]:
    """Return the permutation from N … C to N C …."""
    return (0, rank - 1, *range(1, rank - 1))


@dataclass
class _Layouts:
    """The twins that exist while the ops of one block are walked in order."""

    twins: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Channels-last twin of a channels-first value."""
    pending: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """Values whose defining op is gone: whoever still uses one takes the transpose of its twin."""

    def last(self, value: SSAValue, user: Operation) -> SSAValue:
        """Return the twin of a value; it is made before ``user`` where there is none."""
        if value not in self.twins:
            twin = TransposeOp(value, to_last(len(shape_of(value.type))))
            _insert(twin, user)
            self.twins[value] = twin.result
        return self.twins[value]

    def replace(self, op: NNOp, new: NNOp) -> None:
        """Let ``new`` compute the twin of the result of ``op``."""
        new.location = op.location
        new.result.name_hint = op.result.name_hint
        _insert(new, op)
        self.twins[op.result] = new.result
        self.pending[op.result] = None


@dataclass(frozen=True)
class AssignLayoutsPass(ModulePass):
    """Turn convolutions, pools and what lies between them to channels last.

    Constant right-hand sides of matrix products are laid out with the columns innermost. The
    transposes of constants that this makes are left to fold-nn-constants.
    """

    name = "assign-layouts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function of the module."""
        for func in op.walk():
            if isinstance(func, FuncOp) and not func.is_declaration:
                for block in func.body.blocks:
                    _assign(block)


def _assign(block: Block) -> None:
    layouts = _Layouts()
    for op in list(block.ops):
        match op:
            case ConvOp() | ConvTransposeOp() if (
                op.layout == CHANNELS_FIRST and op.filter_layout == OUT_IN_KERNEL
            ):
                _turn_conv(op, layouts)
            case PoolOp() if op.layout == CHANNELS_FIRST:
                new = op.clone({op.x: layouts.last(op.x, op)})
                new.layout = CHANNELS_LAST
                _retype(new)
                layouts.replace(op, new)
            case MatMulOp():
                _turn_right_side(op)
            case ReshapeOp() if (shuffle := channel_shuffle(op)) and shuffle.x in layouts.twins:
                _turn_shuffle(op, shuffle, layouts)
            case NNOp() if any(value in layouts.twins for value in op.operands):
                _turn_other(op, layouts)
            case _:
                pass
    _settle(layouts)


def _turn_conv(op: ConvOp | ConvTransposeOp, layouts: _Layouts) -> None:
    rank = len(shape_of(op.filter.type))
    planes = _reads_planes(op, layouts)
    turned = TransposeOp(op.filter, (*range(2, rank), 1, 0))
    _insert(turned, op)
    new = op.clone()
    # One by one: image and filter may be the same value.
    new.operands[0] = op.x if planes else layouts.last(op.x, op)
    new.operands[1] = turned.result
    new.layout = FIRST_TO_LAST if planes else CHANNELS_LAST
    new.filter_layout = KERNEL_IN_OUT
    _retype(new)
    layouts.replace(op, new)


def _reads_planes(op: ConvOp | ConvTransposeOp, layouts: _Layouts) -> bool:
    """Tell whether a convolution reads a channels-first image as it is, plane by plane.

    A few channels make no vector, wherever they stand; rows of a plane are contiguous, and no
    transpose is needed. That of a single channel is a view.
    """
    shape = shape_of(op.x.type)
    return (
        isinstance(op, ConvOp)
        and op.groups.value.data == 1
        and 1 < shape[1] <= MAX_PLANES
        and shape[-1] >= MIN_ROW
        and op.x not in layouts.twins
    )


def _turn_right_side(op: MatMulOp) -> None:
    """A product reads the columns of its right-hand side as vectors: make them contiguous."""
    if op.transpose_rhs and is_weight(op.rhs):
        rank = len(shape_of(op.rhs.type))
        turned = TransposeOp(op.rhs, (*range(rank - 2), rank - 1, rank - 2))
        _insert(turned, op)
        new = MatMulOp(
            op.lhs,
            turned.result,
            op.bias,
            transpose_lhs=bool(op.transpose_lhs),
            activation=op.activation,
        )
        new.location = op.location
        Rewriter.replace_op(op, new)


def _turn_other(op: NNOp, layouts: _Layouts) -> None:
    """Turn an op of which at least one operand has a twin, if it has a form in the other order."""
    match op:
        case PointwiseOp():
            _turn_pointwise(op, layouts)
        case BatchNormOp() | LrnOp() if op.layout == CHANNELS_FIRST and op.x in layouts.twins:
            new = op.clone({op.x: layouts.twins[op.x]})
            new.layout = CHANNELS_LAST
            _retype(new)
            layouts.replace(op, new)
        case SoftmaxOp():
            axis = _moved(op.x, op.axis.value.data)
            layouts.replace(op, SoftmaxOp(layouts.twins[op.x], axis))
        case CumSumOp():
            axis = _moved(op.x, op.axis.value.data)
            summed = CumSumOp(layouts.twins[op.x], axis, bool(op.exclusive), bool(op.reverse))
            layouts.replace(op, summed)
        case ResizeOp():
            _turn_resize(op, layouts)
        case GatherOp() | GatherElementsOp() if op.x in layouts.twins:
            _turn_lookup(op, layouts)
        case ConcatOp():
            _turn_concat(op, layouts)
        case SliceOp():
            order = to_last(len(shape_of(op.x.type)))
            starts, sizes, steps = (
                [ints(values)[axis] for axis in order] for values in (op.starts, op.sizes, op.steps)
            )
            layouts.replace(op, SliceOp(layouts.twins[op.x], starts, sizes, steps))
        case PadOp():
            order, pads = to_last(len(shape_of(op.x.type))), ints(op.pads)
            moved = [pads[axis + side * len(order)] for side in (0, 1) for axis in order]
            padded = PadOp(layouts.twins[op.x], moved, op.value.value.data, op.mode.data)
            layouts.replace(op, padded)
        case ReduceOp() | ArgReduceOp():
            _turn_reduce(op, layouts)
        case TransposeOp():
            twin = layouts.twins[op.x]
            permutation = [_moved(op.x, axis) for axis in ints(op.permutation)]
            _become(op, TransposeOp(twin, permutation))
        case ReshapeOp():
            _turn_reshape(op, layouts)
        case _:
            pass


def _turn_pointwise(op: PointwiseOp, layouts: _Layouts) -> None:
    """All operands have the result's rank, hold one element, or are brought to that rank."""
    shape = shape_of(op.result.type)
    if not any(v in layouts.twins and shape_of(v.type) == shape for v in op.operands):
        return
    operands: dict[SSAValue, SSAValue] = {}
    for value in op.operands:
        if value in layouts.twins and len(shape_of(value.type)) == len(shape):
            operands[value] = layouts.twins[value]
        elif element_count(value.type) == 1 and len(shape_of(value.type)) <= len(shape):
            operands[value] = value
        else:
            wide = value
            missing = len(shape) - len(shape_of(value.type))
            if missing:
                reshape = ReshapeOp(value, (*(1,) * missing, *shape_of(value.type)))
                _insert(reshape, op)
                wide = reshape.result
            operands[value] = layouts.last(wide, op)
    new = op.clone(operands)
    _turn_result(new, op)
    layouts.replace(op, new)


def _turn_concat(op: ConcatOp, layouts: _Layouts) -> None:
    inputs = [layouts.last(value, op) for value in op.inputs]
    layouts.replace(op, ConcatOp(inputs, _moved(op.inputs[0], op.axis.value.data)))


def _turn_resize(op: ResizeOp, layouts: _Layouts) -> None:
    shape = shape_of(op.result.type)
    new = op.clone({op.x: layouts.twins[op.x]})
    for name in ("numerators", "offsets", "denominators"):
        values = ints(getattr(op, name))
        setattr(new, name, i64_array([values[axis] for axis in to_last(len(shape))]))
    _turn_result(new, op)
    layouts.replace(op, new)


def _turn_lookup(op: GatherOp | GatherElementsOp, layouts: _Layouts) -> None:
    """A list of indices leaves the other axes where they are; a single one drops its axis."""
    twin, axis = layouts.twins[op.x], _moved(op.x, op.axis.value.data)
    if isinstance(op, GatherElementsOp):
        layouts.replace(op, GatherElementsOp(twin, layouts.last(op.indices, op), axis))
    elif len(shape_of(op.indices.type)) == 1:
        layouts.replace(op, GatherOp(twin, op.indices, axis))
    elif not shape_of(op.indices.type) and op.axis.value.data == 1:
        _become(op, GatherOp(twin, op.indices, axis))


def _turn_reduce(op: ReduceOp | ArgReduceOp, layouts: _Layouts) -> None:
    """Without the reduced axes the twin may be a plain value again, if the others keep order."""
    rank, twin = len(shape_of(op.x.type)), layouts.twins[op.x]
    axes = ints(op.axes) if isinstance(op, ReduceOp) else (op.axis.value.data,)
    moved = [_moved(op.x, axis) for axis in axes]
    kept = [_moved(op.x, axis) for axis in range(rank) if axis not in axes]
    if not op.keepdims and kept != sorted(kept):
        return
    if isinstance(op, ReduceOp):
        new = ReduceOp(twin, op.kind.data, moved, bool(op.keepdims))
    else:
        kind, last = op.kind.data, bool(op.select_last)
        new = ArgReduceOp(twin, kind, moved[0], bool(op.keepdims), last)
    if op.keepdims:
        layouts.replace(op, new)
    else:
        _become(op, new)


def _turn_reshape(op: ReshapeOp, layouts: _Layouts) -> None:
    """A reshape reads elements in order: free where both orders agree, else see the products.

    Both orders agree where there is one channel or one place. Where the reshape flattens an image
    for matrix products with constant right-hand sides alone, their rows are permuted instead.
    """
    shape, twin = shape_of(op.x.type), layouts.twins[op.x]
    if shape[1] == 1 or all(extent == 1 for extent in shape[2:]):
        _become(op, ReshapeOp(twin, shape_of(op.result.type)))
        return
    users = [use.operation for use in op.result.uses]
    flat = (shape[0], element_count(op.x.type) // shape[0]) if shape[0] else ()
    if shape_of(op.result.type) != flat or not users:
        return
    for user in users:
        if not (
            isinstance(user, MatMulOp)
            and user.lhs is op.result
            and user.rhs is not op.result
            and user.bias is not op.result
            and not user.transpose_lhs
            and isinstance(user.rhs.owner, ConstantOp)
            and len(shape_of(user.rhs.type)) == 2
        ):
            return
    for user in users:
        assert isinstance(user, MatMulOp)
        _permute_rows(user, shape)
    _become(op, ReshapeOp(twin, flat))


def _turn_shuffle(op: ReshapeOp, shuffle: ChannelShuffle, layouts: _Layouts) -> None:
    """Shuffle the channels where they are, innermost."""
    twin = layouts.twins[shuffle.x]
    *steps, together = shuffle.shuffle.of(twin, len(shape_of(twin.type)) - 1)
    for step in steps:
        _insert(step, op)
    layouts.replace(op, together)


def _permute_rows(product: MatMulOp, image: Sequence[int]) -> None:
    """Order the inner axis of a constant right-hand side as a channels-last image lies."""
    shape = shape_of(product.rhs.type)
    inner = tuple(image[1:])
    last = (*range(1, len(inner)), 0)
    if product.transpose_rhs:
        split, order = (shape[0], *inner), (0, *(axis + 1 for axis in last))
    else:
        split, order = (*inner, shape[1]), (*last, len(inner))
    apart = ReshapeOp(product.rhs, split)
    turned = TransposeOp(apart.result, order)
    together = ReshapeOp(turned.result, shape)
    for step in (apart, turned, together):
        _insert(step, product)
    product.operands[1] = together.result


def _settle(layouts: _Layouts) -> None:
    """Give what still uses a value of the old order the transpose of its twin; drop the ops."""
    for old in reversed(layouts.pending):
        owner = old.owner
        assert isinstance(owner, Operation)
        if old.uses:
            twin = layouts.twins[old]
            back = TransposeOp(twin, to_first(len(shape_of(twin.type))))
            _insert(back, owner)
            old.replace_all_uses_with(back.result)
        owner.detach()
        owner.erase()


def _moved(value: SSAValue, axis: int) -> int:
    """Return where an axis of a channels-first value stands in its twin."""
    return to_last(len(shape_of(value.type))).index(axis)


def _become(op: NNOp, new: NNOp) -> None:
    """Let ``new`` take the place of ``op``."""
    new.location = op.location
    Rewriter.replace_op(op, new)


def _insert(new: Operation, before: Operation) -> None:
    Rewriter.insert_op(new, InsertPoint.before(before))


def _turn_result(new: NNOp, op: NNOp) -> None:
    """Give a copy of ``op`` the type of the twin of its result."""
    shape = shape_of(op.result.type)
    turned = tensor(element_of(op.result.type), [shape[axis] for axis in to_last(len(shape))])
    Rewriter.replace_value_with_new_type(new.result, turned)


def _retype(op: NNOp) -> None:
    """Set the result type that follows from the new operands and properties."""
    Rewriter.replace_value_with_new_type(op.result, op.infer_result_type())
