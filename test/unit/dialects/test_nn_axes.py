"""What ops say of their axes is true of the numbers that they compute."""

import re

import numpy as np
import pytest
from nn_numpy import result_of
from xdsl.parser import Parser

from autodeploy.dialects.nn.axes import permuted_form, to_last
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.movement import TransposeOp
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.dialects.registry import new_context

WINDOW = (
    "window = array<i64: 3, 2>, strides = array<i64: 1, 2>, "
    "pads = array<i64: 1, 0, 1, 1>, dilations = array<i64: 1, 1>"
)
SLIDES = "strides = array<i64: 2, 1>, pads = array<i64: 1, 1, 0, 0>, dilations = array<i64: 1, 2>"
X = "tensor<2x3x4x5xf32>"
ANY_ORDER = {
    "exp": f"nn.exp %0 : ({X}) -> {X}",
    "add": f"nn.add %0, %1 : ({X}, {X}) -> {X}",
    "broadcast add": f"nn.add %0, %1 : ({X}, tensor<2x1x4x1xf32>) -> {X}",
    "softmax": f"nn.softmax %0 {{axis = 2 : i64}} : ({X}) -> {X}",
    "cumsum": f"nn.cumsum %0 {{axis = 1 : i64}} : ({X}) -> {X}",
    "concat": f"nn.concat %0, %1 {{axis = 2 : i64}} : ({X}, {X}) -> tensor<2x3x8x5xf32>",
    "slice": "nn.slice %0 {starts = array<i64: 1, 0, 3, 0>, sizes = array<i64: 1, 3, 2, 5>, "
    f"steps = array<i64: 1, 1, -2, 1>}} : ({X}) -> tensor<1x3x2x5xf32>",
    "pad": f"nn.pad %0 {{pads = array<i64: 0, 1, 0, 2, 0, 0, 0, 1>, value = 2.0 : f64}} : ({X}) "
    "-> tensor<2x4x4x8xf32>",
    "reduce": "nn.reduce %0 {kind = #nn<reduction max>, axes = array<i64: 1, 3>} : "
    f"({X}) -> tensor<2x4xf32>",
    "kept reduce": "nn.reduce %0 {kind = #nn<reduction sum>, axes = array<i64: 0, 2>, "
    f"keepdims = true}} : ({X}) -> tensor<1x3x1x5xf32>",
    "arg reduce": "nn.arg_reduce %0 {kind = #nn<reduction min>, axis = 2 : i64} : "
    f"({X}) -> tensor<2x3x5xi32>",
    "resize": "nn.resize %0 {interpolation = #nn<interpolation linear>, "
    "numerators = array<i64: 1, 1, 1, 5>, offsets = array<i64: 0, 0, -1, 0>, "
    f"denominators = array<i64: 1, 1, 2, 7>}} : ({X}) -> tensor<2x3x8x7xf32>",
    "gather": f"nn.gather %0, %1 {{axis = 2 : i64}} : ({X}, tensor<3xi64>) -> tensor<2x3x3x5xf32>",
    "gather one": f"nn.gather %0, %1 {{axis = 1 : i64}} : ({X}, tensor<i64>) -> tensor<2x4x5xf32>",
    "gather elements": f"nn.gather_elements %0, %1 {{axis = 3 : i64}} : ({X}, "
    "tensor<2x3x4x2xi64>) -> tensor<2x3x4x2xf32>",
}  # fmt: skip
IMAGES = {
    "max pool": f"nn.max_pool %0 {{{WINDOW}}} : ({X}) -> tensor<2x3x4x3xf32>",
    "batch norm": f"nn.batch_norm %0, %1, %1, %1, %1 {{epsilon = 1.0 : f64}} : ({X}, "
    f"tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> {X}",
}
BOUND_TO_ORDER = {
    "reshape": f"nn.reshape %0 : ({X}) -> tensor<2x12x5xf32>",
    "flat": f"nn.reshape %0 : ({X}) -> tensor<2x60xf32>",
    "conv": f"nn.conv %0, %1, %2 {{{SLIDES}}} : ({X}, tensor<4x3x2x2xf32>, tensor<4xf32>) -> "
    "tensor<2x4x2x4xf32>",
    "depthwise conv": f"nn.conv %0, %1 {{{SLIDES}, groups = 3 : i64}} : ({X}, "
    "tensor<6x1x2x2xf32>) -> tensor<2x6x2x4xf32>",
    "matmul": f"nn.matmul %0, %1 {{transpose_rhs = true}} : ({X}, tensor<7x5xf32>) -> "
    "tensor<2x3x4x7xf32>",
    "transposed matmul": f"nn.matmul %0, %1, %2 {{transpose_lhs = true}} : ({X}, "
    "tensor<3x4x6xf32>, tensor<6xf32>) -> tensor<2x3x5x6xf32>",
}


def parsed(text):
    """Return an op on values of its own, the context, and random arrays for its operands."""
    types = re.search(r" : \((.*)\) ->", text).group(1)
    operands = dict(zip(re.findall(r"%\d", text), re.findall(r"tensor<[^>]*>", types), strict=True))
    arguments = ", ".join(f"{name}: {type_}" for name, type_ in operands.items())
    source = f"func.func @f({arguments}) {{\n%r = {text}\nfunc.return\n}}"
    ctx = new_context()
    module = Parser(ctx, source).parse_module()
    (op,) = (op for op in module.walk() if isinstance(op, NNOp))
    rng = np.random.default_rng(7)
    arrays = {}
    for value in op.operands:
        shape = shape_of(value.type)
        floats = str(element_of(value.type)) == "f32"
        arrays[value] = (
            rng.random(shape, np.float32) + 0.5 if floats else rng.integers(-2, 2, shape)
        )
    return ctx, op, arrays


ORDERS = [(0, 2, 3, 1), (3, 1, 0, 2)]
PERMUTED = [
    *((text, order) for text in ANY_ORDER.values() for order in ORDERS),
    *((text, to_last(4)) for text in IMAGES.values()),
]


@pytest.mark.parametrize(("text", "order"), PERMUTED)
def test_permuted_form_computes_the_same(text, order):
    ctx, op, arrays = parsed(text)
    form = permuted_form(op, order)
    assert form is not None
    aligned = list(op.aligned_operands)
    new = form.on([TransposeOp(value, order).result for value in aligned])
    new.verify_()
    permuted = [
        arrays[value].transpose(order) if index < len(aligned) else arrays[value]
        for index, value in enumerate(op.operands)
    ]
    expected = result_of(ctx, op, [arrays[value] for value in op.operands])
    found = result_of(ctx, new, permuted)
    assert found.shape == shape_of(new.result.type)
    np.testing.assert_allclose(found, expected.transpose(form.order), rtol=1e-5)


@pytest.mark.parametrize("text", BOUND_TO_ORDER.values(), ids=BOUND_TO_ORDER)
def test_other_orders_are_refused(text):
    _ctx, op, _arrays = parsed(text)
    assert permuted_form(op, (3, 1, 0, 2)) is None


def test_an_image_has_two_orders():
    _ctx, op, _arrays = parsed(IMAGES["max pool"])
    assert permuted_form(op, (3, 1, 0, 2)) is None
    last = permuted_form(op, to_last(4))
    assert permuted_form(last.on([TransposeOp(op.x, to_last(4)).result]), to_last(4)) is None


READS = {**ANY_ORDER, **IMAGES, **BOUND_TO_ORDER}


@pytest.mark.parametrize("text", READS.values(), ids=READS)
def test_reads_are_those_of_the_numbers(text):
    """An element matters only to the places along an axis at which the op says that it reads it."""
    ctx, op, arrays = parsed(text)
    operands = [arrays[value] for value in op.operands]
    expected = result_of(ctx, op, operands)
    for index, operand in enumerate(operands):
        for axis, read in enumerate(op.axis_reads(index) or ()):
            if read is None or not read.inner or read.iterator >= expected.ndim:
                continue
            for place in range(operand.shape[axis]):
                changed, there = operand.copy(), (slice(None),) * axis + (place,)
                # A sum by itself leaves the place of the largest number where it is.
                turned = operand.dtype.kind == "f"
                changed[there] = 3 - 2 * changed[there] if turned else changed[there] + 1
                found = result_of(ctx, op, [*operands[:index], changed, *operands[index + 1 :]])
                rows = np.moveaxis(found != expected, read.iterator, 0)
                places = np.flatnonzero(rows.reshape(len(rows), -1).any(axis=1))
                wanted = range(place * read.inner, (place + 1) * read.inner)
                assert set(places) <= set(wanted)
                assert not len(rows) or len(places) == len(wanted) or index > 1


def test_reads_of_sums_name_the_same_iterator():
    for text, axes in {
        "conv": ((0, 1), (1, 1)), "matmul": ((0, 3), (1, 1)), "transposed matmul": ((0, 2), (1, 1))
    }.items():  # fmt: skip
        _ctx, op, _arrays = parsed(READS[text])
        first, second = (op.axis_reads(index)[axis] for index, axis in axes)
        assert first == second
        assert first.iterator >= len(shape_of(op.result.type))
