"""Python tools that start at once: a server has loaded them, and forks a child for each call.

The lit tests call ``autodeploy-opt`` and ``filecheck`` 2,000 times, and each start of Python and
its modules takes longer than nearly any of the calls. A client in the place of a tool hands its
arguments, its environment and its three streams to the server, and ends as the child ends.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import marshal
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import NamedTuple

_CLIENT = """#!{python} -IS
import marshal, os, sys
import _socket as socket

server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
server.connect({address!r})
call = marshal.dumps(({tool!r}, sys.argv, os.getcwd(), dict(os.environ)))
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
server.sendmsg([b"%12d" % len(call)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
sent, status = 0, b""
try:
    while sent < len(call):
        sent += server.send(call[sent:])
    status = server.recv(1)
except ConnectionError:  # the child has ended before it read all
    pass
if not status:
    sys.stderr.write("{tool} ended without a status\\n")
os._exit(status[0] if status else 134)
"""

_HEADER_BYTES = 12


def can_serve() -> bool:
    """Tell whether processes can be forked and hand their streams on here."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds")


class Clients(NamedTuple):
    """The folder that has a client for each tool, and the process that answers them."""

    folder: Path
    server: int


def start(tools: Sequence[str], package: str, first: Sequence[str] = ()) -> Clients:
    """Start a server for some tools; it ends with this process, and its folder goes.

    It loads the modules of ``package``, and makes the call ``first``, a tool and its arguments:
    what a call leaves in caches, all later ones find there.
    """
    folder = Path(tempfile.mkdtemp(prefix="autodeploy-tools-"))
    address = folder / "socket"
    for tool in tools:
        client = folder / tool
        client.write_text(
            _CLIENT.format(python=sys.executable, address=str(address), tool=tool),
            encoding="utf-8",
        )
        client.chmod(0o755)
    # The server ends when nobody can write to it any more: when this process has ended, however.
    reading, _ = os.pipe()
    server = subprocess.Popen(
        [sys.executable, __file__, str(address), package, ",".join(tools), *first],
        stdin=reading,
        stdout=subprocess.PIPE,
    )
    os.close(reading)
    assert server.stdout is not None
    server.stdout.readline()  # it listens
    return Clients(folder, server.pid)


def _serve(address: str, package: str, tools: Sequence[str], first: Sequence[str]) -> None:
    """Answer calls until the process that wants them ends."""
    mains = {
        entry.name: entry.load()
        for entry in metadata.entry_points(group="console_scripts")
        if entry.name in tools
    }
    _load(package)
    # To list what all packages offer takes a fifth of a call, and nothing is installed meanwhile.
    metadata.entry_points = cache(metadata.entry_points)
    metadata.entry_points(group="xdsl.universe")
    if first:
        sys.argv = [*first]
        with contextlib.redirect_stdout(io.StringIO()):
            assert not mains[first[0]](), f"{first} fails"
    gc.freeze()  # a child that looks for garbage leaves these objects, and their pages, alone
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the process that wants it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a child but its client
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(address)
        listener.listen(64)
        os.write(1, b"\n")
        while 0 not in select.select([listener, 0], [], [])[0]:
            connection, _ = listener.accept()
            with connection:
                if os.fork() == 0:
                    try:
                        _answer(connection, mains)
                    finally:  # a child that fails here has not said how it ended
                        os._exit(1)
    finally:
        shutil.rmtree(Path(address).parent)


def _load(package: str) -> None:
    """Import the modules of a package; those that need what is not installed are left out."""
    for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
        with contextlib.suppress(ImportError):
            if not module.name.endswith("__main__"):
                import_module(module.name)


def _answer(connection: socket.socket, mains: dict[str, Callable[[], object]]) -> None:
    """Be the process that a client asks for: run the tool and send its status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    header, streams, _, _ = socket.recv_fds(connection, _HEADER_BYTES, 3)
    call = b""
    while len(call) < int(header):
        call += connection.recv(int(header) - len(call))
    tool, arguments, folder, environment = marshal.loads(call)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    _open_streams()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = arguments
    status = _status_of(mains[tool])
    sys.stdout.flush()
    sys.stderr.flush()
    connection.send(bytes([status]))


def _open_streams() -> None:
    """Open the standard streams again.

    Python has stored whether the server's are seekable; those of the client may not be.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old, mode = getattr(sys, name), "w" if number else "r"
        stream = open(number, mode, encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115
        stream.reconfigure(line_buffering=name == "stderr" or stream.isatty())
        setattr(sys, name, stream)


def _status_of(main: Callable[[], object]) -> int:
    """Return the status with which Python would end behind ``sys.exit(main())``."""
    try:
        try:
            sys.exit(main())
        finally:
            atexit._run_exitfuncs()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    return 1


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2], sys.argv[3].split(","), sys.argv[4:])
