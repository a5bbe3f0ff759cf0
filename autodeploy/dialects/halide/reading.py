"""The elements of an input that a pipeline reads to compute a part of a func, by intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

from xdsl.ir import OpResult, SSAValue

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp, updates_of
from autodeploy.dialects.halide.call_values import ExtentOp
from autodeploy.dialects.halide.expression import (
    AddOp,
    ConstOp,
    DivOp,
    LikelyOp,
    MaxOp,
    MinOp,
    ModOp,
    MulOp,
    SelectOp,
    SubOp,
)
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import buffer_type

Interval = tuple[int, int]
"""The least and the largest number."""

Box = tuple[Interval, ...]
"""The coordinates of a part of a func or a buffer, dimension 0 first."""


def first_element_read(pipeline: PipelineOp, source: SSAValue, func: FuncOp, box: Box) -> int:
    """Return an element of an input that is before all on which the values of a box depend.

    It counts in the memory of ``source``; where the pipeline reads nothing of it, it is the end.
    Extents are those of the types: of a pipeline without open ones.
    """
    type_ = buffer_type(source)
    first = 1 + sum((e - 1) * s for e, s in zip(type_.extents, type_.strides, strict=True))
    needed: dict[SSAValue, Box] = {func.result: box}
    # A func follows those that it reads.
    for reader in reversed([op for op in pipeline.body.block.ops if isinstance(op, FuncOp)]):
        if reader.result not in needed:
            continue
        for loaded, found in _loads(reader, needed[reader.result], source):
            if loaded is source:
                # No coordinate that is read is outside.
                lows = (0 if part is None else max(part[0], 0) for part in found)
                first = min(
                    first,
                    sum(
                        low * stride
                        for low, extent, stride in zip(
                            lows, type_.extents, type_.strides, strict=True
                        )
                        if extent > 1
                    ),
                )
            else:
                parts = [part for part in found if part is not None]
                if len(parts) < len(found):
                    return 0
                before = needed.get(loaded, tuple(parts))
                around = tuple(map(hull, zip(before, parts, strict=True)))
                if loaded is reader.result and around != before:
                    return 0
                needed[loaded] = around
    return first


def _loads(
    func: FuncOp, box: Box, source: SSAValue
) -> Iterator[tuple[SSAValue, Sequence[Interval | None]]]:
    """Yield what all definitions of a func load from an input or funcs, for a box of it."""
    for definition in (func, *updates_of(func.result)):
        block = definition.body.block
        domain: Box = ()
        if isinstance(definition, UpdateOp):
            domain = tuple((low, low + extent - 1) for _, low, extent in definition.rdom)
        known: dict[SSAValue, Interval | None] = dict(zip(block.args, (*box, *domain), strict=True))
        for op in block.ops:
            if isinstance(op, LoadOp):
                loaded = op.source
                if loaded is source or isinstance(loaded.owner, FuncOp):
                    yield loaded, [interval_of(index, known) for index in op.indices]


_AT_CORNERS: dict[type, Callable[[int, int], int]] = {
    AddOp: lambda a, b: a + b,
    SubOp: lambda a, b: a - b,
    MulOp: lambda a, b: a * b,
    MinOp: min,
    MaxOp: max,
}
"""Ops whose least and largest values are those of least and largest operands."""


def hull(intervals: Iterable[Interval]) -> Interval:
    """Return the least interval around some."""
    lows, highs = zip(*intervals, strict=True)
    return min(lows), max(highs)


def interval_of(value: SSAValue, known: dict[SSAValue, Interval | None]) -> Interval | None:
    """Return what an i32 can be, where ``known`` has variables; ``None`` if nothing is known.

    Results are kept in ``known``. Extents are those of the types: of a pipeline without open
    ones.
    """
    if value not in known:
        known[value] = _computed(value, known)
    return known[value]


def _computed(value: SSAValue, known: dict[SSAValue, Interval | None]) -> Interval | None:
    op = value.owner if isinstance(value, OpResult) else None
    if isinstance(op, ConstOp):
        number = op.value.value.data
        return (number, number) if isinstance(number, int) else None
    if isinstance(op, ExtentOp):
        extent = buffer_type(op.buffer).extents[op.dimension.value.data]
        return extent, extent
    if isinstance(op, LikelyOp):
        return interval_of(op.x, known)
    if isinstance(op, SelectOp):
        return _around([interval_of(v, known) for v in op.operands[1:]])
    if not isinstance(op, AddOp | SubOp | MulOp | MinOp | MaxOp | DivOp | ModOp):
        return None
    lhs, rhs = interval_of(op.lhs, known), interval_of(op.rhs, known)
    if lhs is None or rhs is None:
        return None
    if isinstance(op, DivOp | ModOp):
        return _divided(lhs, rhs, remainder=isinstance(op, ModOp))
    corners = [_AT_CORNERS[type(op)](a, b) for a, b in product(lhs, rhs)]
    return min(corners), max(corners)


def _around(parts: list[Interval | None]) -> Interval | None:
    found = [part for part in parts if part is not None]
    return hull(found) if len(found) == len(parts) else None


def _divided(lhs: Interval, rhs: Interval, *, remainder: bool) -> Interval | None:
    """Divide by a positive number, down: other divisors are left alone."""
    divisor = rhs[0]
    if rhs[1] != divisor or divisor < 1:
        return None
    low, high = lhs[0] // divisor, lhs[1] // divisor
    if not remainder:
        return low, high
    return (lhs[0] % divisor, lhs[1] % divisor) if low == high else (0, divisor - 1)
