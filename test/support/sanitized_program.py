"""Programs that AddressSanitizer and UndefinedBehaviorSanitizer watch; their kernels are C++."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from runtime_objects import make_bundle

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model

Runs = Iterable[tuple[Mapping[str, np.ndarray], Sequence[np.ndarray]]]
"""Inputs by name, and the outputs that are expected of them."""


def check_sanitized(
    model: bytes,
    folder: Path,
    runs: Runs,
    check: Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], None],
) -> None:
    """Run a model's program, which ends well, says nothing and has an arena as small as can be."""
    bundle = folder / "b"
    manifest = compile_model(model, bundle, CompileOptions(emit="c")).manifest
    assert manifest.arena_lower_bound == manifest.arena_bytes
    make_sanitized(bundle)
    for inputs, expected in runs:
        check(run_sanitized(bundle, inputs), expected)


def run_sanitized(
    bundle: Path, values: Mapping[str, np.ndarray], kind: str = "npy"
) -> list[np.ndarray]:
    """Return the outputs of a program with sanitizers, which reads files and prints nothing."""
    manifest, folder = Manifest.load(bundle), bundle.parent
    done, made = start_sanitized(manifest, bundle, values, folder, kind)
    assert (done.returncode, done.stderr) == (0, "")
    return [np.load(file) for file in made]


def start_sanitized(
    manifest: Manifest, bundle: Path, values: Mapping[str, np.ndarray], folder: Path, kind: str
) -> tuple[subprocess.CompletedProcess[str], list[Path]]:
    given = [folder / f"{entry.name}.{kind}" for entry in manifest.inputs]
    made = [folder / f"{entry.name}.npy" for entry in manifest.outputs]
    for file, entry in zip(given, manifest.inputs, strict=True):
        value = values[entry.name]
        value.tofile(file) if kind == "bin" else np.save(file, value)
    words = [word for file in made for word in ("--output", file)]
    weights = [path for path in [manifest.weights_path(bundle)] if path is not None]
    command = [bundle / f"{manifest.prefix}-sanitize", *weights, *given, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False), made


def make_sanitized(bundle: Path) -> None:
    """Build the program of a bundle with sanitizers; a warning is an error.

    These do not watch kernels, which are not optimised here: gcc takes half a minute for some.
    """
    make_bundle(bundle, ["sanitize"], {"CFLAGS": "-O1 -Werror", "CXXFLAGS": "-O0"})
