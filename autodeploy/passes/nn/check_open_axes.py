"""The pass ``check-open-axes``: which axes are open, by the extents that types state.

From here on types have the largest extents, and properties say how axes grow. An op whose lowering
cannot end at the number of a run is refused, all of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.hints import isa

from autodeploy.analysis.growing_axes import OpenAxes
from autodeploy.analysis.open_axes import found_axes, open_axes
from autodeploy.analysis.stated_extents import StatedExtents
from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.extent_attr import is_varying
from autodeploy.dialects.extents import Extent, largest_of, last_of, table_of
from autodeploy.dialects.nn.base import MovementOp, NNOp, i64_array, ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.growth import solved
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.nn.open_extent import (
    AXES_ATTRIBUTE,
    OpenExtentAttr,
    axes_attr,
    find_open_extent,
)
from autodeploy.dialects.nn.padding_by_rest import SAME_ATTRIBUTE
from autodeploy.dialects.nn.places import SampledOp
from autodeploy.dialects.nn.types import element_of, shape_of, tensor
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.passes.nn.merge_pads import merge_pads
from autodeploy.passes.nn.resolve_extents import end_values, resolve_extents
from autodeploy.weights import WeightStore


@dataclass(frozen=True)
class CheckOpenAxesPass(ModulePass):
    """Find the open axes of a module with ``nn.open_extent``, and let ops say how these grow.

    Raises ``UnsupportedError`` that lists all ops that cannot have an open axis.
    """

    name = "check-open-axes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check the function of a module, if an extent of it is open."""
        extent = find_open_extent(op.attributes)
        if extent is None:
            return
        (func,) = (inner for inner in op.body.block.ops if isinstance(inner, FuncOp))
        merge_pads(op)
        _fold_first_elements(ctx, func)
        stated = StatedExtents(extent.grid, func)
        varying = _varying_properties(func)
        _forget_extents(func)
        _mark_results(func, stated)
        told = found_axes(op, extent, func, stated)
        for inner, name in varying:
            told.refuse(inner, f"its {name} follow from the number")
        _check_inputs(func, told, extent)
        if not told.problems:
            _check_empty(func, told, stated)
        told.check()
        end_values(func, told, found_axes(op, extent, func))
        axes = open_axes(op, func, stated)
        if axes is not None:
            resolve_extents(ctx, func, axes.stated)
        for inner in op.walk():
            inner.attributes.pop(SAME_ATTRIBUTE, None)
        dce(op)  # extents are computed from inputs now


def _fold_first_elements(ctx: Context, func: FuncOp) -> None:
    """Put a constant in the place of the first elements of one, as many as a run has."""
    for op in tuple(func.walk()):
        if not isinstance(op, SliceOp) or not isinstance(op.x.owner, ConstantOp):
            continue
        starts, sizes, steps = map(ints, (op.starts, op.sizes, op.steps))
        sliced = [size for size, n in zip(sizes, shape_of(op.x.type), strict=True) if size is not n]
        if not any(isinstance(size, Extent) for size in sliced):
            continue
        if any(isinstance(n, Extent) or n for n in starts) or set(steps) != {1}:
            continue
        store = WeightStore.of(ctx)
        array = store.array(op.x.owner.value)[tuple(slice(largest_of(n)) for n in sizes)]
        constant = ConstantOp(store.attribute(np.ascontiguousarray(array)))
        constant.location = op.location
        constant.result._type = tensor(element_of(op.x.type), sizes)  # pyright: ignore[reportPrivateUsage]
        constant.result.name_hint = op.result.name_hint
        Rewriter.replace_op(op, constant)


def _varying_properties(func: FuncOp) -> list[tuple[Operation, str]]:
    """Return ops with a property that differs between numbers, which no later pass reads so."""
    return [
        (op, name)
        for op in func.walk()
        if not isinstance(op, SliceOp | ConvOp | PoolOp | SampledOp)
        for name, value in op.properties.items()
        if isa(value, DenseArrayBase[IntegerType])
        if any(isinstance(n, Extent) for n in ints(value))
    ]


def _forget_extents(func: FuncOp) -> None:
    """Leave the largest extents in types and properties."""
    for op in func.walk():
        arguments = (a for region in op.regions for block in region.blocks for a in block.args)
        for value in (*op.results, *arguments):
            if is_varying(value.type):
                most = map(largest_of, shape_of(value.type))
                value._type = tensor(element_of(value.type), [*most])  # pyright: ignore[reportPrivateUsage]
        for name, value in op.properties.items():
            if isa(value, DenseArrayBase[IntegerType]) and value.elt_type == i64:
                op.properties[name] = i64_array([last_of(n) for n in ints(value)])
    returned = func.body.block.last_op
    results = () if returned is None else returned.operands
    func.function_type = FunctionType.from_lists(
        [argument.type for argument in func.body.block.args], [value.type for value in results]
    )


def _mark_results(func: FuncOp, stated: StatedExtents) -> None:
    """Write how results grow to their attributes."""
    returned = func.body.block.last_op
    results = () if returned is None else returned.operands
    given = func.res_attrs or ArrayAttr([DictionaryAttr({}) for _ in results])
    entries: list[DictionaryAttr] = []
    for entry, value in zip(given, results, strict=True):
        growths = [stated.growth(extent) for extent in stated.shape(value)]
        data = dict(entry.data)
        if None not in growths:
            data[AXES_ATTRIBUTE] = axes_attr(tuple(g for g in growths if g is not None))
        entries.append(DictionaryAttr(data))
    func.res_attrs = ArrayAttr(entries)


def _check_inputs(func: FuncOp, axes: OpenAxes, extent: OpenExtentAttr) -> None:
    """Raise where the extents of inputs do not say a number of a run."""
    growths = [growth for argument in func.body.block.args for growth in axes.of(argument)]
    told = {place for _, place in solved(growths)}
    for place, range_ in enumerate(extent.ranges):
        if place not in told:
            raise UnsupportedError(
                f"extent '{range_.label}' cannot be open: no extent of an input depends on it"
            )


def _check_empty(func: FuncOp, axes: OpenAxes, stated: StatedExtents) -> None:
    """Refuse ops that compute elements from none for some number."""

    def is_empty(value: SSAValue) -> np.ndarray | bool:
        empty: np.ndarray | bool = False
        for extent in stated.shape(value) if isinstance(value.type, TensorType) else ():
            empty = empty | (np.asarray(table_of(extent)) == 0)
        return empty

    for op in func.walk():
        for extent in (n for result in op.results for n in stated.shape(result)):
            if isinstance(extent, Extent) and _is_empty_within(extent):
                at = extent.numbers.counts_at(
                    int(np.broadcast_to(extent.table, extent.numbers.shape).argmin())
                )
                axes.refuse(op, f"it has no elements for {extent.numbers.text(at)}")
                break
        read = _read(op)
        missing = [is_empty(value) for value in read]
        if not any(np.any(empty) for empty in missing):
            continue
        if op.regions and not isinstance(op, FuncOp):
            axes.refuse(op, "it may have no elements; a range that begins with 1 has some")
            continue
        made: np.ndarray | bool = False
        for result in op.results:
            made = made | ~np.asarray(is_empty(result))
        if any(np.any(empty & made) for empty in missing):
            axes.refuse(op, "for some numbers it computes elements from none")


def _is_empty_within(extent: Extent) -> bool:
    """Tell whether an extent is 0 although no number is."""
    varying = zip(extent.numbers.ranges, extent.table.shape, strict=True)
    return extent.least < 1 and all(r.least > 0 for r, count in varying if count > 1)


def _read(op: Operation) -> Sequence[SSAValue]:
    """Return the operands whose elements an op reads, of one that needs some of each."""
    if op.has_trait(IsTerminator) or (isinstance(op, MovementOp) and op.joined_axis is not None):
        return ()
    if isinstance(op, NNOp) and op.asked_extent is not None:
        return ()
    if isinstance(op, MovementOp | SampledOp):
        return op.operands[:1]
    return op.operands
