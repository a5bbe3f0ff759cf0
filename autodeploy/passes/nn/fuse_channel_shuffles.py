"""``fuse-channel-shuffles``: grouped convolutions read shuffled channels by index arithmetic.

A tile of such a convolution reads its image element by element, and each element once for all
pixels and channels of the tile. The index of an element takes a few integer operations. A core runs
them while it multiplies and adds. A kernel that copies the image first costs more.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.passes.fusion.kernels import form_kernel
from autodeploy.passes.nn.channel_shuffle import ChannelShuffle, channel_shuffle
from autodeploy.passes.nn.shuffled_operands import reads_single_channels


@dataclass(frozen=True)
class FuseChannelShufflesPass(ModulePass):
    """Put a channel shuffle into the kernels of the grouped convolutions that read its result.

    The convolutions are channels last and without padding. All readers of the result must be such
    kernels: if one needs the shuffled image in memory, the others can read it there.
    """

    name = "fuse-channel-shuffles"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the kernels of the module."""
        for end in [end for end in op.walk() if isinstance(end, ReshapeOp)]:
            rank = len(bounds_of(end.result.type))
            shuffle = channel_shuffle(end, rank - 1) if rank > 2 else None
            readers = {use.operation: None for use in end.result.uses}
            if shuffle is not None and all(_looks_for_channels(op, end) for op in readers):
                for kernel in readers:
                    Rewriter.replace_op(kernel, form_kernel([*shuffle.steps, kernel]))
                _erase(shuffle)


def _looks_for_channels(reader: Operation, end: ReshapeOp) -> bool:
    """Return whether a kernel reads only single channels of a value."""
    if not isinstance(reader, KernelOp) or len(reader.anchors) != 1:
        return False
    (conv,) = reader.anchors
    image = conv.operands[0]
    return (
        isinstance(image, BlockArgument)
        and image.has_one_use()
        and [i for i, value in enumerate(reader.inputs) if value is end.result] == [image.index]
        and conv.properties.get("layout") == CHANNELS_LAST
        and reads_single_channels(conv, image)
    )


def _erase(shuffle: ChannelShuffle) -> None:
    """Remove the movements outside of kernels that have no readers."""
    for step in reversed(shuffle.steps):
        if not step.result.uses:
            Rewriter.erase_op(step)
