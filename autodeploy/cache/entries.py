"""Entries in the user's cache: files named by the digest of everything that they depend on.

No entry goes out of date. A file is written next to its place and moved there, and any number of
processes may use one folder. It begins with the digest of its content; a damaged one is removed.
There is no cache if the folder cannot be used. When the files together exceed the limit, those
that were used longest ago go. The more files there are, the longer it takes to count them. They
are therefore counted once in about a sixteenth of the limit that is written.

An entry does not name its author, and its content becomes a part of programs. A folder that others
may write to, or that another user owns, is therefore not used.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from autodeploy.cache.private_folder import private_folder, read_file, write_file

VARIABLE = "AUTODEPLOY_CACHE"
"""The environment variable that names the folder of the cache."""

_COUNTS = 16
"""How often files are counted while as many bytes as the limit are written."""


def default_folder() -> Path:
    """Return ``$AUTODEPLOY_CACHE``, or ``autodeploy`` among the user's caches."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The standard has relative paths ignored.
    if not caches.is_absolute():
        try:
            caches = Path.home() / ".cache"
        except RuntimeError:  # the user has no home: this is no folder, hence no cache
            caches = Path(os.devnull)
    return caches / "autodeploy"


def digest_of_files(files: Iterable[Path]) -> str:
    """Return the digest, in hexadecimal, of the names and contents of files."""
    digest = hashlib.sha256()
    for file in sorted(files):
        content = file.read_bytes()
        digest.update(f"{file.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


@dataclass(frozen=True)
class Entries:
    """The entries of one ``kind``, about ``limit`` bytes of files at most.

    ``kind`` is the name of a folder in ``folder``. A key is a digest in hexadecimal.
    """

    folder: Path
    kind: str
    limit: int

    def get(self, key: str) -> bytes | None:
        """Return the content of an entry, if there is one and it is whole."""
        with suppress(OSError), private_folder(self.folder, self._parts(key), make=False) as folder:
            data = read_file(key[2:], folder, self.limit)
            content = data[hashlib.sha256().digest_size :]
            if data == _sealed(content):
                return content
            os.unlink(key[2:], dir_fd=folder)
        return None

    def remove(self, key: str) -> None:
        """Remove an entry whose content is of no use."""
        with suppress(OSError), private_folder(self.folder, self._parts(key), make=False) as folder:
            os.unlink(key[2:], dir_fd=folder)

    def put(self, key: str, content: bytes) -> None:
        """Keep the content of an entry; does nothing where the folder cannot be written.

        Other files may go. Whether they are counted is decided by the key, which is as good as
        drawing a number: the larger the file, the more keys do.
        """
        name, data = key[2:], _sealed(content)
        with suppress(OSError), private_folder(self.folder, self._parts(key), make=True) as folder:
            write_file(name, folder, data)
            if int(name, 16) * self.limit < len(data) * _COUNTS << 4 * len(name):
                self.trim()

    def trim(self) -> None:
        """Remove the files that were used longest ago until the others keep to the limit."""
        with suppress(OSError), private_folder(self.folder, (self.kind,), make=False) as folder:
            found = sorted(_files(folder), key=lambda file: (-file[0], file[2]))
            total = 0
            for _, size, path in found:
                total += size
                if total > self.limit:
                    with suppress(OSError):
                        os.unlink(path, dir_fd=folder)

    def _parts(self, key: str) -> tuple[str, str]:
        return self.kind, key[:2]


def _sealed(content: bytes) -> bytes:
    return hashlib.sha256(content).digest() + content


def _files(folder: int) -> Iterator[tuple[int, int, str]]:
    """Yield when each file below was last used, its bytes and its path; others may remove some."""
    for root, _, names, descriptor in os.fwalk(".", dir_fd=folder):
        for name in names:
            with suppress(OSError):
                status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    yield status.st_mtime_ns, status.st_size, f"{root}/{name}"
