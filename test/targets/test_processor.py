"""A program says so where its kernels use what the processor lacks, instead of ending at it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from cross import ROOT

from autodeploy import CompileOptions, compile_model


@pytest.mark.parametrize(
    ("machine", "processor", "lacking"),
    [
        ("x86-64-avx2", "Nehalem", "avx"),
        ("x86-64-avx2", "Haswell", None),
        ("x86-64-avx512", "Haswell", "avx512f"),
        ("x86-64-sse41", "core2duo", "sse4.1"),
    ],
)
def test_what_a_processor_lacks(
    tmp_path: Path, machine: str, processor: str, lacking: str | None
) -> None:
    if shutil.which("qemu-x86_64") is None:
        pytest.skip("the Debian package qemu-user is not installed")
    model = ROOT / "examples" / "mnist" / "mnist.onnx"
    entry = compile_model(model, tmp_path / "out", CompileOptions(machine=machine)).manifest
    np.save(tmp_path / "x.npy", np.zeros(entry.inputs[0].shape, np.float32))
    subprocess.run(["make", "-s", "-C", tmp_path / "out", "LDFLAGS=-static"], check=True)
    command = ["qemu-x86_64", "-cpu", processor, "out/mnist", "out/mnist.weights", "x.npy"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    if lacking is None:
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode == 1
    # The emulator warns of what it does not emulate.
    assert done.stderr.splitlines()[-1] == (
        f"mnist: error: the kernels use {lacking}, which this processor or its operating system "
        "lacks"
    )
