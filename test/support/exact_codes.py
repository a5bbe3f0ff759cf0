"""Quantised networks computed with exact sums: what their programs compute on each machine.

A convolution or product of codes is a sum of integers. On its way to a code it is scaled and
rounded once, in 32-bit floats. So is the sum of an image of codes on its way to their mean. All
other operators compute floats, as ONNX's reference does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

Array = npt.NDArray


@dataclass(frozen=True)
class Scaled:
    """Integers that stand for numbers: distances from a zero point, or sums of their products.

    ``scale`` broadcasts to them. ``axis`` is that of several scales.
    """

    integers: Array
    scale: Array
    axis: int = 0

    def numbers(self) -> Array:
        return self.integers.astype(np.float32) * self.wide(self.integers.ndim, self.axis)

    def wide(self, rank: int, axis: int) -> Array:
        """Return the scale with as many axes as something whose axis it is for."""
        if self.scale.ndim == 0:
            return self.scale
        return self.scale.reshape([-1 if i == axis else 1 for i in range(rank)])


def exact_codes(model: ModelProto, given: Mapping[str, Array]) -> Sequence[Array]:
    """Return the outputs of a network of dequantised layers."""
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    values: dict[str, Array | Scaled] = {**known, **given}
    for node in model.graph.node:
        values[node.output[0]] = _computed(node, [values[name] for name in node.input])
    return [_floats(values[output.name]) for output in model.graph.output]


def _floats(value: Array | Scaled) -> Array:
    return value.numbers() if isinstance(value, Scaled) else value


def _computed(node: NodeProto, inputs: Sequence[Array | Scaled]) -> Array | Scaled:
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    first = inputs[0]
    match node.op_type:
        case "DequantizeLinear":
            codes, scale, zero = map(_floats, inputs)
            axis = attributes.get("axis", 1)
            place = Scaled(codes, zero).wide(codes.ndim, axis)
            return Scaled(codes.astype(np.int64) - place.astype(np.int64), scale, axis)
        case "QuantizeLinear":
            return _quantised(first, *map(_floats, inputs[1:]))
        case "Relu" if isinstance(first, Scaled):
            return Scaled(np.maximum(first.integers, 0), first.scale, first.axis)
        case "Conv" | "Gemm" if all(isinstance(value, Scaled) for value in inputs):
            x, weights, *_ = inputs
            wholes = [value.integers.astype(np.float64) for value in inputs]
            sums = _reference(node, wholes).astype(np.int64)
            return Scaled(sums, (x.scale * weights.scale).astype(np.float32), axis=1)
        case "AveragePool" | "GlobalAveragePool" if isinstance(first, Scaled):
            whole = first.integers.shape[2:]
            if tuple(attributes.get("kernel_shape", whole)) == whole:
                sums = first.integers.sum(tuple(range(2, first.integers.ndim)), keepdims=True)
                return Scaled(sums, (first.scale / np.float32(np.prod(whole))).astype(np.float32))
    return _reference(node, [_floats(value) for value in inputs])


def _quantised(x: Array | Scaled, scale: Array, zero: Array) -> Array:
    if isinstance(x, Scaled):
        ratio = (x.wide(x.integers.ndim, x.axis) / scale).astype(np.float32)
        quotient = x.integers.astype(np.float32) * ratio
    else:
        quotient = x / scale
    limits = np.iinfo(zero.dtype)
    whole = np.rint(quotient) + np.float32(zero)
    return np.clip(whole, limits.min, limits.max).astype(zero.dtype)


def _reference(node: NodeProto, inputs: Sequence[Array]) -> Array:
    return ReferenceEvaluator(node).run(None, dict(zip(node.input, inputs, strict=True)))[0]
