"""One program for several machines, which chooses one when it starts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest
from small_models import residual_network

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.weight_file import HEADER_BYTES
from autodeploy.codegen.c.program import Program
from autodeploy.codegen.c.read_program import read_program
from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import find_c_compiler, run, run_make
from autodeploy.toolchain.evaluate import evaluate_bundle
from autodeploy.toolchain.kernel_costs import read_module
from autodeploy.toolchain.profile import DRIVER, profile_bundle
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools.report.facts import collect

MACHINES = ("x86-64-avx512", "x86-64-avx2", "x86-64-sse41")
"""The best one first."""

HERE = [name for name in MACHINES if Machine.host().obstacle(Machine.named(name)) is None]

pytestmark = [
    pytest.mark.skipif(not HERE, reason="this machine runs none of them"),
    pytest.mark.xdist_group("several_machines"),
]

CALLER = r"""
#include "residual.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs the network with memory of its own, on zeros; prints the machine and a number. */
int main(int argc, char **argv)
{
    static float x[2 * 3 * 20 * 18], y[2 * 10];
    char message[200] = "";
    residual_context *context;
    residual_options options;
    uint8_t *memory = (uint8_t *)malloc(RESIDUAL_ARENA_BYTES + residual_context_bytes() + 128);
    residual_status status;
    memset(&options, 0, sizeof options);
    options.weights_path = argv[1];
    options.machine = argc > 2 ? argv[2] : NULL;
    options.arena = memory + 64 - (uintptr_t)memory % 64;
    options.arena_bytes = RESIDUAL_ARENA_BYTES;
    options.context = (uint8_t *)options.arena + RESIDUAL_ARENA_BYTES;
    options.context_bytes = residual_context_bytes();
    options.message = message;
    options.message_bytes = sizeof message;
    status = residual_init(&context, &options);
    if (status != RESIDUAL_OK) {
        printf("%d %d %s\n", status == RESIDUAL_ERROR_ARGUMENT, context == NULL, message);
        return 0;
    }
    if (residual_predict(context, x, y) != RESIDUAL_OK) {
        return 1;
    }
    printf("%s %.5f\n", residual_machine(context), y[3]);
    printf("%s %d %d\n", residual_machine_name(2), residual_machine_name(3) == NULL,
           residual_machine_name(-1) == NULL);
    residual_free(context);
    free(memory);
    return 0;
}
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle for all of the machines; they are not named in the order in which they stand."""
    folder = tmp_path_factory.mktemp("several") / "bundle"
    named = ",".join((MACHINES[1], MACHINES[2], MACHINES[0]))
    options = CompileOptions(machine=named, threads=2)
    compile_model(residual_network().SerializeToString(), folder, options)
    return folder


def programs(bundle: Path) -> list[Program]:
    variants = Manifest.load(bundle).variants
    return [read_program(read_module(bundle / variant.text)) for variant in variants]


@pytest.fixture(scope="module")
def image() -> np.ndarray:
    return np.random.default_rng(3).standard_normal((2, 3, 20, 18)).astype(np.float32)


@pytest.mark.parametrize("machine", [None, *HERE])
@pytest.mark.parametrize("threads", [1, 2])
def test_each_program_agrees_with_onnxruntime(bundle, image, machine, threads):
    with load_bundle(bundle, machine=machine, threads=threads) as session:
        assert session.machine == (machine or HERE[0])
        (found,) = session.run(image).values()
    network = ort.InferenceSession(residual_network().SerializeToString())
    (expected,) = network.run(None, {"x": image})
    assert np.abs(found - expected).max() <= 1e-4 * expected.max()


def test_the_chosen_variant_exists(bundle):
    with pytest.raises(UserError, match="has no program for machine 'x86-64', it has those for x8"):
        load_bundle(bundle, machine="x86-64")


@pytest.mark.exhaustive
def test_a_weight_is_stored_once(bundle):
    manifest, found = Manifest.load(bundle), programs(bundle)
    data = (bundle / manifest.weights.file).read_bytes()
    places = {(w.content, str(w.value.type)): w.offset for p in found for w in p.weights}
    sizes = {w.offset: w.bytes for p in found for w in p.weights}
    for program in found:
        for weight in program.weights:
            assert places[weight.content, str(weight.value.type)] == weight.offset
    assert len(places) == len(sizes)
    # The file has the weights of all, and less than one file for each would have.
    assert len(data) == HEADER_BYTES + found[0].data_bytes == manifest.weights.bytes
    rounded = {offset: -(-size // 64) * 64 for offset, size in sizes.items()}
    assert sum(rounded.values()) == found[0].data_bytes
    alone = [sum(rounded[offset] for offset in {w.offset for w in p.weights}) for p in found]
    assert max(alone) < found[0].data_bytes < sum(alone)
    assert len({p.weight_bytes for p in found}) == 1


def test_the_arena_is_large_enough_for_each(bundle):
    manifest = Manifest.load(bundle)
    sizes = [variant.arena_bytes for variant in manifest.variants]
    assert manifest.arena_bytes == max(sizes) > min(sizes)
    assert [variant.name for variant in manifest.variants] == list(MACHINES)
    assert [v.machine.isa for v in manifest.variants] == ["avx512", "avx2", "sse41"]
    assert manifest.machine is None
    assert Manifest.from_json(manifest.to_json()) == manifest
    files = {kernel.file for variant in manifest.variants for kernel in variant.kernels}
    assert files == {kernel.file for kernel in manifest.kernels}
    assert len(files) == len(manifest.kernels)


def test_a_caller_with_memory_of_its_own(bundle, tmp_path):
    run_make(bundle, ["lib"])
    (tmp_path / "caller.c").write_text(CALLER)
    program = str(tmp_path / "caller")
    library = [str(bundle / "libresidual.a"), "-lm", "-pthread"]
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{bundle}"]
    run([*find_c_compiler(), *flags, str(tmp_path / "caller.c"), *library, "-o", program])
    weights = str(bundle / "residual.weights")
    first, listed = run([program, weights]).splitlines()
    assert first.split()[0] == HERE[0]
    assert listed == f"{MACHINES[-1]} 1 1"
    for machine in HERE:
        chosen, _ = run([program, weights, machine]).splitlines()
        assert chosen.split()[0] == machine
        assert abs(float(chosen.split()[1]) - float(first.split()[1])) < 1e-4
    assert run([program, weights, "z80"]) == (
        f"1 1 there is no program for machine 'z80', there are those for {', '.join(MACHINES)}\n"
    )


def test_the_sources_are_silent(bundle):
    flags = "-O0 -Wall -Wextra -Wpedantic -Wconversion -Werror"
    run_make(bundle, ["clean"])
    run_make(bundle, ["all"], {"CFLAGS": flags})
    said = run([str(bundle / "residual"), "--info"])
    assert said.endswith("".join(f"machine {name}\n" for name in MACHINES))
    asked = [str(bundle / "residual"), str(bundle / "residual.weights"), "--machine"]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.stderr == "residual: error: option --machine takes a name; see --info\n"


@pytest.mark.exhaustive
def test_the_program_checked_for_errors_runs_each(bundle, image, tmp_path):
    run_make(bundle, ["sanitize"])
    np.save(tmp_path / "x.npy", image)
    for machine in HERE:
        words = ["residual.weights", str(tmp_path / "x.npy"), "--machine", machine]
        assert "nan" not in run(["./residual-sanitize", *words, "--threads", "2"], bundle)


@pytest.mark.exhaustive
def test_each_is_timed_kernel_by_kernel(bundle):
    for variant in Manifest.load(bundle).variants:
        if variant.name in HERE:
            times = profile_bundle(bundle, rounds=1, machine=variant.name)
            names = [time.symbol for time in times if time.name != DRIVER]
            assert names == [kernel.symbol for kernel in variant.kernels]
            assert all(time.calls for time in times)
    assert len(evaluate_bundle(bundle, 1, 1, machine=HERE[-1]).seconds) == 1


def test_a_report_is_about_one(bundle):
    facts = collect(bundle, 0, 1, machine=MACHINES[-1])
    assert facts.manifest.machine == Machine.named("x86-64-sse41").with_settings([("cores", "2")])
    assert {step.kernel for step in facts.steps} >= {k.name for k in facts.manifest.kernels}
    assert collect(bundle, 0, 1).manifest.variants[0].name == HERE[0]
    with pytest.raises(UserError, match="has no program for machine 'z80'"):
        collect(bundle, 0, 1, machine="z80")


@pytest.mark.exhaustive
@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not on the path")
def test_weights_that_are_linked_in_and_cmake(image, tmp_path):
    folder = tmp_path / "bundle"
    options = CompileOptions(machine="x86-64-sse41,x86-64", embed_weights=True, level=2)
    manifest = compile_model(residual_network().SerializeToString(), folder, options).manifest
    assert manifest.weights.embedded
    with load_bundle(folder, machine="x86-64") as old, load_bundle(folder) as new:
        assert (old.machine, new.machine) == ("x86-64", "x86-64-sse41")
        (one,), (other,) = old.run(image).values(), new.run(image).values()
    np.testing.assert_allclose(one, other, atol=1e-5)
    run(["cmake", "-S", str(folder), "-B", "build", f"-DCMAKE_INSTALL_PREFIX={tmp_path}"], tmp_path)
    run(["cmake", "--build", "build"], tmp_path)
    run(["cmake", "--install", "build"], tmp_path)
    assert (tmp_path / "lib" / "libresidual.a").exists()
    assert (tmp_path / "include" / "residual.h").exists()


@pytest.mark.parametrize(
    ("machines", "emit", "said"),
    [
        (
            "x86-64-avx2,x86-64-avx2",
            "object",
            "'x86-64-avx2' and 'x86-64-avx2' have the same instr",
        ),
        ("x86-64-avx2,x86-64-avx2:l2=1M", "object", "nothing tells a program which one it runs on"),
        ("x86-64-avx2,aarch64-neon", "object", "only programs for x86-64 .* 'aarch64-neon' is arm"),
        ("x86-64-avx2,x86-64:os=windows", "object", "have one operating system, .*-64-windows$"),
        ("x86-64-avx2,", "object", "unknown machine ''"),
        ("x86-64-avx2,x86-64-avx3", "object", "unknown machine 'x86-64-avx3'; did you mean"),
        ("x86-64-avx2,x86-64", "c", "kernels as C.* found 2 machines; name one, or take object"),
    ],
)
def test_machines_that_do_not_go_together(machines, emit, said, tmp_path):
    with pytest.raises(UserError, match=said):
        options = CompileOptions(machine=machines, emit=emit)
        compile_model(residual_network().SerializeToString(), tmp_path / "new", options)
    assert not (tmp_path / "new").exists()


@pytest.mark.exhaustive
def test_machines_whose_names_are_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("weights", "a.b", "a-b"):
        Path(f"{name}.toml").write_text('target = "x86-64-linux-sse41"\n')
    Path("a-b.toml").write_text('target = "x86-64-linux"\n')
    model = residual_network().SerializeToString()
    for machines, said in (
        ("weights.toml,x86-64", "machine 'weights' has the name of something else in C"),
        ("a.b.toml,a-b.toml", "machine 'a-b' has the name of machine 'a.b' in C; give it another"),
    ):
        with pytest.raises(UserError, match=said):
            compile_model(model, "new", CompileOptions(machine=machines, level=0))
        assert not Path("new").exists()
