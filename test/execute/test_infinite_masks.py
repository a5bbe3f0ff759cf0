"""A mask that is made of an infinity and added to another one keeps it, at every level."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import autodeploy


@pytest.mark.parametrize("level", range(4))
@pytest.mark.parametrize("shape", ((2, 2), (2, 3), (4, 4), (2, 16), (3, 40)))
def test_sum_of_masks(shape: tuple[int, int], level: int) -> None:
    causal = np.triu(np.full(shape, -np.inf, np.float32), 1)
    mask = np.ones(shape, np.bool_)
    mask[0, 0] = False
    constants = {"causal": causal, "zero": np.float32(0), "infinity": np.float32(-np.inf)}
    graph = helper.make_graph(
        [
            helper.make_node("Where", ["mask", "zero", "infinity"], ["given"]),
            helper.make_node("Add", ["given", "causal"], ["sum"]),
        ],
        "masks",
        [helper.make_tensor_value_info("mask", TensorProto.BOOL, shape)],
        [helper.make_tensor_value_info("sum", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(np.array(array), name) for name, array in constants.items()],
    )
    imports = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()
    found = autodeploy.compile(model, level=level).run({"mask": mask})["sum"]
    np.testing.assert_array_equal(found, np.where(mask, 0, -np.inf) + causal)
