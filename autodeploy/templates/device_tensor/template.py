"""Products on the tensor cores of a device, whose factors are rounded to fewer bits.

A block of threads computes a tile of sums, and further starts of the device do the rest of the
kernel: an image is padded before, and what is fused to the sums is computed from them.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir import BlockArgument

from autodeploy.dialects.halide.tensor_cores import (
    EDGES,
    MOST_SUMS,
    PACKED,
    TensorCoresOp,
    product_of,
    sums_of,
)
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.extent_attr import is_varying
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, input_layout, result_layout
from autodeploy.dialects.nn.types import bounds_of, element_of
from autodeploy.machine import Machine
from autodeploy.machine.devices import DEVICES
from autodeploy.templates.device_plain.template import schedule_device_plain, share
from autodeploy.templates.device_tile.template import MOST_PARTS, PART_SUMS, SPLIT, TILE
from autodeploy.templates.space import Knobs, Space, powers
from autodeploy.templates.template import Template
from autodeploy.templates.view import ScheduledPipeline

DEVICE_TENSOR = "device_tensor"
"""The name of this template."""

PRODUCTS = "products"

LEAST = 16
"""Rows, columns and steps of a product: tiles of fewer are mostly empty."""

LEAST_STEPS = 64
"""Steps of a part of the sums."""

MOST_ELEMENTS = 1 << 28
"""Elements of a tensor that a thread counts in 32 bits, with room for a tile after the end."""

MOST_STACKED = 65535 // MOST_PARTS
"""Products of a stack, so that its parts are no more than the blocks along an axis."""


class DeviceTensorTemplate(Template):
    """For products and convolutions of 32-bit floats, where these may be rounded."""

    exact = False
    on_device = True
    rank = 2
    needed = (PRODUCTS,)

    def applies(self, kernel: KernelOp) -> bool:
        op, values = kernel.anchor, (*kernel.inputs, *kernel.outputs)
        if not isinstance(op, ConvOp | MatMulOp) or len(kernel.outputs) != 1:
            return False
        factors = op.operands[:2]
        if (
            any(is_varying(v.type) or prod(bounds_of(v.type)) > MOST_ELEMENTS for v in values)
            or not all(isinstance(factor, BlockArgument) for factor in factors)
            or {element_of(factor.type) for factor in factors} != {f32}
            or op.sum_element != f32
        ):
            return False
        if isinstance(op, MatMulOp):
            *stack, rows, columns = bounds_of(op.result.type)
            return (
                op.rhs_layout is None
                and min(rows, columns, _inner(op)) >= LEAST
                and prod(stack) <= MOST_STACKED
            )
        channels, inputs, _ = op.filter_shape
        return (
            op.groups.value.data == 1
            and op.winograd is None
            and not op.filled_up
            and op.is_kernel_in_out
            and input_layout(op.layout) == result_layout(op.layout) == CHANNELS_LAST
            and min(channels, inputs, prod(bounds_of(op.result.type)[:-1])) >= LEAST
            and _padded(op) <= MOST_ELEMENTS
        )

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs that a rule chooses, beyond ``products``, the type of the factors.

        - ``tile``: columns and rows of the sums of a block, the largest that give each
          multiprocessor a block
        - ``split``: parts of the sums, if the smallest tiles are too few for that
        """
        wanted = DEVICES[machine.device].multiprocessors
        tiles = sorted(_tiles(), key=lambda tile: (-prod(tile), abs(tile[0] - tile[1])))
        tile = next((t for t in tiles if _blocks(kernel, t) >= wanted), tiles[-1])
        blocks, parts = _blocks(kernel, tile), _parts(kernel)
        return {TILE: tile, SPLIT: (next((n for n in parts if n * blocks >= wanted), parts[-1]),)}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the values of the knobs; the type of the factors is never a choice."""
        asked = () if kernel.config is None else kernel.config.values(PRODUCTS)
        known = [(name,) for name in PACKED if name in DEVICES[machine.device].products]
        return {
            PRODUCTS: [asked] if asked in known else known if asked else [],
            TILE: _tiles(),
            SPLIT: [(n,) for n in _parts(kernel)],
        }

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        stored = pipeline.funcs[PART_SUMS]
        (element,) = map(str, config.values(PRODUCTS))
        pipeline.block.add_op(TensorCoresOp(stored.result, element, *config.ints(TILE, 2)))
        device, product = DEVICES[machine.device], product_of(stored.result)
        for image in (f for f in pipeline.funcs.values() if f.result is product.left.source):
            pipeline.compute_root(image)
            share(pipeline, image, device.threads, device.blocks)
        done = {stored, sums_of(stored.result)}
        schedule_device_plain(pipeline, device.threads, machine, done)


def _padded(op: ConvOp) -> int:
    """Return the elements of an image with its padding, channels last."""
    batch, *space, channels = bounds_of(op.x.type)
    pads = ints(op.pads)
    around = map(sum, zip(space, pads[: len(space)], pads[len(space) :], strict=True))
    return batch * channels * prod(around)


def _inner(op: ConvOp | MatMulOp) -> int:
    """Return the extent of the innermost sum."""
    if isinstance(op, ConvOp):
        return op.filter_shape[1]
    return bounds_of(op.lhs.type)[-2 if op.transpose_lhs.value.data else -1]


def _tiles() -> list[tuple[int, int]]:
    return [(n, m) for n in EDGES for m in EDGES if n * m <= MOST_SUMS]


def _blocks(kernel: KernelOp, tile: tuple[int, int]) -> int:
    """Return about how many blocks compute the sums of a kernel, each a tile of them."""
    *others, rows, columns = bounds_of(kernel.anchors[0].results[0].type)
    if isinstance(kernel.anchor, ConvOp):
        others, rows = [], prod(others) * rows
    return -(-columns // tile[0]) * -(-rows // tile[1]) * prod(others)


def _parts(kernel: KernelOp) -> list[int]:
    """Return the numbers of parts of the sums, from 1 on."""
    op = kernel.anchor
    assert isinstance(op, ConvOp | MatMulOp)
    inner = _inner(op)
    return [
        n for n in powers(MOST_PARTS) if n == 1 or (inner % n == 0 and inner // n >= LEAST_STEPS)
    ]
