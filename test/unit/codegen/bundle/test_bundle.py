"""Bundles: what is in them, that they build anywhere, and that they appear whole or not at all."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from bundle_kernels import kernel, write_source
from c_program import execute, parse, planned
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from autodeploy.codegen.bundle.bundle import BundleOptions, write_bundle
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.c.driver import emit_driver
from autodeploy.codegen.c.header import emit_header
from autodeploy.codegen.c.read_program import find_program
from autodeploy.codegen.halide.kernels import CompiledKernel
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.machine import Machine
from autodeploy.passes.driver.plan_memory import PlanMemoryPass
from autodeploy.toolchain.compiler import run, run_make


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def check_program(program: Path, weights: Path) -> None:
    data = weights.parent / "x.bin"
    data.write_bytes(np.arange(8, dtype=np.float32).tobytes())
    result = execute(program.resolve(), weights.resolve(), data.resolve())
    data.unlink()
    assert result.stdout.splitlines() == [
        "sum 8: 0 2 4 6 8 10 12 14",
        "copy 1x8: 0 1.5 3 4.5 6 7.5 9 10.5",
    ], result.stderr


def test_content(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    ctx, module = planned("sum")
    machine = Machine.parse("aarch64-neon-dotprod:l2=1M:os=osx")
    options = BundleOptions(machine=machine, opset=13, options={"emit": "object"})
    manifest = write_bundle(ctx, module, kernels, tmp_path / "b", options)
    found = files_of(tmp_path / "b")
    assert set(found) == {*manifest.files, "manifest.json"}
    assert {"sum.c", "sum.h", "main.c", "sum.weights", "Makefile", "kernels/sum_add.o"} <= set(
        found
    )
    for name, digest in manifest.files.items():
        assert hashlib.sha256(found[name]).hexdigest() == digest
    assert Manifest.load(tmp_path / "b") == manifest
    assert (manifest.opset, manifest.machine, manifest.arena_bytes) == (13, machine, 128)
    assert manifest.kernels[0].algorithm == "plain"
    assert manifest.weights.bytes == len(found["sum.weights"])
    assert bytes.fromhex(manifest.weights.fingerprint) == found["sum.weights"][32:48]
    assert not any(str(tmp_path).encode() in data for data in found.values())


def test_same_input_same_bytes(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    for name in ("a", "b"):
        write_bundle(*planned("sum"), kernels, tmp_path / name)
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")


@pytest.mark.exhaustive
def test_make_in_a_path_with_spaces(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    folder = tmp_path / "my bundle's (1) $x"
    write_bundle(*planned("sum"), kernels, folder)
    run_make(folder, ["all", "lib", "sanitize"], {"CFLAGS": "-O1 -Werror"})
    check_program(folder / "sum", folder / "sum.weights")
    check_program(folder / "sum-sanitize", folder / "sum.weights")
    assert (folder / "libsum.a").is_file() and (folder / "libsum.so").is_file()
    exported = run(["nm", "-D", "--defined-only", "libsum.so"], folder)
    assert " T sum_run\n" in exported and "autodeploy_weights_read" not in exported
    run_make(folder, ["clean"])
    assert not (folder / "build").exists() and not (folder / "sum").exists()


def test_make_with_cxx_kernels(tmp_path: Path) -> None:
    source = write_source(tmp_path, "sum_add.cpp")
    files = (source, tmp_path / "halide_buffer.h", tmp_path / "halide_runtime.h")
    renamed = tuple(shutil.copyfile(f, f.with_suffix(".hpp")) for f in files[1:])
    source.write_text(source.read_text().replace('.h"', '.hpp"'))
    for header in renamed:
        header.write_text(header.read_text().replace('.h"', '.hpp"'))
    folder = tmp_path / "b"
    write_bundle(*planned("sum"), [kernel((source, *renamed))], folder)
    run_make(folder, ["all", "lib"])
    check_program(folder / "sum", folder / "sum.weights")


@pytest.mark.parametrize(
    ("machine", "system", "cc", "cxx", "target"),
    [
        ("aarch64-neon", "Linux", "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++", None),
        ("cortex-m4", "Generic", "arm-none-eabi-gcc", "arm-none-eabi-g++", None),
        ("aarch64-neon:os=osx", "Darwin", "clang", "clang++", "arm64-apple-macos"),
    ],
)
def test_toolchain_file(
    machine: str,
    system: str,
    cc: str,
    cxx: str,
    target: str | None,
    tmp_path: Path,
    kernels: list[CompiledKernel],
) -> None:
    options = BundleOptions(machine=Machine.parse(machine))
    write_bundle(*planned("sum"), kernels, tmp_path / "b", options)
    text = (tmp_path / "b" / "sum-toolchain.cmake").read_text()
    for name, value in {"SYSTEM_NAME": system, "C_COMPILER": cc, "CXX_COMPILER": cxx}.items():
        assert f"set(CMAKE_{name} {value})\n" in text
    found = re.search(r"CMAKE_C_COMPILER_TARGET (.*)\)", text)
    assert (found and found[1]) == target
    assert ("STATIC_LIBRARY" in text) == (system == "Generic")


def test_the_host_needs_no_toolchain_file(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    options = BundleOptions(machine=Machine.host())
    write_bundle(*planned("sum"), kernels, tmp_path / "b", options)
    assert not list((tmp_path / "b").glob("*-toolchain.cmake"))


def test_kernels_as_source_are_compiled_for_their_machine(tmp_path: Path) -> None:
    source = write_source(tmp_path, "sum_add.cpp")
    options = BundleOptions(machine=Machine.named("x86-64-avx2"))
    write_bundle(*planned("sum"), [kernel((source,))], tmp_path / "b", options)
    flags = "-msse4.1 -mavx -mf16c -mfma -mavx2"
    assert f"\nMACHINE_FLAGS ?= {flags}\n" in (tmp_path / "b" / "Makefile").read_text()
    said = run(["make", "-n", "-C", str(tmp_path / "b")], tmp_path)
    compiled = [line for line in said.splitlines() if " -c " in line]
    assert [flags in line for line in compiled] == [".cpp" in line for line in compiled]
    assert any(".cpp" in line for line in compiled)
    lists = (tmp_path / "b" / "CMakeLists.txt").read_text()
    assert f"set(MACHINE_FLAGS {flags.replace(' ', ';')} CACHE" in lists


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not on the path")
def test_cmake(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    folder = tmp_path / "my bundle"
    write_bundle(*planned("sum"), kernels, folder)
    run(["cmake", "-S", str(folder), "-B", "build dir"], tmp_path)
    run(["cmake", "--build", "build dir"], tmp_path)
    check_program(tmp_path / "build dir" / "sum", folder / "sum.weights")
    assert (tmp_path / "build dir" / "libsum.so").is_file()


def test_label(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    options = BundleOptions(label='the "class" is')
    write_bundle(*planned("sum"), kernels, tmp_path / "b", options)
    assert r'"the \"class\" is"' in (tmp_path / "b" / "main.c").read_text()
    write_bundle(*planned("sum"), kernels, tmp_path / "none")
    assert "is_scores" not in (tmp_path / "none" / "main.c").read_text()


def working(scratch: int, of_workers: int | None = None) -> tuple[Context, ModuleOp]:
    """Return a planned program whose kernel works in so many bytes."""
    ctx, module = planned("sum")
    (pipeline,) = (op for op in module.ops if isinstance(op, PipelineOp))
    pipeline.scratch_bytes = IntegerAttr(scratch, i64)
    if of_workers is not None:
        pipeline.worker_scratch_bytes = IntegerAttr(of_workers, i64)
        find_program(module).threads = IntegerAttr(4, i64)
    PlanMemoryPass().apply(ctx, module)
    return ctx, module


def test_scratch_is_part_of_the_arena(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    larger = CompiledKernel("add", "sum_add", kernels[0].files, (), 1000, ())
    manifest = write_bundle(*working(1000), [larger], tmp_path / "b")
    # The only buffer is alive while the kernel runs, and lies beside what that works in.
    assert manifest.arena_bytes == manifest.arena_lower_bound == 1024 + 64
    assert "#define SUM_ARENA_BYTES 1088 " in (tmp_path / "b" / "sum.h").read_text()
    source = (tmp_path / "b" / "sum.c").read_text()
    assert (
        source.count("    autodeploy_runtime_work_in(runtime, context->arena + 64, 1024);\n") == 2
    )
    assert "{IN_ARENA, 0, " in source


@pytest.mark.parametrize("scratch", [0, 300])
def test_the_ir_of_a_bundle_gives_its_sources(
    tmp_path: Path, kernels: list[CompiledKernel], scratch: int
) -> None:
    parallel = CompiledKernel("add", "sum_add", kernels[0].files, (), 1000, (), scratch)
    write_bundle(*working(1000, scratch), [parallel], tmp_path / "b")
    text = (tmp_path / "b" / "sum.mlir").read_text()
    sizes = f" scratch 1000 worker_scratch {scratch} "
    assert re.search(rf"^ *halide.pipeline @add.*{sizes}", text, re.MULTILINE)
    assert f" weights 224 threads 4 worker_scratch {scratch} {{" in text
    _, module = parse(text)
    source = (tmp_path / "b" / "sum.c").read_text()
    assert emit_driver(module) == source
    assert emit_header(module) == (tmp_path / "b" / "sum.h").read_text()
    assert "autodeploy_pool_start" in source
    assert "-pthread" in (tmp_path / "b" / "Makefile").read_text()


def test_replaces_a_bundle_with_its_build(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    folder = tmp_path / "b"
    write_bundle(*planned("sum"), kernels, folder)
    (folder / "build").mkdir()
    (folder / "sum").write_text("built")
    before = files_of(folder)
    write_bundle(*planned("sum", scale=2.0), kernels, folder)
    after = files_of(folder)
    assert "sum" not in after and after["sum.weights"] != before["sum.weights"]
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_fills_an_empty_folder(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    (tmp_path / "b").mkdir()
    write_bundle(*planned("sum"), kernels, tmp_path / "b")
    assert (tmp_path / "b" / "sum.c").is_file()


def test_refuses_a_folder_of_something_else(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="is not empty and not a bundle; name another folder"):
        write_bundle(*planned("sum"), kernels, tmp_path)
    assert files_of(tmp_path) == {"thesis.txt": b"years of work"}


@pytest.mark.parametrize("name", ["note.txt", "kernels/own.c", "empty/"])
def test_refuses_a_bundle_with_foreign_files(
    tmp_path: Path, kernels: list[CompiledKernel], name: str
) -> None:
    folder = tmp_path / "b"
    write_bundle(*planned("sum"), kernels, folder)
    if name.endswith("/"):
        (folder / name).mkdir()
    else:
        (folder / name).write_text("mine")
    before = files_of(folder)
    with pytest.raises(UserError, match=f"files that are not its own \\('{name.rstrip('/')}'"):
        write_bundle(*planned("sum", scale=2.0), kernels, folder)
    assert files_of(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_refuses_another_manifest(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "web app"}')
    with pytest.raises(UserError, match="'format' of manifest is not a string"):
        write_bundle(*planned("sum"), kernels, tmp_path)
    assert set(files_of(tmp_path)) == {"manifest.json"}


def test_refuses_a_file(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    (tmp_path / "b").write_text("a file")
    with pytest.raises(UserError, match=r"cannot write bundle '.*': it is not a folder"):
        write_bundle(*planned("sum"), kernels, tmp_path / "b")
    with pytest.raises(UserError, match=r"cannot write bundle '.*': '.*/b' is not a folder"):
        write_bundle(*planned("sum"), kernels, tmp_path / "b" / "c")
    assert (tmp_path / "b").read_text() == "a file"


def test_refuses_the_current_folder(
    tmp_path: Path, kernels: list[CompiledKernel], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be another folder afterwards, and the one in which this runs be gone."""
    (tmp_path / "b" / "c").mkdir(parents=True)
    for here, folder in (("b/c", "."), ("b/c", ""), ("b/c", str(tmp_path / "b" / "c"))):
        monkeypatch.chdir(tmp_path / here)
        with pytest.raises(UserError, match="is the current one or above it; name another"):
            write_bundle(*planned("sum"), kernels, Path(folder))
    monkeypatch.chdir(tmp_path / "b")
    write_bundle(*planned("sum"), kernels, Path("c"))
    monkeypatch.chdir(tmp_path / "b" / "c" / "kernels")
    with pytest.raises(UserError, match="is the current one or above it; name another"):
        write_bundle(*planned("sum"), kernels, Path(".."))


def test_a_current_folder_that_is_gone(
    tmp_path: Path, kernels: list[CompiledKernel], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(UserError, match=r"^the current folder is not there any more$"):
        write_bundle(*planned("sum"), kernels, Path("b"))


def test_refuses_a_loop_of_links(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    (tmp_path / "b").symlink_to("b")
    with pytest.raises(UserError, match=r"cannot write bundle '.*b': .*[Ss]ym"):
        write_bundle(*planned("sum"), kernels, tmp_path / "b")


def test_nothing_is_left_when_writing_fails(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    other, _ = planned("sum", scale=5.0)
    with pytest.raises(UserError, match="is in no loaded weight file"):
        write_bundle(other, planned("sum")[1], kernels, tmp_path / "b")
    with pytest.raises(UserError, match=r"cannot write bundle '.*b': No such file or directory"):
        write_bundle(*planned("sum"), [kernel((tmp_path / "gone.o",))], tmp_path / "b")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "no compiled kernel for 'add'"),
        ([kernel((Path("a.o"),), name="sub")], "no compiled kernel for 'add'"),
        ([kernel((Path("a.o"),), "add")], "'add' was compiled as 'add', expected 'sum_add'"),
        ([kernel((Path("a.s"),))], r"all \.o files or all \.cpp files or all \.c files, found \.s"),
        ([kernel((Path("a.o"), Path("b.cpp")))], r"files, found \.cpp, \.o"),
        (
            [kernel((Path("a.o"),)), kernel((Path("b.o"),), "m_sub", "sub")],
            "the module has no halide.pipeline 'sub'",
        ),
    ],
)
def test_kernels_that_do_not_fit(tmp_path: Path, given: list[CompiledKernel], message: str) -> None:
    with pytest.raises(UserError, match=message):
        write_bundle(*planned("sum"), given, tmp_path / "b")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("scratch", "of_workers", "message"),
    [
        (2000, 8, "takes scratch of 2000 bytes, its halide.pipeline says 1000"),
        (0, 8, "takes scratch of 0 bytes, its halide.pipeline says 1000"),
        (1000, 16, "takes worker_scratch of 16 bytes, its halide.pipeline says 8"),
        (1000, None, "takes worker_scratch of 0 bytes, its halide.pipeline says 8"),
    ],
)
def test_kernels_that_take_other_memory_than_was_planned(
    tmp_path: Path, scratch: int, of_workers: int | None, message: str
) -> None:
    given = CompiledKernel("add", "sum_add", (Path("a.o"),), (), scratch, (), of_workers)
    with pytest.raises(UserError, match=f"kernel 'add' {message}; run compile-kernels"):
        write_bundle(*working(1000, 8), [given], tmp_path / "b")
    assert list(tmp_path.iterdir()) == []


def test_no_kernels(tmp_path: Path) -> None:
    ctx, module = parse(
        """
        driver.program @echo inputs ["x"] outputs ["y"] arena 0 weights 0 {
        ^bb0(%x: memref<2xi32>, %y: memref<2xi32>):
          driver.copy %x to %y : memref<2xi32> to memref<2xi32>
        }
        """
    )
    folder = tmp_path / "b"
    write_bundle(ctx, module, [], folder)
    run_make(folder)
    (folder / "x.bin").write_bytes(np.array([5, -3], np.int32).tobytes())
    result = execute(folder / "echo", "echo.weights", "x.bin")
    assert result.stdout == "y 2: 5 -3\n", result.stderr
    if shutil.which("cmake") is not None:
        run(["cmake", "-S", ".", "-B", "build/cmake"], folder)


def test_a_failing_build_has_a_reason(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    folder = tmp_path / "b"
    write_bundle(*planned("sum"), kernels, folder)
    (folder / "sum.c").write_text("#error broken on purpose\n")
    with pytest.raises(ToolchainError, match=r"(?s)'make' failed in '.*broken on purpose"):
        run_make(folder)
