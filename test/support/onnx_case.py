"""One ONNX model with inputs and an oracle, and a short way to write one of a single node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Literal

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, helper, numpy_helper

Array = npt.NDArray
Oracle = Literal["reference", "onnxruntime"] | Callable[..., object]

LATEST = 23
"""The opset of cases that name none."""

_seeds = count()


@dataclass(frozen=True)
class Const:
    """An input of a node that is an initializer, not an input of the model."""

    array: Array


@dataclass(frozen=True)
class OnnxCase:
    """A model, what to feed it, and what says what comes out.

    The oracle is ``onnx.reference``, onnxruntime where the former is wrong or lacks a version, or a
    NumPy function of the inputs of the node, constant ones among them, for what both lack.
    """

    name: str
    build: Callable[[Sequence[Sequence[int]] | None], ModelProto]
    """Makes the model from the shapes of its outputs; without them they are left open."""
    inputs: Mapping[str, Array]
    oracle: Oracle
    arguments: Sequence[Array | None]

    def model(self) -> ModelProto:
        """Return the model; the shapes of its outputs are those that the oracle computes."""
        return self.build([value.shape for value in self.expected])

    @cached_property
    def expected(self) -> tuple[Array, ...]:
        """The outputs that the oracle computes."""
        with np.errstate(all="ignore"):
            return tuple(map(np.asarray, self._run()))

    def _run(self) -> Sequence[object]:
        if self.oracle == "reference":
            from onnx.reference import ReferenceEvaluator

            return ReferenceEvaluator(self.build(None)).run(None, dict(self.inputs))
        if self.oracle == "onnxruntime":
            import onnxruntime

            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            options.log_severity_level = 3
            data = self.build(None).SerializeToString()
            return onnxruntime.InferenceSession(data, options).run(None, dict(self.inputs))
        result = self.oracle(*self.arguments)
        return result if isinstance(result, tuple) else (result,)


def case(
    name: str,
    op_type: str,
    *inputs: Array | Const | None,
    opset: int = LATEST,
    out: npt.DTypeLike | Sequence[npt.DTypeLike] | None = None,
    outputs: int = 1,
    oracle: Oracle = "reference",
    domain: str = "",
    domain_opset: int = 1,
    **attributes: object,
) -> OnnxCase:
    """Make a case of one node: arrays are inputs x0, x1, …, ``None`` is one that is left out.

    ``out`` is the type of the outputs, by default that of the first input.
    """
    arrays = [value.array if isinstance(value, Const) else value for value in inputs]
    fed = {f"x{i}": v for i, v in enumerate(inputs) if isinstance(v, np.ndarray)}
    if out is None:
        out = arrays[0].dtype
    dtypes = list(out) if isinstance(out, list | tuple) else [out] * outputs

    def build(shapes: Sequence[Sequence[int]] | None) -> ModelProto:
        names = ["" if value is None else f"x{i}" for i, value in enumerate(inputs)]
        results = [f"y{i}" for i in range(len(dtypes))]
        types = zip(results, dtypes, shapes or [None] * len(dtypes), strict=True)
        node = helper.make_node(op_type, names, results, name=name, domain=domain, **attributes)
        graph = helper.make_graph(
            [node],
            name,
            [_info(key, value.dtype, value.shape) for key, value in fed.items()],
            [_info(key, dtype, shape) for key, dtype, shape in types],
            [
                numpy_helper.from_array(value.array, f"x{i}")
                for i, value in enumerate(inputs)
                if isinstance(value, Const)
            ],
        )
        imports = [helper.make_opsetid("", opset)]
        if domain:
            imports.append(helper.make_opsetid(domain, domain_opset))
        version = max(8, helper.find_min_ir_version_for(imports, ignore_unknown=True))
        return helper.make_model(graph, opset_imports=imports, ir_version=version)

    return OnnxCase(name, build, fed, oracle, arrays)


def f32(*shape: int) -> Array:
    """Return normally distributed numbers, others each time, the same in each run."""
    return _random().standard_normal(shape).astype(np.float32)


def f16(*shape: int) -> Array:
    return f32(*shape).astype(np.float16)


def f64(*shape: int) -> Array:
    return f32(*shape).astype(np.float64)


def positive(*shape: int) -> Array:
    return np.abs(f32(*shape)) + np.float32(0.1)


def integers(dtype: npt.DTypeLike, *shape: int, low: int = -9, high: int = 10) -> Array:
    """Return integers from ``low`` to below ``high``."""
    return _random().integers(low, high, shape).astype(dtype)


def booleans(*shape: int) -> Array:
    return _random().random(shape) < 0.5


def i64s(*values: int) -> Const:
    """Return a constant list of integers, as shapes, axes and pads are given."""
    return Const(np.array(values, np.int64))


SPECIAL = np.array(
    [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-30, -1e-30, 0.5, -0.5, 1.5, -2.5, 30.0, -30.0, 100.0],
    np.float32,
)
"""Numbers at which functions break."""


def _random() -> np.random.Generator:
    return np.random.default_rng(next(_seeds))


def _info(name: str, dtype: npt.DTypeLike, shape: Sequence[int] | None):
    number = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    return helper.make_tensor_value_info(name, number, shape)
