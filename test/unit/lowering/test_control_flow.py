"""What If, Loop and Scan refuse, each in one line that says why."""

import pytest
from imported_models import import_model_proto
from onnx import parser
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.nn import NN
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import ConvertOnnxToNnPass

REFUSED = {
    "it has no end": """
g (float[4] x) => (float[4] y) <bool t = {1}> {
  y = Loop(, t, x) <body = b (int64 i, bool go, float[N] p) => (bool on, float[N] r) {
    on = Identity(go) r = Neg(p)
  }>
}""",
    "input 'M' must be a constant, found an argument; give the largest that a run can find": """
g (int64 n, float[4] x) => (float[4] y, float[N, M] r) <bool t = {1}> {
  y, r = Loop(n, t, x) <body = b (int64 i, bool go, float[N] p)
      => (bool on, float[N] r, float[N] s) {
    on = Identity(go) r = Neg(p) s = Neg(p)
  }>
}""",
    "value 0 that it carries is tensor<4xf32>, and tensor<8xf32> after a step; that takes a": """
g (float[4] x) => (float[N] y) <bool t = {1}, int64 n = {65}> {
  y = Loop(n, t, x) <body = b (int64 i, bool go, float[N] p) => (bool on, float[M] r) {
    on = Identity(go) r = Concat<axis = 0>(p, p)
  }>
}""",
    "input 'cond' must be a constant, found a result of nn.less": """
g (float[4] x) => (float[N] y) <bool t = {1}, int64 n = {3}, float most = {9.0}> {
  y = Loop(n, t, x) <body = b (int64 i, bool go, float[N] p) => (bool on, float[M] r) {
    s = ReduceSum<keepdims = 0>(p) on = Less(s, most) r = Concat<axis = 0>(p, p)
  }>
}""",
    "its branches give other types: tensor<4x2xf32> and tensor<2x4xf32>": """
g (bool c, float[2, 4] x) => (float[N, M] y) {
  y = If(c) <then_branch = t () => (float[N, M] p) { p = Transpose(x) },
             else_branch = e () => (float[N, M] p) { p = Neg(x) }>
}""",
    "a subgraph hands out a value whose extent depends on values": """
g (float[4] x) => (int64[N, M] y) <bool t = {1}, int64 n = {3}, int64[1, 4] z = {0, 0, 0, 0}> {
  y = Loop(n, t, z) <body = b (int64 i, bool go, int64[N, M] p) => (bool on, int64[N, M] r) {
    on = Identity(go) r = NonZero(x)
  }>
}""",
    "a loop over sequences has 1024 trips at most": """
g (float[4] x) => (float[N] y) <bool t = {1}, int64 zero = {0}> {
  s = SequenceConstruct(x)
  r = Loop(, t, s) <body = b (int64 i, bool go, seq(float[N]) p) => (bool on, seq(float[N]) q) {
    on = Identity(go) q = Identity(p)
  }>
  y = SequenceAt(r, zero)
}""",
    "com.example.Fold node 's' on f32: this operator is not supported": """
g (bool c, float[4] x) => (float[N] y) {
  y = If(c) <then_branch = t () => (float[N] p) { s = com.example.Fold(x) p = Add(x, s) },
             else_branch = e () => (float[N] p) { p = Neg(x) }>
}""",
}

OTHER_RANKS = """g (bool c, float[2, 4] x, float[4] w) => (float[N] y) <int64[1] of_y = {8}> {
  z = If(c) <then_branch = t () => (float[N, M] p) { p = Relu(x) },
             else_branch = e () => (float[N] p) { p = Reshape(x, of_y) }>
"""
READERS = {
    "two, of which one reads a later value": "v = Neg(w) s = MatMul(z, v) y = ReduceSum(z)",
    "one that reads a later value": "v = Neg(w) s = MatMul(z, v) y = Reshape(s, of_y)",
    "one with a subgraph": "y = If(c) <then_branch = t () => (float[N] q) { q = Reshape(z, of_y) },"
    " else_branch = e () => (float[N] q) { q = Identity(w) }>",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_unknown_names_are_refused(reason):
    ctx = Context()
    for dialect in (Builtin, Func, NN):
        ctx.load_dialect(dialect)
    text = f'<ir_version: 8, opset_import: ["" : 17, "com.example" : 1]> {REFUSED[reason]}'
    module = import_model_proto(ctx, parser.parse_model(text))
    with pytest.raises(UnsupportedError) as error:
        ConvertOnnxToNnPass().apply(ctx, module)
    assert reason in str(error.value)
    assert str(error.value).count("\n") == 1


def test_readers_of_a_failing_node_are_not_reported():
    ctx = Context()
    for dialect in (Builtin, Func, NN):
        ctx.load_dialect(dialect)
    text = """<ir_version: 8, opset_import: ["" : 17, "com.example" : 1]>
g (bool c, float[4] x) => (float[N] y) {
  z = com.example.Fold(x)
  y = If(c) <then_branch = t () => (float[N] p) { q = Abs(z) p = Neg(q) },
             else_branch = e () => (float[N] p) { p = Relu(z) }>
}"""
    module = import_model_proto(ctx, parser.parse_model(text))
    with pytest.raises(UnsupportedError) as error:
        ConvertOnnxToNnPass().apply(ctx, module)
    assert str(error.value).splitlines()[0] == "the model has 1 node that cannot be converted"


@pytest.mark.parametrize("readers", READERS)
def test_other_ranks_are_refused_unless_readers_may_go_into_the_branches(readers):
    ctx = Context()
    for dialect in (Builtin, Func, NN):
        ctx.load_dialect(dialect)
    header = '<ir_version: 8, opset_import: ["" : 17]>'
    model = parser.parse_model(f"{header} {OTHER_RANKS} {READERS[readers]} }}")
    with pytest.raises(UnsupportedError, match="its branches give other types"):
        ConvertOnnxToNnPass().apply(ctx, import_model_proto(ctx, model))
