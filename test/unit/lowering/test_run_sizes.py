"""The comparison of shapes with ONNX's inference, which is made once for ops that are alike."""

from __future__ import annotations

import pytest
from onnx import parser
from xdsl.context import Context
from xdsl.dialects.builtin import f32
from xdsl.utils.test_value import create_ssa_value

from autodeploy.dialects.nn.types import tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.onnx.importer import import_model
from autodeploy.frontend.open_sizes import NamedRange, OpenSizes
from autodeploy.lowering.onnx_to_nn import run_sizes
from autodeploy.lowering.onnx_to_nn.run_sizes import RunSizes

MODEL = """<ir_version: 10, opset_import: ["": 21]>
    g (float[n, 2] x) => (float[n, m] a, float[n, m] b, float[n, m] c)
    <int64[2] twice = {1, 2}, int64[2] thrice = {1, 3}, int64[2] again = {1, 2}> {
        a = Tile (x, twice)
        b = Tile (x, thrice)
        c = Tile (x, again)
    }"""


def test_a_shape_is_inferred_once_for_equal_types_and_constants(monkeypatch):
    ctx, given = Context(), OpenSizes.of([NamedRange(("n",), 1, 7)], {}, ())
    model = parser.parse_model(MODEL).SerializeToString()
    module = import_model(ctx, model, dims=given.dims, axes=given.axes)
    a, b, c = (op for op in module.walk() if isinstance(op, OnnxOp))
    calls, infer = [], run_sizes.inferred_shapes
    monkeypatch.setattr(
        run_sizes, "inferred_shapes", lambda *words: (calls.append(words[1]), infer(*words))[1]
    )
    assert given.extent is not None
    sizes = RunSizes(ctx, given.extent)
    n = sizes.numbers.extent(0)
    of_4, of_6 = ([create_ssa_value(tensor(f32, [n, extent]))] for extent in (4, 6))
    for op in (a, a, c):
        sizes.check(op, of_4)
    assert calls == [a, a]  # for two numbers
    with pytest.raises(ConversionError, match=r"for 1 it has shape \[1, 6\], where \[1, 4\]"):
        sizes.check(b, of_4)
    sizes.check(b, of_6)
    with pytest.raises(ConversionError, match=r"for 1 it has shape \[1, 4\], where \[1, 6\]"):
        sizes.check(c, of_6)
    with pytest.raises(ConversionError, match=r"for 4 it has shape \[4, 4\], where \[1, 4\]"):
        sizes.check(c, [create_ssa_value(tensor(f32, [1, 4]))])
