"""Write an ONNX model of one Add: an input ``x:0`` of open batch size, and a weight."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

weight = numpy_helper.from_array(np.arange(32, dtype=np.float32), "w")
graph = helper.make_graph(
    [helper.make_node("Add", ["x:0", "w"], ["y"], name="Plus_1")],
    "model",
    [helper.make_tensor_value_info("x:0", TensorProto.FLOAT, ["batch", 32])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 32])],
    [weight],
)
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), sys.argv[1])
