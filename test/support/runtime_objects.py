"""Objects of the runtime, which is the same in all bundles, compiled once for all tests.

Make compiles no source whose object is there and newer, so what an earlier bundle's make has made
of the same files is put there first. An object is kept by the digest of all that it depends on: the
source, the headers, the compiler with its version, the flags.

``load_bundle`` has make build the library of a bundle. What is left, the driver, is compiled
without optimisation where nothing else is asked for: that takes a third of the time, and does not
change what a driver of hundreds of lines computes. Kernels that are C are left at the Makefile's
own flags. What make does by itself is run by other tests.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from compiled_header import offer_header_to_make

from autodeploy.diagnostics import ToolchainError
from autodeploy.toolchain import session
from autodeploy.toolchain.compiler import find_c_compiler, run

_make = session.run_make

_OWN = ("autodeploy_", "halide_")
"""How the names of the runtime's files start; no file of a model's own may start so."""

_folders: list[Path] = []
"""The folder that objects are kept in, if any."""


def share_objects(kept: Path) -> None:
    """Let ``load_bundle`` and ``make_bundle`` find objects in a folder, and put them there."""

    def make(
        folder: Path, targets: Sequence[str] = (), variables: Mapping[str, str] | None = None
    ) -> None:
        make_bundle(folder, targets, _plain_flags(folder, variables or {}))

    _folders[:] = [kept]
    session.run_make = make


def make_bundle(
    folder: Path, targets: Sequence[str] = (), variables: Mapping[str, str] | None = None
) -> None:
    """Run make in a bundle's folder; it compiles no runtime that it has compiled for another one.

    With the target ``sanitize`` that is the runtime that sanitizers watch.
    """
    variables = variables or {}
    objects = folder / "build" / ("sanitize" if "sanitize" in targets else "objects")
    known = dict[str, Path]()
    offer_header_to_make(folder, variables)
    with contextlib.suppress(ToolchainError):  # which belongs to make
        for kept in _folders:
            known |= _objects_of(folder, objects.name, variables, kept)
    for name, kept in known.items():
        if kept.is_file() and not (objects / name).exists():
            objects.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, objects / name)
    _make(folder, targets, variables)
    for name, kept in known.items():
        if not kept.exists() and (objects / name).is_file():
            _put(objects / name, kept)


def _plain_flags(folder: Path, variables: Mapping[str, str]) -> Mapping[str, str]:
    """Return variables of make that also leave optimising out where nobody says how to do it."""
    if "CFLAGS" in os.environ or any((folder / "kernels").glob("*.c")):
        return variables
    return {"CFLAGS": "-O0", **variables}


def _objects_of(
    folder: Path, kind: str, variables: Mapping[str, str], kept: Path
) -> dict[str, Path]:
    """Return where the object of a kind of each source of the runtime is kept, by its name."""
    own = sorted(path for path in folder.iterdir() if path.name.startswith(_OWN))
    lines = (folder / "Makefile").read_text().splitlines()
    flags = [line for line in lines if "FLAGS" in line or "CHECKS" in line]
    said = [*_compiler(tuple(find_c_compiler())), kind, *flags]
    said += [os.environ.get(name, "") for name in ("CFLAGS", "CPPFLAGS", "CPATH")]
    said += [f"{name}={variables[name]}" for name in sorted(variables)]
    shared = hashlib.sha256("\n".join(said).encode())
    for path in own:
        if path.suffix == ".h":
            shared.update(path.name.encode() + path.read_bytes())
    found: dict[str, Path] = {}
    for path in own:
        if path.suffix == ".c":
            key = shared.copy()
            key.update(path.name.encode() + path.read_bytes())
            found[f"{path.stem}.o"] = kept / f"{key.hexdigest()}.o"
    return found


@cache
def _compiler(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return a compiler's command and what it says of its version."""
    return (*command, run([*command, "--version"]))


def _put(source: Path, target: Path) -> None:
    """Copy a file to a place where other processes look for it: it is whole or not there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(source.read_bytes())
    Path(file.name).replace(target)
