"""Proposals to merge kernels, weighed together: they are accepted where the arena does not grow.

An image that is computed in bands has no buffer, but its bands are scratch memory, which is there
beside all buffers. And the image that the first of the merged kernels reads is needed until the
last one is done. The estimate counts every value from where it is made to its last use.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.base import MovementOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_count, element_of
from autodeploy.machine import Machine
from autodeploy.passes.fusion.kernels import form_kernel


@dataclass(frozen=True)
class Proposal:
    """Kernels to be merged, each reading the one before, and what the merged one is to have."""

    kernels: tuple[KernelOp, ...]
    scratch_bytes: int
    """Bytes of the bands of all cores."""
    config: ConfigAttr | None = None


@dataclass(frozen=True)
class FuseProposalsPass(ModulePass, ABC):
    """Merge the kernels of all proposals with which the arena is no larger than without any."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Merge kernels of the module."""
        machine = machine_of(op)
        for func in [f for f in op.walk() if isinstance(f, FuncOp) and not f.is_declaration]:
            for block in func.body.blocks:
                for proposal in _accepted(block, self.proposals(block, machine)):
                    merge(proposal.kernels, proposal.config)

    @abstractmethod
    def proposals(self, block: Block, machine: Machine) -> Sequence[Proposal]:
        """Return what the rule of the pass would merge."""


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


def merge(kernels: Sequence[KernelOp], config: ConfigAttr | None = None) -> None:
    """Make one kernel of several, where the last one stands."""
    merged = form_kernel(kernels)
    merged.config = config
    Rewriter.replace_op(kernels[-1], merged)
    for kernel in reversed(kernels[:-1]):
        Rewriter.erase_op(kernel)


def _accepted(block: Block, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return those of the proposals with which the arena is no larger than without any.

    Those that take the most scratch memory are left out first.
    """
    kept = sorted(proposals, key=lambda proposal: proposal.scratch_bytes)
    limit = _arena(block, ())
    while kept and _arena(block, kept) > limit:
        kept.pop()
    return kept


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
            bytes_ = element_count(value.type) * ELEMENT_BYTES[element_of(value.type)]
            changes[places[op]] += bytes_
            changes[max((places[user] for user in users), default=places[op]) + 1] -= bytes_
    most = now = 0
    for change in changes:
        now += change
        most = max(most, now)
    return most + max((proposal.scratch_bytes for proposal in proposals), default=0)


def _users(value: SSAValue) -> list[Operation]:
    """Return the ops that read a value or a view of it."""
    found: list[Operation] = []
    for use in value.uses:
        user = use.operation
        found += _users(user.results[0]) if _is_view(user) else [user]
    return found


def _is_view(op: Operation) -> bool:
    return isinstance(op, MovementOp) and op.is_view
