"""The costs of fusing kernels that all such fusions share.

In a kernel of its own, an op writes data that exceed L2 to L3 or memory, and the next kernel reads
them from there. A fused kernel computes them in parts that stay in L2. In return some elements may
be computed twice, or each part reads the weights again. Costs are estimates of core cycles, as in
``conv_costs``.
"""

from __future__ import annotations

from autodeploy.machine import Machine

CACHE_SHARE = 2 / 3
"""The share of L2 that a part may take. The next part overwrites it, and larger parts compute fewer
elements twice."""

WORTH = 0.5
"""The share of the cycles for moving the data that a fusion gains for certain."""


def exceeds_l2(machine: Machine, read_bytes: int, made_bytes: int) -> bool:
    """Return whether data exceed L2, together with the data that they are computed from."""
    large = made_bytes > machine.resident_bytes
    return large and read_bytes + made_bytes > machine.l2_bytes


def fits_l2(machine: Machine, bytes_: int) -> bool:
    """Return whether parts and everything read for them fit the L2 of a core."""
    return bytes_ <= machine.l2_bytes * CACHE_SHARE


def gain(machine: Machine, moved_bytes: int, lost: float, *, far: bool = True) -> float:
    """Return the cycles that a core gains if ``moved_bytes`` are neither written nor read.

    All cores share the moved data; each loses ``lost`` cycles in return.
    """
    costs = machine.costs
    rate = costs.beyond_l2_bytes_per_cycle if far else costs.passing_bytes_per_cycle
    return moved_bytes / rate / machine.cores * WORTH - lost
