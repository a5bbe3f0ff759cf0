"""Work on many items in processes of their own: a crash or a hang costs one item.

Items are worked on in batches, a process for each. Its process names an item before it begins with
it; what ends the process, or takes too long, is the outcome of that item. The others of the batch
are taken up again by another process.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol


class Item(Protocol):
    """What is worked on; names differ."""

    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Lost:
    """The process that worked on an item was ended: by a signal, by itself, or since it hung."""

    hung: bool
    reason: str


@dataclass(frozen=True)
class Limits:
    """What a process may take: seconds for an item, bytes of address space."""

    seconds: float = 120
    bytes: int = 12 << 30


class Report(Protocol):
    """Tells which item is worked on from now, and what is done with it."""

    def __call__(self, name: str, doing: str = "") -> None: ...


Work = Callable[[Sequence[Any], Report], Iterable[tuple[str, Any]]]
"""Yields the name and the outcome of items; calls its second argument before it begins with one.

What it writes to temporary files goes when its process ends.
"""


@dataclass
class _Worker:
    process: multiprocessing.process.BaseProcess
    pipe: Connection
    folder: str
    waiting: dict[str, Any]
    """Items without an outcome, in order."""
    current: str = ""
    doing: str = ""
    since: float = 0


def outcomes(
    batches: Iterable[Sequence[Item]], work: Work, jobs: int = 1, limits: Limits = Limits()
) -> Iterator[tuple[str, Any]]:
    """Yield name and outcome of each item, as they come; that of a lost one is ``Lost``."""
    queue = iter(batches)
    again: list[Sequence[Item]] = []
    workers: list[_Worker] = []
    try:
        while True:
            while len(workers) < jobs:
                batch = again.pop() if again else next(queue, None)
                if batch is None:
                    break
                if batch:
                    workers.append(_start(batch, work, limits))
            if not workers:
                return
            ready = wait([worker.pipe for worker in workers], timeout=1)
            for worker in list(workers):
                if worker.pipe in ready:
                    yield from _received(worker)
                elif time.monotonic() - worker.since > limits.seconds:
                    yield from _killed(worker, f"no end after {limits.seconds:g} s")
                if worker.pipe.closed:
                    workers.remove(worker)
                    again.append(list(worker.waiting.values()))
    finally:
        for worker in workers:
            _end(worker)


def _start(batch: Sequence[Item], work: Work, limits: Limits) -> _Worker:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    folder = tempfile.mkdtemp(prefix="autodeploy-isolated-")
    process = context.Process(target=_run, args=(theirs, batch, work, limits, folder))
    process.start()
    theirs.close()
    first = batch[0].name
    waiting = {item.name: item for item in batch}
    return _Worker(process, ours, folder, waiting, first, since=time.monotonic())


def _run(pipe: Connection, batch: Sequence[Item], work: Work, limits: Limits, folder: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.disable()  # the signal that ends a process is its outcome
    resource.setrlimit(resource.RLIMIT_AS, (limits.bytes, limits.bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    tempfile.tempdir = folder
    for name, outcome in work(batch, lambda name, doing="": pipe.send((name, doing, False))):
        pipe.send((name, outcome, True))
    pipe.close()


def _received(worker: _Worker) -> Iterator[tuple[str, Any]]:
    """Take a message: the name of an item, or that with its outcome; or the end of the process."""
    try:
        message = worker.pipe.recv()
    except EOFError:
        worker.process.join()
        code = worker.process.exitcode
        if not code and worker.waiting:
            code = "no outcome"
        yield from _lost(worker, False, _reason(code)) if code else ()
        _end(worker)
        return
    worker.since = time.monotonic()
    worker.current, content, is_outcome = message
    if is_outcome:
        del worker.waiting[worker.current]
        yield worker.current, content
    else:
        worker.doing = content


def _killed(worker: _Worker, reason: str) -> Iterator[tuple[str, Any]]:
    worker.process.kill()
    yield from _lost(worker, True, reason)
    _end(worker)


def _lost(worker: _Worker, hung: bool, reason: str) -> Iterator[tuple[str, Any]]:
    name = worker.current if worker.current in worker.waiting else next(iter(worker.waiting), None)
    if name is not None:
        del worker.waiting[name]
        yield name, Lost(hung, f"{reason} {worker.doing}".rstrip())


def _end(worker: _Worker) -> None:
    worker.process.kill()
    worker.process.join()
    worker.pipe.close()
    shutil.rmtree(worker.folder, ignore_errors=True)


def _reason(code: object) -> str:
    if isinstance(code, int) and code < 0:
        return signal.Signals(-code).name
    return f"the process ended: {code}"
