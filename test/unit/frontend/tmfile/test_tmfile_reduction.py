"""Normalisations, reductions and matrix products of tmfiles."""

import numpy as np
import pytest
from own_numbers import OwnNumbers
from tmfile_cases import refused, run, single

RANDOM = OwnNumbers(1)
X = RANDOM.standard_normal((2, 3, 4, 5)).astype(np.float32)
CHANNELS = RANDOM.uniform(0.5, 2, (4, 3)).astype(np.float32)


def one(operator, *parameters, x=X, **options):
    return run(*single(x, operator, *parameters, **options), x)


def text_of(operator, *parameters, x=X, **options):
    return refused(*single(x, operator, *parameters, **options))


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def wide(values):
    return np.asarray(values).reshape(-1, 1, 1)


def softmax(x, axis):
    power = np.exp(x - x.max(axis, keepdims=True))
    return power / power.sum(axis, keepdims=True)


@pytest.mark.parametrize("axis", [1, -1])
def test_softmax(axis):
    close(one(28, "i", axis), softmax(X, axis))
    close(one(99, "i", axis), np.log(softmax(X, axis)))


def test_softmax_refused():
    assert "axis 4 is outside of rank 4" in text_of(28, "i", 4)


@pytest.mark.parametrize(
    ("rescale", "flavour", "factor"), [(1.0, 0, 1.0), (2.0, 1, 0.5), (0.0, 0, 0.0)]
)
def test_batch_normalisation(rescale, flavour, factor):
    gamma, beta, mean, variance = CHANNELS
    found = one(1, "ffi", rescale, 0.1, flavour, more=CHANNELS)
    expected = (X - wide(mean) * factor) / np.sqrt(wide(variance) * factor + 0.1)
    close(found, expected if flavour else expected * wide(gamma) + wide(beta))


def standard(x, axes, epsilon):
    centred = x - x.mean(axes, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axes, keepdims=True) + epsilon)


def test_instance_norm():
    found = one(66, "f", 0.1, more=CHANNELS[:2])
    close(found, standard(X, (2, 3), 0.1) * wide(CHANNELS[0]) + wide(CHANNELS[1]))


def test_layer_norm():
    gamma, beta = RANDOM.standard_normal((2, 5)).astype(np.float32)
    close(one(107, "f", 0.1, more=[gamma, beta]), standard(X, -1, 0.1) * gamma + beta)


def test_lrn():
    found = one(13, "iffiffB", 3, 0.6, 0.75, 0, 2.0, 0.0, 0)
    squares = np.pad(X**2, ((0, 0), (1, 1), (0, 0), (0, 0)))
    total = sum(squares[:, i : i + 3] for i in range(3))
    close(found, X / (2 + 0.2 * total) ** 0.75)


@pytest.mark.parametrize("values", [(3, 0.6, 0.75, 1, 1.0, 0.0, 0), (2, 0.6, 0.75, 0, 1.0, 0.0, 0)])
def test_lrn_refused(values):
    assert "across an odd number of channels only" in text_of(13, "iffiffB", *values)


@pytest.mark.parametrize(("across", "axes"), [(0, (2, 3)), (1, (1, 2, 3))])
def test_mvn(across, axes):
    centred = X - X.mean(axes, keepdims=True)
    close(one(67, "iif", across, 0, 0.1), centred)
    deviation = np.sqrt((centred**2).mean(axes, keepdims=True))
    close(one(67, "iif", across, 1, 0.1), centred / (deviation + 0.1))


def test_normalize():
    length = np.sqrt((X**2).sum(1, keepdims=True))
    close(one(14, "ii", 0, 0, more=CHANNELS[:1]), X / length * wide(CHANNELS[0]))
    close(one(101), X / length)


def test_normalize_refused():
    assert "for each pixel" in text_of(14, "ii", 1, 0, more=CHANNELS[:1])


REDUCTIONS = [
    (0, lambda x, **k: x.sum(**k)),
    (1, lambda x, **k: x.mean(**k)),
    (2, lambda x, **k: np.abs(x).sum(**k)),
    (3, lambda x, **k: (x**2).sum(**k)),
    (4, lambda x, **k: x.max(**k)),
    (5, lambda x, **k: x.min(**k)),
    (6, lambda x, **k: x.prod(**k)),
    (7, lambda x, **k: np.abs(x).sum(**k)),
    (8, lambda x, **k: np.sqrt((x**2).sum(**k))),
    (9, lambda x, **k: np.log(x.sum(**k))),
    (10, lambda x, **k: np.log(np.exp(x).sum(**k))),
]


@pytest.mark.parametrize(("kind", "expected"), REDUCTIONS, ids=[str(k) for k, _ in REDUCTIONS])
@pytest.mark.parametrize(
    ("named", "axes"), [((2, 3), (2, 3)), ((-1,), (3,)), ((), (0, 1, 2, 3)), ((0, 1, 2, 3), None)]
)
@pytest.mark.parametrize("keepdims", [False, True])
def test_reduction(kind, expected, named, axes, keepdims):
    x = np.abs(X) + np.float32(0.5)
    values = (*named, *[-2] * (4 - len(named)))
    found = one(45, "6i", *values, kind, int(keepdims), x=x)
    close(found, expected(x, axis=axes, keepdims=keepdims))


def test_reduction_refused():
    assert "type 11 is unknown" in text_of(45, "6i", 1, -2, -2, -2, 11, 0)
    assert "axis 5 is outside of rank 4" in text_of(45, "6i", 5, -2, -2, -2, 0, 0)


def test_reduce_l2():
    close(one(89, "ii", 2, 0), np.sqrt((X**2).sum((2, 3))))


@pytest.mark.parametrize(("operator", "function"), [(42, np.argmax), (43, np.argmin)])
def test_place_of_an_extreme(operator, function):
    found = one(operator, "ii", 1, 0, dtype="int32")
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, function(X, 1))


A = RANDOM.standard_normal((3, 4)).astype(np.float32)
B = RANDOM.standard_normal((4, 5)).astype(np.float32)
C = RANDOM.standard_normal(5).astype(np.float32)


def test_matmul():
    close(one(91, x=A, more=[B]), A @ B)
    close(one(91, x=A, more=[B, C]), A @ B + C)


@pytest.mark.parametrize(("alpha", "beta"), [(1, 1), (2, 1), (1, 0), (0.5, 3)])
@pytest.mark.parametrize("transposed", [False, True])
def test_gemm(alpha, beta, transposed):
    a, b = (A.T, B.T) if transposed else (A, B)
    values = (alpha, beta, int(transposed), int(transposed))
    close(one(31, "ffii", *values, x=a, more=[b, C]), alpha * A @ B + beta * C)
