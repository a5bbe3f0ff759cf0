"""The native constraint that keeps what fusion makes small enough for Halide.

A kernel of pointwise ops becomes one expression for one element. While Halide simplifies it, a
subexpression that is used twice is copied. The size of a kernel is therefore counted in reads: how
often an input, or the result of the anchor, occurs in the expression with all copies. One sigmoid
reads its operand 16 times, so five of them in a row read it a million times; a sum of a value with
itself doubles the reads of the value. Halide's time grows with the reads: 16,000 take it a tenth of
a second, ten times that number a second and more.
"""

from __future__ import annotations

from xdsl.dialects.builtin import bf16, f16
from xdsl.ir import Attribute, Operation, SSAValue

from autodeploy.analysis.scalar_costs import body_cost
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import clamps_sums
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import element_of
from autodeploy.passes.fusion.natives import PatternContext, native_constraint

MAX_READS = 1 << 14
"""The most reads that the expression of one element of a fused kernel may have."""

MAX_OPS = 64
"""The most ops of a fused kernel, constants aside: a chain with few reads may be long, too."""

ROUNDING_READS: dict[Attribute, int] = {f16: 70, bf16: 7}
"""How often rounding to 16 bits and the way back read a number, where C++ source has them."""


@native_constraint("small_expression")
def small_expression(_ctx: PatternContext, producer: Operation, consumer: Operation) -> bool:
    """Return whether two ops or kernels, the first read by the second, make a kernel that is not
    too large: of at most 64 ops, of which one element reads inputs at most 16384 times, where a
    value that is used twice counts twice.
    """
    if _op_count(producer) + _op_count(consumer) > MAX_OPS:
        return False
    results: dict[SSAValue, int] = dict(zip(producer.results, _reads(producer, {}), strict=True))
    return max(_reads(consumer, results)) <= MAX_READS


def _op_count(op: Operation) -> int:
    if not isinstance(op, KernelOp):
        return 1
    return sum(not isinstance(part, ConstantOp) for part in op.body_ops)


def _reads(op: Operation, known: dict[SSAValue, int]) -> list[int]:
    """Return how often each result reads inputs, where operands outside of ``known`` are inputs."""
    if not isinstance(op, KernelOp):
        return [_reads_of_op(op, known)] * len(op.results)
    inside: dict[SSAValue, int] = {
        argument: known.get(operand, 1)
        for argument, operand in zip(op.body.block.args, op.inputs, strict=True)
    }
    for part in op.body_ops:
        inside.update(dict.fromkeys(part.results, _reads_of_op(part, inside)))
    return [inside[value] for value in op.yielded]


def _reads_of_op(op: Operation, known: dict[SSAValue, int]) -> int:
    if isinstance(op, ConstantOp):
        return 0
    if isinstance(op, AnchorOp) or clamps_sums(op):
        return 1  # it is computed before
    times = body_cost(op).reads if isinstance(op, PointwiseOp) else (1,) * len(op.operands)
    rounding = ROUNDING_READS.get(element_of(op.results[0].type), 1)
    return rounding * sum(
        n * known.get(operand, 1) for n, operand in zip(times, op.operands, strict=True)
    )
