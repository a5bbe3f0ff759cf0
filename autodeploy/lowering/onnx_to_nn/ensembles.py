"""Trees of comparisons in the form that the library walks, checked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import f64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import DivOp
from autodeploy.dialects.nn.types import shape_of, tensor
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder
from autodeploy.weights import Array

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MODES = (
    "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ",
)  # fmt: skip
"""How a node compares, by the numbers that TreeEnsemble has for them; 6 asks for one of a set."""

_LT, _GTE, _GT, EQUAL, NEQ, IN_A_SET = range(1, 7)

_AT_MOST, _BELOW, _EQUAL = range(3)
_NAN_HOLDS = 4
"""Added to a comparison of the library where nan takes the first branch."""


@dataclass(frozen=True)
class Votes:
    """The values of leaves: leaf ``n`` has those from ``starts[n]`` to before ``starts[n + 1]``."""

    starts: Integers
    targets: Integers
    weights: Floats


@dataclass(frozen=True)
class Trees:
    """Nodes that compare a feature with a number, and leaves that vote.

    A row goes on to the first of the two ``branches`` of a node where the comparison holds, to the
    second where it does not; nan goes to the first where ``nan_holds``. A branch, or a root, is the
    number of a node, or ``-1 - n`` for leaf ``n``.
    """

    features: Integers
    modes: Integers
    splits: Floats
    nan_holds: npt.NDArray[np.bool_]
    branches: Integers
    roots: Integers
    votes: Votes

    def check(self, features: int, targets: int) -> None:
        """Raise ``ConversionError`` for numbers out of range, and where nodes form no trees."""
        nodes, leaves = len(self.modes), len(self.votes.starts) - 1
        ends = np.concatenate([self.branches.reshape(-1), self.roots])
        if not len(self.roots):
            raise ConversionError("it has no tree")
        for what, given, least, end in (
            ("a feature", self.features, 0, features),
            ("a mode", self.modes, 0, IN_A_SET + 1),
            ("a branch", ends, -leaves, nodes),
            ("a target", self.votes.targets, 0, targets),
        ):
            wrong = given[(given < least) | (given >= end)]
            if wrong.size:
                raise ConversionError(f"{what} of its trees is {wrong[0]}, outside of its range")
        # A node that is met twice on the way down has two above it, or is a root below another.
        met = np.bincount(ends[ends >= 0], minlength=1)
        if met.max() > 1:
            raise ConversionError(f"node {met.argmax()} of its trees is below two others")
        if np.isin(self.roots[self.roots < 0], self.branches).any():
            raise ConversionError("the first node of a tree is a leaf below another node")
        if np.isnan(self.votes.weights).any():
            raise ConversionError("a weight of its leaves is nan")


def walked(b: NnBuilder, x: SSAValue, trees: Trees, targets: int, aggregate: str) -> SSAValue:
    """Return the sums, means, least or largest of the votes for each target, in 64 bits.

    The trees are checked. A target that no vote is for has 0, as in onnxruntime.
    """
    tests, branches = _comparisons(trees)
    nodes = np.column_stack([trees.features, tests, branches]).astype(np.int32)
    given = [
        b.cast(x, f64),
        b.make_constant(nodes if len(nodes) else np.zeros((1, 4), np.int32)),
        b.make_constant(_or_zero(trees.splits.astype(np.float64))),
        b.make_constant(trees.roots.astype(np.int32)),
        b.make_constant(trees.votes.starts.astype(np.int32)),
        b.make_constant(_or_zero(trees.votes.targets.astype(np.int32))),
        b.make_constant(_or_zero(trees.votes.weights.astype(np.float64))),
    ]
    how = {"MIN": 1, "MAX": 2}.get(aggregate, 0)
    found = tensor(f64, (shape_of(x.type)[0], targets))
    (votes,) = b.call("trees", given, [found], [how], rows=True)
    if aggregate == "AVERAGE":
        votes = b.emit(DivOp(votes, b.scalar(len(trees.roots), f64)))
    return votes


def _or_zero(array: Array) -> Array:
    """Return a list, or one zero in place of none: C has no array of none."""
    return array if len(array) else np.zeros(1, array.dtype)


def _comparisons(trees: Trees) -> tuple[Array, Array]:
    """Return how the library compares at each node, and the branches in its order.

    It knows three comparisons, which suffice where the branches of the other three are exchanged.
    A comparison with nan never holds, but for one that asks for a difference.
    """
    modes = trees.modes
    never = np.isnan(trees.splits) & (modes != NEQ)
    exchanged = np.isin(modes, (_GTE, _GT, NEQ)) & ~never
    test = np.full(modes.shape, _AT_MOST)
    test[np.isin(modes, (_LT, _GTE))] = _BELOW
    test[np.isin(modes, (EQUAL, NEQ)) | never] = _EQUAL
    branches = np.where(exchanged[:, None], trees.branches[:, ::-1], trees.branches)
    return test + _NAN_HOLDS * (trees.nan_holds ^ exchanged), branches
