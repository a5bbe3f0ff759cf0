"""The C program of a real network: warnings, sanitizers, other compilers, the same bytes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from closeness import assert_close
from onnx import TensorProto, helper, numpy_helper
from small_models import residual_network, small_classifier

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler, run, run_make
from autodeploy.toolchain.profile import profile_bundle
from autodeploy.toolchain.session import load_bundle

MODEL = small_classifier().SerializeToString()
DIGITS = Path(__file__).parents[2] / "examples" / "mnist" / "mnist.onnx"
IMAGE = np.random.default_rng(5).standard_normal((1, 1, 12, 12)).astype(np.float32)
CHECKS = ("-g1", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

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


@pytest.mark.exhaustive
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


@pytest.mark.exhaustive
def test_weights_that_are_linked_in(expected, tmp_path):
    folder = tmp_path / "bundle"
    compile_model(MODEL, folder, CompileOptions(embed_weights=True))
    run_make(folder, ["all", "lib", "sanitize"], {"CFLAGS": "-O1 -Werror"})
    names = {path.name for path in folder.iterdir()}
    assert "small_weights.c" in names and not names & {"small.weights", "autodeploy_weights.c"}
    np.save(tmp_path / "x.npy", IMAGE)
    for program in ("small", "small-sanitize"):
        command = [folder / program, tmp_path / "x.npy", "--output", tmp_path / "y.npy"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (result.returncode, result.stderr) == (0, "")
        np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), expected)
    with load_bundle(folder) as session:
        (found,) = session.run({"x": IMAGE}).values()
    np.testing.assert_array_equal(found, expected)
    assert profile_bundle(folder, rounds=1)


@pytest.mark.exhaustive
@needs_cxx
def test_linked_weights_in_cxx(expected, tmp_path):
    folder = tmp_path / "bundle"
    compile_model(MODEL, folder, CompileOptions(embed_weights=True, emit="c"))
    sources = [
        path.relative_to(folder)
        for path in folder.rglob("*")
        if path.suffix in (".c", ".cpp") and path.name != "op_gen.cpp"
    ]
    files = ["-x", "c++", *map(str, sources), "-x", "none", "-lm", "-pthread", "-o", "small"]
    run([*find_cxx_compiler(), "-std=c++17", *CHECKS, *files], folder)
    np.save(tmp_path / "x.npy", IMAGE)
    command = [folder / "small", tmp_path / "x.npy", "--output", tmp_path / "y.npy"]
    subprocess.run(command, check=True)
    assert_close(np.load(tmp_path / "y.npy"), expected)


@pytest.mark.usefixtures("needs_objects")
def test_the_digit_network_with_its_weights_is_small(tmp_path):
    folder = tmp_path / "bundle"
    compile_model(DIGITS, folder, CompileOptions(embed_weights=True))
    run_make(folder, ["LDFLAGS=-s"])
    assert (folder / "mnist").stat().st_size <= 250_000


def test_large_weights_are_not_linked_in(tmp_path):
    weights = np.random.default_rng(0).standard_normal((1024, 1025)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1024])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1025])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    with pytest.raises(UserError, match=r"too large to embed, expected at most 4194304; "):
        options = CompileOptions(embed_weights=True, dump_ir=tmp_path / "ir")
        compile_model(model.SerializeToString(), tmp_path / "b", options)
    assert not (tmp_path / "b").exists()
    # What the stages before the error have made is there to be looked at.
    assert [path.name for path in sorted((tmp_path / "ir").glob("*.mlir"))][-1] == "08-halide.mlir"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "compiler",
    ["g++", pytest.param("g++ -std=c++14", id="g++ of an older standard"), "clang++"],
)
def test_kernels_as_cxx_source(cxx_bundle, expected, tmp_path, compiler):
    if shutil.which(compiler.split()[0]) is None:
        pytest.skip(f"{compiler} is not on the path")
    settings = {"CFLAGS": "-O1 -Werror", "CXX": compiler, "CXXFLAGS": "-O1 -Werror"}
    run_make(cxx_bundle, ["clean", "all"], settings)
    found = output_of(cxx_bundle / "small", cxx_bundle / "small.weights", tmp_path)
    assert_close(found, expected)


@pytest.mark.exhaustive
@needs_cxx
@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not on the path")
def test_kernels_as_cxx_source_by_cmake(cxx_bundle, expected, tmp_path):
    compiler = "clang++" if shutil.which("clang++") else find_cxx_compiler()[0]
    settings = [f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_CXX_FLAGS=-Werror"]
    run(["cmake", "-S", str(cxx_bundle), "-B", "build", *settings], tmp_path)
    run(["cmake", "--build", "build"], tmp_path)
    found = output_of(tmp_path / "build" / "small", cxx_bundle / "small.weights", tmp_path)
    assert_close(found, expected)


@pytest.mark.exhaustive
@needs_cxx
def test_everything_by_one_call_of_a_cxx_compiler_with_sanitizers_in_the_kernels(
    cxx_bundle, expected, tmp_path
):
    sources = [*cxx_bundle.glob("*.c"), *cxx_bundle.glob("kernels/*.cpp")]
    program = tmp_path / "all-in-one"
    files = ["-x", "c++", *map(str, sources), "-x", "none", "-lm", "-pthread", "-o", str(program)]
    run([*find_cxx_compiler(), "-std=c++17", *CHECKS, *files], cxx_bundle)
    found = output_of(program, cxx_bundle / "small.weights", tmp_path)
    assert_close(found, expected)


@pytest.mark.exhaustive
def test_compiling_twice_gives_the_same_bytes(tmp_path, monkeypatch):
    """Though Halide numbers what has no name, within a process."""
    contents = []
    for name in ("first", "second"):
        monkeypatch.setenv("AUTODEPLOY_CACHE", str(tmp_path / f"cache-{name}"))
        compile_model(residual_network(), tmp_path / name)
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
