"""Operators of integers with zero points a channel: exact sums, and weights that stay bytes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx.parser
import pytest
from onnx import ModelProto, numpy_helper

import autodeploy
from autodeploy.toolchain.session import load_bundle

OUTPUTS, INPUTS = 64, 24
FORMS = {
    "MatMulInteger": "y = MatMulInteger(q, w, z, wz)",
    "ConvInteger": "y = ConvInteger <pads = [1, 1, 1, 1]> (q, w, z, wz)",
    "ConvInteger without pads": "y = ConvInteger <strides = [2, 1]> (q, w, z, wz)",
    "QLinearConv": "y = QLinearConv <pads = [1, 1, 1, 1]> (q, s, c, w, ws, wz, ys, yz)",
    "QLinearMatMul": "y = QLinearMatMul(q, s, c, w, ws, wz, ys, yz)",
}
COMPUTED = "q, s, z = DynamicQuantizeLinear(x) "
CONSTANT = "q = QuantizeLinear(x, s, c) "


def network(form: str) -> tuple[ModelProto, tuple[int, ...]]:
    """Return a network of one operator, and the shape of its input."""
    is_product, is_integer = "MatMul" in form, "Integer" in form
    shape = (7, INPUTS) if is_product else (1, INPUTS, 6, 7)
    kernel = (INPUTS, OUTPUTS) if is_product else (OUTPUTS, INPUTS, 3, 3)
    draw = np.random.default_rng(5)
    channels = 1 if "ConvInteger" in form else OUTPUTS  # onnxruntime has no others of it
    constants = {
        "w": draw.integers(-128, 128, kernel).astype(np.int8),
        "wz": np.zeros(channels, np.int8),
        "ws": draw.uniform(0.001, 0.01, channels).astype(np.float32),
        "ys": np.array(0.3, np.float32),
        "yz": np.array(110, np.uint8),
        "c": np.array(93, np.uint8),
    }
    if not is_integer:
        constants["s"] = np.array(0.02, np.float32)
    extents = ",".join(map(str, shape))
    kind = "int32" if is_integer else "uint8"
    model = onnx.parser.parse_model(
        f'<ir_version: 8, opset_import: ["" : 17]> layer (float[{extents}] x) => ({kind}[] y) '
        f"{{ {COMPUTED if is_integer else CONSTANT}{FORMS[form]} }}"
    )
    model.graph.output[0].type.tensor_type.ClearField("shape")
    model.graph.initializer.extend(
        numpy_helper.from_array(array, name)
        for name, array in constants.items()
        if any(name in node.input for node in model.graph.node)
    )
    return model, shape


@pytest.mark.parametrize("form", FORMS)
def test_sums_are_exact_and_weights_stay_bytes(form: str, tmp_path: Path):
    onnxruntime = pytest.importorskip("onnxruntime")
    model, shape = network(form)
    x = np.random.default_rng(7).normal(size=shape).astype(np.float32)
    # Sums of a product of pairs would exceed 16 bits, which onnxruntime clips on some processors.
    (weights,) = (t for t in model.graph.initializer if t.name == "w")
    narrow = numpy_helper.to_array(weights) // 2
    weights.CopyFrom(numpy_helper.from_array(narrow.astype(np.int8), "w"))
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (wanted,) = session.run(None, {"x": x})
    autodeploy.compile(model, tmp_path, level=2).close()  # filters of Winograd are larger
    with load_bundle(tmp_path) as built:
        assert np.array_equal(built.run({"x": x})["y"], wanted)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["weights"]["bytes"] < 1.5 * narrow.size
