"""The places of elements of a reshaped tensor in memory, with extents that differ between runs."""

from __future__ import annotations

from math import prod

from xdsl.ir import Attribute

from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.nn.extent_attr import encoding_of
from autodeploy.dialects.nn.types import bounds_of


def is_row_major_view(before: Attribute, after: Attribute) -> bool:
    """Return whether a reshape leaves the elements of each run at their places in memory.

    An open axis stays where it is in memory; it may take in the axes that follow it, or split. An
    extent in no known form may have moved.
    """
    one, other = encoding_of(before), encoding_of(after)
    if one is None or other is None:
        return one is other
    shape, result = bounds_of(before), bounds_of(after)
    found: list[Growth | None] = [CONSTANT] * len(result)
    for axis, growth in enumerate(one.growths):
        if growth is None:
            return False
        if not growth:
            continue
        # The elements of a run, in each part of as many elements as the axis spans.
        taken = growth.scaled(prod(shape[axis + 1 :]))
        span = prod(shape[axis:])
        place = next((i for i, n in enumerate(result) if n > 1 and prod(result[i:]) == span), None)
        if place is None or found[place]:
            return False
        found[place] = taken.divided(prod(result[place + 1 :]))
    return tuple(found) == other.growths
