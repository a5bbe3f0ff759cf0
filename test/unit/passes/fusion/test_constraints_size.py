"""The sizes that fusion reckons with are those of the expressions that the lowering makes."""

from __future__ import annotations

from contextlib import suppress

import pytest
from pointwise_ops import KINDS, build
from xdsl.dialects.builtin import IntegerType, Signedness, bf16, f16, f32, f64, i1, i8, i32
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

from autodeploy.analysis.scalar_costs import body_cost
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp
from autodeploy.dialects.nn.activation import ErfOp, GeluOp
from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.quantised import DequantizeOp, QuantizeOp
from autodeploy.dialects.nn.types import tensor
from autodeploy.lowering.nn_to_halide.expand_for_c import expand_for_c
from autodeploy.lowering.nn_to_halide.kernel import lower
from autodeploy.lowering.nn_to_halide.kernel_builder import KernelBuilder, narrowed, widened
from autodeploy.passes.fusion.constraints_size import ROUNDING_READS

OPERANDS = dict.fromkeys(((QuantizeOp, "zero"), (DequantizeOp, "x"), (DequantizeOp, "zero")), i8)
"""The element types of operands that are codes."""

ELEMENTS = (f32, f64, f16, i32, IntegerType(32, Signedness.UNSIGNED), i1)


def operand(element):
    return create_ssa_value(tensor(element, [4]))


def example(kind, element):
    """Return an op of a kind on operands of an element type; raises where it takes none such."""
    numbers = iter((0.25, 0.5))
    return build(
        kind,
        lambda name: operand(OPERANDS.get((kind, name), i1 if name == "condition" else element)),
        lambda: next(numbers),
        lambda: f32 if element != f32 else i32,
    )


def reads(op):
    """Return how often the expression of an op, written out, reads each operand."""
    builder = KernelBuilder([value.type for value in op.operands], [op.result.type])
    inputs = [builder.input(i) for i in range(len(op.operands))]
    builder.output(0, lower(builder, op, inputs))
    *_, func = (op for op in builder.block.ops if isinstance(op, FuncOp))
    return written_out(func, len(inputs))


def written_out(func, inputs):
    """Return how often the expression of a func, written out, reads each input."""
    counts = {}
    for part in func.regions[0].block.ops:
        count = [0] * inputs
        if isinstance(part, LoadOp):
            count[part.source.index] = 1
        else:
            for value in part.operands:
                count = [a + b for a, b in zip(count, counts.get(value, count), strict=True)]
        counts.update(dict.fromkeys(part.results, count))
    return tuple(counts[func.regions[0].block.last_op.operands[0]])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_reads_are_those_of_the_longest_expression(kind):
    found = {}
    for element in ELEMENTS:
        with suppress(VerifyException):
            op = example(kind, element)
            found.setdefault(body_cost(op).reads, []).append(reads(op))
    for counted, written in found.items():
        assert tuple(map(max, zip(*written, strict=True))) == counted


@pytest.mark.parametrize("kind", [ErfOp, GeluOp], ids=lambda kind: kind.__name__)
def test_reads_of_double_precision(kind):
    op = example(kind, f64)
    assert reads(op) == body_cost(op).reads
    assert body_cost(op).reads > body_cost(example(kind, f32)).reads


def test_an_operand_that_is_read_twice_is_lowered_once():
    """Were it lowered at each use, this would take 2^40 steps."""
    x = operand(f32)
    ops = [AddOp(x, x)]
    for _ in range(39):
        ops.append(AddOp(ops[-1].result, ops[-1].result))
    builder = KernelBuilder([x.type], [x.type])
    value = builder.input(0)
    for op in ops:
        value = lower(builder, op, [value, value])
    builder.output(0, value)
    *_, func = (op for op in builder.block.ops if isinstance(op, FuncOp))
    assert len(func.regions[0].block.ops) == 1 + 40 + 1


@pytest.mark.parametrize("element", (f16, bf16), ids=("f16", "bf16"))
def test_reads_of_rounding_in_source(element):
    builder = KernelBuilder([tensor(f32, [4])], [tensor(f32, [4])])
    builder.output(0, widened(narrowed(builder.input(0), element)))
    expand_for_c(builder.pipeline("rounding", None))
    (func,) = (op for op in builder.block.ops if isinstance(op, FuncOp))
    assert written_out(func, 1) == (ROUNDING_READS[element],)
