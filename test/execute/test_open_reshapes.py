"""Reshapes that join an open axis with one around it, and take both apart, by onnxruntime."""

from __future__ import annotations

import pytest
from open_reshapes import matrices, rows, tokens
from open_runs import check_range, compiled
from open_several import check

from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle

NETWORKS = (
    (matrices, (OpenSpec(("batch",), 1, 5), OpenSpec(("length",), 1, 13))),
    (matrices, (OpenSpec(("batch",), 2, 8), OpenSpec(("length",), 2, 8, 2))),
    (rows, (OpenSpec(("length",), 1, 17),)),
    (tokens, (OpenSpec(("height",), 2, 7), OpenSpec(("width",), 3, 12))),
    (tokens, (OpenSpec(("height", "width"), 4, 12, 4),)),
)


@pytest.mark.parametrize("level", [0, 2, 3])
@pytest.mark.parametrize(("make", "specs"), NETWORKS)
def test_numbers_of_the_ranges_are_right(make, specs, level, tmp_path):
    if len({name for spec in specs for name in spec.names}) > len(specs):
        check_range(make, specs[0], tmp_path / "b", (4, 8, 12), level=level)
        return
    model = compiled(make, specs, tmp_path / "b", level=level)
    with load_bundle(tmp_path / "b") as session:
        check(model, session, specs)


@pytest.mark.parametrize(("make", "specs"), [NETWORKS[0], NETWORKS[3]])
def test_threads_share_what_there_is(make, specs, tmp_path):
    model = compiled(make, specs, tmp_path / "b", threads=2, machine="host:parallel_work=1")
    with load_bundle(tmp_path / "b", threads=2) as session:
        check(model, session, specs)
