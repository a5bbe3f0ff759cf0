"""Operators of tmfiles that compute each element from those at the same place."""

import math

import numpy as np
import pytest
from tmfile_cases import refused, run
from tmfile_writer import TmfileWriter

from autodeploy.diagnostics import UnsupportedError

X = np.linspace(-4, 4, 24, dtype=np.float32).reshape(1, 2, 3, 4)
POSITIVE = np.abs(X) + np.float32(0.5)
ERF = np.vectorize(math.erf)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def one(operator, x, letters="", *values):
    file = TmfileWriter()
    return run(file, file.node(operator, [file.input("x", x.shape)], letters, *values), x)


UNARY = [
    (68, X, "", (), np.abs),
    (83, X, "", (), np.ceil),
    (85, X, "", (), np.round),
    (106, X, "", (), lambda x: x / 2 * (1 + ERF(x / math.sqrt(2)))),
    (37, X, "", (), sigmoid),
    (33, X, "", (), sigmoid),
    (36, X, "", (), np.tanh),
    (103, POSITIVE, "", (), lambda x: 1 / x),
    (8, X, "", (), lambda x: x),
    (62, X, "", (), lambda x: x),
    (20, X, "f", (0.0,), lambda x: np.maximum(x, 0)),
    (20, X, "f", (0.1,), lambda x: np.where(x < 0, x * np.float32(0.1), x)),
    (21, X * 3, "", (), lambda x: np.clip(x, 0, 6)),
    (100, X, "", (), lambda x: np.clip(x, -1, 1)),
    (87, X, "ff", (2.0, -3.0), lambda x: np.clip(x, -3, 2)),
    (73, X, "f", (0.5,), lambda x: np.where(x < 0, 0.5 * (np.exp(x) - 1), x)),
    (72, X, "ff", (1.5, 2.0), lambda x: 2 * np.where(x < 0, 1.5 * (np.exp(x) - 1), x)),
    (64, X, "ff", (0.25, 0.5), lambda x: np.clip(x / 4 + 0.5, 0, 1)),
    (70, X, "ff", (0.0, 0.0), lambda x: x * np.clip(x + 3, 0, 6) / 6),
    (97, X, "", (), lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    (102, X, "", (), lambda x: np.log1p(np.exp(x))),
    (63, X, "f", (0.5,), lambda x: (x > 0.5).astype(np.float32)),
    (86, X, "", (), np.zeros_like),
    (59, X, "i", (0,), np.abs),
    (59, X, "i", (1,), np.negative),
    (59, X, "i", (2,), np.floor),
    (59, X, "i", (3,), np.ceil),
    (59, X, "i", (4,), np.square),
    (59, POSITIVE, "i", (5,), np.sqrt),
    (59, POSITIVE, "i", (6,), lambda x: 1 / np.sqrt(x)),
    (59, X, "i", (7,), np.exp),
    (59, POSITIVE, "i", (8,), np.log),
    (59, X, "i", (9,), np.sin),
    (59, X, "i", (10,), np.cos),
    (59, X / 4, "i", (11,), np.tan),
    (59, POSITIVE, "i", (15,), lambda x: 1 / x),
    (59, X, "i", (16,), np.tanh),
    (9, POSITIVE, "Ii", (7, 1), lambda x: 1 / np.sqrt(x)),
    (9, POSITIVE, "Ii", (11, 1), np.log),
    (9, X, "Ii", (12, 1), np.exp),
    (9, POSITIVE, "Ii", (13, 1), np.sqrt),
    (9, X, "Ii", (14, 1), np.floor),
    (9, X, "Ii", (15, 1), np.square),
    (9, POSITIVE, "Iifff", (17, 1, 1.0, 1.5, 2.0), lambda x: (1 + 2 * x) ** 1.5),
]


@pytest.mark.parametrize(
    ("operator", "x", "letters", "values", "expected"),
    UNARY,
    ids=[f"{case[0]}{case[3]}" for case in UNARY],
)
def test_function(operator, x, letters, values, expected):
    found = one(operator, x, letters, *values)
    np.testing.assert_allclose(found, expected(x), rtol=1e-5, atol=1e-6)


Y = np.linspace(3, 1, 24, dtype=np.float32).reshape(1, 2, 3, 4)
TWO = {
    "product": (9, "Ii", (0, 1), np.multiply),
    "sum": (9, "Ii", (2, 1), np.add),
    "difference": (9, "Ii", (4, 1), np.subtract),
    "maximum": (9, "Ii", (6, 1), np.maximum),
    "quotient": (9, "Ii", (10, 1), np.divide),
    "max": (46, "", (), np.maximum),
    "min": (47, "", (), np.minimum),
    "add_n": (49, "i", (0,), np.add),
    "mean": (90, "", (), lambda x, y: (x + y) / 2),
    "squared_difference": (84, "", (), lambda x, y: (x - y) ** 2),
    "broad_mul": (74, "", (), np.multiply),
    "equal": (78, "i", (0,), np.equal),
    "not_equal": (78, "i", (1,), np.not_equal),
    "greater": (78, "i", (2,), np.greater),
    "greater_equal": (78, "i", (3,), np.greater_equal),
    "less": (78, "i", (4,), np.less),
    "less_equal": (78, "i", (5,), np.less_equal),
    "and": (76, "I", (0,), np.logical_and),
    "or": (76, "I", (1,), np.logical_or),
}


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("is_weight", [False, True])
def test_two_operands(name, is_weight):
    operator, letters, values, expected = TWO[name]
    x = np.round(X)
    y = np.where(Y > 2, x, Y)
    file = TmfileWriter()
    left = file.input("x", X.shape)
    right = file.constant("y", y) if is_weight else file.input("y", X.shape)
    out = file.node(operator, [left, right], letters, *values)
    found = run(file, out, x, *(() if is_weight else (y,)))
    np.testing.assert_allclose(found, expected(x, y).astype(np.float32), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (1, lambda x: x * 2),
        (3, lambda x: x + 2),
        (5, lambda x: x - 2),
        (8, lambda x: np.minimum(x, 2)),
        (16, np.square),
    ],
)
def test_scalar(kind, expected):
    file = TmfileWriter()
    two = file.constant("two", np.array([2], np.float32))
    found = run(file, file.node(9, [file.input("x", X.shape), two], "Ii", kind, 1), X)
    np.testing.assert_allclose(found, expected(X), rtol=1e-5)


def test_an_axis_of_channels_next_to_an_image():
    """As many numbers as channels are channels, also where the rows have as many elements."""
    x = np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2)
    file = TmfileWriter()
    row = file.constant("row", np.array([10, 20], np.float32))
    found = run(file, file.node(9, [file.input("x", x.shape), row], "Ii", 2, 1), x)
    np.testing.assert_array_equal(found, x + np.array([10, 20]).reshape(2, 1, 1))


SLOPES = np.array([0.5, 2], np.float32)
SHIFTS = np.array([1, -1], np.float32)
PER_CHANNEL = SLOPES.reshape(2, 1, 1)


def test_prelu():
    file = TmfileWriter()
    slope = file.constant("slope", SLOPES)
    found = run(file, file.node(17, [file.input("x", X.shape), slope]), X)
    np.testing.assert_array_equal(found, np.where(X < 0, X * PER_CHANNEL, X))


def test_bias():
    file = TmfileWriter()
    found = run(
        file,
        file.node(61, [file.input("x", X.shape), file.constant("b", SHIFTS)], "i", 2),
        X,
    )
    np.testing.assert_array_equal(found, X + SHIFTS.reshape(2, 1, 1))


@pytest.mark.parametrize("shifted", [False, True])
def test_scale(shifted):
    file = TmfileWriter()
    inputs = [file.input("x", X.shape), file.constant("s", SLOPES)]
    inputs += [file.constant("b", SHIFTS)] if shifted else []
    found = run(file, file.node(26, inputs, "iii", 1, 1, int(shifted)), X)
    expected = X * PER_CHANNEL + (SHIFTS.reshape(2, 1, 1) if shifted else 0)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_where():
    file = TmfileWriter()
    condition = file.constant("c", (X > 0).astype(np.float32))
    x, y = file.input("x", X.shape), file.input("y", X.shape)
    found = run(file, file.node(95, [condition, x, y]), X, Y)
    np.testing.assert_array_equal(found, np.where(X > 0, X, Y))


def test_cast_to_halves():
    file = TmfileWriter()
    x = file.input("x", X.shape)
    found = run(file, file.node(69, [x], "ii", 0, 1, dtype="float16"), X)
    assert found.dtype == np.float16
    np.testing.assert_array_equal(found, X.astype(np.float16))


@pytest.mark.parametrize(
    ("operator", "letters", "values", "text"),
    [
        (59, "i", (12,), "Unary node 'node1' on f32: type 12 is not supported"),
        (9, "Ii", (9, 1), "Eltwise node 'node1' on f32: type 9 is not supported"),
        (9, "Ii", (2, 1), "it has 1 inputs, expected 2 at least"),
        (78, "i", (0,), "it has 1 inputs, expected 2 at least"),
        (76, "I", (7,), "type 7 is unknown, expected 0 (and) or 1 (or)"),
        (17, "", (), "it has 1 inputs, expected 2 at least"),
        (26, "iii", (2, 1, 0), "axis 2 is not supported, expected 1"),
        (87, "", (), "it has no parameter 'min'"),
    ],
)
def test_refused(operator, letters, values, text):
    file = TmfileWriter()
    out = file.node(operator, [file.input("x", X.shape)], letters, *values)
    assert text in refused(file, out)


def test_slopes_that_do_not_fit():
    file = TmfileWriter()
    out = file.node(17, [file.input("x", X.shape), file.constant("s", np.ones(3, np.float32))])
    with pytest.raises(UnsupportedError, match="3 parameters do not fit the channels"):
        run(file, out, X)
