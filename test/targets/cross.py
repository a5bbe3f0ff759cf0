"""Building a model for another machine, and running its program there, or in an emulator."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnxruntime as ort
from onnx import ModelProto, save
from shared_data import ROOT as DATA
from small_models import recurrent_network, residual_network, upsampling_network

from autodeploy import CompileOptions, compile_model
from autodeploy.machine import Machine

EVERYTHING = os.environ.get("TARGETS") == "all"
"""Whether zig may build libraries that take minutes, and large models are run."""

ROOT = Path(__file__).parents[2]

_WASI = Path(__file__).parent / "run_wasi.mjs"


class NotHereError(Exception):
    """What a target needs is not installed."""


@dataclass(frozen=True)
class Target:
    """A machine, what zig calls it, the emulator that runs its programs, and who brings that.

    Without an emulator programs run here if they can; those that are ``only_linked`` never run.
    """

    machine: str
    triple: str
    emulator: tuple[str, ...] = ()
    package: str = ""
    threads: int = 1
    only_linked: bool = False


_USER = "the Debian package qemu-user"

TARGETS: Mapping[str, Target] = {
    target.machine if target.threads == 1 else f"{target.machine}, threads": target
    for target in (
        Target("x86-64", "x86_64-linux-musl", ("qemu-x86_64", "-cpu", "core2duo"), _USER),
        Target("x86-64-sse41", "x86_64-linux-musl", ("qemu-x86_64", "-cpu", "Nehalem"), _USER),
        Target("x86-64-avx2", "x86_64-linux-musl"),
        Target("x86-64-avx512", "x86_64-linux-musl"),
        Target("aarch64-neon", "aarch64-linux-musl", ("qemu-aarch64", "-cpu", "cortex-a53"), _USER),
        Target(
            "aarch64-neon",
            "aarch64-linux-musl",
            ("qemu-aarch64", "-cpu", "cortex-a53"),
            _USER,
            threads=2,
        ),
        Target(
            "aarch64-neon-dotprod",
            "aarch64-linux-musl",
            ("qemu-aarch64", "-cpu", "cortex-a76"),
            _USER,
        ),
        Target("arm-neon", "arm-linux-musleabihf", ("qemu-arm", "-cpu", "cortex-a15"), _USER),
        Target(
            "riscv64-rvv128",
            "riscv64-linux-musl",
            ("qemu-riscv64", "-cpu", "rv64,v=true,vext_spec=v1.0,vlen=128"),
            _USER,
        ),
        Target(
            "wasm32-simd128",
            "wasm32-wasi",
            ("node", "--no-warnings", str(_WASI)),
            "the Debian package nodejs",
        ),
        Target("x86-64-avx2:os=windows", "x86_64-windows-gnu", only_linked=True),
        Target("x86-64-avx2:os=windows", "x86_64-windows-gnu", threads=2, only_linked=True),
        Target("aarch64-neon:os=osx", "aarch64-macos", only_linked=True),
        Target("x86-64-avx2:os=osx", "x86_64-macos", only_linked=True),
    )
}
"""All targets by name."""

SAMPLE = "residual"

MODELS: Mapping[str, Callable[[Path], Path | None]] = {
    "digits": lambda folder: ROOT / "examples" / "mnist" / "mnist.onnx",
    SAMPLE: lambda folder: _saved(residual_network(), folder / "residual.onnx"),
    "recurrent": lambda folder: _saved(recurrent_network(), folder / "recurrent.onnx"),
    "upsampling": lambda folder: _saved(upsampling_network(), folder / "upsampling.onnx"),
    "ultraface": lambda folder: _shared("models/ultraface/version-RFB-320_simplified.onnx"),
}
"""What is run: a file, written to a folder where there is none; ``None`` where it is missing."""


def _saved(model: ModelProto, path: Path) -> Path:
    save(model, path)
    return path


def _shared(path: str) -> Path | None:
    found = DATA / path
    return found if found.exists() else None


@dataclass(frozen=True)
class Outcome:
    """Which compiler built a program, what ran it, and its largest error.

    The error is relative to the largest number of the output; ``None`` where nothing ran.
    """

    compiler: str
    runner: str
    error: float | None


def compiler_for(target: Target) -> tuple[str, str]:
    """Return a command that compiles C for a target, and what it is called.

    The compiler that the Makefile of a bundle takes by itself stands first, zig's second.
    """
    usual = Machine.parse(target.machine).compiler
    if usual is not None and _builds(usual.command):
        return usual.command, usual.command
    if find_spec("ziglang") is None or (target.only_linked and not EVERYTHING):
        wanted = "" if usual is None else f"{usual.command} or "
        raise NotHereError(f"{wanted}the Python package ziglang is wanted, see make test-targets")
    return f"{sys.executable} -m ziglang cc -target {target.triple}", "zig cc"


@cache
def _builds(compiler: str) -> bool:
    """Tell whether a compiler is there and has the libraries of its machine."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "program.c"
        source.write_text("#include <math.h>\nint main(int n, char **a) { return !a[n]; }\n")
        command = [*compiler.split(), str(source), "-lm", "-o", f"{folder}/program"]
        try:
            return subprocess.run(command, capture_output=True).returncode == 0
        except OSError:
            return False


def build_and_run(target: Target, model: Path, folder: Path) -> Outcome:
    """Compile and build a model for a target, run it there, and compare with onnxruntime.

    Raises ``NotHereError`` where a tool is missing, ``AssertionError`` where a step fails.
    """
    machine = Machine.parse(target.machine)
    command, called = compiler_for(target)
    emulator = _emulator(target, machine)
    bundle = folder / "bundle"
    options = CompileOptions(machine=target.machine, threads=target.threads)
    manifest = compile_model(model, bundle, options).manifest
    name = manifest.prefix
    # An emulator has no libraries of the machine, but for what is in the program.
    flags = [] if machine.os in ("osx", "wasmrt") else ["LDFLAGS=-static"]
    _checked(["make", "-s", "-C", str(bundle), f"CC={command}", *flags])
    if target.only_linked:
        return Outcome(called, "linked only", None)
    arguments = [str(bundle / name), str(bundle / manifest.weights.file)]
    values = {}
    random = np.random.default_rng(0)
    for number, entry in enumerate(manifest.inputs):
        file = folder / f"in{number}.npy"
        values[entry.name] = random.random(entry.shape).astype(entry.dtype)
        np.save(file, values[entry.name])
        arguments.append(str(file))
    outputs = [folder / f"out{number}.npy" for number in range(len(manifest.outputs))]
    for output in outputs:
        arguments += ["--output", str(output)]
    if target.threads > 1:
        arguments += ["--threads", str(target.threads)]
    relative = [argument.replace(f"{folder}/", "") for argument in arguments]
    _checked([*emulator, *relative], folder)
    quiet = ort.SessionOptions()
    quiet.log_severity_level = 3
    expected = ort.InferenceSession(str(model), quiet).run(None, values)
    error = max(_error(np.load(o), e) for o, e in zip(outputs, expected, strict=True))
    return Outcome(called, emulator[0] if emulator else "this machine", error)


def _emulator(target: Target, machine: Machine) -> tuple[str, ...]:
    if target.only_linked:
        return ()
    if target.emulator:
        if shutil.which(target.emulator[0]) is None:
            raise NotHereError(f"{target.package} is not installed")
    elif (obstacle := Machine.host().obstacle(machine)) is not None:
        raise NotHereError(f"this machine cannot run it: {obstacle}")
    return target.emulator


def _error(found: np.ndarray, expected: np.ndarray) -> float:
    assert found.shape == expected.shape, (found.shape, expected.shape)
    assert np.isfinite(found).all()
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def _checked(command: list[str], folder: Path | None = None) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
