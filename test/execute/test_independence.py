"""A result depends only on what its operator reads: no sample reaches another one.

One sample is nan, infinite, 1e30 or 10,000 times as large; the others come out as if it were not
there. Programs for two threads run with one, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from independent import VALUES, Independent, independent, independent_codes

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.templates.registry import templates_by_rank
from autodeploy.toolchain.session import Session, load_bundle

RELATIVE = 1e-5
"""Of the largest element of each sample."""

MACHINE = "x86-64-avx2:l2=64K:parallel_work=1"
"""Bands pay for small images, and cores share small kernels."""

TEMPLATES = {name for name, _ in templates_by_rank()} - {"amx"}
"""Those for floats; tile registers hold sums of codes on machines that have them."""

QUICK = (3, 2)
"""Level and threads of the quick run."""


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("level", "threads"),
    [
        pytest.param(*case, marks=() if case == QUICK else pytest.mark.exhaustive)
        for case in product(range(4), (1, 2))
    ],
)
def test_samples_are_independent(level: int, threads: int, tmp_path: Path) -> None:
    net = independent()
    model = net.model.proto().SerializeToString()
    compile_model(model, tmp_path, CompileOptions(level=level, threads=threads, machine=MACHINE))
    if level == 3:
        used = {kernel.algorithm for kernel in Manifest.load(tmp_path).kernels}
        assert used == TEMPLATES
    for running in range(1, threads + 1):
        with load_bundle(tmp_path, threads=running) as session:
            _check(net, session)


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [1, 3])
def test_samples_of_codes_are_independent(level: int, tmp_path: Path) -> None:
    net = independent_codes()
    options = CompileOptions(level=level, threads=2, machine="host")
    compile_model(net.model.proto().SerializeToString(), tmp_path, options)
    if level == 3:
        used = {kernel.algorithm for kernel in Manifest.load(tmp_path).kernels}
        assert used >= {"direct_conv", "grouped_conv", "depthwise", "gemm"}
    for running in (1, 2):
        with load_bundle(tmp_path, threads=running) as session:
            _check(net, session)


def _check(net: Independent, session: Session) -> None:
    """Compare the results that a spoiled sample must not reach with those of ordinary samples."""
    expected = _run(session, net.model.inputs)
    for chosen, value in product(net.rounds(), VALUES):
        inputs = dict(net.model.inputs)
        for _, samples, part in chosen:
            samples.spoil(inputs, part, value)
        found = _run(session, inputs)
        for template, samples, part in chosen:
            whole, ordinary = found[samples.result], expected[samples.result]
            error = _worst(samples.others(whole, part), samples.others(ordinary, part))
            assert error <= RELATIVE, f"{template}: {value} in part {part} of {samples}"
            assert not np.array_equal(whole, ordinary), f"{samples} is not read"


def test_each_template_has_samples() -> None:
    assert {*independent().samples} == TEMPLATES


def _run(session: Session, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: array.copy() for name, array in session.run(inputs).items()}


def _worst(found: np.ndarray, ordinary: np.ndarray) -> float:
    """Return the largest error of a row, by its largest element."""
    error = np.abs(found - ordinary).max(1) / np.abs(ordinary).max(1)
    return np.inf if np.isnan(error).any() else float(error.max())
