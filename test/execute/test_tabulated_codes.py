"""Functions of 8-bit codes, which a program clips or looks up in a table, at all codes."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import autodeploy

SCALES = {"x": 0.05, "g": 1 / 127, "y": 0.03}


def between_codes(
    element: type[np.generic],
    functions: Sequence[NodeProto],
    scales: Mapping[str, float] = SCALES,
) -> ModelProto:
    """Return codes 'q' of numbers 'x', functions of these, and the codes 'r' of their last, 'y'.

    Numbers 'g' become codes before a function reads them.
    """
    zero = 3 if element is np.int8 else 131
    stored = [numpy_helper.from_array(np.array(zero, element), "zero")]
    stored += [numpy_helper.from_array(np.float32(s), f"{n}_scale") for n, s in scales.items()]
    stored.append(numpy_helper.from_array(np.float32(np.sqrt(2)), "root"))
    stored.append(numpy_helper.from_array(np.float32(1), "one"))
    nodes = [helper.make_node("DequantizeLinear", ["q", "x_scale", "zero"], ["x"])]
    for node in functions:
        nodes.append(node)
        if node.output[0] == "g":
            codes = helper.make_node("QuantizeLinear", ["g", "g_scale", "zero"], ["c"])
            nodes += [codes, helper.make_node("DequantizeLinear", ["c", *codes.input[1:]], ["h"])]
    nodes.append(helper.make_node("QuantizeLinear", ["y", "y_scale", "zero"], ["r"]))
    kind = TensorProto.INT8 if element is np.int8 else TensorProto.UINT8
    infos = [helper.make_tensor_value_info(name, kind, [2, 128]) for name in "qr"]
    graph = helper.make_graph(nodes, "codes", infos[:1], infos[1:], stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


FUNCTIONS = {
    "tanh": [helper.make_node("Tanh", ["x"], ["y"])],
    "swish": [helper.make_node("Sigmoid", ["x"], ["g"]), helper.make_node("Mul", "xh", "y")],
    "gelu": [
        helper.make_node("Div", ["x", "root"], ["d"]),
        helper.make_node("Erf", "d", "g"),
        helper.make_node("Mul", "xh", "p"),
        helper.make_node("Add", "px", "y"),
    ],
    "exp": [helper.make_node("Exp", "x", "y")],
}


@pytest.mark.parametrize("element", [np.uint8, np.int8])
@pytest.mark.parametrize("functions", FUNCTIONS.values(), ids=FUNCTIONS)
def test_all_codes(functions, element):
    model = between_codes(element, functions)
    codes = np.arange(256, dtype=np.uint8).view(element).reshape(2, 128)
    (right,) = ReferenceEvaluator(model).run(None, {"q": codes})
    for level in (0, 1, 3):
        with autodeploy.compile(model, level=level) as session:
            found = session.run({"q": codes})["r"]
        assert found.dtype == element
        wrong = np.abs(found.astype(int) - right.astype(int))
        # Level 0 computes the function: its rounding may move one of 256 codes by a step.
        assert wrong.max() <= (level == 0) and np.count_nonzero(wrong) <= 1


@pytest.mark.parametrize("element", [np.uint8, np.int8])
@pytest.mark.parametrize("bounds", [["", "one"], ["one", ""], ["one", "root"], ["root", "one"]])
def test_clipped_codes(bounds, element):
    clip = helper.make_node("Clip", ["x", *bounds], ["y"])
    model = between_codes(element, [clip], {"x": 0.02, "y": 0.02})
    codes = np.arange(256, dtype=np.uint8).view(element).reshape(2, 128)
    (right,) = ReferenceEvaluator(model).run(None, {"q": codes})
    for level in (0, 3):
        with autodeploy.compile(model, level=level) as session:
            assert np.array_equal(session.run({"q": codes})["r"], right)
