"""The cache of compiled kernels: a folder of the user that all compilations share.

An entry is a file named by the digest of everything that the code depends on, so it never goes out
of date; the version of Halide and the sources of the emitter are among that. A file is written
beside its place and moved there, so any number of processes may use one folder. What is damaged is
made anew, and where the folder cannot be used there is no cache. When the files together exceed the
limit, those that were used longest ago go.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from autodeploy.codegen.kernel_code import KernelCode, KernelRequest

VARIABLE = "AUTODEPLOY_CACHE"
"""The environment variable that names the folder of the cache."""

DEFAULT_LIMIT = 64 << 20
"""Bytes of all entries: some ten thousand kernels."""

_EMITTER = ("halide_", "kernel_code", "names")
"""What the names of the modules of ``codegen`` begin with that make the code of a kernel."""


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
    """The kernels in ``folder``, at most ``limit`` bytes of files."""

    folder: Path
    limit: int = DEFAULT_LIMIT

    def get(self, request: KernelRequest) -> KernelCode | None:
        """Return the code that is kept for a request, if there is any and it is whole."""
        path = self._path(request)
        try:
            code = KernelCode.from_bytes(path.read_bytes())
        except OSError:
            return None
        except (ValueError, KeyError, TypeError):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return code

    def put(self, request: KernelRequest, code: KernelCode) -> None:
        """Keep the code of a request; does nothing where the folder cannot be written."""
        path = self._path(request)
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, partial = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(code.to_bytes())
                Path(partial).replace(path)
            except BaseException:
                Path(partial).unlink(missing_ok=True)
                raise

    def trim(self) -> None:
        """Remove the files that were used longest ago until the others keep to the limit."""
        found = sorted(self._files(), key=lambda file: (-file[0], file[2]))
        total = 0
        for _, size, path in found:
            total += size
            if total > self.limit:
                with contextlib.suppress(OSError):
                    path.unlink()

    def _files(self) -> Iterator[tuple[int, int, Path]]:
        """Yield when each file was last used, its bytes and its path; others may remove some."""
        for path in self._kernels.glob("*/*"):
            with contextlib.suppress(OSError):
                status = path.stat()
                yield status.st_mtime_ns, status.st_size, path

    @property
    def _kernels(self) -> Path:
        return self.folder / "kernels"

    def _path(self, request: KernelRequest) -> Path:
        key = request_key(request)
        return self._kernels / key[:2] / key[2:]


def request_key(request: KernelRequest) -> str:
    """Return the digest, in hexadecimal, of all that the code of a kernel depends on."""
    content = [*_versions(), asdict(request)]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


@cache
def _versions() -> tuple[str, str]:
    """Return the version of Halide, and a digest of the sources of the emitter."""
    package = files("autodeploy")
    sources = [
        *(file for file in package.joinpath("codegen").iterdir() if file.name.startswith(_EMITTER)),
        *package.joinpath("dialects", "halide").iterdir(),
    ]
    digest = hashlib.sha256()
    for file in sorted(filter(_is_source, sources), key=lambda file: file.name):
        digest.update(f"{file.name}\n".encode())
        digest.update(file.read_bytes())
    return version("halide"), digest.hexdigest()


def _is_source(file: Traversable) -> bool:
    return file.name.endswith(".py")
