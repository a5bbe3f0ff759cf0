"""Winograd convolutions of images whose size only a run knows, against onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest
from configured import compile_configured
from open_images import filtered, filtered_columns, filtered_lines, filtered_to_one
from open_inner import drawn, poison
from open_runs import expected
from sanitized_program import make_sanitized, run_sanitized

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import Session, load_bundle

RELATIVE = 1e-4
"""What is promised of Winograd, relative to the largest result."""

RANGES = (
    (filtered, OpenSpec(("n",), 1, 45)),
    (filtered, OpenSpec(("n",), 8, 64, 4)),
    (filtered_lines, OpenSpec(("n",), 3, 57)),
    (filtered_lines, OpenSpec(("n",), 19, 57)),
    (filtered_columns, OpenSpec(("n",), 4, 50)),
    (filtered_to_one, OpenSpec(("n",), 4, 20)),
)


def compiled(make, spec: OpenSpec, folder, m: int, knobs: str = "", **options):
    """Compile a network all of whose convolutions are F(m x m, 3 x 3)."""
    model = make()
    config = f"#nn.config<winograd, transform = [{m}]{knobs}>"
    all_ = CompileOptions(dynamic=spec, level=3, **options)
    compile_configured(model.SerializeToString(), folder, all_, {ConvOp: config})
    algorithms = {kernel.algorithm for kernel in Manifest.load(folder).kernels}
    assert "winograd" in algorithms
    assert "direct_conv" not in algorithms
    return model


def close(found: np.ndarray, right: np.ndarray) -> None:
    assert found.shape == right.shape
    assert np.abs(found - right).max() <= RELATIVE * np.abs(right).max()


def check(model, session: Session, spec: OpenSpec) -> None:
    """What the arena holds beyond a run, and from runs before, is nan."""
    all_ = range(spec.least, spec.most + 1, spec.step)
    for number in sorted({*all_[:3], *all_[-3:], *all_[:: max(1, len(all_) // 6)]}):
        session.run(poison(model, spec.most))
        values = drawn(model, number, seed=number)
        for found, right in zip(session.run(values).values(), expected(model, values), strict=True):
            close(found, right)


@pytest.mark.parametrize("m", [2, 4])
@pytest.mark.parametrize(("make", "spec"), RANGES)
def test_numbers_of_the_range_are_right(make, spec, m, tmp_path):
    model = compiled(make, spec, tmp_path / "b", m)
    with load_bundle(tmp_path / "b") as session:
        check(model, session, spec)


@pytest.mark.exhaustive
@pytest.mark.parametrize("knobs", ["", ", rows = [2], parallel = [y]", ", parallel = [y]"])
@pytest.mark.parametrize(("make", "spec"), RANGES[::2])
def test_threads_share_bands(make, spec, knobs, tmp_path):
    options = {"threads": 2, "machine": "host:parallel_work=1"}
    model = compiled(make, spec, tmp_path / "b", 4, knobs, **options)
    with load_bundle(tmp_path / "b", threads=2) as session:
        check(model, session, spec)


@pytest.mark.exhaustive
def test_threads_share_channels(tmp_path):
    """The only band has all rows of tiles of the largest image: 12 of 4 rows of pixels each."""
    knobs = ", rows = [12], channels = [16], tile = [16], parallel = [c]"
    options = {"threads": 2, "machine": "host:parallel_work=1"}
    spec = OpenSpec(("n",), 1, 45)
    model = compiled(filtered, spec, tmp_path / "b", 4, knobs, **options)
    with load_bundle(tmp_path / "b", threads=2) as session:
        check(model, session, spec)


@pytest.mark.exhaustive
def test_narrow_registers_and_a_small_cache(tmp_path):
    spec = OpenSpec(("n",), 1, 45)
    model = compiled(filtered, spec, tmp_path / "b", 4, machine="x86-64-avx2:l2=64K")
    with load_bundle(tmp_path / "b") as session:
        check(model, session, spec)


@pytest.mark.exhaustive
@pytest.mark.parametrize("group", [1, 5, 6])
def test_groups_reach_over_bands(group, tmp_path):
    """Bands of one row of tiles, of which narrow images have fewer than a group."""
    spec = OpenSpec(("n",), 1, 45)
    model = compiled(filtered, spec, tmp_path / "b", 4, f", rows = [1], group = [{group}]")
    with load_bundle(tmp_path / "b") as session:
        check(model, session, spec)


@pytest.mark.exhaustive
def test_the_rules_choose_it_for_images_of_many_sizes(tmp_path):
    spec = OpenSpec(("n",), 32, 64, 4)
    model = filtered()
    report = compile_model(
        model.SerializeToString(), tmp_path / "b", CompileOptions(dynamic=spec, level=3)
    )
    assert "winograd" in {kernel.algorithm for kernel in report.manifest.kernels}
    with load_bundle(tmp_path / "b") as session:
        check(model, session, spec)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "spec"), RANGES[::2])
def test_sanitizers_find_nothing_in_the_c_program(make, spec, tmp_path):
    model = compiled(make, spec, tmp_path / "b", 4, emit="c")
    make_sanitized(tmp_path / "b")
    for number in (spec.least, spec.least + 13, spec.most):
        values = drawn(model, number)
        close(run_sanitized(tmp_path / "b", values)[0], expected(model, values)[0])
