"""``fold-groups-by-channel``: folds over groups of channels of an image become folds by channel.

A group normalisation reshapes an image [n, c, *space] to [n, groups, m], folds the last axis,
computes with the result, and reshapes back. Channels and space are one axis in between, so the
channels cannot be innermost there. Here all of it works on the image as it is: a fold goes over
space, and then over the channels of each group, of which there are few. Values of a group are
repeated for its channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.base import AnchorOp, NNOp
from autodeploy.dialects.nn.contraction import ConvolutionOp
from autodeploy.dialects.nn.control_flow import blocks_of
from autodeploy.dialects.nn.movement import ReshapeOp, repeated
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import bounds_of, largest_count, shape_of


class FoldGroupsByChannelPass(ModulePass):
    """Fold groups of channels without the reshape that joins the channels of a group.

    The image is the result of a convolution or a pool, or computed from such images: these get
    channels last. The ops on the groups are pointwise ops, folds, and the reshape back; otherwise
    nothing changes. Sums of floats are added in another order.
    """

    name = "fold-groups-by-channel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in list(blocks_of(op)):
            images = _images(block)
            for reshape in [o for o in block.ops if isinstance(o, ReshapeOp)]:
                if reshape.parent is block and _joins_groups(reshape, images):
                    groups = _Groups(bounds_of(reshape.x.type), bounds_of(reshape.result.type))
                    if groups.gather(reshape, images):
                        groups.rewrite(block)


def _images(block: Block) -> set[SSAValue]:
    """Return the values of a block that get channels last, as ``assign-layouts`` will find."""
    found: set[SSAValue] = set()
    for op in (o for o in block.ops if isinstance(o, NNOp)):
        wants = isinstance(op, AnchorOp) and op.WANTS_CHANNELS_LAST
        for result in op.results:
            rank = len(bounds_of(result.type))
            follows = any(
                value in found and len(bounds_of(value.type)) == rank
                for value in op.aligned_operands
            )
            if rank > 2 and (wants or isinstance(op, ConvolutionOp) or follows):
                found.add(result)
    return found


def _joins_groups(op: ReshapeOp, images: set[SSAValue]) -> bool:
    """Return whether an op reshapes an image [n, c, *space] to [n, groups, m]."""
    image, grouped = bounds_of(op.x.type), bounds_of(op.result.type)
    return (
        op.x in images
        and len(grouped) == 3
        and len(image) > 2
        and largest_count(op.x.type) > 0
        and grouped[0] == image[0]
        and image[1] % grouped[1] == 0
        and image != grouped
    )


@dataclass
class _Groups:
    """The ops that compute with groups of channels of images of one shape."""

    image: Sequence[int]
    grouped: Sequence[int]
    ops: dict[Operation, None] = field(default_factory=dict[Operation, None])
    images: dict[SSAValue, SSAValue | None] = field(
        default_factory=dict[SSAValue, "SSAValue | None"]
    )
    """The image that stands for each value of groups, once it is there."""
    repeated: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The values of each group, repeated for its channels."""

    def gather(self, first: ReshapeOp, images: set[SSAValue]) -> bool:
        """Find all ops that belong together; tell whether each can be computed by channel."""
        waiting: list[SSAValue] = [first.result]
        self.ops[first], self.images[first.result] = None, None
        while waiting:
            for use in waiting.pop().uses:
                user = use.operation
                if user in self.ops:
                    continue
                if user.parent is not first.parent or not self._is_known(user):
                    return False
                self.ops[user] = None
                made = [user.results[0]] if isinstance(user, PointwiseOp) else []
                for value in (*user.operands, *made):
                    if bounds_of(value.type) != self.grouped or value in self.images:
                        continue
                    owner = value.owner
                    if value not in made:
                        if not isinstance(owner, ReshapeOp) or not self._is_joined(owner, images):
                            return False
                        self.ops[owner] = None
                    self.images[value] = None
                    waiting.append(value)
        return any(isinstance(op, AnchorOp) for op in self.ops)

    def _is_joined(self, op: ReshapeOp, images: set[SSAValue]) -> bool:
        return bounds_of(op.x.type) == self.image and op.x in images

    def _is_known(self, op: Operation) -> bool:
        """Return whether an op that reads values of groups can be computed by channel."""
        match op:
            case ReshapeOp():
                return bounds_of(op.result.type) == self.image
            case AnchorOp():
                return tuple(op.folded_axes) == (2,) and op.folds_in_parts
            case PointwiseOp():
                shapes = [bounds_of(value.type) for value in op.operands]
                return bounds_of(op.results[0].type) == self.grouped and all(
                    shape == self.grouped or not shape or shape[-1] == 1 for shape in shapes
                )
            case _:
                return False

    def rewrite(self, block: Block) -> None:
        """Put ops on images in place of those on groups."""
        ops = sorted(self.ops, key=block.get_operation_index)
        for op in ops:
            match op:
                case ReshapeOp() if op.x in self.images:
                    op.result.replace_all_uses_with(self._image(op.x))
                case ReshapeOp():
                    self.images[op.result] = op.x
                case AnchorOp():
                    op.result.replace_all_uses_with(self._fold(op))
                case _:
                    self._compute(op)
        for op in reversed(ops):
            Rewriter.erase_op(op)

    def _image(self, value: SSAValue) -> SSAValue:
        image = self.images[value]
        assert image is not None  # ops stand in the order of the block
        return image

    def _fold(self, op: AnchorOp) -> SSAValue:
        """Fold over space, then over the channels of each group."""
        batch, groups, _ = shape_of(op.operands[0].type)
        space = range(2, len(self.image))
        found = self._insert(op.fold_of(self._image(op.operands[0]), space), op)
        apart = (batch, groups, self.image[1] // groups)
        if apart[2] > 1:
            found = self._insert(op.fold_of(self._insert(ReshapeOp(found, apart), op), [2]), op)
        return self._reshaped(found, shape_of(op.result.type), op)

    def _compute(self, op: Operation) -> None:
        assert isinstance(op, NNOp)
        new = op.clone()
        for index, value in enumerate(op.operands):
            full = value in self.images
            new.operands[index] = self._image(value) if full else self._of_channels(value, op)
        Rewriter.replace_value_with_new_type(new.result, new.infer_result_type())
        new.result.name_hint = op.result.name_hint
        self.images[op.result] = self._insert(new, op)

    def _of_channels(self, value: SSAValue, user: Operation) -> SSAValue:
        """Return what there is one of for each group once for each of its channels."""
        if largest_count(value.type) == 1 and len(bounds_of(value.type)) <= len(self.image):
            return value
        if value not in self.repeated:
            batch, groups, _ = (*(1,) * (3 - len(bounds_of(value.type))), *shape_of(value.type))
            ones, each = (1,) * (len(self.image) - 2), self.image[1] // self.grouped[1]
            found = value
            if groups > 1 and each > 1:
                found = self._reshaped(found, (batch, groups, 1), user)
                found = self._insert(repeated(found, (batch, groups, each)), user)
            channels = prod(shape_of(found.type)) // batch
            self.repeated[value] = self._reshaped(found, (batch, channels, *ones), user)
        return self.repeated[value]

    def _reshaped(self, value: SSAValue, shape: Sequence[int], user: Operation) -> SSAValue:
        if are_same(shape_of(value.type), shape):
            return value
        return self._insert(ReshapeOp(value, shape), user)

    def _insert(self, new: NNOp, before: Operation) -> SSAValue:
        new.location = before.location
        Rewriter.insert_op(new, InsertPoint.before(before))
        return new.results[0]
