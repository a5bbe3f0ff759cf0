"""A compilation takes configs from a file of records, where it is asked to."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_records import trial

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


def test_records_of_rounded_factors_count(tmp_path: Path) -> None:
    """A kernel is looked for as it was measured, with factors of bfloat16."""
    file, options = tmp_path / "a.jsonl", CompileOptions(machine="x86-64-zen4", precision="bf16")
    (product,) = [t for t in extract_tasks(MODEL, options).tasks if t.title.startswith("matmul")]
    assert product.rule.template_name == "gemv"
    append_records(file, [trial(1e-6, kernel=product.kernel, machine=product.machine_text)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tuned = compile_model(MODEL, tmp_path / "tuned", replace(options, records=file))
    assert tuned.manifest.kernels[-1].algorithm == "plain"
    assert "gemv" not in {kernel.algorithm for kernel in tuned.manifest.kernels}


def _names(level: int, records: str | None = None, precision: str | None = None) -> list[str]:
    parts = stages(level, "x86-64-avx2", precision=precision, records=records)
    return [step.name for part in parts for step in part.passes]


def test_records_are_applied_before_the_rules() -> None:
    for level in (2, 3):
        names = _names(level, "a.jsonl")
        assert names.index("apply-records") + 1 == names.index("configure-kernels")
        assert _names(level) == [name for name in names if name != "apply-records"]
        names = _names(level, "a.jsonl", "bf16")
        assert names.index("apply-records") == names.index("round-factors") + 1
        assert names.count("apply-records") == 1
