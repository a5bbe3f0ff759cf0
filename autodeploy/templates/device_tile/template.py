"""Sums on a device in tiles: a thread keeps a tile of them in registers.

A tile is a vector along the innermost dimension of the result, and as many of them along the next
one. Each element of the left-hand side is read for a whole vector, each vector of weights for all
rows of the tile. If the device reads several elements at once, the left-hand side is read in
vectors along the sums, for some steps at a time. If it adds up products of neighbours, sums of
integers are made of these (``dots``). Threads of a block have neighbours along the
innermost dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import f32, i32
from xdsl.ir import BlockArgument

from autodeploy.dialects.halide import gpu_schedule as g
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp
from autodeploy.dialects.halide.strict import compares
from autodeploy.dialects.halide.types import Tail
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ContractionOp, ConvOp, MatMulOp
from autodeploy.dialects.nn.extent_attr import is_varying
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, input_layout
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.machine import Machine
from autodeploy.machine.devices import DEVICES, NEIGHBOURS, Device
from autodeploy.templates.device_plain.template import (
    THREADS,
    is_of_one_element,
    schedule_device_plain,
)
from autodeploy.templates.device_tile.dots import has_dots, packed_for_dots
from autodeploy.templates.dots import split_dots, vectorize_dots
from autodeploy.templates.packing import Packing
from autodeploy.templates.runs import LEAST_STEPS, RUN
from autodeploy.templates.space import Knobs, Space, powers
from autodeploy.templates.template import Template
from autodeploy.templates.view import PipelineView, ScheduledPipeline, arguments_of, loop_extents

TILE = "tile"
STEPS = "steps"
DOT = "dot"
SPLIT = "split"
PART_SUMS = "part_sums"
"""The func of the sums of each part, in the memory of the device."""
STAGED = "staged"
"""The func of the left-hand side: a thread keeps its elements of some steps."""

LANES = 4
"""Elements of a vector: what devices load at once."""

MOST_PARTS = 32
MOST_LANES = 16


class DeviceTileTemplate(Template):
    """For convolutions, products and pools."""

    on_device = True
    in_runs = True
    rank = 1

    def applies(self, kernel: KernelOp) -> bool:
        return (
            isinstance(kernel.anchor, ContractionOp | PoolOp)
            and len(kernel.outputs) == 1
            and len(bounds_of(kernel.outputs[0].type)) > 1
            and bounds_of(kernel.outputs[0].type)[-1] > 1
        )

    def takes_open(self, kernel: KernelOp) -> bool:
        """Sums have memory for a whole tile, and tiles end at the number of a run."""
        return True

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs: what divides the extents, so that no thread has a part of a tile.

        - ``tile``: elements along the innermost dimension, and along the next one
        - ``threads``: those of a block
        - ``steps``: steps of the sums for which the left-hand side is read at once
        - ``dot``: in place of them, neighbours whose products one instruction adds up
        - ``split``: parts of the sums, if the tiles are too few for the device's multiprocessors
        """
        columns, rows = _extents(kernel)
        device = DEVICES[machine.device]
        lanes = max(n for n in (1, 2, LANES) if columns % n == 0)
        if machine.is_page:
            device = replace(device, rows=_most_rows(kernel, device))
        height = _height(rows, columns // lanes, device)
        knobs: dict[str, tuple[int, ...]] = {
            TILE: (lanes, height),
            THREADS: _threads(columns // lanes, rows // height, device.threads),
        }
        if has_dots(kernel, device):
            return {**knobs, DOT: (NEIGHBOURS,)}
        if steps := _steps(kernel, device.loads):
            knobs[STEPS] = steps[-1]
        threads = prod(bounds_of(kernel.outputs[0].type)) // (lanes * height)
        if threads < device.wanted_threads and (
            parts := _parts(kernel, prod(knobs.get(STEPS, ())))
        ):
            enough = (n for n in parts if threads * n >= device.wanted_threads)
            knobs[SPLIT] = (next(enough, parts[-1]),)
        return knobs

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        columns, rows = _extents(kernel)
        device = DEVICES[machine.device]
        most, steps = device.threads, _steps(kernel, device.loads)
        tiles = [
            (lanes, n)
            for lanes in powers(MOST_LANES)
            if columns % lanes == 0
            for n in _divisors(rows, 2 * device.rows)
        ]
        return {
            TILE: tiles,
            THREADS: sorted(
                {_threads(columns // lanes, rows // n, most) for lanes, n in tiles}
                | {(n, m) for n in powers(most) for m in powers(most // n)}
            ),
            **(
                {DOT: [(NEIGHBOURS,)]}
                if has_dots(kernel, device)
                else {
                    STEPS: [(), *steps],
                    SPLIT: [(), *((n,) for n in _parts(kernel, device.loads if steps else 1))],
                }
            ),
        }

    def pack(self, anchor: AnchorOp, config: ConfigAttr) -> Packing | None:
        """Return how weights are laid out whose products are added up by ``dot``."""
        return packed_for_dots(anchor) if config.number(DOT) else None

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        stored, done = pipeline.funcs.get(PART_SUMS), set[FuncOp]()
        tiled = pipeline if stored is None else pipeline.of_image(stored, None)
        reduced = tiled.reduced()
        sums = [func for func in reduced if func.role_name != RUN]
        if len(sums) == 1 and is_of_one_element(tiled, sums[0]):
            self._schedule_tiles(tiled, reduced, config, is_short=machine.is_page)
            if stored is None:
                return
            pipeline.compute_root(stored)
            for name, extent in zip(stored.var_names, stored.known_extents, strict=True):
                pipeline.bound(stored, name, extent)
            done = {stored, *reduced}
        threads = (
            prod(config.ints(THREADS, 2)) if stored is None else DEVICES[machine.device].threads
        )
        schedule_device_plain(pipeline, threads, machine, done)

    @staticmethod
    def _schedule_tiles(
        pipeline: ScheduledPipeline,
        reduced: Sequence[FuncOp],
        config: ConfigAttr,
        *,
        is_short: bool,
    ) -> None:
        """Write the schedule of sums that each tile of the output computes for itself.

        They are the last of ``reduced``, and may be sums of runs. The text of a kernel ``is_short``
        if it is compiled while a user waits. Then no loop has parts of its own for borders, which
        would be two thirds of the text, and the rows of a tile are stored in a loop.
        """
        out = pipeline.output
        lanes, rows = config.ints(TILE, 2)
        inner, next_, *others = out.var_names
        loops = [f"{inner}o", f"{next_}o", *others]
        # Tiles divide the sums of parts, whose extents only Halide knows.
        tail = Tail.ROUND_UP if out is pipeline.funcs.get(PART_SUMS) else Tail.AUTO
        pipeline.split(out, inner, loops[0], f"{inner}i", lanes, tail)
        pipeline.split(out, next_, loops[1], f"{next_}i", rows, tail)
        pipeline.reorder(out, f"{inner}i", f"{next_}i", *loops)
        # Halide cannot store a part of a vector.
        vectors = _has_vectors(pipeline) and pipeline.open_axes[0] % lanes == 0
        if vectors and is_short:
            pipeline.vectorize(out, f"{inner}i")
        else:
            _in_registers(pipeline, out, vectors, f"{inner}i", f"{next_}i")
        thread = _share(
            pipeline, out, loops, pipeline.extents, (lanes, rows), config.ints(THREADS, 2)
        )
        for sums in reversed(reduced):
            pipeline.compute_at(sums, out, thread)
            names = sums.var_names[:2]
            for name, n, multiple in zip(names, (lanes, rows), pipeline.open_axes, strict=False):
                if multiple % n:
                    pipeline.bound_extent(sums, name, n)
            staged = pipeline.funcs.get(STAGED) if sums is reduced[0] else None
            updates = pipeline.updates[sums]
            thread = _add_up(pipeline, sums, updates, staged, vectors, config, is_short=is_short)
            out = sums


def _add_up(
    pipeline: ScheduledPipeline,
    sums: FuncOp,
    updates: Sequence[UpdateOp],
    staged: FuncOp | None,
    vectors: bool,
    config: ConfigAttr,
    *,
    is_short: bool,
) -> str:
    """Let a thread add up a tile of sums in registers; return the innermost loop over steps."""
    first, second, *rest = sums.var_names
    _in_registers(pipeline, sums, vectors, first, second)
    loop, dot = "", config.number(DOT) or 1
    for stage, update in enumerate(updates, 1):
        loop, *others = loop_extents(update)
        reductions = [loop, *others]
        if staged is not None:
            reductions = _stage(pipeline, sums, staged, reductions, config.number(STEPS))
        inner = split_dots(pipeline, sums, reductions[0], dot)
        pipeline.reorder(sums, *inner, first, second, *reductions, *rest, stage=stage)
        vectorize_dots(pipeline, sums, dot)
        # In a part for borders a factor would be a constant, and there would be no dot.
        for name in reductions if dot > 1 or is_short else ():
            pipeline.partition_never(sums, name, stage)
        _in_registers(pipeline, sums, vectors, first, second, stage)
    return loop


def _stage(
    pipeline: ScheduledPipeline, sums: FuncOp, staged: FuncOp, reductions: Sequence[str], steps: int
) -> list[str]:
    """Let a thread read the left-hand side of some steps at once; return the loops of the sums."""
    inner, *others = reductions
    outer, unrolled = f"{inner}o", f"{inner}s"
    pipeline.split(sums, inner, outer, unrolled, steps, stage=1)
    pipeline.unroll(sums, unrolled, stage=1)
    pipeline.compute_at(staged, sums, outer)
    along, across, *_ = staged.var_names
    pipeline.bound_extent(staged, along, steps)
    pipeline.vectorize(staged, along)
    pipeline.unroll(staged, across)
    return [unrolled, outer, *others]


def _share(
    pipeline: ScheduledPipeline,
    out: FuncOp,
    loops: Sequence[str],
    extents: Sequence[int],
    tile: Sequence[int],
    threads: Sequence[int],
) -> str:
    """Make the two innermost loops over tiles blocks of threads; return the loop over these."""
    counts = [extent // n for extent, n in zip(extents, (*tile, *(1,) * len(loops)), strict=False)]
    inner, outer = [f"{name}t" for name in loops[:2]], [f"{name}b" for name in loops[:2]]
    for name, block, thread, n in zip(loops, outer, inner, threads, strict=False):
        pipeline.split(out, name, block, thread, n, Tail.GUARD_WITH_IF)
    # Loops of one iteration are none; all others are one.
    rest = [name for name, count in list(zip(loops, counts, strict=True))[2:] if count > 1]
    idle = [name for name in loops[2:] if name not in rest]
    pipeline.reorder(out, *inner, *outer, *rest, *idle)
    fused = rest[:1]
    for name in rest[1:]:
        pipeline.fuse(out, fused[0], name, f"{fused[0]}_{name}")
        fused = [f"{fused[0]}_{name}"]
    # A part for borders would be a second kernel to compile, and no thread is faster for it.
    for name in (*outer, *fused, *inner):
        pipeline.partition_never(out, name)
    pipeline.block.add_op(g.GpuBlocksOp(out.result, [*outer, *fused]))
    pipeline.block.add_op(g.GpuThreadsOp(out.result, inner))
    return inner[0]


def _has_vectors(view: PipelineView) -> bool:
    """Return whether Halide 21 writes vectors of all expressions for a device.

    It does not write comparisons of vectors that IEEE 754 decides, nor negations, and must not load
    parts of vectors.
    """
    strict = view.op.fast_math is None
    return not any(compares(op, strict=strict) for op in view.op.walk()) and all(
        _is_along(op, _vector_axes(view, func))
        for func in view.funcs.values()
        for definition in (func, *view.updates[func])
        for op in definition.walk()
        if isinstance(op, LoadOp)
    )


def _vector_axes(view: PipelineView, func: FuncOp) -> set[int]:
    """Return the dimensions of a func along which a vector of the output reads it.

    There are none of an image that a convolution sums: each element is for all channels.
    """
    return {axis for axis, readers in enumerate(view.dependences(func)) if 0 in readers}


def _is_along(load: LoadOp, axes: set[int]) -> bool:
    """Return whether neighbours of a vector load neighbours, or one element for all.

    Halide 21 addresses vectors of three elements as if they had no fourth one, and an image that is
    padded along the vector has such vectors.
    """
    inner, *others = load.indices or (None,)
    if inner is None:
        return True
    is_own = isinstance(inner, BlockArgument) and inner.index in axes
    return (is_own or not axes & arguments_of(inner)) and not any(
        axes & arguments_of(index) for index in others
    )


def _in_registers(
    pipeline: ScheduledPipeline, func: FuncOp, vectors: bool, inner: str, outer: str, stage: int = 0
) -> None:
    if vectors:
        pipeline.vectorize(func, inner, stage=stage)
    else:
        pipeline.unroll(func, inner, stage=stage)
    pipeline.unroll(func, outer, stage=stage)


def _extents(kernel: KernelOp) -> tuple[int, int]:
    """Return the two innermost extents of the result."""
    *_, rows, columns = bounds_of(kernel.outputs[0].type)
    return columns, rows


def _steps(kernel: KernelOp, loads: int) -> list[tuple[int]]:
    """Return the numbers of steps for which the left-hand side can be read at once.

    Its elements for these steps are neighbours.
    """
    match kernel.anchor:
        case ConvOp() as conv if (
            conv.groups.value.data == 1
            and not conv.filled_up
            and input_layout(conv.layout) == CHANNELS_LAST
        ):
            _, inner, _ = conv.filter_shape
        case MatMulOp() as product if not product.transpose_lhs:
            inner = bounds_of(product.lhs.type)[-1]
        case _:
            return []
    return [(n,) for n in powers(loads) if n > 1 and inner % n == 0]


def _parts(kernel: KernelOp, steps: int) -> list[int]:
    """Return the numbers of parts in which a thread has some sums, of all ``steps``, to do."""
    if any(is_varying(value.type) for value in (*kernel.inputs, *kernel.outputs)):
        return []
    anchor = kernel.anchor
    if not isinstance(anchor, ContractionOp) or anchor.sum_element not in (f32, i32):
        return []
    match anchor:
        case ConvOp() as conv if conv.groups.value.data == 1 and not conv.filled_up:
            _, inner, window = conv.filter_shape
        case MatMulOp() as product if product.rhs_layout is None:
            inner, window = bounds_of(product.lhs.type)[-2 if product.transpose_lhs else -1], ()
        case _:
            return []
    return [
        n
        for n in powers(MOST_PARTS)
        if n > 1 and inner % (n * steps) == 0 and inner // n * prod(window) >= LEAST_STEPS
    ]


def _most_rows(kernel: KernelOp, device: Device) -> int:
    """Return the rows of a tile whose text is short: rows have nothing in common but weights."""
    match kernel.anchor:
        case PoolOp():
            return 1
        case ConvOp() as conv if conv.filter_shape[1] == 1:
            return device.rows // 2
        case _:
            return device.rows


def _height(rows: int, columns: int, device: Device) -> int:
    """Return the rows of a tile: a divisor of all rows, the largest one or up to half as many.

    Where possible the tiles divide into whole blocks of threads.
    """
    largest, most = _divisors(rows, device.rows)[-1], device.threads
    for height in range(largest, largest // 2, -1):
        if rows % height == 0 and _divide(
            columns, rows // height, _powers(columns, rows // height, most)
        ):
            return height
    return largest


def _threads(columns: int, rows: int, most: int) -> tuple[int, int]:
    """Return threads along columns and rows of tiles.

    They are powers of two if these divide both, else most of those that do. If those are few, the
    last block has idle threads. Halide then cannot tell which sums a thread keeps, and a device has
    them in memory instead of registers.
    """
    powers_of_two = _powers(columns, rows, most)
    if _divide(columns, rows, powers_of_two):
        return powers_of_two
    pairs = ((n, m) for n in _divisors(columns, most) for m in _divisors(rows, most // n))
    best = max(pairs, key=lambda pair: (prod(pair), pair))
    return best if 2 * prod(best) >= prod(powers_of_two) else powers_of_two


def _divide(columns: int, rows: int, threads: tuple[int, int]) -> bool:
    return columns % threads[0] == 0 and rows % threads[1] == 0


def _powers(columns: int, rows: int, most: int) -> tuple[int, int]:
    """Return powers of two: as many threads along columns as there are tiles, then along rows."""
    along = 1
    while along < min(columns, most):
        along *= 2
    down = 1
    while down < rows and 2 * along * down <= most:
        down *= 2
    return along, down


def _divisors(extent: int, most: int) -> list[int]:
    """Return the divisors of an extent that are no larger than ``most``."""
    return [n for n in range(1, most + 1) if extent % n == 0]
