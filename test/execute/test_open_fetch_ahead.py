"""Filters that are fetched ahead where only a run knows how many pixels there are."""

from __future__ import annotations

import pytest
from open_images import halved
from open_inner import drawn, poison
from open_runs import compiled, expected
from scheduled import lowered
from xdsl.parser import Parser

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.halide.tables import pipelines_of
from autodeploy.dialects.halide.prefetch import PrefetchOp
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle

MACHINE = "x86-64-avx512:cores=1"
SPEC = OpenSpec(("n",), 14, 33)


@pytest.mark.exhaustive
def test_lines_are_fetched_one_at_a_time(tmp_path):
    """Lines follow from the step of the sum, by Winograd's algorithm."""
    compiled(halved, SPEC, tmp_path / "b", level=3, machine=MACHINE)
    text = (tmp_path / "b" / f"{Manifest.load(tmp_path / 'b').prefix}.mlir").read_text()
    found = [
        pipeline
        for pipeline in pipelines_of(Parser(new_context(), text).parse_module())
        if any(isinstance(op, PrefetchOp) for op in pipeline.walk())
    ]
    templates = {pipeline.config.template_name for pipeline in found if pipeline.config}
    assert templates == {"winograd"}
    for pipeline in found:
        program = lowered(pipeline, MACHINE, tmp_path)
        # Of more than a line, Halide would make a loop over lines.
        assert "prefetch(" in program
        assert "for (prefetch" not in program


@pytest.mark.exhaustive
def test_numbers_of_the_range_are_right(tmp_path):
    model = compiled(halved, SPEC, tmp_path / "b", level=3)
    with load_bundle(tmp_path / "b") as session:
        for number in (SPEC.least, SPEC.least + 1, 19, SPEC.most):
            session.run(poison(model, SPEC.most))
            values = drawn(model, number, seed=number)
            results = session.run(values).values()
            for found, right in zip(results, expected(model, values), strict=True):
                assert abs(found - right).max() <= 1e-4 * abs(right).max()
