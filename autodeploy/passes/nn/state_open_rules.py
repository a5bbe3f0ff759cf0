"""Rules for properties that differ between runs: padding, and the places of a resize.

The conversion computes them for all numbers. A kernel computes them from extents of a run, so there
is a rule that gives the same for all numbers, or the op is refused.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from xdsl.dialects.builtin import BoolAttr, StringAttr

from autodeploy.analysis.open_reads import moved_windows
from autodeploy.dialects.extent_calls import each
from autodeploy.dialects.extents import Extent, are_same, last_of, table_of
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.base import i64_array, ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.resampling import LARGEST_POSITION, Line, Places, SampledOp
from autodeploy.dialects.nn.types import bounds_of, shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.dialects.nn.window_steps import (
    SAME_ATTRIBUTE,
    pads_before,
    pads_by_remainder_attr,
    same_pads_before,
)


def state_pads(op: ConvOp | PoolOp) -> str | None:
    """Let an op say how its padding follows from the extents of a run; return why it cannot.

    If there are as many windows as strides in an extent, the missing elements of the last one are
    padding, half of it before the image. Both follow from the remainder of the extent by the
    stride."""
    pads, rank = list(ints(op.pads)), len(ints(op.strides))
    rests = [pads_before(op.pads_by_remainder, i) for i in range(rank)]
    mark = op.attributes.pop(SAME_ATTRIBUTE, None)
    same = mark.data if isinstance(mark, StringAttr) else None
    if same is None and not any(isinstance(pad, Extent) for pad in pads):
        return None
    changed = False
    for i, (axis, (_, steps)) in enumerate(moved_windows(op).items()):
        reach, stride, extent = steps.reach, steps.stride, shape_of(op.x.type)[axis]
        before, after = pads[i], pads[rank + i]
        varies = isinstance(before, Extent) or isinstance(after, Extent)
        growth = axes_of_type(op.x.type)[axis]
        if rests[i] or (not varies and (same is None or _leaves_one_rest(growth, stride))):
            continue
        if not growth:
            return "its padding follows from the number, and its operand does not"
        ways = (True, False) if same is None else (same == "upper",)
        tables = (same_pads_before(reach, stride, upper=upper) for upper in ways)
        given = (extent, before, after)
        fitting = (t for t in tables if _is_whole(t, reach, given) or _is_same(t, reach, given))
        table = next(fitting, None)
        if table is None:
            return "its padding follows from the number in another way than as windows need it"
        pads[i], rests[i] = table[1 % stride], table if len(set(table)) > 1 else ()
        pads[rank + i] = reach - 1 - pads[i]
        changed = True
    if changed:
        op.properties["pads"] = i64_array(pads)
        op.pads_by_remainder = pads_by_remainder_attr(rests)
        if isinstance(op, PoolOp):
            op.ceil_mode = BoolAttr.from_bool(False)  # the last window ends with the padding
    return None


def _is_same(table: tuple[int, ...], reach: int, given: tuple[int, int, int]) -> bool:
    """Return whether padding makes as many windows as strides in the extent, and as late."""
    stride = len(table)

    def test(extent: int, before: int, after: int) -> int:
        total = max(0, reach - (extent % stride or stride))
        own = table[extent % stride]
        return (before, after) == (own, total - own)

    return _all(test, *given)


def _is_whole(table: tuple[int, ...], reach: int, given: tuple[int, int, int]) -> bool:
    """Return whether padding is the most that any extent has, for all numbers."""
    before = table[1 % len(table)]
    return are_same(given[1:], (before, reach - 1 - before))


def _leaves_one_rest(growth: Growth, stride: int) -> bool:
    """Return whether all extents that grow so leave the same over a stride."""
    return not growth or (growth.is_sum and not any(t % stride for t in growth.terms.values()))


def state_places(op: SampledOp) -> str | None:
    """Let a resize say how its places follow from the extents of a run; return why it cannot."""
    arrays = [ints(op.properties[name]) for name in op.PLACE_PROPERTIES]  # pyright: ignore[reportArgumentType]
    if not any(isinstance(value, Extent) for array in arrays for value in array):
        return None
    before, after = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    largest = zip(bounds_of(op.operands[0].type), bounds_of(op.results[0].type), strict=True)
    places: list[Places] = []
    for old, new, line, most in zip(before, after, zip(*arrays, strict=True), largest, strict=True):
        if not any(isinstance(value, Extent) for value in line):
            places.append(Places.CONSTANT)
            continue
        kinds = (kind for kind in Places if kind != Places.CONSTANT)
        found = next((kind for kind in kinds if _all(_has(kind), old, new, *line)), None)
        if found is None:
            return "its places do not follow from its extents"
        if 4 * most[0] * most[1] > LARGEST_POSITION:
            return "its places do not fit 32 bits"
        places.append(found)
    for name, values in zip(op.PLACE_PROPERTIES, arrays, strict=True):
        op.properties[name] = i64_array([last_of(value) for value in values])
    op.grow(places)
    return None


def _has(places: Places) -> Callable[..., int]:
    """Return a test of the extents of an axis, and of the numbers of its line."""

    def test(before: int, after: int, *numbers: int) -> int:
        one, other = places.line(before, after), Line(*numbers)
        if after == 1:
            return one.offset * other.denominator == other.offset * one.denominator
        return one.reduced() == other.reduced()

    return test


def _all(test: Callable[..., int], *values: int) -> bool:
    """Return whether a test holds for all numbers of a run."""
    return bool(np.all(table_of(each(test, *values))))
