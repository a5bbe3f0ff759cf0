"""Programs that a command starts: its words, files in and out, and bundles without a program."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, save

from autodeploy import CompileOptions, compile_model
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.toolchain.evaluate import evaluate_bundle
from autodeploy.toolchain.launched import launched_run
from autodeploy.tools import cli

X = np.array([[-1, 2, -3], [4, -5, 6]], np.float32)


def model(path: Path, element: int = TensorProto.FLOAT) -> Path:
    x, y = (helper.make_tensor_value_info(n, element, ["n", 3]) for n in "xy")
    graph = helper.make_graph([helper.make_node("Abs", ["x"], ["y"])], "net", [x], [y])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    return path


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    """Return a command that notes its words and runs them."""
    path = tmp_path / "start"
    path.write_text('#!/bin/sh\necho "$*" >> "$(dirname "$0")/log"\nshift\nexec "$@"\n')
    path.chmod(0o755)
    return path


def test_run(tmp_path: Path, launcher: Path) -> None:
    options = CompileOptions(dims={"n": 2}, threads=2)
    compile_model(model(tmp_path / "net.onnx"), tmp_path / "b", options)
    program = launched_run(tmp_path / "b", f"{launcher} there", 2)
    np.testing.assert_array_equal(program({"x": X.tolist()})["y"], abs(X))
    words = (tmp_path / "log").read_text().split()
    assert words[:3] == ["there", str(tmp_path / "b" / "net"), str(tmp_path / "b" / "net.weights")]
    assert words[-2:] == ["--threads", "2"]


def test_the_commands(
    tmp_path: Path, launcher: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    path = model(tmp_path / "net.onnx")
    compile_model(path, tmp_path / "b", CompileOptions(dims={"n": 2}))
    np.save(tmp_path / "x.npy", X)
    for words, said in (
        (["run", tmp_path / "b", "-i", tmp_path / "x.npy"], "  1.0 2.0 3.0 4.0 5.0 6.0\n"),
        (["verify", path, tmp_path / "b", "--dim", "n=2"], "y: agrees"),
        (["bench", tmp_path / "b", "--repeat", "3", "--number", "2"], "3 repeats of 2 runs\n"),
    ):
        arguments = ["autodeploy", *map(str, words), "--launch", f"{launcher} there"]
        monkeypatch.setattr(sys, "argv", arguments)
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        assert (end.value.code, err) == (0, "") and said in out
    assert (tmp_path / "log").read_text().count("there ") == 3


def test_a_command_that_starts_no_program_gives_no_times(tmp_path: Path) -> None:
    compile_model(model(tmp_path / "net.onnx"), tmp_path / "b", CompileOptions(dims={"n": 2}))
    with pytest.raises(ToolchainError, match="'true' has started no program that printed"):
        evaluate_bundle(tmp_path / "b", launch="true")


@pytest.mark.skipif(shutil.which("qemu-aarch64") is None, reason="needs qemu-user")
@pytest.mark.exhaustive
def test_times_of_another_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ziglang")
    zig = f"{sys.executable} -m ziglang cc -target aarch64-linux-musl"
    monkeypatch.setenv("CC", zig)
    options = CompileOptions(dims={"n": 2}, machine="aarch64-neon")
    compile_model(model(tmp_path / "net.onnx"), tmp_path / "b", options)
    found = evaluate_bundle(tmp_path / "b", 2, 3, launch="qemu-aarch64")
    assert (found.number, len(found.seconds)) == (2, 3) and min(found.seconds) > 0


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "is empty"),
        ("env 'x", "is malformed"),
        ("no-such-emulator", "cannot run 'no-such-emulator'"),
        ("false", "'false' failed"),
        ("true", "'true' has started no program"),
    ],
)
def test_commands_that_start_nothing(command: str, said: str, tmp_path: Path) -> None:
    compile_model(model(tmp_path / "net.onnx"), tmp_path / "b", CompileOptions(dims={"n": 2}))
    with pytest.raises((UserError, ToolchainError), match=said):
        launched_run(tmp_path / "b", command)({"x": X})


@pytest.mark.parametrize(
    ("machine", "element", "said"),
    [
        (
            "scalar:os=noos",
            TensorProto.FLOAT,
            "there is no board for 'scalar",
        ),
        ("x86-64", TensorProto.BFLOAT16, "'x' is bfloat16, which no .npy file has"),
    ],
)
def test_bundles_that_are_not_launched(
    machine: str, element: int, said: str, tmp_path: Path
) -> None:
    path = model(tmp_path / "net.onnx", element)
    compile_model(path, tmp_path / "b", CompileOptions(dims={"n": 2}, machine=machine))
    with pytest.raises(UserError, match=said):
        launched_run(tmp_path / "b", "env")
