"""The commands on files of records."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from made_records import failed, trial
from typer.testing import CliRunner

from autodeploy.diagnostics import RecordsWarning, UserError
from autodeploy.records.record_file import append_records, read_records
from autodeploy.tools.curves import curves, draw_curves
from autodeploy.tools.records import app

RULE, FAST, WRONG = trial(4e-6), trial(2e-6, config="#nn.config<row>"), failed("wrong")
OTHER = trial(1e-6, kernel="b" * 32, time="2025-01-01T00:00:00+00:00")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    append_records(path, [RULE, FAST, WRONG, OTHER, trial(3e-6)])
    return path


def _run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_show(file: Path) -> None:
    lines = _run("show", file).splitlines()
    (row,) = (line for line in lines if "+100.0%" in line)
    assert row.split()[-5:] == ["4", "1", "4.00", "2.00", "+100.0%"]
    assert "x86-64-avx2" in row
    assert "#nn.config<row>" in _run("show", "--best", file)
    assert "#nn.config" not in "".join(lines)


def test_json(file: Path) -> None:
    first, other = json.loads(_run("show", "--json", file))
    assert (first["trials"], first["failed"], first["best_seconds"]) == (4, 1, 2e-6)
    assert first["best_config"] == "#nn.config<row>"
    assert (other["rule_seconds"], other["best_seconds"]) == (1e-6, 1e-6)


def test_curves_are_the_best_so_far(file: Path) -> None:
    drawn = curves(read_records(file))
    # The other kernel has a single trial.
    assert drawn == [(RULE.title, [1.0, 2.0, 2.0, 2.0])]


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml")])
def test_show_draws_curves(name: str, start: bytes, file: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert "+100.0%" in _run("show", file, "--plot", tmp_path / name)
    data = (tmp_path / name).read_bytes()
    assert data.startswith(start)
    assert name == "a.png" or RULE.title.encode() in data.replace(b"&gt;", b">")


def test_curves_that_cannot_be_drawn(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = curves(read_records(file))
    with pytest.raises(UserError, match="there is nothing to draw"):
        draw_curves([], tmp_path / "a.png")
    pytest.importorskip("matplotlib")
    with pytest.raises(UserError, match=r"cannot draw '.*a.xyz': "):
        draw_curves(drawn, tmp_path / "a.xyz")
    with pytest.raises(UserError, match=r"cannot write '.*a.png': No such file"):
        draw_curves(drawn, tmp_path / "none" / "a.png")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UserError, match=r"curves take matplotlib .*install autodeploy\[plot\]"):
        draw_curves(drawn, tmp_path / "a.png")


def test_best_prints_the_records_of_compile(file: Path) -> None:
    assert _run("best", file).splitlines() == [FAST.to_line(), OTHER.to_line()]


def test_merge_appends_new_records_by_time(file: Path, tmp_path: Path) -> None:
    output = tmp_path / "b.jsonl"
    append_records(output, [WRONG])
    assert "4 of 5 records were new" in _run("merge", file, output, "-o", output)
    assert read_records(output) == [WRONG, OTHER, RULE, FAST, trial(3e-6)]
    assert "0 of 5 records were new" in _run("merge", file, "-o", output)


def test_prune_keeps_the_rule_and_the_fastest(file: Path) -> None:
    with file.open("a") as stream:
        stream.write('{"damaged')
    with pytest.warns(RecordsWarning):
        assert "removed 2 records" in _run("prune", "--keep", "1", file)
    assert read_records(file) == [RULE, FAST, OTHER]


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    for command in ("show", "best", "prune"):
        with pytest.raises(UserError, match="cannot read records"):
            _run(command, path)
    assert not path.exists()
