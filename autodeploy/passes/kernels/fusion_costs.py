"""The costs of fusing kernels that all such fusions share.

In a kernel of its own, an op writes what exceeds the second-level cache to a further one or to
memory, and the next kernel reads it from there. One kernel computes it in parts that stay in the
cache; in return, some of it may be computed twice, or each part reads the weights again. A cost is
an estimate of core cycles, like those of ``conv_costs``.
"""

from __future__ import annotations

from autodeploy.machine import Machine

CACHE_SHARE = 2 / 3
"""The share of the second-level cache that a part may take. The next part writes over it, so little
else passes through the cache; and the larger a part is, the less is computed twice."""

WORTH = 0.5
"""The share of the cycles for moving the data that a fusion is sure to gain."""


def is_far(machine: Machine, read_bytes: int, made_bytes: int) -> bool:
    """Tell whether data exceed the second-level cache beside those that they are made of."""
    large = made_bytes > machine.resident_bytes
    return large and read_bytes + made_bytes > machine.l2_bytes


def stays_near(machine: Machine, bytes_: int) -> bool:
    """Tell whether parts, with all that is read for them, stay in the cache of a core."""
    return bytes_ <= machine.l2_bytes * CACHE_SHARE


def gain(machine: Machine, moved_bytes: int, lost: float, *, far: bool = True) -> float:
    """Return the cycles that a core gains where ``moved_bytes`` are neither written nor read.

    All cores share what is moved; each loses ``lost`` cycles in return.
    """
    costs = machine.costs
    rate = costs.far_bytes_per_cycle if far else costs.passing_bytes_per_cycle
    return moved_bytes / rate / machine.cores * WORTH - lost
