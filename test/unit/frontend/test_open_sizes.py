"""Names of open extents as a model is imported with them, which is once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from onnx import ModelProto, TensorProto, helper
from xdsl.context import Context

from autodeploy import compilation
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.models import import_any_model
from autodeploy.frontend.open_sizes import OpenSizes, OpenSpec

N = "1..8"


def added(*shapes: list[int | str | None] | None) -> ModelProto:
    """Return a model that adds up inputs ``x0``, ``x1``, …"""
    inputs = [
        helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, shape)
        for i, shape in enumerate(shapes)
    ]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    node = helper.make_node("Sum", [info.name for info in inputs], ["y"])
    graph = helper.make_graph([node], "added", inputs, [output])
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 18)])


def imported(model: ModelProto, dynamic: dict, ctx: Context, **given) -> list[str]:
    """Return the shapes of the inputs of a model with open extents."""
    specs = OpenSpec.of(dynamic)
    opened = [spec for spec in specs if isinstance(spec, OpenSpec)]
    following = [spec for spec in specs if not isinstance(spec, OpenSpec)]
    sizes = OpenSizes.of(opened, {}, following)
    module = import_any_model(
        ctx, model.SerializeToString(), dims=sizes.dims, axes=sizes.axes, **given
    )
    (main,) = module.body.block.ops
    return [str(list(shape_of(argument.type))) for argument in main.body.block.args]


@pytest.mark.parametrize(
    ("shapes", "dynamic", "given", "found"),
    [
        ([[4, 3]], {"x0:0": (1, 8)}, {}, ["[1..8, 3]"]),
        ([["n", 3], ["n", 3]], {"x0:0": (1, 8)}, {}, ["[1..8, 3]", "[1..8, 3]"]),
        ([["n", "m"]], {"x0:0": (1, 8), "m": (3, 5)}, {}, ["[1..8, 3..5]"]),
        ([["n", 3], [None, 3]], {"n": (1, 8), "x1:0": "n+1"}, {}, ["[1..8, 3]", "[2..9, 3]"]),
        ([["n", 3], [None, 3]], {"x0:0,x1:0": (1, 8)}, {}, ["[1..8, 3]", "[1..8, 3]"]),
        ([None], {"x0:1": (1, 8)}, {"shapes": {"x0": (2, 5)}}, ["[2, 1..8]"]),
        ([["é", 3]], {"x0:0": (1, 8)}, {}, ["[1..8, 3]"]),
    ],
)
def test_an_axis_is_open_by_its_input_and_place(shapes, dynamic, given, found):
    assert imported(added(*shapes), dynamic, new_context(), **given) == found


@pytest.mark.parametrize(
    ("shapes", "dynamic", "text"),
    [
        ([["n", 3]], {"x0:2": (1, 8)}, "input 'x0' has 2 axes, found axis 2 to stay open"),
        ([["n"]], {"x9:0": (1, 8)}, "input 'x9' is to stay open, but the inputs are 'x0'"),
        ([None], {"x0:0": (1, 8)}, "input 'x0' is to stay open, but the inputs are none"),
        ([["n"], ["n"]], {"x0:0": (1, 8), "x1:0": (2, 8)}, "extent 'n' is 8 by the shape"),
        ([["n"]], {"x0:0,x0:0": (1, 8)}, "extent 'x0:0' is to stay open twice"),
    ],
)
def test_other_values_than_axes_are_refused(shapes, dynamic, text):
    with pytest.raises(UserError, match=re.escape(text)):
        imported(added(*shapes), dynamic, new_context())


def test_a_model_is_imported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    calls = []

    def counted(*args, **given):
        calls.append(given)
        return import_any_model(*args, **given)

    monkeypatch.setattr(compilation, "import_any_model", counted)
    spec = OpenSpec(("x0:0",), 1, 8)
    options = CompileOptions(dynamic=spec, level=0, emit="c")
    compile_model(added(["n", 3]).SerializeToString(), tmp_path / "b", options)
    assert len(calls) == 1
