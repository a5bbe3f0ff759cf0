"""How large programs are: bytes of the file, of memory while they run, of the planned arena."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from encoder_model import encoder
from light_models import light_model
from onnx import ModelProto
from small_models import residual_network

from autodeploy.analysis.memory_map import lower_bound
from autodeploy.codegen.c.read_program import find_program
from autodeploy.codegen.halide.compile_kernels import CompileKernelsPass
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.onnx.importer import import_model
from autodeploy.pipelines import stages
from autodeploy.toolchain.compiler import find_c_compiler, run

DIGIT = Path(__file__).parents[2] / "examples" / "mnist" / "mnist.onnx"
PROGRAM_BYTES = 250_000
"""What the digit network's program may have, its weights and the demo program included."""
PROCESS_BYTES = 12_000_000
"""What a process may have beside its weights and its arena: code, stacks, inputs, outputs."""
ARENA = 1.10
"""Bytes of an arena for each that is alive at once."""


@pytest.mark.exhaustive
@pytest.mark.usefixtures("needs_objects")
@pytest.mark.skipif(shutil.which("strip") is None, reason="no strip here")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_stripped_program_is_small(threads, tmp_path):
    folder = tmp_path / "bundle"
    compile_model(DIGIT, folder, CompileOptions(level=3, embed_weights=True, threads=threads))
    run(["make", "-s", "-C", str(folder)])
    run(["strip", str(folder / "mnist")])
    assert (folder / "mnist").stat().st_size <= PROGRAM_BYTES


@pytest.fixture(scope="module")
def launcher(tmp_path_factory):
    """A program that says how much memory another one had."""
    program = tmp_path_factory.mktemp("launcher") / "peak_memory"
    source = Path(__file__).parents[1] / "support" / "peak_memory.c"
    run([*find_c_compiler(), str(source), "-o", str(program)])
    return program


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in KiB on Linux")
@pytest.mark.parametrize(("name", "threads"), [("squeezenet", 1), ("resnet50", 2)])
def test_a_process_has_its_weights_its_arena_and_little_else(name, threads, tmp_path, launcher):
    folder = tmp_path / "bundle"
    model = light_model(name).SerializeToString()
    report = compile_model(model, folder, CompileOptions(level=3, threads=threads))
    manifest = report.manifest
    run(["make", "-s", "-C", str(folder)])
    (image,) = manifest.inputs
    image_file = tmp_path / "image.npy"
    np.save(image_file, np.ones(image.shape, np.float32))
    weights = folder / manifest.weights.file
    command = [launcher, folder / manifest.prefix, weights, image_file, "--threads", str(threads)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    peak = int(text.split("\npeak ")[1]) * 1024
    assert manifest.arena_lower_bound is not None
    assert manifest.arena_bytes <= ARENA * manifest.arena_lower_bound  # scratch included
    planned = manifest.weights.bytes + manifest.arena_bytes
    assert planned < peak + manifest.arena_bytes  # the weights are all there
    assert peak <= planned + PROCESS_BYTES


NETWORKS = {
    **{
        name: lambda name=name: light_model(name)
        for name in ("squeezenet", "shufflenet", "inception_v1", "inception_v2", "densenet121")
    },
    "resnet50": lambda: light_model("resnet50"),
    "encoder": lambda: encoder(in_parts=False),
    "residual": residual_network,
}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "threads"),
    [*((name, 2) for name in NETWORKS), ("squeezenet", 1), ("encoder", 1), ("residual", 1)],
)
def test_an_arena_is_hardly_larger_than_the_live_bytes(name, threads):
    model: ModelProto = NETWORKS[name]()
    context = new_context()
    module = import_model(context, model.SerializeToString())
    for stage in stages(3, "x86-64-avx512", threads=threads):
        for step in stage.passes:
            if not isinstance(step, CompileKernelsPass):  # kernels that work in the arena are above
                step.apply(context, module)
    program = find_program(module)
    assert program.arena_bytes is not None
    assert 0 < program.arena_bytes.value.data <= ARENA * lower_bound(program)
