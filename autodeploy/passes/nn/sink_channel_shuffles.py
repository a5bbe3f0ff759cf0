"""``sink-channel-shuffles``: shuffles move to where they cost nothing.

A value whose channels are shuffled has an unshuffled form. An op that treats all channels alike, or
by constants, is computed on the unshuffled forms of its operands, and makes that of its result. One
that sums over all channels reads the unshuffled form and permutes its weights. A shuffle before a
grouped convolution stays, as the convolution reads its image by single elements. Several
consecutive shuffles become one.

A value stays as it is where one of its readers needs the shuffled order: nothing would be gained
there. That is decided before anything is changed, from the readers backwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.control_flow import blocks_of
from autodeploy.passes.nn.channel_shuffle import ChannelShuffle, Shuffle, channel_shuffle
from autodeploy.passes.nn.shuffled_operands import (
    CHANNELS,
    in_old_order,
    reads_single_channels,
    result_shuffle,
    sums_channels,
    with_weights_permuted,
)


@dataclass(frozen=True)
class SinkChannelShufflesPass(ModulePass):
    """Move channel shuffles through the graph to where they cost nothing.

    A shuffle moves after depthwise convolutions, pools, batch normalisations, pointwise ops and
    movements of other axes. It goes away before a convolution over all channels, or a matrix
    product, with constant weights, and where it meets the one that undoes it; two that meet are
    one. It stays before a grouped convolution without padding, which fuse-channel-shuffles
    takes it into. If a reader takes none of this, the shuffle is not moved up to there. The
    movements of constants are left to fold-nn-constants.
    """

    name = "sink-channel-shuffles"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function of the module, and the loops and choices there."""
        for block in list(blocks_of(op)):
            _sink(block)


@dataclass
class _Shuffles:
    """Which values of a block can be had unshuffled, and how each of them is shuffled."""

    ends: dict[SSAValue, ChannelShuffle]
    """The shuffles that the block has, by their results."""
    starts: dict[Operation, SSAValue]
    """The result of a shuffle by the first of its movements."""
    found: dict[SSAValue, Shuffle] = field(default_factory=dict[SSAValue, Shuffle])

    @staticmethod
    def of(block: Block) -> _Shuffles:
        """Return those whose readers can all do with the old order."""
        ends: dict[SSAValue, ChannelShuffle] = {
            op.result: shuffle
            for op in block.ops
            if isinstance(op, NNOp) and (shuffle := channel_shuffle(op, CHANNELS))
        }
        starts: dict[Operation, SSAValue] = {
            shuffle.steps[0]: end for end, shuffle in ends.items() if shuffle.is_read_as_a_whole
        }
        shuffles, kept = _Shuffles(ends, starts), set[SSAValue]()
        if not ends:
            return shuffles
        # A refused value may keep its producers and its consumers from moving: all are asked again.
        while True:
            shuffles._spread(block, kept)
            refused = shuffles._refused()
            if not refused:
                return shuffles
            kept |= refused

    def met(self, end: SSAValue) -> Shuffle | None:
        """Return a shuffle and those before it as one; ``None`` if they make none."""
        chain = self.ends[end]
        before = self.found.get(chain.x)
        return chain.shuffle.plain() if before is None else before.then(chain.shuffle)

    def _spread(self, block: Block, kept: set[SSAValue]) -> None:
        """Find what is shuffled; values of ``kept`` stay as they are."""
        self.found = {}
        for op in block.ops:
            if not isinstance(op, NNOp) or op.result in kept:
                continue
            if op.result in self.ends:
                shuffle = self.met(op.result)
            elif any(value in self.found for value in op.operands):
                shuffle = result_shuffle(op, self.found)
            else:
                shuffle = None
            if shuffle is not None:
                self.found[op.result] = shuffle

    def _refused(self) -> set[SSAValue]:
        """Return the values of which a reader needs the shuffled order."""
        refused: set[SSAValue] = set()
        for value in reversed(self.found):
            if not all(self._takes(use.operation, value, refused) for use in value.uses):
                refused.add(value)
        return refused

    def _takes(self, user: Operation, value: SSAValue, refused: set[SSAValue]) -> bool:
        """Return whether a reader can do with a value in the old order."""
        if user in self.starts:
            return self.met(self.starts[user]) is not None
        if not isinstance(user, NNOp):
            return False
        if sums_channels(user, value) or reads_single_channels(user, value):
            return True
        return user.result in self.found and user.result not in refused


def _sink(block: Block) -> None:
    shuffles = _Shuffles.of(block)
    if not shuffles.found:
        return
    _Rewrite(shuffles).run(block)


class _Rewrite:
    """The values of a block in their old order, while its ops are walked in order."""

    def __init__(self, shuffles: _Shuffles):
        self.shuffles = shuffles
        self.unshuffled: dict[SSAValue, SSAValue] = {}
        self.whole: dict[SSAValue, SSAValue] = {}
        """The shuffle of such a value, for readers of single channels."""
        self.replaced: dict[NNOp, None] = {}

    def run(self, block: Block) -> None:
        """Rewrite all ops; those without readers are removed."""
        for op in [op for op in block.ops if isinstance(op, NNOp)]:
            if op.result in self.shuffles.ends:
                self._end(op)
            elif op.result in self.shuffles.found:
                new = in_old_order(op, self.shuffles.found, self.unshuffled, _Permute(op))
                _insert(new, op)
                self.unshuffled[op.result] = new.result
                self.replaced[op] = None
            else:
                self._read(op)
        for op in reversed(self.replaced):
            if not op.result.uses:
                Rewriter.erase_op(op)

    def _end(self, op: NNOp) -> None:
        """Record the unshuffled form of a shuffle's result, or make one shuffle of two in a row."""
        chain, shuffle = self.shuffles.ends[op.result], self.shuffles.met(op.result)
        before = self.unshuffled.get(chain.x)
        assert shuffle is not None or before is None
        if op.result in self.shuffles.found:
            self.unshuffled[op.result] = chain.x if before is None else before
            if before is None:
                self.whole[op.result] = op.result
        elif before is not None and shuffle is not None:
            op.result.replace_all_uses_with(_Permute(op)(before, CHANNELS, shuffle))
        self.replaced |= dict.fromkeys(chain.steps)

    def _read(self, op: NNOp) -> None:
        """Let an op that needs no shuffled order read unshuffled values."""
        for value in dict.fromkeys(op.operands):
            if value not in self.unshuffled:
                continue
            shuffle = self.shuffles.found[value]
            if sums_channels(op, value):
                new = with_weights_permuted(op, self.unshuffled[value], shuffle, _Permute(op))
                _insert(new, op)
                op.result.replace_all_uses_with(new.result)
                self.replaced[op] = None
            elif reads_single_channels(op, value):
                if value not in self.whole:
                    self.whole[value] = _Permute(op)(self.unshuffled[value], CHANNELS, shuffle)
                op.operands[0] = self.whole[value]


@dataclass
class _Permute:
    """Inserts the movements that shuffle an axis of a value before an op."""

    before: Operation

    def __call__(self, value: SSAValue, axis: int, shuffle: Shuffle) -> SSAValue:
        if shuffle.is_idle:
            return value
        steps = shuffle.of(value, axis)
        for step in steps:
            Rewriter.insert_op(step, InsertPoint.before(self.before))
        return steps[-1].result


def _insert(new: NNOp, old: NNOp) -> None:
    new.location = old.location
    new.result.name_hint = old.result.name_hint
    Rewriter.insert_op(new, InsertPoint.before(old))
