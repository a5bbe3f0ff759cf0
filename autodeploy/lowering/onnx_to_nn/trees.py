"""Trees of ai.onnx.ml: TreeEnsemble, TreeEnsembleRegressor, and the trees of a classifier."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import f32, f64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, DivOp
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.nn.types import element_of, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.features import table_of
from autodeploy.lowering.onnx_to_nn.scores import transform_of, transformed
from autodeploy.weights import Array

_DOMAIN = "ai.onnx.ml"
_AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
"""How votes become a score, by the numbers that TreeEnsemble has for them."""

_LEAF = "LEAF"


@converts("TreeEnsemble", domain=_DOMAIN)
def tree_ensemble(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert TreeEnsemble; the library computes in 64 bits."""
    x = table_of(b, op)
    element = element_of(x.type)
    targets, aggregate = _targets(b, op), b.integer(op, "aggregate_function")
    if not 0 <= aggregate < len(_AGGREGATES):
        raise ConversionError(f"'aggregate_function' must be 0 to 3, found {aggregate}")
    trees = _trees(b, op)
    trees.check(shape_of(x.type)[1], targets)
    votes = walked(b, x, _without_sets(trees, _sets(b, op)), targets, _AGGREGATES[aggregate])
    transform = transform_of(b, op)
    if transform == "NONE":
        return [b.cast(votes, element)]
    return [b.cast(transformed(b, b.cast(votes, f32), transform), element)]


@converts("TreeEnsembleRegressor", domain=_DOMAIN)
def tree_ensemble_regressor(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert TreeEnsembleRegressor; the library computes in 64 bits."""
    x, targets = table_of(b, op), _targets(b, op)
    aggregate = b.text(op, "aggregate_function", "SUM")
    if aggregate not in _AGGREGATES:
        raise ConversionError(f"'aggregate_function' must be one of {', '.join(_AGGREGATES)}")
    trees = listed_trees(b, op, "target")
    trees.check(shape_of(x.type)[1], targets)
    votes = walked(b, x, trees, targets, aggregate)
    score = b.cast(with_base(b, votes, numbers(b, op, "base_values")), f32)
    return [transformed(b, score, transform_of(b, op))]


def _targets(b: ConversionContext, op: OnnxOp) -> int:
    targets = b.integer(op, "n_targets")
    if targets < 1:
        raise ConversionError(f"'n_targets' must be 1 or more, found {targets}")
    return targets


def with_base(b: NnBuilder, votes: SSAValue, base: Floats) -> SSAValue:
    """Add a number to each column, or none where none are given."""
    if not base.size:
        return votes
    columns = shape_of(votes.type)[1]
    if base.size != columns:
        raise ConversionError(f"'base_values' must have {columns} entries, found {base.size}")
    return b.emit(AddOp(votes, b.make_constant(base.astype(np.float64))))


def numbers(b: ConversionContext, op: OnnxOp, name: str) -> Floats:
    """Return numbers that are a list, 32-bit floats, or a tensor, which has a name of its own."""
    listed, tensor = b.setting(op, name), b.setting(op, f"{name}_as_tensor")
    given = _data(b, tensor)
    if isinstance(listed, tuple) and listed:
        if given.size:
            raise ConversionError(f"'{name}' and '{name}_as_tensor' exclude each other")
        given = np.array(listed, np.float32)
    return given.astype(np.float64)


def _data(b: ConversionContext, value: object) -> Array:
    """Return the elements of an attribute that is a tensor; none where it is left out."""
    if not isinstance(value, DenseAttr | WeightAttr):
        return np.zeros(0)
    return b.data(value).reshape(-1)


def _integers(b: ConversionContext, op: OnnxOp, name: str) -> Integers:
    return np.array(b.integers(op, name), np.int64)


def _missing(b: ConversionContext, op: OnnxOp, nodes: int) -> Integers:
    """Return for each node whether nan takes its first branch."""
    given = _integers(b, op, "nodes_missing_value_tracks_true")
    return given if len(given) else np.zeros(nodes, np.int64)


def _check_lengths(what: str, size: int, *lists: Sized) -> None:
    if any(len(given) != size for given in lists):
        raise ConversionError(f"attributes of {what} must have {size} entries each")


# Nodes and leaves in lists of their own


def _trees(b: ConversionContext, op: OnnxOp) -> Trees:
    """Return the trees of a TreeEnsemble, whose leaves have one vote each."""
    modes = _data(b, b.setting(op, "nodes_modes")).astype(np.int64)
    names = ("featureids", "truenodeids", "falsenodeids", "trueleafs", "falseleafs")
    features, *ends, if_true, if_false = (_integers(b, op, f"nodes_{name}") for name in names)
    splits = _data(b, b.setting(op, "nodes_splits")).astype(np.float64)
    missing = _missing(b, op, len(modes))
    _check_lengths("nodes", len(modes), features, splits, missing, *ends, if_true, if_false)
    numbers_of_ends = np.array(ends, np.int64).reshape(2, -1)
    if (numbers_of_ends < 0).any():
        raise ConversionError("a branch of its trees is below zero")
    leaves = np.array([if_true, if_false]) != 0
    branches = np.where(leaves, -1 - numbers_of_ends, numbers_of_ends).T
    targets = _integers(b, op, "leaf_targetids")
    weights = _data(b, b.setting(op, "leaf_weights")).astype(np.float64)
    _check_lengths("leaves", len(targets), weights)
    return Trees(
        features=features,
        modes=modes,
        splits=splits,
        # nan differs from any number, and so goes on as if no value were missing.
        nan_holds=(missing != 0) | (modes == NEQ),
        branches=branches,
        roots=_integers(b, op, "tree_roots"),
        votes=Votes(np.arange(len(targets) + 1), targets, weights),
    )


def _sets(b: ConversionContext, op: OnnxOp) -> list[Floats]:
    """Return the sets that nodes ask for; nan ends each."""
    values = _data(b, b.setting(op, "membership_values")).astype(np.float64)
    ends = np.flatnonzero(np.isnan(values))
    return [part[~np.isnan(part)] for part in np.split(values, ends + 1)][:-1]


def _without_sets(trees: Trees, sets: Sequence[Floats]) -> Trees:
    """Return the same trees with a node for each member of the set that a node asks for."""
    asking = np.flatnonzero(trees.modes == IN_A_SET)
    if len(asking) != len(sets):
        raise ConversionError("'membership_values' has a set for each node that asks for one")
    modes, splits, branches = trees.modes.copy(), trees.splits.copy(), trees.branches.copy()
    source: list[int] = []
    more: list[tuple[float, int, int]] = []
    for node, members in zip(asking.tolist(), sets, strict=True):
        first, second = branches[node].tolist()
        modes[node] = EQUAL
        splits[node] = members[0] if members.size else np.nan  # which nothing equals
        if members.size > 1:
            branches[node, 1] = len(modes) + len(more)
        for number in members[1:].tolist():
            more.append((number, first, len(modes) + len(more) + 1))
            source.append(node)
        if members.size > 1:
            more[-1] = (more[-1][0], first, second)
    if not more:
        return replace(trees, modes=modes, splits=splits)
    return replace(
        trees,
        features=np.concatenate([trees.features, trees.features[source]]),
        modes=np.concatenate([modes, np.full(len(more), EQUAL)]),
        splits=np.concatenate([splits, [number for number, _, _ in more]]),
        nan_holds=np.concatenate([trees.nan_holds, np.zeros(len(more), np.bool_)]),
        branches=np.concatenate([branches, [ends for _, *ends in more]]),
    )


# Nodes and votes that say which tree they are of


def listed_trees(b: ConversionContext, op: OnnxOp, kind: str) -> Trees:
    """Return the trees of a TreeEnsembleRegressor (``kind`` is target) or a classifier (class).

    The first node that is listed of a tree is its root. Votes of nodes that are no leaves do not
    count.
    """
    names = ("treeids", "nodeids", "featureids", "truenodeids", "falsenodeids")
    trees, nodes, features, *ends = (b.integers(op, f"nodes_{name}") for name in names)
    modes = [mode.decode(errors="replace") for mode in b.strings(op, "nodes_modes")]
    if unknown := set(modes) - {*MODES, _LEAF}:
        raise ConversionError(f"a mode of its trees is {min(unknown)}, which is unknown")
    splits, missing = numbers(b, op, "nodes_values"), _missing(b, op, len(modes))
    _check_lengths("nodes", len(modes), trees, nodes, features, splits, missing, *ends)
    inner = [n for n, mode in enumerate(modes) if mode != _LEAF]
    places = _places(list(zip(trees, nodes, strict=True)), modes)
    branches = [[_place(places, trees[n], end[n]) for end in ends] for n in inner]
    roots: dict[int, int] = {}
    for tree, place in zip(trees, places.values(), strict=True):
        roots.setdefault(tree, place)
    return Trees(
        features=np.array(features, np.int64)[inner],
        modes=np.array([MODES.index(modes[n]) for n in inner], np.int64),
        splits=splits[inner],
        nan_holds=missing[inner] != 0,
        branches=np.array(branches, np.int64).reshape(-1, 2),
        roots=np.array([*roots.values()], np.int64),
        votes=_listed_votes(b, op, kind, places),
    )


_Places = dict[tuple[int, int], int]
"""The number of each node by its tree and its id, as a branch has it."""


def _places(keys: Sequence[tuple[int, int]], modes: Sequence[str]) -> _Places:
    """Number inner nodes and leaves, each in the order in which they are listed."""
    inner, leaves = count(), count(-1, -1)
    places = {
        key: next(leaves if mode == _LEAF else inner) for key, mode in zip(keys, modes, strict=True)
    }
    if len(places) < len(keys):
        raise ConversionError("a node of its trees is there twice")
    return places


def _place(places: _Places, tree: int, node: int) -> int:
    if (tree, node) not in places:
        raise ConversionError(f"tree {tree} has no node {node}")
    return places[tree, node]


def _listed_votes(b: ConversionContext, op: OnnxOp, kind: str, places: _Places) -> Votes:
    """Return the votes of leaves, by leaf, each leaf's in the order in which they are listed."""
    trees, nodes, targets = (
        b.integers(op, f"{kind}_{name}") for name in ("treeids", "nodeids", "ids")
    )
    weights = numbers(b, op, f"{kind}_weights")
    _check_lengths("votes", len(weights), trees, nodes, targets)
    found = [_place(places, tree, node) for tree, node in zip(trees, nodes, strict=True)]
    leaves = -1 - np.array(found, np.int64)
    order = np.argsort(leaves, kind="stable")
    order = order[leaves[order] >= 0]
    numbers_of_leaves = np.arange(sum(place < 0 for place in places.values()) + 1)
    return Votes(
        starts=np.searchsorted(leaves[order], numbers_of_leaves),
        targets=np.array(targets, np.int64)[order],
        weights=weights[order],
    )


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
