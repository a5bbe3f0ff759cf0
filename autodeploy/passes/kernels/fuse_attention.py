"""``fuse-attention``: products, and the softmax between them, are one kernel in bands of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Block, BlockArgument

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, is_float, shape_of
from autodeploy.machine import Machine
from autodeploy.passes.kernels.attention_costs import ChainProduct, RowChain, band_height
from autodeploy.passes.kernels.proposals import FuseProposalsPass, Proposal, sole_producer
from autodeploy.templates.attention.template import is_row_softmax


@dataclass(frozen=True)
class FuseAttentionPass(FuseProposalsPass):
    """Put a matrix product, the softmax of its rows, and the product that has this one as left-hand
    side into one kernel of template ``attention``, where a cost rule for the machine says so.

    The second product may be missing. What stands behind each of them in its kernel (a scale, a
    mask) stays there. The rows of the result are then cut in bands, and of the matrices on the way
    as many rows are computed for each: that pays where they do not stay in the second-level cache.
    Bands are scratch memory: where they would take more than the matrices that they replace,
    kernels are left alone.
    """

    name = "fuse-attention"

    def proposals(self, block: Block, machine: Machine) -> Sequence[Proposal]:
        """Return of each softmax the longest chain for which the rule says so."""
        found: list[Proposal] = []
        taken: set[KernelOp] = set()
        for chains in chains_of(block):
            for chain in chains:
                shape = _shape(chain)
                rows = None if taken.intersection(chain) else band_height(machine, shape)
                if rows is not None:
                    scratch = machine.cores * shape.band_bytes(rows)
                    found.append(Proposal(chain, scratch, bands_config(chain, rows)))
                    taken.update(chain)
                    break
        return found


def bands_config(chain: Sequence[KernelOp], rows: int) -> ConfigAttr:
    """Return the config of a chain in bands of ``rows``."""
    return ConfigAttr("attention", {"bands": (rows,) * (len(chain) + 1)})


def chains_of(block: Block) -> Iterator[Sequence[tuple[KernelOp, ...]]]:
    """Yield for each softmax of rows the chains around it that can be merged, longest first."""
    kernels = [op for op in block.ops if isinstance(op, KernelOp)]
    readers = {producer: k for k in kernels if (producer := sole_producer(k)) is not None}
    for softmax in filter(_is_softmax, kernels):
        yield tuple(_chains(softmax, readers.get(softmax)))


def _chains(softmax: KernelOp, reader: KernelOp | None) -> Iterator[tuple[KernelOp, ...]]:
    """Yield the chains around a softmax of rows, longest first; ``reader`` alone reads it."""
    product = sole_producer(softmax)
    if product is None or not _is_product(product):
        return
    if reader is not None and _multiplies(softmax, reader):
        yield (product, softmax, reader)
    yield (product, softmax)


def _is_softmax(kernel: KernelOp) -> bool:
    """Tell whether a kernel computes a softmax of the rows of matrices."""
    return len(kernel.anchors) == 1 and is_row_softmax(kernel.anchor)


def _is_product(kernel: KernelOp) -> bool:
    """Tell whether a kernel computes a product of matrices of numbers with a point."""
    anchor = kernel.anchor
    if len(kernel.anchors) != 1 or not isinstance(anchor, MatMulOp):
        return False
    inner = shape_of(anchor.rhs.type)[-1 if anchor.transpose_rhs else -2]
    shape = shape_of(anchor.result.type)
    whole = shape_of(kernel.outputs[0].type) == shape and prod(shape) * inner > 0
    return whole and is_float(element_of(anchor.result.type))


def _multiplies(softmax: KernelOp, reader: KernelOp) -> bool:
    """Tell whether a kernel has the rows of a softmax as those of its left-hand side.

    No row is read for several matrices.
    """
    if not _is_product(reader):
        return False
    assert isinstance(reader.anchor, MatMulOp)
    made, read = (shape_of(kernel.outputs[0].type)[:-1] for kernel in (reader, softmax))
    return made == read and not reader.anchor.transpose_lhs


def _shape(chain: Sequence[KernelOp]) -> RowChain:
    """Return the extents of a chain."""
    scores = chain[0].outputs[0].type
    *stack, rows, columns = shape_of(scores)
    bytes_ = ELEMENT_BYTES[element_of(scores)]
    products = tuple(_product(kernel) for kernel in chain[::2])
    return RowChain(tuple(reversed(stack)), rows, columns, bytes_, products)


def _product(kernel: KernelOp) -> ChainProduct:
    """Return the extents of a product; a matrix of weights will be packed."""
    product = kernel.anchor
    assert isinstance(product, MatMulOp)
    rhs = product.rhs
    inner, columns = shape_of(rhs.type)[-2:]
    if product.transpose_rhs:
        return ChainProduct(inner, columns)
    owner = kernel.inputs[rhs.index].owner if isinstance(rhs, BlockArgument) else None
    packed = len(shape_of(rhs.type)) == 2 and isinstance(owner, ConstantOp)
    return ChainProduct(columns, inner, packed)
