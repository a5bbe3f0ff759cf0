"""The elements of an input that a pipeline reads to compute a part of a func."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import SSAValue

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp
from autodeploy.dialects.halide.intervals import Interval, hull, interval_of
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import buffer_type

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
    updates = [
        use.operation
        for use in func.result.uses
        if isinstance(use.operation, UpdateOp) and use.operation.func is func.result
    ]
    for definition in (func, *updates):
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
