"""The process that builds and measures candidates, apart from the one that searches.

It reads requests from standard input, a line of JSON each, and writes a line for each candidate as
soon as it is measured. Each candidate is compiled in a child process and run in another one, both
with limits: a candidate that crashes, hangs or is wrong is an outcome. Nothing is built while
something is measured, unless a request says so.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.utils.exceptions import DiagnosticException

from autodeploy.codegen.halide.objects import halide
from autodeploy.json_values import from_json, to_json
from autodeploy.runner.program import Limits, RunFailedError, costs_of, ended, limit_memory, run_job
from autodeploy.tuning.agreement import disagreement
from autodeploy.tuning.candidate import Description, build_candidate
from autodeploy.tuning.harness import RESULTS, Harness

_ERROR = "error.txt"

_ROOM = 1 << 20
"""Bytes that a candidate takes on disk, about."""


@dataclass(frozen=True)
class Request:
    """Configs of one kernel to measure.

    The first request for a kernel is for the rule's config alone, as ``reference``: results of all
    later ones are compared with its results. With ``rounds``, the programs are run that many
    times, in turn; the costs are then the least of each round. ``launcher`` are words before each
    program; with ``overlap`` others are built while one is measured. With ``only_build`` none
    is run: the outcomes name the folders of the programs, which belong to the caller.
    """

    kernel: str
    configs: tuple[str, ...]
    reference: bool = False
    rounds: int = 0
    between: int = 0
    jobs: int = 1
    limits: Limits = field(default_factory=Limits)
    launcher: tuple[str, ...] = ()
    only_build: bool = False
    overlap: bool = False


@dataclass(frozen=True)
class Outcome:
    """The outcome of the config of a number: seconds a call, or an error.

    ``processor`` is what it ran on, where that is not this machine; ``folder`` that of a program
    which was only built.
    """

    index: int
    costs: tuple[float, ...]
    error: str | None = None
    processor: str | None = None
    folder: str | None = None


def serve(tasks: str, *compiler: str) -> None:
    """Measure what is asked for until the input ends; ``tasks`` is the folder of the tasks.

    ``compiler`` is the command of the C compiler.
    """
    output = os.dup(1)
    os.dup2(2, 1)  # what libraries print is no outcome
    halide()  # loaded here, no child has to do it
    with tempfile.TemporaryDirectory(prefix="autodeploy-tune-") as folder:
        tempfile.tempdir = folder
        server = _Server(Path(tasks), Path(folder), compiler)
        with os.fdopen(output, "w") as stream:
            for line in sys.stdin:
                request = from_json(Request, json.loads(line), "the request")
                for outcome in server.outcomes(request):
                    stream.write(json.dumps(to_json(outcome)) + "\n")
                    stream.flush()


class _Server:
    def __init__(self, tasks: Path, folder: Path, compiler: Sequence[str]):
        self.tasks = tasks
        self.folder = folder
        self.harness = Harness(folder, compiler)
        self.harness.prepare()
        self.references: dict[str, bytes] = {}

    def outcomes(self, request: Request) -> Iterator[Outcome]:
        """Yield the outcomes of a request, one for each config."""
        folders = [
            Path(tempfile.mkdtemp(prefix="candidate", dir=self.folder)) for _ in request.configs
        ]
        if request.only_build:
            for index, error in self._build(request, folders):
                self._check_room([error])
                yield Outcome(index, (), error, folder=str(folders[index]))
            return
        try:
            built = self._build(request, folders)
            if request.rounds:
                yield from self._in_turn(request, folders, dict(built))
            else:
                yield from self._one_by_one(request, folders, built)
        finally:
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)

    def _one_by_one(
        self, request: Request, folders: Sequence[Path], built: Iterator[tuple[int, str | None]]
    ) -> Iterator[Outcome]:
        """Run each program, all once they are built or each of them then, and yield its outcome."""
        for index, error in built if request.overlap else sorted(built):
            costs: list[float] = []
            if error is None:
                error = self._run(request, folders[index], costs)
            self._check_room([error])
            yield Outcome(index, () if error else tuple(costs), error)

    def _in_turn(
        self, request: Request, folders: Sequence[Path], errors: dict[int, str | None]
    ) -> Iterator[Outcome]:
        """Run programs in turn, in several rounds, and yield their outcomes at the end.

        ``errors`` says why one was not built.
        """
        self._check_room(list(errors.values()))
        costs: list[list[float]] = [[] for _ in folders]
        for _ in range(request.rounds):
            for index, folder in enumerate(folders):
                if errors[index] is None:
                    errors[index] = self._run(request, folder, costs[index])
                    self._check_room([errors[index]])
        for index, error in sorted(errors.items()):
            yield Outcome(index, () if error else tuple(costs[index]), error)

    def _check_room(self, errors: Sequence[str | None]) -> None:
        """Raise ``OSError`` if something failed and the disk is full: no candidate can work."""
        if any(errors):
            with tempfile.TemporaryFile(dir=self.folder) as file:
                file.write(bytes(_ROOM))
                file.flush()

    def _run(self, request: Request, folder: Path, costs: list[float]) -> str | None:
        """Run a program and append its costs; returns why there are none."""
        try:
            told = Description.load(folder)
            job = told.job(request.between, request.limits, request.launcher)
            found = list(costs_of(run_job(job, folder)))
            results = (folder / RESULTS).read_bytes()
        except (RunFailedError, OSError) as error:
            return f"run: {error}"
        if request.reference:
            self.references[request.kernel] = results
        wrong = disagreement(results, self.references[request.kernel], told.results)
        if wrong is not None:
            return f"wrong: {wrong}"
        costs += [min(found)] if request.rounds else found
        return None

    def _build(self, request: Request, folders: Sequence[Path]) -> Iterator[tuple[int, str | None]]:
        """Build all candidates, some at once; yields the number of each, and why it failed.

        While what is yielded is used, those that were begun are built on.
        """
        waiting = list(range(len(folders)))[::-1]
        running: dict[int, tuple[int, float]] = {}

        def begin() -> None:
            while waiting and len(running) < request.jobs:
                index = waiting.pop()
                running[self._fork(request, index, folders[index])] = index, time.monotonic()

        begin()
        while running:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process:
                index, _ = running.pop(process)
                begin()
                yield index, _build_error(folders[index], status)
                continue
            for process, (index, start) in list(running.items()):
                if time.monotonic() - start > request.limits.build:
                    os.kill(process, 9)
                    os.waitpid(process, 0)
                    del running[process]
                    begin()
                    yield index, f"build: no end after {request.limits.build:g} s"
            time.sleep(0.005)

    def _fork(self, request: Request, index: int, folder: Path) -> int:
        process = os.fork()
        if process:
            return process
        status = 1
        try:
            limit_memory(request.limits.bytes)
            build_candidate(
                self.tasks, request.kernel, request.configs[index], self.harness, folder
            )
            status = 0
        except DiagnosticException as error:
            (folder / _ERROR).write_text(str(error))
        except BaseException as error:
            traceback.print_exc()
            (folder / _ERROR).write_text(f"{type(error).__name__}: {error}")
        finally:
            os._exit(status)


def _build_error(folder: Path, status: int) -> str | None:
    if status == 0:
        return None
    file = folder / _ERROR
    text = file.read_text() if file.exists() else ended(os.waitstatus_to_exitcode(status))
    return f"build: {' '.join(text.split())[:500]}"
