"""Folders that only their owner can write, and files in them, opened so that nobody else decides.

Everything goes through descriptors of folders: what was checked is what is used, whatever happens
to its path meanwhile. No link is followed, and nothing is opened that one would have to wait for.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

_OPEN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FOLDER = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_DIRECTORY", 0)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def why_not_private(folder: Path) -> str | None:
    """Return why a folder is not the user's alone, ``None`` if it is or if there is none."""
    try:
        return _why_not_private(folder.stat())
    except OSError:
        return None


def _why_not_private(status: os.stat_result) -> str | None:
    if not hasattr(os, "geteuid"):
        return "this system does not say who owns it"
    if status.st_uid != os.geteuid():
        return "it belongs to another user"
    return "others may write to it" if status.st_mode & _OTHERS_WRITE else None


@contextmanager
def private_folder(folder: Path, parts: tuple[str, ...], *, make: bool) -> Generator[int]:
    """Open the folder ``parts`` below ``folder`` and yield its descriptor.

    With ``make`` those that are missing are made, for the user alone. Raises ``OSError`` if one
    is no folder, a link, or not private; ``folder`` itself may be reached by links.
    """
    if make:
        _make(folder)
    descriptor = os.open(folder, os.O_RDONLY | _FOLDER)
    try:
        _check(descriptor, folder)
        for part in parts:
            if make and not _exists(part, descriptor):
                _make_in(part, descriptor)
            below = os.open(part, os.O_RDONLY | _FOLDER | _OPEN, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
            _check(descriptor, folder)
        yield descriptor
    finally:
        os.close(descriptor)


def _make(folder: Path) -> None:
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(mode=0o700, exist_ok=True)


def _exists(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _make_in(name: str, folder: int) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=folder)
    except FileExistsError:  # another process has made it meanwhile
        return


def _check(descriptor: int, folder: Path) -> None:
    reason = _why_not_private(os.fstat(descriptor))
    if reason is not None:
        raise PermissionError(f"'{folder}' is not used: {reason}")


def read_file(name: str, folder: int, most: int) -> bytes:
    """Return the content of a file of the user in an open folder, and note that it was used.

    Raises ``OSError`` for anything else that has the name, and for more than ``most`` bytes.
    """
    descriptor = os.open(name, os.O_RDONLY | _OPEN, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or _why_not_private(status) is not None:
            raise PermissionError(f"'{name}' is no file of the user")
        if status.st_size > most:
            raise OSError(f"'{name}' has {status.st_size} bytes")
        with suppress(OSError):
            os.utime(descriptor)
        return file.read(most)


def write_file(name: str, folder: int, content: bytes) -> None:
    """Write a file into an open folder, whole or not at all; one of the name is replaced."""
    partial = f".{name}.{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN
    descriptor = os.open(partial, flags, 0o600, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.replace(partial, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(partial, dir_fd=folder)
        raise
