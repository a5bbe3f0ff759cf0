"""The open axes of a function or a kernel, checked against what the model has for some numbers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from autodeploy.analysis.growing_axes import OpenAxes
from autodeploy.analysis.least_shapes import open_extent_around
from autodeploy.analysis.stated_extents import StatedExtents
from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.nn.base import Tensor
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.open_extent import (
    AXES_ATTRIBUTE,
    Axes,
    AxesAttr,
    OpenExtentAttr,
    axes_of,
    find_open_extent,
    listed_axes,
)
from autodeploy.dialects.nn.stored import STORED_ATTRIBUTE, CellType
from autodeploy.dialects.nn.types import shape_of


def open_axes(
    module: ModuleOp, func: FuncOp, stated: StatedExtents | None = None
) -> OpenAxes | None:
    """Return the open axes of a function's values; ``None`` where the module has no open extent.

    Arguments have them in ``nn.open``. ``stated`` is what the shapes of the model say: a
    constant, a broadcast and a slice may have axes that depend on the number which no operand has.
    Raises ``UnsupportedError`` that lists all ops that cannot have an open axis, and results that
    do not have those that their attributes say.
    """
    extent = find_open_extent(module.attributes)
    if extent is None:
        return None
    block = func.body.block
    found = found_axes(module, extent, func)
    if stated is not None:
        told = found_axes(module, extent, func, stated)
        for op, _ in told.folds - found.folds:
            # What reads the fold does not know the number, as no operand brings it.
            told.refuse(op, "it adds up along it")
        for op, _, _ in told.ends - found.ends:
            told.refuse(op, "no operand brings the number after whose elements it ends")
        told.check_stated(stated)
        found.problems = told.problems or found.problems
        found.stated = told
    for kind, attributes, values in (
        ("input", func.arg_attrs, block.args),
        ("output", func.res_attrs, () if block.last_op is None else block.last_op.operands),
    ):
        for index, entry in enumerate(attributes or ()):
            stored = entry.data.get(STORED_ATTRIBUTE)
            if not isa(stored, Tensor) or not found.is_open(values[index]):
                continue
            # A string is a row of bytes; its other axes are those that the caller knows.
            shape = shape_of(values[index].type)
            shape = shape[:-1] if isinstance(stored.element_type, CellType) else shape
            if stored.get_shape() != shape:
                found.refuse(func, f"{kind} {index} has several elements in a byte")
    found.check()
    returned = block.last_op
    results = () if returned is None else returned.operands
    for index, (value, axes) in enumerate(
        zip(results, _given(func.res_attrs, len(results)), strict=True)
    ):
        if axes is not None and found.of(value) != axes:
            raise UnsupportedError(
                f"extent {extent} cannot be open: by the shapes of the model result "
                f"{index} grows by {list(axes)}, by its nodes by {list(found.of(value))}"
            )
    return found


def found_axes(
    module: ModuleOp, extent: OpenExtentAttr, func: FuncOp, stated: StatedExtents | None = None
) -> OpenAxes:
    """Return the axes as they follow from the arguments of a function, and why they cannot be open.

    With what types have ``stated`` constants have axes, too.
    """
    pipelines = {p.sym_name.data: p for p in module.body.block.ops if isinstance(p, PipelineOp)}
    block = func.body.block
    found = OpenAxes(extent, pipelines, stated)
    for argument, axes in zip(block.args, _given(func.arg_attrs, len(block.args)), strict=True):
        if axes is not None and isa(argument.type, Tensor):
            found.give(argument, axes)
    found.add_block(block)
    return found


def kernel_axes(kernel: KernelOp) -> OpenAxes | None:
    """Return the open axes of the values inside of a kernel; ``None`` where it has none."""
    axes = listed_axes(kernel.open)[: len(kernel.inputs)]
    if not any(map(any, axes)):
        return None
    found = OpenAxes(open_extent_around(kernel))
    for argument, entry in zip(kernel.body.block.args, axes, strict=True):
        found.give(argument, entry)
    found.add_block(kernel.body.block)
    return found


def _given(attributes: Attribute | None, count: int) -> Sequence[Axes | None]:
    """Return what the attributes of arguments or results say of their axes."""
    given: list[Axes | None] = [None] * count
    if isa(attributes, ArrayAttr[DictionaryAttr]):
        for index, entry in enumerate(attributes):
            axes = entry.data.get(AXES_ATTRIBUTE)
            if isa(axes, AxesAttr):
                given[index] = axes_of(axes)
    return given
