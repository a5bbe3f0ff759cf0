"""A worker: it runs programs for a scheduler of Dask, one at a time.

https://distributed.dask.org: the worker connects to the scheduler, and offers one unit of a
resource that is named after its machine. A search asks for that unit, so that no two programs
are measured at the same time.
"""

from __future__ import annotations

import asyncio
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from autodeploy.runner.in_turn import Program, RunResult, processor, run_in_turn

LAUNCHER_VARIABLE = "autodeploy_launcher"
"""The attribute of a Dask worker that holds its launcher."""


class WorkerError(Exception):
    """A worker cannot do its work; the text says why."""


@dataclass(frozen=True)
class Tls:
    """Files of TLS, as Dask takes them: certificates of the authority, of this side, its key."""

    ca_file: str
    cert: str
    key: str

    def security(self) -> Any:
        """Return Dask's ``Security``, which refuses connections that are not encrypted."""
        kinds = {
            f"tls_{role}_{name}": value
            for role in ("client", "worker")
            for name, value in (("cert", self.cert), ("key", self.key))
        }
        security: Any = import_module("distributed").Security
        return security(tls_ca_file=self.ca_file, require_encryption=True, **kinds)


@dataclass(frozen=True)
class Answer:
    """The answer of a worker: its address, its processor, the result of each program."""

    worker: str
    processor: str
    ran: Sequence[RunResult]


def resource(machine: str) -> str:
    """Return the name of the resource of which a worker for a machine has one unit."""
    return f"machine {machine}"


def answer(programs: Sequence[Program], rounds: int) -> Answer:
    """Run programs in turn; this is what runs on a worker."""
    worker: Any = import_module("distributed").get_worker()
    launcher: Sequence[str] = getattr(worker, LAUNCHER_VARIABLE, ())
    return Answer(worker.address, processor(), run_in_turn(programs, rounds, launcher))


def serve(
    scheduler: str,
    machine: str,
    *,
    name: str | None = None,
    launcher: str = "",
    tls: Tls | None = None,
) -> None:
    """Work for the scheduler of an address until it ends the worker.

    Raises ``WorkerError`` if the scheduler cannot be reached, or Dask is not installed.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise WorkerError(
            f"a worker takes Dask ({error}): install autodeploy[distributed]"
        ) from None

    async def work() -> None:
        with tempfile.TemporaryDirectory(prefix="autodeploy-worker-") as folder:
            worker = distributed.Worker(
                scheduler,
                name=name,
                nthreads=1,
                resources={resource(machine): 1},
                memory_limit=0,  # results are never spilled; programs have limits of their own
                local_directory=folder,
                security=None if tls is None else tls.security(),
                dashboard=False,
                death_timeout=_SECONDS,
            )
            setattr(worker, LAUNCHER_VARIABLE, tuple(shlex.split(launcher)))
            async with worker:
                print(f"worker for machine '{machine}' at {worker.address}", flush=True)
                await worker.finished()

    try:
        asyncio.run(work())
    except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise WorkerError(f"no scheduler at '{scheduler}': {reason}") from None


_SECONDS = 30
"""How long a worker tries to reach the scheduler."""
