"""What lies in the memory of outputs until something is written to these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xdsl.ir import Operation

from autodeploy.dialects.driver.calls import CallOp
from autodeploy.dialects.driver.memory import BufferOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.memref import memref_bytes


class Lodging(NamedTuple):
    """A buffer, or what a call works in: its bytes and its place in an output."""

    op: BufferOp | CallOp
    output: int
    offset: int
    """Bytes behind the first aligned one of the output."""
    bytes: int


def lodgings(ops: Iterator[Operation], pipelines: Mapping[str, PipelineOp]) -> Iterator[Lodging]:
    """Yield what of some ops lies in an output; ``pipelines`` are the kernels by name."""
    for op in ops:
        match op:
            case BufferOp(output=output, offset=offset) if output is not None:
                size = memref_bytes(op.result.type)
            case CallOp(scratch_output=output, scratch=offset) if output is not None:
                callee = pipelines.get(op.callee.string_value())
                needed = None if callee is None else callee.scratch_bytes
                size = 0 if needed is None else needed.value.data
            case _:
                continue
        assert offset is not None
        yield Lodging(op, output.value.data, offset.value.data, size)
