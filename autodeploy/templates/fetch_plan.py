"""What a kernel fetches while it computes, before it needs it, and the numbers such plans share."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

RUNS = 4
"""Runs of memory in which lines are fetched side by side where many are on their way at a time."""

RUNS_SPACING = 64
"""Multiply-adds of vectors between two prefetches above which one run of memory is enough.

Weights that are used for few rows only have to come about as fast as memory brings them, and one
run alone fills the core's buffers. Kernels of 7x7 pixels gained 2 to 14 % by four runs.
"""


@dataclass(frozen=True)
class FetchPlan:
    """Every ``steps`` steps of the reduction a line of each buffer is fetched, which its map says.

    Maps take the variables of the update, columns and rows first, and that of the reduction.
    """

    steps: int
    fetches: tuple[tuple[SSAValue, AffineMap], ...]


def in_runs(line: AffineExpr, lines: int, spacing: int) -> AffineExpr:
    """Return the line that is fetched as number ``line`` of ``lines``: one of each stream in turn.

    ``spacing`` is the number of multiply-adds between two fetches. Where it is large, or streams
    cannot have equal numbers of lines, there is one stream.
    """
    if spacing > RUNS_SPACING or lines % RUNS:
        return line
    # A remainder is written as a difference: over a range, Halide takes one to be anything.
    within = line // RUNS
    return (line - within * RUNS) * (lines // RUNS) + within
