"""Filters that are fetched ahead where only a run knows how many pixels there are."""

from __future__ import annotations

import pytest
from closeness import assert_close
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
RANGES = tuple((level, OpenSpec(("n",), 14, 33)) for level in (2, 3))


@pytest.mark.exhaustive
@pytest.mark.parametrize(("level", "spec"), RANGES)
def test_lines_are_fetched_one_at_a_time(level, spec, tmp_path):
    """At level 2 lines follow from the number of a row, by Winograd's algorithm from the step."""
    compiled(halved, spec, tmp_path / "b", level=level, machine=MACHINE)
    text = (tmp_path / "b" / f"{Manifest.load(tmp_path / 'b').prefix}.mlir").read_text()
    found = [
        pipeline
        for pipeline in pipelines_of(Parser(new_context(), text).parse_module())
        if any(isinstance(op, PrefetchOp) for op in pipeline.walk())
    ]
    templates = {pipeline.config.template_name for pipeline in found if pipeline.config}
    assert templates == ({"direct_conv"} if level == 2 else {"direct_conv", "winograd"})
    for pipeline in found:
        program = lowered(pipeline, MACHINE, tmp_path)
        # Of more than a line, Halide would make a loop over lines.
        assert "prefetch(" in program
        assert "for (prefetch" not in program


@pytest.mark.exhaustive
@pytest.mark.parametrize(("level", "spec"), RANGES)
def test_numbers_of_the_range_are_right(level, spec, tmp_path):
    model = compiled(halved, spec, tmp_path / "b", level=level)
    with load_bundle(tmp_path / "b") as session:
        for number in (spec.least, spec.least + 1, 19, spec.most):
            session.run(poison(model, spec.most))
            values = drawn(model, number, seed=number)
            results = session.run(values).values()
            for found, right in zip(results, expected(model, values), strict=True):
                if level == 2:
                    assert_close(found, right)
                else:
                    assert abs(found - right).max() <= 1e-4 * abs(right).max()
