"""Elements that values select, in networks with an open extent."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import onnx
import pytest
from closeness import assert_close
from open_parts import compiled as compiled_in_parts
from open_runs import check_sanitized_range, compiled, expected
from open_selections import collected, different, selected, selected_inside, suppressed
from open_several import drawn
from sanitized_program import make_sanitized, run_sanitized

from autodeploy.diagnostics import UnsupportedError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle

SPEC = OpenSpec(("n",), 1, 8)


@pytest.mark.exhaustive
def test_the_program_returns_the_number_of_elements(tmp_path):
    check_sanitized_range(selected, SPEC, tmp_path, (1, 8, 3))


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", [selected, suppressed, collected])
def test_the_part_of_a_run_returns_the_number_of_elements(make, tmp_path):
    model = make()
    compiled_in_parts(model, "n=2,4..8", tmp_path / "b", emit="c")
    make_sanitized(tmp_path / "b")
    for number in (2, 8, 5):
        values = drawn(model, {"n": number}, number)
        found = run_sanitized(tmp_path / "b", values)
        for ours, right in zip(found, expected(model, values), strict=True):
            assert ours.shape == right.shape
            assert_close(ours, right)


def test_the_tool_writes_as_many_elements_as_the_part_found(tmp_path):
    model = selected()
    compiled_in_parts(model, "n=1,2..8", tmp_path / "b", level=0)
    for number in (1, 6):
        values = drawn(model, {"n": number}, number)
        words = ["run", tmp_path / "b"]
        for name, value in values.items():
            np.save(tmp_path / f"{name}.npy", value)
            words += ["--input", f"{name}={tmp_path / name}.npy"]
        words += ["--output", tmp_path / "made"]
        subprocess.run([sys.executable, "-m", "autodeploy", *words], check=True)
        for place, right in enumerate(expected(model, values)):
            found = np.load(tmp_path / "made" / f"{place}-{model.graph.output[place].name}.npy")
            assert found.shape == right.shape
            assert_close(found, right)


def test_values_that_decide_an_extent_in_one_part_alone_are_refused(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
        one_or_more (float[n, 4] x, bool[n] c) => (float[m, 4] y)
        <int64[1] one = {1}, int64[1] zero = {0}> {
          shape = Shape(x)
          rows = Gather(shape, zero)
          is_one = Equal(rows, one)
          flag = Squeeze(is_one, zero)
          y = If(flag) <
            then_branch = whole () => (float[k, 4] a) { a = Neg(x) },
            else_branch = some () => (float[l, 4] b) { b = Compress<axis = 0>(x, c) }
          >
        }"""
    model = onnx.parser.parse_model(text)
    with pytest.raises(UnsupportedError, match="values decide the extents of other outputs"):
        compiled_in_parts(model, "n=1,2..4", tmp_path / "b", level=0)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (selected_inside, "an open extent after one that depends on values"),
        (different, "Unique-11 node 't0' on f32: elements along an open extent are not compared"),
    ],
)
def test_other_selections_are_refused(make, reason, tmp_path):
    with pytest.raises(UnsupportedError, match=reason):
        compiled(make, SPEC, tmp_path / "b", level=0)


@pytest.mark.parametrize("ranges", ["n=1..8", "n=3,5..8"])
def test_the_manifest_has_the_axes_that_values_decide(ranges, tmp_path):
    compiled_in_parts(selected(), ranges, tmp_path / "b", level=0)
    with load_bundle(tmp_path / "b") as session:
        outputs = [output.at(session.extents, (3,)) for output in session.outputs]
    assert [(o.shape, o.open) for o in outputs] == [
        ((2, 32), (1,)), ((8, 4), (0,)), ((8, 3), (0,)), ((1, 4), ()), ((8, 6), (0, 1)),
        ((6, 3), (0,)), ((3, 4), ()),
    ]  # fmt: skip
