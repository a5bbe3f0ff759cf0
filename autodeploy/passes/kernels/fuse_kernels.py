"""``fuse-kernels``: the kernels of several anchors become one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.control_flow import blocks_of
from autodeploy.machine import Machine
from autodeploy.passes.kernels.attention import attention
from autodeploy.passes.kernels.proposals import Proposal, merge, weighed
from autodeploy.passes.kernels.row_bands import row_bands
from autodeploy.records.merges import merges_for
from autodeploy.records.record_file import read_records
from autodeploy.records.signature import machine_text, merge_signature
from autodeploy.templates.open_tiles import leaves_tiles


@dataclass(frozen=True)
class FuseKernelsPass(ModulePass):
    """Fuse kernels if an estimate of the cycles on the machine gains by it.

    - row bands: a convolution and its only reader, a pool, depthwise or 1x1 convolution, become
      one of template ``row_bands``
    - attention: a matrix product, its row softmax and the next product (optional) become one of
      template ``attention``

    Each is proposed with the cycles that it gains and the bytes of its scratch memory. Proposals
    that gain most together are accepted, as long as the arena is no larger than without any. With
    ``winograd``, row bands leave convolutions to Winograd's algorithm.

    Measurements in the file ``records`` override the estimate; the arena is still no larger.
    """

    name = "fuse-kernels"

    winograd: bool = False
    records: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        measured: Mapping[str, bool] = {}
        if self.records is not None:
            measured = merges_for(read_records(Path(self.records)), machine_text(machine_of(op)))
        self.merge(op, measured)

    def merge(self, op: ModuleOp, measured: Mapping[str, bool]) -> None:
        """Merge kernels, where ``measured`` says so of their signature, else by the estimate."""
        for block in list(blocks_of(op)):
            proposals = [decided(p, measured) for p in self.proposals(block, machine_of(op))]
            for proposal in weighed(block, proposals):
                merge(proposal.kernels, proposal.config)

    def proposals(self, block: Block, machine: Machine) -> Sequence[Proposal]:
        """Return all proposals for the kernels of a block."""
        found = row_bands(block, machine, winograd=self.winograd), attention(block, machine)
        proposals = chain.from_iterable(found)
        return [p for p in proposals if all(map(leaves_tiles, p.kernels))]


def decided(proposal: Proposal, measured: Mapping[str, bool]) -> Proposal:
    """Return a proposal, with an infinite gain or loss where it was measured."""
    if not measured or (merged := measured.get(merge_signature(proposal.kernels))) is None:
        return proposal
    return replace(proposal, gain=inf if merged else -inf)
