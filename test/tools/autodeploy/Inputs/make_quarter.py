"""Write a model that takes a quarter of two numbers, and the numbers; one quarter is subnormal."""

import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [2]) for n in "xy")
quarter = numpy_helper.from_array(np.array(0.25, np.float32), "quarter")
node = helper.make_node("Mul", ["x", "quarter"], ["y"])
graph = helper.make_graph([node], "g", [x], [y], [quarter])
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), folder / "quarter.onnx")
np.save(folder / "x.npy", np.array([2e-38, 1], np.float32))
