"""How many lines share a set of the first-level cache.

Lines that lie a multiple of many powers of two apart share few sets. Where these are more than a
set has ways, they replace each other.
"""

from __future__ import annotations

from math import gcd

from autodeploy.machine import Machine


def l1_ways(machine: Machine) -> int:
    """Return how many lines a set holds."""
    return machine.l1_bytes // machine.costs.set_bytes


def lines_of_set(machine: Machine, count: int, apart: int) -> int:
    """Return how many of ``count`` lines share a set, at most, that lie ``apart`` bytes apart."""
    return -(-count // _sets(machine, apart))


def lines_that_stay(machine: Machine, apart: int) -> int:
    """Return how many lines stay in the cache, at least, that lie ``apart`` bytes apart."""
    return l1_ways(machine) * _sets(machine, apart)


def _sets(machine: Machine, apart: int) -> int:
    set_bytes = machine.costs.set_bytes
    reached = set_bytes // gcd(apart, set_bytes)
    # Lines of addresses within one line are those of a set that lies beside it.
    return min(reached, max(set_bytes // machine.line_bytes, 1))
