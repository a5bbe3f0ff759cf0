"""The cache of compiled kernels: a folder of the user that all compilations share.

An entry is a file named by the digest of everything that the code depends on, so it never goes out
of date; the version of Halide and the sources of the emitter are among that. A file is written
next to its place and moved there, so any number of processes may use one folder. A damaged file is
written again, and where the folder cannot be used there is no cache. When the files together exceed
the limit, those that were used longest ago go. The more files there are, the longer it takes to
count them. They are therefore counted once in about a sixteenth of the limit that is written.

An entry does not name its author, and its code becomes a part of programs. A folder that
others may write to, or that another user owns, is therefore not used.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from autodeploy.codegen.bundle.private_folder import (
    private_folder,
    read_file,
    why_not_private,
    write_file,
)
from autodeploy.codegen.halide.kernel_code import KernelCode, KernelRequest
from autodeploy.diagnostics import CacheWarning

VARIABLE = "AUTODEPLOY_CACHE"
"""The environment variable that names the folder of the cache."""

DEFAULT_LIMIT = 64 << 20
"""Bytes of all entries: some ten thousand kernels."""

_KERNELS = "kernels"

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


@dataclass(frozen=True)
class KernelCache:
    """The kernels in ``folder``, about ``limit`` bytes of files at most."""

    folder: Path
    limit: int = DEFAULT_LIMIT

    def get(self, request: KernelRequest) -> KernelCode | None:
        """Return the code that is kept for a request, if there is any and it is whole."""
        part, name = _place(request)
        with suppress(OSError), private_folder(self.folder, (_KERNELS, part), make=False) as folder:
            data = read_file(name, folder, self.limit)
            try:
                code = KernelCode.from_bytes(data)
            except Exception:  # what a forged entry leads to is not to be foreseen
                os.unlink(name, dir_fd=folder)
                return None
            return code
        return None

    def put(self, request: KernelRequest, code: KernelCode) -> None:
        """Keep the code of a request; does nothing where the folder cannot be written.

        Other files may go. Whether they are counted is decided by the digest, which is as good as
        drawing a number: the larger the file, the more digests do.
        """
        part, name = _place(request)
        content = code.to_bytes()
        with suppress(OSError), private_folder(self.folder, (_KERNELS, part), make=True) as folder:
            write_file(name, folder, content)
            if int(name, 16) * self.limit < len(content) * _COUNTS << 4 * len(name):
                self.trim()

    def trim(self) -> None:
        """Remove the files that were used longest ago until the others keep to the limit."""
        with suppress(OSError), private_folder(self.folder, (_KERNELS,), make=False) as folder:
            found = sorted(_files(folder), key=lambda file: (-file[0], file[2]))
            total = 0
            for _, size, path in found:
                total += size
                if total > self.limit:
                    with suppress(OSError):
                        os.unlink(path, dir_fd=folder)


def user_cache() -> KernelCache | None:
    """Return the user's cache; ``None``, with a ``CacheWarning``, where others may change it."""
    folder = default_folder()
    for path in (folder, folder / _KERNELS):
        reason = why_not_private(path)
        if reason is not None:
            warnings.warn(
                f"kernels are not taken from '{path}', nor kept there: {reason}",
                CacheWarning,
                stacklevel=2,
            )
            return None
    return KernelCache(folder)


def _files(folder: int) -> Iterator[tuple[int, int, str]]:
    """Yield when each file below was last used, its bytes and its path; others may remove some."""
    for root, _, names, descriptor in os.fwalk(".", dir_fd=folder):
        for name in names:
            with suppress(OSError):
                status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    yield status.st_mtime_ns, status.st_size, f"{root}/{name}"


def _place(request: KernelRequest) -> tuple[str, str]:
    """Return the folder and the name of a request's entry."""
    key = request_key(request)
    return key[:2], key[2:]


def request_key(request: KernelRequest) -> str:
    """Return the digest, in hexadecimal, of all that the code of a kernel depends on."""
    content = [*_versions(), asdict(request)]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


@cache
def _versions() -> tuple[str, str]:
    """Return the version of Halide, and a digest of the sources of the emitter."""
    package = files("autodeploy")
    sources = [
        *package.joinpath("codegen", "halide").iterdir(),
        package.joinpath("codegen", "c", "names.py"),
        *package.joinpath("dialects", "halide").iterdir(),
        *(
            package.joinpath("lowering", "nn_to_halide", f"{module}.py")
            for module in (
                "expand_for_c",
                "expand_for_device",
                "expand_for_rvv",
                "expression",
                "rewriting",
            )
        ),
    ]
    digest = hashlib.sha256()
    for file in sorted(filter(_is_source, sources), key=lambda file: file.name):
        digest.update(f"{file.name}\n".encode())
        digest.update(file.read_bytes())
    return version("halide"), digest.hexdigest()


def _is_source(file: Traversable) -> bool:
    return file.name.endswith(".py")
