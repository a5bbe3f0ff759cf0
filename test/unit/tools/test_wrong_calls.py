"""Wrong calls of ``autodeploy``: a line in the tool's own words, the exit status, no files."""

import os
import re
import sys

import numpy as np
import pytest
from onnx import TensorProto, helper

from autodeploy.compiler import compile_model
from autodeploy.tools import cli

USAGE = 2
INPUT = 1

COMPILE = ["compile", "relu.onnx", "-o", "new"]
RUN = ["run", "bundle", "-i", "x.npy"]

WASM = [*COMPILE, "--machine", "wasm32-simd128"]
CALLS = {
    # The command line itself.
    "command": (["build"], USAGE, "unknown command 'build'; see 'autodeploy --help'"),
    "command, nearly": (["compil"], USAGE, "unknown command 'compil'; did you mean 'compile'?"),
    "option of no command": (["--verbos"], USAGE, "unknown option '--verbos'"),
    "option for a command": (["--", "-O2"], USAGE, "unknown option '-O'; see 'autodeploy --help'"),
    "no model": (["compile", "-o", "new"], USAGE, "the argument MODEL is missing; see 'autodeploy"),
    "no output": (["compile", "relu.onnx"], USAGE, "option '-o' is missing; see 'autodeploy com"),
    "no folder": (["compile", "relu.onnx", "-o"], USAGE, "option '-o' takes a value"),
    "two models": ([*COMPILE, "open.onnx"], USAGE, "more arguments than it takes: 'open.onnx'"),
    "unknown option": ([*COMPILE, "--shap", "x=1"], USAGE, "unknown option '--shap'; did you mean"),
    "unknown letter": ([*COMPILE, "-z"], USAGE, "unknown option '-z'"),
    "value of a flag": ([*COMPILE, "--verbose=1"], USAGE, "option '--verbose' takes no value"),
    "level 4": ([*COMPILE, "-O4"], USAGE, "option '-O' takes a number from 0 to 3, found '4'"),
    "level s": ([*COMPILE, "-Os"], USAGE, "option '-O' takes a number from 0 to 3, found 's'"),
    "level -1": ([*COMPILE, "-O", "-1"], USAGE, "option '-O' takes a number from 0 to 3, found '-"),
    "level 1.5": ([*COMPILE, "-O", "1.5"], USAGE, "option '-O' takes a number from 0 to 3, found "),
    "emit": ([*COMPILE, "--emit", "obj"], USAGE, "option '--emit' takes 'object' or 'c', found 'o"),
    "emit, empty": ([*COMPILE, "--emit="], USAGE, "option '--emit' takes 'object' or 'c', found '"),
    "emit, two lines": ([*COMPILE, "--emit", "a\nb"], USAGE, "option '--emit' takes 'object' or "),
    "winograd": ([*COMPILE, "--winograd", "on"], USAGE, "option '--winograd' takes 'auto' or 'off"),
    "no threads": ([*COMPILE, "--threads", "0"], USAGE, "option '--threads' takes a number of at "),
    "many threads": ([*COMPILE, "--threads", "9" * 19], USAGE, "option '--threads' takes a number"),
    "no jobs": ([*COMPILE, "-j", "0"], USAGE, "option '-j' takes a number of at least 1, found '0"),
    "jobs": ([*COMPILE, "--jobs", "all"], USAGE, "option '-j' takes a number of at least 1, found"),
    "no bundle": (["run"], USAGE, "the argument BUNDLE is missing; see 'autodeploy run --help'"),
    "two bundles": ([*RUN, "bundle"], USAGE, "more arguments than it takes: 'bundle'"),
    "run, no input": (["run", "bundle", "-i"], USAGE, "option '-i' takes a value"),
    "run, threads": ([*RUN, "--threads", "two"], USAGE, "option '--threads' takes a number of at "),
    "run, level": ([*RUN, "-O2"], USAGE, "unknown option '-O'"),
    "bench, no bundle": (["bench"], USAGE, "the argument BUNDLE is missing; see 'autodeploy bench"),
    "bench, rounds": (["bench", "bundle", "--rounds", "0"], USAGE, "option '--rounds' takes a num"),
    "version of what": (["version", "relu"], USAGE, "more arguments than it takes: 'relu'"),
    # What it names.
    "missing model": (["compile", "no.onnx", "-o", "new"], INPUT, "model 'no.onnx' does not exist"),
    "empty name": (["compile", "", "-o", "new"], INPUT, "model '.' is a folder, expected a file"),
    "picture as model": (["compile", "x.npy", "-o", "new"], INPUT, "'x.npy' is not an ONNX model"),
    "bundle as model": (["compile", "bundle", "-o", "new"], INPUT, "model 'bundle' is a folder"),
    "file as output": (["compile", "relu.onnx", "-o", "x.npy"], INPUT, "cannot write bundle 'x.np"),
    "folder as output": (["compile", "relu.onnx", "-o", "."], INPUT, "'.' is not empty and not a "),
    "too many threads": ([*COMPILE, "--threads", "99999"], INPUT, "threads are 1 to "),
    "no threads there": ([*WASM, "--threads", "2"], INPUT, "machine 'wasm32-simd128' has no thr"),
    "machine": ([*COMPILE, "--machine", "x86"], INPUT, "unknown machine 'x86'; did you mean"),
    "open shape": (["compile", "open.onnx", "-o", "new"], INPUT, "the model leaves extents of its"),
    "no number": ([*COMPILE, "--shape", "x=1,b"], INPUT, "malformed shape 'x=1,b', expected 'name"),
    "no name": ([*COMPILE, "--shape", "1,3"], INPUT, "malformed shape '1,3', expected 'name="),
    "other input": ([*COMPILE, "--shape", "y=1,3"], INPUT, "shape given for 'y', which is no inpu"),
    "other shape": ([*COMPILE, "--shape", "x=2x4"], INPUT, "shape [2, 4] of input 'x' contradicts"),
    "missing bundle": (["run", "no"], INPUT, "bundle 'no' is not a folder"),
    "model as bundle": (["run", "relu.onnx"], INPUT, "bundle 'relu.onnx' is not a folder"),
    "folder as bundle": (["bench", "."], INPUT, "'.' is not a bundle: it has no manifest.json"),
    "no input": (["run", "bundle"], INPUT, "no file for input 'x'; give --input NAME=FILE"),
    "missing input": (["run", "bundle", "-i", "no.npy"], INPUT, "cannot read 'no.npy': No such fi"),
    "input twice": ([*RUN, "-i", "x=x.npy"], INPUT, "input 'x' is given twice"),
    "input of none": (["run", "bundle", "-i", "z=x.npy"], INPUT, "the network has no input 'z'"),
    "model as input": (["run", "bundle", "-i", "relu.onnx"], INPUT, "'relu.onnx' cannot be an inp"),
    "file for outputs": ([*RUN, "-o", "x.npy"], INPUT, "cannot write outputs to 'x.npy'"),
}  # fmt: skip


def relu(*extents):
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, extents) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", infos[:1], infos[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with two models, a bundle and an input."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "relu.onnx").write_bytes(relu(2, 3).SerializeToString())
    (folder / "open.onnx").write_bytes(relu("N", 3).SerializeToString())
    np.save(folder / "x.npy", np.zeros((2, 3), np.float32))
    compile_model(folder / "relu.onnx", folder / "bundle")
    return folder


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in folder.rglob("*")
    }


@pytest.mark.parametrize(("words", "status", "said"), CALLS.values(), ids=CALLS)
def test_a_wrong_call_is_one_line(made, monkeypatch, capsys, words, status, said):
    monkeypatch.chdir(made)
    monkeypatch.setattr(sys, "argv", ["autodeploy", *words])
    before = contents(made)
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"autodeploy: error: [^\n]*[^\n.]\n", err), err
    assert err.removeprefix("autodeploy: error: ").startswith(said), err
    assert end.value.code == status
    assert contents(made) == before


def test_no_words_at_all_show_the_help(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["autodeploy"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capsys.readouterr()
    assert (end.value.code, out) == (USAGE, "")
    assert err.startswith("Usage: autodeploy ")


@pytest.mark.parametrize("command", ["compile", "run", "bench"])
def test_the_help_names_what_is_taken(monkeypatch, capsys, command):
    monkeypatch.setattr(sys, "argv", ["autodeploy", command, "--help"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capsys.readouterr()
    assert (end.value.code, err) == (0, "")
    options = out[out.index("Options:") :]
    assert " N  " in options
    assert not re.search(r"<(int|list|str|path|text)|\b(INTEGER|TEXT\.\.\.|PATH)\b", options)


def test_whether_a_file_may_be_read_is_no_question_of_the_command_line(made, monkeypatch, capsys):
    monkeypatch.chdir(made)
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    monkeypatch.setattr(sys, "argv", ["autodeploy", "compile", "x.npy", "-o", "x.npy/new"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == INPUT
    assert "readable" not in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read anything")
def test_a_model_that_may_not_be_read(tmp_path, monkeypatch, capsys):
    model = tmp_path / "locked.onnx"
    model.touch(mode=0)
    monkeypatch.setattr(sys, "argv", ["autodeploy", "compile", str(model), "-o", "new"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    message = f"autodeploy: error: model '{model}' cannot be read: Permission denied\n"
    assert (end.value.code, capsys.readouterr().err) == (INPUT, message)
