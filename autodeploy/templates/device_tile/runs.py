"""Runs of long sums on a device: a thread adds up each run by itself, and then adds it to a total.

The rounding errors of a sum grow with the number of its steps one after another. A sum of 25,088
products is one of 98 runs of 256.
"""

from __future__ import annotations

from collections.abc import Sequence

RUN = "run"
"""The func of the sum of a run."""

MOST_STEPS = 256
"""Steps of a run: equal numbers, which may all be rounded in one direction, are then off by 4e-6.

A step is off by a quarter of 2^-24 of the sum on average: the sum so far is half of it, and the
error half of the largest one. The errors of several layers add up, to 1e-5 at most. Numbers of both
signs are off by much less.
"""

LEAST_STEPS = 32
"""Steps of a run, or of a part: with fewer, the sum of them takes as long as they do."""


def run_lengths(extents: Sequence[int], multiple: int = 1) -> tuple[int, ...]:
    """Return how much of each axis of a sum is in a run, both outermost first.

    A run has at most ``MOST_STEPS`` steps: all of the innermost axes, and a part of the next one
    that divides it. If runs were short by that, any number cuts this axis, and the last run of it
    is not full. The innermost axis has a ``multiple`` of steps in a run, and in all.
    """
    lengths: list[int] = []
    steps = multiple
    extents = (*extents[:-1], extents[-1] // multiple)
    for extent in reversed(extents):
        room = MOST_STEPS // steps
        length = next(n for n in range(min(extent, room), 0, -1) if extent % n == 0)
        if multiple == 1 and steps * length < min(LEAST_STEPS, extent):
            length = -(-extent // -(-extent // room))
        lengths.append(length)
        steps *= length
        if length < extent:
            break
    lengths[0] *= multiple
    return (*(1 for _ in extents[len(lengths) :]), *reversed(lengths))
