"""What the ways to compute a convolution cost: the rule by which one is chosen.

A cost is an estimate of the cycles of the core that has most to do: its multiply-adds of whole
vectors at the rate that kernels reach, tiles that overhang included, and bytes that have to come
from beyond the second-level cache. Weights do at least once a run, since those of the other layers
have taken their place, and to each core that does not leave some to others. Those of a direct sum
come while the core computes, others where they are fetched ahead. Only the ratio of two costs
matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from autodeploy.machine import Machine
from autodeploy.templates.tiles import Tile, accumulator_tile
from autodeploy.templates.winograd.blocks import WinogradShape, can_fetch_ahead, choose_blocks

WORTH_IT = 0.9
"""What a Winograd form may cost relative to the direct sum, which takes less memory, and is more
exact."""

LARGER_TILES = 0.95
"""What F(4 x 4) may cost relative to F(2 x 2), for the same reasons."""


@dataclass(frozen=True)
class ConvShape:
    """A stride-1 convolution over two axes: extents of the result, channels, batch, element."""

    batch: int
    height: int
    width: int
    inputs: int
    outputs: int
    element_bytes: int


def direct_cost(shape: ConvShape, machine: Machine, *, waits: bool = False) -> float:
    """Return the cycles of the direct 3x3 sum, of which cores share the pixels.

    A sum that ``waits`` for its filter gets it as slowly as single lines come.
    """
    tile = accumulator_tile(machine, shape.element_bytes, shape.outputs, shape.width)
    tiles = -(-shape.outputs // tile.channels)
    sums = (
        shape.batch * shape.height * row_cycles(machine, tile, tiles, shape.width, shape.inputs * 9)
    )
    weights = 9 * shape.inputs * shape.outputs * shape.element_bytes
    sums /= machine.cores
    if waits:
        return sums + weights / machine.costs.beyond_l2_wait_bytes_per_cycle
    fetched = weights / machine.costs.beyond_l2_bytes_per_cycle
    return max(sums, fetched)


def row_cycles(machine: Machine, tile: Tile, tiles: int, columns: int, inner: int) -> float:
    """Return the cycles in which a core sums a row of pixels.

    The row has ``columns`` columns with ``tiles`` tiles of channels each; a sum has ``inner``
    products. A tile that overlaps the end of the row costs as much as a whole one.
    """
    vectors = tiles * tile.channels // tile.lanes
    steps = -(-columns // tile.columns) * tile.columns * vectors * inner
    return steps / machine.costs.steps_per_cycle


def winograd_cost(
    shape: ConvShape, machine: Machine, m: int, *, runs_differ: bool = False
) -> float:
    """Return the cycles of F(m x m, 3 x 3), transforms of image and result included.

    The filter comes while products are computed, where the machine fetches ahead and there are
    enough tiles for it. Of shapes that differ from run to run it is not counted on.

    A transform along one axis takes about two operations an element that it makes; every element is
    loaded and stored once. The filter has ``points`` numbers in the file instead of 9.
    """
    points = (m + 2) ** 2
    rows, columns = -(-shape.height // m), -(-shape.width // m)
    tiles = shape.batch * rows * columns
    lanes = machine.lanes(shape.element_bytes)
    tile = accumulator_tile(machine, shape.element_bytes, shape.outputs, columns)
    channels = -(-shape.outputs // tile.channels) * tile.channels
    steps = tiles * points * channels / tile.lanes * shape.inputs
    of_input = tiles * -(-shape.inputs // lanes) * points * (2 * 2 + 2)
    of_output = tiles * channels / lanes * (points * (2 + 1) + m * m * 3)
    whole = WinogradShape(
        rows, columns, points, shape.inputs, channels, tile.channels, shape.element_bytes
    )
    blocks = choose_blocks(machine, whole)
    # What stays in the cache from band to band has to come into it once.
    weights = points * shape.inputs * channels * shape.element_bytes
    weights *= 1 if blocks.shares_bands else blocks.share
    weights = max(blocks.filter_bytes * shape.batch, weights)
    moved = (blocks.far_bytes - blocks.filter_bytes) * shape.batch
    costs = machine.costs
    transforms = blocks.share * (of_input + of_output) / costs.transform_ops_per_cycle
    products = blocks.share * steps / costs.steps_per_cycle
    fetched = weights / costs.beyond_l2_bytes_per_cycle
    meanwhile = not runs_differ and can_fetch_ahead(machine, whole, tiles)
    computed = max(products, fetched) if meanwhile else products + fetched
    grown = (points - 9) * shape.inputs * shape.outputs * shape.element_bytes
    stored = moved / costs.beyond_l2_bytes_per_cycle + grown / costs.download_bytes_per_cycle
    return transforms + computed + stored


def best_winograd(
    shapes: Sequence[ConvShape], machine: Machine, forms: Sequence[int] = (2, 4)
) -> int | None:
    """Return the m of the form that is worth it, or ``None`` where the direct sum is.

    Of several ``shapes``, which runs have, the geometric mean counts. Of these the direct sum
    hardly fetches its filter ahead.
    """
    several = len(shapes) > 1
    direct = [direct_cost(shape, machine, waits=several) for shape in shapes]
    if not all(direct):
        return None  # a sum of no elements, or of none for no pixel
    ratios: dict[int, float] = {}
    for m in forms:
        costs = [winograd_cost(shape, machine, m, runs_differ=several) for shape in shapes]
        own = [cost / other for cost, other in zip(costs, direct, strict=True)]
        ratios[m] = prod(own) ** (1 / len(own))
    best = min(ratios, key=lambda m: ratios[m] * (LARGER_TILES if m == 2 else 1))
    return best if ratios[best] < WORTH_IT else None
