"""How far the result of each operator may be off, and where ONNX leaves it open.

A pointwise operator of ONNX is a function of IEEE 754, rounded once. Sums of products may be taken
in any order and with fused multiply-adds; functions such as Exp are as exact as a relative error
says. ``bound`` gives the error of each element, ``inf`` where anything is right:

* a sum whose terms overflow in some order, also where it is divided behind that;
* a sum of products with an infinite or nan weight where the image is padded, as a product with
  padding may be left out;
* a dilated convolution of infinite numbers, whose filter the reference fills with zeros;
* a function that ONNX defines by others, such as Gelu, may round these to 16 bits, too;
* interpolation where a number is infinite or nan, as its weight may be 0;
* a Fourier transform of such numbers, whose factors may be 0, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from fuzz_numbers import BF16, Array, limits
from fuzz_places import PLACES, terms_of_determinant, terms_of_places
from onnx import NodeProto, helper


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


Run: TypeAlias = Callable[[Sequence[Array | None]], Sequence[Array]]
"""Computes a node from its inputs, in the precision of these."""

ROUNDED = _names(
    "Add Sub Mul Div Sqrt Reciprocal LeakyRelu PRelu HardSigmoid HardSwish DequantizeLinear"
)
FUNCTIONS = _names(
    "Exp Log Sin Cos Tan Tanh Sigmoid Erf Elu Selu Celu Gelu Softplus Softsign Mish Swish Pow "
    "Sinh Cosh Asin Acos Atan Asinh Acosh Atanh"
)
SUMS = _names(
    "Conv ConvTranspose MatMul Gemm Einsum ReduceSum ReduceMean ReduceSumSquare ReduceL1 ReduceL2 "
    "ReduceLogSum ReduceLogSumExp ReduceProd AveragePool GlobalAveragePool LpPool GlobalLpPool "
    "CumSum CumProd Mean Sum Resize Upsample Col2Im "
    "AffineGrid"
)
NORMS = _names(
    "BatchNormalization InstanceNormalization LayerNormalization GroupNormalization "
    "RMSNormalization MeanVarianceNormalization LpNormalization LRN Softmax LogSoftmax"
)
TRANSFORMS = _names("DFT STFT")
"""Fourier transforms: their errors are parts of the sum of all magnitudes."""
WINDOWS = _names("HannWindow HammingWindow BlackmanWindow")
"""Sums of cosines; no cosine has a factor above 1."""
LOOPS = _names("RNN GRU LSTM LinearAttention If Loop Scan")
"""What runs operators step by step: errors grow from one to the next."""

ZERO_OF_ANY_SIGN = (
    _names(
        "Relu Max Min Clip Sign ReduceMax ReduceMin MaxPool GlobalMaxPool PRelu LeakyRelu "
        "HardSigmoid HardSwish Elu Selu Celu Gelu Mish Swish Softplus"
    )
    | SUMS
    | NORMS
    | TRANSFORMS
    | WINDOWS
    | LOOPS
    | PLACES
    | {"Det"}
)
"""Operators whose zeros ONNX gives no sign: a largest number of 0 and -0, a sum of nothing."""

ODD = _names("Sin Tan Tanh Erf Softsign Sinh Asin Atan Asinh Atanh")
"""Functions that keep a zero and its sign."""

RELATIVE = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-5}
"""Errors of functions, and of sums as a part of the sum of the terms' magnitudes."""
ONCE = {np.dtype(np.float32): 2.0**-22, np.dtype(np.float64): 2.0**-51}
"""Errors of what is rounded once or twice."""
ULP = {np.dtype(np.float16): 2.0**-10, BF16: 2.0**-7}
"""The distance of a number of 16 bits to the next one; those are rounded once an operator."""
WINOGRAD = 1e-4
"""The error of a convolution at level 3, as a part of the largest number."""


def is_exact(node: NodeProto, dtype: np.dtype) -> bool:
    """Tell whether each bit of a float result is given (but for the sign of some zeros)."""
    kind = node.op_type
    if kind in ("Resize", "Upsample"):
        return attributes(node).get("mode", b"nearest") == b"nearest"
    if kind in ROUNDED and dtype in ULP:
        return kind not in ("HardSigmoid", "HardSwish")
    known = ROUNDED | FUNCTIONS | SUMS | NORMS | TRANSFORMS | WINDOWS | LOOPS | PLACES
    return kind not in known and kind != "Det"


def bound(
    node: NodeProto,
    run: Run,
    inputs: Sequence[Array | None],
    result: Array,
    dtype: np.dtype,
    level: int,
) -> Array:
    """Return the error that each element of a result may have.

    ``inputs`` and ``result`` are in double precision, ``dtype`` is the type of the result.
    """
    kind, size = node.op_type, _finite(np.abs(result))
    tiny = float(limits(dtype).tiny)
    if kind in LOOPS:
        return _bound_of_loop(inputs, size, dtype)
    if kind in ROUNDED:
        terms = _magnitudes(node, run, inputs) if kind in ("HardSigmoid", "HardSwish") else size
        # The factor of HardSwish is 1/6, which ONNX's own definition has in 32 bits.
        own = np.dtype(np.float32) if kind == "HardSwish" and dtype == np.float64 else dtype
        return ONCE.get(own, ULP.get(own, 0.0)) * np.maximum(size, terms)
    if kind in FUNCTIONS:
        error = RELATIVE.get(dtype, ULP.get(dtype, 0.0)) * size
        error = error + (tiny * (inputs[0] != 0) if kind in ODD else tiny)
        return error + ULP.get(dtype, 2.0**-22) * _cancelled(kind, inputs, size)
    if kind in NORMS:
        terms = _normal_magnitude(node, inputs, result)
    else:
        terms = _magnitudes(node, run, inputs)
    error = 1e-5 * np.maximum(terms, size) + ULP.get(dtype, 0.0) * size + tiny
    if kind in ("ReduceLogSum", "ReduceLogSumExp"):
        error = error + 1e-5
    if kind == "LogSoftmax":
        error = error + 2 * ULP.get(dtype, 0.0)  # of the sum, whose logarithm is subtracted
    if kind == "Softmax":
        # Each step is rounded. What the largest input exceeds an input by is at most -log(result).
        steps = 3 - np.log(np.maximum(size, tiny))
        error = error + ULP.get(dtype, 0.0) / 2 * steps * size
    if level == 3 and kind == "Conv":
        error = error + WINOGRAD * _largest(result)
    open_ = _is_open(node, inputs) or (level == 3 and kind == "Conv" and _mixes(inputs))
    overflow = terms > 0.9 * float(limits(np.float64 if dtype == np.float64 else np.float32).max)
    return np.where(overflow | open_, np.inf, error)


def bound_of_other(
    node: NodeProto, inputs: Sequence[Array | None], result: Array, dtype: np.dtype
) -> Array:
    """Return the error that each element of a result but the first may have."""
    size = _finite(np.abs(result))
    return _bound_of_loop(inputs, size, dtype) if node.op_type in LOOPS else 1e-4 * size


def _bound_of_loop(inputs: Sequence[Array | None], size: Array, dtype: np.dtype) -> Array:
    """Return an error of what steps compute of ordinary numbers; of others all is open."""
    if not all(x is None or (np.abs(x) < LARGE).all() for x in inputs):
        return np.full_like(size, np.inf)
    return (1e-4 + 32 * ULP.get(dtype, 0.0)) * (1 + size)


LARGE = 100
"""Above this, numbers that a loop multiplies again and again are open."""


def attributes(node: NodeProto) -> Mapping[str, object]:
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def _magnitudes(node: NodeProto, run: Run, inputs: Sequence[Array | None]) -> Array:
    """Return the sum of the magnitudes of what an element is the sum of."""
    kind = node.op_type
    if kind in WINDOWS:
        return np.asarray(1.0)
    if kind in PLACES:
        return terms_of_places(node, inputs)
    if kind == "Det":
        return terms_of_determinant(np.asarray(inputs[0]))
    floats = [x if x is None or x.dtype.kind != "f" else _finite(np.abs(x)) for x in inputs]
    if kind in ("HardSigmoid", "HardSwish"):
        return np.asarray(floats[0]) + 1.0
    if kind in ("Resize", "Upsample"):
        return np.asarray(_largest(floats[0]) * 4)
    if kind in TRANSFORMS:
        window = floats[2] if kind == "STFT" and len(floats) > 2 else None
        factor = 1.0 if window is None else _largest(window)
        return np.asarray(_largest(floats[0]) * floats[0].size * factor)
    if kind in ("ReduceProd", "CumProd"):
        logs = np.log2(np.maximum(floats[0], 2.0**-1074))
        axis = None if kind == "ReduceProd" else int(inputs[1])
        far = np.abs(logs).sum(axis, keepdims=True) > 120
        return np.where(far if axis is not None else far.any(), np.inf, 0.0)
    if kind in ("ReduceLogSum", "ReduceLogSumExp"):
        return np.asarray(_largest(floats[0]) if kind == "ReduceLogSumExp" else 1.0)
    with np.errstate(all="ignore"):
        total = np.abs(run(floats)[0])
        if kind == "Gemm":
            total = _magnitudes_of_gemm(node, run, floats)
    if kind in ("ReduceL2", "LpPool", "GlobalLpPool"):
        return np.where(total**2 > 1e38, np.inf, total)
    if kind == "ReduceMean" or "AveragePool" in kind:
        window = attributes(node).get("kernel_shape")  # windows may overlap
        count = np.prod(window) if window else floats[0].size / max(total.size, 1)
        return np.where(total * count > 3e38, np.inf, total)
    return total


def _magnitudes_of_gemm(node: NodeProto, run: Run, floats: Sequence[Array | None]) -> Array:
    """Return the sum of the magnitudes of both terms, before and behind their factors.

    The factors may have other signs, so that the terms cancel each other.
    """
    product = run([*floats[:2], *(np.zeros_like(c) for c in floats[2:])])[0]
    added = run(floats)[0] - product
    alpha, beta = (float(attributes(node).get(name, 1.0)) for name in ("alpha", "beta"))
    return np.abs(product) / (min(1.0, abs(alpha)) or 1.0) + np.abs(added) / (
        min(1.0, abs(beta)) or 1.0
    )


def _cancelled(kind: str, inputs: Sequence[Array | None], size: Array) -> Array:
    """Return the size of numbers whose difference a function is."""
    x = _finite(np.abs(inputs[0]))
    if kind in ("Gelu", "Mish", "Swish"):
        return np.minimum(x, 100.0)
    if kind in ("Elu", "Selu", "Celu", "Softplus"):
        return np.ones_like(x)
    if kind in ("Sin", "Cos", "Tan"):
        # What is rounded by more than a part of a turn has any angle.
        return np.where(x > 1e6, np.inf, np.minimum(1.0, x))
    if kind == "Log":
        return np.minimum(1.0, x)
    return np.zeros_like(size)


def _normal_magnitude(node: NodeProto, inputs: Sequence[Array | None], result: Array) -> Array:
    """Return the size of what a normalisation subtracts and adds, of all rows together."""
    kind = node.op_type
    x, *rest = [np.float64(0) if a is None else a for a in inputs]
    if kind in ("Softmax", "LogSoftmax"):
        return np.asarray(_largest(result) if kind == "LogSoftmax" else 1.0)
    largest = _largest(x)
    if kind == "LpNormalization":
        return np.asarray(1.0 if largest < 1e15 else np.inf)
    if kind == "LRN":
        return np.asarray(largest if largest < 1e18 else np.inf)
    if kind == "BatchNormalization":
        scale, shift, mean = (_largest(a) for a in rest[:3])
        least = np.min(_finite(np.abs(rest[3])), initial=1.0)
        size = (largest + mean) * scale / np.sqrt(least + 1e-5) + shift
        return np.asarray(size)
    scale = _largest(rest[0]) if rest else 1.0
    shift = _largest(rest[1]) if len(rest) > 1 else 0.0
    size = largest * 320 * scale + shift + _largest(result)
    return np.asarray(size if largest < 1e15 else np.inf)


def _is_open(node: NodeProto, inputs: Sequence[Array | None]) -> bool:
    infinite = [x is not None and not np.isfinite(x).all() for x in inputs]
    if node.op_type in ("Conv", "ConvTranspose"):
        dilated = any(d != 1 for d in attributes(node).get("dilations", ()))
        return infinite[1] or (dilated and infinite[0])
    return node.op_type in {"Resize", "Upsample", *TRANSFORMS} and any(infinite)


def _mixes(inputs: Sequence[Array | None]) -> bool:
    """Tell whether Winograd's sums of an image's numbers are infinite or nan where they are not.

    It sums those of a tile before it multiplies, which documents say of its level.
    """
    return any(x is not None and not (np.abs(x) < 1e30).all() for x in inputs[:2])


def _finite(x: Array) -> Array:
    return np.where(np.isfinite(x), x, 0.0)


def _largest(x: Array | None) -> float:
    return 0.0 if x is None else float(np.max(_finite(np.abs(x)), initial=0.0))
