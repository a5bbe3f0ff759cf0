"""What Halide makes of a fetch: one prefetch of a line, and no loop over several."""

from __future__ import annotations

import re

import guarded_products
import pytest
from scheduled import lowered, scheduled

from autodeploy.codegen.halide.tables import pipelines_of

MACHINE = "x86-64-avx512:cores=1:l1=8K:l2=32K"

LOOP = "for (prefetch"
"""How a loop of prefetches begins in Halide's text."""


def program(text: str, folder) -> str:
    (pipeline,) = pipelines_of(scheduled(text, MACHINE))
    return lowered(pipeline, MACHINE, folder)


@pytest.mark.one_case
@pytest.mark.parametrize("shape", [(196, 288, 1000), (169, 512, 512), (56, 256, 512)])
def test_products_fetch_one_line_at_a_time(shape, tmp_path):
    found = program(guarded_products.module_text(*shape, constant=True), tmp_path)
    assert "prefetch(" in found
    assert LOOP not in found


def test_a_row_fetches_a_line_of_each_run(tmp_path):
    """Four vectors of columns are summed at a time, whose weights are four runs of memory."""
    found = program(guarded_products.module_text(1, 512, 512, constant=True), tmp_path)
    assert LOOP not in found
    fetches = re.search(r"\bfor \(\S*kb\S*, [^{]*\{\s*((?:\(\S+\)prefetch\([^\n]*\n\s*)+)", found)
    assert fetches is not None
    assert fetches[1].count("prefetch(") == 4
