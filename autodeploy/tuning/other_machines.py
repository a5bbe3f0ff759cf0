"""Machines like one, but for a size or a cost: what rules choose for them is near what they know.

A rule is a formula over caches and costs. If its numbers are wrong, its choice for other numbers
may be the right one; and it is one point, where each knob by itself has hundreds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random

from autodeploy.machine import Machine
from autodeploy.machine.costs import CostModel

_SIZES = {"l2_bytes": (4.0, 0.25, 2.0, 0.5), "l1_bytes": (2.0, 0.5)}
"""Caches, and how many times as large another machine has them."""

_TIMES = 2.0, 0.5
"""How many times as much a thing costs on another machine."""

_CHANGED = 0.15
"""How often a size or a cost of a machine that is drawn is another one."""


def other_machines(machine: Machine) -> Iterator[Machine]:
    """Yield the machines of which one size or one cost is another one."""
    for name, factors in _SIZES.items():
        yield from (_resized(machine, name, factor) for factor in factors)
    for cost in fields(CostModel):
        yield from (_recosted(machine, cost.name, factor) for factor in _TIMES)


def drawn_machine(machine: Machine, random: Random) -> Machine:
    """Return a machine of which some sizes and costs are others."""
    for name, factors in _SIZES.items():
        if random.random() < _CHANGED:
            machine = _resized(machine, name, random.choice(factors))
    for cost in fields(CostModel):
        if random.random() < _CHANGED:
            machine = _recosted(machine, cost.name, random.choice(_TIMES))
    return machine


def _resized(machine: Machine, name: str, factor: float) -> Machine:
    return replace(machine, **{name: round(getattr(machine, name) * factor)})


def _recosted(machine: Machine, name: str, factor: float) -> Machine:
    value = getattr(machine.costs, name)
    changed = max(round(value * factor), 1) if isinstance(value, int) else value * factor
    return replace(machine, costs=replace(machine.costs, **{name: changed}))
