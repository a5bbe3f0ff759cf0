"""TreeEnsemble of ai.onnx.ml: rows fall through trees of comparisons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import f64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.nn.types import element_of, is_float, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts

_DOMAIN = "ai.onnx.ml"
_AVERAGE, _SUM = 0, 1
_IN_A_SET = 6
"""The mode of a node that asks whether a number is one of several."""


@converts("TreeEnsemble", domain=_DOMAIN)
def tree_ensemble(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert TreeEnsemble: the sums or means of what the trees say; the library computes in 64
    bits.
    """
    x, targets = b.operand(op, "X"), b.integer(op, "n_targets")
    aggregate = b.integer(op, "aggregate_function")
    if aggregate not in (_AVERAGE, _SUM) or b.integer(op, "post_transform"):
        raise ConversionError("only sums and means without 'post_transform' are supported")
    shape, element = shape_of(x.type), element_of(x.type)
    if len(shape) != 2 or not is_float(element):
        raise ConversionError(f"a table of floating-point numbers is needed, not {x.type}")
    roots, places = b.integers(op, "tree_roots"), b.integers(op, "leaf_targetids")
    weights = _numbers(b, op, "leaf_weights")
    if aggregate == _AVERAGE:
        weights = [weight / max(len(roots), 1) for weight in weights]
    if len(weights) != len(places) or not all(0 <= place < targets for place in places):
        raise ConversionError(f"leaves have a weight and one of {targets} targets each")
    nodes, members = _nodes(b, op, shape[1], len(places))
    splits = _numbers(b, op, "nodes_splits")
    if len(splits) != len(nodes):
        raise ConversionError("'nodes_splits' has an entry for each node")
    _check_trees(nodes, roots)
    given = [
        b.cast(x, f64),
        b.make_constant(np.array(nodes, np.int64)),
        b.make_constant(np.array(splits, np.float64)),
        b.make_constant(np.array(members or [0.0], np.float64)),
        b.make_constant(np.array(roots, np.int64)),
        b.make_constant(np.array(places, np.int64)),
        b.make_constant(np.array(weights, np.float64)),
    ]
    (sums,) = b.call("trees", given, [tensor(f64, (shape[0], targets))])
    return [b.cast(sums, element)]


def _numbers(b: ConversionContext, op: OnnxOp, name: str) -> list[float]:
    """Return the numbers of an attribute that is a tensor; none where it is left out."""
    value = b.setting(op, name)
    if not isinstance(value, DenseAttr | WeightAttr):
        return []
    return [float(number) for number in b.data(value).reshape(-1)]


def _nodes(
    b: ConversionContext, op: OnnxOp, features: int, leaves: int
) -> tuple[list[list[int]], list[float]]:
    """Return a row of integers for each node, as the library has them, and members of sets."""
    modes = [int(mode) for mode in _numbers(b, op, "nodes_modes")]
    names = ("featureids", "truenodeids", "falsenodeids", "trueleafs", "falseleafs")
    columns = [b.integers(op, f"nodes_{name}") for name in names]
    missing = b.integers(op, "nodes_missing_value_tracks_true") or (0,) * len(modes)
    if any(len(column) != len(modes) for column in (*columns, missing)):
        raise ConversionError("attributes of nodes have an entry for each node")
    sets = _sets(_numbers(b, op, "membership_values"))
    if len(sets) != modes.count(_IN_A_SET):
        raise ConversionError("'membership_values' has a set for each node that asks for one")
    members: list[float] = []
    nodes: list[list[int]] = []
    for mode, track, feature, *ends in zip(modes, missing, *columns, strict=True):
        own = sets.pop(0) if mode == _IN_A_SET else []
        known = (leaves if ends[2] else len(modes), leaves if ends[3] else len(modes))
        if not 0 <= mode <= _IN_A_SET or not 0 <= feature < features or not all(
            0 <= end < count for end, count in zip(ends[:2], known, strict=True)
        ):  # fmt: skip
            raise ConversionError(f"node {len(nodes)} is not valid")
        branches = [-1 - end if leaf else end for end, leaf in zip(ends, ends[2:], strict=False)]
        nodes.append([feature, mode, *branches, track, len(members), len(own)])
        members += own
    return nodes, members


def _sets(values: Sequence[float]) -> list[list[float]]:
    """Return the sets that nan ends, one behind the other."""
    sets: list[list[float]] = [[]]
    for value in values:
        if value != value:
            sets.append([])
        else:
            sets[-1].append(value)
    return sets[:-1]


def _check_trees(nodes: Sequence[Sequence[int]], roots: Sequence[int]) -> None:
    """Raise where a row could fall in a circle: no node has two above it."""
    met: set[int] = set()
    waiting = list(roots)
    while waiting:
        number = waiting.pop()
        if number in met or not 0 <= number < len(nodes):
            raise ConversionError(f"node {number} is none of a tree")
        met.add(number)
        waiting += [end for end in nodes[number][2:4] if end >= 0]
