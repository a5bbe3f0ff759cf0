"""The file of records: JSON lines, to which any number of processes may append.

A record is one write at the end of the file, under a lock. A process may be killed at any byte: the
next one that appends begins a new line, and readers skip the line that is damaged.
"""

from __future__ import annotations

import fcntl
import os
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from autodeploy.cache.entries import default_folder
from autodeploy.diagnostics import RecordsWarning, UserError, io_errors
from autodeploy.records.record import Record

MAX_BYTES = 1 << 30
"""Bytes of a file that is read: some million records."""

USER_RECORDS = "user"
"""The name for the file of records in the user's cache."""


def records_path(records: str | Path) -> Path:
    """Return the file of records that is meant."""
    return default_folder() / "records.jsonl" if records == USER_RECORDS else Path(records)


def append_records(path: Path, records: Iterable[Record]) -> None:
    """Append records; a file that is not there is made.

    Raises ``UserError`` if the file cannot be written. Then none of them is in it.
    """
    data = _lines(records)
    with io_errors(f"cannot write '{path}'"), _locked(path) as descriptor:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        _append(descriptor, data, size)


def remove_if_empty(path: Path) -> None:
    """Remove a file that has no byte; what cannot be removed stays."""
    with suppress(OSError), _locked(path) as descriptor:
        if not os.fstat(descriptor).st_size:
            path.unlink()  # others that wait for the lock make a new one


def rewrite_records(path: Path, keep: Callable[[list[Record]], Iterable[Record]]) -> int:
    """Replace the records of a file by those that ``keep`` returns, and return how many go.

    Records that other processes append meanwhile stay. Raises ``UserError``; the file is then as it
    was."""
    partial = path.with_name(f".{token_hex(8)}.partial")
    with io_errors(f"cannot write '{path}'"), _locked(path):
        found = read_records(path)
        kept = list(keep(found))
        try:
            partial.write_bytes(_lines(kept))
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    return len(found) - len(kept)


def _lines(records: Iterable[Record]) -> bytes:
    return "".join(f"{record.to_line()}\n" for record in records).encode()


@contextmanager
def _locked(path: Path) -> Generator[int]:
    """Open a file to append to it, and hold its lock."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            # Another process may have put a new file there while this one waited.
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                yield descriptor
                return
        finally:
            os.close(descriptor)  # and with it goes the lock


def _append(descriptor: int, data: bytes, size: int) -> None:
    """Write all of the data, or nothing where that fails."""
    try:
        written = 0
        while written < len(data):  # more than one write only where the disk is nearly full
            written += os.write(descriptor, data[written:])
    except OSError:
        os.ftruncate(descriptor, size)
        raise


def read_records(path: Path, *, missing_ok: bool = False) -> list[Record]:
    """Return the records of a file, in order.

    Lines that are no records are skipped, with one ``RecordsWarning`` for all. Raises ``UserError``
    if the file cannot be read; with ``missing_ok`` one that is not there is empty.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        if missing_ok:
            return []
        raise UserError(f"cannot read records '{path}': {error.strerror}") from None
    except OSError as error:
        raise UserError(f"cannot read records '{path}': {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise UserError(f"records '{path}' have more than {MAX_BYTES} bytes")
    found: list[Record] = []
    damaged: list[tuple[int, str]] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                found.append(Record.from_line(line.decode()))
            except ValueError as error:
                reason = "not text" if isinstance(error, UnicodeDecodeError) else str(error)
                damaged.append((number, reason))
    if damaged:
        count, (number, reason) = len(damaged), damaged[0]
        lines = f"line {number} is" if count == 1 else f"{count} lines are no records, {number} is"
        warnings.warn(f"records '{path}': {lines} {reason}; skipped", RecordsWarning, stacklevel=2)
    return found
