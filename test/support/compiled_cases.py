"""Cases as sessions of the C programs that they are compiled to, many to a library.

Compiling C and linking take longer than compiling a kernel of this size, so the programs of a batch
of cases, whose C names all differ, go into one library that is made when the first case of the
batch is asked for. A case that cannot be compiled keeps its error to itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from _pytest.mark import ParameterSet
from onnx_case import OnnxCase
from onnx_cases import CASES

from autodeploy.codegen.build_files import LIBRARY_SOURCES
from autodeploy.codegen.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import ToolchainError
from autodeploy.dialects.registry import new_context
from autodeploy.toolchain.compiler import find_c_compiler, run
from autodeploy.toolchain.session import Session

BATCH = 24
"""Cases to a library."""


def cases_and_levels() -> list[ParameterSet]:
    """Return every case at the levels 2 and 0, the cases of a batch for one worker of the tests."""
    return [
        pytest.param(
            example,
            level,
            id=f"{example.name}-O{level}",
            marks=pytest.mark.xdist_group(f"O{level}-{index // BATCH}"),
        )
        for level in (2, 0)
        for index, example in enumerate(CASES)
    ]


_STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0", "-fPIC")


@dataclass(frozen=True)
class CompiledCase:
    """The bundle of a case, and the library of its batch; the bundle's own is never built."""

    bundle: Path
    library: Path

    @property
    def manifest(self) -> Manifest:
        return Manifest.load(self.bundle)

    def session(self) -> Session:
        return Session(self.manifest, self.library, self.bundle / self.manifest.weights.file)


def compiled(example: OnnxCase, level: int) -> CompiledCase:
    """Return a case compiled at a level; raises what compiling it raises."""
    found = _batch(level, CASES.index(example) // BATCH)[example.name]
    if isinstance(found, Exception):
        raise found
    return found


@cache
def _batch(level: int, number: int) -> Mapping[str, CompiledCase | Exception]:
    folder = _folder() / f"O{level}-{number}"
    return _compile(CASES[number * BATCH : (number + 1) * BATCH], level, folder)


def _compile(
    examples: Sequence[OnnxCase], level: int, folder: Path
) -> Mapping[str, CompiledCase | Exception]:
    results: dict[str, CompiledCase | Exception] = {}
    objects: list[Path] = []
    library = folder / "cases.so"
    for example in examples:
        bundle = folder / example.name
        try:
            # In one context the fusion patterns are read once.
            with mock.patch("autodeploy.compiler.new_context", _context):
                model = example.model().SerializeToString()
                compile_model(model, bundle, CompileOptions(level=level, jobs=1))
            objects += [_object(bundle), *(bundle / "kernels").glob("*.o")]
            results[example.name] = CompiledCase(bundle, library)
        except Exception as error:  # it belongs to the test of this case
            results[example.name] = error
    if objects:
        try:
            _link(library, [*_runtime(), *objects])
        except ToolchainError as error:
            return dict.fromkeys(results, error)
    return results


def _object(bundle: Path) -> Path:
    """Compile the generated driver, which no warning may come from."""
    source = f"{Manifest.load(bundle).prefix}.c"
    run([*find_c_compiler(), *_STRICT, "-c", source, "-o", "driver.o"], bundle)
    return bundle / "driver.o"


def _link(library: Path, objects: Sequence[Path]) -> None:
    names = list(map(str, objects))
    run([*find_c_compiler(), "-shared", "-Wl,-Bsymbolic", *names, "-lm", "-o", str(library)])


@cache
def _runtime() -> Sequence[Path]:
    """Compile the sources that all programs share, taken from the first bundle there is."""
    folder = _folder() / "runtime"
    folder.mkdir()
    bundle = next(path.parent for path in _folder().rglob("manifest.json"))
    for name in LIBRARY_SOURCES:
        target = folder / Path(name).with_suffix(".o")
        run([*find_c_compiler(), *_STRICT, "-c", name, "-o", str(target)], bundle)
    return list(folder.glob("*.o"))


_context = cache(new_context)


@cache
def _folder() -> Path:
    _kept.append(tempfile.TemporaryDirectory(prefix="autodeploy-cases-"))
    return Path(_kept[0].name)


_kept: list[tempfile.TemporaryDirectory[str]] = []
"""The folder of this process goes when the process ends."""
