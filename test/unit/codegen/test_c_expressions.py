"""Kernels as source, C++ and C99, compute the same numbers as object files, op by op.

Each op of an expression is applied to elements of each type, in vectors of several numbers of
lanes. Operands are all pairs of what is special in the type, where the op is defined for these, and
ordinary numbers.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from expression_kernels import TYPES, cases, numpy_type, pipeline, values
from kernel_calls import CXX, call, link, memory

from autodeploy.codegen.halide.kernels import compile_pipelines
from autodeploy.machine import Machine

pytestmark = pytest.mark.skipif(
    CXX is None, reason="needs a C++ compiler: g++, or one named by CXX"
)

LANES = (1, 2, 3, 4, 6, 8, 14, 16)
FLAGS = ["-fwrapv", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fPIC", "-c"]
CXX_STANDARD, C_STANDARD = "-std=c++17", "-std=c99"


def combinations() -> list[tuple[str, int]]:
    """Return each type with a number of lanes, or with all of them where all is asked for."""
    if os.environ.get("ALL_LANES"):
        return [(element, lanes) for element in TYPES for lanes in LANES]
    return [(element, LANES[i % len(LANES)]) for i, element in enumerate(TYPES)]


def compare(
    tmp_path: Path, element: str, lanes: int, command: list[str], machine: str = "host"
) -> None:
    """Check that kernels of both kinds compute the same of the same inputs."""
    chosen = cases(element)
    kernel = pipeline("k", element, chosen, lanes)
    made = []
    for kind, target in (("object", Machine.host()), ("c", Machine.parse(machine))):
        folder = tmp_path / kind
        (compiled,) = compile_pipelines([kernel], target, emit=kind, directory=folder)
        file = compiled.files[0]
        if kind == "c":
            file = folder / "k.o"
            subprocess.run([*command, *FLAGS, compiled.files[0], "-o", file], check=True)
        made.append((compiled, link(folder / "k.so", [file])))
    for special in (True, False):
        results = []
        for compiled, library in made:
            inputs = []
            for index, array in enumerate(values(element, special)):
                inputs.append(memory(compiled, index))
                inputs[-1][:] = array
            results.append(call(library, "k", compiled, inputs))
        for case, one, other in zip(chosen, *results, strict=True):
            assert one.dtype == numpy_type(case.result)
            if case.special or not special:
                check(case.name, one, other, case.exact)


def bits(array: npt.NDArray) -> npt.NDArray:
    """Return bits to compare; all nans have the same, and a boolean is a byte."""
    if array.dtype.kind not in "biu":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return array.view(f"u{array.dtype.itemsize}")


def check(name: str, by_object: npt.NDArray, by_source: npt.NDArray, exact: bool) -> None:
    if exact:
        np.testing.assert_array_equal(bits(by_source), bits(by_object), name)
        return
    ours, theirs = by_source.astype(np.float64), by_object.astype(np.float64)
    relative = {2: 2e-2, 4: 1e-5, 8: 1e-11}[by_object.dtype.itemsize]
    np.testing.assert_allclose(ours, theirs, relative, relative * 10, err_msg=name)


@pytest.mark.one_case
@pytest.mark.parametrize(("element", "lanes"), combinations())
def test_the_same_numbers(tmp_path: Path, element: str, lanes: int) -> None:
    compare(tmp_path, element, lanes, [CXX, CXX_STANDARD, "-O2"])


C99_TYPES = TYPES if os.environ.get("ALL_LANES") else ["f32", "f64", "f16", "i32", "i8", "ui16"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("element", C99_TYPES)
def test_the_same_numbers_in_c99(tmp_path: Path, element: str) -> None:
    compare(tmp_path, element, 1, ["cc", C_STANDARD, "-O2"], "scalar")


def test_nothing_is_contracted(tmp_path: Path) -> None:
    assert "strict sum of a product" in [case.name for case in cases("f32")]
    command = [CXX, CXX_STANDARD, "-O1", "-march=native", "-ffp-contract=fast"]
    compare(tmp_path, "f32", 8, command)


@pytest.mark.parametrize(
    ("compiler", "flags"), [("gcc", ["-ffp-contract=fast"]), ("clang", ["-std=gnu99"])]
)
def test_nothing_is_contracted_in_c99(tmp_path: Path, compiler: str, flags: list[str]) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not on the path")
    command = [compiler, C_STANDARD, "-O1", "-march=native", *flags]
    compare(tmp_path, "f32", 1, command, "scalar")


@pytest.mark.skipif(shutil.which("clang++") is None, reason="clang++ is not on the path")
@pytest.mark.parametrize(("element", "lanes"), [("f64", 6), ("i1", 2)])
def test_the_same_numbers_by_clang(tmp_path: Path, element: str, lanes: int) -> None:
    compare(tmp_path, element, lanes, ["clang++", CXX_STANDARD, "-O2"])


@pytest.mark.parametrize(
    ("option", "message"),
    [("-std=c++14", "kernels need C++17"), ("-ffast-math", "compile them without -ffast-math")],
)
def test_compilers_get_the_options_of_kernels(tmp_path: Path, option: str, message: str) -> None:
    kernel = pipeline("k", "f32", cases("f32")[:1], 1)
    (made,) = compile_pipelines([kernel], Machine.host(), emit="c", directory=tmp_path)
    command = [CXX, "-std=c++17", option, "-fsyntax-only", made.files[0]]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode != 0 and message in found.stderr
