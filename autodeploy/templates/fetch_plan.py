"""What a kernel fetches while it computes, before it needs it, and the numbers such plans share."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from autodeploy.machine import Machine

FETCH_STEPS = 8
"""Steps of a reduction to a prefetch, at most, where vectors are whole cache lines."""

UNROLLED = 128
"""Multiply-adds of vectors to a prefetch at most, which are all unrolled: with 192, LLVM loads
operands early and spills accumulators."""


@dataclass(frozen=True)
class FetchPlan:
    """Every ``steps`` steps of the reduction a line of each buffer is fetched, which its map says.

    Maps take the variables of the update, columns and rows first, and that of the reduction.
    """

    steps: int
    fetches: tuple[tuple[SSAValue, AffineMap], ...]


def vectors_of_line(machine: Machine) -> int:
    """Return how many vectors share a line of the caches: steps of a panel."""
    return max(machine.line_bytes // machine.vector_bytes, 1)


def most_fetch_steps(machine: Machine) -> int:
    """Return the steps of a reduction to a prefetch, at most: vectors share a line."""
    return FETCH_STEPS * vectors_of_line(machine)


def steps_to_fetch(
    machine: Machine, vectors: int, sums: int, loop: int, steps: int, tiles: int
) -> int:
    """Return after how many steps a line of the next panel is fetched, so that all are in time.

    ``tiles`` of ``sums`` vectors of sums use a panel. Each takes ``steps`` steps, of ``vectors``
    vectors of the panel each, and their innermost loop has ``loop`` of them. 0 where lines would
    have to be fetched too often.
    """
    lines = -(-steps * vectors // vectors_of_line(machine))
    fetch = most_fetch_steps(machine)
    while fetch and (
        loop % fetch or lines * fetch > tiles * steps or (fetch > 1 and fetch * sums > UNROLLED)
    ):
        fetch //= 2
    spacing = machine.costs.steps_per_prefetch / vectors_of_line(machine)
    return fetch if fetch * sums >= spacing else 0
