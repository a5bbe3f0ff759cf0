"""Write small ONNX models into a folder: two dense layers, an open dimension, Fold; and inputs."""

import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save


def write(path, nodes, inputs, outputs, weights=()):
    def value(name, *shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    graph = helper.make_graph(
        nodes,
        "g",
        [value(*entry) for entry in inputs],
        [value(*entry) for entry in outputs],
        [numpy_helper.from_array(array.astype(np.float32), name) for name, array in weights],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)]
    save(helper.make_model(graph, opset_imports=opsets), path)


folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, columns in (("dense", 3), ("other", 5)):
    write(
        folder / f"{name}.onnx",
        [
            helper.make_node("MatMul", ["x", "w"], ["p"], name="product"),
            helper.make_node("Relu", ["p"], ["y"], name="relu"),
        ],
        [("x", 1, 8)],
        [("y", 1, columns)],
        [("w", np.ones((8, 1)) * np.arange(1, columns + 1))],
    )
write(
    folder / "pixels.onnx",
    [helper.make_node("Conv", ["x", "w"], ["y"], pads=[1] * 4)],
    [("x", 1, 32, 28, 28)],
    [("y", 1, 32, 28, 28)],
    [("w", np.ones((32, 32, 3, 3)))],
)
relu = helper.make_node("Relu", ["x:0"], ["y"], name="relu")
write(folder / "open.onnx", [relu], [("x:0", "batch", 3)], [("y", "batch", 3)])
fold = helper.make_node("Fold", ["x:0"], ["d"], name="volume", domain="com.example")
write(folder / "unsupported.onnx", [fold], [("x:0", 2, 2)], [("d",)])
x = np.arange(1, 9, dtype=np.float32)
x.tofile(folder / "x.bin")
np.save(folder / "x.npy", x[None])
write(
    folder / "model.onnx",
    [helper.make_node("Neg", ["x"], ["y"], name="minus")],
    [("x", 3)],
    [("y", 3)],
)
