"""A compilation takes configs from a file of records, where it is asked to."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_records import trial
from shipped_records import ship

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import RecordsWarning, UserError
from autodeploy.machine import Machine
from autodeploy.pipelines import stages
from autodeploy.records.record import Record
from autodeploy.records.record_file import append_records
from autodeploy.records.signature import machine_text
from autodeploy.tuning.task import extract_tasks

MODEL = Path(__file__).resolve().parents[2] / "examples" / "mnist" / "mnist.onnx"


def _plain_records() -> list[Record]:
    """Return a record for each kernel of the network that says that it takes the plain template."""
    tasks = extract_tasks(MODEL, CompileOptions()).tasks
    machine = machine_text(Machine.parse("host:cores=1"))
    open_tasks = [task for task in tasks if task.op.config is None]
    return [trial(1e-6, kernel=task.kernel, machine=machine) for task in open_tasks]


def _shipped(machine: str) -> list[Record]:
    """Return records that ship for each kernel of the network: the plain template is faster."""
    tasks = extract_tasks(MODEL, CompileOptions(machine=machine)).tasks
    return [
        record
        for task in tasks
        if task.op.config is None and task.rule.template_name != "plain"
        for record in (
            trial(2e-6, kernel=task.kernel, config=str(task.rule)),
            trial(1e-6, kernel=task.kernel, kind="choice"),
        )
    ]


def test_kernels_follow_records(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    append_records(file, _plain_records())
    image = np.random.default_rng(0).random((1, 1, 28, 28), np.float32)
    with autodeploy.compile(MODEL, tmp_path / "rules") as session:
        expected = session.run(image)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tuned = compile_model(MODEL, tmp_path / "tuned", CompileOptions(records=file))
    kernels = tuned.manifest.kernels
    assert {kernel.algorithm for kernel in kernels} <= {"plain", "row_bands", "copy"}
    assert tuned.manifest.options["tuned"] == "true"
    with autodeploy.load(tmp_path / "tuned") as session:
        for name, array in session.run(image).items():
            np.testing.assert_allclose(array, expected[name], rtol=1e-4, atol=1e-4)


def test_records_of_another_machine_are_not_applied(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    append_records(file, [replace(record, machine="another") for record in _plain_records()])
    with pytest.warns(RecordsWarning, match="only for another machine"):
        tuned = compile_model(MODEL, tmp_path / "tuned", CompileOptions(records=file))
    plain = compile_model(MODEL, tmp_path / "rules")
    assert [k.algorithm for k in tuned.manifest.kernels] == [
        k.algorithm for k in plain.manifest.kernels
    ]


def test_the_users_file_is_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTODEPLOY_CACHE", str(tmp_path))
    with pytest.raises(UserError, match=f"cannot read records '{tmp_path}/records.jsonl'"):
        compile_model(MODEL, tmp_path / "out", CompileOptions(records="user"))
    assert not (tmp_path / "out").exists()


def test_records_are_for_levels_that_choose(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="records are for level 2 and 3, found level 1"):
        compile_model(MODEL, tmp_path / "out", CompileOptions(level=1, records="a.jsonl"))


def test_records_ship_with_presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundle names the preset; without records, below level 3 and as source there are none."""
    ship(monkeypatch, tmp_path, *(records := _shipped("x86-64-avx2")))
    options = CompileOptions(machine="x86-64-avx2:l3=8M")
    tuned = compile_model(MODEL, tmp_path / "tuned", options).manifest
    assert tuned.options["records"] == f"x86-64-avx2: {len(records) // 2} kernels"
    assert tuned.options["tuned"] == "false"
    assert {kernel.algorithm for kernel in tuned.kernels} <= {"plain", "row_bands", "copy"}
    for changes in (
        {"records": "none"},
        {"level": 2},
        {"emit": "c"},
        {"threads": 2},
        {"machine": "x86-64"},
    ):
        found = compile_model(MODEL, tmp_path / "out", replace(options, **changes)).manifest
        assert "records" not in found.options
        assert found.options["tuned"] == "false"


def _names(level: int, records: str | None = None, **settings: bool) -> list[str]:
    parts = stages(level, "x86-64-avx2", records=records, **settings)
    return [step.name for part in parts for step in part.passes]


def test_records_are_applied_before_the_rules() -> None:
    names = _names(3)
    assert names.index("apply-records") + 1 == names.index("configure-kernels")
    for without in (_names(3, "none"), _names(3, objects=False)):
        assert without == [name for name in names if name != "apply-records"]
    for level in range(3):
        assert "apply-records" not in _names(level)
    assert "apply-records" in _names(2, "a.jsonl")


@pytest.mark.parametrize("level", range(4))
def test_no_records_are_for_every_level(level: int, tmp_path: Path) -> None:
    compile_model(MODEL, tmp_path / "out", CompileOptions(level=level, records="none"))
