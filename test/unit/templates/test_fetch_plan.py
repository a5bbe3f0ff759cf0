"""Lines that are fetched side by side in runs of memory: each once, and neighbours far apart."""

from __future__ import annotations

import pytest
from xdsl.ir.affine import AffineExpr

from autodeploy.templates.fetch_plan import RUNS, RUNS_SPACING, in_runs


def order(lines: int, spacing: int) -> list[int]:
    """Return which line is fetched as first, second, and so on."""
    line = in_runs(AffineExpr.dimension(0), lines, spacing)
    return [line.eval([number], []) for number in range(lines)]


@pytest.mark.parametrize("lines", [RUNS, 64, 1000])
def test_every_line_is_fetched_once(lines: int) -> None:
    """Lines of the runs take turns."""
    fetched = order(lines, RUNS_SPACING)
    assert sorted(fetched) == list(range(lines))
    assert fetched[:RUNS] == [run * (lines // RUNS) for run in range(RUNS)]


@pytest.mark.parametrize(("lines", "spacing"), [(64, RUNS_SPACING + 1), (66, 1)])
def test_one_run(lines: int, spacing: int) -> None:
    """Lines that are wanted seldom, or that runs cannot share equally, are fetched in order."""
    assert order(lines, spacing) == list(range(lines))
