"""The knobs of the row template, and which rows are folded in lanes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.normalisation import LayerNormOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, ReduceOp, SoftmaxOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of
from autodeploy.machine import Machine
from autodeploy.templates.output_knobs import vector_knobs, vector_space
from autodeploy.templates.sharing import BALANCED, PARALLEL_SHARES, balance
from autodeploy.templates.space import Knobs, Numbers, Space, divisors, powers
from autodeploy.templates.view import vector_lanes

SHORT = 4
"""Shorter rows have no lanes."""

UNROLL = "unroll"

MAX_UNROLLED_STEPS = 8
"""Steps of a fold, each a vector, that the rule writes out; more are a loop."""

MOST_STEPS = 32
"""Steps that may be written out."""

VECTORS = "vectors"

ROWS = "rows"

SUMS_AT_A_TIME = 8
"""Vectors of sums that do not wait for each other: an addition takes as many loads at most."""


def lane_axis(shape: Sequence[int], axes: Sequence[int]) -> int | None:
    """Return the axis whose elements are folded side by side, of a fold of a shape along axes.

    It is the innermost one, where it is long enough; axes of extent 1 inside of it do not count.
    """
    wide = [axis for axis, extent in enumerate(shape) if extent != 1][-1:]
    return next((axis for axis in wide if axis in axes and shape[axis] >= SHORT), None)


def row_knobs(
    machine: Machine, anchor: AnchorOp, given: ConfigAttr, *, is_open: bool = False
) -> Knobs:
    """Return the knobs that the rule chooses.

    - ``vector``: bytes of a vector
    - ``unroll``: the steps of a fold in lanes up to which all are written out
    - ``vectors``: of a fold along outer axes, the vectors of sums that stand side by side
    - ``rows``: how many rows of an image a core folds at a time, where cores share the rows. Empty
      where they share the vectors of a row. A kernel that ``is_open`` has no such knob
    """
    if _has_lanes(anchor):
        return {**vector_knobs(machine), UNROLL: (MAX_UNROLLED_STEPS,)}
    most = _most_vectors(machine, anchor)
    if not most:
        return vector_knobs(machine)
    extent = 0 if is_open else _shared_extent(machine, anchor)
    rows = given.number(ROWS) if ROWS in given else _rows_of_part(machine, anchor, extent)
    each = most if rows else max(1, most // machine.cores)
    vectors = max(n for n in range(1, min(SUMS_AT_A_TIME, each) + 1) if each % n == 0)
    knobs = {**vector_knobs(machine), VECTORS: (vectors,)}
    return {**knobs, ROWS: (rows,) if rows else ()} if extent else knobs


def row_space(machine: Machine, anchor: AnchorOp, *, is_open: bool = False) -> Space:
    """Return the values of the knobs."""
    if _has_lanes(anchor):
        return {**vector_space(machine), UNROLL: [(n,) for n in powers(MOST_STEPS)]}
    most = _most_vectors(machine, anchor)
    if not most:
        return vector_space(machine)
    space = {**vector_space(machine), VECTORS: Numbers(1, min(SUMS_AT_A_TIME, most))}
    extent = 0 if is_open else _shared_extent(machine, anchor)
    return {**space, ROWS: [(), *((n,) for n in divisors(extent))]} if extent else space


def _shared_extent(machine: Machine, anchor: AnchorOp) -> int:
    """Return the rows of an image that cores may share to fold them; 0 where they cannot."""
    if machine.cores == 1 or not isinstance(anchor, ReduceOp):
        return 0
    shape = bounds_of(anchor.x.type)
    return next((shape[axis] for axis in sorted(ints(anchor.axes)) if shape[axis] > 1), 0)


def _rows_of_part(machine: Machine, anchor: AnchorOp, extent: int) -> int:
    """Return of how many rows of the image a core makes a part, 0 where it makes none.

    Kernels share the rows of an image. Of those that a core has written it finds most in its own
    caches; and what only that core reads it can write again soon. Several images are shared as they
    are.
    """
    shape = bounds_of(anchor.operands[0].type)
    if prod(shape) < machine.costs.parallel_work or not isinstance(anchor, ReduceOp):
        return 0
    if any(n > 1 for axis, n in enumerate(shape[:-1]) if axis not in ints(anchor.axes)):
        return 0
    parts = [n for n in divisors(extent) if balance(n, machine.cores) >= BALANCED]
    wanted = machine.cores * PARALLEL_SHARES
    enough = [n for n in parts if n >= wanted] or parts[-1:]
    return extent // enough[0] if enough else 0


def _most_vectors(machine: Machine, anchor: AnchorOp) -> int:
    """Return how many vectors a row of a fold along outer axes has; 0 of other folds."""
    shape = bounds_of(anchor.operands[0].type)
    if not isinstance(anchor, ReduceOp) or not shape or len(shape) - 1 in ints(anchor.axes):
        return 0
    lanes = vector_lanes(shape[-1], machine.lanes(ELEMENT_BYTES[element_of(anchor.x.type)]))
    return shape[-1] // lanes if lanes > 1 else 0


def unrolled_steps(config: ConfigAttr) -> int:
    """Return the steps up to which all are written out."""
    return config.number(UNROLL) or MAX_UNROLLED_STEPS


def _has_lanes(anchor: AnchorOp) -> bool:
    shape = bounds_of(anchor.operands[0].type)
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
