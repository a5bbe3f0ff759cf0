"""Measuring candidates by a process of its own, which is started again where it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Protocol

from autodeploy.diagnostics import ToolchainError
from autodeploy.runner.in_turn import Program, Ran, run_in_turn
from autodeploy.tuning.server import Outcome, Request

_START = "import sys; from autodeploy.tuning.server import serve; serve(*sys.argv[1:])"


class Measures(Protocol):
    """What measures candidates: this machine, or workers."""

    tasks: Path
    """The folder to which tasks are saved."""

    @property
    def batch(self) -> int:
        """Return how many candidates a request should have."""
        ...

    def outcomes(self, request: Request) -> Iterator[Outcome]:
        """Yield the outcome of each config of a request, as they come."""
        ...

    def run(self, programs: Sequence[Program], rounds: int) -> Sequence[Ran]:
        """Run programs in turn, and return what became of each."""
        ...


class Measurer:
    """Measures the kernels whose tasks were saved in ``tasks``; used in a ``with`` block.

    ``compiler`` is the command of the C compiler; where there is none it is that for this machine.
    ``launcher`` are the words in front of each program that is measured.
    """

    batch = 8

    def __init__(self, tasks: Path, compiler: Sequence[str] = (), launcher: Sequence[str] = ()):
        self.tasks = tasks
        self._compiler = compiler
        self._launcher = tuple(launcher)
        self._log = tasks / "measurer.log"
        self._server: subprocess.Popen[str] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._references: dict[str, Request] = {}
        self._known: set[str] = set()

    def outcomes(self, request: Request) -> Iterator[Outcome]:
        """Yield the outcome of each config of a request, as they come.

        Raises ``ToolchainError`` where the measuring process cannot be started.
        """
        if request.only_build:
            pass
        elif request.reference:
            self._references[request.kernel] = request
        elif request.kernel not in self._known or self._server is None:
            list(self._ask(self._references[request.kernel]))
        yield from self._ask(request)

    def run(self, programs: Sequence[Program], rounds: int) -> Sequence[Ran]:
        """Run programs in turn, and return what became of each."""
        return run_in_turn(programs, rounds, self._launcher)

    def _ask(self, request: Request) -> Iterator[Outcome]:
        missing = set(range(len(request.configs)))
        server = self._started()
        assert server.stdin is not None and server.stdout is not None
        try:
            server.stdin.write(replace(request, launcher=self._launcher).to_line() + "\n")
            server.stdin.flush()
            while missing and (line := server.stdout.readline()).endswith("\n"):
                outcome = Outcome.from_line(line)
                missing.discard(outcome.index)
                yield outcome
        except BrokenPipeError:
            pass
        if missing:
            self.close()
            said = self._log.read_text(errors="replace").split("\n")
            reason = f"run: the measuring process ended: {''.join(said[-2:])[:200]}"
            for index in sorted(missing):
                yield Outcome(index, (), reason.rstrip(": "))
        elif request.reference and not request.only_build:
            self._known.add(request.kernel)

    def _started(self) -> subprocess.Popen[str]:
        if self._server is not None and self._server.poll() is None:
            return self._server
        self.close()
        # A process that is killed leaves its files, so they lie in a folder of this one.
        self._folder = tempfile.TemporaryDirectory(
            prefix="autodeploy-tune-", ignore_cleanup_errors=True
        )
        environment = {
            **os.environ,
            "TMPDIR": self._folder.name,
            "PYTHONPATH": os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        try:
            with self._log.open("w") as log:
                self._server = subprocess.Popen(
                    [sys.executable, "-P", "-c", _START, str(self.tasks), *self._compiler],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    env=environment,
                    text=True,
                    start_new_session=True,  # Ctrl-C is for the search
                )
        except OSError as error:
            raise ToolchainError(f"cannot start the measuring process: {error}") from None
        return self._server

    def close(self) -> None:
        """End the measuring process and what it has started."""
        server, self._server = self._server, None
        folder, self._folder = self._folder, None
        self._known.clear()
        if server is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()
            for pipe in (server.stdin, server.stdout):
                with suppress(BrokenPipeError):
                    if pipe is not None:
                        pipe.close()
        if folder is not None:
            folder.cleanup()

    def __enter__(self) -> Measurer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
