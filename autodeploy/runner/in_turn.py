"""Running several programs in turn: what a worker is asked to do."""

from __future__ import annotations

import os
import platform
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autodeploy.runner.program import Job, RunFailedError, perform


@dataclass(frozen=True)
class Program:
    """A job and the files that it takes, by name: their bytes, or their paths."""

    job: Job
    files: Mapping[str, bytes | Path]

    def packed(self) -> Program:
        """Return the program with the bytes of all files: it can be run on any machine."""
        return Program(
            self.job,
            {
                name: data.read_bytes() if isinstance(data, Path) else data
                for name, data in self.files.items()
            },
        )


@dataclass(frozen=True)
class RunResult:
    """The output of a program in each round and its results, or the reason of its failure."""

    printed: tuple[str, ...]
    results: Mapping[str, bytes]
    error: str | None = None


def run_in_turn(
    programs: Sequence[Program], rounds: int = 1, launcher: Sequence[str] = ()
) -> list[RunResult]:
    """Run programs one after another, ``rounds`` times, and return what became of each.

    A program that fails is not run in later rounds. ``launcher`` are the words before each. Results
    are those of the last round."""
    with tempfile.TemporaryDirectory(prefix="autodeploy-run-") as temporary:
        folders = [Path(temporary) / str(number) for number in range(len(programs))]
        for folder in folders:
            folder.mkdir()
        found = [RunResult((), {}) for _ in programs]
        for _ in range(rounds):
            for number, program in enumerate(programs):
                if found[number].error is None:
                    found[number] = _ran(program, found[number], folders[number], launcher)
        return found


def _ran(program: Program, before: RunResult, folder: Path, launcher: Sequence[str]) -> RunResult:
    job = replace(program.job, launcher=tuple(launcher) or program.job.launcher)
    files: Mapping[str, bytes | Path] = {} if before.printed else program.files
    try:
        printed, results = perform(job, files, folder)
    except RunFailedError as error:
        return RunResult((), {}, str(error))
    return RunResult((*before.printed, printed), results)


def processor() -> str:
    """Return what the system calls the processor of this machine."""
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or os.uname().machine
