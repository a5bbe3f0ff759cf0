"""Whole runs of a bundle, timed: numbers of runs and repeats, what is printed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import compile_model
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.evaluate import Evaluation, evaluate_bundle
from autodeploy.toolchain.profile_program import build_program
from autodeploy.tools.bench import bench

MODEL = Path(__file__).resolve().parents[3] / "examples" / "mnist" / "mnist.onnx"

_MOST_MEMORY = """\
import os, sys
child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
assert status == 0
print(usage.ru_maxrss)
"""
"""Runs a program, and prints the most KiB that it had. A child starts with those of its parent."""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle") / "out"
    compile_model(MODEL, folder)
    return folder


def _bench(*arguments: object) -> str:
    app = typer.Typer()
    app.command()(bench)
    result = CliRunner().invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_each_repeat_is_a_number(bundle: Path) -> None:
    found = evaluate_bundle(bundle, 3, 4)
    assert (len(found.seconds), found.number) == (4, 3)
    assert all(0 < seconds < 1 for seconds in found.seconds)


def test_runs_are_added_until_a_repeat_takes_long_enough(bundle: Path) -> None:
    found = evaluate_bundle(bundle, 1, 2, 5)
    assert found.number > 1
    assert len(found.seconds) == 2


def test_the_command_prints_the_results(bundle: Path) -> None:
    text = _bench(bundle, "--number", 2, "--repeat", 3, "--flush-caches")
    assert text.startswith("ms a run: mean ")
    assert text.endswith("; 3 repeats of 2 runs\n")
    found = json.loads(_bench(bundle, "--number", 2, "--repeat", 3, "--json"))
    assert (found["number"], len(found["seconds"])) == (2, 3)
    assert found["min"] <= found["median"] <= found["max"]


def test_numbers_are_summed_up() -> None:
    summary = Evaluation((1.0, 2.0, 6.0), 1).summary
    assert summary == {
        "mean": 3.0,
        "median": 2.0,
        "min": 1.0,
        "max": 6.0,
        "deviation": pytest.approx((14 / 3) ** 0.5),
    }


@pytest.mark.parametrize("wrong", [{"number": 0}, {"repeat": 0}, {"min_repeat_ms": -1}])
def test_wrong_numbers_are_refused(wrong: dict[str, int], bundle: Path) -> None:
    with pytest.raises(UserError, match="number, repeat and threads are at least 1"):
        evaluate_bundle(bundle, **wrong)


@pytest.mark.skipif(sys.platform != "linux", reason="kilobytes are Linux's")
def test_caches_are_flushed_with_memory_that_is_there(bundle: Path) -> None:
    # Memory that nobody has written is one page of zeros, many times over, and flushes nothing.
    program = build_program(bundle, Manifest.load(bundle), {}, "evaluate")
    weights = next(bundle.glob("*.weights"))
    most: list[int] = []
    for others in (0, 64 << 20):
        command = [str(program), str(weights), "1", "1", "1", "1", str(others)]
        run = [sys.executable, "-c", _MOST_MEMORY, *command]
        most.append(int(subprocess.run(run, check=True, capture_output=True).stdout.split()[-1]))
    assert most[1] - most[0] > 60 << 10
