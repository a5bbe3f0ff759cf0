"""Kernels as C++ source compute what they do as objects, with vectors of any number of lanes.

A pool that moves by two, or rows that fill no vector, take vectors of 6 or 14 lanes apart, say, of
which a compiler need not have any. What is enlarged puts vectors together and takes some lanes.
"""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from closeness import assert_close
from onnx import helper, numpy_helper

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

INPUTS = {
    "image": np.random.default_rng(3).standard_normal((1, 50, 5, 13)).astype(np.float32),
    "small": np.random.default_rng(5).standard_normal((1, 2, 4, 4)).astype(np.float32),
    "narrow": np.random.default_rng(6).standard_normal((1, 1, 2, 3)).astype(np.float16),
    "bias": np.array([0.5, -1, 2], np.float32),
    "rows": np.random.default_rng(4).standard_normal((3, 37)).astype(np.float32),
}
SCALES = numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "scales")
WEIGHTS = numpy_helper.from_array(
    np.random.default_rng(7).standard_normal((37, 3)).astype(np.float32), "weights"
)
ONES = numpy_helper.from_array(np.ones((50, 1, 1, 1), np.float32), "ones")

NODES = [
    helper.make_node("MaxPool", ["image"], ["pool"], kernel_shape=[3, 3], strides=[2, 2],
                     pads=[1, 1, 1, 1]),
    helper.make_node("Conv", ["image", "ones"], ["same"], group=50),
    helper.make_node("LRN", ["same"], ["lrn"], size=5, alpha=0.3),
    helper.make_node("Resize", ["small", "", "scales"], ["larger"], mode="linear"),
    helper.make_node("Resize", ["narrow", "", "scales"], ["wider"], mode="linear"),
    helper.make_node("Softmax", ["rows"], ["softmax"]),
    helper.make_node("Sigmoid", ["rows"], ["sigmoid"]),
    # The tile of sums is wider than the three columns that are stored.
    helper.make_node("MatMul", ["rows", "weights"], ["product"]),
    helper.make_node("Add", ["product", "bias"], ["sum"]),
    helper.make_node("Sin", ["sum"], ["sine"]),
]  # fmt: skip
OUTPUTS = ["pool", "lrn", "larger", "wider", "softmax", "sigmoid", "sine"]


def _type(array):
    return helper.np_dtype_to_tensor_dtype(array.dtype)


@pytest.mark.exhaustive
@pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="there is no C++ compiler"
)
@pytest.mark.parametrize("level", [0, 2])
def test_as_sources_and_as_objects(level, tmp_path):
    graph = helper.make_graph(
        NODES,
        "sources",
        [helper.make_tensor_value_info(name, _type(x), x.shape) for name, x in INPUTS.items()],
        [
            helper.make_tensor_value_info(name, 10 if name == "wider" else 1, None)
            for name in OUTPUTS
        ],
        [ONES, SCALES, WEIGHTS],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    found = {}
    for emit in ("object", "c"):
        compile_model(
            model.SerializeToString(), tmp_path / emit, CompileOptions(level=level, emit=emit)
        )
        with load_bundle(tmp_path / emit) as session:
            found[emit] = session.run(INPUTS)
    for name in OUTPUTS:
        assert_close(found["c"][name], found["object"][name])
