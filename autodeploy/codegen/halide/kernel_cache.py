"""The cache of compiled kernels, which all compilations of a user share.

The digest of an entry covers the request, the version of Halide and the sources of the emitter.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from autodeploy.cache.entries import Entries, default_folder, digest_of_files
from autodeploy.cache.private_folder import why_not_private
from autodeploy.codegen.halide.kernel_code import KernelCode, KernelRequest
from autodeploy.diagnostics import CacheWarning

DEFAULT_LIMIT = 64 << 20
"""Bytes of all entries: some ten thousand kernels."""

_KERNELS = "kernels"


@dataclass(frozen=True)
class KernelCache:
    """The kernels in ``folder``, about ``limit`` bytes of files at most."""

    folder: Path
    limit: int = DEFAULT_LIMIT

    def get(self, request: KernelRequest) -> KernelCode | None:
        """Return the code that is kept for a request, if there is any and it is whole."""
        key = request_key(request)
        content = self._entries.get(key)
        if content is None:
            return None
        try:
            return KernelCode.from_bytes(content)
        except Exception:  # what a forged entry leads to is not to be foreseen
            self._entries.remove(key)
            return None

    def put(self, request: KernelRequest, code: KernelCode) -> None:
        """Keep the code of a request; does nothing where the folder cannot be written."""
        self._entries.put(request_key(request), code.to_bytes())

    def trim(self) -> None:
        """Remove the files that were used longest ago until the others keep to the limit."""
        self._entries.trim()

    @property
    def _entries(self) -> Entries:
        return Entries(self.folder, _KERNELS, self.limit)


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


def request_key(request: KernelRequest) -> str:
    """Return the digest, in hexadecimal, of all that the code of a kernel depends on."""
    content = [*_versions(), asdict(request)]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


@cache
def _versions() -> tuple[str, str]:
    """Return the version of Halide, and a digest of the sources of the emitter."""
    package = Path(__file__).parents[2]
    lowering = package / "lowering" / "nn_to_halide"
    sources = [
        *(package / "codegen" / "halide").glob("*.py"),
        package / "codegen" / "c" / "names.py",
        *(package / "dialects" / "halide").glob("*.py"),
        *lowering.glob("expand_for_*.py"),
        lowering / "expression.py",
    ]
    return version("halide"), digest_of_files(sources)
