"""Networks in other types of numbers, and the table of their times."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from benchmarks.models import read_model
from benchmarks.precision import FORMS, in_form, processor_table

pytest.importorskip("onnxruntime", reason="pip install 'autodeploy[quantize]'")


@pytest.fixture
def model(tmp_path):
    w = numpy_helper.from_array(np.linspace(-1, 1, 64, dtype=np.float32).reshape(8, 8), "w")
    b = numpy_helper.from_array(np.ones((1, 8), np.float32), "b")
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], name="dense"),
        helper.make_node("Add", ["p", "b"], ["y"], name="bias"),
    ]
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [4, 8]) for n in "xy")
    graph = helper.make_graph(nodes, "net", [x], [y], [w, b])
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), tmp_path / "net.onnx")
    return read_model("net", tmp_path / "net.onnx")


@pytest.mark.parametrize("form", FORMS)
def test_a_network_has_a_file_for_each_form_but_bf16(model, tmp_path, form):
    made = in_form(model, form, tmp_path / "made")
    assert made.name == f"net {form}"
    assert (made.path == model.path) == (form == "bf16")
    kinds = {node.op_type for node in onnx.load(made.path).graph.node}
    of_codes = {
        "qdq": "DequantizeLinear",
        "s8s8": "DequantizeLinear",
        "qop": "QGemm",
        "dynamic": "MatMulInteger",
        "bf16": "MatMul",
    }
    assert of_codes[form] in kinds
    files = [path.name for path in (tmp_path / "made").glob("*")]
    assert files == ([] if form == "bf16" else [f"net-{form}.onnx"])
    assert in_form(model, form, tmp_path / "made") == made


def test_our_time_is_divided_by_the_best_of_the_others():
    contenders = {
        "autodeploy": {"processor_median": 2e-3},
        "onnxruntime": {"processor_median": 4e-3},
        "openvino": {"failed": "no such operator"},
    }
    result = {"model": "net qdq", "contenders": contenders}
    table = processor_table([result], list(contenders)).splitlines()
    assert table[-1] == "| net qdq | 2 | 4 | failed | 0.50 |"
    del contenders["autodeploy"]["processor_median"]
    assert processor_table([result], list(contenders)).endswith("| net qdq |  | 4 | failed |  |")
