"""The zoo networks that the onnx package carries without their weights, given random ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, numpy_helper

FOLDER = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"

MOVEMENTS = ("Reshape", "Unsqueeze")


def light_model(name: str) -> ModelProto:
    """Return ``light_<name>.onnx`` with random weights; a softmax at the end is left out.

    The weights of the package are all equal, and a softmax of logits that are far apart is the same
    whatever went before: neither would show a wrong number.
    """
    model = onnx.load(FOLDER / f"light_{name}.onnx")
    model.ir_version = 8  # from version 4 on an initializer need not be an input
    graph, random = model.graph, np.random.default_rng(0)
    shapes = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    kept = []
    for node in graph.node:
        if node.op_type == "ConstantOfShape":
            use = _use(graph, node.output[0])
            array = _weight(random, use, tuple(shapes[node.input[0]]))
            graph.initializer.append(numpy_helper.from_array(array, node.output[0]))
        else:
            kept.append(node)
    if kept[-1].op_type == "Softmax":
        softmax = kept.pop()
        kept[-1].output[0] = softmax.output[0]
    del graph.node[:]
    graph.node.extend(kept)
    return model


def _use(graph: onnx.GraphProto, name: str) -> tuple[str, int]:
    """Return the operator and the place among its inputs that a value is a weight for."""
    for node in graph.node:
        if name in node.input:
            if node.op_type in MOVEMENTS:
                return _use(graph, node.output[0])
            return node.op_type, list(node.input).index(name)
    raise AssertionError(f"nothing uses {name}")


def _weight(random: np.random.Generator, use: tuple[str, int], shape: tuple[int, ...]):
    values = random.standard_normal(shape, np.float32)
    match use:
        case ("Conv", 1):
            return values * np.float32(np.sqrt(2 / np.prod(shape[1:])))
        case ("Gemm", 1):
            return values * np.float32(np.sqrt(2 / max(shape)))
        case ("BatchNormalization", 1 | 4) | ("Mul", _):
            return 1 + np.float32(0.1) * np.abs(values)
        case _:
            return values * np.float32(0.1)
