"""The whole suite, on the smallest network; what it says where something is missing."""

import json
from pathlib import Path

import pytest
from opencl import needs_opencl

from autodeploy.codegen.bundle.manifest import Manifest
from benchmarks import run
from benchmarks.engine import Setup
from benchmarks.peers import PACKAGES, PROCESSOR_PEERS
from benchmarks.report import markdown, ratio_table
from benchmarks.worker import Worker, WorkerError

QUICK = ["--rounds", "2", "--budget", "0.001", "--warm-up", "0"]


@pytest.fixture
def quick_limits(monkeypatch):
    monkeypatch.setattr(run, "_limits", lambda folder: None)


def compare(folder, *arguments):
    status = run.main(["--output", str(folder), *QUICK, *arguments])
    return status, json.loads((folder / "results.json").read_text())


@pytest.mark.exhaustive
def test_a_comparison(tmp_path, capsys, quick_limits):
    arguments = ("--models", "digit", "--peers", "autodeploy,onnxruntime", "--level", "1")
    arguments += ("--machine", "host:l2=128K")
    status, report = compare(tmp_path, *arguments)
    assert status == 0
    bundle = tmp_path / "work" / "digit-1" / "autodeploy" / "bundle"
    manifest = Manifest.load(bundle)
    assert manifest.options["level"] == "1"
    assert manifest.machine is not None and manifest.machine.l2_bytes == 128 << 10
    (result,) = report["results"]
    ours, theirs = result["contenders"]["autodeploy"], result["contenders"]["onnxruntime"]
    assert len(ours["samples"]) == len(theirs["samples"]) == 2
    assert theirs["ratio"] > 0
    assert ours["error"] < 1e-4
    assert "ratio" not in ours
    assert "error" not in theirs
    assert ours["program"]["minimum"] > 0
    text = (tmp_path / "results.md").read_text()
    assert text in capsys.readouterr().out
    assert "| digit |" in text
    assert "1 thread\n" in text


@pytest.fixture
def real_time_is_given(monkeypatch):
    monkeypatch.setattr(run, "check_real_time", lambda: None)


@pytest.mark.exhaustive
def test_real_time_is_asked_of_every_engine(
    tmp_path, monkeypatch, quick_limits, real_time_is_given
):
    asked = []
    monkeypatch.setattr(Worker, "take_real_time", lambda worker: asked.append(worker.peer))
    arguments = ("--models", "digit", "--peers", "autodeploy,onnxruntime")
    _, report = compare(tmp_path, *arguments)
    assert asked == []
    assert report["settings"]["real_time"] is False
    _, report = compare(tmp_path, *arguments, "--real-time")
    assert asked == ["autodeploy", "onnxruntime"]
    assert report["settings"]["real_time"] is True


def test_an_engine_without_real_time_drops_out(
    tmp_path, monkeypatch, quick_limits, real_time_is_given
):
    def refuse(worker):
        raise WorkerError("not permitted")

    monkeypatch.setattr(Worker, "take_real_time", refuse)
    _, report = compare(tmp_path, "--models", "digit", "--peers", "onnxruntime", "--real-time")
    contender = report["results"][0]["contenders"]["onnxruntime"]
    assert contender["failed"] == "not permitted"
    assert "median" not in contender


@pytest.mark.exhaustive
def test_the_reference_need_not_compete(tmp_path, quick_limits):
    _, report = compare(tmp_path, "--models", "digit", "--peers", "autodeploy")
    (result,) = report["results"]
    assert list(result["contenders"]) == ["autodeploy"]
    assert result["contenders"]["autodeploy"]["error"] < 1e-4


def test_an_engine_that_is_not_installed_is_skipped(tmp_path, capsys, monkeypatch, quick_limits):
    monkeypatch.setitem(PACKAGES, "ncnn", ("no_such_engine",))
    _, report = compare(tmp_path, "--models", "digit", "--peers", "onnxruntime,ncnn")
    assert report["peers"] == ["onnxruntime"]
    assert "ncnn is skipped: not installed: no_such_engine" in capsys.readouterr().out


def test_a_network_without_its_graph_is_skipped(tmp_path, capsys, quick_limits):
    arguments = ("--models", "vit_s16", "--peers", "onnxruntime", "--graphs", str(tmp_path))
    assert run.main(["--output", str(tmp_path), *QUICK, *arguments]) == 0
    assert f"vit_s16 is skipped: there is no {tmp_path}/vit_s16.onnx" in capsys.readouterr().out


def test_an_engine_that_fails_is_a_result(tmp_path, monkeypatch, quick_limits):
    # Installed by this account, but not to be had.
    monkeypatch.setitem(PACKAGES, "absent", ())
    _, report = compare(tmp_path, "--models", "digit", "--peers", "onnxruntime,absent")
    contenders = report["results"][0]["contenders"]
    assert "no module" in contenders["absent"]["failed"].lower()
    assert contenders["onnxruntime"]["median"] > 0
    text = (tmp_path / "results.md").read_text()
    assert "| failed |" in text
    assert "- digit, absent: " in text


@needs_opencl
@pytest.mark.exhaustive
def test_engines_on_a_device(tmp_path, capsys, quick_limits):
    _, report = compare(tmp_path, "--models", "digit", "--machine", "host:device=opencl")
    assert set(report["peers"]) <= {"autodeploy", "tinygrad"}
    contenders = report["results"][0]["contenders"]
    assert all(found["error"] < 1e-5 for found in contenders.values())
    assert "| autodeploy / best |" in capsys.readouterr().out


def test_tinygrad_is_compared_on_devices_alone():
    assert "tinygrad" not in PROCESSOR_PEERS
    engine = pytest.importorskip("benchmarks.peers.tinygrad").Engine
    with pytest.raises(ValueError, match="on devices"):
        engine(None, Setup(1), Path())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--models", "digits"], "no model digits"),
        (["--peers", "tvm"], "no engine tvm; there are autodeploy, onnxruntime"),
        (["--threads", "1000"], "1000 threads need as many cores"),
        (["--threads", "0"], "a number from 1 on, found '0'"),
        (["--rounds", "0"], "a number from 1 on, found '0'"),
        (["--budget", "long"], "invalid float value"),
        (["--machine", "vax"], "unknown machine 'vax'"),
    ],
)
def test_wrong_arguments(arguments, message, capsys):
    with pytest.raises(SystemExit) as raised:
        run.main(arguments)
    assert raised.value.code == 2
    assert message in capsys.readouterr().err


def report_of(**contenders):
    return {
        "machine": {
            "processor": "P", "isa": "avx2", "cores": 2, "l1_bytes": 32768, "l2_bytes": 0,
            "l3_bytes": 0, "system": "S", "c_compiler": "cc", "load_average": [0.0, 0.0, 0.0],
        },
        "limits": {
            "fma_gflops": 100.0, "tile_gflops": 80.0, "read_gbs": 10.0, "copy_gbs": 9.0,
            "caches": [["L1", 1, 50.0]],
        },
        "settings": {"rounds": 3, "budget": 0.1, "level": 2, "machine": "host"},
        "peers": ["autodeploy", "onnxruntime"],
        "versions": {"autodeploy": "1"},
        "results": [
            {"model": "m", "threads": 1, "load_average": 1.9, "contenders": contenders},
            {"model": "n", "threads": 1, "load_average": 2.1, "contenders": contenders},
        ],
        "kernels": {},
    }  # fmt: skip


def test_the_report():
    ours = {"median": 2e-3, "minimum": 1e-3, "error": 3e-7, "busy": 0.99}
    theirs = {
        "median": 6e-3, "minimum": 5e-3, "ratio": 3.0, "busy": 0.5, "processor_median": 3e-3,
    }  # fmt: skip
    text = markdown(report_of(autodeploy=ours, onnxruntime=theirs))
    assert "- autodeploy compiles at level 2 for host\n" in text
    assert "| m | 2 (1) | 6 (5) **3.00x** |" in text
    assert "| m | 3.0e-07 |  |" in text
    assert "| geometric mean |  | **3.00x** |" in text
    assert "\n| m | 2 | 3.00 |\n| n | 2 | 3.00 |\n| geometric mean |  | 3.00 |\n" in text
    assert "- m, onnxruntime: had 50% of its core" in text
    assert "3 ms of processor time" in text
    assert "autodeploy: had" not in text
    assert "- n: other programs ran, the load average before was 2.1" in text
    assert "- m: other programs ran" not in text
    assert "100 GFLOP/s of fp32 multiply-adds, 80 with operands from L1, L1 50 GB/s" in text
    assert "memory 10.0 GB/s read, 9.0 copied" in text


def test_a_report_without_numbers():
    text = markdown(report_of(onnxruntime={"failed": "it broke"}))
    assert text.count("| m |  | failed |") == 2
    assert "geometric mean" not in text
    assert "- m, onnxruntime: it broke" in text


def test_the_tables_of_the_page_are_those_that_the_report_has():
    page = (Path(__file__).parents[3] / "docs/performance.md").read_text(encoding="utf-8")
    assert page.count(f"\n{ratio_table([], PROCESSOR_PEERS)}\n| digit | 0.0") == 2
