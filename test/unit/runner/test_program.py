"""Programs on a worker: files, limits, launchers, and what a worker may import."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from autodeploy.runner.in_turn import Program, RunResult, run_in_turn
from autodeploy.runner.main import main
from autodeploy.runner.program import Job, RunFailedError, costs_of, perform, run_job

SHELL = b"#!/bin/sh\n"


def _program(script: str, seconds: float = 20.0, **options: object) -> Program:
    job = Job(("go", "word"), seconds, 1 << 30, results=("result",), **options)
    return Program(job, {"go": SHELL + script.encode()})


def test_a_worker_needs_none_of_the_compiler() -> None:
    program = (
        "import sys\n"
        "for name in ('xdsl', 'halide', 'numpy', 'onnx', 'typer', 'rich', 'distributed'):\n"
        "    sys.modules[name] = None\n"
        "from autodeploy.runner.main import main\n"
        "main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", program, "--scheduler", "tcp://127.0.0.1:1"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert found.stderr.startswith("autodeploy: error: a worker takes Dask (")
    assert found.stderr.endswith("install autodeploy[distributed]\n")


def test_programs_run_in_turn() -> None:
    script = 'echo x >> result; echo "$1 $(cat result | wc -l)"'
    first, second = run_in_turn([_program(script), _program("exit 3")], 3)
    assert [printed.split() for printed in first.printed] == [["word", n] for n in "123"]
    assert first.results == {"result": b"x\nx\nx\n"}
    assert second == RunResult((), {}, "exit status 3")


def test_files_travel_as_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"data")
    program = Program(Job(("go",), 1.0, 1), {"go": SHELL, "a": tmp_path / "a"})
    assert program.packed().files == {"go": SHELL, "a": b"data"}


def test_a_launcher_precedes_the_program(tmp_path: Path) -> None:
    program = _program("echo $NAME > result", launcher=("env", "NAME=launched"))
    (ran,) = run_in_turn([program])
    assert ran.results == {"result": b"launched\n"}
    (ran,) = run_in_turn([program], launcher=("env", "NAME=other"))
    assert ran.results == {"result": b"other\n"}
    with pytest.raises(RunFailedError, match="cannot be started: No such file"):
        run_job(Job(("go",), 1.0, 1 << 30, launcher=("/none",)), tmp_path)


def _runs(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.exhaustive
def test_children_of_a_program_end_with_it(tmp_path: Path) -> None:
    # The shell has started it long before the limit, also where much else runs.
    program = _program("sleep 1000 & echo $! > pid; wait", 5.0)
    with pytest.raises(RunFailedError, match="no end after"):
        perform(program.job, program.files, tmp_path)
    process = (tmp_path / "pid").read_text().strip()
    end = time.monotonic() + 30
    while _runs(process):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_missing_result_is_reported() -> None:
    (ran,) = run_in_turn([_program("echo 1")])
    assert str(ran.error).startswith("No such file or directory: '")


@pytest.mark.parametrize("printed", ["", "1 x", "-1", "0"])
def test_wrong_numbers_of_seconds(printed: str) -> None:
    with pytest.raises(RunFailedError, match="it measured nothing"):
        costs_of(printed)


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        ([], 2, "the following arguments are required: --scheduler"),
        (["--scheduler", "tcp://127.0.0.1:1", "--tls-key", "k"], 1, "TLS takes '--tls-ca-file'"),
        (
            ["--scheduler", "a", "--tls-key", "k", "--tls-cert", "c", "--tls-ca-file", "/none"],
            1,
            "cannot read '/none'",
        ),
        (["--scheduler", "nonsense://x"], 1, "no scheduler at 'nonsense://x': "),
        (["--scheduler", "a", "--launch", "'"], 2, "'--launch' is malformed"),
    ],
)
def test_wrong_calls_of_a_worker(
    arguments: list[str], status: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        main(arguments)
    told = capsys.readouterr().err
    assert error.value.code == status
    assert told.startswith("autodeploy: error: ")
    assert text in told
    assert told.count("\n") == 1
