"""From what is measured of a machine to what its cost model says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autodeploy.machine import Machine
from autodeploy.toolchain.calibrate import calibrated
from autodeploy.toolchain.limits import Limits

MACHINE = Machine.named("x86-64-avx2")
LIMITS = Limits(96.0, 72.0, 12.0, 8.0, (("L1", 1, 400.0), ("L2", 2, 96.0), ("L3", 3, 18.0)), 3.0)
"""3 GHz: 96 GFLOP/s are 4 a lane and cycle."""


def test_measurements_replace_the_defaults() -> None:
    costs = calibrated(MACHINE, LIMITS).costs
    assert (costs.fma_per_cycle, costs.efficiency) == (2.0, 0.75)
    assert (costs.l2_bytes_per_cycle, costs.beyond_l2_bytes_per_cycle) == (32.0, 6.0)


def test_rates_of_one_cache_keep_their_ratio() -> None:
    before, costs = MACHINE.costs, calibrated(MACHINE, LIMITS).costs
    assert costs.l2_wait_bytes_per_cycle == before.l2_wait_bytes_per_cycle / 2
    assert costs.beyond_l2_wait_bytes_per_cycle == before.beyond_l2_wait_bytes_per_cycle * 6 / 8
    assert costs.scattered_bytes_per_cycle == pytest.approx(0.5 * 6 / 8)


def test_memory_takes_the_place_of_caches_that_are_not_there() -> None:
    costs = calibrated(MACHINE, replace(LIMITS, caches=LIMITS.caches[:1])).costs
    assert costs.l2_bytes_per_cycle == costs.beyond_l2_bytes_per_cycle == 4.0


def test_nothing_else_changes() -> None:
    machine = calibrated(MACHINE, LIMITS)
    assert replace(machine, costs=MACHINE.costs) == MACHINE
    assert machine.costs.parallel_work == MACHINE.costs.parallel_work


def test_a_tile_that_seems_to_beat_the_peak_reaches_it() -> None:
    assert calibrated(MACHINE, replace(LIMITS, tile_gflops=99.0)).costs.efficiency == 1.0
