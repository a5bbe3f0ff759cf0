"""``autodeploy worker``, which also runs where nothing but this package and Dask is installed."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from typing import NoReturn

from autodeploy.runner.worker import Tls, WorkerError, serve


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """End with one line, as all of the tools do."""
        fail(message, 2)


def fail(text: str, status: int) -> NoReturn:
    """Print an error as one line and end."""
    print(f"autodeploy: error: {text}", file=sys.stderr)
    sys.exit(status)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a worker until its scheduler ends it, or Ctrl-C."""
    parser = _Parser(
        prog="autodeploy worker",
        description="Run programs that are to be measured, for 'autodeploy tune --scheduler'. "
        "Who reaches the scheduler can run any program here: outside of a network that you trust, "
        "give the options of TLS.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", required=True, help="of Dask, such as tcp://host:8786"
    )
    parser.add_argument(
        "--machine",
        metavar="NAME",
        default="host",
        help="the machine that this is, as 'tune --machine' names it; default: host, which is a "
        "machine of the kind that 'tune' runs on",
    )
    parser.add_argument("--name", metavar="TEXT", help="of the worker, in messages")
    parser.add_argument(
        "--launch",
        metavar="COMMAND",
        default="",
        help="words before each program, such as 'taskset -c 3'",
    )
    for option, what in (
        ("--tls-ca-file", "certificate of the authority"),
        ("--tls-cert", "certificate of this worker"),
        ("--tls-key", "its private key"),
    ):
        parser.add_argument(option, metavar="FILE", help=f"TLS: {what}")
    given = parser.parse_args(arguments)
    try:
        shlex.split(given.launch)
    except ValueError as error:
        parser.error(f"the command of '--launch' is malformed: {error}")
    try:
        files = tls(given.tls_ca_file, given.tls_cert, given.tls_key)
        serve(given.scheduler, given.machine, name=given.name, launcher=given.launch, tls=files)
    except WorkerError as error:
        fail(str(error), 1)


def tls(ca_file: str | None, cert: str | None, key: str | None) -> Tls | None:
    """Return the files of TLS, ``None`` if there are none; raises ``WorkerError`` for some."""
    if ca_file is None and cert is None and key is None:
        return None
    if ca_file is None or cert is None or key is None:
        raise WorkerError("TLS takes '--tls-ca-file', '--tls-cert' and '--tls-key'")
    for file in (ca_file, cert, key):
        if not os.access(file, os.R_OK):
            raise WorkerError(f"cannot read '{file}'")
    return Tls(ca_file, cert, key)
