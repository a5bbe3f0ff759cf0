"""Which axes of a model are open: it is imported for several numbers, and compared."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from autodeploy.analysis.compare_empty import check_without_elements
from autodeploy.analysis.compare_sizes import (
    Numbers,
    Sample,
    compare_with,
    open_by_comparison,
)
from autodeploy.analysis.open_axes import found_axes, open_axes
from autodeploy.diagnostics import UnsupportedError, UserError
from autodeploy.dialects.nn.open_extent import OpenExtentAttr
from autodeploy.dialects.nn.padding_by_rest import COMPARED_ATTRIBUTE, SAME_ATTRIBUTE
from autodeploy.frontend.open_sizes import Extents, OpenSizes
from autodeploy.passes.nn.merge_pads import merge_pads
from autodeploy.passes.nn.resolve_extents import end_values, resolve_extents
from autodeploy.passes.onnx.kept_extents import KEEP_ATTRIBUTE


def open_extents(
    ctx: Context,
    module: ModuleOp,
    extent: OpenExtentAttr,
    sizes: OpenSizes,
    imported: Callable[[Extents], ModuleOp],
) -> None:
    """Write to a module of the nn dialect which axes are open.

    It is the model for the largest numbers, and ``imported`` gives it for others. Raises
    ``UnsupportedError`` where an extent cannot be open.
    """

    def other(extents: Extents) -> ModuleOp:
        try:
            found = imported(extents)
        except UserError as error:
            # Such as an element that is there for larger numbers only.
            raise UnsupportedError(
                f"extent {extent} cannot be open: for {extent.numbers(extents.numbers)} {error}"
            ) from None
        merge_pads(found)
        return found

    merge_pads(module)
    samples: dict[Numbers, Sample] = {}
    for extents in (*sizes.others, *sizes.between, *sizes.rounded):
        found = samples.values()
        moves = any(sample.has_other_lines() for sample in found)
        if extents in sizes.between and not (moves or any(s.needs_another() for s in found)):
            continue
        if extents in sizes.rounded and not moves:
            continue
        numbers = extents.numbers
        samples[numbers] = compare_with(ctx, module, other(extents), extent, numbers)
    compared = open_by_comparison(module, extent, samples)
    for func in [f for f in module.body.block.ops if isinstance(f, FuncOp)]:
        told = found_axes(module, extent, func, compared)
        for extents in () if told.problems else sizes.zeros:
            check_without_elements(ctx, module, other(extents), told, extent, extents.numbers)
        if KEEP_ATTRIBUTE in module.attributes and not told.problems:
            end_values(func, told, found_axes(module, extent, func))
        axes = open_axes(module, func, compared)
        if axes is not None:
            resolve_extents(ctx, func, axes.stated)
    module.attributes.pop(COMPARED_ATTRIBUTE, None)
    for op in module.walk():
        op.attributes.pop(SAME_ATTRIBUTE, None)
