"""What contractions say of their structure: maps, windows, and sums by these alone."""

from __future__ import annotations

import numpy as np
import pytest
from own_numbers import OwnNumbers
from xdsl.dialects.builtin import f32
from xdsl.utils.test_value import create_ssa_value

from autodeploy.analysis.evaluation import evaluate
from autodeploy.dialects.nn.base import AxisRead
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.layout import CHANNELS_FIRST, CHANNELS_LAST, FIRST_TO_LAST, LayoutAttr
from autodeploy.dialects.nn.structure import WindowRead
from autodeploy.dialects.nn.tiled import TiledAttr, Tiling, kernel_in_out, packed_filter
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import tensor

RNG = OwnNumbers(3)
IMAGE = RNG.random((2, 6, 7, 5), np.float32)
BIAS = RNG.random(8, np.float32)


def conv(
    image: tuple[int, ...],
    filter_: tuple[int, ...],
    groups: int = 1,
    layout: LayoutAttr = CHANNELS_FIRST,
    filter_layout: TiledAttr | None = None,
) -> ConvOp:
    x, w, bias = (create_ssa_value(tensor(f32, shape)) for shape in (image, filter_, (8,)))
    return ConvOp(
        x,
        w,
        bias,
        strides=[2, 1],
        pads=[1, 0, 0, 2],
        dilations=[1, 2],
        groups=groups,
        layout=layout,
        filter_layout=filter_layout,
    )


def summed(weights: np.ndarray, groups: int) -> np.ndarray:
    """Return the convolution of ``IMAGE``, element by element."""
    padded = np.pad(IMAGE.astype(np.float64), [(0, 0), (0, 0), (1, 0), (0, 2)])
    inputs, outputs = weights.shape[1], 8 // groups
    result = np.zeros((2, 8, 3, 5))
    for n, o, y, x in np.ndindex(*result.shape):
        first = o // outputs * inputs
        window = padded[n, first : first + inputs, 2 * y : 2 * y + 3, x : x + 3 : 2]
        result[n, o, y, x] = (window * weights[o]).sum() + BIAS[o]
    return result


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("layout", [CHANNELS_FIRST, CHANNELS_LAST, FIRST_TO_LAST])
@pytest.mark.parametrize("stored", ["as it is", "kernel in out", "packed", "interleaved"])
def test_a_convolution_follows_its_maps(groups, layout, stored) -> None:
    weights = RNG.random((8, 6 // groups, 3, 2), np.float32)
    expected = summed(weights, groups)
    filter_layout, filter_ = None, weights
    if stored == "kernel in out":
        filter_layout, filter_ = kernel_in_out(4), weights.transpose(2, 3, 1, 0)
    elif stored == "packed":
        filter_layout = packed_filter(4, 4)
        filter_ = weights.reshape(2, 4, *weights.shape[1:]).transpose(0, 3, 4, 2, 1)
    elif stored == "interleaved":
        filter_layout = packed_filter(4, 8, 2)
        filter_ = weights[[0, 4, 1, 5, 2, 6, 3, 7]].transpose(2, 3, 1, 0)[None]
    image = IMAGE if layout != CHANNELS_LAST else IMAGE.transpose(0, 2, 3, 1)
    op = conv(image.shape, filter_.shape, groups, layout, filter_layout)
    found = evaluate(op, [image, filter_, BIAS])
    if layout != CHANNELS_FIRST:
        expected = expected.transpose(0, 2, 3, 1)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_windows_of_a_convolution() -> None:
    first = conv((2, 6, 7, 5), (8, 6, 3, 2))
    assert first.multiply_adds == 2 * 8 * 3 * 5 * 6 * 3 * 2
    assert first.window_reads() == (WindowRead(2, 2, 3, 2), WindowRead(3, 3, 3, 1))
    planes = conv((2, 6, 7, 5), (8, 6, 3, 2), layout=FIRST_TO_LAST)
    assert planes.window_reads() == (WindowRead(2, 1, 3, 2), WindowRead(3, 2, 3, 1))


def test_a_product_of_packed_columns() -> None:
    lhs, rhs, bias = (RNG.random(shape, np.float32) for shape in ((3, 5), (5, 7), (1, 1)))
    wide = np.pad(rhs, [(0, 0), (0, 1)])
    packed = wide.reshape(5, 2, 4).transpose(1, 0, 2)
    values = [create_ssa_value(tensor(f32, x.shape)) for x in (lhs, rhs, bias)]
    op = MatMulOp(values[0], values[1], values[2])
    np.testing.assert_allclose(evaluate(op, [lhs, rhs, bias]), lhs @ rhs + bias, rtol=1e-5)
    assert op.multiply_adds == 3 * 5 * 7
    op.operands[1] = create_ssa_value(tensor(f32, packed.shape))
    op.rhs_layout = TiledAttr((1, 0), Tiling(1, 4, 7))
    op.verify_()
    np.testing.assert_allclose(evaluate(op, [lhs, packed, bias]), lhs @ rhs + bias, rtol=1e-5)


def test_a_transposed_convolution_has_no_map() -> None:
    """It reads each image for itself; where in an image is known for no axis."""
    x, w = (create_ssa_value(tensor(f32, shape)) for shape in ((1, 4, 5, 5), (3, 4, 2, 2)))
    op = ConvTransposeOp(
        x, w, strides=[2, 2], pads=[0] * 4, dilations=[1, 1], output_padding=[0, 0]
    )
    assert op.indexing_maps[0] is None
    assert op.axis_reads(0) == [AxisRead(0), None, None, None]
    assert op.window_reads() == ()
    assert op.multiply_adds == 4 * 5 * 5 * 3 * 2 * 2
