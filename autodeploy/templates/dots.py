"""Sums of products of neighbours, which one instruction of a machine computes.

Rules for tiles count in such dots where there are any: neighbours take about as many bytes as an
element of the sums, and an instruction of theirs as long as a multiply-add.
"""

from __future__ import annotations

from xdsl.dialects.builtin import BFloat16Type

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.nn.contraction import ContractionOp
from autodeploy.dialects.nn.types import element_of, sum_bytes
from autodeploy.machine import Machine
from autodeploy.templates.view import ScheduledPipeline

DOT_LOOP = "dot"
"""The loop over the neighbours of a dot."""

WIDENED_SUMS = 4
"""Sums of a tile of dots, at most, on a machine without vectors. It widens words of bytes to pairs,
which take two registers each: with 8 sums networks of codes take 5 % more instructions on a
Cortex-M7."""


def neighbours(machine: Machine, op: ContractionOp) -> int:
    """Return how many neighbours along the inner axis a step sums; 1 where there are no dots."""
    if op.accumulator is None:
        return 1
    lhs, rhs = (str(element_of(operand.type)) for operand in op.operands[:2])
    return machine.dot(lhs, rhs)


def most_dot_sums(machine: Machine) -> int | None:
    """Return how many sums of dots a tile has at most; ``None`` where registers alone decide."""
    return None if machine.has_vectors else WIDENED_SUMS


def least_vectors(op: ContractionOp) -> int:
    """Return how many vectors of sums a tile should have at least.

    Two for factors of bfloat16: on a Zen 4 a tile whose elements each multiply one vector takes
    1.37 times as long as with two vectors (``VDPBF16PS``; products of bytes do not).
    """
    return 2 if isinstance(element_of(op.operands[0].type), BFloat16Type) else 1


def packed_bytes(op: ContractionOp) -> int:
    """Return the bytes of an element by which weights are packed.

    Weights are packed by vectors of sums: narrower ones are widened to these as they are read.
    """
    return sum_bytes(op.sum_element)


def split_dots(pipeline: ScheduledPipeline, func: FuncOp, loop: str, dot: int) -> tuple[str, ...]:
    """Cut a reduction loop into dots; the loop keeps its name. Return the loop within a dot."""
    if dot == 1:
        return ()
    pipeline.split(func, loop, loop, DOT_LOOP, dot, stage=1)
    return (DOT_LOOP,)


def vectorize_dots(pipeline: ScheduledPipeline, func: FuncOp, dot: int) -> None:
    """Let the neighbours of a dot be multiplied and added up at once; before other vectors."""
    if dot > 1:
        pipeline.atomic(func, stage=1)
        pipeline.vectorize(func, DOT_LOOP, stage=1)
