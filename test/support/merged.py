"""Kernels that are merged because a test says so, whatever it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.passes.kernels.attention import bands_config, chains_of
from autodeploy.passes.kernels.proposals import merge
from autodeploy.passes.kernels.row_bands import band_images, row_producer
from autodeploy.templates.row_bands.bands import has_no_gaps, rows_of_band

Rewrite = Callable[[Context, ModuleOp], None]


def row_bands(rows: int, strip: int | None = None) -> Rewrite:
    """Merge all images that can be, in bands of so many rows of the last one.

    Where strips of so many bands divide the rows, and windows leave out none, they make strips.
    """

    def rewrite(ctx: Context, module: ModuleOp) -> None:
        for block in _blocks(module):
            chains: dict[KernelOp, tuple[KernelOp, ...]] = {}
            for kernel in [op for op in block.ops if isinstance(op, KernelOp)]:
                producer = row_producer(kernel)
                if producer is not None:
                    chains[kernel] = (*chains.pop(producer, (producer,)), kernel)
            for chain in chains.values():
                images = band_images(chain, machine_of(module))
                height = images[-1].height
                knobs = {"bands": rows_of_band(images, min(rows, height))}
                if strip is not None and has_no_gaps(images[1:]) and not height % (strip * rows):
                    knobs["strip"] = (strip,)
                merge(chain, ConfigAttr("row_bands", knobs))

    return rewrite


def attention(rows: int) -> Rewrite:
    """Merge around each softmax the longest chain that no other has, in bands of so many rows."""

    def rewrite(ctx: Context, module: ModuleOp) -> None:
        for block in _blocks(module):
            chosen: list[tuple[KernelOp, ...]] = []
            for chains in chains_of(block):
                taken = {kernel for chain in chosen for kernel in chain}
                chosen += [chain for chain in chains if not taken.intersection(chain)][:1]
            for chain in chosen:
                height = shape_of(chain[0].outputs[0].type)[-2]
                merge(chain, bands_config(chain, min(rows, height)))

    return rewrite


def _blocks(module: ModuleOp) -> Iterator[Block]:
    for func in [op for op in module.walk() if isinstance(op, FuncOp) and not op.is_declaration]:
        yield from func.body.blocks
