"""Runs of long sums: how much of each axis is in one."""

from __future__ import annotations

from math import prod

import pytest

from autodeploy.templates.runs import run_lengths


@pytest.mark.parametrize(
    ("extents", "lengths"),
    [
        ((256,), (256,)),
        ((3, 3, 64), (1, 3, 64)),
        ((3, 3, 512), (1, 1, 256)),
        ((25088,), (256,)),
        ((2, 600), (1, 200)),
        ((2000, 2), (125, 2)),
        ((1, 1, 1024), (1, 1, 256)),
        ((513,), (171,)),
        ((3, 1297), (1, 217)),  # no divisor: the last run has five steps fewer
        ((1031, 2), (115, 2)),
    ],
)
def test_runs_are_short(extents: tuple[int, ...], lengths: tuple[int, ...]):
    assert run_lengths(extents, 256) == lengths
    assert prod(lengths) <= 256


@pytest.mark.parametrize(
    ("extents", "lengths"), [((4104,), (228,)), ((3, 516), (1, 172)), ((4 * 1031,), (4,))]
)
def test_runs_are_multiples(extents: tuple[int, ...], lengths: tuple[int, ...]):
    assert run_lengths(extents, 256, 4, cuts=False) == lengths


def test_a_last_run_lacks_few_steps():
    assert run_lengths((1000,), 512, 8) == (504,)
    assert run_lengths((3, 290), 512) == (1, 290)  # two of three rows would lack a fourth
