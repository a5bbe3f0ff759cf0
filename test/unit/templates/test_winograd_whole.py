"""Convolutions of codes by Winograd's filtering: only those whose sums cannot overflow."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.parser import Parser

from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.winograd import WINOGRAD
from autodeploy.dialects.registry import new_context
from autodeploy.templates.winograd.whole import whole_forms

CAST = "nn.cast %p : (tensor<1x6x6x{n}x{source}>) -> tensor<1x6x6x{n}xi16>"


def forms(
    codes: str = CAST, source: str = "ui8", n: int = 8, filter_: str = "i8", stored: bool = True
) -> list[int]:
    """Return the forms of a convolution of ``n`` channels whose codes a kernel makes."""
    image, weights = f"tensor<1x6x6x{n}xi16>", f"tensor<8x{n}x3x3x{filter_}>"
    made = f"""
  %x = nn.kernel(%a) : (tensor<1x6x6x{n}x{source}>) -> {image} {{
  ^bb0(%p: tensor<1x6x6x{n}x{source}>):
    %c = {codes.format(n=n, source=source)}
    nn.yield %c : {image}
  }}"""
    text = f"""func.func @main(%a: tensor<1x6x6x{n}x{source}>, %b: {image}, %w: {weights}) {{{made}
  %y = nn.kernel(%{"x" if stored else "b"}, %w) : ({image}, {weights}) -> tensor<1x6x6x8xi32> {{
  ^bb0(%p: {image}, %q: {weights}):
    %s = nn.conv %p, %q {{strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>,
      dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, accumulator = i32}}
      : ({image}, {weights}) -> tensor<1x6x6x8xi32>
    nn.yield %s : tensor<1x6x6x8xi32>
  }}
  func.return
}}"""
    module = Parser(new_context(), text).parse_module()
    *_, kernel = (op for op in module.walk() if isinstance(op, KernelOp))
    assert isinstance(kernel.anchor, ConvOp)
    return list(whole_forms(kernel, kernel.anchor))


@pytest.mark.parametrize("source", ["ui8", "i8"])
def test_bytes_are_filtered(source: str):
    assert forms(source=source) == [2]


@pytest.mark.parametrize(
    "given",
    [
        {"stored": False},
        {"source": "i16", "codes": "nn.abs %p : (tensor<1x6x6x{n}xi16>) -> tensor<1x6x6x{n}xi16>"},
        {"source": "ui16"},
        {"filter_": "i16"},
        {"n": 4000},
    ],
    ids=["of a caller", "computed", "wide", "wide weights", "sums beyond 32 bits"],
)
def test_near_misses(given: dict):
    assert forms(**given) == []


def test_no_sum_exceeds_its_type():
    """The largest elements of both transforms, for corners of the ranges of codes and weights."""
    transform, draw = WINOGRAD[2], np.random.default_rng(4)
    b, g = np.array(transform.input_transform), 2 * np.array(transform.filter_transform)
    codes = draw.choice([0, 255], (4000, 4, 4))
    weights = draw.choice([-128, 127], (4000, 3, 3))
    images = np.abs(b @ codes @ b.T).max()
    filters = np.abs(g @ weights @ g.T).max()
    most = max(n for n in range(1000, 4000, 50) if forms(n=n))
    assert images * filters * most < 2**31
    assert 255 * 128 * 9 * 4 * most < 2**31
