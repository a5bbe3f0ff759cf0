"""In the precision of the model, convolutions of 16-bit floats are direct sums at every level."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper, numpy_helper

import autodeploy


@pytest.mark.parametrize("element", [np.float16, np.float32])
def test_the_level_changes_no_bits_of_16_bits(element, tmp_path):
    random = np.random.default_rng(5)
    image = random.standard_normal((1, 16, 16, 16)).astype(element)
    weights = random.standard_normal((16, 16, 3, 3)).astype(element)
    number = helper.np_dtype_to_tensor_dtype(np.dtype(element))
    infos = [helper.make_tensor_value_info(name, number, image.shape) for name in ("x", "y")]
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])
    graph = helper.make_graph(
        [node], "net", infos[:1], infos[1:], [numpy_helper.from_array(weights, "w")]
    )
    imports = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, ir_version=9, opset_imports=imports).SerializeToString()
    found = []
    for level in (2, 3):
        with autodeploy.compile(model, level=level, precision="model") as session:
            found.append(session.run({"x": image})["y"])
    # Of 32 bits the sums are Winograd's at level 3, and other bits.
    assert np.array_equal(*found) == (element == np.float16)
