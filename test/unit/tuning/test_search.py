"""Searches on the network of digits: records, resumption, confirmation, interruptions."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from tuning_tasks import DIGITS, digits, one_convolution

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import RecordsWarning, ToolchainError, UserError
from autodeploy.records.best import grouped
from autodeploy.records.record import Record
from autodeploy.records.record_file import append_records, read_records
from autodeploy.tuning.measurer import Measurer
from autodeploy.tuning.search import Progress
from autodeploy.tuning.server import Outcome, Request
from autodeploy.tuning.tune import Tuning

TASKS = 5


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Tuning, list[Progress]]:
    """Return a file of records of a short search, its result and what the callback was told."""
    file = tmp_path_factory.mktemp("search") / "tune.jsonl"
    told: list[Progress] = []
    found = autodeploy.tune(
        DIGITS, records=file, trials=TASKS + 6, tuner="ga", seed=1, callback=told.append
    )
    return file, found, told


def _trials(records: list[Record]) -> list[Record]:
    return [record for record in records if record.kind == "trial"]


@pytest.mark.exhaustive
def test_the_rule_is_the_first_trial_of_each_kernel(searched) -> None:
    file, found, told = searched
    records = read_records(file)
    groups = grouped(records).values()
    assert len(groups) == TASKS
    assert len(_trials(records)) == found.trials == TASKS + 6
    rules = {state.task.kernel: str(state.task.rule) for state in told[-1].states}
    for group in groups:
        assert group.trials[0].config == rules[group.trials[0].kernel]
        assert len({trial.config for trial in group.trials}) == len(group.trials)
        assert all(trial.costs or trial.error for trial in group.trials)


@pytest.mark.exhaustive
def test_each_kernel_has_one_choice(searched) -> None:
    file, found, _ = searched
    choices = [record for record in read_records(file) if record.kind == "choice"]
    for choice, task in zip(choices, found.tasks, strict=True):
        assert choice.config == ("rule" if task.seconds == task.rule_seconds else task.config)
    assert len(choices) == TASKS
    if found.network_gain == 1:
        assert all(task.seconds == task.rule_seconds for task in found.tasks)


def test_the_found_configs_are_compiled(searched, tmp_path: Path) -> None:
    file, _, _ = searched
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile_model(DIGITS, tmp_path / "out", CompileOptions(records=file))
    with pytest.warns(RecordsWarning, match="another machine"):
        options = CompileOptions(records=file, machine="x86-64-avx2", level=2)
        compile_model(DIGITS, tmp_path / "other", options)


def test_the_callback_gets_the_events(searched) -> None:
    _, found, told = searched
    assert [p.trials for p in told] == sorted(p.trials for p in told)
    assert told[-1].trials == found.trials
    assert {state.task.title for state in told[-1].states} == {t.title for t in found.tasks}


@pytest.mark.exhaustive
def test_another_search_goes_on_and_repeats_nothing(searched) -> None:
    file, _, _ = searched
    before = read_records(file)
    autodeploy.tune(DIGITS, records=file, trials=2, tuner="random", seed=1)
    records = read_records(file)
    assert records[: len(before)] == before
    pairs = [(record.kernel, record.config) for record in _trials(records)]
    assert len(pairs) == len(_trials(before)) + 2 == len(set(pairs))


@pytest.mark.exhaustive
def test_a_killed_search_leaves_its_measurements(tmp_path: Path) -> None:
    file = tmp_path / "tune.jsonl"
    program = (
        f"import autodeploy; autodeploy.tune({str(DIGITS)!r}, records={str(file)!r}, "
        "trials=500, tuner='random')"
    )
    process = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    try:
        while len(read_records(file, missing_ok=True)) < 2 and process.poll() is None:
            time.sleep(0.1)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(read_records(file)) >= 2


@pytest.mark.exhaustive
def test_two_searches_on_one_file_lose_nothing(tmp_path: Path) -> None:
    file, model = tmp_path / "tune.jsonl", tmp_path / "one.onnx"
    model.write_bytes(one_convolution())
    program = (
        "import autodeploy; autodeploy.tune({!r}, records={!r}, trials=4, tuner={!r}, level=2)"
    )
    searches = [
        subprocess.Popen([sys.executable, "-c", program.format(str(model), str(file), tuner)])
        for tuner in ("random", "ga")
    ]
    assert [search.wait() for search in searches] == [0, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        records = read_records(file)
    # A search that begins later takes the rule's trial of the other one for its own.
    assert len(_trials(records)) in (7, 8)
    assert len(records) - len(_trials(records)) == 2


@pytest.mark.exhaustive
def test_records_of_another_version_are_tried_first(tmp_path: Path) -> None:
    file, told = tmp_path / "tune.jsonl", []
    autodeploy.tune(one_convolution(), records=file, trials=4, tuner="random", level=2)
    old = [replace(r, versions={**r.versions, "halide": "1"}) for r in _trials(read_records(file))]
    file.unlink()
    append_records(file, old)
    autodeploy.tune(
        one_convolution(), records=file, trials=2, tuner="ga", level=2, callback=told.append
    )
    (state,) = told[-1].states
    assert len(state.priors) == 1
    assert len(state.priors[0]) == 4
    first = [r.config for r in _trials(read_records(file))[4:6]]
    working = sorted((r for r in old if r.error is None), key=lambda r: r.cost)
    best = [r.config for r in working if r.config != first[0]]
    assert first[1] == best[0]


def test_an_interrupt_in_the_callback_keeps_trials(tmp_path: Path) -> None:
    file = tmp_path / "tune.jsonl"

    def interrupt(progress: Progress) -> None:
        if progress.trials == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        autodeploy.tune(DIGITS, records=file, trials=50, tuner="ga", callback=interrupt)
    assert len(read_records(file)) == 2


@pytest.mark.exhaustive
def test_candidates_that_fail_cost_a_trial_each(tmp_path: Path) -> None:
    task = digits().tasks[1]
    digits().save(task, tmp_path)
    rule, wrong = str(task.rule), "#nn.config<gemm>"
    with Measurer(tmp_path) as measurer:
        (outcome,) = measurer.outcomes(Request(task.kernel, (rule,), reference=True))
        assert outcome.error is None
        request = Request(task.kernel, (wrong, rule), jobs=2)
        first, second = measurer.outcomes(request)
        assert (first.costs, second.error) == ((), None)
        assert str(first.error).startswith("build: ")
        assert len(list(measurer.outcomes(Request(task.kernel, (rule, rule), rounds=3)))) == 2


@pytest.mark.exhaustive
def test_a_measuring_process_that_dies_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it ends or dies, it leaves no files."""
    task = digits().tasks[1]
    digits().save(task, tmp_path)
    working = tmp_path / "working"
    working.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(working))
    rule = str(task.rule)
    with Measurer(tmp_path) as measurer:
        (outcome,) = measurer.outcomes(Request(task.kernel, (rule,), reference=True))
        assert outcome.error is None
        request = Request(task.kernel, (rule,) * 3)
        found = []
        for outcome in measurer.outcomes(request):
            found.append(outcome)
            if len(found) == 1:
                server = measurer._server
                assert server is not None
                server.kill()
                server.wait()
        assert sorted(outcome.index for outcome in found) == [0, 1, 2]
        assert all(outcome.error is None for outcome in found)
        (outcome,) = measurer.outcomes(Request(task.kernel, (rule,)))
        assert outcome.error is None
        assert len(list(working.iterdir())) == 1
    assert not list(working.iterdir())


def test_a_candidate_that_kills_the_measuring_process_twice_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A candidate that does so costs its own trial, and no other one."""
    asked: list[tuple[str, ...]] = []

    def ask(self: Measurer, request: Request, numbers: dict[int, int]):
        asked.append(request.configs)
        for number, config in enumerate(request.configs):
            if config == "deadly":
                return "run: the measuring process ended"
            yield Outcome(numbers.pop(number), (1.0,))
        return None

    monkeypatch.setattr(Measurer, "_ask", ask)
    with Measurer(tmp_path) as measurer:
        request = Request("kernel", ("a", "deadly", "b", "deadly"), reference=True)
        found = {outcome.index: outcome.error for outcome in measurer.outcomes(request)}
    ended = "run: the measuring process ended"
    assert found == {0: None, 1: ended, 2: None, 3: ended}
    assert asked == [
        ("a", "deadly", "b", "deadly"),
        ("deadly", "b", "deadly"),
        ("b", "deadly"),
        ("deadly",),
    ]


@pytest.mark.exhaustive
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="Linux limits other processes")
def test_a_full_disk_ends_a_search_and_fails_no_candidate(tmp_path: Path) -> None:
    task = digits().tasks[1]
    digits().save(task, tmp_path)
    rule = str(task.rule)
    with Measurer(tmp_path) as measurer:
        (outcome,) = measurer.outcomes(Request(task.kernel, (rule,), reference=True))
        assert outcome.error is None
        server = measurer._server
        assert server is not None
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1 << 13, 1 << 13))
        with pytest.raises(ToolchainError, match=r"measuring process ended: .*File too large"):
            list(measurer.outcomes(Request(task.kernel, (rule, rule))))


@pytest.mark.exhaustive
def test_records_that_cannot_grow_end_a_search_and_keep_its_trials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, write = tmp_path / "tune.jsonl", os.write

    def full(progress: Progress) -> None:
        def fail(descriptor: int, data: bytes) -> int:
            if data.startswith(b'{"format"'):
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(descriptor, data)

        if progress.trials == 2:
            monkeypatch.setattr(os, "write", fail)

    with pytest.raises(UserError, match=r"cannot write .*: No space left on device"):
        autodeploy.tune(DIGITS, records=file, trials=50, tuner="ga", callback=full)
    assert len(read_records(file)) == 2
    monkeypatch.setattr(os, "write", write)
    autodeploy.tune(DIGITS, records=file, trials=1, tuner="ga")
    assert len(_trials(read_records(file))) == TASKS


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "a search needs a number of trials or of minutes"),
        ({"trials": 0}, "trials are at least 1"),
        ({"minutes": 0}, "minutes more than 0"),
        ({"trials": 1, "tuner": "best"}, "unknown tuner 'best'"),
        ({"trials": 1, "machine": "wasm32-simd128"}, "cannot be measured here"),
        ({"trials": 1, "machine": "riscv64-rvv128"}, "cannot be measured here"),
        ({"trials": 1, "precision": "f23"}, "unknown precision 'f23'"),
        ({"trials": 1, "machine": "host:bfloat16_rate=0.5", "precision": "bf16"}, "bfloat16"),
    ],
)
def test_wrong_options(options: dict[str, object], reason: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=reason):
        autodeploy.tune(DIGITS, records=tmp_path / "a.jsonl", **options)
    assert not (tmp_path / "a.jsonl").exists()


def test_an_unwritable_file_is_reported_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write"):
        autodeploy.tune(DIGITS, records=tmp_path / "none" / "a.jsonl", trials=1, tuner="ga")
    append_records(tmp_path / "a.jsonl", [])
    with pytest.raises(UserError, match="none"):
        autodeploy.tune("none.onnx", records=tmp_path / "a.jsonl", trials=1, tuner="ga")
