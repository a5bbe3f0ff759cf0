"""What bands of rows do to the arena: kernels are merged only where it does not grow.

An image that is computed in bands has no buffer, but its bands are scratch memory, which is there
beside all buffers. And the image that the first of the merged kernels reads is needed until the
last one is done. The estimate counts every value from where it is made to its last use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from autodeploy.dialects.nn.base import MovementOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_count, element_of


@dataclass(frozen=True)
class BandGroup:
    """Kernels to be merged, each reading the one before, and the rows of a band of their images."""

    kernels: tuple[KernelOp, ...]
    rows: tuple[int, ...]
    scratch_bytes: int
    """Bytes of the bands of all cores."""


def smaller_groups(block: Block, groups: Sequence[BandGroup]) -> list[BandGroup]:
    """Return those of the groups with which the arena is no larger than without any.

    Those that take the most scratch memory are left out first.
    """
    kept = sorted(groups, key=lambda group: group.scratch_bytes)
    limit = _arena(block, ())
    while kept and _arena(block, kept) > limit:
        kept.pop()
    return kept


def _arena(block: Block, groups: Sequence[BandGroup]) -> int:
    """Return the most bytes of values that are needed at a time, and the largest scratch memory."""
    ops = list(block.ops)
    places = {op: place for place, op in enumerate(ops)}
    gone: set[SSAValue] = set()
    for group in groups:
        last = places[group.kernels[-1]]
        places.update(dict.fromkeys(group.kernels, last))
        gone.update(result for kernel in group.kernels[:-1] for result in kernel.results)
    changes = [0] * (len(ops) + 1)
    for op in ops:
        if isinstance(op, ConstantOp) or _is_view(op):
            continue
        for value in op.results:
            users = _users(value)
            if value in gone or any(user is block.last_op for user in users):
                continue  # results of the network are the caller's memory
            bytes_ = element_count(value.type) * ELEMENT_BYTES[element_of(value.type)]
            changes[places[op]] += bytes_
            changes[max((places[user] for user in users), default=places[op]) + 1] -= bytes_
    most = now = 0
    for change in changes:
        now += change
        most = max(most, now)
    return most + max((group.scratch_bytes for group in groups), default=0)


def _users(value: SSAValue) -> list[Operation]:
    """Return the ops that read a value or a view of it."""
    found: list[Operation] = []
    for use in value.uses:
        user = use.operation
        found += _users(user.results[0]) if _is_view(user) else [user]
    return found


def _is_view(op: Operation) -> bool:
    return isinstance(op, MovementOp) and op.is_view
