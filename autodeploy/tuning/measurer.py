"""Measuring candidates by a process of its own, which is started again where it ends."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from autodeploy.diagnostics import ToolchainError
from autodeploy.json_values import from_json, to_json
from autodeploy.runner.in_turn import Program, RunResult, run_in_turn
from autodeploy.runner.program import ended
from autodeploy.runner.servers import end_server, start_server
from autodeploy.tuning.server import Outcome, Request

_DEATHS = 2
"""Times that the measuring process is killed over a candidate until that is its fault."""

_START = "import sys; from autodeploy.tuning.server import serve; serve(*sys.argv[1:])"


class Measures(Protocol):
    """The interface that measures candidates: this machine, or workers."""

    tasks: Path
    """The folder to which tasks are saved."""

    @property
    def batch(self) -> int:
        """Return how many candidates a request should have."""
        ...

    def outcomes(self, request: Request) -> Iterator[Outcome]:
        """Yield the outcome of each config of a request, as they come."""
        ...

    def run(self, programs: Sequence[Program], rounds: int) -> Sequence[RunResult]:
        """Run programs in turn, and return what became of each."""
        ...


class Measurer:
    """Measures the kernels whose tasks were saved in ``tasks``; used in a ``with`` block.

    ``compiler`` is the command of the C compiler, by default the one for this machine. ``launcher``
    are the words before each measured program; with ``overlap`` others are built meanwhile."""

    batch = 8

    def __init__(
        self,
        tasks: Path,
        compiler: Sequence[str] = (),
        launcher: Sequence[str] = (),
        *,
        overlap: bool = False,
    ):
        self.tasks = tasks
        self._compiler = compiler
        self._launcher = tuple(launcher)
        self._overlap = overlap
        self._log = tasks / "measurer.log"
        self._server: subprocess.Popen[str] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._references: dict[str, Request] = {}
        self._known: set[str] = set()

    def outcomes(self, request: Request) -> Iterator[Outcome]:
        """Yield the outcome of each config of a request, as they come.

        Candidates in work when the measuring process was killed are measured again by another
        one. Raises ``ToolchainError`` if that process cannot start or work, as on a full disk.
        """
        if request.reference and not request.only_build:
            self._references[request.kernel] = request
        missing = list(range(len(request.configs)))
        deaths = 0
        while missing:
            reason = None
            is_prepared = request.only_build or request.reference
            if not is_prepared and (request.kernel not in self._known or self._server is None):
                reason = yield from self._ask(self._references[request.kernel], {})
            if reason is None:
                numbers = dict(enumerate(missing))
                asked = tuple(request.configs[number] for number in missing)
                before = len(missing)
                reason = yield from self._ask(replace(request, configs=asked), numbers)
                missing = list(numbers.values())
                deaths = 0 if len(missing) < before else deaths
            if reason is None:
                continue
            deaths += 1
            if deaths == _DEATHS:
                yield Outcome(missing.pop(0), (), reason)
                deaths = 0

    def run(self, programs: Sequence[Program], rounds: int) -> Sequence[RunResult]:
        """Run programs in turn, and return what became of each."""
        return run_in_turn(programs, rounds, self._launcher)

    def _ask(
        self, request: Request, numbers: dict[int, int]
    ) -> Generator[Outcome, None, str | None]:
        """Yield outcomes as they come, and return why there are no more; ``None`` if all came.

        ``numbers`` says for the number of each config what it is in the outcome that is yielded;
        yielded ones are removed. Nothing is yielded for a missing config.
        """
        missing = set(range(len(request.configs)))
        server = self._started()
        assert server.stdin is not None and server.stdout is not None
        try:
            asked = replace(request, launcher=self._launcher, overlap=self._overlap)
            server.stdin.write(json.dumps(to_json(asked)) + "\n")
            server.stdin.flush()
            while missing and (line := server.stdout.readline()).endswith("\n"):
                outcome = from_json(Outcome, json.loads(line), "the outcome")
                missing.discard(outcome.index)
                if outcome.index in numbers:
                    yield replace(outcome, index=numbers.pop(outcome.index))
        except BrokenPipeError:
            pass
        if missing:
            return self._ended(server)
        if request.reference and not request.only_build:
            self._known.add(request.kernel)
        return None

    def _ended(self, server: subprocess.Popen[str]) -> str:
        """Return how the measuring process was killed.

        Raises ``ToolchainError`` if it ended by itself.
        """
        code = server.wait()
        said = self._log.read_text(errors="replace").split("\n")
        self.close()
        if code < 0:
            return f"run: the measuring process ended: {ended(code)}"
        raise ToolchainError(f"the measuring process ended: {''.join(said[-2:])[:200] or code}")

    def _started(self) -> subprocess.Popen[str]:
        if self._server is not None and self._server.poll() is None:
            return self._server
        self.close()
        # A process that is killed leaves its files, so they are in a folder of this one.
        self._folder = tempfile.TemporaryDirectory(
            prefix="autodeploy-tune-", ignore_cleanup_errors=True
        )
        try:
            with self._log.open("w") as log:
                arguments, folder = (str(self.tasks), *self._compiler), self._folder.name
                self._server = start_server(_START, *arguments, log=log, TMPDIR=folder)
        except OSError as error:
            raise ToolchainError(f"cannot start the measuring process: {error}") from None
        return self._server

    def close(self) -> None:
        """End the measuring process and its children."""
        server, self._server = self._server, None
        folder, self._folder = self._folder, None
        self._known.clear()
        if server is not None:
            end_server(server)
        if folder is not None:
            folder.cleanup()

    def __enter__(self) -> Measurer:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
