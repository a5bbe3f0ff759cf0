"""The file of records: several writers, a kill at any byte, a full disk, damaged lines."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from made_records import TRIAL, failed, trial

from autodeploy.diagnostics import RecordsWarning, UserError
from autodeploy.records.record import Record
from autodeploy.records.record_file import append_records, read_records, rewrite_records

MANY = 40


def _write_many(path: Path, number: int) -> None:
    for index in range(MANY):
        append_records(path, [trial(1e-6, title=f"{number} {index}")])


def test_appended_records_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    records = [TRIAL, failed("killed by signal 11\nline"), replace(TRIAL, kind="choice")]
    records.append(replace(TRIAL, kind="choice", config="rule"))
    append_records(path, records[:1])
    append_records(path, records[1:])
    assert read_records(path) == records


def test_several_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write_many, args=(path, n)) for n in range(3)]
    for writer in writers:
        writer.start()
    _write_many(path, 3)
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    titles = {record.title for record in read_records(path)}
    assert titles == {f"{n} {index}" for n in range(4) for index in range(MANY)}


def test_a_writer_and_one_that_prunes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch()
    writer = multiprocessing.get_context("fork").Process(target=_write_many, args=(path, 0))
    writer.start()
    while writer.is_alive():
        assert rewrite_records(path, lambda records: records) == 0
    writer.join()
    assert len(read_records(path)) == MANY


def test_a_kill_at_any_byte_costs_the_line_alone(tmp_path: Path) -> None:
    line = TRIAL.to_line() + "\n"
    for cut in range(1, len(line) - 1):
        path = tmp_path / "a.jsonl"
        path.write_text(line + line[:cut])
        append_records(path, [trial(3e-6)])
        with pytest.warns(RecordsWarning, match="line 2 is .*; skipped"):
            assert read_records(path) == [TRIAL, trial(3e-6)]


def test_a_line_without_its_end_counts_where_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(TRIAL.to_line())
    append_records(path, [trial(3e-6)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_records(path) == [TRIAL, trial(3e-6)]


def test_a_full_disk_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    append_records(path, [TRIAL])
    before = path.read_bytes()
    write = os.write
    calls: list[int] = []

    def fail(descriptor: int, data: bytes) -> int:
        calls.append(len(data))
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:10])

    monkeypatch.setattr(os, "write", fail)
    with pytest.raises(UserError, match=r"cannot write .*: No space left on device"):
        append_records(path, [TRIAL])
    assert (path.read_bytes(), len(calls)) == (before, 2)


def test_a_file_that_may_not_grow_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    append_records(path, [TRIAL])
    before = path.read_bytes()

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, len(before) + 10))
        with pytest.raises(UserError, match=r"cannot write .*: File too large"):
            append_records(path, [TRIAL])

    process = multiprocessing.get_context("fork").Process(target=limited)
    process.start()
    process.join()
    assert (process.exitcode, path.read_bytes()) == (0, before)


WRONG = {
    "not JSON": "{",
    "no record: it is not an object": "[1]",
    "not of format 1": json.dumps({**json.loads(TRIAL.to_line()), "format": 2}),
    "no record: 'title' of it is not a string": json.dumps(
        {key: value for key, value in json.loads(TRIAL.to_line()).items() if key != "title"}
    ),
    **{
        reason: json.dumps({**json.loads(TRIAL.to_line()), name: value})
        for reason, name, value in [
            ("no record: 'kernel' of it is not a string", "kernel", 1),
            ("no record: 'kind' of it is 'guess', expected one of trial, choice, merge",
             "kind", "guess"),
            ("no record: 'error' of it is not a string", "error", 3),
            ("no record: 'halide' of 'versions' is not a string", "versions", {"halide": 1}),
            ("with costs that are no times", "costs", [0]),
            ("with costs and an error, or with neither", "costs", []),
            ("with a wrong time, 'noon'", "time", "noon"),
            ("not a config", "config", "#nn.config<plain"),
        ]
    },
}  # fmt: skip


@pytest.mark.parametrize("reason", WRONG)
def test_lines_that_are_no_record_are_skipped(reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{WRONG[reason]}\n{TRIAL.to_line()}\n")
    with pytest.warns(RecordsWarning) as found:
        assert read_records(path) == [TRIAL]
    assert [str(warning.message) for warning in found] == [
        f"records '{path}': line 1 is {reason}; skipped"
    ]


def test_only_a_choice_is_of_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    records = [replace(TRIAL, config="rule"), replace(TRIAL, config="rule", kind="merge")]
    append_records(path, records)
    with pytest.warns(RecordsWarning, match="2 lines are no records"):
        assert read_records(path) == []


def test_many_damaged_lines_are_one_warning(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xff\n\n{}\nx\n")
    with pytest.warns(RecordsWarning, match="3 lines are no records, 1 is not text") as found:
        assert read_records(path) == []
    assert len(found) == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    assert read_records(path, missing_ok=True) == []
    with pytest.raises(UserError, match=r"cannot read records '.*': No such file"):
        read_records(path)
    with pytest.raises(UserError, match=r"cannot write '.*': No such file"):
        append_records(tmp_path / "none" / "a.jsonl", [TRIAL])


def test_numbers_of_a_line_are_those_of_the_record() -> None:
    record = trial(1.2345678901234567e-06)
    assert Record.from_line(record.to_line()) == record
    assert (record.cost, failed("x").cost) == (1.2345678901234567e-06, float("inf"))
