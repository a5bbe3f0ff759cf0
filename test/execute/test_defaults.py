"""Inputs that a run may leave out, from C and from Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from autodeploy import compile_model
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.compiler import find_c_compiler, run, run_make
from autodeploy.toolchain.session import load_bundle

X = np.array([1, -2, 3], np.float32)

CALLER = """
#include <stdio.h>
#include "affine.h"

int main(int count, char **words)
{
    const float x[3] = {1, -2, 3}, k[1] = {5};
    float y[3];
    affine_options options = {0};
    affine_context *context;
    options.weights_path = words[1];
    if (affine_init(&context, &options) != AFFINE_OK) {
        return 1;
    }
    if (affine_predict(context, x, count > 2 ? k : NULL, NULL, y) != AFFINE_OK ||
        affine_predict(context, NULL, NULL, NULL, y) != AFFINE_ERROR_ARGUMENT) {
        return 2;
    }
    printf("%g %g %g\\n", y[0], y[1], y[2]);
    affine_free(context);
    return 0;
}
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bundle of a model that computes x * k + c, with k = 2 and c = (0, 1, -inf)."""
    info = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", [3]), ("k", [1]), ("c", [3]), ("y", [3]))
    ]
    nodes = [helper.make_node("Mul", ["x", "k"], ["m"]), helper.make_node("Add", ["m", "c"], ["y"])]
    values = {"k": np.float32([2]), "c": np.float32([0, 1, -np.inf])}
    weights = [numpy_helper.from_array(value, name) for name, value in values.items()]
    graph = helper.make_graph(nodes, "affine", info[:3], info[3:], weights)
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=8)
    folder = tmp_path_factory.mktemp("defaults") / "b"
    compile_model(model.SerializeToString(), folder)
    return folder


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (X, [2, -3, -np.inf]),
        ({"x": X}, [2, -3, -np.inf]),
        ({"x": X, "k": np.float32([5])}, [5, -9, -np.inf]),
        ({"x": X, "c": X}, [3, -6, 9]),
        ({"c": X, "x": X, "k": np.float32([-1])}, [0, 0, 0]),
    ],
)
def test_sessions(bundle: Path, inputs, expected):
    with load_bundle(bundle) as session:
        (y,) = session.run(inputs).values()
        np.testing.assert_array_equal(y, np.float32(expected))
        with pytest.raises(UserError, match="missing input 'x' of 'affine'"):
            session.run({"k": np.float32([5])})


@pytest.mark.parametrize(
    ("inputs", "expected"), [({"x": X}, [2, -3, -np.inf]), ({"x": X, "c": X}, [3, -6, 9])]
)
def test_arrays_of_a_binding_begin_with_the_defaults(bundle: Path, inputs, expected):
    with load_bundle(bundle) as session:
        binding = session.bind(inputs)
        for factor in (1, 0):
            (y,) = binding.run().values()
            np.testing.assert_array_equal(y, np.float32(expected))
            binding.inputs["k"][...] = factor
            expected = binding.inputs["x"] * factor + binding.inputs["c"]


def test_the_module_of_the_bundle(bundle: Path):
    run_make(bundle, ["lib"])
    lines = [
        "import numpy as np, affine",
        "with affine.Network() as network:",
        "    x = np.float32([1, -2, 3])",
        "    print(network.run(x)['y'], network.run({'x': x, 'k': np.float32([5])})['y'])",
    ]
    words = [sys.executable, "-c", "\n".join(lines)]
    said = subprocess.run(words, cwd=bundle, capture_output=True, text=True, check=True).stdout
    assert said == "[  2.  -3. -inf] [  5.  -9. -inf]\n"


def test_null_pointers_in_c(bundle: Path, tmp_path: Path):
    run_make(bundle, ["lib"])
    (tmp_path / "caller.c").write_text(CALLER)
    strict = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    program, library = tmp_path / "caller", bundle / "libaffine.a"
    words = [*strict, f"-I{bundle}", str(tmp_path / "caller.c"), str(library), "-lm", "-lpthread"]
    run([*find_c_compiler(), *words, "-o", str(program)])
    for further, expected in (((), "2 -3 -inf"), (("k",), "5 -9 -inf")):
        words = [str(program), str(bundle / "affine.weights"), *further]
        said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        assert said.split() == expected.split()
