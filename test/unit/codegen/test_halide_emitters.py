"""Both Halide emitters make the same kernels, and these compute what the dialect says."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from kernel_calls import CXX, call, link, memory
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser

from autodeploy.codegen.halide.kernels import CompiledKernel, compile_pipelines
from autodeploy.codegen.halide.source import emit_source
from autodeploy.codegen.halide.tables import STRICT_FLOAT, pipelines_of
from autodeploy.diagnostics import ToolchainError
from autodeploy.dialects.halide import HALIDE
from autodeploy.machine import Machine

pytestmark = pytest.mark.xdist_group("halide_emitters")
"""All tests share what one worker has compiled."""

SUPPORT = str(Path(__file__).parents[2] / "support")
needs_cxx = pytest.mark.skipif(CXX is None, reason="needs a C++ compiler: g++, or one named by CXX")


def parse(text: str) -> ModuleOp:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(HALIDE)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


MODULE = parse((Path(__file__).parent / "Inputs" / "kernels.mlir").read_text())


def random_inputs(kernel: CompiledKernel) -> list[np.ndarray]:
    """Return inputs with all kinds of values, zeros and (in floats) nan and inf among them."""
    generator = np.random.default_rng(7)
    arrays = []
    for index, argument in enumerate(kernel.arguments):
        if argument.is_output:
            continue
        array = memory(kernel, index)
        if array.dtype.kind == "i":
            array[:] = generator.integers(-128, 128, array.shape)
            array[:3] = (0, -128, -1)
        else:
            array[:] = generator.uniform(-3, 3, array.shape)
            if kernel.name in ("floats", "maximum"):
                array[:4] = (np.nan, np.inf, -np.inf, 0)
        arrays.append(array)
    return arrays


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(scope="module")
def kernels(folder: Path) -> dict[str, CompiledKernel]:
    compiled = compile_pipelines(MODULE, Machine.host(), directory=folder)
    return {kernel.name: kernel for kernel in compiled}


@pytest.fixture(scope="module")
def generated(kernels: dict[str, CompiledKernel], folder: Path) -> Iterator[ctypes.CDLL]:
    """Return a library with each kernel made by both emitters: ``conv`` and ``conv_generated``."""
    halide = Path(find_spec("halide").submodule_search_locations[0])
    source, program = folder / "op_gen.cpp", folder / "op_gen"
    source.write_text(emit_source(MODULE))
    libraries = ["-L", halide / "lib64", f"-Wl,-rpath,{halide / 'lib64'}"]
    warnings = ["-Wall", "-Wextra", "-Werror"]
    build = [CXX, "-std=c++17", *warnings, "-isystem", halide / "include", source, *libraries]
    subprocess.run([*build, "-lHalide_GenGen", "-lHalide", "-o", program], check=True)
    objects = []
    for pipeline in pipelines_of(MODULE):
        name = pipeline.sym_name.data
        strict = "" if pipeline.fast_math else f"-{STRICT_FLOAT}"
        target = f"target={Machine.host().kernel_target()}{strict}"
        names = ["-g", name, "-f", f"{name}_generated", "-n", f"{name}_generated"]
        subprocess.run([program, *names, "-e", "object", "-o", folder, target], check=True)
        objects.append(folder / f"{name}_generated.o")
    yield link(folder / "both.so", [*objects, *(k.files[0] for k in kernels.values())])


@pytest.mark.exhaustive
@needs_cxx
@pytest.mark.parametrize("name", [p.sym_name.data for p in pipelines_of(MODULE)])
def test_emitters_agree(
    name: str, kernels: dict[str, CompiledKernel], generated: ctypes.CDLL
) -> None:
    kernel = kernels[name]
    inputs = random_inputs(kernel)
    ours = call(generated, name, kernel, inputs)
    theirs = call(generated, f"{name}_generated", kernel, inputs)
    for one, other in zip(ours, theirs, strict=True):
        assert one.tobytes() == other.tobytes()
    assert any(np.any(array) for array in ours)


@pytest.mark.exhaustive
@needs_cxx
def test_convolution_keeps_nan(kernels: dict[str, CompiledKernel], generated: ctypes.CDLL) -> None:
    kernel = kernels["conv"]
    image, filters, bias = random_inputs(kernel)
    image.reshape(6, 16, 8)[1, 3, 5] = np.nan
    (result,) = call(generated, "conv", kernel, [image, filters, bias])
    windows = np.lib.stride_tricks.sliding_window_view(image.reshape(6, 16, 8), (3, 3), (0, 1))
    sums = np.einsum("hwcyx,yxco->hwo", windows, filters.reshape(3, 3, 8, 32)) + bias
    expected = np.clip(sums, 0, 6)
    assert np.isnan(expected).sum() == 2 * 3 * 32
    np.testing.assert_allclose(result.reshape(4, 14, 32), expected, 1e-4, 1e-4)


@pytest.mark.exhaustive
@needs_cxx
def test_integer_division_is_euclidean(
    kernels: dict[str, CompiledKernel], generated: ctypes.CDLL
) -> None:
    kernel = kernels["integers"]
    a = np.array([7, -7, 7, -7, 5, -128] + [0] * 10, np.int8)
    b = np.array([2, 2, -2, -2, 0, -1] + [1] * 10, np.int8)
    small, large, narrow, wide = call(generated, "integers", kernel, [a, b])
    quotient = np.array([3, -4, -3, 4, 0, -128], np.int8)
    remainder = np.array([1, 1, 1, 1, 0, 0], np.int8)
    assert list(small[:6]) == list((quotient + remainder) * (np.int8(-128) - np.abs(b[:6])))
    assert list(large[:2]) == [7 << 40, (-7 << 40) + 1]
    assert list(narrow[:2]) == [255 - 200, 255 - 249]
    assert list(wide[:2]) == [((1 << 64) - 8) // 4000000000, 6 // 4000000000]


@pytest.mark.exhaustive
@needs_cxx
def test_maximum_keeps_nan(kernels: dict[str, CompiledKernel], generated: ctypes.CDLL) -> None:
    kernel = kernels["maximum"]
    values = random_inputs(kernel)[0]
    values.reshape(5, 16)[4, 7] = np.nan
    most, twice = call(generated, "maximum", kernel, [values])
    np.testing.assert_array_equal(most, values.reshape(5, 16).max(0))
    np.testing.assert_array_equal(twice, 2 * most)


def test_scratch_holds_the_arrays_that_do_not_fit_the_stack(
    kernels: dict[str, CompiledKernel],
) -> None:
    taking = {name for name, kernel in kernels.items() if kernel.scratch_bytes}
    assert taking == {"scratch", "chain"}
    assert 3 * 20000 <= kernels["chain"].scratch_bytes <= 3 * 20000 + 1024
    row, plane = 4 * 3000, 4 * 3008 * 3
    assert row + plane <= kernels["scratch"].scratch_bytes <= row + plane + 1024


@needs_cxx
def test_kernels_need_no_other_runtime(kernels: dict[str, CompiledKernel]) -> None:
    if shutil.which("nm") is None:
        pytest.skip("needs nm")
    files = [kernel.files[0] for kernel in kernels.values()]
    text = subprocess.run(["nm", "-u", *files], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1] for line in text.splitlines() if line.startswith(" ")}
    runtime = {"halide_malloc", "halide_free", "halide_do_par_for", "halide_error"}
    assert names <= runtime | {"memset", "memcpy", "tanhf", "sinf", "cosf"}


@needs_cxx
def test_c_source_computes_the_same(
    kernels: dict[str, CompiledKernel], generated: ctypes.CDLL, folder: Path
) -> None:
    names = ("conv", "scratch", "integers", "maximum", "precisions")
    chosen = [p for p in pipelines_of(MODULE) if p.sym_name.data in names]
    directory = folder / "c"
    written = compile_pipelines(chosen, Machine.host(), emit="c", directory=directory)
    objects = []
    for kernel in written:
        assert [file.name for file in kernel.files] == [f"{kernel.name}.cpp", "halide_kernel.hpp"]
        objects.append(kernel.files[0].with_suffix(".o"))
        build = [CXX, "-std=c++17", "-Wall", "-O1", "-fPIC", "-c", kernel.files[0]]
        subprocess.run([*build, "-o", objects[-1]], check=True)
    library = link(directory / "c.so", objects)
    for kernel in written:
        inputs = random_inputs(kernel)
        ours = call(generated, kernel.name, kernels[kernel.name], inputs)
        for one, other in zip(ours, call(library, kernel.name, kernel, inputs), strict=True):
            np.testing.assert_allclose(other, one, 1e-4, 1e-4)


def test_prototype_and_progress(tmp_path: Path) -> None:
    said: list[tuple[int, int, str]] = []
    pipeline = next(p for p in pipelines_of(MODULE) if p.sym_name.data == "maximum")
    (kernel,) = compile_pipelines(
        [pipeline],
        Machine.named("x86-64-avx2"),
        directory=tmp_path / "new",
        symbols={"maximum": "net_maximum"},
        progress=lambda *said_now: said.append(said_now),
    )
    assert said == [(0, 1, "maximum"), (1, 1, "maximum")]
    assert kernel.files == (tmp_path / "new" / "net_maximum.o",)
    assert kernel.symbol == "net_maximum"
    assert [argument.name for argument in kernel.arguments] == ["a", "most", "twice"]


def test_fresh_processes_give_the_same_bytes(tmp_path: Path) -> None:
    script = f"""
import runpy, sys
sys.path.append({SUPPORT!r})
from pathlib import Path
from autodeploy.codegen.halide.kernels import compile_pipelines
from autodeploy.codegen.halide.tables import pipelines_of
from autodeploy.machine import Machine
tests = runpy.run_path({str(Path(__file__))!r})
pipelines = [p for p in pipelines_of(tests["MODULE"]) if p.sym_name.data in ("conv", "scratch")]
compile_pipelines(pipelines, Machine.host(), directory=Path(sys.argv[1]))
"""
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        subprocess.run([sys.executable, "-c", script, str(folder)], check=True)
    for name in ("conv.o", "scratch.o"):
        one, other = [(folder / name).read_bytes() for folder in folders]
        # Compared before the assertion, which would print the bytes.
        same = one == other
        assert same, name


def test_halide_error_names_the_kernel(tmp_path: Path) -> None:
    module = parse("""
halide.pipeline @bad(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f64, [8]>) {
  %f = halide.func "f"(x %i) : f64 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %d = halide.cast %v : f32 to f64
    %e = halide.erf %d : f64
    halide.yield %e : f64
  }
  halide.output %f in %y : !halide.func<f64, 1> in !halide.buffer<f64, [8]>
}""")
    with pytest.raises(
        ToolchainError, match=r"cannot compile kernel 'bad': .*erf only takes float"
    ):
        compile_pipelines(module, Machine.named("x86-64"), directory=tmp_path)


def test_halide_warnings_are_kept_off_the_output(
    kernels: dict[str, CompiledKernel], capfd: pytest.CaptureFixture[str]
) -> None:
    assert any("emulated" in warning for warning in kernels["precisions"].warnings)
    assert capfd.readouterr() == ("", "")
