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
def test_features_that_a_processor_lacks(
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
    assert done.stderr.splitlines()[-1] == lacks(lacking)


def lacks(name: str) -> str:
    return (
        f"mnist: error: the kernels use {name}, which this processor or its operating system lacks"
    )


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bundle of a program for several machines, and an input."""
    if shutil.which("qemu-x86_64") is None:
        pytest.skip("the Debian package qemu-user is not installed")
    folder = tmp_path_factory.mktemp("several")
    model = ROOT / "examples" / "mnist" / "mnist.onnx"
    machines = "x86-64-sse41,x86-64-avx2,x86-64-avx512"
    entry = compile_model(model, folder / "out", CompileOptions(machine=machines)).manifest
    np.save(folder / "x.npy", np.zeros(entry.inputs[0].shape, np.float32))
    (folder / "which.c").write_text(WHICH)
    subprocess.run(
        ["make", "-s", "-C", folder / "out", "LDFLAGS=-static", "libmnist.a"], check=True
    )
    command = ["cc", "-static", "-Iout", "which.c", "out/libmnist.a", "-lm", "-o", "which"]
    subprocess.run(command, cwd=folder, check=True)
    return folder


WHICH = r"""
#include "mnist.h"
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    static float image[28 * 28], scores[10];
    char message[200] = "";
    mnist_context *context;
    mnist_options options;
    memset(&options, 0, sizeof options);
    options.weights_path = "out/mnist.weights";
    options.machine = argc > 1 ? argv[1] : NULL;
    options.message = message;
    options.message_bytes = sizeof message;
    if (mnist_init(&context, &options) == MNIST_ERROR_PROCESSOR) {
        printf("%s\n", message);
        return 0;
    }
    if (mnist_predict(context, image, scores) != MNIST_OK) {
        return 1;
    }
    printf("%s\n", mnist_machine(context));
    mnist_free(context);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("processor", "machine", "said"),
    [
        ("Nehalem", None, "x86-64-sse41"),
        ("Haswell", None, "x86-64-avx2"),
        ("Haswell", "x86-64-sse41", "x86-64-sse41"),
        ("Haswell", "x86-64-avx512", "the kernels use avx512f, which this processor or"),
        ("core2duo", None, "the kernels use sse4.1, which this processor or"),
    ],
)
def test_which_of_several_programs_a_processor_runs(
    several: Path, processor: str, machine: str | None, said: str
) -> None:
    words = [] if machine is None else [machine]
    command = ["qemu-x86_64", "-cpu", processor, "./which", *words]
    done = subprocess.run(command, cwd=several, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(said)
