"""The header of kernels in C++, read by the compiler once instead of with each kernel.

gcc takes ten times as long for the header of intrinsics as for a small kernel behind it. It takes
what it has made of a header from ``<header>.gch`` beside it, where that was made with the same
options, and else reads the header; other compilers always read it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from autodeploy.codegen.halide.kernel_code import HEADERS
from autodeploy.diagnostics import ToolchainError
from autodeploy.toolchain.compiler import find_cxx_compiler, run

_HEADER = HEADERS["c++"]

WORTH = 4
"""The fewest kernels for which compiling the header once saves time."""

_asked = Counter[tuple[str, ...]]()


def offer_header(kernels: Path, flags: Sequence[str], times: int) -> None:
    """Put what the compiler makes of the header beside it, where the kernels in a folder have it.

    ``flags`` are those that kernels are compiled with, ``times`` how often the header will be read.
    """
    header, target = kernels / _HEADER, kernels / f"{_HEADER}.gch"
    if not header.is_file() or target.exists():
        return
    with contextlib.suppress(ToolchainError):  # which belongs to who compiles the kernels
        command = (*find_cxx_compiler(), *flags)
        _asked[command] += times
        if _asked[command] >= WORTH:
            target.symlink_to(_compiled(header.read_bytes(), command))


def offer_header_to_make(bundle: Path, variables: Mapping[str, str]) -> None:
    """Do so for the kernels of a bundle that make will compile, with some variables."""
    defined = dict(_DEFINED.findall((bundle / "Makefile").read_text()))
    said = {**defined, **os.environ, **variables}
    names = ("CXX_FLAGS", "MACHINE_FLAGS", "CPPFLAGS", "CXXFLAGS")
    flags = [word for name in names for word in said.get(name, "").split()]
    offer_header(bundle / "kernels", flags, len(list(bundle.glob("kernels/*.cpp"))))


_DEFINED = re.compile(r"^(\w+) \??= (.*)$", re.MULTILINE)


@cache
def _compiled(header: bytes, command: Sequence[str]) -> Path:
    """Return what a compiler makes of a header, once in this process."""
    folder = _folder() / hashlib.sha256(header + "\n".join(command).encode()).hexdigest()
    folder.mkdir()
    (folder / _HEADER).write_bytes(header)
    made = folder / f"{_HEADER}.gch"
    run([*command, "-w", "-x", "c++-header", _HEADER, "-o", made.name], folder)
    return made


@cache
def _folder() -> Path:
    _kept.append(tempfile.TemporaryDirectory(prefix="autodeploy-header-"))
    return Path(_kept[0].name)


_kept: list[tempfile.TemporaryDirectory[str]] = []
"""The folder of this process goes when the process ends."""
