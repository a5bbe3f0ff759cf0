"""Several open extents: height and width, batch and length, against onnxruntime."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from open_inner import Inner, sentences
from open_runs import assert_all_close, compiled, expected
from open_several import combinations, drawn, encoder, photographs, picture, ways
from sanitized_program import make_sanitized, run_sanitized, start_sanitized

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools.comparison import compare
from autodeploy.tools.tensor_files import read_inputs

NETWORKS = (
    (picture, (OpenSpec(("h",), 31, 47), OpenSpec(("w",), 32, 80, 8))),
    (ways, (OpenSpec(("h",), 21, 40), OpenSpec(("w",), 24, 33))),
    (
        photographs,
        (OpenSpec(("batch",), 1, 3), OpenSpec(("w",), 5, 23), OpenSpec(("length",), 2, 9)),
    ),
    (encoder, (OpenSpec(("batch",), 1, 4), OpenSpec(("length",), 1, 19))),
    (encoder, (OpenSpec(("length",), 3, 11), OpenSpec(("batch",), 2, 5))),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "specs"), [NETWORKS[0], NETWORKS[2], NETWORKS[3]])
def test_sanitizers_find_nothing_in_the_c_program(make, specs, tmp_path):
    """The shapes of files tell the numbers."""
    model = compiled(make, specs, tmp_path / "b", emit="c")
    make_sanitized(tmp_path / "b")
    manifest = Manifest.load(tmp_path / "b")
    for seed, numbers in enumerate(combinations(specs)[:6]):
        values = drawn(model, numbers, seed)
        assert_all_close(run_sanitized(tmp_path / "b", values), expected(model, values))
    wrong = drawn(model, {spec.names[0]: spec.most + spec.step for spec in specs}, 0)
    done, _ = start_sanitized(manifest, tmp_path / "b", wrong, tmp_path, "npy")
    assert done.returncode != 0
    assert f"extent '{specs[0].names[0]}' is from {specs[0].least} to" in done.stderr


@pytest.mark.exhaustive
def test_numbers_out_of_range_are_refused(tmp_path):
    specs = (OpenSpec(("h",), 31, 40), OpenSpec(("w",), 32, 64, 8))
    model = compiled(picture, specs, tmp_path / "b")
    with load_bundle(tmp_path / "b") as session:
        text = (
            "extent 'h' of 'squeezed' is from 31 to 40, found 30; extent 'w' of 'squeezed' is from "
            "32 to 64 in steps of 8, found 44"
        )
        with pytest.raises(UserError, match=text):
            session.run(drawn(model, {"h": 30, "w": 44}, 0))
        image = drawn(model, {"h": 33, "w": 48}, 0)["x"]
        np.save(tmp_path / "x.npy", image)
        inputs = read_inputs(session.inputs, [str(tmp_path / "x.npy")], extents=session.extents)
        np.testing.assert_array_equal(inputs["x"], image)
        # The size of a file does not tell two numbers.
        image.tofile(tmp_path / "x.bin")
        with pytest.raises(UserError, match=r"x\.bin"):
            read_inputs(session.inputs, [str(tmp_path / "x.bin")], extents=session.extents)


def test_the_header_and_the_manifest_name_all_numbers(tmp_path):
    specs = (OpenSpec(("h",), 31, 40), OpenSpec(("w",), 32, 64, 8))
    model = compiled(picture, specs, tmp_path / "b")
    by_axis = OpenSpec(("x:2",), 31, 40), OpenSpec(("w",), 32, 64, 8)
    compiled(picture, by_axis, tmp_path / "axis")
    assert "#define SQUEEZED_EXTENT_X_2_MOST 40" in (tmp_path / "axis" / "squeezed.h").read_text()
    header = (tmp_path / "b" / "squeezed.h").read_text()
    assert "float32 1x3x(SQUEEZED_EXTENT_H)x(SQUEEZED_EXTENT_W)\n" in header
    assert "#define SQUEEZED_EXTENT_W 1 " in header and "#define SQUEEZED_EXTENT_W_STEP 8" in header
    manifest = Manifest.load(tmp_path / "b")
    assert Manifest.from_json(manifest.to_json()) == manifest
    assert manifest.inputs[0].at(manifest.extents, [33, 48]).shape == (1, 3, 33, 48)
    onnx.save(model, tmp_path / "m.onnx")
    found = list(compare(tmp_path / "m.onnx", tmp_path / "b", [], CompileOptions()))
    assert any("h 31, w 32" in one.run for one in found)


def test_extents_of_several_numbers_do_not_come_together(tmp_path):
    net = Inner()
    net.gives(net.add("Add", net.takes("x", "n", 3), net.takes("y", "m", 3)), None, 3)
    model = net.model("together")
    specs = OpenSpec(("n",), 1, 8), OpenSpec(("m",), 1, 8)
    text = "holds for n 1, m 1, not for n 1, m 2; split the range"
    with pytest.raises(UserError, match=text):
        compiled(lambda: model, specs, tmp_path / "b")


def test_numbers_that_contradict_each_other_are_refused(tmp_path):
    specs = *(OpenSpec((n,), 31, 40) for n in ("h", "w")), OpenSpec(("x:2",), 31, 64)
    with pytest.raises(
        UserError, match="extent 'h' is 40 as given and 64 by the shape of input 'x'"
    ):
        compiled(picture, specs, tmp_path / "b")
    specs = OpenSpec(("h",), 31, 40), OpenSpec(("h",), 31, 64)
    with pytest.raises(UserError, match="extent 'h' is to stay open twice"):
        compiled(picture, specs, tmp_path / "b")


@pytest.mark.exhaustive
def test_sentences_of_a_constant_batch_take_one_number(tmp_path):
    """A network of before, whose manifest has no growths."""
    compiled(sentences, OpenSpec(("n",), 2, 9), tmp_path / "b")
    assert "growths" not in (tmp_path / "b" / "manifest.json").read_text()
