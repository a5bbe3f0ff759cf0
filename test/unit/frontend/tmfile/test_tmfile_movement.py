"""Operators of tmfiles that give elements another shape or order."""

import numpy as np
import pytest
from tmfile_cases import refused, run, run_all, single
from tmfile_writer import TmfileWriter

X = np.arange(48, dtype=np.float32).reshape(1, 4, 2, 6)


def one(operator, *parameters, x=X, **options):
    return run(*single(x, operator, *parameters, **options), x)


def text_of(operator, *parameters, x=X, **options):
    return refused(*single(x, operator, *parameters, **options))


@pytest.mark.parametrize(
    ("mxnet", "reverse", "onnx", "wanted", "shape"),
    [
        (0, 0, 1, [1, -1], (1, 48)),
        (0, 0, 1, [0, 8, 0, -1], (1, 8, 2, 3)),
        (1, 0, 0, [0, -3, 0], (1, 8, 6)),
        (1, 0, 0, [0, -4, 2, -1, -2], (1, 2, 2, 2, 6)),
        (1, 0, 0, [-2], (1, 4, 2, 6)),
        (1, 1, 0, [-1, 0], (8, 6)),
        (0, 0, 0, [0, 8, 6], (1, 8, 6)),
    ],
)
def test_reshape(mxnet, reverse, onnx, wanted, shape):
    found = one(23, "iiVi", mxnet, reverse, wanted, onnx)
    np.testing.assert_array_equal(found, X.reshape(shape))


def test_reshape_to_a_constant():
    found = one(23, "iiVi", 0, 0, [], 1, more=[np.array([4, 12], np.int32)])
    np.testing.assert_array_equal(found, X.reshape(4, 12))


def test_reshape_of_an_old_writer():
    """The flag of ONNX is no part of its struct; what lies behind that is the operator."""
    np.testing.assert_array_equal(one(23, "iiV", 0, 0, [0, 48]), X.reshape(1, 48))


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ([5, -1], "does not reshape to [5, -1]"),
        ([-1, -1], "does not reshape to [-1, -1]"),
        ([7], "does not reshape to [7]"),
        ([-5], "has the unknown extent -5"),
        ([0, 0, 0, 0, 0], "keeps more than [1, 4, 2, 6] has"),
        ([0, -4, 3, 3], "extent 4 does not split into 3 and 3"),
    ],
)
def test_reshape_refused(wanted, text):
    assert text in text_of(23, "iiVi", 0, 0, wanted, 1)


@pytest.mark.parametrize(
    ("axis", "end", "shape"), [(1, 3, (1, 48)), (1, -1, (1, 48)), (1, 9, (1, 48))]
)
def test_flatten(axis, end, shape):
    np.testing.assert_array_equal(one(10, "ii", axis, end), X.reshape(shape))


def test_flatten_refused():
    assert "axis 7 is outside of rank 4" in text_of(10, "ii", 7, 8)


@pytest.mark.parametrize(
    ("axes", "shape"), [([0, -2, -2, -2], (4, 2, 6)), ([-2, -2, -2, -2], (4, 2, 6))]
)
def test_squeeze(axes, shape):
    np.testing.assert_array_equal(one(38, "iiii", *axes), X.reshape(shape))


def test_unsqueeze():
    np.testing.assert_array_equal(one(88, "V", [0, 2]), X.reshape(1, 1, 1, 4, 2, 6))


def test_expand_dims():
    x = X.reshape(8, 6)
    np.testing.assert_array_equal(one(60, "i", -1, x=x), x.reshape(8, 6, 1))


def test_permute():
    np.testing.assert_array_equal(one(15, "iiiii", 0, 0, 2, 3, 1), X.transpose(0, 2, 3, 1))


def test_transpose():
    np.testing.assert_array_equal(one(77, "V", [0, 2, 3, 1]), X.transpose(0, 2, 3, 1))


def test_transpose_refused():
    assert "'the order of axes' must have 4 entries" in text_of(77, "V", [0, 1])
    assert "name one axis twice" in text_of(77, "V", [0, 1, 1, 2])


def test_swap_axes():
    np.testing.assert_array_equal(one(50, "ii", 1, 3), X.swapaxes(1, 3))


def test_concat():
    file = TmfileWriter()
    x, y = file.input("x", X.shape), file.input("y", X.shape)
    found = run(file, file.node(3, [x, y], "i", -3), X, X + 1)
    np.testing.assert_array_equal(found, np.concatenate([X, X + 1], 1))


@pytest.mark.parametrize(("points", "ends"), [([1, 3], [0, 1, 3, 4]), ([], [0, 2, 4])])
def test_slice_of_caffe(points, ends):
    file = TmfileWriter()
    values = (1, points, [], [], 1, 0, 0, 0, 0, 0)
    out = file.node(27, [file.input("x", X.shape)], "iVVViiiiii", *values, outputs=len(ends) - 1)
    found = run_all(file, out, X)
    for part, start, end in zip(found, ends, ends[1:], strict=False):
        np.testing.assert_array_equal(part, X[:, start:end])


@pytest.mark.parametrize(
    ("begin", "end", "step", "expected"),
    [
        (1, 5, 2, X[..., 1:5:2]),
        (0, 0, 1, X),
        (2, -1, 1, X[..., 2:-1]),
        (-3, 999, 1, X[..., -3:]),
    ],
)
def test_slice_of_onnx(begin, end, step, expected):
    found = one(27, "iVVViiiiii", 3, [], [], [], 0, 0, 1, begin, end, step)
    np.testing.assert_array_equal(found, expected)


def test_slice_of_mxnet_has_no_step():
    found = one(27, "iVVViiiiii", 3, [], [], [], 0, 1, 0, 1, 5, 0)
    np.testing.assert_array_equal(found, X[..., 1:5])


def test_slice_of_a_box():
    found = one(27, "iVVViiiiii", 0, [], [0, 1, 0, 2], [1, 2, -1, 3], 0, 0, 0, 0, 0, 0)
    np.testing.assert_array_equal(found, X[:, 1:3, :, 2:5])


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((9, [], [], [], 0, 0, 1, 0, 1, 1), "axis 9 is outside of rank 4"),
        ((3, [], [], [], 0, 0, 1, 4, 2, 1), "4 to 2 by 1 is no range of an axis of 6 elements"),
        ((3, [], [], [], 0, 0, 1, 0, 2, 0), "0 to 2 by 0 is no range"),
        ((1, [3, 1], [], [], 1, 0, 0, 0, 0, 0), "is not cut at [0, 3, 1, 4]"),
        ((0, [], [0], [1], 0, 0, 0, 0, 0, 0), "'begins' must have 4 entries"),
    ],
)
def test_slice_refused(values, text):
    assert text in text_of(27, "iVVViiiiii", *values)


@pytest.mark.parametrize(("sizes", "ends"), [([1, 3], [0, 1, 4]), ([], [0, 2, 4])])
def test_split(sizes, ends):
    file = TmfileWriter()
    x = file.input("x", X.shape)
    found = run_all(file, file.node(29, [x], "iiBBxxV", 1, 2, 0, 1, sizes, outputs=2), X)
    for part, start, end in zip(found, ends, ends[1:], strict=False):
        np.testing.assert_array_equal(part, X[:, start:end])


def test_split_of_caffe_copies():
    file = TmfileWriter()
    x = file.input("x", X.shape)
    for part in run_all(file, file.node(29, [x], "iiBBxxV", 99, 0, 1, 0, [], outputs=3), X):
        np.testing.assert_array_equal(part, X)


def test_split_refused():
    assert "parts [1, 1] do not add up to axis 1" in text_of(29, "iiBBxxV", 1, 2, 0, 1, [1, 1])


def test_strided_slice():
    values = (0, 0, 1, 1, 4, 2, 0, 1, 1, 1, -1, 2)
    np.testing.assert_array_equal(one(41, "12i", *values), X[:, 1:4:2, 0:1, 1:-1:2])


@pytest.mark.parametrize(
    ("values", "like", "expected"),
    [
        ((2, 1, 0, 2, 0, 0, 1, 0), (1, 2, 1, 3), X[:, 1:3, 0:1, 2:5]),
        ((2, 1, 1, 2, 0, 0, 2, 0), (1, 9, 1, 3), X[:, :, 1:2, 2:5]),
        ((2, 0, 1, 2, 0, 0, 0, 1), (1, 9, 1, 3), X[:, :, 1:2, 2:5]),
        ((1, 0, 0, 0, 2, 4, 0, 1), (1, 1, 1, 1), X[:, :, :, 1:5]),
    ],
)
def test_crop(values, like, expected):
    found = one(56, "8i", *values, more=[np.zeros(like, np.float32)])
    np.testing.assert_array_equal(found, expected)


def test_crop_refused():
    like = [np.zeros((1, 4, 2, 6), np.float32)]
    assert "is no part of" in text_of(56, "8i", 2, 0, 0, 1, 0, 0, 2, 0, more=like)


def test_reverse():
    np.testing.assert_array_equal(one(81, more=[np.array([3], np.int32)]), X[..., ::-1])


PADS = (0, 0, 0, 1, 1, 0, 2, 1)
WIDTHS = ((0, 0), (0, 1), (1, 0), (2, 1))


def test_pad():
    found = one(40, "9if", *PADS, 0, 0.5)
    np.testing.assert_array_equal(found, np.pad(X, WIDTHS, constant_values=0.5))


def test_pad_by_reflection():
    np.testing.assert_array_equal(one(40, "9if", *PADS, 1, 0), np.pad(X, WIDTHS, "reflect"))


def test_symmetric_pad():
    pads = (0, 0, 0, 1, 1, 0, 1, 1)
    expected = np.pad(X, ((0, 0), (0, 1), (1, 0), (1, 1)), "symmetric")
    np.testing.assert_array_equal(one(40, "9if", *pads, 2, 0), expected)


@pytest.mark.parametrize(("pads", "mode"), [(PADS, 2), (PADS, 5), ((-1, *PADS[1:]), 0)])
def test_pad_refused(pads, mode):
    assert "not supported" in text_of(40, "9if", *pads, mode, 0)


@pytest.mark.parametrize(
    ("frame", "counts", "expected"), [(0, [2, 3], (1, 1, 3, 2)), (1, [1, 2], (1, 2, 1, 1))]
)
def test_tile(frame, counts, expected):
    found = one(96, "iiV", frame, len(counts), counts)
    np.testing.assert_array_equal(found, np.tile(X, expected))


def test_expand():
    found = one(92, "Vi", [], 0, more=[np.array([3, 4, 2, 6], np.int32)])
    np.testing.assert_array_equal(found, np.broadcast_to(X, (3, 4, 2, 6)))
    np.testing.assert_array_equal(one(92, "Vi", [3, 4, 2, 6], 4), np.broadcast_to(X, (3, 4, 2, 6)))


def test_expand_refused():
    assert "is not one of positive extents" in text_of(92, "Vi", [0, 4], 2)


def test_shape():
    found = one(94, dtype="int32")
    assert found.tolist() == [1, 4, 2, 6]


def test_shuffle_channels():
    expected = X.reshape(1, 2, 2, 2, 6).swapaxes(1, 2).reshape(X.shape)
    np.testing.assert_array_equal(one(55, "i", 2), expected)


def test_shuffle_channels_refused():
    assert "do not make 3 groups" in text_of(55, "i", 3)


def test_depth_to_space():
    found = one(80, "i", 2)
    assert found.shape == (1, 1, 4, 12)
    for channel in range(4):
        np.testing.assert_array_equal(
            found[0, 0, channel // 2 :: 2, channel % 2 :: 2], X[0, channel]
        )


def test_space_to_depth():
    found = one(79, "i", 2)
    assert found.shape == (1, 16, 1, 3)
    for place in range(4):
        part = X[0, :, place // 2 :: 2, place % 2 :: 2]
        np.testing.assert_array_equal(found[0, 4 * place : 4 * place + 4], part)


def test_reorg():
    """As Tengine numbers elements: those of the operand as if it were the larger image."""
    found = one(22, "i", 2)
    flat, expected = X.reshape(-1), np.zeros(48, np.float32)
    for k in range(4):
        for j in range(2):
            for i in range(6):
                source = (2 * i + k % 2) + 12 * (2 * j + k // 2)
                expected[i + 6 * (j + 2 * k)] = flat[source]
    assert found.shape == (1, 16, 1, 3)
    np.testing.assert_array_equal(found.reshape(-1), expected)


def test_batches_of_pixels():
    x = X.reshape(1, 1, 8, 6)
    apart = one(52, "6i", 3, 2, 0, 0, 1, 2, x=x)
    assert apart.shape == (6, 1, 4, 3)
    padded = np.pad(x, ((0, 0), (0, 0), (0, 0), (1, 2)))
    for place in range(6):
        np.testing.assert_array_equal(
            apart[place, 0], padded[0, 0, place // 3 :: 2, place % 3 :: 3]
        )
    back = one(53, "6i", 3, 2, 0, 0, 1, 2, x=apart)
    np.testing.assert_array_equal(back, x)


@pytest.mark.parametrize(
    ("operator", "values", "text"),
    [
        (52, (5, 2, 0, 0, 0, 0), "does not make blocks of 2x5"),
        (52, (0, 2, 0, 0, 0, 0), "must be positive, found [2, 0]"),
        (52, (3, 2, 0, 0, -1, 0), "pads must not be negative"),
        (53, (3, 2, 0, 0, 0, 0), "does not make blocks of 2x3"),
        (53, (1, 1, 1, 1, 0, 0), "can not be cut off"),
    ],
)
def test_batches_of_pixels_refused(operator, values, text):
    assert text in text_of(operator, "6i", *values)


def test_gather():
    found = one(75, "iiB", 3, 2, 1, more=[np.array([5, 0], np.int32)])
    np.testing.assert_array_equal(found, X[..., [5, 0]])


def test_gather_refused():
    text = text_of(75, "iiB", 3, 1, 1, more=[np.array([6], np.int32)])
    assert "indices are outside of extent 6" in text


def test_embed():
    file = TmfileWriter()
    table = np.arange(12, dtype=np.float32).reshape(4, 3)
    words = file.input("words", [2])
    inputs = [words, file.constant("t", table), file.constant("b", np.ones(3, np.float32))]
    found = run(file, file.node(65, inputs, "4i", 3, 4, 1, 12), np.array([3, 1], np.float32))
    np.testing.assert_array_equal(found, table[[3, 1]] + 1)
