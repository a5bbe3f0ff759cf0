"""The workers of a Dask scheduler, which run programs.

https://distributed.dask.org. Programs travel as bytes; a worker for a machine has one unit of a
resource that is named after it, and a task takes it, so a worker runs one at a time.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from threading import Event
from typing import Any

from autodeploy.diagnostics import UserError
from autodeploy.runner.in_turn import Program
from autodeploy.runner.program import LAUNCHER_SECONDS
from autodeploy.runner.worker import Answer, Tls, answer, resource

_CONNECT_SECONDS = 10
_POLL_SECONDS = 0.5
_LARGE = 2**40
"""Bytes of a task from which on Dask warns: they are programs here."""


@dataclass(frozen=True)
class Failed:
    """Why there is no answer; ``again`` where another worker may give one."""

    reason: str
    again: bool = False


@dataclass(eq=False)
class Running:
    """Programs that were handed to the scheduler for one of some workers, with a time limit."""

    future: Any
    workers: frozenset[str]
    seconds: float


class Cluster:
    """The workers for a machine; used in a ``with`` block.

    ``patience`` are the seconds beyond the limits of programs after which a worker that does not
    answer is given up, and those to wait for a first worker.
    """

    def __init__(self, address: str, machine: str, tls: Tls | None = None, patience: float = 60.0):
        self.address = address
        self.machine = machine
        self.patience = patience
        self._dask = _distributed()
        self._answered = time.monotonic()
        self._ready = Event()
        config: Any = import_module("dask.config")
        config.set({"distributed.admin.large-graph-warning-threshold": _LARGE})
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what counts is an error here
        try:
            self._client = self._dask.Client(
                address,
                timeout=_CONNECT_SECONDS,
                set_as_default=False,
                security=None if tls is None else tls.security(),
            )
        except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise UserError(f"no scheduler at '{address}': {reason}") from None

    def workers(self) -> list[str]:
        """Return the addresses of the workers for the machine; raises ``UserError``."""
        try:
            found = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, TimeoutError, RuntimeError, ValueError) as error:
            raise UserError(f"lost the scheduler at '{self.address}': {error}") from None
        name = resource(self.machine)
        return [address for address, told in found.items() if told["resources"].get(name)]

    def wait_for_workers(self, without: Iterable[str] = ()) -> list[str]:
        """Return the workers but for some, as soon as there is one.

        Raises ``UserError`` if none comes.
        """
        end = time.monotonic() + self.patience
        unwanted = set(without)
        while not (found := [w for w in self.workers() if w not in unwanted]):
            if time.monotonic() > end:
                raise UserError(
                    f"no worker for machine '{self.machine}' at '{self.address}'; start one with: "
                    f"autodeploy worker --scheduler {self.address} --machine {self.machine}"
                )
            time.sleep(_POLL_SECONDS)
        return found

    def run(self, programs: Sequence[Program], rounds: int, workers: Iterable[str]) -> Running:
        """Let one of some workers run programs in turn."""
        allowed = frozenset(workers)
        self._answered = time.monotonic()
        future = self._client.submit(
            answer,
            list(programs),
            rounds,
            workers=sorted(allowed),
            resources={resource(self.machine): 1},
            pure=False,
        )
        future.add_done_callback(self._wake)
        limit = sum(program.job.seconds + LAUNCHER_SECONDS for program in programs)
        return Running(future, allowed, rounds * limit + self.patience)

    def next(self, running: list[Running]) -> tuple[Running, Answer | Failed]:
        """Return what is ready next, and take it from the list, which is not empty."""
        while True:
            self._ready.clear()
            for one in running:
                if one.future.done():
                    running.remove(one)
                    self._answered = time.monotonic()
                    return one, self._result(one)
            alive = set(self.workers())
            for one in running:
                stalled = time.monotonic() - self._answered > one.seconds
                if stalled or alive.isdisjoint(one.workers):
                    running.remove(one)
                    one.future.cancel()
                    if stalled:
                        return one, Failed(f"no worker has answered for {one.seconds:.0f} s")
                    return one, Failed("its worker went away", again=True)
            self._ready.wait(_POLL_SECONDS)

    def _wake(self, future: Any) -> None:
        """Let ``next`` look again; Dask calls it in a thread of its own."""
        self._ready.set()

    def _result(self, one: Running) -> Answer | Failed:
        try:
            found = one.future.result()
        except self._dask.KilledWorker:
            return Failed("workers died of it")
        except self._dask.CancelledError:
            return Failed("the scheduler has cancelled it", again=True)
        except Exception as error:  # whatever is wrong with a worker: its Python, its disk
            return Failed(
                f"{type(error).__name__}: {' '.join(str(error).split())[:300]}", again=True
            )
        if not isinstance(found, Answer):
            return Failed("a worker gave no answer", again=True)
        return found

    def close(self) -> None:
        """Leave the scheduler; its workers stay."""
        self._client.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise UserError(
            f"a scheduler takes Dask ({error}): install autodeploy[distributed]"
        ) from None
