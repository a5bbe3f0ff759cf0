"""All functions of one operand: as ONNX nodes, exactly by mpmath, and the error of what is found.

An error is a part of the exact result; of 16-bit floats it is counted in units in the last place of
that. A result below the least normal number may be off by as much as that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import mpmath as mp
import numpy as np
import numpy.typing as npt
from onnx import NodeProto, TensorProto, helper, numpy_helper

Array = npt.NDArray[Any]

BF16 = np.dtype(ml_dtypes.bfloat16)
TYPES = {
    "float32": (np.dtype(np.float32), TensorProto.FLOAT),
    "float64": (np.dtype(np.float64), TensorProto.DOUBLE),
    "float16": (np.dtype(np.float16), TensorProto.FLOAT16),
    "bfloat16": (BF16, TensorProto.BFLOAT16),
}


@dataclass(frozen=True)
class Function:
    """An operator with attributes and constant operands, and its exact value of a number."""

    name: str
    op_type: str
    exact: Callable[[Any], Any]
    attributes: dict[str, Any]
    operands: tuple[float, ...] = ()
    scale: float = 0.0
    """Terms of this size are added up: an error is a part of the result or of this number."""


def _gelu(x: Any) -> Any:
    return x * mp.erfc(-x / mp.sqrt(2)) / 2 if abs(x) < 1e4 else max(x, 0)


def _gelu_by_tanh(x: Any) -> Any:
    y = mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3)
    return x * _sigmoid(2 * y)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def _softplus(x: Any) -> Any:
    return mp.log1p(mp.exp(x)) if x < 0 else x + mp.log1p(mp.exp(-x))


def _clip(x: Any, low: Any, high: Any) -> Any:
    return min(max(x, low), high)


def _single(number: float) -> Any:
    return mp.mpf(float(np.float32(number)))


def _elu(alpha: float) -> Callable[[Any], Any]:
    return lambda x: x if x > 0 else _single(alpha) * mp.expm1(x)


def _functions() -> list[Function]:
    same = {
        name: getattr(mp, name.lower())
        for name in (
            *("Exp", "Log", "Sqrt", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh"),
            *("Tanh", "Asinh", "Acosh", "Atanh", "Erf", "Floor", "Ceil", "Sign"),
        )
    }
    own: dict[str, Callable[[Any], Any]] = {
        "Abs": abs,
        "Neg": lambda x: -x,
        "Reciprocal": lambda x: 1 / x,
        "Round": mp.nint,
        "Relu": lambda x: max(x, 0),
        "Sigmoid": _sigmoid,
        "Softplus": _softplus,
        "Softsign": lambda x: x / (1 + abs(x)),
        "Mish": lambda x: x * mp.tanh(_softplus(x)),
        "HardSwish": lambda x: x * _clip((x + 3) / 6, 0, 1),
        "IsNaN": lambda x: 0,
        "IsInf": lambda x: 0,
    }
    gamma = _single(1.05070102214813232421875)
    selu = _elu(1.67326319217681884765625)
    attributes: list[Function] = [
        Function("Gelu", "Gelu", _gelu, {}),
        Function("Gelu (tanh)", "Gelu", _gelu_by_tanh, {"approximate": "tanh"}),
        Function("Swish", "Swish", lambda x: x * _sigmoid(x), {"alpha": 1.0}),
        Function("Swish (1.5)", "Swish", lambda x: x * _sigmoid(1.5 * x), {"alpha": 1.5}),
        Function("Elu", "Elu", _elu(1.0), {"alpha": 1.0}),
        Function("Elu (0.3)", "Elu", _elu(0.3), {"alpha": 0.3}),
        Function("Selu", "Selu", lambda x: gamma * selu(x), {}),
        Function("Celu", "Celu", _elu(1.0), {"alpha": 1.0}),
        Function("Celu (2)", "Celu", lambda x: x if x > 0 else 2 * mp.expm1(x / 2), {"alpha": 2.0}),
        Function(
            "LeakyRelu", "LeakyRelu", lambda x: x if x > 0 else _single(0.01) * x, {"alpha": 0.01}
        ),
        Function("PRelu", "PRelu", lambda x: x if x > 0 else x / 4, {}, (0.25,)),
        Function("ThresholdedRelu", "ThresholdedRelu", lambda x: x if x > 1 else 0, {"alpha": 1.0}),
        Function(
            *("HardSigmoid", "HardSigmoid"),
            lambda x: _clip(_single(0.2) * x + mp.mpf(0.5), 0, 1),
            *({"alpha": 0.2, "beta": 0.5}, (), 0.5),
        ),
    ]
    powers = (2.0, 3.0, 4.0, 5.0, -1.0, -2.0, -3.0, 0.5, 0.75, -0.5, 1.75, -0.375)
    return [
        *(Function(name, name, exact, {}) for name, exact in {**same, **own}.items()),
        *attributes,
        *(Function(f"Pow ({p:g})", "Pow", _power(p), {}, (p,)) for p in powers),
    ]


def _power(exponent: float) -> Callable[[Any], Any]:
    return lambda x: mp.power(x, mp.mpf(exponent))


FUNCTIONS = _functions()

EXACT = (
    *("Abs", "Neg", "Floor", "Ceil", "Round", "Sign", "Relu", "ThresholdedRelu"),
    *("IsNaN", "IsInf"),
)
"""Operators that round nothing."""

LIMITS = {"float32": 1e-5, "float64": 1e-13, "float16": 0.51, "bfloat16": 0.51}
"""How large an error may be."""


def limit(function: Function, type_: str) -> float:
    """Return how large the error of a function may be.

    What a gelu takes the tanh of is a sum of roundings, and up to 90 where the result is least.
    """
    if function.op_type in EXACT:
        return 0.0
    return LIMITS[type_] * (2 if (function.name, type_) == ("Gelu (tanh)", "float32") else 1)


def model(type_: str, count: int, functions: Sequence[Function] = FUNCTIONS) -> bytes:
    """Return a network of one input, each function of which is an output."""
    dtype, onnx_type = TYPES[type_]
    nodes: list[NodeProto] = []
    constants = []
    for number, function in enumerate(functions):
        names = [f"c{number}_{k}" for k in range(len(function.operands))]
        constants += [
            numpy_helper.from_array(np.array(value).astype(dtype), name)
            for name, value in zip(names, function.operands, strict=True)
        ]
        nodes.append(
            helper.make_node(function.op_type, ["x", *names], [f"y{number}"], **function.attributes)
        )
    outputs = [
        helper.make_tensor_value_info(
            f"y{k}", TensorProto.BOOL if f.op_type.startswith("Is") else onnx_type, [count]
        )
        for k, f in enumerate(functions)
    ]
    graph = helper.make_graph(
        nodes,
        f"functions_{type_}",
        [helper.make_tensor_value_info("x", onnx_type, [count])],
        outputs,
        constants,
    )
    imports = [helper.make_opsetid("", 24)]
    return helper.make_model(graph, opset_imports=imports, ir_version=11).SerializeToString()


def points(type_: str, a_binade: float) -> Array:
    """Return numbers of all sizes, more of them where functions have zeros, poles or bounds."""
    dtype, _ = TYPES[type_]
    info = ml_dtypes.finfo(dtype)
    low, high = (float(np.log2(float(n))) for n in (info.smallest_subnormal, info.max))
    sizes = np.exp2(np.linspace(low, np.nextafter(high, 0), int(a_binade * (high - low)) | 1))
    bound = float(np.log(float(info.max)))
    near = np.exp2(-np.arange(1.0, 53.0))
    ends = np.linspace(-1.1 * bound - 5, 1.1 * bound + 5, int(300 * a_binade))
    angles = np.arange(1, 30) * (np.pi / 2)
    middle = np.linspace(-14, 14, int(150 * a_binade))
    values = [sizes, middle, ends, angles, 1 + near, 1 - near, 3 - near, 2.5 + near, 0.5 + near]
    values += [
        near * 6.0,
        bound * (1 - near),
        bound + np.linspace(-1.5, 1.5, 41),
        np.float64([float(info.tiny), float(info.max)]),
    ]
    both = np.concatenate([*values, *(-v for v in values)])
    with np.errstate(all="ignore"):
        found = np.unique(both.astype(dtype))
    found = found[np.isfinite(found.astype(np.float64)) & (found != 0)]
    return found if len(found) % 2 else found[1:]


@dataclass(frozen=True)
class Exact:
    """Exact results: the nearest 64-bit floats, and the rest."""

    nearest: Array
    rest: Array


def exact(function: Function, x: Array) -> Exact:
    """Return the exact results of a function."""
    nearest, rest = np.empty((2, len(x)), np.float64)
    with mp.workprec(160):
        for k, number in enumerate(x.astype(np.float64).tolist()):
            try:
                value = function.exact(mp.mpf(number))
            except (ValueError, ZeroDivisionError):
                value = mp.nan
            if isinstance(value, mp.mpc):
                value = mp.nan
            value = mp.mpf(value)
            nearest[k] = (
                float(value)
                if abs(value) < mp.mpf(2) ** 1024 or mp.isnan(value)
                else (float(mp.sign(value)) * np.inf)
            )
            finite = np.isfinite(nearest[k])
            rest[k] = float(value - mp.mpf(nearest[k])) if finite else 0.0
    return Exact(nearest, rest)


def errors(function: Function, found: Array, expected: Exact) -> Array:
    """Return the errors; infinite where one is nan and the other not."""
    if found.dtype == np.bool_:
        return np.where(found == (expected.nearest != 0), 0.0, np.inf)
    info = ml_dtypes.finfo(found.dtype)
    high = float(info.max)
    with np.errstate(all="ignore"):
        wide = found.astype(np.float64)
        scale = np.where(np.abs(expected.nearest) > 1, 2.0**-8, 1.0)
        end = high * 2.0**-8 * (1 + float(info.eps) / 2)
        ours, theirs = (np.clip(n * scale, -end, end) for n in (wide, expected.nearest))
        rest = np.where(np.abs(theirs) < end, expected.rest * scale, 0.0)
        off = np.abs((ours - theirs) - rest)
        least = max(float(info.tiny), function.scale)
        result = off / np.maximum(np.abs(theirs), least * scale)
        if info.bits == 16:
            _, exponent = np.frexp(np.maximum(np.abs(theirs), least * scale))
            result = off / np.ldexp(float(info.eps), exponent - 1)
    small = np.abs(expected.nearest) < float(info.tiny)
    result = np.where(small & (off <= float(info.tiny)), 0.0, result)
    nans = np.isnan(wide), np.isnan(expected.nearest)
    return np.where(nans[0] & nans[1], 0.0, np.where(nans[0] | nans[1], np.inf, result))
