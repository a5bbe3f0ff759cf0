"""The weight file beside the text that ``autodeploy-opt`` reads and writes."""

import io
import sys

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from autodeploy.tools.opt import main

ARRAYS = {
    "one": np.arange(32, dtype=np.float32),
    "two": np.arange(32, 64, dtype=np.float32),
    "unused": np.ones(32, dtype=np.float32),
}


def text(name=None, keys=("one",)):
    attributes = "" if name is None else f' attributes {{nn.weights = "{name}"}}'
    constants = "".join(
        f'  %{key} = nn.constant #nn.weight<"{key}" : tensor<32xf32>>\n' for key in keys
    )
    returned = ", ".join(f"%{key}" for key in keys)
    types = ", ".join("tensor<32xf32>" for _ in keys)
    colon = " : " if keys else ""
    return (
        f"builtin.module{attributes} {{\nfunc.func @main() -> ({types}) {{\n{constants}"
        f"  func.return {returned}{colon}{types}\n}}\n}}\n"
    )


@pytest.fixture
def opt(capsys):
    def run(*args):
        code = main([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "in" / "model.mlir"
    path.parent.mkdir()
    path.write_text(text("model.safetensors"))
    save_file(ARRAYS, path.with_suffix(".safetensors"))
    return path


def test_an_output_has_a_file_with_the_weights_that_it_uses(opt, model, tmp_path):
    out = tmp_path / "out.mlir"
    assert opt(model, "-o", out) == (0, "", "")
    assert 'nn.weights = "out.safetensors"' in out.read_text()
    saved = load_file(tmp_path / "out.safetensors")
    assert list(saved) == ["one"]
    np.testing.assert_array_equal(saved["one"], ARRAYS["one"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "in",
        "out.mlir",
        "out.safetensors",
    ]


def test_output_in_place(opt, model):
    assert opt(model, "-o", model) == (0, "", "")
    assert list(load_file(model.with_suffix(".safetensors"))) == ["one"]
    assert opt(model, "-o", model) == (0, "", "")
    np.testing.assert_array_equal(
        load_file(model.with_suffix(".safetensors"))["one"], ARRAYS["one"]
    )


def test_parts_share_one_file(opt, model):
    model.write_text(text("model.safetensors") + "// -----\n" + text(keys=["two"]))
    out = model.with_name("out.mlir")
    assert opt(model, "--split-input-file", "-o", out)[0] == 0
    assert sorted(load_file(model.with_name("out.safetensors"))) == ["one", "two"]
    assert out.read_text().count('nn.weights = "out.safetensors"') == 2


def test_stdout_saves_nothing(opt, model):
    before = sorted(model.parent.iterdir())
    code, out, err = opt(model, "--cse")
    assert (code, err) == (0, "")
    assert 'nn.weights = "model.safetensors"' in out
    assert sorted(model.parent.iterdir()) == before


def test_weights_option_reads_and_writes(opt, model, tmp_path):
    given = tmp_path / "given.safetensors"
    save_file({"one": ARRAYS["two"], "two": ARRAYS["one"]}, given)
    model.write_text(text())
    code, out, _ = opt(model, "--weights", given)
    assert code == 0
    assert 'nn.weights = "given.safetensors"' in out
    saved = load_file(given)
    assert list(saved) == ["one"]
    np.testing.assert_array_equal(saved["one"], ARRAYS["two"])


def test_weights_option_names_the_file_of_the_output(opt, model):
    out = model.with_name("out.mlir")
    weights = model.parent / "data" / "w.safetensors"
    weights.parent.mkdir()
    assert opt(model, "--weights", weights, "-o", out) == (0, "", "")
    assert 'nn.weights = "data/w.safetensors"' in out.read_text()
    assert list(load_file(weights)) == ["one"]
    assert opt(out, "--cse")[0] == 0


def test_module_without_weights_names_no_file(opt, model):
    model.write_text(text("model.safetensors", keys=()))
    out = model.with_name("out.mlir")
    assert opt(model, "-o", out) == (0, "", "")
    assert "nn.weights" not in out.read_text()
    assert not out.with_suffix(".safetensors").exists()


def test_other_targets_write_no_weights(opt, model):
    out = model.with_name("out.txt")
    assert opt(model, "-o", out, "-t", "wgsl") == (0, "", "")
    assert not out.with_suffix(".safetensors").exists()


def test_stdin_looks_in_the_current_folder(opt, model, monkeypatch, tmp_path):
    def stdin():
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(model.read_bytes())))

    monkeypatch.chdir(model.parent)
    stdin()
    assert opt("-o", "out.mlir") == (0, "", "")
    monkeypatch.chdir(tmp_path)
    stdin()
    assert opt("--cse")[0] == 0
    stdin()
    code, _, err = opt("-o", "out.mlir")
    assert code == 1
    assert err == "autodeploy-opt: error: no loaded weight file holds the data of 'one'\n"


def test_missing_file(opt, model):
    model.with_suffix(".safetensors").unlink()
    code, _, err = opt(model)
    assert code == 1
    path = model.with_suffix(".safetensors")
    assert err == f"autodeploy-opt: error: weight file '{path}' does not exist\n"


def test_malformed_file(opt, model):
    model.with_suffix(".safetensors").write_bytes(b"nonsense, but long enough")
    code, _, err = opt(model)
    assert code == 1
    assert "model.safetensors' is not a valid safetensors file" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["../outside.safetensors", "{absolute}", "link.safetensors", ""])
def test_name_that_leaves_the_folder(opt, model, tmp_path, name):
    outside = tmp_path / "outside.safetensors"
    save_file(ARRAYS, outside)
    (model.parent / "link.safetensors").symlink_to(outside)
    name = name.format(absolute=outside)
    model.write_text(text(name))
    code, _, err = opt(model)
    assert code == 1
    assert err == (
        f"autodeploy-opt: error: weight file '{name}' is not within the folder of the text that "
        "names it\n"
    )


def test_name_that_is_none(opt, model):
    model.write_text("builtin.module attributes {nn.weights = 3 : i32} {}\n")
    code, _, err = opt(model)
    assert code == 1
    assert err.endswith("module attribute 'nn.weights' is 3 : i32, expected a file name\n")


def test_weights_that_no_file_holds(opt, model):
    model.write_text(text("model.safetensors", keys=["one", "a", "b", "c", "d", "e"]))
    before = sorted(model.parent.iterdir())
    code, _, err = opt(model, "-o", model.with_name("out.mlir"))
    assert code == 1
    assert err.endswith("no loaded weight file holds the data of 'a', 'b', 'c' and 2 more\n")
    assert sorted(model.parent.iterdir()) == before


def test_weights_outside_of_the_output_folder(opt, model, tmp_path):
    out = model.with_name("out.mlir")
    code, _, err = opt(model, "--weights", tmp_path / "w.safetensors", "-o", out)
    assert code == 1
    assert "w.safetensors' is not in the folder of" in err
    assert not out.exists()


def test_text_named_as_weights(opt, model):
    out = model.with_name("out.safetensors")
    code, _, err = opt(model, "-o", out)
    assert code == 1
    assert "is text, but has the name of its weight file" in err
    assert not out.exists()


def test_weights_that_cannot_be_written_leave_the_text(opt, model):
    out = model.with_name("out.mlir")
    out.write_text("old")
    out.with_suffix(".safetensors").mkdir()
    code, _, err = opt(model, "-o", out)
    assert code == 1
    assert "cannot write" in err
    assert out.read_text() == "old"
    assert [path.name for path in model.parent.glob("*partial*")] == []
