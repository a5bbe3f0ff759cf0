"""``autodeploy-opt`` in this process: its errors, its files, and what it loads."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.universe import XDSL_UNIVERSE, Universe

from autodeploy.tools.opt import main
from autodeploy.tools.opt.arguments import OptArgumentParser, add_arguments
from autodeploy.tools.opt.expected import expectations
from autodeploy.universe import UNIVERSE

VALID = "func.func @f() {\n  func.return\n}\n"
INVALID = "func.func @f(%a: i32) -> i64 {\n  func.return %a : i32\n}\n"


@pytest.fixture
def opt(capsys):
    def run(*args):
        code = main([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def valid(tmp_path) -> Path:
    path = tmp_path / "valid.mlir"
    path.write_text(VALID)
    return path


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--canonicalise"], "unknown option or pass '--canonicalise'; "
                             "did you mean '--canonicalize'?"),
        (["--canonicalise=x=1"], "unknown option or pass '--canonicalise'; "
                                 "did you mean '--canonicalize'?"),
        (["--split-input-fil"], "unknown option or pass '--split-input-fil'; "
                                "did you mean '--split-input-file'?"),
        (["--verify"], "unknown option or pass '--verify'"),
        (["-p", "cse,canonicalise"], "unknown pass 'canonicalise'; did you mean 'canonicalize'?"),
        (["-p", "cse dce"], "malformed pipeline 'cse dce': expected a pass name, then its options "
                            "in braces or nothing, found 'cse dce'"),
        (["--cse=depth=3"], "pass 'cse' has no option 'depth'; it takes none"),
        (["--print-ir-after=cs"], "unknown pass 'cs'; did you mean 'cse'?"),
        (["--print-ir-before=cs"], "unknown pass 'cs'; did you mean 'cse'?"),
        (["-t", "mlirr"], "unknown target 'mlirr'; did you mean 'mlir'?"),
        (["-t", "mlir{"], "malformed target 'mlir{', expected a name, then options in braces"),
        (["-f", "tflite"], "option '-f' takes one of "),
        (["-o"], "option '-o' takes a value"),
        (["a.mlir", "b.mlir"], "more than one input: 'a.mlir' and 'b.mlir'"),
        (["a.tflite"], "the name of input 'a.tflite' does not end in '.mlir', '.onnx', '.pdll' "
                       "or '.tmfile'; "
                       "give its kind with -f"),
        (["a"], "the name of input 'a' does not end in '.mlir', '.onnx', '.pdll' or "
                  "'.tmfile'"),
        (["a.mlir", "--shape=x=1"], "option '--shape' is for models"),
        (["a.onnx", "--shape=x"], "malformed shape 'x', expected 'name=1,3,224,224'"),
        (["a.onnx", "--shape=x=1,-1"], "malformed shape 'x=1,-1'"),
        (["a.onnx", "--shape=x=1,3x4"], "malformed shape 'x=1,3x4'"),
        (["a.onnx", "--shape==1"], "malformed shape '=1'"),
        (["a.onnx", "--shape=x=1", "--shape=x=2"], "option '--shape' gives the shape of 'x' twice"),
        (["no_such.onnx"], "no_such.onnx"),
        (["no_such.mlir"], "cannot read 'no_such.mlir': No such file or directory"),
        (["-f", "mlir", "."], "cannot read '.': Is a directory"),
    ],
)  # fmt: skip
def test_errors_of_the_command_line(opt, args, message):
    code, out, err = opt(*args)
    assert (code, out) == (1, "")
    assert err.startswith("autodeploy-opt: error: ")
    assert message in err
    assert err.count("\n") == 1


def test_wrong_option_of_a_target(opt):
    code, _, err = opt("-t", "mlir{width=3}")
    assert code == 1
    assert err.startswith("autodeploy-opt: error: target 'mlir': ")
    assert '"width"' in err


def test_binary_text(opt, tmp_path):
    path = tmp_path / "binary.mlir"
    path.write_bytes(bytes([8, 255, 254]))
    assert opt(path) == (1, "", f"autodeploy-opt: error: input '{path}' is not UTF-8 text\n")


def test_text_that_the_parser_chokes_on(opt, tmp_path):
    path = tmp_path / "escape.mlir"
    path.write_text('func.func @"\\ff"()\n')
    code, _, err = opt(path)
    assert code == 1
    assert err.startswith(f"{path}:1:1: error: ")
    assert "Traceback" not in err


def test_caret_under_tabs_and_wide_text(opt, tmp_path):
    path = tmp_path / "tabs.mlir"
    path.write_text('func.func @f() {\n\t"nosuch.ö"() : () -> ()\n}\n', encoding="utf-8")
    _, _, err = opt(path)
    first, line, caret = err.splitlines()
    assert first.startswith(f"{path}:2:")
    assert line == '\t"nosuch.ö"() : () -> ()'
    assert caret.startswith("\t ^")


def test_output_onto_a_folder(opt, valid, tmp_path):
    code, _, err = opt(valid, "-o", tmp_path)
    assert code == 1
    assert err == f"autodeploy-opt: error: cannot write '{tmp_path}': Is a directory\n"


def test_output_keeps_a_link(opt, valid, tmp_path):
    real, link = tmp_path / "real.mlir", tmp_path / "link.mlir"
    real.write_text("old")
    link.symlink_to(real)
    assert opt(valid, "-o", link) == (0, "", "")
    assert link.is_symlink()
    assert "func.return" in real.read_text()


def test_output_to_a_pipe(opt, valid, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert opt(valid, "-o", pipe) == (0, "", "")
        assert b"func.return" in os.read(reader, 1000)
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_failed_output_leaves_the_old_one(opt, valid, tmp_path):
    out = tmp_path / "out.mlir"
    out.write_text("old")
    valid.write_text(VALID + "// -----\n" + INVALID)
    code, _, _ = opt(valid, "--split-input-file", "-o", out)
    assert code == 1
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.mlir", "valid.mlir"]


def test_output_may_be_the_input(opt, valid):
    assert opt(valid, "-o", valid) == (0, "", "")
    assert "builtin.module" in valid.read_text()


def test_line_numbers_of_parts(opt, tmp_path):
    path = tmp_path / "parts.mlir"
    path.write_bytes(
        VALID.encode() + b"// -----  \r\n\r\n" + INVALID.replace("\n", "\r\n").encode()
    )
    _, _, err = opt(path, "--split-input-file")
    assert err.splitlines()[0].startswith(f"{path}:7:3: error: 'func.return' op")
    assert err.splitlines()[1:] == ["  func.return %a : i32", "  ^"]


def test_closed_stdout_is_no_error_of_the_user(valid):
    code = "import sys; from autodeploy.tools.opt import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, str(valid)]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.returncode == 1
    assert done.stderr == b""


def test_nothing_heavy_is_loaded(valid):
    code = """
import sys
from autodeploy.tools.opt import main
main(sys.argv[1:])
heavy = {"numpy", "ml_dtypes", "onnx", "halide", "typer", "rich", "safetensors"}
print(sorted(heavy & sys.modules.keys()), file=sys.stderr)
passes = {name for name in sys.modules if name.startswith(("autodeploy.", "xdsl.transforms."))}
print(*sorted(passes), file=sys.stderr)
"""
    valid.write_text(
        "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = nn.relu %x : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  func.return %0 : tensor<2xf32>\n}\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, valid, "--cse"], capture_output=True, text=True, check=True
    )
    heavy, loaded = done.stderr.splitlines()
    assert heavy == "[]"
    assert "autodeploy.dialects.nn" in loaded.split()
    passes = {name for name in loaded.split() if name.startswith("xdsl.transforms.")}
    assert passes <= {
        f"xdsl.transforms.{kind}_elimination" for kind in ("common_subexpression", "dead_code")
    }
    kept_out = ("autodeploy.dialects.onnx", "autodeploy.codegen.", "autodeploy.frontend.")
    found = {name for name in loaded.split() if name.startswith(kept_out)}
    assert found == {f"autodeploy.frontend.{name}" for name in ("stage_text", "text_places")}


def test_version_loads_no_xdsl():
    code = "import sys; from autodeploy.tools.opt import main; main(['--version'])\n"
    code += "print([m for m in sys.modules if m.partition('.')[0] in ('xdsl', 'onnx')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, loaded = done.stdout.splitlines()
    assert version.startswith("autodeploy-opt ")
    assert loaded == "[]"


def test_names_do_not_clash_with_xdsl():
    for kind in ("all_dialects", "all_passes", "all_targets"):
        assert not getattr(UNIVERSE, kind).keys() & getattr(XDSL_UNIVERSE, kind).keys()
    everything = Universe.get_multiverse()
    assert UNIVERSE.all_passes.keys() <= everything.all_passes.keys()
    assert {"onnx", "nn", "halide", "driver"} <= everything.all_dialects.keys()
    assert {"halide-cpp", "c-driver", "c-header"} <= everything.all_targets.keys()


def test_no_pass_is_named_like_an_option():
    parser = OptArgumentParser(str)
    add_arguments(parser, [], [])
    options = {flag for action in parser._actions for flag in action.option_strings}
    assert not options & {f"--{name}" for name in Universe.get_multiverse().all_passes}


def test_everything_of_autodeploy_loads():
    for name, dialect in UNIVERSE.all_dialects.items():
        assert dialect().name == name
    for name, target in UNIVERSE.all_targets.items():
        assert target().name == name
    for name, pass_ in UNIVERSE.all_passes.items():
        assert pass_().name == name
        assert pass_().__doc__
        assert not pass_().__doc__.startswith(f"{pass_().__name__}("), f"{name} has no docstring"


def test_places_of_expectations():
    text = (
        "a\n// expected-error@below {{x}}\n// expected-error@+1 {{y}}\nb // expected-error {{z}}\n"
    )
    text += "c\n// expected-error@above {{u}}\n  // expected-error @-1 {{v}}\n"
    text += "// expected-error@unknown {{w}}\n// expected-error{{{{q}}}}"
    found = [(e.text, e.line) for e in expectations(text, "f", 11)]
    assert found == [
        ("x", 15), ("y", 14), ("z", 14), ("u", 15), ("v", 16), ("w", None), ("{{q}}", 19)
    ]  # fmt: skip


def test_stdin(opt, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(INVALID.encode())))
    code, _, err = opt()
    assert code == 1
    assert err.startswith("<stdin>:2:3: error: ")
