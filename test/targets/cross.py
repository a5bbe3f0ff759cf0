"""Building a model for another machine, and running its program there, or in an emulator."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnxruntime as ort
from onnx import ModelProto, save
from shared_data import ROOT as DATA
from small_models import (
    quantised_network,
    recurrent_network,
    residual_network,
    upsampling_network,
)

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.build_files import shared_library
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine
from autodeploy.machine.several import parse_machines
from autodeploy.toolchain.board import BoardProgram

EVERYTHING = os.environ.get("TARGETS") == "all"
"""Whether zig may build libraries that take minutes, and large models are run."""

ROOT = Path(__file__).parents[2]

_WASI = Path(__file__).parent / "run_wasi.mjs"


class NotHereError(Exception):
    """What a target needs is not installed."""


@dataclass(frozen=True)
class Target:
    """A machine, what zig calls it, the emulator that runs its programs, and who brings that.

    Without an emulator programs run here if they can. Those that ``may_be_linked`` are linked alone
    where nothing can run them.
    ``machine`` may be several, with commas. ``note`` tells targets of one machine apart.
    """

    machine: str
    triple: str
    emulator: tuple[str, ...] = ()
    package: str = ""
    threads: int = 1
    may_be_linked: bool = False
    note: str = ""

    @property
    def name(self) -> str:
        """Return what tells a target from all others."""
        return ", ".join(part for part in (self.machine, self.note) if part)


_USER = "the Debian package qemu-user"
_WINE = "the Debian package wine"
_SYSTEM = "the Debian package qemu-system-arm"
_ALL_X86 = "x86-64-sse41,x86-64-avx2,x86-64-avx512"
_MICROCONTROLLERS = ("cortex-m3", "cortex-m4", "cortex-m7")

TARGETS: Mapping[str, Target] = {
    target.name: target
    for target in (
        Target("x86-64", "x86_64-linux-musl", ("qemu-x86_64", "-cpu", "core2duo"), _USER),
        Target("x86-64-sse41", "x86_64-linux-musl", ("qemu-x86_64", "-cpu", "Nehalem"), _USER),
        Target("x86-64-avx2", "x86_64-linux-musl"),
        Target("x86-64-avx512", "x86_64-linux-musl"),
        Target("x86-64-zen4", "x86_64-linux-musl"),
        Target("x86-64-sapphirerapids", "x86_64-linux-musl"),
        Target(_ALL_X86, "x86_64-linux-musl"),
        Target(
            _ALL_X86,
            "x86_64-linux-musl",
            ("qemu-x86_64", "-cpu", "Nehalem"),
            _USER,
            note="on the least of them",
        ),
        Target("aarch64-neon", "aarch64-linux-musl", ("qemu-aarch64", "-cpu", "cortex-a53"), _USER),
        Target(
            "aarch64-neon",
            "aarch64-linux-musl",
            ("qemu-aarch64", "-cpu", "cortex-a53"),
            _USER,
            threads=2,
            note="threads",
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
        Target("x86-64-avx2:os=windows", "x86_64-windows-gnu", ("wine",), _WINE, 1, True),
        Target(
            "x86-64-avx2:os=windows",
            "x86_64-windows-gnu",
            ("wine",),
            _WINE,
            threads=2,
            may_be_linked=True,
            note="threads",
        ),
        Target("aarch64-neon:os=osx", "aarch64-macos", may_be_linked=True),
        Target("x86-64-avx2:os=osx", "x86_64-macos", may_be_linked=True),
        Target("scalar", ""),
        *(Target(cpu, "", ("qemu-system-arm",), _SYSTEM) for cpu in _MICROCONTROLLERS),
    )
}
"""All targets by name."""

SAMPLE, QUANTISED = "residual", "quantised"

MODELS: Mapping[str, Callable[[Path], Path | None]] = {
    "digits": lambda folder: ROOT / "examples" / "mnist" / "mnist.onnx",
    SAMPLE: lambda folder: _saved(residual_network(), folder / "residual.onnx"),
    "recurrent": lambda folder: _saved(recurrent_network(), folder / "recurrent.onnx"),
    "upsampling": lambda folder: _saved(upsampling_network(), folder / "upsampling.onnx"),
    QUANTISED: lambda folder: _saved(quantised_network(), folder / "quantised.onnx"),
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
    machine = _machines(target)[0]
    if target.machine == "scalar":
        return "cc", "cc"
    usual = machine.compiler
    if usual is not None and _builds(usual.command, machine.compiler_flags):
        return usual.command, usual.command
    wanted = "" if usual is None else usual.command
    if not target.triple:
        raise NotHereError(f"{wanted} is wanted, with a C library, see make test-targets")
    if find_spec("ziglang") is None or (target.may_be_linked and not EVERYTHING):
        wanted += " or " * bool(wanted)
        raise NotHereError(f"{wanted}the Python package ziglang is wanted, see make test-targets")
    return f"{sys.executable} -m ziglang cc -target {target.triple}", "zig cc"


def _machines(target: Target) -> list[Machine]:
    return list(parse_machines(target.machine).values())


@cache
def _builds(compiler: str, flags: tuple[str, ...]) -> bool:
    """Tell whether a compiler is there and has the libraries of its machine."""
    system = ["--specs=nosys.specs"] if flags else []
    with TemporaryDirectory() as folder:
        source = Path(folder) / "program.c"
        source.write_text("#include <math.h>\nint main(int n, char **a) { return !a[n]; }\n")
        words = [*compiler.split(), *flags, *system]
        command = [*words, str(source), "-lm", "-o", f"{folder}/program"]
        try:
            return subprocess.run(command, capture_output=True).returncode == 0
        except OSError:
            return False


def build_and_run(target: Target, model: Path, folder: Path) -> Outcome:
    """Compile and build a model for a target, run it there, and compare with onnxruntime.

    Raises ``NotHereError`` where a tool is missing or memory of a board, ``AssertionError`` where a
    step fails.
    """
    built = build(target, model, folder)
    if built.emulator is None:
        return Outcome(built.compiler, "linked only", None)
    random = np.random.default_rng(0)
    values = {
        entry.name: random.random(entry.shape).astype(entry.dtype)
        for entry in built.manifest.inputs
    }
    found = built.run(values)
    quiet = ort.SessionOptions()
    quiet.log_severity_level = 3
    expected = ort.InferenceSession(str(model), quiet).run(None, values)
    error = max(
        _error(found[f.name], e) for f, e in zip(built.manifest.outputs, expected, strict=True)
    )
    runner = built.emulator[0] if built.emulator else "this machine"
    return Outcome(built.compiler, runner, error)


@dataclass(frozen=True)
class Built:
    """A program that is built for a target; without ``emulator`` nothing runs it."""

    target: Target
    manifest: Manifest
    folder: Path
    compiler: str
    emulator: tuple[str, ...] | None

    def run(self, values: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the outputs by name."""
        assert self.emulator is not None
        if not _machines(self.target)[0].has_system:
            board = self.board()
            found = board.run(values)
            assert board.stack_used is not None and self.manifest.stack_bytes is not None
            assert board.stack_used <= self.manifest.stack_bytes, board.stack_used
            return found
        given = [values[entry.name] for entry in self.manifest.inputs]
        found = _run_with_system(self.target, self.manifest, self.folder, self.emulator, given)
        names = (entry.name for entry in self.manifest.outputs)
        return dict(zip(names, found, strict=True))

    def board(self) -> BoardProgram:
        """Return the program for a board; it runs the library that was built."""
        assert self.emulator is not None
        try:
            return BoardProgram(self.folder / "bundle", self.emulator)
        except UserError as error:
            raise NotHereError(str(error)) from None


def build(target: Target, model: Path, folder: Path) -> Built:
    """Compile and build a model for a target; raises as ``build_and_run`` does."""
    machine = _machines(target)[0]
    command, called = compiler_for(target)
    emulator = _emulator(target)
    bundle = folder / "bundle"
    options = CompileOptions(machine=target.machine, threads=target.threads)
    manifest = compile_model(model, bundle, options).manifest
    # An emulator has no libraries of the machine, but for what is in the program.
    is_static = machine.has_system and machine.os not in ("osx", "wasmrt")
    flags = ["LDFLAGS=-static"] * is_static
    make = ["make", "-s", "-C", str(bundle), f"CC={command}", *flags]
    _checked(make)
    if target.may_be_linked:
        _checked([*make, "lib"])
        library = bundle / shared_library(manifest.prefix, machine)
        assert library.is_file(), library
    return Built(target, manifest, folder, called, emulator)


def _run_with_system(
    target: Target,
    manifest: Manifest,
    folder: Path,
    emulator: Sequence[str],
    values: Sequence[np.ndarray],
) -> list[np.ndarray]:
    """Run the demo program of a bundle on files, and return its outputs."""
    suffix = ".exe" if _machines(target)[0].os == "windows" else ""
    arguments = [f"bundle/{manifest.prefix}{suffix}", f"bundle/{manifest.weights.file}"]
    for number, value in enumerate(values):
        np.save(folder / f"in{number}.npy", value)
        arguments.append(f"in{number}.npy")
    outputs = [f"out{number}.npy" for number in range(len(manifest.outputs))]
    for output in outputs:
        arguments += ["--output", output]
    if target.threads > 1:
        arguments += ["--threads", str(target.threads)]
    _checked([*emulator, *arguments], folder)
    return [np.load(folder / output) for output in outputs]


def _emulator(target: Target) -> tuple[str, ...] | None:
    """Return the words in front of a program, ``None`` where it is not run."""
    if target.emulator and shutil.which(target.emulator[0]) is not None:
        return target.emulator
    if target.may_be_linked:
        return None
    if target.emulator:
        raise NotHereError(f"{target.package} is not installed")
    for machine in _machines(target):
        obstacle = None if target.machine == "scalar" else Machine.host().obstacle(machine)
        if obstacle is not None:
            raise NotHereError(f"this machine cannot run it: {obstacle}")
    return ()


def _error(found: np.ndarray, expected: np.ndarray) -> float:
    assert found.shape == expected.shape, (found.shape, expected.shape)
    assert np.isfinite(found).all()
    return float(np.abs(found - expected).max() / np.abs(expected).max())


@cache
def _wine_folder() -> str:
    """Return a folder for the drives of Wine, which takes half a minute to set them up."""
    folder = TemporaryDirectory(ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    return folder.name


def _checked(command: list[str], folder: Path | None = None) -> None:
    environment = {**os.environ, "WINEDEBUG": "-all", "WINEPREFIX": f"{_wine_folder()}/wine"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=600, env=environment
    )
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
