"""Sequences to which a loop adds elements of another shape than those that it begins with.

ONNX's inference gives all elements the shape of the first ones; onnxruntime finds what they have.
"""

from __future__ import annotations

import warnings

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper
from program_batch import run_once

from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import ModelWarning

FLOAT, INT, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
X = np.arange(1, 7, dtype=np.float32).reshape(2, 3)

NUMBER = [helper.make_node("Cast", ["i"], ["new"], to=FLOAT)]
SIZE_OF_LAST = [
    helper.make_node("SequenceAt", ["s", "place"], ["last"]),
    helper.make_node("Size", ["last"], ["size"]),
    helper.make_node("Cast", ["size"], ["new"], to=FLOAT),
]
"""Of the first step it is the size of a row, of the others that of a number."""


def looped(inserted, tail, element=FLOAT, shape=None) -> bytes:
    """Return a model: rows of ``x``, a number put behind them in each step, the last of these."""
    body = helper.make_graph(
        [
            *inserted,
            helper.make_node("SequenceInsert", ["s", "new"], ["t"]),
            helper.make_node("Identity", ["go"], ["goes"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", INT, []),
            helper.make_tensor_value_info("go", BOOL, []),
            helper.make_tensor_sequence_value_info("s", FLOAT, None),
        ],
        [
            helper.make_tensor_value_info("goes", BOOL, []),
            helper.make_tensor_sequence_value_info("t", FLOAT, None),
        ],
    )
    nodes = [
        helper.make_node("SplitToSequence", ["x", "one"], ["rows"], axis=0),
        helper.make_node("Loop", ["two", "", "rows"], ["all"], body=body),
        helper.make_node("SequenceAt", ["all", "place"], ["y" if tail is None else "e"]),
    ]
    if tail is not None:
        nodes.append(helper.make_node(tail, ["e", "x"] if tail == "Add" else ["e"], ["y"]))
    numbers = {"one": 1, "two": 2, "place": -1}
    graph = helper.make_graph(
        nodes,
        "rows",
        [helper.make_tensor_value_info("x", FLOAT, X.shape)],
        [helper.make_tensor_value_info("y", element, shape)],
        [helper.make_tensor(name, INT, [], [n]) for name, n in numbers.items()],
    )
    opset = helper.make_opsetid("", 21)
    return helper.make_model(graph, opset_imports=[opset], ir_version=10).SerializeToString()


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("inserted", [NUMBER, SIZE_OF_LAST])
@pytest.mark.parametrize(
    ("tail", "element", "shape"),
    [
        (None, FLOAT, []),
        (None, FLOAT, None),
        ("Shape", INT, None),
        ("Size", INT, None),
        ("Add", FLOAT, None),
    ],
)
def test_an_element_has_its_own_shape(tail, element, shape, inserted, level):
    model = looped(inserted, tail, element, shape)
    right = onnxruntime.InferenceSession(model).run(None, {"x": X})[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error", ModelWarning)
        (found,) = run_once(model, {"x": X}, CompileOptions(level=level)).values()
    assert found.shape == right.shape
    np.testing.assert_array_equal(found, right)
