"""Objects of the runtime, which is the same in all bundles, compiled once for all tests.

``load_bundle`` has make build the library of a bundle. Make compiles no source whose object is
there and newer, so what an earlier bundle's make has made of the same files is put there first.

What is left, the driver, is compiled without optimisation where nothing else is asked for: that
takes a third of the time, and does not change what a driver of hundreds of lines computes. Kernels
that are C are left at the Makefile's own flags. What make does by itself is run by other tests.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from compiled_header import offer_header_to_make

from autodeploy.diagnostics import ToolchainError
from autodeploy.toolchain import session
from autodeploy.toolchain.compiler import find_c_compiler

_make = session.run_make

_OWN = ("autodeploy_", "halide_")
"""How the names of the runtime's files start; no file of a model's own may start so."""


def share_objects(cache: Path) -> None:
    """Let ``load_bundle`` find the objects of the runtime in ``cache``, and put them there."""

    def make(
        folder: Path, targets: Sequence[str] = (), variables: Mapping[str, str] | None = None
    ) -> None:
        objects, known = folder / "build" / "objects", dict[str, Path]()
        variables = _plain_flags(folder, variables or {})
        offer_header_to_make(folder, variables)
        with contextlib.suppress(ToolchainError):  # which belongs to make
            known = _objects_of(folder, cache, variables)
        for name, kept in known.items():
            if kept.is_file() and not (objects / name).exists():
                objects.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(kept, objects / name)
        _make(folder, targets, variables)
        for name, kept in known.items():
            if not kept.exists() and (objects / name).is_file():
                _put(objects / name, kept)

    session.run_make = make


def _plain_flags(folder: Path, variables: Mapping[str, str]) -> Mapping[str, str]:
    """Return variables of make that also leave optimising out where nobody says how to do it."""
    if "CFLAGS" in os.environ or any((folder / "kernels").glob("*.c")):
        return variables
    return {"CFLAGS": "-O0", **variables}


def _objects_of(folder: Path, cache: Path, variables: Mapping[str, str]) -> dict[str, Path]:
    """Return where the object of each source of the runtime is kept, by its name."""
    own = sorted(path for path in folder.iterdir() if path.name.startswith(_OWN))
    flags = [line for line in (folder / "Makefile").read_text().splitlines() if "FLAGS" in line]
    said = [*find_c_compiler(), *flags, *(os.environ.get(f, "") for f in ("CFLAGS", "CPPFLAGS"))]
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
            found[f"{path.stem}.o"] = cache / f"{key.hexdigest()}.o"
    return found


def _put(source: Path, target: Path) -> None:
    """Copy a file to a place where other processes look for it: it is whole or not there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(source.read_bytes())
    Path(file.name).replace(target)
