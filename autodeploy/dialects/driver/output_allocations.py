"""Blocks that are stored in the memory of outputs until the outputs are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xdsl.ir import Operation

from autodeploy.dialects.driver.calls import CallOp
from autodeploy.dialects.driver.memory import BufferOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.memref import memref_bytes


class OutputAllocation(NamedTuple):
    """A buffer, or the scratch memory of a call: its bytes and its place in an output."""

    op: BufferOp | CallOp
    output: int
    offset: int
    """In bytes, from the first aligned byte of the output."""
    bytes: int


def output_allocations(
    ops: Iterator[Operation], pipelines: Mapping[str, PipelineOp]
) -> Iterator[OutputAllocation]:
    """Yield the blocks of some ops that are in an output; ``pipelines`` are the kernels by name."""
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
        yield OutputAllocation(op, output.value.data, offset.value.data, size)
