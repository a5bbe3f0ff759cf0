"""Running a program with limits of time and memory, and saying why it failed."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LAUNCHER_SECONDS = 300.0
"""Seconds that a launcher may wait before it starts the program, as for a lock."""

UNLIMITED = resource.RLIM_INFINITY
"""No limit of memory: drivers of devices reserve more addresses than they use."""


@dataclass(frozen=True)
class Limits:
    """The limits of a candidate: seconds to build, seconds to run, bytes of memory.

    ``call`` are the seconds of one call beyond which it is not measured any further, ``batch``
    those of a batch's median beyond which no other batch follows, ``batches`` those
    that are spent on all batches.
    """

    build: float = 60.0
    run: float = 30.0
    bytes: int = 8 << 30
    call: float = float("inf")
    batch: float = float("inf")
    batches: float = 0.5


class RunFailedError(Exception):
    """A program crashed, hung or took too much memory; the text says so."""


@dataclass(frozen=True)
class Job:
    """A program to run: ``command`` in a folder with ``files``, which brings ``results`` back.

    The first word of ``command`` is the name of a file, or the path of one; ``launcher`` are the
    words before it. ``seconds`` and ``bytes`` are its limits. With ``one_core`` it stays on
    one core.
    """

    command: tuple[str, ...]
    seconds: float
    bytes: int
    one_core: bool = False
    launcher: tuple[str, ...] = ()
    results: tuple[str, ...] = ()


def run_job(job: Job, folder: Path) -> str:
    """Run a job in a folder that has its files, and return what it prints.

    Raises ``RunFailedError`` if it cannot be started, crashes, hangs or takes too much memory.
    """
    program, *arguments = job.command
    command = [*job.launcher, str(folder / program), *arguments]
    limit = job.seconds + (LAUNCHER_SECONDS if job.launcher else 0.0)
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=_limited(job),
            start_new_session=True,  # what a launcher starts can be ended with it
        )
    except (OSError, subprocess.SubprocessError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise RunFailedError(f"it cannot be started: {reason}") from None
    with process:
        try:
            printed, said = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            raise RunFailedError(f"no end after {limit:g} s") from None
        finally:
            _end(process)
    if process.returncode:
        lines = said.decode(errors="replace").strip().splitlines()
        raise RunFailedError(lines[-1] if lines else ended(process.returncode))
    return printed.decode(errors="replace")


def perform(
    job: Job, files: Mapping[str, bytes | Path], folder: Path
) -> tuple[str, dict[str, bytes]]:
    """Put the files of a job in a folder, run it, and return what it prints and its results.

    The program is made executable. Raises ``RunFailedError`` as ``run_job`` does, and where a
    result is missing.
    """
    try:
        for name, data in files.items():
            if isinstance(data, Path):
                (folder / name).symlink_to(data.resolve())
            else:
                (folder / name).write_bytes(data)
        (folder / job.command[0]).chmod(0o700)
        printed = run_job(job, folder)
        return printed, {name: (folder / name).read_bytes() for name in job.results}
    except OSError as error:
        raise RunFailedError(f"{error.strerror or error}: '{error.filename}'") from None


def ended(code: int) -> str:
    """Return in words how a process ended."""
    if code >= 0:
        return f"exit status {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def limit_memory(limit: int) -> None:
    """Bound the address space of this process, and let it leave no core."""
    if limit != UNLIMITED:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def costs_of(printed: str) -> Sequence[float]:
    """Return the seconds of a call that ``measure.c`` printed; raises ``RunFailedError``."""
    try:
        costs = [float(line) for line in printed.split()]
    except ValueError:
        costs = []
    if not costs or min(costs) <= 0:
        raise RunFailedError("it measured nothing")
    return costs


def _limited(job: Job) -> Callable[[], None]:
    """Return what a process does before it runs a program: take the limits, stay on one core."""

    def prepare() -> None:
        limit_memory(job.bytes)
        if job.one_core and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    return prepare


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
