"""``fuse-kernels``: several anchors, or pointwise ops and their reader, become one kernel."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.control_flow import blocks_of
from autodeploy.passes.kernels.attention import attention
from autodeploy.passes.kernels.prologues import prologues
from autodeploy.passes.kernels.proposals import merge, weighed
from autodeploy.passes.kernels.row_bands import row_bands
from autodeploy.templates.open_tiles import leaves_tiles


@dataclass(frozen=True)
class FuseKernelsPass(ModulePass):
    """Make one kernel of several where that is estimated to take fewer cycles on the machine.

    - row bands: a convolution, and the pool, depthwise or 1x1 convolution that alone reads it, and
      further ones in the same way (1x1, depthwise, 1x1), become a kernel of template ``row_bands``
    - attention: a matrix product, the softmax of its rows, and the product that has this one as
      left-hand side (which may be missing), become a kernel of template ``attention``
    - prologues: pointwise ops go into the kernel of the convolution or product that alone reads
      what they make, as image or left-hand side

    Each is proposed with the cycles that it gains and the bytes of its scratch memory. Proposals
    that gain are accepted, the best first, as long as the arena is no larger than without any. With
    ``winograd``, convolutions that Winograd's algorithm is for are computed by it: row bands leave
    them alone.
    """

    name = "fuse-kernels"

    winograd: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Merge kernels of the module."""
        machine = machine_of(op)
        for block in list(blocks_of(op)):
            proposals = [
                *prologues(block, machine, winograd=self.winograd),
                *row_bands(block, machine, winograd=self.winograd),
                *attention(block, machine),
            ]
            proposals = [p for p in proposals if all(map(leaves_tiles, p.kernels))]
            for proposal in weighed(block, proposals):
                merge(proposal.kernels, proposal.config)
