"""The cost model of the machine at hand, by measurement."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autodeploy.machine import Machine
from autodeploy.toolchain.limits import Limits


def calibrated(machine: Machine, limits: Limits) -> Machine:
    """Return a machine with the costs that its limits show, to three digits.

    Rates of one cache are measured where nothing waits. Those of the same cache where something
    does keep their ratio to it, and whatever else is not measured stays as it is.
    """
    costs, clock = machine.costs, limits.clock_ghz
    rates = {name: rate for name, _, rate in limits.caches}
    flops_per_step = 2 * machine.lanes(4)
    near = rates.get("L2", limits.read_gbs) / clock
    far = rates.get("L3", limits.read_gbs) / clock
    of_near, of_far = near / costs.l2_bytes_per_cycle, far / costs.beyond_l2_bytes_per_cycle
    measured = {
        "fma_per_cycle": limits.fma_gflops / clock / flops_per_step,
        "efficiency": min(limits.tile_gflops / limits.fma_gflops, 1.0),
        "l2_bytes_per_cycle": near,
        "l2_wait_bytes_per_cycle": costs.l2_wait_bytes_per_cycle * of_near,
        "beyond_l2_bytes_per_cycle": far,
        "beyond_l2_wait_bytes_per_cycle": costs.beyond_l2_wait_bytes_per_cycle * of_far,
        "scattered_bytes_per_cycle": costs.scattered_bytes_per_cycle * of_far,
    }
    rounded: dict[str, Any] = {name: float(f"{value:.3g}") for name, value in measured.items()}
    return replace(machine, costs=replace(costs, **rounded))
