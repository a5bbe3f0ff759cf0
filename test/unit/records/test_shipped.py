"""Records that ship with presets: which of them count, and that those of the package do."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_records import failed, trial
from shipped_records import ship

from autodeploy.compiler import CompileOptions
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine import Machine
from autodeploy.machine.presets import PRESETS
from autodeploy.records.record import current_versions
from autodeploy.records.record_file import parse_records
from autodeploy.records.shipped import FOLDER, shipped_for, shipped_presets
from autodeploy.tuning.task import Task, extract_tasks
from benchmarks.models import provide, read_catalogue

RULE, CHOSEN = "#nn.config<gemv, rows = [1]>", "#nn.config<gemv, rows = [2]>"
MEASURE = "measure them again: docs/tuning.md, 'Records of presets'"
REFRESH = f"remove their lines, or {MEASURE}"
NETWORKS = {"x86-64-zen4": ["mobilenetv2", "shufflenet"]}
"""The networks of models.toml, without graphs, whose kernels the records of a preset are for."""


def _choice(**changes):
    return trial(1e-6, config=CHOSEN, kind="choice", **changes)


def _config(machine: str = "x86-64-avx2", rows: int = 1) -> ConfigAttr | None:
    return shipped_for(Machine.parse(machine)).config(
        "0" * 32, ConfigAttr("gemv", {"rows": (rows,)})
    )


def test_a_choice_counts_as_long_as_the_rule_is_what_it_was_compared_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, tmp_path, trial(2e-6, config=RULE), _choice(versions={"autodeploy": "0"}))
    assert shipped_for(Machine.named("x86-64-avx2")).preset == "x86-64-avx2"
    assert str(_config()) == CHOSEN
    assert _config(rows=4) is None


@pytest.mark.parametrize(
    "machine",
    ["x86-64-avx2:cores=2", "x86-64-avx2:device=opencl", "x86-64-avx512", "x86-64", "arm-neon"],
)
def test_other_machines_have_none(
    machine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, tmp_path, trial(2e-6, config=RULE), _choice())
    assert shipped_for(Machine.parse(machine)).kernels == {}
    assert _config(machine) is None


def test_the_nearest_preset_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ship(monkeypatch, tmp_path, trial(2e-6, config=RULE), _choice())
    assert str(_config("x86-64-avx2:l2=2M")) == CHOSEN


@pytest.mark.parametrize(
    "records",
    [
        [],
        [trial(2e-6, config=RULE)],
        [_choice()],
        [failed("crashed", config=RULE), _choice()],
        [trial(2e-6, config=RULE), trial(1e-6, config="rule", kind="choice")],
        [trial(2e-6, config=RULE), _choice(kernel="1" * 32)],
        [trial(2e-6, config=RULE), trial(1e-6, config="merged", kind="merge")],
    ],
)
def test_records_without_a_rule_and_a_choice_say_nothing(
    records, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, tmp_path, *records)
    assert _config() in (None, ConfigAttr("gemv", {"rows": (1,)}))


@pytest.mark.filterwarnings("error")
def test_damaged_lines_are_skipped_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ship(monkeypatch, tmp_path, trial(2e-6, config=RULE), _choice())
    whole = path.read_bytes()
    first, second, _ = whole.split(b"\n")
    for damaged in (
        b'{"format": 2}\n\xff\xfe\n{\n' + whole,  # of another version, no text, cut off
        whole + second.replace(b"gemv", b"gemv<"),
        whole + second[:50],
    ):
        path.write_bytes(damaged)
        shipped_for.__globals__["read_shipped"].cache_clear()
        assert str(_config()) == CHOSEN
    path.write_bytes(first.replace(b'"format": 1', b'"format": 9') + b"\n" + second)
    shipped_for.__globals__["read_shipped"].cache_clear()
    assert _config() is None


@pytest.mark.parametrize("preset", shipped_presets())
def test_files_of_the_package_have_a_rule_and_a_choice_of_each_kernel(preset: str) -> None:
    assert preset in PRESETS
    data = (FOLDER / f"{preset}.jsonl").read_bytes()
    records, damaged = parse_records(data)
    assert damaged == []
    assert len(data) < 200_000
    assert current_versions().keys() == records[0].versions.keys()
    shipped = shipped_for(Machine.named(preset))
    assert len(records) == 2 * len(shipped.kernels)
    for group in shipped.kernels.values():
        assert group.rule is not None
        assert group.best is not None
        assert (group.rule.kind, group.best.kind) == ("trial", "choice")
        assert group.best.cost < group.rule.cost


@pytest.mark.parametrize("preset", shipped_presets())
def test_records_of_the_package_apply(preset: str, tmp_path: Path) -> None:
    kernels = shipped_for(Machine.named(preset)).kernels
    known: dict[str, Task] = {}
    for network in NETWORKS[preset]:
        model = provide(network, read_catalogue()[network], tmp_path).path
        tasks = extract_tasks(model, CompileOptions(machine=preset)).tasks
        known |= {task.kernel: task for task in tasks if task.kernel in kernels}
    lost = [f"{digest} ({kernels[digest].records[0].title})" for digest in kernels.keys() - known]
    assert not lost, f"{preset}.jsonl: signatures have changed; {MEASURE}: {lost}"
    stale = {f"{task.kernel} ({task.title})": _stale(task, preset) for task in known.values()}
    texts = [f"{kernel}: {reason}" for kernel, reason in stale.items() if reason is not None]
    assert not texts, "\n".join(
        [f"{preset}.jsonl has records that do not apply; {REFRESH}", *texts]
    )


def _stale(task: Task, preset: str) -> str | None:
    """Return why the record of a task is not applied; ``None`` if it is."""
    config = shipped_for(Machine.named(preset)).config(task.kernel, task.rule)
    if config is None:
        return f"the rules choose {task.rule} now"
    return None if task.completed(config) is not None else f"{config} is not for it"
