"""Programs that are given the length of a sequence for each run, against ONNX's reference."""

from __future__ import annotations

import pytest
from closeness import assert_close
from open_runs import assert_all_close
from open_sequences import (
    NETWORKS,
    drawn,
    expected,
    firsts,
    poison,
    transformer,
)
from sanitized_program import make_sanitized, run_sanitized

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import Session, load_bundle

MOST = 37


def compiled(make, folder, least=1, **options):
    model = make()
    spec = OpenSpec(("sequence",), least, MOST)
    compile_model(model.SerializeToString(), folder, CompileOptions(dynamic=spec, **options))
    return model


def check(model, session: Session, number: int) -> None:
    """What the arena holds beyond a run, and from runs before, is nan."""
    session.run(poison(MOST))
    values = drawn(number, seed=number)
    found = session.run(values).values()
    for output, right in zip(found, expected(model, values), strict=True):
        assert output.shape == right.shape
        assert_close(output, right)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("make", NETWORKS)
def test_numbers_of_the_range_are_right(make, level, tmp_path):
    model = compiled(make, tmp_path / "b", level=level)
    numbers = range(1, MOST + 1) if level in (0, 2) else (1, 2, 15, 16, 17, 31, 33, MOST)
    with load_bundle(tmp_path / "b") as session:
        for number in numbers:
            check(model, session, number)


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_the_first_tokens_are_there_in_each_run(level, tmp_path):
    model = compiled(firsts, tmp_path / "b", least=3, level=level)
    with load_bundle(tmp_path / "b") as session:
        for number in range(3, MOST + 1) if level in (0, 2) else (3, 4, 16, 17, MOST):
            check(model, session, number)


def test_tokens_that_a_run_may_lack_are_refused(tmp_path):
    """Whatever the least number is that lacks them."""
    for least in (1, 2):
        with pytest.raises(UserError) as raised:
            compiled(firsts, tmp_path / "b", least=least)
        assert "nodes ('t15', 't26')" in str(raised.value)
        assert "split the range, such as --dynamic sequence=" in str(raised.value)
        assert not (tmp_path / "b").exists()


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", NETWORKS)
def test_threads_compute_the_same(make, tmp_path):
    machine = "host:parallel_work=1"
    model = compiled(make, tmp_path / "b", threads=2, machine=machine)
    with load_bundle(tmp_path / "b", threads=2) as session:
        for number in (1, 2, 16, 19, MOST):
            check(model, session, number)


@pytest.mark.exhaustive
def test_sanitizers_find_nothing_in_the_c_program(tmp_path):
    """Kernels are C++ sources here, so that they are watched, too."""
    model = compiled(transformer, tmp_path / "b", emit="c")
    make_sanitized(tmp_path / "b")
    for number in (1, 18):
        values = drawn(number)
        assert_all_close(run_sanitized(tmp_path / "b", values), expected(model, values))
