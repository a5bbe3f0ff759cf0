"""Bundles: what is in them, that they build anywhere, and that they appear whole or not at all."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from c_program import execute, kernel_source, parse, planned
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from autodeploy.codegen.bundle.bundle import BundleOptions, write_bundle
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.c.driver import emit_driver
from autodeploy.codegen.c.header import emit_header
from autodeploy.codegen.c.read_program import find_program, read_program
from autodeploy.codegen.c.template import runtime_file
from autodeploy.codegen.halide.kernels import CompiledKernel
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.machine import Machine
from autodeploy.passes.driver.plan_memory import PlanMemoryPass
from autodeploy.toolchain.compiler import find_c_compiler, run, run_make


def kernel(files: tuple[Path, ...], symbol: str = "sum_add", name: str = "add") -> CompiledKernel:
    return CompiledKernel(name, symbol, files, (), 0, ())


def write_source(folder: Path, name: str) -> Path:
    """Write the kernel's source, and the headers that it needs to be compiled alone."""
    for header in ("halide_buffer.h", "halide_runtime.h"):
        (folder / header).write_text(runtime_file(header))
    source = folder / name
    source.write_text(kernel_source(read_program(planned("sum")[1])))
    return source


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> list[CompiledKernel]:
    folder = tmp_path_factory.mktemp("kernels")
    source = write_source(folder, "add.c")
    run([*find_c_compiler(), "-O2", "-fPIC", "-c", source.name, "-o", "sum_add.o"], folder)
    return [kernel((folder / "sum_add.o",))]


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


def test_failing_build_says_why(tmp_path: Path, kernels: list[CompiledKernel]) -> None:
    folder = tmp_path / "b"
    write_bundle(*planned("sum"), kernels, folder)
    (folder / "sum.c").write_text("#error broken on purpose\n")
    with pytest.raises(ToolchainError, match=r"(?s)'make' failed in '.*broken on purpose"):
        run_make(folder)


def test_manifests_that_do_not_describe_a_machine(kernels: list[CompiledKernel], tmp_path: Path):
    options = BundleOptions(machine=Machine.named("x86-64"))
    manifest = write_bundle(*planned("sum"), kernels, tmp_path / "b", options)
    content = json.loads(manifest.to_json())
    for machine in ("host", None):
        assert Manifest.from_json(json.dumps({**content, "machine": machine})).machine is None
    del content["machine"]
    assert Manifest.from_json(json.dumps(content)).machine is None


def test_costs_that_an_older_bundle_does_not_name(
    kernels: list[CompiledKernel], tmp_path: Path
) -> None:
    machine = Machine.parse("x86-64:fma_per_cycle=1.5:efficiency=0.5")
    options = BundleOptions(machine=machine)
    manifest = write_bundle(*planned("sum"), kernels, tmp_path / "b", options)
    content = json.loads(manifest.to_json())
    assert Manifest.from_json(json.dumps(content)).machine == machine
    del content["machine"]["costs"]["efficiency"]
    assert Manifest.from_json(json.dumps(content)).machine == Machine.parse(
        "x86-64:fma_per_cycle=1.5"
    )
    del content["machine"]["costs"]
    assert Manifest.from_json(json.dumps(content)).machine == Machine.named("x86-64")


MACHINE = asdict(Machine.named("x86-64-avx2"))


def grown(shape: list[int], least: int, axes: tuple[int, ...] = (0,), **given: object):
    """Return what a manifest says of 3 to 17 elements in an output that has a half, less than 1."""
    growth = {"times": 1, "plus": -1, "over": 2, "by": 1, **given}
    output = {"name": "y", "dtype": "float32", "shape": shape, "open": axes, "growths": [growth]}
    return {"outputs": [output], "extents": [{"name": "n", "least": least, "most": 17}]}


def divided(
    parts: Sequence[Sequence[int]],
    programs: Sequence[Sequence[int]],
    shapes: Sequence[Sequence[int]] = (),
) -> dict[str, object]:
    """Return what a manifest says of an extent with parts, of programs and of an output."""

    def said(part: Sequence[int]) -> dict[str, int]:
        return {"least": part[0], "most": part[1]}

    extent = {"name": "n", "least": 1, "most": 8, "parts": list(map(said, parts))}
    variants = [
        {
            "name": "p", "machine": MACHINE, "text": "t", "source": "s", "kernels": [],
            "arena_bytes": 1, "part": [said(part)],
        }
        for part in programs
    ]  # fmt: skip
    output = {"name": "y", "dtype": "float32", "shape": [8], "open": [0]}
    if shapes:
        output["parts"] = [{"shape": shape} for shape in shapes]
    return {"outputs": [output], "extents": [extent], "variants": variants}


def test_a_growth_with_further_factors_reads_back(
    kernels: list[CompiledKernel], tmp_path: Path
) -> None:
    content = json.loads(write_bundle(*planned("sum"), kernels, tmp_path / "b").to_json())
    factor = {"times": 1, "plus": 0, "over": 1, "by": 1, "place": 1}
    extents = [{"name": "n", "least": 3, "most": 17}, {"name": "m", "least": 2, "most": 5}]
    content |= {**grown([8 * 5], 3, rest=[factor]), "extents": extents}
    manifest = Manifest.from_json(json.dumps(content))
    (output,) = manifest.outputs
    assert output.at(manifest.extents, [9, 3]).shape == (4 * 3,)
    assert Manifest.from_json(manifest.to_json()) == manifest


MANIFEST_ERRORS = [
    ("", "not JSON"),
    ("[]", "manifest is not an object"),
    ({"format": "x"}, "its format is not 'autodeploy-bundle'"),
    ({"version": 2}, "its version is 2, expected 1"),
    ({"version": True}, "'version' of manifest is not a number"),
    ({"prefix": "a b"}, "'prefix' of manifest is not an identifier: 'a b'"),
    ({"prefix": None}, "'prefix' of manifest is not a string"),
    ({"inputs": {}}, "'inputs' of manifest is not a list"),
    ({"inputs": [1]}, "an entry of 'inputs' is not an object"),
    ({"inputs": [{"name": "x", "dtype": "f4", "shape": []}]}, "unknown element type 'f4'"),
    ({"inputs": [{"name": "x", "dtype": "int8", "shape": [-1]}]}, "malformed shape"),
    ({"weights": {"file": "../w", "bytes": 1, "fingerprint": ""}}, "'../w' is not a file of the"),
    ({"weights": {"file": "w", "bytes": -1, "fingerprint": ""}}, "'bytes' of 'weights' is neg"),
    ({"files": {"/etc/passwd": ""}}, "'/etc/passwd' is not a file of the bundle"),
    ({"tools": {"a": 1}}, "'a' of 'tools' is not a string"),
    ({"opset": "13"}, "'opset' of manifest is not a number"),
    ({"machine": ["host"]}, "'machine' is not an object"),
    ({"machine": {**MACHINE, "arch": "vax"}}, "'arch' of 'machine' is 'vax', expected one of x86_"),
    ({"machine": {**MACHINE, "os": "vms"}}, "'os' of 'machine' is 'vms', expected one of linux, "),
    ({"machine": {**MACHINE, "isa": "mmx"}}, "'isa' of 'machine' is 'mmx', expected one of scalar"),
    ({"machine": {**MACHINE, "features": [1]}}, "'features' of 'machine' is not a list of strings"),
    ({"machine": {**MACHINE, "costs": [1]}}, "'costs' is not an object"),
    ({"machine": {**MACHINE, "costs": {"efficiency": "1"}}}, "'efficiency' of 'costs' is not a"),
    ({"machine": {**MACHINE, "cores": "2"}}, "'cores' of 'machine' is not a number"),
    ({"extents": [{"name": "n", "least": 2, "most": 65537}]}, "range of an extent, 2 to 65537"),
    ({"extents": [{"name": "n", "least": 8, "most": 8}]}, "malformed range of an extent, 8 to 8"),
    ({"extents": [{"name": "n", "least": 9, "most": 8}]}, "malformed range of an extent, 9 to 8"),
    ({"extents": [{"name": "n", "least": 4, "most": 10, "step": 4}]}, "4 to 10 in steps of 4"),
    (grown([7], 1), "'y' does not grow up to its shape, [7]"),
    (grown([8], 2), "'y' does not grow up to its shape, [8]"),
    (grown([8], 1, times=0), "malformed growth"),
    (grown([8], 1, over=0), "malformed growth"),
    (grown([8], 1, plus="1"), "'plus' of an entry of 'growths' is not a number"),
    (grown([8, 8], 1, axes=(0, 1)), "1 growths of 2 open axes"),
    ({"outputs": grown([8], 1)["outputs"]}, "'y' does not grow up to its shape, [8]"),
    (divided([[1, 1], [2, 8]], [[1, 1]]), "its programs are not those for all parts"),
    (divided([[1, 1], [2, 8]], [[2, 8], [1, 1]]), "its programs are not those for all parts"),
    (divided([], [[1, 8]]), "its programs are not those for all parts"),
    (divided([[1, 1], [2, 7]], []), "malformed parts of an extent, 1, 2..7"),
    (divided([[1, 1], [3, 2], [8, 8]], []), "malformed part of an extent, 3..2"),
    (divided([[1, 1], [2, 65537]], []), "malformed part of an extent, 2..65537"),
    (divided([[1, 1], [8, 8]], [[1, 1], [8, 8]], [[2], [8], [8]]), "'y' does not grow up"),
    (divided([[1, 1], [8, 8]], [[1, 1], [8, 8]], [[2], [9]]), "'y' does not grow up"),
    (divided([[1, 1], [8, 8]], [[1, 1], [8, 8]], [[2, 2], [8]]), "'y' does not grow up"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), MANIFEST_ERRORS)
def test_manifest_is_validated(
    tmp_path: Path, kernels: list[CompiledKernel], change: str | dict[str, object], message: str
) -> None:
    manifest = write_bundle(*planned("sum"), kernels, tmp_path / "b")
    path = tmp_path / "b" / "manifest.json"
    if isinstance(change, str):
        path.write_text(change)
    else:
        path.write_text(json.dumps({**json.loads(manifest.to_json()), **change}))
    with pytest.raises(UserError) as error:
        Manifest.load(tmp_path / "b")
    assert "manifest.json' is not valid: " in str(error.value) and message in str(error.value)


def test_no_bundle(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"is not a bundle: it has no manifest\.json"):
        Manifest.load(tmp_path)
    with pytest.raises(UserError, match="is not a folder"):
        Manifest.load(tmp_path / "none")
