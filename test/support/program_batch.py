"""Many programs in one library: compiling C and linking take longer than compiling a kernel.

The C names of the programs of a library all differ, since the names of their graphs do. A program
that cannot be compiled keeps its error to itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TypeAlias
from unittest import mock

import numpy as np
import numpy.typing as npt
from compiled_header import offer_header
from page_program import MACHINE, BuiltPage

import autodeploy
from autodeploy.codegen.bundle.build_files import DEVICE_SOURCES, LIBRARY_SOURCES, POOL_SOURCES
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import ToolchainError
from autodeploy.dialects.registry import new_context
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler, run
from autodeploy.toolchain.session import Session

LIBRARY = Path(autodeploy.__file__).parent / "runtime" / "library"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0", "-fPIC")
C_KERNELS = (*STRICT, "-O1", "-fwrapv")
CXX = ("-std=c++17", "-fwrapv", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-fPIC")


@dataclass(frozen=True)
class Program:
    """A model to compile; ``name`` is that of its graph."""

    name: str
    model: bytes
    options: CompileOptions


@dataclass(frozen=True)
class BuiltProgram:
    """The bundle of a program, and the library of its batch; the bundle's own is never built."""

    bundle: Path
    library: Path

    @property
    def manifest(self) -> Manifest:
        return Manifest.load(self.bundle)

    def session(self, threads: int = 1) -> Session:
        manifest = self.manifest
        return Session(manifest, self.library, manifest.weights_path(self.bundle), threads)


Built: TypeAlias = BuiltProgram | BuiltPage


def build_programs(
    programs: Sequence[Program],
    folder: Path,
    report: Callable[[str], None] = lambda name: None,
) -> Mapping[str, Built | Exception]:
    """Compile programs into a library in ``folder``; returns each by name, or its error.

    Pages need no library. ``report`` is called with the name of each program before it is compiled.
    """
    results: dict[str, Built | Exception] = {}
    objects: list[str] = []
    library = folder / "programs.so"
    for program in programs:
        report(program.name)
        bundle = folder / program.name
        try:
            # In one context the fusion patterns are read once.
            with mock.patch("autodeploy.compiler.new_context", _context):
                compile_model(program.model, bundle, program.options)
            if program.options.machine == MACHINE:
                results[program.name] = BuiltPage(bundle, program.model)
                continue
            objects += _objects(bundle)
            results[program.name] = BuiltProgram(bundle, library)
        except Exception as error:  # it belongs to the user of this program
            results[program.name] = error
    if objects:
        try:
            link(library, [*objects, *_runtime(folder)])
        except ToolchainError as error:
            return dict.fromkeys(results, error)
    return results


def run_once(
    model: bytes, inputs: Mapping[str, npt.ArrayLike], options: CompileOptions
) -> dict[str, npt.NDArray[np.generic]]:
    """Compile a model and run it once; raises what compiling and running raise."""
    with tempfile.TemporaryDirectory(prefix="autodeploy-once-") as folder:
        (program,) = build_programs([Program("once", model, options)], Path(folder)).values()
        if isinstance(program, Exception):
            raise program
        with program.session() as session:
            return session.run(inputs)


def link(library: Path, objects: Sequence[str]) -> None:
    """Link objects to a shared library whose functions call each other and no other library's."""
    linker = find_cxx_compiler() if any("-cxx.o" in name for name in objects) else find_c_compiler()
    flags = ("-shared", "-Wl,-Bsymbolic", "-pthread")
    run([*linker, *flags, *objects, "-lm", "-ldl", "-o", str(library)])


def _objects(bundle: Path) -> list[str]:
    """Compile the generated C, which no warning may come from, and kernels that are C++."""
    manifest = Manifest.load(bundle)
    driver = bundle / "driver.o"
    run([*find_c_compiler(), *STRICT, "-c", f"{manifest.prefix}.c", "-o", driver.name], bundle)
    objects = [str(driver), *map(str, (bundle / "kernels").glob("*.o"))]
    for source in bundle.glob(f"{manifest.prefix}_kernels.c"):  # the text for a device
        run([*find_c_compiler(), *STRICT, "-c", source.name, "-o", "device.o"], bundle)
        objects.append(str(bundle / "device.o"))
    sources = sorted((bundle / "kernels").glob("*.c*"))
    if sources:  # in one file, they read their header once
        is_cxx = sources[0].suffix == ".cpp"
        kernels = bundle / f"kernels-{'cxx' if is_cxx else 'c'}{sources[0].suffix}"
        kernels.write_text("".join(f'#include "kernels/{source.name}"\n' for source in sources))
        target = kernels.with_suffix(".o")
        if is_cxx:
            offer_header(bundle / "kernels", CXX, 1)
        command = [*find_cxx_compiler(), *CXX] if is_cxx else [*find_c_compiler(), *C_KERNELS]
        run([*command, "-c", kernels.name, "-o", target.name], bundle)
        objects.append(str(target))
    return objects


def _runtime(folder: Path) -> list[str]:
    """Return the compiled sources that the programs in a folder share."""
    sources: dict[str, Path] = {}
    for path in folder.glob("*/manifest.json"):
        for name in Manifest.load(path.parent).files:
            if name in (*LIBRARY_SOURCES, *POOL_SOURCES, *chain(*DEVICE_SOURCES.values())) or (
                name.endswith(".c") and (LIBRARY / name).is_file()
            ):
                sources[name] = path.parent / name
    return [_runtime_object(name, sources[name]) for name in sorted(sources)]


_compiled: dict[str, str] = {}


def _runtime_object(name: str, source: Path) -> str:
    """Compile a source that is the same in all bundles, once in this process."""
    if name not in _compiled:
        target = _folder() / Path(name).with_suffix(".o")
        run([*find_c_compiler(), *STRICT, "-c", str(source), "-o", str(target)])
        _compiled[name] = str(target)
    return _compiled[name]


_context = cache(new_context)


@cache
def _folder() -> Path:
    _kept.append(tempfile.TemporaryDirectory(prefix="autodeploy-runtime-"))
    return Path(_kept[0].name)


_kept: list[tempfile.TemporaryDirectory[str]] = []
"""The folder of this process goes when the process ends."""
