"""What native functions of the rules say to a pattern that asks for what cannot be."""

import pytest
from xdsl.parser import Parser

from autodeploy.dialects.registry import new_context
from autodeploy.passes.fusion.pdl.executor import apply_patterns, load_patterns
from autodeploy.passes.fusion.pdl.source import PatternError

CTX = new_context()

TEXT = """
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.add %x, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %s, %c, %c, %c {epsilon = 1.0e-05 : f64}
    : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}
"""  # noqa: E501

MATCH = """#include "nn.pdll"
Pattern {
  let sum = op<nn.add>(x: Value, op<nn.constant> {value = value: Attr}) -> (type: Type);
  rewrite sum with {
    let new = CALL;
    replace sum with op<nn.add>(x, Constant(new, type<"tensor<3xf32>">));
  };
}
"""


def run(rule: str, tmp_path) -> int:
    path = tmp_path / "rule.pdll"
    path.write_text(rule)
    module = Parser(CTX, TEXT).parse_module()
    count = apply_patterns(CTX, module, load_patterns(CTX, path))
    module.verify()
    return count


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('ReshapeConstant(value, type<"tensor<4xf32>">)', "does not reshape to tensor<4xf32>"),
        ('ReshapeConstant(value, type<"f32">)', "expected the type of a tensor, found f32"),
        ('ReshapeConstant(attr<"1 : i64">, type)', "expected the value of a constant, found 1"),
        ('FlattenConstant(value, type<"tensor<2xf32>">)', "a value of shape (3,) does not broadca"),
        ('AddConstants(value, value, type<"tensor<2xf32>">)', "a value of shape (3,) does not bro"),
        ('MultiplyConstants(value, attr<"1.0 : f32">, type)', "expected the value of a constant,"),
    ],
)
def test_values_that_cannot_be_computed(tmp_path, call, message):
    with pytest.raises(PatternError) as error:
        run(MATCH.replace("CALL", call), tmp_path)
    assert "rule.pdll:5:15: pattern of line 2: native rewrite" in str(error.value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "call",
    [
        "PerChannel(sum, x)",
        "SpatialPads(sum, sum)",
        "FoldScale(sum, x)",
        "FoldBatchNorm(sum, sum)",
        "FoldBatchNorm(sum, norm)",
        'TrailingAxes(x, attr<"1 : i64">, x)',
    ],
)
def test_constraints_on_other_operations_do_not_hold(tmp_path, call):
    """Declared for any op, so that the functions have to look for themselves."""
    rule = f"""
    Constraint PerChannel(op: Op, value: Value) -> Type;
    Constraint SpatialPads(pad: Op, conv: Op) -> Attr;
    Constraint FoldScale(op: Op, value: Value) -> (a: Attr, b: Attr, t: Type);
    Constraint FoldBatchNorm(op: Op, norm: Op) -> (a: Attr, b: Attr, t: Type);
    Constraint TrailingAxes(x: Value, axes: Attr, parameter: Value) -> Attr;
    Pattern {{
      let sum = op<nn.add>(x: Value, c: Value);
      let norm = op<nn.batch_norm>(sum, s: Value, a: Value, b: Value, v: Value);
      {call};
      replace norm with sum;
    }}"""
    assert run(rule, tmp_path) == 0
    assert run(rule.replace(f"{call};", ""), tmp_path) == 1
