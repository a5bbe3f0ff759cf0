"""The ``autodeploy`` command in this process: its outputs and its error messages."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import autodeploy as package
from autodeploy.tools import cli

TOOL = Path(sys.executable).parent / "autodeploy"
F32 = TensorProto.FLOAT


def model(nodes, inputs, outputs, initializers=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def value(name, *shape, dtype=F32):
    return helper.make_tensor_value_info(name, dtype, shape)


def weight(name, *shape):
    return numpy_helper.from_array(np.ones(shape, np.float32), name)


def add(lhs="x", name="sum"):
    return helper.make_node("Add", [lhs, "w"], ["y"], name=name)


def add_model():
    return model([add()], [value("x", 2, 3)], [value("y", 2, 3)], [weight("w", 2, 3)])


def dense_model():
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], name="product"),
        helper.make_node("Relu", ["p"], ["y"], name="relu"),
    ]
    return model(nodes, [value("x", 4, 16)], [value("y", 4, 8)], [weight("w", 16, 8)])


def open_model():
    relu = helper.make_node("Relu", ["x"], ["y"], name="relu")
    return model([relu], [value("x", "batch", 3, "H")], [value("y", "batch", 3, "H")])


def unsupported_model():
    nodes = [
        helper.make_node("ImageDecoder", ["n"], ["i"], name="picture"),
        helper.make_node("Fold", ["x"], ["d"], name="volume", domain="com.example"),
    ]
    outputs = [value("i", None, None, 3, dtype=TensorProto.UINT8), value("d")]
    made = model(nodes, [value("x", 2, 2), value("n", 64, dtype=TensorProto.UINT8)], outputs)
    made.opset_import[0].version = 20
    made.opset_import.add(domain="com.example", version=1)
    return made


def external_model(location):
    made = add_model()
    tensor = made.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    return made


@pytest.fixture
def folder(tmp_path, tmp_path_factory, monkeypatch):
    """The current folder, with some models in it."""
    monkeypatch.setenv("AUTODEPLOY_CACHE", str(tmp_path_factory.getbasetemp() / "kernels"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.onnx").write_text("hello\n")
    (tmp_path / "empty.onnx").touch()
    (tmp_path / "truncated.onnx").write_bytes(add_model().SerializeToString()[:-20])
    for name, made in {
        "add": add_model(),
        "dense": dense_model(),
        "open": open_model(),
        "unsupported": unsupported_model(),
        "invalid": model([add("nothing")], [], [value("y", 2, 3)], [weight("w", 2, 3)]),
        "missing_data": external_model("weights.bin"),
        "foreign_data": external_model("../weights.bin"),
    }.items():
        (tmp_path / f"{name}.onnx").write_bytes(made.SerializeToString())
    return tmp_path


@pytest.fixture
def autodeploy(folder, monkeypatch, capsys):
    """Run the tool; return exit status, standard output, standard error."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["autodeploy", *map(str, arguments)])
        try:
            cli.main()
            status = 0
        except SystemExit as end:
            status = end.code
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def entries(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


MISTAKES = {
    "no file": (["none.onnx"], r"model 'none\.onnx' does not exist"),
    "a folder": (["."], r"model '\.' is a folder, expected a file"),
    "text": (["text.onnx"], r"'text\.onnx' is not an ONNX model, or it is truncated"),
    "empty": (["empty.onnx"], r"model 'empty\.onnx' is empty"),
    "truncated": (
        ["truncated.onnx"],
        r"'truncated\.onnx' is not an ONNX model, or it is truncated",
    ),
    "invalid graph": (["invalid.onnx"], r"the model is not valid ONNX: .*'nothing'.*"),
    "open dimensions": (
        ["open.onnx"],
        r"the model leaves extents of its inputs open: 'x' \[batch, 3, H\]; give them numbers, "
        r"such as --shape x=1,3,16",
    ),
    "missing data": (
        ["missing_data.onnx"],
        r"external data of tensor 'w' in 'weights\.bin' does not exist",
    ),
    "foreign data": (
        ["foreign_data.onnx"],
        r"external data of tensor 'w' names '\.\./weights\.bin', expected a path below the model's "
        r"folder",
    ),
    "shape without numbers": (
        ["open.onnx", "--shape", "x=1,a"],
        r"malformed shape 'x=1,a', expected 'name=1,3,224,224'",
    ),
    "shape given twice": (
        ["open.onnx", "--shape", "x=1,3,4", "--shape", "x=1,3,4"],
        r"option '--shape' gives the shape of 'x' twice",
    ),
    "shape of another rank": (
        ["open.onnx", "--shape", "x=1,3"],
        r"shape \[1, 3\] of input 'x' has 2 extents, the model's \[batch, 3, H\] has 3",
    ),
    "extent of no input": (
        ["open.onnx", "--dim", "W=5"],
        r"a number is given for extent 'W', which no input has; the names of open extents are "
        r"'batch', 'H'",
    ),
    "extent without a number": (
        ["open.onnx", "--dim", "H"],
        r"malformed extent 'H', expected 'name=1'",
    ),
    "extent given twice": (
        ["open.onnx", "--dim", "H=1", "--dim", "H=2"],
        r"option '--dim' gives the extent 'H' twice",
    ),
    "shape of no input": (
        ["open.onnx", "--shape", "z=1"],
        r"shape given for 'z', which is no input; the model's inputs are 'x'",
    ),
    "unknown machine": (
        ["add.onnx", "--machine", "x86-64-avx3"],
        r"unknown machine 'x86-64-avx3'; did you mean 'x86-64-avx2'\?; known are host, .*",
    ),
    "unknown setting": (
        ["add.onnx", "--machine", "host:core=2"],
        r"unknown machine setting 'core=2'; did you mean 'cores'\?; a setting is one of .*",
    ),
    "folder of the IR": (
        ["add.onnx", "--dump-ir", "text.onnx"],
        r"cannot write IR to 'text\.onnx': File exists",
    ),
}


@pytest.mark.parametrize(("arguments", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line_and_nothing_is_written(folder, autodeploy, arguments, message):
    before = entries(folder)
    status, out, err = autodeploy("compile", *arguments, "-o", "out")
    assert (status, out) == (1, "")
    assert re.fullmatch(f"autodeploy: error: {message}\n", err), err
    assert entries(folder) == before


def test_all_unsupported_nodes_are_listed_with_name_version_and_type(folder, autodeploy):
    before = entries(folder)
    status, out, err = autodeploy("compile", "unsupported.onnx", "-o", "out")
    assert (status, out) == (1, "")
    assert err == (
        "autodeploy: error: the model has 2 nodes that cannot be converted\n"
        "  ImageDecoder-20 node 'picture' on ui8: this operator is not supported\n"
        "  com.example.Fold node 'volume' on f32: this operator is not supported\n"
    )
    assert entries(folder) == before


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("add.onnx", "cannot write bundle 'add.onnx': it is not a folder"),
        ("add.onnx/out", "cannot write bundle 'add.onnx/out': '{}/add.onnx' is not a folder"),
        (".", "'.' is not empty and not a bundle; name another folder"),
    ],
)
def test_an_output_that_is_no_folder_of_ours_is_left_alone(folder, autodeploy, output, message):
    before = entries(folder)
    status, out, err = autodeploy("compile", "add.onnx", "-o", output)
    assert (status, out) == (1, "")
    assert err == f"autodeploy: error: {message.format(folder)}\n"
    assert entries(folder) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_an_output_that_cannot_be_written_is_an_error(folder, autodeploy):
    (folder / "locked").mkdir(mode=0o500)
    status, _, err = autodeploy("compile", "add.onnx", "-o", "locked/out")
    assert status == 1
    assert err == "autodeploy: error: cannot write bundle 'locked/out': Permission denied\n"


def test_an_error_of_the_system_is_one_line(folder, autodeploy):
    name = "x" * 300
    status, out, err = autodeploy("compile", "add.onnx", "-o", name)
    assert (status, out) == (1, "")
    assert re.fullmatch(r"autodeploy: error: [^\n]*File name too long[^\n]*\n", err)


def test_a_bundle_is_replaced_unless_it_holds_other_files(folder, autodeploy):
    assert autodeploy("compile", "add.onnx", "-o", "out")[0] == 0
    assert autodeploy("compile", "dense.onnx", "-o", "out")[0] == 0
    assert (folder / "out/dense.c").exists()
    assert not (folder / "out/add.c").exists()
    (folder / "out/notes.txt").write_text("mine")
    status, _, err = autodeploy("compile", "add.onnx", "-o", "out")
    assert status == 1
    assert err == (
        "autodeploy: error: bundle 'out' holds files that are not its own ('notes.txt'); move them "
        "away or name another folder\n"
    )
    assert (folder / "out/dense.c").exists()


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["-O3"], "auto"),
        (["-O3", "--winograd=off"], "off"),
        (["-O2", "--winograd=auto"], "auto"),
        (["-O2"], "off"),
    ],
)
def test_a_bundle_states_whether_winograd_was_allowed(folder, autodeploy, arguments, found):
    assert autodeploy("compile", "dense.onnx", "-o", "out", *arguments)[0] == 0
    manifest = json.loads((folder / "out/manifest.json").read_text())
    assert manifest["options"]["winograd"] == found


def test_a_warning_is_one_line(folder, autodeploy):
    (folder / "odd.onnx").write_bytes(
        model(
            [add("w")], [value("x", 2, 3)], [value("y", 2, 4)], [weight("w", 2, 3)]
        ).SerializeToString()
    )
    status, out, err = autodeploy("compile", "odd.onnx", "-o", "out")
    assert status == 0 and out.startswith("compiled 'odd' in ")
    assert err == (
        "autodeploy: warning: output 'y' is declared as [2, 4], but the model computes [2, 3], "
        "which it is compiled for\n"
    )
    assert json.loads((folder / "out/manifest.json").read_text())["outputs"][0]["shape"] == [2, 3]


@pytest.mark.parametrize("level", range(4))
def test_every_level_makes_a_bundle(folder, autodeploy, level):
    status, out, err = autodeploy("compile", "dense.onnx", "-o", "out", f"-O{level}")
    assert (status, err) == (0, "")
    manifest = json.loads((folder / "out/manifest.json").read_text())
    assert manifest["options"]["level"] == str(level)
    kernels = 1 if level >= 2 else 2  # fusion puts both into one
    assert len(manifest["kernels"]) == kernels
    assert out.startswith("compiled 'dense' in ")
    first, flash, ram = out.splitlines()[:3]
    assert first.endswith(f": {kernels} kernel{'s' * (kernels != 1)}")
    assert flash.startswith("flash  ") and ", weights " in flash
    assert ram.startswith("RAM    ") and ": arena " in ram
    assert out.endswith(
        "build it with: make -C out\nrun it with:   out/dense out/dense.weights INPUT\n"
    )


def test_the_default_level_fuses(folder, autodeploy):
    assert autodeploy("compile", "dense.onnx", "-o", "out")[0] == 0
    manifest = json.loads((folder / "out/manifest.json").read_text())
    assert manifest["options"] == {
        "level": "3",
        "emit": "object",
        "threads": "1",
        "winograd": "auto",
        "flush_subnormals": "false",
        "precision": "f32",
        "widen_f16": "false",
        "results_only": "false",
        "tuned": "false",
    }
    assert len(manifest["kernels"]) == 1


@pytest.mark.parametrize("shape", ["x=2,3,5", "x=2x3x5", "x= 2, 3, 5", "x=2 x 3 x 5"])
def test_open_dimensions_take_the_given_extents(folder, autodeploy, shape):
    status, _, err = autodeploy("compile", "open.onnx", "-o", "out", "--shape", shape)
    assert (status, err) == (0, "")
    manifest = json.loads((folder / "out/manifest.json").read_text())
    assert manifest["inputs"][0]["shape"] == [2, 3, 5]


def test_the_hint_for_open_dimensions_can_be_pasted(folder, autodeploy):
    infos = [value("a b", "N", 3, "H", "W"), value("m", 2, "N"), value("r")]
    infos[2].type.tensor_type.ClearField("shape")
    relus = [helper.make_node("Relu", [i.name], [f"{i.name} out"]) for i in infos]
    outputs = [helper.make_tensor_value_info(f"{i.name} out", F32, None) for i in infos]
    (folder / "three.onnx").write_bytes(model(relus, infos, outputs).SerializeToString())
    err = autodeploy("compile", "three.onnx", "-o", "out")[2]
    hint = shlex.split(err[err.index("--shape") :])
    assert autodeploy("compile", "three.onnx", "-o", "out", *hint)[0] == 0
    manifest = json.loads((folder / "out/manifest.json").read_text())
    shapes = [entry["shape"] for entry in manifest["inputs"]]
    assert shapes == [[1, 3, 224, 224], [2, 1], [1, 3, 224, 224]]


def test_verbose_shows_passes_and_memory(autodeploy):
    status, out, err = autodeploy("compile", "dense.onnx", "-o", "out", "-O1", "--verbose")
    assert (status, err) == (0, "")
    for line in ("import", "convert-onnx-to-nn", "compile-kernels", "plan-memory", "write bundle"):
        assert re.search(rf"{line} +│ +\d+\.\d+ ", out), line
    assert re.search(r"arena \d+ bytes( \(\d+\.\d KB\))?, largest live sum \d+ bytes", out)
    assert re.search(r"^ +0 +128 bytes +0\.\.1  matmul", out, re.MULTILINE)


def test_the_stages_of_the_ir_are_numbered(folder, autodeploy):
    status, *_ = autodeploy("compile", "add.onnx", "-o", "out", "-O0", "--dump-ir", "ir")
    assert status == 0
    assert sorted(path.name for path in (folder / "ir").iterdir()) == [
        "00-import.mlir",
        "01-onnx.mlir",
        "02-nn.mlir",
        "03-kernels.mlir",
        "04-halide.mlir",
        "05-driver.mlir",
    ]


@pytest.mark.parametrize(("options", "kept"), [([], True), (["--no-cache"], False)])
def test_kernels_are_kept_for_the_next_time(folder, autodeploy, monkeypatch, options, kept):
    monkeypatch.setenv("AUTODEPLOY_CACHE", str(folder / "kernels"))
    assert autodeploy("compile", "add.onnx", "-o", "out", *options)[0] == 0
    assert any(path.is_file() for path in (folder / "kernels").rglob("*")) is kept


@pytest.mark.parametrize("option", ["--threads", "-j"])
def test_numbers_of_threads_and_jobs(folder, autodeploy, option):
    assert autodeploy("compile", "dense.onnx", "-o", "out", option, "2")[0] == 0
    assert autodeploy("compile", "dense.onnx", "-o", "out", option, "0")[0] == 2


def test_more_threads_than_a_program_can_have_are_an_error(folder, autodeploy):
    status, out, err = autodeploy("compile", "add.onnx", "-o", "out", "--threads", "9999999")
    assert (status, out) == (1, "")
    assert re.fullmatch(r"autodeploy: error: threads are 1 to \d+, found 9999999\n", err)
    assert not (folder / "out").exists()


def test_kernels_may_be_source_code(folder, autodeploy):
    status, *_ = autodeploy("compile", "add.onnx", "-o", "out", "--emit=c")
    assert status == 0
    kernels = {path.suffix for path in (folder / "out/kernels").iterdir()}
    assert kernels == {".cpp", ".hpp"}


@pytest.mark.parametrize("word", ["version", "--version"])
def test_version(autodeploy, word):
    assert package.__version__ == version("autodeploy")
    assert autodeploy(word) == (0, f"autodeploy {package.__version__}\n", "")


class TestRun:
    @pytest.fixture
    def bundle(self, folder, autodeploy):
        assert autodeploy("compile", "add.onnx", "-o", "out")[0] == 0
        np.save(folder / "x.npy", np.arange(6, dtype=np.float32).reshape(2, 3))
        return folder / "out"

    def test_outputs_are_printed_and_written(self, bundle, folder, autodeploy):
        status, out, err = autodeploy("run", "out", "-i", "x=x.npy", "-o", "results")
        assert (status, err) == (0, "")
        assert out == "y: float32 2x3\n  1.0 2.0 3.0 4.0 5.0 6.0\n"
        written = np.load(folder / "results/0-y.npy")
        np.testing.assert_array_equal(written, np.arange(1, 7, dtype=np.float32).reshape(2, 3))

    def test_mistakes_are_one_line(self, bundle, folder, autodeploy):
        (folder / "short.bin").write_bytes(b"123")
        for arguments, message in {
            ("none", "-i", "x.npy"): "bundle 'none' is not a folder",
            (".", "-i", "x.npy"): "'.' is not a bundle: it has no manifest.json",
            ("out",): "no file for input 'x'; give --input NAME=FILE",
            ("out", "-i", "y=x.npy"): "the network has no input 'y', its inputs are 'x'",
            ("out", "-i", "none.npy"): "cannot read 'none.npy': No such file or directory",
            (
                "out",
                "-i",
                "short.bin",
            ): "'short.bin' has 3 bytes, input 'x' of float32 2x3 takes 24",
            ("out", "-i", "x.npy", "-o", "short.bin"): (
                "cannot write outputs to 'short.bin': File exists"
            ),
        }.items():
            assert autodeploy("run", *arguments) == (1, "", f"autodeploy: error: {message}\n")

    def test_weights_of_another_model_are_an_error(self, bundle, autodeploy):
        path = bundle / "add.weights"
        path.write_bytes(path.read_bytes()[:-8])
        status, out, err = autodeploy("run", "out", "-i", "x.npy")
        assert (status, out) == (1, "")
        assert re.fullmatch(
            r"autodeploy: error: 'add' cannot be loaded: weight file 'out/add.weights' ends .*\n",
            err,
        )


def on_terminal(command, folder):
    """Run a command whose standard error is a terminal; return status, output, and that."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=slave, env=environment, check=False
    )
    os.close(slave)
    shown = b""
    try:
        while piece := os.read(master, 65536):
            shown += piece
    except OSError:  # how a terminal ends that nobody holds open
        pass
    os.close(master)
    return done.returncode, done.stdout.decode(), shown.decode()


def test_progress_is_shown_on_a_terminal(folder):
    status, out, shown = on_terminal([TOOL, "compile", "dense.onnx", "-o", "out"], folder)
    assert status == 0
    assert "\x1b[" in shown
    assert re.search(r"━.* \d+/\d+ ", shown)
    assert "\x1b[" not in out


def test_nothing_but_text_goes_into_a_pipe(folder):
    done = subprocess.run(
        [TOOL, "compile", "dense.onnx", "-o", "out", "-v"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout


def test_help_loads_nothing_heavy():
    code = """
import sys
from autodeploy.tools import cli
sys.argv = ["autodeploy", "--help"]
try:
    cli.main()
finally:
    heavy = {"numpy", "onnx", "halide", "asyncio", "xdsl.ir", "autodeploy.dialects"}
    print(sorted(heavy & sys.modules.keys()), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "compile" in done.stdout
    assert done.stderr == "[]\n"
