"""Channel shuffles: a reshape, a transpose and a reshape that only permute one axis.

This module finds them, and computes the inverse of a shuffle, the shuffle that equals two in a row,
and the movements that shuffle an axis of a tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.base import NNOp, ints
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.types import bounds_of, shape_of


@dataclass(frozen=True)
class Shuffle:
    """An axis that is split into ``factors``, outermost first, which are brought into ``order``.

    Factor i of the result is factor ``order[i]`` of the operand.
    """

    factors: tuple[int, ...]
    order: tuple[int, ...]

    @property
    def result_factors(self) -> tuple[int, ...]:
        """Return the factors in the order of the result."""
        return tuple(self.factors[axis] for axis in self.order)

    @property
    def inverse(self) -> Shuffle:
        """Return the inverse of the shuffle."""
        return Shuffle(self.result_factors, tuple(self.order.index(i) for i in range(self._count)))

    @property
    def is_idle(self) -> bool:
        """Return whether every element stays where it is."""
        wide = [axis for axis in self.order if self.factors[axis] != 1]
        return wide == sorted(wide)

    @property
    def _count(self) -> int:
        return len(self.factors)

    def widened(self, inner: int) -> Shuffle:
        """Return the shuffle of an axis on which ``inner`` elements stand for each of this one."""
        return Shuffle((*self.factors, inner), (*self.order, self._count)).plain()

    def plain(self) -> Shuffle:
        """Return the same shuffle with the fewest factors, so that equal shuffles compare as equal.

        Factors of 1 are left out, and factors that stay side by side become one.
        """
        runs: list[list[int]] = []
        for axis in (axis for axis in self.order if self.factors[axis] != 1):
            before = [i for i in range(axis) if self.factors[i] != 1]
            if runs and before and runs[-1][-1] == before[-1]:
                runs[-1].append(axis)
            else:
                runs.append([axis])
        places = sorted(range(len(runs)), key=lambda run: runs[run])
        factors = tuple(prod(self.factors[axis] for axis in runs[run]) for run in places)
        return Shuffle(factors, tuple(places.index(run) for run in range(len(runs))))

    def then(self, after: Shuffle) -> Shuffle | None:
        """Return the shuffle that equals this one followed by ``after``.

        ``None`` if no finer factors split the factors of both: a shuffle that ends in 6 x 4
        elements and one that starts from 4 x 6 are no single shuffle.
        """
        common = _common_factors(self.result_factors, after.factors)
        if common is None:
            return None
        first = self.inverse._refined(common).inverse
        second = after._refined(common)
        order = tuple(first.order[axis] for axis in second.order)
        return Shuffle(first.factors, order).plain()

    def _refined(self, pieces: Sequence[int]) -> Shuffle:
        """Return the same shuffle with finer factors, whose products are those of this one."""
        parts: list[list[int]] = []
        rest = list(range(len(pieces)))
        for factor in self.factors:
            part: list[int] = []
            while prod(pieces[i] for i in part) != factor:
                part.append(rest.pop(0))
            parts.append(part)
        return Shuffle(tuple(pieces), tuple(i for axis in self.order for i in parts[axis]))

    def of(self, x: SSAValue, axis: int) -> tuple[ReshapeOp, TransposeOp, ReshapeOp]:
        """Return the movements that shuffle an axis of ``x``; they are not inserted."""
        shape = shape_of(x.type)
        apart = ReshapeOp(x, (*shape[:axis], *self.factors, *shape[axis + 1 :]))
        before, behind = range(axis), range(axis + self._count, len(shape) - 1 + self._count)
        transpose = TransposeOp(apart.result, (*before, *(axis + i for i in self.order), *behind))
        return apart, transpose, ReshapeOp(transpose.result, shape)


def _common_factors(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...] | None:
    """Return the coarsest factors that split both lists of factors; ``None`` for none."""
    steps = {1}
    for factors in (first, second):
        steps |= {prod(factors[i:]) for i in range(len(factors))}
    rising = sorted(steps)
    pairs = list(pairwise(rising))
    if any(larger % smaller for smaller, larger in pairs):
        return None
    return tuple(larger // smaller for smaller, larger in reversed(pairs))


@dataclass(frozen=True)
class ChannelShuffle:
    """A shuffle of the channels of ``x``, and the movements that it consists of."""

    x: SSAValue
    shuffle: Shuffle
    steps: tuple[ReshapeOp, TransposeOp, ReshapeOp]

    @property
    def is_read_as_a_whole(self) -> bool:
        """Return whether the values between the movements have no other readers."""
        return all(step.result.has_one_use() for step in self.steps[:2])


def channel_shuffle(op: NNOp, axis: int = 1) -> ChannelShuffle | None:
    """Return the shuffle of ``axis`` that ends in an op, ``None`` if it ends none.

    Other axes keep their extents and places.
    """
    transpose = op.x.owner if isinstance(op, ReshapeOp) else None
    if not isinstance(op, ReshapeOp) or not isinstance(transpose, TransposeOp):
        return None
    apart = transpose.x.owner
    if not isinstance(apart, ReshapeOp) or op.result.type != apart.x.type:
        return None
    if not op.is_view or not apart.is_view:
        return None
    shape, wide = bounds_of(apart.x.type), bounds_of(apart.result.type)
    count = len(wide) - len(shape) + 1
    order, factors = ints(transpose.permutation), wide[axis : axis + count]
    if len(shape) <= axis or count < 2 or 0 in shape:
        return None
    if (*wide[:axis], *wide[axis + count :]) != (*shape[:axis], *shape[axis + 1 :]):
        return None
    inside = range(axis, axis + count)
    if any(order[place] != place for place in range(len(wide)) if place not in inside):
        return None
    shuffle = Shuffle(factors, tuple(order[place] - axis for place in inside))
    return ChannelShuffle(apart.x, shuffle, (apart, transpose, op))
