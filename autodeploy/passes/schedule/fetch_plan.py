"""What a kernel fetches while it computes, before it needs it, and the numbers such plans share."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

MIN_SPACING = 40
"""Multiply-adds of vectors between two prefetches, at least.

A line that is on its way holds one of some 16 buffers for 100 ns; when all are taken, loads wait.
"""

WHOLE_COST = 1.1
"""How many times the best tiles those may cost that divide what is computed, for the sake of what
is fetched meanwhile: a line of it follows from the number of a tile."""


@dataclass(frozen=True)
class FetchPlan:
    """Every ``steps`` steps of the reduction a line of each buffer is fetched, which its map says.

    Maps take the variables of the update, columns and rows first, and that of the reduction.
    """

    steps: int
    fetches: tuple[tuple[SSAValue, AffineMap], ...]
