"""Inputs, values and outputs of no elements."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from onnx import parser
from onnx.reference import ReferenceEvaluator
from program_batch import run_once

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.compiler import find_c_compiler


def parsed(text):
    return parser.parse_model(f'<ir_version: 8, opset_import: ["" : 18]> {text}')


CONV = """s = Constant<value_ints = [64, 64, 3, 3]>()
    k = ConstantOfShape<value = float[1] {0.5}>(s)
    a = Conv<pads = [1, 1, 1, 1]>(x, k)
    b = Relu(a)
    c = Conv<pads = [1, 1, 1, 1]>(b, k)
    y = Add(c, x)"""
ATTENTION = """t = Transpose<perm = [0, 2, 1]>(x)
    a = MatMul(x, t)
    p = Softmax(a)
    y = MatMul(p, x)"""
NO_INPUTS = """s = Constant<value_ints = [64, 0, 3, 3]>()
    k = ConstantOfShape<value = float[1] {0.5}>(s)
    y = Conv<pads = [1, 1, 1, 1]>(x, k)"""
NO_OUTPUTS = NO_INPUTS.replace("64, 0", "0, 64")
SUM = """a = Constant<value_ints = [1]>()
    y = ReduceSum(x, a)"""
PRODUCT = """t = Transpose<perm = [1, 0]>(x)
    y = MatMul(x, t)"""
JOINED = """s = Constant<value_ints = [2, 4]>()
    g = ConstantOfShape<value = float[1] {1}>(s)
    y = Concat<axis = 0>(g, x, g)"""


@pytest.mark.parametrize("level", [0, 2, 3])
@pytest.mark.parametrize(
    ("body", "shape"),
    [
        (CONV, (0, 64, 8, 8)), (NO_INPUTS, (1, 0, 8, 8)), (NO_OUTPUTS, (1, 64, 8, 8)),
        (ATTENTION, (0, 7, 16)), (ATTENTION, (2, 0, 16)), (ATTENTION, (2, 7, 0)),
        (SUM, (3, 0)), (SUM, (0, 3)), (PRODUCT, (3, 0)), (PRODUCT, (0, 3)), (JOINED, (0, 4)),
    ],
)  # fmt: skip
def test_an_extent_is_0(level, body, shape):
    letters = ",".join("abcd"[: len(shape)])
    model = parsed(f"g (float[{letters}] x) => (float y) {{ {body} }}")
    model.graph.output[0].type.tensor_type.ClearField("shape")
    x = np.ones(shape, np.float32)
    (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    options = CompileOptions(level=level, shapes={"x": shape})
    (found,) = run_once(model.SerializeToString(), {"x": x}, options).values()
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, 1e-5)


CALL = """
#include "g.h"
#include <stdio.h>
int main(void)
{
    g_options options = {0};
    g_context *context;
    const float z[6] = {1, 2, 3, 4, 5, 6};
    float y[6], s[3];
    options.weights_path = "g.weights";
    if (g_init(&context, &options) != G_OK) {
        return 1;
    }
    printf("%d ", g_predict(context, NULL, z, y, s, NULL));
    printf("%g %g ", y[5], s[0]);
    printf("%d %s", g_predict(context, NULL, NULL, y, s, NULL), g_error_message(context));
    g_free(context);
    return 0;
}
"""


def test_a_pointer_to_no_elements_may_be_null(tmp_path):
    model = parsed("""g (float[0,3] x, float[2,3] z) => (float[2,3] y, float[1,3] s, float[0,3] r) {
        y = Concat<axis = 0>(x, z)
        a = Constant<value_ints = [0]>()
        s = ReduceSum<keepdims = 1>(x, a)
        r = Relu(x)
    }""")
    compile_model(model.SerializeToString(), tmp_path, CompileOptions(level=2, emit="c"))
    (tmp_path / "call.c").write_text(CALL)
    checks = "-fsanitize=address,undefined -fno-sanitize-recover=all"
    make = ["make", "-s", "lib", f"CFLAGS=-O1 {checks}", f"CXXFLAGS=-O1 -std=c++17 {checks}"]
    subprocess.run(make, cwd=tmp_path, check=True)
    command = [*find_c_compiler(), *checks.split(), "call.c", "libg.a", "-lm", "-lstdc++"]
    subprocess.run([*command, "-o", "call"], cwd=tmp_path, check=True)
    said = subprocess.run(["./call"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert said.stdout == "0 6 0 1 the pointer to tensor 'z' is null"
    assert said.stderr == ""
