"""Wrong calls of ``autodeploy``: a line in the tool's own words, the exit status, no files."""

import os
import re
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
import typer
from onnx import TensorProto, helper, save
from PIL import Image

from autodeploy import CompileOptions
from autodeploy.compiler import compile_model
from autodeploy.tools import cli, cli_main, opt

USAGE = 2
INPUT = 1

TABLE = Path(__file__).parent / "Inputs" / "wrong_calls.txt"
"""A call a line: its exit status, its words as a shell has them, how what is said begins."""

OPT_TABLE = TABLE.with_name("wrong_opt_calls.txt")
"""A call of ``autodeploy-opt`` a line: its words, how what is said begins."""


def entries(table: Path) -> list[list[str]]:
    lines = [line for line in table.read_text().splitlines() if line and not line.startswith("#")]
    return [[part.strip() for part in line.split("|")] for line in lines]


CALLS = entries(TABLE)
OPT_CALLS = entries(OPT_TABLE)
# No line can hold a break of a line.
CALLS.append(
    ["2", "compile relu.onnx -o new --emit 'a\nb'", "option '--emit' takes 'object' or 'c'"]
)


def network(op, *extents, name="g", shape=None):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, extents)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, extents if shape is None else shape)
    domain = "com.example" if op == "Fold" else ""
    node = helper.make_node(op, ["x"], ["y"], "node", domain=domain)
    graph = helper.make_graph([node], name, [x], [y])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)]
    return helper.make_model(graph, opset_imports=opsets)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with models, bundles and inputs, good ones and others."""
    folder = tmp_path_factory.mktemp("made")
    relu = network("Relu", 2, 3)
    save(relu, folder / "relu.onnx")
    save(network("Relu", "N", 3), folder / "open.onnx")
    save(network("Relu", 4), folder / "two.onnx")
    save(network("Fold", 3, 3, shape=[]), folder / "hard.onnx")
    save(network("Relu", 1, 3, 8, 8), folder / "picture.onnx")
    compile_model(folder / "relu.onnx", folder / "bundle")
    compile_model(folder / "picture.onnx", folder / "picture")
    compile_model(folder / "relu.onnx", folder / "board", CompileOptions(machine="arm-neon"))
    (folder / "damaged").mkdir()
    (folder / "damaged" / "manifest.json").write_text("{}")
    values = np.zeros((2, 3), np.float32)
    np.save(folder / "x.npy", values)
    np.save(folder / "other.npy", values.T)
    np.save(folder / "double.npy", values.astype(float))
    np.savez(folder / "two.npz", a=values, b=values)
    Image.new("RGB", (4, 4)).save(folder / "p.png")
    for name, content in {
        "empty.onnx": b"",
        "cut.onnx": relu.SerializeToString()[:-9],
        "text.onnx": b"hello\n",
        "net.tflite": b"\x1c\0\0\0TFL3" + bytes(40),
        "net.pt": b"\x80\x02}q\x00.",
        "net.tmfile": b"\x02\0\0\0" + bytes(60),
        "short.bin": bytes(20),
        "broken.npy": b"\x93NUMPY\x01\0",
        "broken.npz": b"PK\x03\x04",
        "broken.pb": b"\xff\xff",
        "broken.png": b"\x89PNG",
        "broken.toml": b"target = [",
        "list.txt": b"1 2 3",
        "data.csv": b"1,2,3",
        "two.txt": b"cat\ndog\n",
        "empty.txt": b"",
        "records.jsonl": b"not JSON\n",
        "rule.pdll": b"Pattern X {\n",
        "good.mlir": b"builtin.module {\n}\n",
    }.items():
        (folder / name).write_bytes(content)
    return folder


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in folder.rglob("*")
    }


@pytest.mark.parametrize(("status", "words", "said"), CALLS, ids=[words for _, words, _ in CALLS])
def test_a_wrong_call_is_one_line(made, monkeypatch, capsys, status, words, said):
    monkeypatch.chdir(made)
    monkeypatch.setattr(sys, "argv", ["autodeploy", *shlex.split(words)])
    before = contents(made)
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"autodeploy: error: [^\n]*[^\n.]\n", err), err
    assert err.removeprefix("autodeploy: error: ").startswith(said), err
    assert end.value.code == int(status)
    assert contents(made) == before


@pytest.mark.parametrize(("words", "said"), OPT_CALLS, ids=[words for words, _ in OPT_CALLS])
def test_a_wrong_call_of_the_opt_tool_is_one_line(made, monkeypatch, capsys, words, said):
    monkeypatch.chdir(made)
    before = contents(made)
    assert opt.main(shlex.split(words)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"autodeploy-opt: error: [^\n]*[^\n.]\n", err), err
    assert err.removeprefix("autodeploy-opt: error: ").startswith(said), err
    assert contents(made) == before


def test_the_table_is_long_and_has_no_call_twice():
    calls = [words for _, words, _ in CALLS]
    assert len(set(calls)) == len(calls) >= 150
    calls = [words for words, _ in OPT_CALLS]
    assert len(set(calls)) == len(calls) >= 25


def test_each_command_is_called_wrongly():
    known = set(typer.main.get_command(cli_main.app).commands)
    assert known <= {shlex.split(words)[0] for _, words, _ in CALLS}


def test_no_words_at_all_show_the_help(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["autodeploy"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capsys.readouterr()
    assert (end.value.code, out) == (USAGE, "")
    assert err.startswith("Usage: autodeploy ")


@pytest.mark.parametrize("command", ["compile", "run", "bench"])
def test_the_help_names_the_accepted_values(monkeypatch, capsys, command):
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
