"""Which layers of a quantised network sum integers, and why others do not."""

import pytest
from xdsl.parser import Parser

from autodeploy.dialects.registry import new_context
from autodeploy.passes.fusion.integer_use import integer_use
from autodeploy.passes.fusion.use_integers import UseIntegersPass

CODES = """
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<{codes}>>
  %w = nn.constant #nn.dense<{w} : tensor<2x2x{weights}>>
  %ws = nn.constant #nn.dense<0.25 : tensor<f32>>
  %wz = nn.constant #nn.dense<0 : tensor<{weights}>>
  %xd = nn.dequantize %x, %xs, %xz
    : (tensor<4x2x{codes}>, tensor<f32>, tensor<{codes}>) -> tensor<4x2xf32>
  %wd = nn.dequantize %w, %ws, %wz
    : (tensor<2x2x{weights}>, tensor<f32>, tensor<{weights}>) -> tensor<2x2xf32>
"""
FLOATS = "\n  %wf = nn.constant #nn.dense<2.0 : tensor<2x2xf32>>"


def lines(product: str, codes: str = "ui8", weights: str = "i8") -> list[str]:
    text = f"""func.func @main(%x: tensor<4x2x{codes}>, %f: tensor<4x2xf32>, %g: tensor<2x2xf32>) {{
{CODES.format(codes=codes, weights=weights, w="[1, 2, 3, 4]")}{FLOATS}
  {product}
  %e = nn.exp %y : (tensor<4x2xf32>) -> tensor<4x2xf32> loc("curve")
  func.return
}}"""
    context = new_context()
    module = Parser(context, text).parse_module()
    UseIntegersPass().apply(context, module)
    return list(integer_use(module))


def matmul(lhs: str, rhs: str, *bias: str) -> str:
    types = ["tensor<4x2xf32>", "tensor<2x2xf32>", *["tensor<2xf32>"] * len(bias)]
    operands = ", ".join((lhs, rhs, *bias))
    return f'%y = nn.matmul {operands} : ({", ".join(types)}) -> tensor<4x2xf32> loc("dense")'


def test_a_product_of_codes_sums_integers():
    assert lines(matmul("%xd", "%wd")) == [
        "in integers: 1 of 1 products",
        "other operators in floats: exp 'curve'",
    ]


@pytest.mark.parametrize(
    ("product", "codes", "weights", "reason"),
    [
        (matmul("%f", "%wd"), "ui8", "i8", "an input without codes"),
        (matmul("%xd", "%wf"), "ui8", "i8", "weights without codes"),
        (matmul("%xd", "%g"), "ui8", "i8", "computed weights"),
        (matmul("%xd", "%wd"), "ui16", "i8", "codes of more than 8 bits"),
        (matmul("%xd", "%wd"), "ui8", "i16", "codes of more than 8 bits"),
        (
            "%b = nn.constant #nn.dense<1.0 : tensor<2xf32>>\n" + matmul("%xd", "%wd", "%b"),
            "ui8",
            "i8",
            "a bias without codes",
        ),
    ],
)
def test_other_products_have_a_reason(product, codes, weights, reason):
    assert lines(product, codes, weights)[:2] == [
        "in integers: 0 of 1 products",
        f"in floats: matmul 'dense': {reason}",
    ]


def test_a_network_of_floats_has_no_lines():
    text = f"""func.func @main(%f: tensor<4x2xf32>) {{{FLOATS}
  {matmul("%f", "%wf")}
  func.return
}}"""
    assert integer_use(Parser(new_context(), text).parse_module()) == []
