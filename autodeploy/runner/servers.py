"""Processes of Python that answer requests of this one through pipes of text."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO


def start_server(
    code: str, *arguments: str, log: IO[str] | None = None, **environment: str
) -> subprocess.Popen[str]:
    """Start Python with some code, which finds all modules that this process can import.

    The server and its children are a group that Ctrl-C does not reach. Libraries have one thread:
    others would be missing in forked children. Raises ``OSError`` if it cannot be started.
    """
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            **environment,
        },
        text=True,
        errors="replace",
        start_new_session=True,
    )


def end_server(server: subprocess.Popen[str]) -> None:
    """End a server and its children, done or not."""
    # There is nobody to end where all of them have ended by themselves.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()
    for pipe in (server.stdin, server.stdout):
        with suppress(BrokenPipeError):  # of a request that was not read
            if pipe is not None:
                pipe.close()
