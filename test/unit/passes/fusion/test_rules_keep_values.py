"""The fusion rules keep what a graph computes: NumPy runs it before and after them."""

import math
from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from autodeploy.analysis.evaluation import apply_body
from autodeploy.dialects.nn import NN
from autodeploy.dialects.nn.activation import (
    ErfOp,
    ReluOp,
    SigmoidOp,
    TanhOp,
)
from autodeploy.dialects.nn.arithmetic import AddOp, CastOp, DivOp, ExpOp, MinOp, MulOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp, YieldOp
from autodeploy.dialects.nn.layout import (
    CHANNELS_FIRST,
    CHANNELS_LAST,
    channel_axis,
)
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.reduction import BatchNormOp
from autodeploy.dialects.nn.structure import StructuredOp
from autodeploy.dialects.nn.tiled import TiledAttr, kernel_in_out, packed_filter
from autodeploy.dialects.nn.types import shape_of, tensor
from autodeploy.passes.fusion.fuse import FusePass
from autodeploy.passes.fusion.pdl.executor import apply_patterns, load_patterns
from autodeploy.passes.fusion.registry import pattern_files
from autodeploy.passes.kernels.form_kernels import FormKernelsPass
from autodeploy.weights import Array, WeightStore, element_type

CONTEXT = Context()  # one for all, so that the patterns are compiled once
for dialect in (Builtin, Func, NN):
    CONTEXT.load_dialect(dialect)


class Graph:
    """A function under construction, and what NumPy computes for it in float64."""

    def __init__(self, *inputs: Array):
        self.ctx = CONTEXT
        self.inputs = inputs
        self.dtype = inputs[0].dtype
        types = [tensor(element_type(x.dtype), x.shape) for x in inputs]
        self.block = Block(arg_types=types)

    def constant(self, array: Array) -> SSAValue:
        value = WeightStore.of(self.ctx).attribute(np.asarray(array, self.dtype))
        return self.add(ConstantOp(value))

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def finish(self, result: SSAValue) -> ModuleOp:
        self.block.add_op(ReturnOp(result))
        types = [argument.type for argument in self.block.args]
        return ModuleOp([FuncOp("main", (types, [result.type]), Region(self.block))])

    def run(self, module: ModuleOp) -> Array:
        module.verify()
        function = module.body.block.first_op
        assert isinstance(function, FuncOp)
        (result,) = self.evaluate(function.body.block, [x.astype(np.float64) for x in self.inputs])
        return result

    def evaluate(self, block: Block, arguments: Sequence[Array]) -> list[Array]:
        values = dict(zip(block.args, arguments, strict=True))
        for op in block.ops:
            operands = [values[operand] for operand in op.operands]
            if isinstance(op, ReturnOp | YieldOp):
                return operands
            if isinstance(op, KernelOp):
                results = self.evaluate(op.body.block, operands)
            else:
                results = [self.compute(op, operands)]
            values.update(zip(op.results, results, strict=True))
        raise AssertionError("a block without an end")

    def compute(self, op: Operation, operands: list[Array]) -> Array:
        match op:
            case ConstantOp():
                return WeightStore.of(self.ctx).array(op.value).astype(np.float64)
            case CastOp():
                return operands[0]
            case StructuredOp():
                return apply_body(op, operands)
            case ReshapeOp():
                return operands[0].reshape(shape_of(op.result.type))
            case PadOp():
                pads = op.pads.get_values()
                widths = list(zip(pads[: len(pads) // 2], pads[len(pads) // 2 :], strict=True))
                return np.pad(operands[0], widths, constant_values=op.value.value.data)
            case _:
                raise AssertionError(f"no values of {op.name}")


def out_in_kernel(weights: Array, layout: TiledAttr | None) -> Array:
    """Return a stored filter as O I K…, element by element."""
    if layout is None:
        return weights
    plain = np.empty(layout.logical_shape(weights.shape))
    for element in np.ndindex(plain.shape):
        plain[element] = weights[tuple(layout.index(element))]
    return plain


def placed(weights: Array, layout: TiledAttr | None) -> Array:
    """Store a filter of O I K…."""
    if layout is None:
        return weights
    if layout.tiling is None:
        return weights.transpose(layout.axes)
    size, groups = layout.tiling.size, layout.tiling.groups
    tiles = weights.reshape(-1, groups, size // groups, *weights.shape[1:]).swapaxes(1, 2)
    tiles = tiles.reshape(-1, size, *weights.shape[1:])
    return np.moveaxis(tiles, (0, 1, 2), (0, -1, -2))


def apply_rule(graph: Graph, module: ModuleOp, rule: str) -> int:
    return apply_patterns(graph.ctx, module, load_patterns(graph.ctx, pattern_files()[rule]))


def names(module: ModuleOp) -> set[str]:
    return {op.name for op in module.walk()}


def norm_parameters(random: np.random.Generator, channels: int) -> list[Array]:
    scale, shift, mean = random.normal(size=(3, channels))
    return [scale, shift, mean, random.uniform(0.1, 2, channels)]


@st.composite
def convolutions(draw: st.DrawFn) -> tuple[Graph, ConvOp]:
    """Draw a graph that ends in a convolution with a constant filter, maybe with a bias."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rank, groups = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    layout = draw(st.sampled_from([CHANNELS_FIRST, CHANNELS_LAST]))
    packed = packed_filter(rank + 2, 2), packed_filter(rank + 2, 4, 2)
    layouts = [None, kernel_in_out(rank + 2), *packed[:groups]]
    filter_layout = draw(st.sampled_from(layouts))
    in_channels, out_channels = groups * draw(st.integers(1, 2)), 2 * groups
    spatial = [draw(st.integers(3, 5)) for _ in range(rank)]
    window = [draw(st.integers(1, 3)) for _ in range(rank)]
    x = random.normal(size=(1, in_channels, *spatial)).astype(np.float32)
    graph = Graph(np.moveaxis(x, 1, -1) if layout == CHANNELS_LAST else x)
    weights = random.normal(size=(out_channels, in_channels // groups, *window))
    conv = ConvOp(
        graph.block.args[0],
        graph.constant(placed(weights, filter_layout)),
        graph.constant(random.normal(size=out_channels)) if draw(st.booleans()) else None,
        strides=[draw(st.integers(1, 2)) for _ in range(rank)],
        pads=[draw(st.integers(0, 1)) for _ in range(2 * rank)],
        dilations=[1] * rank,
        groups=groups,
        layout=layout,
        filter_layout=filter_layout,
    )
    graph.add(conv)
    return graph, conv


def channels_of(op: ConvOp) -> tuple[int, list[int]]:
    """Return the number of channels and the shape of one value a channel that broadcasts."""
    shape = shape_of(op.result.type)
    axis = channel_axis(op.layout, len(shape))
    return shape[axis], [shape[axis], *[1] * (len(shape) - 1 - axis)]


@settings(max_examples=60)
@given(convolutions(), st.integers(0, 2**32 - 1))
def test_batch_norm_folds_into_a_convolution(drawn: tuple[Graph, ConvOp], seed: int):
    graph, conv = drawn
    channels, _ = channels_of(conv)
    parameters = norm_parameters(np.random.default_rng(seed), channels)
    norm = BatchNormOp(conv.result, *map(graph.constant, parameters), 1e-3, conv.layout)
    module = graph.finish(graph.add(norm))
    expected = graph.run(module)
    assert apply_rule(graph, module, "fuse-conv-batch-norm") == 1
    assert "nn.batch_norm" not in names(module)
    np.testing.assert_allclose(graph.run(module), expected, rtol=1e-4, atol=1e-5)


@settings(max_examples=40)
@given(
    st.integers(0, 2**32 - 1), st.booleans(), st.booleans(),
    st.sampled_from([None, (3,), (1, 3), (), (1,), (2, 1), (2, 3)]),
)  # fmt: skip
def test_batch_norm_folds_into_a_matrix_product(
    seed: int, transpose_lhs: bool, transpose_rhs: bool, bias: tuple[int, ...] | None
):
    random = np.random.default_rng(seed)
    lhs, rhs = random.normal(size=(2, 4)), random.normal(size=(4, 3))
    graph = Graph((lhs.T if transpose_lhs else lhs).astype(np.float32))
    product = MatMulOp(
        graph.block.args[0],
        graph.constant(rhs.T if transpose_rhs else rhs),
        None if bias is None else graph.constant(random.normal(size=bias)),
        transpose_lhs=transpose_lhs,
        transpose_rhs=transpose_rhs,
    )
    parameters = map(graph.constant, norm_parameters(random, 3))
    norm = BatchNormOp(graph.add(product), *parameters, 1e-5)
    module = graph.finish(graph.add(norm))
    expected = graph.run(module)
    assert apply_rule(graph, module, "fuse-matmul-batch-norm") == 1
    assert "nn.batch_norm" not in names(module)
    np.testing.assert_allclose(graph.run(module), expected, rtol=1e-4, atol=1e-5)


STEPS = ["add", "mul", "norm", "relu", "relu6", "residual", "tanh", "swish", "scalar"]


def append(graph: Graph, x: SSAValue, step: str, conv: ConvOp, random: np.random.Generator):
    """Append one step to a chain that has the type of the convolution's result."""
    channels, shape = channels_of(conv)
    pair = [x, None] if random.integers(2) else [None, x]

    def binary(kind: type[AddOp | MulOp], other: SSAValue) -> SSAValue:
        return graph.add(kind(*(other if value is None else value for value in pair)))

    match step:
        case "add":
            return binary(AddOp, graph.constant(random.normal(size=shape)))
        case "mul":
            return binary(MulOp, graph.constant(random.normal(size=shape)))
        case "scalar":
            return binary(MulOp, graph.constant(random.normal()))
        case "norm":
            parameters = map(graph.constant, norm_parameters(random, channels))
            return graph.add(BatchNormOp(x, *parameters, 1e-3, conv.layout))
        case "relu":
            return graph.add(ReluOp(x))
        case "relu6":
            return graph.add(MinOp(graph.add(ReluOp(x)), graph.constant(6.0)))
        case "residual":
            return binary(AddOp, graph.add(ExpOp(graph.add(TanhOp(conv.result)))))
        case "tanh":
            return graph.add(TanhOp(x))
        case _:
            return graph.add(MulOp(x, graph.add(SigmoidOp(x))))


@settings(max_examples=120)
@given(
    convolutions(), st.lists(st.sampled_from(STEPS), min_size=1, max_size=5),
    st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_all_rules_together_keep_the_results_of_a_chain(
    drawn: tuple[Graph, ConvOp], steps: list[str], seed: int
):
    graph, conv = drawn
    random = np.random.default_rng(seed)
    value = conv.result
    for step in steps:
        value = append(graph, value, step, conv, random)
    module = graph.finish(value)
    expected = graph.run(module)
    FusePass().apply(graph.ctx, module)
    np.testing.assert_allclose(graph.run(module), expected, rtol=1e-3, atol=1e-4)
    FormKernelsPass().apply(graph.ctx, module)
    np.testing.assert_allclose(graph.run(module), expected, rtol=1e-3, atol=1e-4)
    left = names(module) - {"nn.kernel", "nn.constant", "nn.yield", "nn.reshape"}
    at_function_level = {op.name for op in module.body.block.first_op.body.block.ops}
    assert not left & at_function_level - {"func.return"}


SCALES = ["add", "mul", "norm", "mul add", "norm mul", "norm add", "norm mul add"]


@settings(max_examples=40)
@given(convolutions(), st.sampled_from(SCALES))
def test_ops_of_exporters_after_a_convolution_are_folded(drawn: tuple[Graph, ConvOp], steps: str):
    graph, conv = drawn
    value = conv.result
    for step in steps.split():
        value = append(graph, value, step, conv, np.random.default_rng(0))
    module = graph.finish(value)
    expected = graph.run(module)
    FusePass().apply(graph.ctx, module)
    assert names(module) == {"builtin.module", "func.func", "func.return", "nn.constant", "nn.conv"}
    np.testing.assert_allclose(graph.run(module), expected, rtol=1e-3, atol=1e-4)


@settings(max_examples=30)
@given(convolutions(), st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_zero_padding_moves_into_a_convolution(drawn: tuple[Graph, ConvOp], added: list[int]):
    graph, conv = drawn
    rank = len(shape_of(conv.x.type)) - 2
    first = 2 if conv.layout == CHANNELS_FIRST else 1
    pads = [0] * (2 * rank + 4)
    for axis in range(rank):
        pads[first + axis], pads[rank + 2 + first + axis] = added[axis], added[2 + axis]
    pad = PadOp(conv.x, pads)
    graph.block.insert_op_before(pad, conv)
    wider = ConvOp(
        pad.result,
        conv.filter,
        conv.bias,
        strides=conv.strides.get_values(),
        pads=conv.pads.get_values(),
        dilations=conv.dilations.get_values(),
        groups=conv.groups.value.data,
        layout=conv.layout,
        filter_layout=conv.filter_layout,
    )
    graph.add(wider)
    Rewriter.erase_op(conv)
    module = graph.finish(wider.result)
    expected = graph.run(module)
    assert apply_rule(graph, module, "fuse-pad-conv") == 1
    assert "nn.pad" not in names(module)
    np.testing.assert_array_equal(graph.run(module), expected)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
def test_folded_parameters_are_rounded_once(dtype: type):
    graph = Graph(np.ones((1, 1, 1), dtype))
    third = np.asarray([1 / 3], dtype)
    conv = ConvOp(
        graph.block.args[0], graph.constant(third.reshape(1, 1, 1)),
        strides=[1], pads=[0, 0], dilations=[1],
    )  # fmt: skip
    graph.add(conv)
    parameters = [np.asarray([value]) for value in (0.7, 0.1, 0.3, 2.0)]
    norm = BatchNormOp(conv.result, *map(graph.constant, parameters), 1e-5)
    module = graph.finish(graph.add(norm))
    scale, shift, mean, variance = (p.astype(dtype).astype(np.float64) for p in parameters)
    factor = scale / np.sqrt(variance + 1e-5)
    apply_rule(graph, module, "fuse-conv-batch-norm")
    constants = [op for op in module.walk() if isinstance(op, ConstantOp)]
    found = [WeightStore.of(graph.ctx).array(op.value).reshape(-1) for op in constants]
    assert [array.dtype for array in found] == [dtype, dtype]
    assert found[0] == (third.astype(np.float64) * factor).astype(dtype)
    assert found[1] == (shift - mean * factor).astype(dtype)


@settings(max_examples=40)
@given(
    st.integers(0, 2),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_gelu_agrees_with_the_replaced_ops(
    grouping: int, swaps: list[bool], divide: bool, seed: int
):
    graph = Graph(np.random.default_rng(seed).normal(size=5).astype(np.float32))
    x = graph.block.args[0]

    def product(lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return graph.add(MulOp(rhs, lhs) if swaps.pop() else MulOp(lhs, rhs))

    half, one = graph.constant(0.5), graph.constant(1.0)
    if divide:
        scaled = graph.add(DivOp(x, graph.constant(math.sqrt(2))))
    else:
        scaled = product(x, graph.constant(math.sqrt(0.5)))
    erf_of_x = graph.add(ErfOp(scaled))
    term = graph.add(AddOp(one, erf_of_x) if swaps.pop() else AddOp(erf_of_x, one))
    a, b, c = [(x, half, term), (x, term, half), (half, term, x)][grouping]
    module = graph.finish(product(product(a, b), c))
    expected = graph.run(module)
    assert apply_rule(graph, module, "fuse-gelu") == 1
    assert names(module) == {"builtin.module", "func.func", "func.return", "nn.gelu"}
    np.testing.assert_allclose(graph.run(module), expected, rtol=1e-5, atol=1e-6)


@settings(max_examples=20)
@given(
    st.integers(0, 2),
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.integers(0, 2**32 - 1),
)
def test_gate_is_the_tanh_that_it_replaces(grouping: int, swaps: list[bool], seed: int):
    graph = Graph(*np.random.default_rng(seed).normal(size=(2, 5)).astype(np.float32))
    x, y = graph.block.args

    def product(lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return graph.add(MulOp(rhs, lhs) if swaps.pop() else MulOp(lhs, rhs))

    half, one, bend = graph.constant(0.5), graph.constant(1.0), graph.add(TanhOp(y))
    term = graph.add(AddOp(one, bend) if swaps.pop() else AddOp(bend, one))
    a, b, c = [(x, half, term), (x, term, half), (half, term, x)][grouping]
    module = graph.finish(product(product(a, b), c))
    expected = graph.run(module)
    assert apply_rule(graph, module, "fuse-tanh-gate") == 1
    assert names(module) == {"builtin.module", "func.func", "func.return", "nn.add", "nn.gate"}
    np.testing.assert_allclose(graph.run(module), expected, rtol=1e-5, atol=1e-6)
