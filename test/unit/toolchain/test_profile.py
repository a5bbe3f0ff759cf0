"""Kernels of a bundle, timed one by one through its own driver."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner
from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.universe import Universe

from autodeploy.codegen.bundle.bundle import write_bundle
from autodeploy.codegen.c.read_program import read_program
from autodeploy.codegen.halide.kernels import Emit, compile_pipelines
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.machine import Machine
from autodeploy.toolchain import limits
from autodeploy.toolchain.limits import Limits
from autodeploy.toolchain.profile import COPIES, DRIVER, profile_bundle
from autodeploy.tools.bench import bench

MODEL = """
driver.program @profile inputs ["x", "n"] outputs ["y", "m"] arena 64 weights 32 {
^bb0(%x: memref<2x4xf32>, %n: memref<3xi64>, %y: memref<2x4xf32>, %m: memref<3xi64>):
  %w = driver.weight #nn.dense<"0x0000803F" : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>
  %flat = driver.view %x : memref<2x4xf32> to memref<8xf32>
  %b = driver.buffer {offset = 0 : i64} : memref<8xf32>
  %out = driver.view %y : memref<2x4xf32> to memref<8xf32>
  driver.call @twice(%flat) to (%b) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @memcpy(%b, %w) to (%b) : (memref<8xf32>, memref<8xf32>) to (memref<8xf32>)
  driver.call @twice(%b) to (%out) : (memref<8xf32>) to (memref<8xf32>)
  driver.copy %n to %m : memref<3xi64> to memref<3xi64>
}
halide.pipeline @twice(%a: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>)
    config<plain> {
  %f = halide.func "f"(x %x) : f32 {
    %0 = halide.load %a[%x] : !halide.buffer<f32, [8]> to f32
    %1 = halide.add %0, %0 : f32
    halide.yield %1 : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}
halide.pipeline @memcpy(%a: !halide.buffer<f32, [8]>, %b: !halide.buffer<f32, [8]>)
    to (%o: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(x %x) : f32 {
    %0 = halide.load %a[%x] : !halide.buffer<f32, [8]> to f32
    %1 = halide.load %b[%x] : !halide.buffer<f32, [8]> to f32
    %2 = halide.mul %0, %1 : f32
    %3 = halide.add %2, %1 : f32
    halide.yield %3 : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}
"""


def write(folder: Path, emit: Emit = "object") -> Path:
    """Write a bundle of three calls of two kernels, one of an awkward name, and a copy."""
    ctx = Context()
    for name, factory in Universe.get_multiverse().all_dialects.items():
        ctx.register_dialect(name, factory)
    module = Parser(ctx, MODEL).parse_module()
    program = read_program(module)
    kernels = compile_pipelines(
        module,
        Machine.host(),
        directory=folder / "kernels",
        emit=emit,
        symbols=program.symbols,
    )
    bundle = folder / "bundle"
    write_bundle(ctx, module, kernels, bundle)
    return bundle


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("profile"))


def test_calls_and_work_of_a_run(bundle: Path) -> None:
    found = {kernel.name: kernel for kernel in profile_bundle(bundle, 3)}
    assert list(found) == ["twice", "memcpy", COPIES, DRIVER]
    twice, other = found["twice"], found["memcpy"]
    assert (twice.calls, twice.operations, twice.bytes) == (2, 2 * 8, 2 * 2 * 8 * 4)
    assert (other.calls, other.operations, other.bytes) == (1, 2 * 8, 3 * 8 * 4)
    assert (twice.algorithm, other.algorithm) == ("plain", None)
    assert found[COPIES].calls == 1
    assert all(kernel.seconds > 0 for kernel in (twice, other))


def test_kernels_as_source(tmp_path: Path) -> None:
    kernels = profile_bundle(write(tmp_path, "c"), 1)
    assert [kernel.calls for kernel in kernels] == [2, 1, 1, 1]


def test_the_bundle_is_still_its_own(bundle: Path) -> None:
    profile_bundle(bundle, 1)
    before = sorted(path.name for path in bundle.iterdir())
    profile_bundle(bundle, 1)
    assert sorted(path.name for path in bundle.iterdir()) == before
    write_again = write(bundle.parent / "again")
    profile_bundle(write_again, 1)
    assert write(bundle.parent / "again") == write_again


@pytest.mark.parametrize(("rounds", "threads"), [(0, 1), (1, 0)])
def test_numbers_below_one(bundle: Path, rounds: int, threads: int) -> None:
    with pytest.raises(UserError, match="at least 1"):
        profile_bundle(bundle, rounds, threads)


def test_no_bundle(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a bundle"):
        profile_bundle(tmp_path)


def test_a_bundle_without_the_nodes_of_its_kernels(tmp_path: Path) -> None:
    folder = write(tmp_path)
    text = next(folder.glob("*.mlir"))
    text.write_text(MODEL.replace("@twice", "@thrice"))
    with pytest.raises(UserError, match=r"has no halide\.pipeline 'twice'"):
        profile_bundle(folder)
    text.unlink()
    with pytest.raises(UserError, match="does not exist"):
        profile_bundle(folder)


def test_damaged_weights(tmp_path: Path) -> None:
    folder = write(tmp_path)
    weights = next(folder.glob("*.weights"))
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(ToolchainError, match="'profile' failed"):
        profile_bundle(folder, 1)


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    """The command, on a machine of known limits."""
    known = Limits(123.0, 99.0, 10.0, 20.0, (("L1", 32 << 10, 100.0),))
    monkeypatch.setattr(limits, "measure_limits", lambda folder: known)
    app = typer.Typer()
    app.command()(bench)
    return app


def test_the_command_prints_a_table(app: typer.Typer, bundle: Path) -> None:
    result = CliRunner().invoke(app, [str(bundle), "--rounds", "2"])
    assert result.exit_code == 0
    rows = [line for line in result.output.splitlines() if "twice" in line]
    assert len(rows) == 1
    assert "plain" in rows[0]
    assert "bound by" in result.output
    assert "L1" in rows[0]
    arithmetic = "123.0 GFLOP/s, 99.0 with operands from L1"
    assert f"one core at best: {arithmetic}; GB/s: L1 100.0, memory 10.0" in result.output


def test_the_command_prints_json(app: typer.Typer, bundle: Path) -> None:
    result = CliRunner().invoke(app, [str(bundle), "--rounds", "2", "--json"])
    entries = json.loads(result.output)
    assert [(entry["name"], entry["calls"]) for entry in entries[:2]] == [
        ("twice", 2),
        ("memcpy", 1),
    ]
    assert [entry["bound"] for entry in entries] == ["L1", "L1", "", ""]
