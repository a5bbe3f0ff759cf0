"""The pass ``check-open-axes``: which ops a kernel can compute up to the numbers of a run.

Types state the extents. An op whose lowering cannot end at those of a run is refused, all of them
at once. The others get rules for their properties, and the source of the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.hints import isa

from autodeploy.analysis.open_problems import OpenProblems, read_problem
from autodeploy.analysis.open_reads import open_reads
from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.extents import Extent, numbers_of, table_of
from autodeploy.dialects.growth import solved
from autodeploy.dialects.nn.base import MovementOp, NNOp, i64_attr, ints
from autodeploy.dialects.nn.constant import ConstantOp, with_type
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.control_flow import ForOp
from autodeploy.dialects.nn.extent_attr import (
    ExtentsAttr,
    axes_of_type,
    encoding_of,
    is_tensor,
    is_varying,
    value_axes,
)
from autodeploy.dialects.nn.kernel import CallLikeOp
from autodeploy.dialects.nn.library import goes_by_rows, goes_by_size, goes_by_strides
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.nn.open_extent import (
    OpenExtentAttr,
    axes_attr,
    find_open_extent,
)
from autodeploy.dialects.nn.resampling import SampledOp
from autodeploy.dialects.nn.stored import STORED_ATTRIBUTE, CellType
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.dialects.open_range import remedy
from autodeploy.frontend.nn.run_values import derived_sources
from autodeploy.passes.nn.derive_numbers import derive_numbers
from autodeploy.passes.nn.look_up_places import look_up_places
from autodeploy.passes.nn.merge_pads import merge_pads
from autodeploy.passes.nn.resolve_extents import resolve_extents
from autodeploy.passes.nn.state_open_rules import state_pads, state_places
from autodeploy.passes.nn.tell_numbers import tell_numbers
from autodeploy.weights import WeightStore


class CheckOpenAxesPass(ModulePass):
    """Check that kernels can end at the numbers of a run, in a module with ``nn.open_extent``.

    An extent that is no sum, rounded quotient or product of numbers becomes a derived number, which
    ``nn.open_extent`` then has with its table; others may grow with it.

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
        found, sources = OpenProblems(extent), list[SSAValue]()
        look_up_places(ctx, func, found, extent.grid)
        for inner in func.walk():
            _check_ranges(inner, extent, found)
        found.check()
        if (derived := derive_numbers(op, func, extent)) is not extent:
            extent, sources = derived, derived_sources(func, derived.grid)
            _fold_first_elements(ctx, func)
            look_up_places(ctx, func, found, extent.grid, sources)
            found.check()
        for inner in func.walk():
            for reason in _state_rules(inner) or _problems(inner, extent):
                found.refuse(inner, reason)
        _check_interface(func, found, extent)
        found.check()
        tell_numbers(func, found, sources)
        found.check()
        resolve_extents(ctx, func, sources)
        dce(op)  # extents are computed from inputs now


def _fold_first_elements(ctx: Context, func: FuncOp) -> None:
    """Put a constant in the place of the first elements of one, as many as a run has.

    An extent without a form is left until it has one: there may be room for more elements then.
    """
    for op in tuple(func.walk()):
        if not isinstance(op, SliceOp) or not isinstance(op.x.owner, ConstantOp):
            continue
        starts, sizes, steps = map(ints, (op.starts, op.sizes, op.steps))
        sliced = [size for size, n in zip(sizes, shape_of(op.x.type), strict=True) if size is not n]
        if not any(isinstance(size, Extent) for size in sliced) or None in map(growth_of, sizes):
            continue
        if any(isinstance(n, Extent) or n for n in starts) or set(steps) != {1}:
            continue
        store = WeightStore.of(ctx)
        room = bounds_of(op.result.type)
        array = store.array(op.x.owner.value)[tuple(map(slice, room))]
        array = np.pad(array, [(0, n - m) for n, m in zip(room, array.shape, strict=True)])
        value = store.attribute(np.ascontiguousarray(array))
        constant = ConstantOp(with_type(value, op.result.type))
        constant.location = op.location
        constant.result.name_hint = op.result.name_hint
        Rewriter.replace_op(op, constant)


def _check_ranges(op: Operation, extent: OpenExtentAttr, found: OpenProblems) -> None:
    """Refuse an op whose extents depend on other numbers than those of the module."""
    arguments = (a for region in op.regions for block in region.blocks for a in block.args)
    varying = (value.type for value in (*op.results, *arguments) if is_varying(value.type))
    if any(numbers_of(*shape_of(type_)) != extent.grid for type_ in varying):
        found.refuse(op, "its extents depend on numbers of other ranges")


def _state_rules(op: Operation) -> Sequence[str]:
    """Let an op say how properties follow from extents; return why it cannot."""
    reason = None
    if isinstance(op, ConvOp | PoolOp):
        reason = state_pads(op)
    elif isinstance(op, SampledOp):
        reason = state_places(op)
    elif isinstance(op, ForOp):
        reason = _state_steps(op)
    if reason is not None:
        return [reason]
    varying = [name for name, value in op.properties.items() if isinstance(value, ExtentsAttr)]
    return (
        []
        if isinstance(op, SliceOp)
        else [f"its {name} follow from the number" for name in varying]
    )


def _state_steps(op: ForOp) -> str | None:
    """Let a loop say how many steps a run has: those that it states, or one for each row."""
    if op.steps is None:
        return None
    rows = {axes_of_type(value.type)[0] for value in (*op.tensors, *op.stacked)}
    steps = op.steps.value.data
    if isinstance(steps, Extent):
        rows.add(axes_of_type(tensor(element_of(op.arguments.step.type), [steps]))[0])
        op.steps = i64_attr(steps.most)
    if len(rows) > 1:
        return "it has another number of steps than its operands have rows"
    op.open = axes_attr(tuple(rows)) if any(rows) else None
    return None


def _problems(op: Operation, extent: OpenExtentAttr) -> Sequence[str]:
    """Return why a kernel cannot end where a run does."""
    empty = _empty_problem(op, extent)
    if empty is not None:
        return [empty]
    if isinstance(op, CallLikeOp):
        reason = _call_problem(op)
        return [] if reason is None else [reason]
    if not isinstance(op, NNOp):
        return []
    reads = (read_problem(op, read, extent) for read in open_reads(op))
    return [reason for reason in reads if reason is not None]


def _call_problem(op: Operation) -> str | None:
    """Return why a function of the library cannot have an open axis.

    A function that goes by rows may have fewer of any operand. One that goes by strides takes any
    axis of the first; along the innermost one the result is open where it has as many elements as
    the operand. One that goes by the size of the first takes any axis of it, and makes none.
    """
    opened = [value_axes(value) for value in op.operands]
    if not any(map(any, opened)):
        return None
    by_rows = goes_by_rows(op)
    if goes_by_size(op):
        others = [*opened[1:], *map(value_axes, op.results)]
        return "only its images can have it" if any(map(any, others)) else None
    if not by_rows and not goes_by_strides(op):
        return f"{op.name} cannot have it"
    if any(any(axes[1:]) for axes in opened) if by_rows else any(map(any, opened[1:])):
        return "it reads several places along it"
    if by_rows:
        return None
    count, own = shape_of(op.results[0].type)[-1], shape_of(op.operands[0].type)[-1]
    if isinstance(own, Extent) and not isinstance(count, Extent) and count > own.least:
        return f"it takes {count} elements along it, where a run may have {own.least}"
    return None


def _check_interface(func: FuncOp, found: OpenProblems, extent: OpenExtentAttr) -> None:
    """Raise where the extents of inputs do not say a number; refuse those that share bytes."""
    arguments = func.body.block.args
    told = {place for _, place in solved(g for a in arguments for g in value_axes(a))}
    for place, range_ in enumerate(extent.ranges):
        if place not in told:
            raise UnsupportedError(
                f"extent '{range_.label}' cannot be open: no extent of an input depends on it"
            )
    returned = func.body.block.last_op
    for kind, attributes, values in (
        ("input", func.arg_attrs, arguments),
        ("output", func.res_attrs, () if returned is None else returned.operands),
    ):
        for index, entry in enumerate(attributes or ()):
            stored = entry.data.get(STORED_ATTRIBUTE)
            if not isa(stored, TensorType[Attribute]) or encoding_of(values[index].type) is None:
                continue
            # A string is a row of bytes; its other axes are those that the caller knows.
            shape = bounds_of(values[index].type)
            shape = shape[:-1] if isinstance(stored.element_type, CellType) else shape
            if stored.get_shape() != shape:
                found.refuse(func, f"{kind} {index} has several elements in a byte")


def _empty_problem(op: Operation, extent: OpenExtentAttr) -> str | None:
    """Return why an op that computes elements from none for some number cannot do so."""
    for own in (n for result in op.results for n in _extents(result)):
        if isinstance(own, Extent) and _is_empty_within(own, extent):
            table = np.broadcast_to(own.table, own.numbers.shape)
            counts = extent.numbers(own.numbers.counts_at(int(table.argmin())))
            advice = remedy(own.numbers.ranges, table < 1)
            return f"it has no elements for {counts}; {advice}"
    missing = [_is_empty(value) for value in _read(op)]
    if not any(np.any(empty) for empty in missing):
        return None
    if op.regions and not isinstance(op, FuncOp):
        return "it may have no elements; a range that begins with 1 has some"
    made: np.ndarray | bool = False
    for result in op.results:
        made = made | ~np.asarray(_is_empty(result))
    wrong = np.broadcast_to(np.any(np.broadcast_arrays(*missing), axis=0) & made, extent.grid.shape)
    if wrong.all():
        return "it computes elements from none"
    if wrong.any():
        return f"for some numbers it computes elements from none; {remedy(extent.ranges, wrong)}"
    return None


def _extents(value: SSAValue) -> Sequence[int]:
    return shape_of(value.type) if is_tensor(value.type) else ()


def _is_empty(value: SSAValue) -> np.ndarray | bool:
    """Return for which numbers a value has no elements."""
    empty: np.ndarray | bool = False
    for extent in _extents(value):
        empty = empty | (np.asarray(table_of(extent)) == 0)
    return empty


def _is_empty_within(own: Extent, extent: OpenExtentAttr) -> bool:
    """Return whether an extent is 0 although no number by which it grows is."""
    growth = growth_of(own)
    return own.least < 1 and bool(growth) and all(r.least > 0 for r in extent.ranges_of(growth))


def _read(op: Operation) -> Sequence[SSAValue]:
    """Return the operands whose elements an op reads, of one that needs some of each."""
    if op.has_trait(IsTerminator) or (isinstance(op, MovementOp) and op.joined_axis is not None):
        return ()
    if isinstance(op, NNOp) and (op.dim_query_axis is not None or op.folds_none):
        return ()
    if isinstance(op, MovementOp | SampledOp):
        return op.operands[:1]
    return op.operands
