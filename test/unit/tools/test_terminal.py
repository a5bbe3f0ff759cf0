"""Names of a hostile model in all that the tools print: no character that a terminal acts on."""

from __future__ import annotations

import html
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError, visible
from autodeploy.frontend.names import ascii_text, original_text
from autodeploy.tools import cli, opt

ACTS = "\x1b]52;c;eA==\x07\r\n\x9b31m\x7f\u202e\u2028\u200b"
"""Writes the clipboard, begins a line, sets a colour by C1, turns the direction of writing."""

FAKE = "autodeploy: error: all is well"


def odd(name: str) -> str:
    return f"{name} 名前 [red]:smile:{ACTS}{FAKE}"


def model(operator: str = "Relu", domain: str = "", extent: int | str = 3) -> onnx.ModelProto:
    """Return a network in which everything that has a name has an odd one."""
    node = helper.make_node(operator, [odd("x")], [odd("a")], odd("node"), odd("node"), domain)
    add = helper.make_node("Add", [odd("a"), odd("w")], [odd("y")], odd("add"), odd("add"))
    x, y = (
        helper.make_tensor_value_info(odd(name), TensorProto.FLOAT, [extent, 2], odd(name))
        for name in "xy"
    )
    weight = numpy_helper.from_array(np.ones(2, np.float32), odd("w"))
    graph = helper.make_graph([node, add], odd("graph"), [x], [y], [weight], odd("graph"))
    opsets = [helper.make_opsetid("", 17)] + [helper.make_opsetid(domain, 1)] * bool(domain)
    made = helper.make_model(graph, opset_imports=opsets, producer_name=odd("made by"))
    made.doc_string, made.producer_version = odd("text"), odd("1")
    helper.set_model_props(made, {odd("key"): odd("value")})
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("odd")
    onnx.save(model(), made / "good.onnx")
    onnx.save(model(extent=odd("dim")), made / "open.onnx")
    onnx.save(model(odd("Op"), odd("domain")), made / "custom.onnx")
    onnx.save(model("Relv"), made / "unknown.onnx")
    onnx.save(model("Det"), made / "rank.onnx")
    np.save(made / "x.npy", np.ones((3, 2), np.float32))
    return made


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str | Path) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["autodeploy", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        return int(end.value.code or 0), "".join(capsys.readouterr())

    return call


def check(text: str, *expected: str) -> None:
    """Check that printed text has only characters to be shown, and lines of the tool's own."""
    assert text
    assert not [c for c in text if c != "\n" and not c.isprintable()], text
    assert not [line for line in text.split("\n") if line.startswith((FAKE, "31m", "\x9b"))]
    for words in expected:
        assert words in text


def test_ordinary_text_stays() -> None:
    assert visible("名前 é [red] \\x1b 👍") == "名前 é [red] \\x1b 👍"
    assert visible(ACTS) == ("\\x1b]52;c;eA==\\x07\\x0d\\x0a\\x9b31m\\x7f\\u202e\\u2028\\u200b")
    assert visible("a\n\tb\x1b", "\n\t") == "a\n\tb\\x1b"
    assert visible("\U000e0001\ud800") == "\\U000e0001\\ud800"


def test_errors_have_lines_of_their_own() -> None:
    assert str(UserError("one\ntwo", "  three")) == "one\\x0atwo\n  three"


def test_the_text_of_the_ir_is_printable_and_gives_names_back() -> None:
    assert ascii_text(odd("x")).isprintable() and ascii_text(odd("x")).isascii()
    assert original_text(ascii_text(odd("x"))) == odd("x")


def test_inspect(folder: Path, run: Run) -> None:
    status, text = run("inspect", folder / "good.onnx")
    assert status == 0
    check(text, "input   x 名前 [red]:smile:\\x1b]52;c;", "\\u202e", "\\x0a\\x9b31m")
    check(run("inspect", folder / "open.onnx")[1], "[dim 名前 [red]:smile:\\x1b")
    for name in ("custom", "unknown", "rank"):
        check(run("inspect", folder / f"{name}.onnx")[1])


@pytest.mark.parametrize("name", ["open", "custom", "unknown", "rank"])
def test_errors_of_compile(folder: Path, run: Run, tmp_path: Path, name: str) -> None:
    status, text = run("compile", folder / f"{name}.onnx", "-o", tmp_path / "out")
    assert status == 1
    check(text, "autodeploy: error: ")


def test_wrong_shapes_and_files(folder: Path, run: Run, tmp_path: Path) -> None:
    status, text = run(
        "compile", folder / "good.onnx", "-o", tmp_path / "out", "--shape", f"{odd('z')}=1,2"
    )
    assert status
    check(text)
    for words in (
        ["inspect"],
        ["compile", "-o", tmp_path / "out"],
        ["report", "-o", tmp_path / "page.html"],
        ["bench"],
    ):
        status, text = run(words[0], folder / odd("no").replace("/", ""), *words[1:])
        assert status
        check(text, "名前")
    check(run(odd("command"))[1])
    check(run("inspect", f"--{odd('option')}")[1])


def test_autodeploy_opt(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert opt.main([str(folder / "good.onnx")]) == 0
    check("".join(capsys.readouterr()), "\\\\x1b]52")
    assert opt.main([str(folder / "rank.onnx"), "--convert-onnx-to-nn"]) == 1
    check("".join(capsys.readouterr()), "autodeploy-opt: error: ")
    text = tmp_path / "odd.mlir"
    text.write_text(f'"test.op"() {{a = "{ACTS.translate({10: 32, 13: 32})}" : : }} : () -> ()\n')
    assert opt.main(["--allow-unregistered-dialect", str(text)]) == 1
    check("".join(capsys.readouterr()), "\\x1b]52;c;", "^")


def test_a_bundle(folder: Path, run: Run, tmp_path: Path) -> None:
    """Compile, run, verify, bench, report and the C program, on one bundle."""
    out, page = tmp_path / "out", tmp_path / "page.html"
    status, text = run("compile", folder / "good.onnx", "-o", out, "-v", "-O0")
    assert status == 0
    check(text)
    status, text = run("run", out, "--input", folder / "x.npy")
    assert status == 0
    check(text, f"y 名前 [red]:smile:{visible(ACTS)}")
    check(run("run", out, "--top", "1", "--input", folder / "x.npy")[1], "名前 [red]:smile:")
    for words in ([], ["--input", f"{odd('z')}=x.npy"], ["--input", out / "good.c"]):
        status, text = run("run", out, *words)
        assert status
        check(text, "名前")
    check(run("verify", folder / "good.onnx", out)[1])
    check(run("bench", out, "--rounds", "1")[1], "one core at best")
    check(run("report", out, "-o", page, "--rounds", "0")[1])
    told = html.unescape(page.read_text(encoding="utf-8"))
    assert not [c for c in told if c not in "\n\t" and not c.isprintable()]
    assert "node 名前 [red]:smile:\\x1b]52" in told
    for name in Manifest.load(out).files:  # all but kernels and weights is text
        if not name.endswith((".o", ".weights")):
            check((out / name).read_text(encoding="utf-8").replace("\t", ""))
    check((out / "manifest.json").read_text(encoding="utf-8"))
    subprocess.run(["make", "-s", "-C", out], check=True)
    program = out / "good"
    np.save(tmp_path / "wrong.npy", np.ones(4, np.float32))
    wrong = [out / "good.weights", tmp_path / "wrong.npy"]
    for words in (["--info"], [out / "good.weights", folder / "x.npy"], wrong):
        done = subprocess.run([program, *words], capture_output=True, check=False)
        check((done.stdout + done.stderr).decode(), "名前 [red]:smile:\\033]52")
