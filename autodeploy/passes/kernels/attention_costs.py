"""What it costs to compute a softmax and the products around it in bands of rows: the rule.

In kernels of their own, a matrix of scores goes out to the third-level cache or to memory where it
is larger than what stays in the second-level one, and comes back for the next kernel. In bands of
rows it stays. But each band reads the right-hand sides of the products anew, and bands that do not
divide the rows overlap. A cost is an estimate of core cycles, like those of ``conv_costs``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod

from autodeploy.machine import Machine
from autodeploy.passes.kernels.band_costs import BAND_SHARE, WORTH_IT
from autodeploy.templates.gemm.tile import (
    ANY,
    MAX_ROWS,
    exceeds_l2,
    is_near_tile,
    product_tile,
    tile_cost,
)
from autodeploy.templates.sharing import band_group, even_dimension

MOST_TILES = 4
"""Highest tiles to a band at most: more only take more memory."""


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
def band_height(machine: Machine, chain: RowChain) -> int | None:
    """Return how many rows make a band, where bands cost less; else ``None``.

    The matrices on the way must be too large to stay in the second-level cache. Bands of them must
    stay there, and those of all cores must take no more memory than one of the matrices did.
    """
    if chain.matrix_bytes <= machine.resident_bytes:
        return None
    heights = range(1, min(chain.rows, MOST_TILES * MAX_ROWS) + 1)
    fitting = [rows for rows in heights if _fits(machine, chain, rows)]
    if not fitting:
        return None
    best = min(fitting, key=lambda rows: (band_cycles(machine, chain, rows), rows))
    alone = prod(chain.stack) * _cycles(machine, chain, chain.rows) / machine.cores
    lost = band_cycles(machine, chain, best) - alone
    bytes_ = 2 * len(chain.products) * chain.matrix_bytes
    moved = bytes_ / machine.costs.far_bytes_per_cycle / machine.cores
    return best if lost <= moved * WORTH_IT else None


def _fits(machine: Machine, chain: RowChain, rows: int) -> bool:
    """Tell whether bands stay in the cache of a core; those of all are no more than a matrix."""
    bytes_ = chain.band_bytes(rows)
    near = bytes_ <= machine.l2_bytes * BAND_SHARE
    return near and bytes_ * machine.cores <= chain.matrix_bytes


def band_cycles(machine: Machine, chain: RowChain, rows: int) -> float:
    """Return the cycles until the core that has the most bands of ``rows`` has computed them."""
    costs, band = machine.costs, _cycles(machine, chain, rows)
    right_bytes = sum(p.inner * p.columns for p in chain.products) * chain.element_bytes
    if right_bytes + chain.band_bytes(rows) > machine.l2_bytes:
        # They are read once a band, while the arithmetic of the band runs.
        band = max(band, right_bytes / costs.far_bytes_per_cycle)
    weights = sum(
        p.inner * p.columns * chain.element_bytes
        for p in chain.products
        if p.packed and exceeds_l2(machine, chain.element_bytes, p.columns, p.inner)
    )
    # Those of other layers have taken their place, and nothing fetches them ahead.
    band += weights / costs.far_bytes_per_cycle
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
    bytes_, (columns, inner) = chain.element_bytes, (product.columns, product.inner)
    packed = ANY if product.packed else 0
    tile = product_tile(
        machine, bytes_, columns, rows, inner, packed_columns=packed, row_bytes=inner * bytes_
    )
    cost = tile_cost(machine, bytes_, columns, rows, inner, tile)
    if is_near_tile(machine, bytes_, inner, tile):
        further = machine.costs.l2_load_steps - machine.costs.l1_load_steps
        cost += -(-columns // tile.lanes) * inner * further
    return cost
