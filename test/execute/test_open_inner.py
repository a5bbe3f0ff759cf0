"""Inputs and outputs whose open extent is inside of other axes, against ONNX's reference."""

from __future__ import annotations

import pytest
from closeness import assert_close
from open_inner import NETWORKS, drawn, expected, poison, sentences
from open_runs import assert_all_close
from sanitized_program import make_sanitized, run_sanitized

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import Session, load_bundle

MOST = 37


def compiled(make, folder, **options):
    model = make()
    spec = OpenSpec(("n",), 1, MOST)
    compile_model(model.SerializeToString(), folder, CompileOptions(dynamic=spec, **options))
    return model


def check(model, session: Session, number: int) -> None:
    """What the arena holds beyond a run, and from runs before, is nan."""
    session.run(poison(model, MOST))
    values = drawn(model, number, seed=number)
    for found, right in zip(session.run(values).values(), expected(model, values), strict=True):
        assert found.shape == right.shape
        assert_close(found, right)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("make", NETWORKS)
def test_every_number_of_the_range_is_right(make, level, tmp_path):
    model = compiled(make, tmp_path / "b", level=level)
    with load_bundle(tmp_path / "b") as session:
        for number in range(1, MOST + 1) if level in (0, 2) else (1, 2, 8, 17, 31, MOST):
            check(model, session, number)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", NETWORKS)
def test_threads_compute_the_same(make, tmp_path):
    model = compiled(make, tmp_path / "b", threads=2, machine="host:parallel_work=1")
    with load_bundle(tmp_path / "b", threads=2) as session:
        for number in (1, 2, 16, 19, MOST):
            check(model, session, number)


@pytest.mark.exhaustive
def test_sanitizers_find_nothing_in_the_c_program(tmp_path):
    """Tensors of a run lie without gaps in files, too, and their size says the number."""
    model = compiled(sentences, tmp_path / "b", emit="c")
    make_sanitized(tmp_path / "b")
    for number in (1, 18):
        values = drawn(model, number)
        for kind in ("npy", "bin"):
            found = run_sanitized(tmp_path / "b", values, kind)
            assert_all_close(found, expected(model, values))
