"""Programs that AddressSanitizer and UndefinedBehaviorSanitizer watch; their kernels are C++."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from runtime_objects import make_bundle

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
    given = [folder / f"{entry.name}.npy" for entry in manifest.inputs]
    made = [folder / f"{entry.name}.npy" for entry in manifest.outputs]
    words = [word for file in made for word in ("--output", file)]
    weights = [path for path in [manifest.weights_path(bundle)] if path is not None]
    program = bundle / f"{manifest.prefix}-sanitize"
    for inputs, expected in runs:
        for file, entry in zip(given, manifest.inputs, strict=True):
            np.save(file, inputs[entry.name])
        command = [program, *weights, *given, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        check([np.load(file) for file in made], expected)


def make_sanitized(bundle: Path) -> None:
    """Build the program of a bundle with sanitizers.

    These do not watch kernels, which are not optimised here: gcc takes half a minute for some.
    """
    make_bundle(bundle, ["sanitize"], {"CXXFLAGS": "-O0"})
