"""Convolutions, pools, fully connected layers and resizing of tmfiles."""

import numpy as np
import pytest
from own_numbers import OwnNumbers
from tmfile_cases import refused, run
from tmfile_writer import TmfileWriter

RANDOM = OwnNumbers(0)
X = RANDOM.standard_normal((1, 2, 7, 6)).astype(np.float32)
W = RANDOM.standard_normal((4, 2, 3, 2)).astype(np.float32)
BIAS = np.arange(4, dtype=np.float32)


def convolved(x, w, pads, strides=(1, 1), dilations=(1, 1)):
    """One group, plainly; ``pads`` are top, left, bottom, right."""
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3]))).astype(np.float64)
    spans = [d * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
    shape = [(n - s) // t + 1 for n, s, t in zip(x.shape[2:], spans, strides, strict=True)]
    out = np.zeros((x.shape[0], w.shape[0], *shape))
    for i in range(shape[0]):
        for j in range(shape[1]):
            top, left = i * strides[0], j * strides[1]
            part = x[
                :, :, top : top + spans[0] : dilations[0], left : left + spans[1] : dilations[1]
            ]
            out[:, :, i, j] = np.einsum("nchw,ochw->no", part, w)
    return out


def conv_parameters(strides=(1, 1), dilations=(1, 1), group=1, activation=-1, pads=(0, 0, 0, 0)):
    return (3, 2, *strides, *dilations, 2, 4, group, activation, *pads)


@pytest.mark.parametrize(
    ("parameters", "pads", "strides", "dilations"),
    [
        (conv_parameters(), (0, 0, 0, 0), (1, 1), (1, 1)),
        (conv_parameters((2, 1), (1, 2), pads=(1, 0, 2, 1)), (1, 0, 2, 1), (2, 1), (1, 2)),
        (conv_parameters((2, 2), pads=(-1, -1, 0, 0)), (1, 0, 1, 0), (2, 2), (1, 1)),
        (conv_parameters((1, 1), pads=(-1, -1, 0, 0)), (1, 0, 1, 1), (1, 1), (1, 1)),
        (conv_parameters((1, 1), pads=(-2, -2, 0, 0)), (1, 1, 1, 0), (1, 1), (1, 1)),
    ],
)
def test_convolution(parameters, pads, strides, dilations):
    file = TmfileWriter()
    inputs = [file.input("x", X.shape), file.constant("w", W), file.constant("b", BIAS)]
    found = run(file, file.node(5, inputs, "14i", *parameters), X)
    expected = convolved(X, W, pads, strides, dilations) + BIAS.reshape(4, 1, 1)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("activation", "function"),
    [
        (0, lambda x: np.maximum(x, 0)),
        (1, lambda x: np.clip(x, 0, 1)),
        (6, lambda x: np.clip(x, 0, 6)),
    ],
)
def test_folded_activation(activation, function):
    file = TmfileWriter()
    inputs = [file.input("x", X.shape), file.constant("w", W)]
    found = run(file, file.node(5, inputs, "14i", *conv_parameters(activation=activation)), X)
    expected = function(convolved(X, W, (0, 0, 0, 0)))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_groups():
    w = W[:, :1]
    file = TmfileWriter()
    inputs = [file.input("x", X.shape), file.constant("w", w)]
    found = run(file, file.node(5, inputs, "14i", *conv_parameters(group=2)), X)
    parts = [convolved(X[:, g : g + 1], w[2 * g : 2 * g + 2], (0, 0, 0, 0)) for g in range(2)]
    np.testing.assert_allclose(found, np.concatenate(parts, 1), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        (conv_parameters(activation=-3), "activation -3 is unknown"),
        (conv_parameters(strides=(0, 1)), "strides must be at least 1"),
        (conv_parameters(strides=(0, 1), pads=(-1, -1, 0, 0)), "strides must be at least 1"),
        (conv_parameters(pads=(-5, 0, 0, 0)), "pads must be at least 0"),
        ((5, *conv_parameters()[1:]), "a window of 5x2 contradicts filter"),
    ],
)
def test_convolution_refused(parameters, text):
    file = TmfileWriter()
    out = file.node(5, [file.input("x", X.shape), file.constant("w", W)], "14i", *parameters)
    assert text in refused(file, out)


def transposed(x, w, strides, pads, extra):
    """``w`` has the input channels first; ``pads`` are top, left, bottom, right."""
    n, _, h, v = x.shape
    kh, kw = w.shape[2:]
    whole = np.zeros((n, w.shape[1], (h - 1) * strides[0] + kh + extra[0],
                      (v - 1) * strides[1] + kw + extra[1]))  # fmt: skip
    for i in range(h):
        for j in range(v):
            copy = np.einsum("nc,cokl->nokl", x[:, :, i, j], w)
            top, left = i * strides[0], j * strides[1]
            whole[:, :, top : top + kh, left : left + kw] += copy
    bottom, right = whole.shape[2] - pads[2], whole.shape[3] - pads[3]
    return whole[:, :, pads[0] : bottom, pads[1] : right]


@pytest.mark.parametrize("extra", [None, (1, 0)])
def test_deconvolution(extra):
    """The pads stand as left, top, right, bottom; old files have no extra extents."""
    w = RANDOM.standard_normal((2, 3, 3, 2)).astype(np.float32)
    file = TmfileWriter()
    inputs = [file.input("x", X.shape), file.constant("w", w)]
    values = (3, 3, 2, 2, 1, 0, 1, 1, 2, 1, 1, 1, -1, *(extra or ()))
    found = run(file, file.node(6, inputs, f"{len(values)}i", *values), X)
    expected = transposed(X, w, (2, 1), (1, 0, 2, 1), extra or (0, 0))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_fully_connected():
    w = RANDOM.standard_normal((3, 84)).astype(np.float32)
    file = TmfileWriter()
    inputs = [file.input("x", X.shape), file.constant("w", w), file.constant("b", BIAS[:3])]
    found = run(file, file.node(11, inputs, "i", 3), X)
    np.testing.assert_allclose(found, X.reshape(1, 84) @ w.T + BIAS[:3], rtol=1e-4, atol=1e-5)


def test_fully_connected_refused():
    file = TmfileWriter()
    weight = file.constant("w", np.ones((3, 84), np.float32))
    out = file.node(11, [file.input("x", X.shape), weight], "i", 0)
    assert "has no 0 rows" in refused(file, out)


def pooled(x, window, strides, pads, shape, function):
    """Apply ``function`` to what each window has of the image, and to its size with padding."""
    out = np.zeros((*x.shape[:2], *shape))
    for i in range(shape[0]):
        for j in range(shape[1]):
            ends = []
            for at, axis in ((i, 0), (j, 1)):
                start = at * strides[axis] - pads[axis]
                end = min(start + window[axis], x.shape[2 + axis] + pads[2 + axis])
                ends.append((start, end))
            (top, bottom), (left, right) = ends
            part = x[:, :, max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
            out[:, :, i, j] = function(part, (bottom - top) * (right - left))
    return out


def maximum(part, size):
    return part.max((2, 3))


def mean_of_image(part, size):
    return part.mean((2, 3))


def mean_with_padding(part, size):
    return part.sum((2, 3)) / size


@pytest.mark.parametrize(
    ("algorithm", "flavour", "before", "shape", "pads", "function"),
    [
        (0, 0, (1, 1), (4, 3), (1, 1, 1, 1), maximum),
        (1, 0, (1, 1), (4, 3), (1, 1, 1, 1), mean_of_image),
        (1, 0x10, (1, 1), (4, 3), (1, 1, 1, 1), mean_with_padding),
        (1, 0x11, (1, 1), (4, 3), (1, 1, 1, 1), mean_with_padding),
        (0, 1, (0, 0), (3, 3), (0, 0, 0, 0), maximum),
        (1, 1, (1, 1), (4, 4), (1, 1, 1, 1), mean_with_padding),
        (0, 2, (1, 1), (3, 3), (0, 0, 1, 1), maximum),
        (1, 2, (1, 1), (3, 3), (0, 0, 1, 1), mean_with_padding),
        (0, 0, (-1, -1), (4, 3), (1, 0, 1, 1), maximum),
    ],
)
def test_pooling(algorithm, flavour, before, shape, pads, function):
    file = TmfileWriter()
    # The pads behind the image are noise, which is not read.
    values = (algorithm, 3, 3, 2, 2, 0, flavour, *before, 7, 7)
    found = run(file, file.node(16, [file.input("x", X.shape)], "I10i", *values), X)
    assert found.shape[2:] == shape
    expected = pooled(X, (3, 3), (2, 2), pads, shape, function)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("window", [(1, 2, 2, 1, 1, 1), (1, 7, 6, 1, 1, 0)])
def test_global_pooling(window):
    file = TmfileWriter()
    values = (*window, 1, 0, 0, 0, 0)
    found = run(file, file.node(16, [file.input("x", X.shape)], "I10i", *values), X)
    np.testing.assert_allclose(found, X.mean((2, 3), keepdims=True), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((2, 3, 3, 2, 2, 0, 0, 0, 0, 0, 0), "alg 2 is unknown"),
        ((0, 3, 3, 2, 2, 0, 9, 0, 0, 0, 0), "caffe_flavor 9 is unknown"),
        ((0, 9, 3, 2, 2, 0, 0, 0, 0, 0, 0), "does not fit"),
        ((0, 3, 3, 0, 2, 0, 0, -1, 0, 0, 0), "strides must be at least 1"),
    ],
)
def test_pooling_refused(values, text):
    file = TmfileWriter()
    assert text in refused(file, file.node(16, [file.input("x", X.shape)], "I10i", *values))


@pytest.mark.parametrize(
    ("padding", "pads", "shape"), [(0, (0, 0, 0, 0), (3, 2)), (1, (1, 0, 1, 1), (4, 3))]
)
def test_l2_pool(padding, pads, shape):
    file = TmfileWriter()
    found = run(file, file.node(98, [file.input("x", X.shape)], "5i", padding, 3, 3, 2, 2), X)
    expected = pooled(X * X, (3, 3), (2, 2), pads, shape, mean_of_image)
    np.testing.assert_allclose(found, np.sqrt(expected), rtol=1e-5, atol=1e-6)


def linear(x, axis, places):
    """Interpolate along an axis at places, which stay within it."""
    places = np.clip(places, 0, x.shape[axis] - 1)
    low = np.floor(places).astype(int)
    high = np.minimum(low + 1, x.shape[axis] - 1)
    weight = (places - low).reshape([-1 if i == axis else 1 for i in range(4)])
    return np.take(x, low, axis) * (1 - weight) + np.take(x, high, axis) * weight


def half_pixel(before, after):
    return (np.arange(after) + 0.5) * before / after - 0.5


TWICE = X.repeat(2, 2).repeat(2, 3)


@pytest.mark.parametrize(
    ("operator", "letters", "values", "expected"),
    [
        (51, "f", (2.0,), TWICE),
        (71, "iffii", (1, 2.0, 2.0, 0, 0), TWICE),
        (71, "iffii", (1, 0.0, 0.0, 12, 14), TWICE),
        (54, "ffi", (2.0, 2.0, 0), TWICE),
        (71, "iffii", (2, 1.5, 2.0, 0, 0),
         linear(linear(X, 2, half_pixel(7, 14)), 3, half_pixel(6, 9))),
        (54, "ffi", (1.5, 2.0, 1), linear(linear(X, 2, half_pixel(7, 14)), 3, half_pixel(6, 9))),
        (2, "ffi", (1.5, 2.0, 0), linear(linear(X, 2, half_pixel(7, 14)), 3, half_pixel(6, 9))),
        (71, "iffii", (4, 0.0, 0.0, 11, 13),
         linear(linear(X, 2, np.linspace(0, 6, 13)), 3, np.linspace(0, 5, 11))),
    ],
)  # fmt: skip
def test_resize(operator, letters, values, expected):
    file = TmfileWriter()
    found = run(file, file.node(operator, [file.input("x", X.shape)], letters, *values), X)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((3, 2.0, 2.0, 0, 0), "resize_type 3 is not supported"),
        ((1, float("nan"), 2.0, 0, 0), "a scale must be positive and finite"),
        ((1, 1e9, 1e9, 0, 0), "a scale must be positive and finite"),
        ((1, 1e5, 1e5, 0, 0), "is too large"),
        ((1, 0.0, 0.0, -4, 4), "do not become [4, -4]"),
    ],
)
def test_resize_refused(values, text):
    file = TmfileWriter()
    assert text in refused(file, file.node(71, [file.input("x", X.shape)], "iffii", *values))
