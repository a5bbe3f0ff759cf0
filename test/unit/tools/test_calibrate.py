"""The command that describes the machine at hand, on one of known limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.machine import Machine
from autodeploy.toolchain import limits
from autodeploy.toolchain.limits import Limits
from autodeploy.tools.calibrate import calibrate
from autodeploy.tools.usage import UsageError

MODEL = Path(__file__).resolve().parents[3] / "examples" / "mnist" / "mnist.onnx"


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    known = Limits(100.0, 90.0, 10.0, 20.0, (("L1", 1, 99.0), ("L2", 2, 50.0)), 2.0)
    monkeypatch.setattr(limits, "measure_limits", lambda folder: known)
    app = typer.Typer()
    app.command()(calibrate)
    return app


def test_a_file_is_written_that_machine_takes(app: typer.Typer, tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    result = CliRunner().invoke(app, ["-o", str(file)])
    assert (result.exit_code, f"--machine {file}" in result.output) == (0, True)
    machine, host = Machine.parse(str(file)), Machine.host()
    assert (machine.name, machine.features) == ("board", host.features)
    assert (machine.costs.efficiency, machine.costs.l2_bytes_per_cycle) == (0.9, 25.0)
    compile_model(MODEL, tmp_path / "out", CompileOptions(level=0, machine=str(file)))
    described = json.loads((tmp_path / "out" / "manifest.json").read_text())["machine"]
    assert (described["name"], described["costs"]["l2_bytes_per_cycle"]) == ("board", 25.0)


def test_without_a_file_it_is_printed(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, [])
    assert result.output.startswith("# Measured by autodeploy calibrate.\ntarget = ")
    assert "l2_bytes_per_cycle = 25.0\n" in result.output


def test_another_ending_is_refused_before_anything_is_measured(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["-o", "board.txt"])
    assert isinstance(result.exception, UsageError)
    assert "takes a file that ends in '.toml', found 'board.txt'" in str(result.exception)
