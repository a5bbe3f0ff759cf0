"""``form-copies``: copies of strided elements become kernels.

A copy between dense values stays a copy of bytes. Every other copy becomes a kernel that copies
element by element, on as few axes as the strides need, in the order of the target: the innermost
axis is the one along which the target is contiguous.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, UnitAttr, i32, i64
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.driver import (
    CallOp,
    CopyOp,
    ProgramOp,
    ViewOp,
    buffer_of,
    elements_of,
    is_on_device,
    storage_of,
)
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, YieldOp
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.types import BufferType, axis_names
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.memref import MemRef, is_dense, strided_memref
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.open_extent import Axes, axes_list, constant_axes
from autodeploy.dialects.strides import Region
from autodeploy.machine import Machine
from autodeploy.machine.devices import DEVICES


@dataclass(frozen=True)
class FormCopiesPass(ModulePass):
    """Turn copies with a strided side into calls of kernels that copy.

    Copies of the same shape and strides share a kernel. It has the config of template ``copy``,
    with ``plain`` that of the plain one.
    """

    name = "form-copies"

    plain: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        taken = {p.sym_name.data for p in op.body.block.ops if isinstance(p, PipelineOp)}
        kernels: dict[Hashable, str] = {}
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            for copy in [c for c in program.body.walk() if isinstance(c, CopyOp)]:
                on_device = is_on_device(copy.target)
                if is_dense(copy.source) and is_dense(copy.target) and not on_device:
                    continue
                source, target = _merged(copy, program.axes_of(copy.target) or ())
                types = buffer_of(source.type), buffer_of(target.type)
                axes = tuple(program.axes_of(value) or () for value in (source, target))
                packed = program.packed_among([source])
                starts = tuple(elements_of(value).offset for value in (source, target))
                key = (*types, *axes, packed, starts if on_device else None)
                if key not in kernels:
                    kernels[key] = _free_name(len(kernels), taken)
                    pipeline = copy_pipeline(kernels[key], *types)
                    if any(map(any, axes)):
                        pipeline.open = axes_list([tuple(reversed(own)) for own in axes])
                    if packed:
                        pipeline.packed = DenseArrayBase.from_list(i64, list(packed))
                    pipeline.config = ConfigAttr("plain" if self.plain else "copy")
                    if on_device:
                        _put_on_device(pipeline, starts, machine_of(op))
                    Rewriter.insert_op(pipeline, InsertPoint.before(program))
                call = CallOp(kernels[key], [source], [target])
                call.location = copy.location
                views = copy.source.owner, copy.target.owner
                Rewriter.replace_op(copy, call)
                for view in views:
                    if isinstance(view, ViewOp) and not view.result.uses:
                        Rewriter.erase_op(view)


def _put_on_device(pipeline: PipelineOp, starts: tuple[int, ...], machine: Machine) -> None:
    """Let a kernel that copies run on the device, where its buffers begin at ``starts``."""
    pipeline.on_device = UnitAttr()
    threads = DEVICES[machine.device].threads
    pipeline.config = ConfigAttr("device_plain", {"threads": (threads,)})
    if any(starts):
        pipeline.starts = DenseArrayBase.from_list(i64, list(starts))


def _merged(copy: CopyOp, open_: Axes) -> tuple[SSAValue, SSAValue]:
    """Return views of source and target on as few axes as can be, in the order of the target.

    An axis that is open in the target is not merged into the one around it.
    """
    source, target = elements_of(copy.source), elements_of(copy.target)
    if is_dense(copy.source) and is_dense(copy.target):  # their shapes may differ; none is open
        source, target = (Region((prod(r.shape),), (1,), r.offset) for r in (source, target))
        open_ = ()
    found = zip(
        source.shape,
        source.strides,
        target.strides,
        open_ or constant_axes(len(source.shape)),
        strict=True,
    )
    axes = sorted((axis for axis in found if axis[0] != 1), key=lambda axis: -axis[2])
    merged: list[tuple[int, int, int]] = []
    for extent, read, write, growth in axes:
        if not growth and merged and merged[-1][1:] == (extent * read, extent * write):
            extent *= merged.pop()[0]
        merged.append((extent, read, write))
    shape, reads, writes = zip(*merged, strict=True) if merged else ((1,), (1,), (1,))
    return (
        _view(copy, copy.source, Region(shape, reads, source.offset)),
        _view(copy, copy.target, Region(shape, writes, target.offset)),
    )


def _view(copy: CopyOp, value: SSAValue, region: Region) -> SSAValue:
    storage, element = storage_of(value), cast(MemRef, value.type).element_type
    type_ = strided_memref(element, region.shape, region.strides)
    if storage.type == type_ and not region.offset:
        return storage
    view = ViewOp(storage, type_, region.offset)
    view.location, view.result.name_hint = copy.location, value.name_hint
    Rewriter.insert_op(view, InsertPoint.before(copy))
    return view.result


def copy_pipeline(name: str, source: BufferType, target: BufferType) -> PipelineOp:
    """Return a kernel that copies one buffer to another of the same extents."""
    block = Block(arg_types=[source, target])
    block.args[0].name_hint, block.args[1].name_hint = "in0", "result0"
    names = axis_names(len(target.extents))
    point = Block(arg_types=[i32] * len(names))
    for argument, axis in zip(point.args, names, strict=True):
        argument.name_hint = axis
    load = LoadOp(block.args[0], point.args)
    point.add_ops([load, YieldOp(load.result)])
    func = FuncOp("out", names, point, target.element)
    func.result.name_hint = "out"
    block.add_ops([func, OutputOp(func.result, block.args[1])])
    return PipelineOp(name, 1, block)


def _free_name(number: int, taken: set[str]) -> str:
    """Return ``copy_<number>``, with the next number that is free."""
    while f"copy_{number}" in taken:
        number += 1
    taken.add(f"copy_{number}")
    return f"copy_{number}"
