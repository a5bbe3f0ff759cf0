"""nn.layer_norm computes what the parts did that fuse-layer-norm replaces, in every order."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from nn_numpy import evaluate
from xdsl.parser import Parser

from autodeploy.dialects.registry import new_context
from autodeploy.passes.fusion.pdl.executor import apply_patterns, load_patterns
from autodeploy.passes.fusion.registry import pattern_files

SQUARES = {
    "pow": "nn.pow %d, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>",
    "mul": "nn.mul %d, %d : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>",
}
QUOTIENTS = ("div", "times_reciprocal", "reciprocal_times")
CHOICES = list(product(SQUARES, QUOTIENTS, (False, True), (False, True), (False, True)))


def binary(name: str, swap: bool, *operands: tuple[str, str]) -> str:
    """Return a binary op on values with their types, of which the first is the result's."""
    values, types = zip(*(operands[::-1] if swap else operands), strict=True)
    return f"nn.{name} {', '.join(values)} : ({', '.join(types)}) -> {operands[0][1]}"


def text(square: str, quotient: str, swap_epsilon: bool, swap_scale: bool, swap_shift: bool) -> str:
    whole, row, one = "tensor<2x3x8xf32>", "tensor<2x3x1xf32>", "tensor<8xf32>"
    mean = f"{{kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true}} : ({whole})"
    if quotient == "div":
        inverse, normal = "", f"nn.div %d, %s : ({whole}, {row}) -> {whole}"
    else:
        inverse = f"%i = nn.reciprocal %s : ({row}) -> {row}"
        normal = binary("mul", quotient == "reciprocal_times", ("%d", whole), ("%i", row))
    return f"""
func.func @f(%x: {whole}, %g: {one}, %b: {one}) -> {whole} {{
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %eps = nn.constant #nn.dense<0.01 : tensor<f32>>
  %m = nn.reduce %x {mean} -> {row}
  %d = nn.sub %x, %m : ({whole}, {row}) -> {whole}
  %q = {SQUARES[square]}
  %v = nn.reduce %q {mean} -> {row}
  %e = {binary("add", swap_epsilon, ("%v", row), ("%eps", "tensor<f32>"))}
  %s = nn.sqrt %e : ({row}) -> {row}
  {inverse}
  %n = {normal}
  %p = {binary("mul", swap_scale, ("%n", whole), ("%g", one))}
  %y = {binary("add", swap_shift, ("%p", whole), ("%b", one))}
  func.return %y : {whole}
}}
"""


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_layer_norm_agrees_with_the_replaced_ops(choice):
    ctx = new_context()
    module = Parser(ctx, text(*choice)).parse_module()
    random = np.random.default_rng(0)
    inputs = [random.standard_normal(s).astype(np.float32) for s in ((2, 3, 8), (8,), (8,))]
    (before,) = evaluate(ctx, module, inputs)
    patterns = load_patterns(ctx, pattern_files()["fuse-layer-norm"])
    assert apply_patterns(ctx, module, patterns) == 1
    module.verify()
    assert [op.name for op in module.walk()].count("nn.layer_norm") == 1
    (after,) = evaluate(ctx, module, inputs)
    np.testing.assert_allclose(after, before, rtol=0, atol=2e-6)
