"""The knobs of the row template, and which rows are folded in lanes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.normalisation import LayerNormOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, ReduceOp, SoftmaxOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, shape_of
from autodeploy.machine import Machine
from autodeploy.templates.output_knobs import vector_knobs, vector_space
from autodeploy.templates.space import Numbers, Space, powers
from autodeploy.templates.view import vector_lanes

SHORT = 4
"""Shorter rows have no lanes."""

UNROLL = "unroll"

MAX_UNROLLED_STEPS = 8
"""Steps of a fold, each a vector, that the rule writes out; more are a loop."""

MOST_STEPS = 32
"""Steps that may be written out."""

VECTORS = "vectors"

SUMS_AT_A_TIME = 8
"""Vectors of sums that do not wait for each other: an addition takes as many loads at most."""


def lane_axis(shape: Sequence[int], axes: Sequence[int]) -> int | None:
    """Return the axis whose elements are folded side by side, of a fold of a shape along axes.

    It is the innermost one, where it is long enough; axes of extent 1 inside of it do not count.
    """
    wide = [axis for axis, extent in enumerate(shape) if extent != 1][-1:]
    return next((axis for axis in wide if axis in axes and shape[axis] >= SHORT), None)


def row_knobs(machine: Machine, anchor: AnchorOp) -> Mapping[str, Sequence[Knob]]:
    """Return the knobs that the rule chooses.

    - ``vector``: bytes of a vector
    - ``unroll``: the steps of a fold in lanes up to which all are written out
    - ``vectors``: of a fold along outer axes, the vectors of sums that stand side by side
    """
    if _has_lanes(anchor):
        return {**vector_knobs(machine), UNROLL: (MAX_UNROLLED_STEPS,)}
    most = _most_vectors(machine, anchor)
    if not most:
        return vector_knobs(machine)
    # Cores share the vectors of a row.
    each = max(1, most // machine.cores)
    vectors = max(n for n in range(1, min(SUMS_AT_A_TIME, each) + 1) if each % n == 0)
    return {**vector_knobs(machine), VECTORS: (vectors,)}


def row_space(machine: Machine, anchor: AnchorOp) -> Space:
    """Return the values of the knobs."""
    if _has_lanes(anchor):
        return {**vector_space(machine), UNROLL: [(n,) for n in powers(MOST_STEPS)]}
    most = _most_vectors(machine, anchor)
    if not most:
        return vector_space(machine)
    return {**vector_space(machine), VECTORS: Numbers(1, min(SUMS_AT_A_TIME, most))}


def _most_vectors(machine: Machine, anchor: AnchorOp) -> int:
    """Return how many vectors a row of a fold along outer axes has; 0 of other folds."""
    shape = shape_of(anchor.operands[0].type)
    if not isinstance(anchor, ReduceOp) or not shape or len(shape) - 1 in ints(anchor.axes):
        return 0
    lanes = vector_lanes(shape[-1], machine.lanes(ELEMENT_BYTES[element_of(anchor.x.type)]))
    return shape[-1] // lanes if lanes > 1 else 0


def unrolled_steps(config: ConfigAttr) -> int:
    """Return the steps up to which all are written out."""
    return config.number(UNROLL) or MAX_UNROLLED_STEPS


def _has_lanes(anchor: AnchorOp) -> bool:
    shape = shape_of(anchor.operands[0].type)
    return lane_axis(shape, _folded_axes(anchor, len(shape))) is not None


def _folded_axes(anchor: AnchorOp, rank: int) -> Sequence[int]:
    match anchor:
        case ReduceOp():
            return ints(anchor.axes)
        case LayerNormOp():
            return range(anchor.axis.value.data, rank)
        case SoftmaxOp() | ArgReduceOp():
            return (anchor.axis.value.data,)
        case _:
            raise AssertionError(f"{anchor.name} folds no row")
