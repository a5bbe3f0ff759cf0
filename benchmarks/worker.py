"""The process in which one engine runs one network, and the side of it that asks.

Each engine has a process of its own: thread pools, allocators and crashes of one do not touch the
others. All but the one that is asked sleep.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.engine import Array, Engine, Setup
from benchmarks.models import Model
from benchmarks.peers import load_engine
from benchmarks.real_time import take_real_time

LOAD_SECONDS = 900.0
"""How long an engine may take to load a network."""

RUN_SECONDS = 300.0
"""How long an engine may take to answer anything else."""

_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "POCL_MAX_PTHREAD_COUNT",
)


class WorkerError(Exception):
    """An engine failed, fell silent or died; the text says how, on one line."""


class Worker:
    """One engine with one network, in a process that is pinned to ``cores``, one a thread.

    ``setup`` says how it computes, with as many threads as there are cores.

    ``folder`` takes its files, ``output.log`` with what it prints among them. Every method raises
    ``WorkerError`` where the engine fails; the process has then ended.
    """

    def __init__(
        self,
        peer: str,
        model: Model,
        cores: Sequence[int],
        folder: Path,
        setup: Setup | None = None,
    ):
        self.peer = peer
        self.version = ""
        self.load_seconds = 0.0
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        setup = replace(setup or Setup(1), threads=len(cores))
        arguments = (theirs, peer, model, tuple(cores), folder, setup)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def load(self) -> None:
        """Load the network and bind random inputs; sets ``version`` and ``load_seconds``."""
        self.version, self.load_seconds = self._ask("load", seconds=LOAD_SECONDS)

    def take_real_time(self) -> None:
        """Let all threads of the process run before those of other programs, from now on."""
        self._ask("take_real_time")

    def run(self, count: int) -> tuple[float, float]:
        """Compute ``count`` times; return the seconds that passed and those of the processor."""
        return self._ask("run", count)

    def outputs(self) -> dict[str, Array]:
        """Return the outputs of the last run by name."""
        return self._ask("outputs")

    def outputs_of(self, model: Model) -> dict[str, Array]:
        """Load another network, run it once on random inputs and return its outputs."""
        return self._ask("outputs_of", model, seconds=LOAD_SECONDS)

    def program(self, budget: float) -> dict[str, float]:
        """Return further times that only this engine has, measured within ``budget`` seconds."""
        return self._ask("program", budget)

    def close(self) -> None:
        """End the process. May be called twice."""
        self._connection.close()
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _ask(self, command: str, *arguments: object, seconds: float = RUN_SECONDS) -> Any:
        try:
            self._connection.send((command, arguments))
            if not self._connection.poll(seconds):
                self._process.kill()
                raise WorkerError(f"no answer to '{command}' within {seconds:.0f} s")
            is_result, answer = self._connection.recv()
        except (OSError, EOFError):
            self._process.join(5)
            raise WorkerError(f"the process ended {_ending(self._process.exitcode)}") from None
        if not is_result:
            self.close()
            raise WorkerError(answer)
        return answer


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return f"by {signal.Signals(-code).name}"
    return f"with status {code}"


def _serve(
    connection: Connection,
    peer: str,
    model: Model,
    cores: tuple[int, ...],
    folder: Path,
    setup: Setup,
) -> None:
    """Answer until the other side hangs up."""
    # Before anything else of the engine is loaded: libraries read these when they start.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
    os.environ.update(dict.fromkeys(_THREAD_VARIABLES, str(len(cores))))
    folder.mkdir(parents=True, exist_ok=True)
    log = os.open(folder / "output.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(log, sys.stdout.fileno())
    os.dup2(log, sys.stderr.fileno())
    server = _Server(peer, model, setup, folder)
    while True:
        try:
            command, arguments = connection.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer = (True, getattr(server, command)(*arguments))
        except Exception as error:  # whatever an engine raises is a result of the comparison
            traceback.print_exc()
            text = " ".join(str(error).split()) or type(error).__name__
            answer = (False, text[:300])
        connection.send(answer)


class _Server:
    """What the process can be asked; the methods of ``Worker`` of the same names say what."""

    def __init__(self, peer: str, model: Model, setup: Setup, folder: Path):
        self._peer, self._model, self._setup, self._folder = peer, model, setup, folder
        self._engine: Engine | None = None

    def load(self) -> tuple[str, float]:
        type_ = load_engine(self._peer)
        start = time.perf_counter()
        engine = type_(self._model, self._setup, self._folder)
        seconds = time.perf_counter() - start
        engine.bind(self._model.random_inputs())
        self._engine = engine
        return engine.version(), seconds

    def take_real_time(self) -> None:
        take_real_time()

    def run(self, count: int) -> tuple[float, float]:
        # Once untimed: between two samples the others have filled the caches with their own data.
        self._loaded.run(1)
        before = time.process_time()
        seconds = self._loaded.run(count)
        return seconds, time.process_time() - before

    def outputs(self) -> dict[str, Array]:
        return self._loaded.outputs()

    def outputs_of(self, model: Model) -> dict[str, Array]:
        engine = load_engine(self._peer)(model, self._setup, self._folder / "check")
        engine.bind(model.random_inputs())
        engine.run(1)
        return engine.outputs()

    def program(self, budget: float) -> dict[str, float]:
        return dict(self._loaded.program(budget))

    @property
    def _loaded(self) -> Engine:
        if self._engine is None:
            raise WorkerError("the network is not loaded")
        return self._engine
