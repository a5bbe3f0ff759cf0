"""The nn dialect over random inputs: text is lossless, inferred extents are those of ONNX."""

import math

import ml_dtypes
import numpy as np
import onnx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper
from pointwise_ops import KINDS, build
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, f16, f32, f64, i1
from xdsl.dialects.func import Func, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.nn import NN
from autodeploy.dialects.nn.activation import ClipOp
from autodeploy.dialects.nn.constant import ConstantOp, DenseAttr
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import (
    CHANNELS_FIRST,
    CHANNELS_LAST,
    LayoutAttr,
)
from autodeploy.dialects.nn.movement import BroadcastOp, ConcatOp, ReshapeOp, SliceOp, TransposeOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.reduction import BatchNormOp, ReduceOp, Reduction, SoftmaxOp
from autodeploy.dialects.nn.tiled import kernel_in_out
from autodeploy.dialects.nn.types import ELEMENT_BYTES, ELEMENT_NAMES, is_float, tensor
from autodeploy.dialects.nn.window import AveragePoolOp, MaxPoolOp

ELEMENTS = list(ELEMENT_BYTES)
NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


def context() -> Context:
    ctx = Context()
    for dialect in (Builtin, Func, NN):
        ctx.load_dialect(dialect)
    return ctx


def reread(module: ModuleOp) -> ModuleOp:
    read = Parser(context(), str(module)).parse_module()
    read.verify()
    return read


@st.composite
def dense_values(draw: st.DrawFn) -> DenseAttr:
    element = draw(st.sampled_from(ELEMENTS))
    shape = draw(st.lists(st.integers(0, 4), max_size=3))
    count = 1 if draw(st.booleans()) else math.prod(shape)
    if element == i1:
        data = bytes(draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    else:
        size = count * ELEMENT_BYTES[element]
        data = draw(st.binary(min_size=size, max_size=size))
    return DenseAttr(data, tensor(element, shape))


@settings(max_examples=400)
@given(dense_values())
def test_any_dense_value_reads_back_to_the_same_bits(value: DenseAttr):
    module = ModuleOp([ConstantOp(value)])
    read = reread(module).body.block.first_op
    assert isinstance(read, ConstantOp)
    assert read.value == value
    assert str(reread(module)) == str(module)


SPECIAL = [
    math.nan, -math.nan, math.inf, -math.inf, 0.0, -0.0, 0.1, 1e300, 5e-324, 2.0**24 + 1, 65504.0,
    65519.0, 1e-45, 1.1754942e-38, 3.4028235e38, -6e-8, 1e16, 1e22, 123456789.0,
]  # fmt: skip


@pytest.mark.parametrize("element", [e for e in ELEMENTS if is_float(e)], ids=str)
@pytest.mark.parametrize("number", SPECIAL)
def test_special_numbers_read_back_to_the_same_bits(element, number):
    name = ELEMENT_NAMES[element]
    with np.errstate(over="ignore"):
        array = np.array(number, ml_dtypes.bfloat16 if name == "bfloat16" else name)
    for shape in ([], [1], [3]):
        value = DenseAttr(array.tobytes(), tensor(element, shape))
        read = reread(ModuleOp([ConstantOp(value)])).body.block.first_op
        assert isinstance(read, ConstantOp)
        assert read.value == value


def short_decimals_stay_short() -> list[tuple[float, str]]:
    return [
        (0.1, "0.1"),
        (0.5, "0.5"),
        (1e-7, "1.0e-07"),
        (40.0, "40.0"),
        (16777216.0, "16777216.0"),
        (-3.0, "-3.0"),
        (1 / 3, "0.33333334"),
    ]


@pytest.mark.parametrize(("number", "text"), short_decimals_stay_short())
def test_decimals_are_as_short_as_they_can_be(number: float, text: str):
    value = DenseAttr(np.float32(number).tobytes(), tensor(ELEMENTS[1], []))
    assert str(value) == f"#nn.dense<{text} : tensor<f32>>"


def random_op(draw: st.DrawFn, values: list[SSAValue]) -> Operation:
    """Build any nn op on some of the values; may raise ``VerifyException``."""
    kind = draw(st.integers(0, 16))
    images = [v for v in values if kind < 15 or len(v.type.get_shape()) in (3, 4)]
    x = draw(st.sampled_from(images))
    element = x.type.get_element_type()
    # Mostly operands of one element type, so that most attempts succeed.
    value = st.sampled_from([v for v in values if v.type.get_element_type() == element])
    shape = x.type.get_shape()
    rank = len(shape)
    layout = draw(st.sampled_from([CHANNELS_FIRST, CHANNELS_LAST]))
    small = st.integers(0, 2)
    pool = {
        "window": [draw(st.integers(1, 2)) for _ in shape[2:]],
        "strides": [draw(st.integers(1, 2))] * max(rank - 2, 0),
        "pads": draw(st.lists(small, min_size=max(2 * rank - 4, 0), max_size=max(2 * rank - 4, 0))),
        "dilations": [1] * max(rank - 2, 0),
        "layout": layout,
    }
    match kind:
        case 0 | 2 | 3 | 4:
            # A choice needs a boolean.
            conditions = [v for v in values if v.type.get_element_type() == i1]
            return build(
                draw(st.sampled_from(KINDS)),
                lambda name: draw(st.sampled_from(conditions) if name == "condition" else value),
                lambda: draw(NUMBERS),
                lambda: draw(st.sampled_from(ELEMENTS)),
            )
        case 1:
            return ClipOp(x, draw(st.none() | NUMBERS), draw(st.none() | NUMBERS))
        case 5:
            return ReshapeOp(x, draw(st.sampled_from([[math.prod(shape)], [1, *shape], shape])))
        case 6:
            return TransposeOp(x, draw(st.permutations(range(rank))))
        case 7:
            return BroadcastOp(x, [draw(st.integers(1, 2)), *shape])
        case 8:
            return ConcatOp([x, *draw(st.lists(value, max_size=2))], draw(small))
        case 9:
            steps = [draw(st.sampled_from([1, -1, 2])) for _ in shape]
            return SliceOp(x, [0 if s > 0 else n - 1 for s, n in zip(steps, shape, strict=True)],
                           [min(1, n) for n in shape], steps)  # fmt: skip
        case 10:
            return PadOp(x, [draw(small) for _ in range(2 * rank)], draw(NUMBERS))
        case 11:
            axes = draw(st.sets(st.integers(0, max(rank - 1, 0))))
            reduction = draw(st.sampled_from(list(Reduction)))
            return ReduceOp(x, reduction, sorted(axes), draw(st.booleans()))
        case 12:
            return SoftmaxOp(x, draw(small))
        case 13:
            c = draw(st.sampled_from(values[:1]))
            return BatchNormOp(x, c, c, c, c, draw(NUMBERS), layout)
        case 14:
            return MatMulOp(
                x, draw(value), draw(st.none() | value),
                transpose_lhs=draw(st.booleans()), transpose_rhs=draw(st.booleans()),
                accumulator=draw(st.none() | st.sampled_from(ELEMENTS)),
            )  # fmt: skip
        case 15:
            del pool["window"]
            filters = st.sampled_from([v for v in values if len(v.type.get_shape()) == rank])
            return ConvOp(
                x,
                draw(filters),
                draw(st.sampled_from([None, values[0]])),
                **pool,
                groups=draw(st.integers(1, 2)),
                filter_layout=draw(st.sampled_from([None, kernel_in_out(rank)])),
            )
        case _:
            pool["ceil_mode"] = draw(st.booleans())
            return draw(st.sampled_from([MaxPoolOp, AveragePoolOp]))(x, **pool)


@st.composite
def modules(draw: st.DrawFn) -> ModuleOp:
    element = draw(st.sampled_from([*ELEMENTS, f16, f32, f64]))
    shapes = [[2], [2, 2], [2, 2, 1], [1, 2, 2, 2], [2, 2, 1, 1], []]
    types = [*(tensor(element, shape) for shape in shapes), tensor(i1, [2])]
    block = Block(arg_types=types)
    values: list[SSAValue] = list(block.args)
    for _ in range(draw(st.integers(0, 2))):
        constant = ConstantOp(draw(dense_values()))
        block.add_op(constant)
        values.append(constant.result)
    for _ in range(draw(st.integers(1, 16))):
        try:
            op = random_op(draw, values)
        except VerifyException:
            continue
        block.add_op(op)
        values.extend(op.results)
    if len(values) > len(types):
        block.add_op(in_kernel(values[-1]))
    block.add_op(ReturnOp(values[-1]))
    return ModuleOp([FuncOp("main", (types, [values[-1].type]), Region(block))])


def in_kernel(x: SSAValue) -> KernelOp:
    body = Block(arg_types=[x.type])
    reshape = ReshapeOp(body.args[0], [math.prod(x.type.get_shape())])
    body.add_op(reshape)
    return KernelOp([x], body, [reshape.result])


@pytest.mark.exhaustive
@settings(max_examples=150)
@given(modules())
def test_any_graph_reads_back_as_it_was(module: ModuleOp):
    module.verify()
    read = reread(module)
    assert module.is_structurally_equivalent(read)
    assert str(read) == str(module)


@st.composite
def windows(draw: st.DrawFn, auto_pads: list[str]) -> dict:
    """Draw a window over one to three spatial axes, with explicit pads for every auto_pad."""
    rank = draw(st.integers(1, 3))

    def each(low: int, high: int, size: int = rank) -> list[int]:
        return draw(st.lists(st.integers(low, high), min_size=size, max_size=size))

    spatial, window, strides, dilations = each(1, 12), each(1, 4), each(1, 4), each(1, 3)
    auto_pad = draw(st.sampled_from(auto_pads))
    pads = [0] * (2 * rank)
    if auto_pad == "NOTSET":
        pads = each(0, 3, 2 * rank)
        assume(all(p < w for p, w in zip(pads, window * 2, strict=True)))
    elif auto_pad != "VALID":
        for axis in range(rank):
            covered = dilations[axis] * (window[axis] - 1) + 1
            count = -(-spatial[axis] // strides[axis])
            total = max((count - 1) * strides[axis] + covered - spatial[axis], 0)
            less, more = total // 2, total - total // 2
            pads[axis], pads[rank + axis] = (
                (less, more) if auto_pad == "SAME_UPPER" else (more, less)
            )
    for axis in range(rank):
        covered = dilations[axis] * (window[axis] - 1) + 1
        assume(spatial[axis] + pads[axis] + pads[rank + axis] >= covered)
    return {
        "spatial": spatial, "window": window, "strides": strides, "dilations": dilations,
        "auto_pad": auto_pad, "pads": pads,
    }  # fmt: skip


def onnx_shape(op_type: str, shapes: list[list[int]], attributes: dict) -> tuple[int, ...]:
    inputs = [
        helper.make_tensor_value_info(f"i{k}", TensorProto.FLOAT, shape)
        for k, shape in enumerate(shapes)
    ]
    node = helper.make_node(op_type, [i.name for i in inputs], ["y"], **attributes)
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "g", inputs, [output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)])
    inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    return tuple(d.dim_value for d in inferred.graph.output[0].type.tensor_type.shape.dim)


def attributes_of(config: dict) -> dict:
    attributes = {
        "kernel_shape": config["window"],
        "strides": config["strides"],
        "dilations": config["dilations"],
    }
    if config["auto_pad"] == "NOTSET":
        attributes["pads"] = config["pads"]
    else:
        attributes["auto_pad"] = config["auto_pad"]
    return attributes


def place(shape: list[int], layout: LayoutAttr) -> list[int]:
    return shape if layout == CHANNELS_FIRST else [shape[0], *shape[2:], shape[1]]


def argument(shape: list[int]) -> SSAValue:
    return Block(arg_types=[tensor(ELEMENTS[1], shape)]).args[0]


AUTO_PADS = ["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"]
LAYOUTS = st.sampled_from([CHANNELS_FIRST, CHANNELS_LAST])


@settings(max_examples=150)
@given(windows(AUTO_PADS), st.integers(1, 3), st.integers(1, 3), LAYOUTS)
def test_convolution_extents_are_those_of_onnx(
    config: dict, groups: int, per_group: int, layout: LayoutAttr
):
    shape = [2, 2 * groups, *config["spatial"]]
    weights = [per_group * groups, 2, *config["window"]]
    expected = onnx_shape("Conv", [shape, weights], {**attributes_of(config), "group": groups})
    conv = ConvOp(
        argument(place(shape, layout)),
        argument(weights),
        strides=config["strides"],
        pads=config["pads"],
        dilations=config["dilations"],
        groups=groups,
        layout=layout,
    )
    assert conv.result.type.get_shape() == tuple(place(list(expected), layout))


@settings(max_examples=250)
@given(windows(AUTO_PADS), st.booleans(), st.sampled_from(["MaxPool", "AveragePool"]), LAYOUTS)
def test_pool_extents_are_those_of_onnx(
    config: dict, ceil_mode: bool, op_type: str, layout: LayoutAttr
):
    # What ceil_mode means beside auto_pad SAME_*, ONNX leaves open: its pads already fit.
    ceil_mode = ceil_mode and config["auto_pad"] in ("NOTSET", "VALID")
    shape = [2, 3, *config["spatial"]]
    attributes = {**attributes_of(config), "ceil_mode": int(ceil_mode)}
    expected = onnx_shape(op_type, [shape], attributes)
    pool = (MaxPoolOp if op_type == "MaxPool" else AveragePoolOp)(
        argument(place(shape, layout)),
        window=config["window"],
        strides=config["strides"],
        pads=config["pads"],
        dilations=config["dilations"],
        ceil_mode=ceil_mode,
        layout=layout,
    )
    assert pool.result.type.get_shape() == tuple(place(list(expected), layout))
