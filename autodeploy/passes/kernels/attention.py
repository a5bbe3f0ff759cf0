"""Attention: a product, the softmax of its rows, and the product with that, in bands of rows.

The three become one kernel of template ``attention``; the second product may be missing. The
ops after each of them in its kernel (a scale, a mask) stay there. The rows of the result are
cut in bands; for each band, the kernel computes the same number of rows of the matrices between.
But each band reads the right-hand sides of the products again, and bands that do not divide the
rows overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod

from xdsl.ir import Block, BlockArgument

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of, is_float
from autodeploy.machine import Machine
from autodeploy.passes.kernels.fusion_costs import fits_l2, gain
from autodeploy.passes.kernels.proposals import Proposal, sole_producer
from autodeploy.templates.attention.template import is_row_softmax
from autodeploy.templates.gemm.product import open_rows
from autodeploy.templates.gemm.tile import (
    ANY,
    MAX_ROWS,
    ProductSizes,
    exceeds_l2,
    is_near_tile,
    product_tile,
    tile_cost,
)
from autodeploy.templates.sharing import band_group, even_dimension

MOST_TILES = 4
"""Highest tiles to a band at most: more only take more memory."""


SMALL_SHARE = 4
"""Intermediate matrices of up to 1/n of L2 are not fused. Larger ones evict weights: programs are
1 % faster without matrices of 0.37 and 0.44 of L2."""


@dataclass(frozen=True)
class ChainProduct:
    """A product of a chain: columns of the right-hand side, its rows, and whether it is packed."""

    columns: int
    inner: int
    packed: bool = False


@dataclass(frozen=True)
class RowChain:
    """A stack of chains of matrices with ``rows`` rows, each computed from the one before.

    ``stack`` has the extents of the stack, innermost first. The matrices between the products have
    ``columns`` columns: the softmax reads them, or a product reads them from the softmax.
    """

    stack: tuple[int, ...]
    rows: int
    columns: int
    element_bytes: int
    products: tuple[ChainProduct, ...]

    def band_bytes(self, rows: int) -> int:
        """Return the bytes of ``rows`` of all matrices on the way."""
        return len(self.products) * rows * self.columns * self.element_bytes

    @property
    def matrix_bytes(self) -> int:
        """Return the bytes of one of the matrices on the way, of the whole stack."""
        return prod(self.stack) * self.rows * self.columns * self.element_bytes


@cache
def best_band(machine: Machine, chain: RowChain) -> tuple[int, float] | None:
    """Return the number of rows of a band, and the gain; ``None`` for no band.

    The matrices on the way must take much of the second-level cache, or exceed it. Bands of them
    must stay there, and those of all cores must take no more memory than one of the matrices did.
    """
    if chain.matrix_bytes * SMALL_SHARE <= machine.l2_bytes:
        return None
    heights = range(1, min(chain.rows, MOST_TILES * MAX_ROWS) + 1)
    fitting = [rows for rows in heights if _fits(machine, chain, rows)]
    if not fitting:
        return None
    best = min(fitting, key=lambda rows: (band_cycles(machine, chain, rows), rows))
    alone = prod(chain.stack) * _cycles(machine, chain, chain.rows) / machine.cores
    lost = band_cycles(machine, chain, best) - alone
    moved = 2 * len(chain.products) * chain.matrix_bytes
    return best, gain(machine, moved, lost, far=chain.matrix_bytes > machine.resident_bytes)


def _fits(machine: Machine, chain: RowChain, rows: int) -> bool:
    """Return whether bands stay in the cache of a core; those of all are no more than a matrix."""
    bytes_ = chain.band_bytes(rows)
    return fits_l2(machine, bytes_) and bytes_ * machine.cores <= chain.matrix_bytes


def band_cycles(machine: Machine, chain: RowChain, rows: int) -> float:
    """Return the cycles until the core that has the most bands of ``rows`` has computed them."""
    costs, band = machine.costs, _cycles(machine, chain, rows)
    right_bytes = sum(p.inner * p.columns for p in chain.products) * chain.element_bytes
    if right_bytes + chain.band_bytes(rows) > machine.l2_bytes:
        # They are read once a band, while the arithmetic of the band runs.
        band = max(band, right_bytes / costs.beyond_l2_bytes_per_cycle)
    weights = sum(
        p.inner * p.columns * chain.element_bytes
        for p in chain.products
        if p.packed and exceeds_l2(machine, _sizes(chain, p, chain.rows))
    )
    # Those of other layers have taken their place, and nothing fetches them ahead.
    band += weights / costs.beyond_l2_bytes_per_cycle
    if chain.band_bytes(rows) > machine.l1_bytes:
        band += 2 * chain.band_bytes(rows) / costs.l2_bytes_per_cycle
    return band * busiest_bands(machine.cores, chain.stack, chain.rows, rows)


def busiest_bands(cores: int, stack: tuple[int, ...], rows: int, height: int) -> int:
    """Return how many bands the core has that has the most, of those of each of a stack."""
    bands = -(-rows // height)
    even = even_dimension(stack, cores)
    if even is None:
        size = band_group(cores, rows, height) or bands
        groups = -(-bands // size)
        return prod(stack) * min(-(-groups // cores) * size, bands)
    return prod(stack) // stack[even] * -(-stack[even] // cores) * bands


def _cycles(machine: Machine, chain: RowChain, rows: int) -> float:
    """Return the cycles of all arithmetic for ``rows`` of one matrix."""
    steps = sum(_product_cost(machine, chain, product, rows) for product in chain.products)
    vectors = rows * -(-chain.columns // machine.lanes(chain.element_bytes))
    return steps / machine.costs.steps_per_cycle + vectors * machine.costs.softmax_cycles


def _product_cost(machine: Machine, chain: RowChain, product: ChainProduct, rows: int) -> float:
    """Return what a product of ``rows`` rows costs, in multiply-adds of vectors.

    The first tile of rows has its tiles of columns from the second-level cache, the others from
    the first-level one, where they stay there.
    """
    sizes = _sizes(chain, product, rows)
    tile = product_tile(machine, sizes, ANY if product.packed else 0)
    cost = tile_cost(machine, sizes, tile)
    if is_near_tile(machine, sizes, tile):
        further = machine.costs.l2_load_steps - machine.costs.l1_load_steps
        cost += -(-product.columns // tile.lanes) * product.inner * further
    return cost


def _sizes(chain: RowChain, product: ChainProduct, rows: int) -> ProductSizes:
    """Return the sizes of a product of ``rows`` rows of a chain."""
    row_bytes = product.inner * chain.element_bytes
    return ProductSizes(product.columns, rows, product.inner, chain.element_bytes, row_bytes)


def attention(block: Block, machine: Machine) -> Iterator[Proposal]:
    """Yield the chains around softmaxes that could be computed in bands."""
    for chain in (chain for chains in chains_of(block) for chain in chains):
        shape = _shape(chain)
        found = best_band(machine, shape)
        if found is not None:
            rows, gained = found
            scratch = machine.cores * shape.band_bytes(rows)
            yield Proposal(chain, bands_config(chain, rows), gained, scratch)


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
    # A band has a constant number of rows.
    if product is None or not _is_product(product) or open_rows(product):
        return
    if reader is not None and _multiplies(softmax, reader):
        yield (product, softmax, reader)
    yield (product, softmax)


def _is_softmax(kernel: KernelOp) -> bool:
    """Return whether a kernel computes a softmax of the rows of matrices."""
    return len(kernel.anchors) == 1 and is_row_softmax(kernel.anchor)


def _is_product(kernel: KernelOp) -> bool:
    """Return whether a kernel computes a product of matrices of numbers with a point."""
    anchor = kernel.anchor
    if len(kernel.anchors) != 1 or not isinstance(anchor, MatMulOp):
        return False
    inner = bounds_of(anchor.rhs.type)[-1 if anchor.transpose_rhs else -2]
    shape = bounds_of(anchor.result.type)
    whole = bounds_of(kernel.outputs[0].type) == shape and prod(shape) * inner > 0
    return whole and is_float(element_of(anchor.result.type))


def _multiplies(softmax: KernelOp, reader: KernelOp) -> bool:
    """Return whether a kernel has the rows of a softmax as those of its left-hand side.

    No row is read for several matrices.
    """
    if not _is_product(reader):
        return False
    assert isinstance(reader.anchor, MatMulOp)
    made, read = (bounds_of(kernel.outputs[0].type)[:-1] for kernel in (reader, softmax))
    return made == read and not reader.anchor.transpose_lhs


def _shape(chain: Sequence[KernelOp]) -> RowChain:
    """Return the extents of a chain."""
    scores = chain[0].outputs[0].type
    *stack, rows, columns = bounds_of(scores)
    bytes_ = ELEMENT_BYTES[element_of(scores)]
    products = tuple(_product(kernel) for kernel in chain[::2])
    return RowChain(tuple(reversed(stack)), rows, columns, bytes_, products)


def _product(kernel: KernelOp) -> ChainProduct:
    """Return the extents of a product; a matrix of weights will be packed."""
    product = kernel.anchor
    assert isinstance(product, MatMulOp)
    rhs = product.rhs
    inner, columns = bounds_of(rhs.type)[-2:]
    if product.transpose_rhs:
        return ChainProduct(inner, columns)
    owner = kernel.inputs[rhs.index].owner if isinstance(rhs, BlockArgument) else None
    packed = len(bounds_of(rhs.type)) == 2 and isinstance(owner, ConstantOp)
    return ChainProduct(columns, inner, packed)
