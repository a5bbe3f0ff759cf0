"""Compiling kernels in processes of their own.

One process is started, loads Halide, and forks a child for each kernel. Halide numbers the names
that it makes within a process, and the numbers decide on the order of instructions; a child depends
on nothing that was compiled before, so the same kernel always gives the same bytes, and memory
comes back kernel by kernel. The process waits for the next kernels until this one ends. Python's
own process pools are not used because they run the main module of the program again, which a script
that compiles at its top level does not survive.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autodeploy import diagnostics
from autodeploy.codegen.halide.compile_kernel import check_room, compile_kernel, parse_pipeline
from autodeploy.codegen.halide.kernel_code import KernelCode, KernelRequest
from autodeploy.codegen.halide.objects import halide
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.runner.servers import end_server, start_server

_START = "from autodeploy.codegen.halide.kernel_jobs import serve; serve()"

_WATCH = 1.0
"""Seconds between two looks at whether the process that wants the kernels is there."""

_LINES = 20
"""Lines of a compiler that crashed that an error has, the last ones."""


def can_fork() -> bool:
    """Return whether processes can be used here."""
    return hasattr(os, "fork") and bool(sys.executable)


def compile_in_processes(
    names: Sequence[str], requests: Sequence[KernelRequest], jobs: int
) -> Iterator[tuple[int, KernelCode]]:
    """Compile kernels, up to ``jobs`` at once; yields their indices and code as they are done.

    ``names`` are what the kernels are called in messages. Raises what ``compile_kernel`` raises,
    and ``ToolchainError`` if the compiler ends before it is done.
    """
    # A child that is being killed may still write into the folder.
    with tempfile.TemporaryDirectory(
        prefix="autodeploy-kernels-", ignore_cleanup_errors=True
    ) as folder:
        work = {
            "jobs": jobs,
            "folder": folder,
            "requests": [asdict(request) for request in requests],
        }
        server = _taken()
        try:
            yield from _results(server, work, Path(folder), names)
        except BaseException:  # also where the caller wants no more of them
            end_server(server)
            raise
        _keep(server)


_idle: list[tuple[int, subprocess.Popen[str]]] = []
"""The server that waits for work, if any, with the id of its owner: a fork copies the list."""


def _keep(server: subprocess.Popen[str]) -> None:
    """Let a server wait for work; of several that threads have used, one does."""
    if _idle:
        end_server(server)
    else:
        _idle.append((os.getpid(), server))


def _taken() -> subprocess.Popen[str]:
    """Return a server that nobody else uses: one that waits for work, or a new one."""
    while _idle:
        owner, server = _idle.pop()
        if owner == os.getpid() and server.poll() is None:
            return server
    return start_server(_START)


@atexit.register
def end_servers() -> None:
    """End the server that waits for work."""
    while _idle:
        owner, server = _idle.pop()
        if owner == os.getpid():
            end_server(server)


def _results(
    server: subprocess.Popen[str], work: dict[str, Any], folder: Path, names: Sequence[str]
) -> Iterator[tuple[int, KernelCode]]:
    assert server.stdin is not None and server.stdout is not None
    try:
        server.stdin.write(json.dumps(work) + "\n")
        server.stdin.flush()
    except BrokenPipeError:
        raise _died(names[0]) from None
    for done in range(len(names)):
        line = server.stdout.readline().split()
        if len(line) != 2:
            raise _died(names[done])
        index, status = map(int, line)
        file = folder / str(index)
        if status != 0 or not file.exists():
            raise _failed(folder / f"{index}.error", names[index], status)
        yield index, KernelCode.from_bytes(file.read_bytes())
        file.unlink()


def _died(name: str) -> ToolchainError:
    return ToolchainError(f"the compiler ended while kernel '{name}' was waiting for it")


def _failed(file: Path, name: str, status: int) -> UserError:
    """Return the error that a child has left, or one that says how it ended."""
    try:
        kind, message = json.loads(file.read_text())
    except (OSError, ValueError):  # there is none, or no room for it
        check_room(file.parent)
        ended = os.waitstatus_to_exitcode(status)
        how = f"signal {-ended}" if ended < 0 else f"exit status {ended}"
        said = file.with_suffix(".said")
        lines = said.read_text(errors="replace").splitlines() if said.exists() else []
        return ToolchainError(f"the compiler of kernel '{name}' crashed: {how}", *lines[-_LINES:])
    return getattr(diagnostics, kind)(*message.split("\n"))


def serve() -> None:
    """Compile kernels as each line of standard input says: the function of the other process.

    Writes a line for each kernel as it is done: its index and how its process ended. Its code is
    then in a file of the work's folder, named by the index, or its error in a second file.
    """
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    _end_with_parent()
    # No child has to load Halide, and the modules that a text needs, again.
    halide()
    for line in sys.stdin:
        work = json.loads(line)
        # The process that reads our lines also removes this folder, however children end.
        tempfile.tempdir = work["folder"]
        _serve([KernelRequest(**fields) for fields in work["requests"]], work)


def _end_with_parent() -> None:
    """Have this session of processes end soon after the one that has started it.

    That one may be killed, as when a search gives up a kernel that takes Halide hours. A child
    would go on, and this process would wait for it.
    """
    parent = os.getppid()

    def look(number: int, frame: object) -> None:
        if os.getppid() != parent:
            os.killpg(os.getpgrp(), signal.SIGKILL)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _WATCH, _WATCH)


def _serve(requests: Sequence[KernelRequest], work: dict[str, Any]) -> None:
    waiting = list(enumerate(requests))[::-1]
    running: dict[int, int] = {}
    with contextlib.suppress(Exception):  # the child says what is wrong with a text
        parse_pipeline(requests[0].text)
    while waiting or running:
        while waiting and len(running) < work["jobs"]:
            index, request = waiting.pop()
            running[_fork(request, Path(work["folder"]), index)] = index
        process, status = os.wait()
        print(running.pop(process), status, flush=True)


def _fork(request: KernelRequest, folder: Path, index: int) -> int:
    """Compile a kernel in a child process; returns its id."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        # LLVM's output before it ends the process is a part of our error.
        said = os.open(folder / f"{index}.said", os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(said, sys.stderr.fileno())
        (folder / str(index)).write_bytes(compile_kernel(request).to_bytes())
        status = 0
    except UserError as error:
        text = json.dumps([type(error).__name__, str(error)])
        (folder / f"{index}.error").write_text(text)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
