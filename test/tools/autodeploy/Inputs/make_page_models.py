"""Write small ONNX models for pages into a folder: types, a loop, sums."""

import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

value = helper.make_tensor_value_info
FLOAT, WIDE, INT = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64


def write(name, nodes, inputs, outputs, weights=()):
    arrays = [numpy_helper.from_array(np.asarray(array), key) for key, array in weights]
    graph = helper.make_graph(nodes, name, inputs, outputs, arrays)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    save(model, folder / f"{name}.onnx")


folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
write(
    "types",
    [
        helper.make_node("Exp", ["w"], ["e"]),
        helper.make_node("Neg", ["i"], ["n"]),
        helper.make_node("Sin", ["x"], ["s"]),
        helper.make_node("NonZero", ["x"], ["z"]),
    ],
    [value("w", WIDE, [4]), value("i", INT, [4]), value("x", FLOAT, [4])],
    [
        value("e", WIDE, [4]),
        value("n", INT, [4]),
        value("s", FLOAT, [4]),
        value("z", INT, [1, None]),
    ],
)
body = helper.make_graph(
    [helper.make_node("Add", ["s", "s"], ["t"]), helper.make_node("Identity", ["c"], ["d"])],
    "body",
    [value("k", INT, []), value("c", TensorProto.BOOL, []), value("s", FLOAT, [4])],
    [value("d", TensorProto.BOOL, []), value("t", FLOAT, [4])],
)
write(
    "loop",
    [helper.make_node("Loop", ["n", "go", "x"], ["y"], body=body)],
    [value("x", FLOAT, [4])],
    [value("y", FLOAT, [4])],
    [("n", np.int64(3)), ("go", np.bool_(True))],
)
write(
    "sums",
    [helper.make_node("Add", ["x", "a"], ["y"])],
    [value("x", FLOAT, [4])],
    [value("y", FLOAT, [4])],
    [("a", np.arange(4, dtype=np.float32))],
)
