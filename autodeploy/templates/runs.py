"""Runs of long sums: each is added up by itself, in registers, and then added to a total.

The rounding errors of a sum grow with the number of its steps one after another. A sum of 25,088
products is one of 49 runs of 512.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.templates.view import PipelineView, ScheduledPipeline, loop_extents

RUN = "run"
"""The func of the sum of a run."""

MOST_STEPS = 512
"""Steps of a run: equal numbers, which may all be rounded in one direction, are off by up to 8e-6.

A step is off by a quarter of 2^-24 of the sum on average: the sum so far is half of it, and the
error half of the largest one. Numbers of both signs are off by much less. A run costs as much as
one to three further steps: with runs of 256, products take up to 3 % longer.
"""

DEVICE_STEPS = 256
"""Steps of a run of a device: equal numbers are off by up to 4e-6."""

LEAST_STEPS = 32
"""Steps of a run, or of a part: with fewer, the sum of them takes as long as they do."""

UNROLLED = 8
"""Steps that a loop of a processor takes at once, at most: a run of other lengths has a tail, with
which products take up to 6 % longer."""

MOST_WASTE = 32
"""One in so many steps of an axis may be more than there are, in a last run that is not full."""


def run_lengths(
    extents: Sequence[int], most: int, multiple: int = 1, cuts: bool = True
) -> tuple[int, ...]:
    """Return how much of each axis of a sum is in a run, both outermost first.

    A run has ``most`` steps or fewer: all of the innermost axes, and a part of the next one that
    divides it. If it ``cuts`` and runs were shorter than half of that, another number cuts this
    axis, and the last run of it is not full. The innermost axis has a ``multiple`` of steps in a
    run, and in all.
    """
    lengths: list[int] = []
    steps = multiple
    extents = (*extents[:-1], extents[-1] // multiple)
    for extent in reversed(extents):
        room = most // steps
        length = next(n for n in range(min(extent, room), 0, -1) if extent % n == 0)
        cut = -(-extent // -(-extent // room))
        if cuts and 2 * steps * length < most and -extent % cut * MOST_WASTE <= extent:
            length = cut
        lengths.append(length)
        steps *= length
        if length < extent:
            break
    lengths[0] *= multiple
    return (*(1 for _ in extents[len(lengths) :]), *reversed(lengths))


def place_runs(
    pipeline: ScheduledPipeline, total: FuncOp, lanes: int, unrolled: Sequence[str]
) -> None:
    """Add a tile of runs to one of ``total``, if there are runs.

    Its first variable has vectors of ``lanes``; the loops of a tile are ``unrolled``.
    """
    run = pipeline.funcs.get(RUN)
    if run is None:
        return
    runs = [*loop_extents(pipeline.updates[total][0])]
    first = total.var_names[0]
    pipeline.reorder(total, *unrolled, *runs, stage=1)
    for stage in range(2):
        pipeline.vectorize(total, first, lanes, stage)
        for name in unrolled:
            pipeline.unroll(total, name, stage=stage)
    pipeline.compute_at(run, total, runs[0])


def summing(view: PipelineView, name: str) -> FuncOp:
    """Return the func that adds up products: that of runs, or the func ``name`` without runs."""
    return view.funcs.get(RUN, view.funcs[name])


def in_run(view: PipelineView, map_: AffineMap) -> AffineMap:
    """Return a map of the variables of a sum and its step, for those of a run if there are runs."""
    run = view.funcs.get(RUN)
    if run is None:
        return map_
    *variables, step = map(AffineExpr.dimension, range(map_.num_dims))
    ((_, _, length),) = view.updates[run][0].rdom
    within = AffineExpr.dimension(map_.num_dims)
    own = AffineMap(map_.num_dims + 1, 0, (*variables, step * length + within))
    return map_.compose(own)
