"""Proposals to make one kernel of several, weighed together.

The inner values of a fused kernel have no buffer, but take scratch memory besides all buffers. And
the operands of the first kernel are needed until the last one is done. The estimate
counts every value from where it is made to its last use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.base import MovementOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import byte_size
from autodeploy.passes.fusion.kernels import form_kernel

CYCLES_A_BYTE = 1
"""The worth of a byte of the arena in cycles: memory is scarcer than time."""


@dataclass(frozen=True)
class Proposal:
    """Kernels to fuse, each reading the one before, and the properties of the fused one."""

    kernels: tuple[KernelOp, ...]
    config: ConfigAttr
    gain: float
    """Cycles that a core gains."""
    bytes: int
    """Bytes of scratch memory, of all cores."""


def merge(kernels: Sequence[KernelOp], config: ConfigAttr) -> None:
    """Make one kernel of several, at the place of the last one."""
    merged = form_kernel(kernels)
    merged.config = config
    Rewriter.replace_op(kernels[-1], merged)
    for kernel in reversed(kernels[:-1]):
        Rewriter.erase_op(kernel)


def sole_producer(kernel: KernelOp) -> KernelOp | None:
    """Return the kernel whose only result is read by nothing but the anchor of another one.

    The anchor is the only one of its kernel, and reads the result as its first operand. Kernels
    that have a config stay as they are.
    """
    anchor = kernel.anchor
    if anchor is None or len(kernel.anchors) > 1 or kernel.config is not None:
        return None
    read = anchor.operands[0]
    if not isinstance(read, BlockArgument) or not read.has_one_use():
        return None
    value = kernel.inputs[read.index]
    producer = value.owner
    if (
        not isinstance(producer, KernelOp)
        or len(producer.outputs) != 1
        or not value.has_one_use()
        or producer.parent is not kernel.parent
        or producer.config is not None
    ):
        return None
    return producer


def weighed(block: Block, proposals: Iterable[Proposal]) -> Sequence[Proposal]:
    """Return the proposals that gain most, with which the arena is no larger than without any.

    Those that gain nothing are left out. Among proposals for the same kernels, those are taken that
    gain most together. A proposal gains ``CYCLES_A_BYTE`` for each byte by which it enlarges the
    arena. The proposal that gains least for its bytes is dropped first.
    """
    left = [proposal for proposal in proposals if proposal.gain >= 0]
    left.sort(key=lambda proposal: (proposal.gain, len(proposal.kernels)), reverse=True)
    limit = _arena(block, ())
    while True:
        kept = _compatible(block, left)
        losing = [one for one in kept if _costs_more(block, one, kept)]
        if not losing and _arena(block, kept) <= limit:
            return kept
        left.remove(min(losing or kept, key=lambda one: one.gain / max(one.bytes, 1)))


def _costs_more(block: Block, one: Proposal, kept: Sequence[Proposal]) -> bool:
    """Return whether a proposal gains too little for the bytes that it adds to the arena."""
    others = [other for other in kept if other is not one]
    growth = _arena(block, kept) - _arena(block, others)
    return one.gain < growth * CYCLES_A_BYTE


def _compatible(block: Block, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Choose proposals so that no two want the same kernel, and the sum of their gains is largest.

    Proposals that clash are parts of one chain of kernels, and each is a run of neighbours in it.
    This is the choice of intervals by weight (dynamic programming over their ends).
    """
    places = {op: place for place, op in enumerate(block.ops)}
    kept: list[Proposal] = []
    for group in _clashing(proposals):
        group.sort(key=lambda proposal: places[proposal.kernels[-1]])
        best: list[list[Proposal]] = [[]]
        for count, proposal in enumerate(group):
            fitting = count
            while fitting and _clash(group[fitting - 1], proposal):
                fitting -= 1
            best.append(max(best[-1], [*best[fitting], proposal], key=_worth))
        kept += best[-1]
    return kept


def _clashing(proposals: Sequence[Proposal]) -> list[list[Proposal]]:
    """Return groups of proposals, such that none wants a kernel of one of another group."""
    groups: list[list[Proposal]] = []
    for proposal in proposals:
        apart: list[list[Proposal]] = []
        joined = [proposal]
        for group in groups:
            if any(_clash(proposal, other) for other in group):
                joined += group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups


def _worth(proposals: Sequence[Proposal]) -> tuple[int, float, int]:
    """Return how many proposals are certain, the cycles that the others gain, and the kernels."""
    gains = [proposal.gain for proposal in proposals]
    certain = gains.count(inf)
    kernels = sum(len(proposal.kernels) for proposal in proposals)
    return certain, sum(gain for gain in gains if gain != inf), kernels


def _clash(one: Proposal, other: Proposal) -> bool:
    return not {*one.kernels}.isdisjoint(other.kernels)


def _arena(block: Block, proposals: Sequence[Proposal]) -> int:
    """Return the most bytes of values that are needed at a time, and the largest scratch memory."""
    ops = list(block.ops)
    places = {op: place for place, op in enumerate(ops)}
    gone: set[SSAValue] = set()
    for proposal in proposals:
        last = places[proposal.kernels[-1]]
        places.update(dict.fromkeys(proposal.kernels, last))
        gone.update(result for kernel in proposal.kernels[:-1] for result in kernel.results)
    changes = [0] * (len(ops) + 1)
    for op in ops:
        if isinstance(op, ConstantOp) or _is_view(op):
            continue
        for value in op.results:
            users = _users(value)
            if value in gone or any(user is block.last_op for user in users):
                continue  # results of the network are the caller's memory
            bytes_ = byte_size(value.type)
            changes[places[op]] += bytes_
            changes[max((places[user] for user in users), default=places[op]) + 1] -= bytes_
    most = now = 0
    for change in changes:
        now += change
        most = max(most, now)
    return most + max((proposal.bytes for proposal in proposals), default=0)


def _users(value: SSAValue) -> list[Operation]:
    """Return the ops that read a value or a view of it."""
    found: list[Operation] = []
    for use in value.uses:
        user = use.operation
        found += _users(user.results[0]) if _is_view(user) else [user]
    return found


def _is_view(op: Operation) -> bool:
    return isinstance(op, MovementOp) and op.is_view
