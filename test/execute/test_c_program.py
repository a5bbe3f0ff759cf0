"""The C program of a real network: warnings, sanitizers, other compilers, the same bytes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from closeness import assert_close
from small_models import residual_network, small_classifier

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler, run, run_make
from autodeploy.toolchain.session import load_bundle

MODEL = small_classifier().SerializeToString()
IMAGE = np.random.default_rng(5).standard_normal((1, 1, 12, 12)).astype(np.float32)
CHECKS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

needs_cxx = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="there is no C++ compiler"
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("objects") / "bundle"
    compile_model(MODEL, folder)
    run_make(folder, ["all", "lib", "sanitize"], {"CFLAGS": "-O1 -Werror"})
    return folder


@pytest.fixture(scope="module")
def cxx_bundle(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("sources") / "bundle"
    compile_model(MODEL, folder, CompileOptions(emit="c"))
    return folder


@pytest.fixture(scope="module")
def expected(bundle) -> np.ndarray:
    with load_bundle(bundle) as session:
        (found,) = session.run({"x": IMAGE}).values()
    return found


def output_of(program: Path, weights: Path, folder: Path) -> np.ndarray:
    """Run a demo program on the image; it must have nothing to complain of."""
    np.save(folder / "x.npy", IMAGE)
    command = [program, weights, folder / "x.npy", "--output", folder / "y.npy"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return np.load(folder / "y.npy")


def test_strict_c99_without_a_warning(bundle, expected, tmp_path):
    strict = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    sources = sorted(path.name for path in bundle.glob("*.c"))
    assert {"small.c", "main.c"} < set(sources)
    run([*find_c_compiler(), *strict, *sources], bundle)
    found = output_of(bundle / "small", bundle / "small.weights", tmp_path)
    np.testing.assert_array_equal(found, expected)


def test_sanitizers_find_nothing(bundle, expected, tmp_path):
    found = output_of(bundle / "small-sanitize", bundle / "small.weights", tmp_path)
    np.testing.assert_array_equal(found, expected)


@needs_cxx
def test_kernels_as_cxx_source(cxx_bundle, expected, tmp_path):
    run_make(cxx_bundle, ["all"], {"CFLAGS": "-O1 -Werror", "CXXFLAGS": "-O1"})
    found = output_of(cxx_bundle / "small", cxx_bundle / "small.weights", tmp_path)
    assert_close(found, expected)


@needs_cxx
def test_everything_by_one_call_of_a_cxx_compiler_with_sanitizers_in_the_kernels(
    cxx_bundle, expected, tmp_path
):
    sources = [*cxx_bundle.glob("*.c"), *cxx_bundle.glob("kernels/*.cpp")]
    program = tmp_path / "all-in-one"
    files = ["-x", "c++", *map(str, sources), "-x", "none", "-lm", "-pthread", "-o", str(program)]
    run([*find_cxx_compiler(), *CHECKS, *files], cxx_bundle)
    found = output_of(program, cxx_bundle / "small.weights", tmp_path)
    assert_close(found, expected)


def test_compiling_twice_gives_the_same_bytes(tmp_path, monkeypatch):
    contents = []
    for name in ("first", "second"):
        monkeypatch.setenv("AUTODEPLOY_CACHE", str(tmp_path / f"cache-{name}"))
        compile_model(residual_network().SerializeToString(), tmp_path / name)
        files = (path for path in (tmp_path / name).rglob("*") if path.is_file())
        contents.append({path.relative_to(tmp_path / name): path.read_bytes() for path in files})
    first, second = contents
    assert set(first) == set(second)
    assert [str(name) for name in first if first[name] != second[name]] == []


def test_a_bundle_does_not_depend_on_where_it_is_written(tmp_path):
    with autodeploy.compile(MODEL, tmp_path / "here") as session:
        (here,) = session.run({"x": IMAGE}).values()
    shutil.copytree(tmp_path / "here", tmp_path / "elsewhere")
    shutil.rmtree(tmp_path / "here")
    run_make(tmp_path / "elsewhere", ["clean"])
    with load_bundle(tmp_path / "elsewhere") as session:
        (there,) = session.run({"x": IMAGE}).values()
    np.testing.assert_array_equal(here, there)
