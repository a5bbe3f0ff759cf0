"""The knobs of the row template, and which rows are folded in lanes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.normalisation import LayerNormOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, ReduceOp, SoftmaxOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.machine import Machine
from autodeploy.templates.output_knobs import vector_knobs, vector_space
from autodeploy.templates.space import Space, powers

SHORT = 4
"""Shorter rows have no lanes."""

UNROLL = "unroll"

MAX_UNROLLED_STEPS = 8
"""Steps of a fold, each a vector, that the rule writes out; more are a loop."""

MOST_STEPS = 32
"""Steps that may be written out."""


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
    """
    unroll = {UNROLL: (MAX_UNROLLED_STEPS,)} if _has_lanes(anchor) else {}
    return {**vector_knobs(machine), **unroll}


def row_space(machine: Machine, anchor: AnchorOp) -> Space:
    """Return the values of the knobs."""
    unroll = {UNROLL: [(n,) for n in powers(MOST_STEPS)]} if _has_lanes(anchor) else {}
    return {**vector_space(machine), **unroll}


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
