"""Which buffers of a driver program may overlap, though one call reads the one, fills the other.

A product of many rows, a pool or a depthwise convolution works from front to back: the rows that it
has read are dead, though the tensor is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.ir import SSAValue

from autodeploy.analysis.live_ranges import calls_of
from autodeploy.analysis.memory_planner import Block, Overlap
from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    ForOp,
    ProgramOp,
    elements_of,
    may_overlap,
    storage_of,
)
from autodeploy.dialects.halide.in_place import least_distance
from autodeploy.dialects.halide.types import buffer_type
from autodeploy.dialects.nn.types import ELEMENT_BYTES


def overlaps_of(program: ProgramOp, ranges: Mapping[BufferOp, Block]) -> list[Overlap]:
    """Return the buffers that may overlap, by their numbers in ``ranges``, which may lack some.

    The input is a whole buffer, and the call is its last use; the output is a whole buffer, and the
    call is its first use. The kernels must have their schedules; of one that is not there nothing
    is known.
    """
    numbers = {buffer: number for number, buffer in enumerate(ranges)}
    pipelines, distances = program.pipelines(), dict[tuple[str, int, int], int | None]()
    found: list[Overlap] = []
    for place, call in enumerate(calls_of(program)):
        if not isinstance(call, CallOp) or call.parent is not program.body.block:
            continue
        callee = pipelines.get(call.callee.string_value())
        if callee is None:
            continue
        for source, target, i, j in _pairs(call):
            if not {source, target} <= ranges.keys():
                continue
            if (ranges[source].last, ranges[target].first) != (place, place):
                continue
            key = callee.sym_name.data, i, j
            if key not in distances:
                distances[key] = least_distance(callee, callee.inputs[i], callee.outputs[j])
            if (distance := distances[key]) is not None:
                bytes_ = distance * ELEMENT_BYTES[buffer_type(callee.outputs[j]).element]
                found.append(Overlap(numbers[source], numbers[target], bytes_))
    return found


def _pairs(call: CallOp) -> Iterator[tuple[BufferOp, BufferOp, int, int]]:
    """Yield inputs and outputs that are whole buffers which the call names once, with numbers."""
    named = {
        operand: buffer
        for operand in call.operands
        if (buffer := _whole_buffer(operand, call)) is not None
        and sum(may_overlap(operand, other) for other in call.operands) == 1
    }
    for i, value in enumerate(call.inputs):
        for j, output in enumerate(call.outputs):
            if value in named and output in named:
                yield named[value], named[output], i, j


def _whole_buffer(value: SSAValue, call: CallOp) -> BufferOp | None:
    """Return the buffer that a value shows as a whole.

    It is of the same block as the call. ``None`` if there is none, or if a loop exchanges it.
    """
    storage, elements = storage_of(value), elements_of(value)
    buffer = storage.owner
    if (
        not isinstance(buffer, BufferOp)
        or buffer.parent is not call.parent
        or buffer.open is not None
        or (elements.offset, elements.end) != (0, elements_of(storage).end)
        or any(isinstance(use.operation, ForOp) for use in storage.uses)
    ):
        return None
    return buffer
