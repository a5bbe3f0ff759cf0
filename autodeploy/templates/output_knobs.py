"""Knobs of loops over an output: how wide its vectors are, what cores share.

Templates have them whose kernels are no sums of products. Where a config lacks one, the schedule
takes what the rule would choose: pipelines that are formed late have no config of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.machine import Machine
from autodeploy.templates.sharing import PARALLEL_SHARES
from autodeploy.templates.space import Space, powers

SHARES = "shares"
VECTOR = "vector"

NARROW = 16
"""Bytes of the narrowest vectors that are worth a try, unless the machine's are narrower."""

MOST_SHARES = 16
"""Iterations for each core beyond which nothing is shared better."""


def vector_knobs(machine: Machine) -> dict[str, Sequence[Knob]]:
    """Return the rule's ``vector``: the bytes of the machine's vectors.

    A row that has fewer elements takes vectors of fewer.
    """
    return {VECTOR: (machine.vector_bytes,)}


def vector_space(machine: Machine) -> Space:
    """Return the values of ``vector``: the machine's, and narrower ones."""
    narrowest = min(NARROW, machine.vector_bytes)
    return {VECTOR: [(n,) for n in powers(machine.vector_bytes, narrowest)]}


def with_vectors(machine: Machine, config: ConfigAttr) -> Machine:
    """Return a machine with the vectors that a config says."""
    return replace(machine, vector_bytes=config.number(VECTOR) or machine.vector_bytes)


def share_knobs(machine: Machine) -> dict[str, Sequence[Knob]]:
    """Return the rule's ``shares``; one core has none to share.

    As many of the outermost loops are shared as make this many iterations for each core; nothing
    where one core computes all. Kernels of less work than the machine's ``parallel_work`` are never
    shared.
    """
    return {SHARES: (PARALLEL_SHARES,)} if machine.cores > 1 else {}


def share_space(machine: Machine) -> Space:
    """Return the values of ``shares``."""
    if machine.cores == 1:
        return {}
    return {SHARES: [(), *((n,) for n in powers(MOST_SHARES))]}


def shares_of(config: ConfigAttr) -> int:
    """Return the iterations for each core that a config says, 0 where one core computes all."""
    return config.number(SHARES) if SHARES in config else PARALLEL_SHARES
