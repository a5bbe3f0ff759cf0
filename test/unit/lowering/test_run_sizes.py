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
    g (float[n, 2] x) => (float[p, 2] a, float[q, 2] b, float[p, 2] c, float[n, 6] d)
    <int64[2] twice = {2, 1}, int64[2] thrice = {3, 1}, int64[2] again = {2, 1},
     int64[2] along = {1, 3}> {
        a = Tile (x, twice)
        b = Tile (x, thrice)
        c = Tile (x, again)
        d = Tile (x, along)
    }"""


def test_a_shape_is_inferred_once_for_equal_types_and_constants(monkeypatch):
    ctx, given = Context(), OpenSizes.of([NamedRange(("n",), 1, 7)], {}, ())
    model = parser.parse_model(MODEL).SerializeToString()
    module = import_model(ctx, model, dims=given.dims, axes=given.axes)
    a, b, c, d = (op for op in module.walk() if isinstance(op, OnnxOp))
    calls, infer = [], run_sizes.inferred_shapes
    monkeypatch.setattr(
        run_sizes, "inferred_shapes", lambda *words: (calls.append(words[1]), infer(*words))[1]
    )
    assert given.extent is not None
    sizes = RunSizes(ctx, given.extent)
    n = sizes.numbers.extent(0)
    of_2, of_3 = ([create_ssa_value(tensor(f32, [by * n, 2]))] for by in (2, 3))
    for op in (a, a, c):
        sizes.check(op, of_2)
    assert calls == [a, a]  # for two numbers
    with pytest.raises(ConversionError, match=r"for 1 it has shape \[3, 2\], where \[2, 2\]"):
        sizes.check(b, of_2)
    sizes.check(b, of_3)
    with pytest.raises(ConversionError, match=r"for 1 it has shape \[2, 2\], where \[3, 2\]"):
        sizes.check(c, of_3)
    with pytest.raises(ConversionError, match=r"for 4 it has shape \[8, 2\], where \[2, 2\]"):
        sizes.check(c, [create_ssa_value(tensor(f32, [2, 2]))])
    with pytest.raises(ConversionError, match=r"for 4 it has shape \[4, 6\], where \[1, 6\]"):
        sizes.check(d, [create_ssa_value(tensor(f32, [1, 6]))])
    calls.clear()
    sizes.check(d, [create_ssa_value(tensor(f32, [n, 6]))])
    assert not calls  # it has lost no extent
