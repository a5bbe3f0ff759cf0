"""The least time that kernels could take, and the table of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from autodeploy.toolchain.limits import Limits
from autodeploy.toolchain.profile import KernelTime
from benchmarks.limits import least_seconds, limit_table, limits_of

LIMITS = Limits(100.0, 80.0, 10.0, 8.0, (("L1", 1 << 10, 400.0), ("L2", 1 << 20, 50.0)))


def kernel(seconds: float, operations: int, size: int, calls: int = 1) -> dict[str, Any]:
    return asdict(KernelTime("k", "k", "gemm", calls, seconds, operations, size))


def test_saved_limits_are_read_back():
    saved = asdict(LIMITS)
    saved["caches"] = [list(cache) for cache in saved["caches"]]  # as JSON has them
    assert limits_of(saved) == LIMITS


def test_arithmetic_runs_at_the_rate_of_a_tile():
    assert least_seconds([kernel(1.0, 8_000_000_000, 100)], LIMITS, 1) == pytest.approx(0.1)
    assert least_seconds([kernel(1.0, 8_000_000_000, 100)], LIMITS, 2) == pytest.approx(0.05)


def test_bytes_come_from_the_smallest_memory_that_holds_those_of_a_call():
    two_megabytes = 2 << 20
    far = least_seconds([kernel(1.0, 0, two_megabytes)], LIMITS, 1)
    near = least_seconds([kernel(1.0, 0, two_megabytes, calls=2)], LIMITS, 1)
    assert far == pytest.approx(two_megabytes / 10e9)
    assert near == pytest.approx(two_megabytes / 50e9)


def test_a_kernel_that_is_faster_than_its_bound_counts_as_it_is():
    assert least_seconds([kernel(1e-9, 0, 2 << 20)], LIMITS, 1) == 1e-9


def report(**contenders: dict[str, float]) -> dict[str, Any]:
    return {
        "limits": asdict(LIMITS),
        "results": [{"model": "m", "threads": 1, "contenders": contenders}],
        "kernels": {"m, threads: 1": [kernel(0.2, 8_000_000_000, 100), kernel(0.1, 0, 0)]},
    }


def test_the_table_states_the_distance_to_the_limit():
    others = {"a": {"median": 0.36, "ratio": 1.2}, "b": {"median": 0.6, "ratio": 2.0}}
    table = limit_table(report(ours={"median": 0.3}, **others), "ours")
    assert table.splitlines()[2:] == ["| m | 1 | 300 | 100 | 33% | 1.20 | 3.60 |"]


def test_the_table_does_without_other_engines():
    table = limit_table(report(ours={"median": 0.3}), "ours")
    assert table.splitlines()[2:] == ["| m | 1 | 300 | 100 | 33% |  |  |"]


def test_several_networks_have_a_mean():
    once = report(ours={"median": 0.1}, a={"ratio": 1.0})
    again = report(ours={"median": 0.4}, a={"ratio": 4.0})
    both = {**once, "results": once["results"] + again["results"]}
    last = limit_table(both, "ours").splitlines()[-1]
    assert last == "| geometric mean | | | | | 2.00 | 4.00 |"


def test_without_kernels_or_limits_there_is_no_table():
    assert limit_table({**report(ours={"median": 0.3}), "kernels": {}}, "ours") == ""
    assert limit_table({**report(ours={"median": 0.3}), "limits": None}, "ours") == ""
    assert limit_table(report(ours={"failed": 1.0}), "ours") == ""
