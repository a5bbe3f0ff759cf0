"""Image tensors inside kernels: names of variables, a constant around them, kept rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import SSAValue

from autodeploy.dialects.halide.pipeline import ROWS
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ConvolutionOp, ConvOp
from autodeploy.dialects.nn.layout import Layout, LayoutAttr, input_layout, spatial_axes
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.dialects.nn.window_steps import pads_before
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import Coordinates, Ends, KernelBuilder, Value
from autodeploy.lowering.nn_to_halide.movement import padded

SPATIAL_NAMES = ("x", "y", "z")
"""Variables of the spatial axes, innermost first; further ones are numbered."""


def image_names(layout: Layout, spatial_rank: int) -> tuple[str, ...]:
    """Return the variables of an image tensor, outermost first: n, c and one a spatial axis."""
    spatial = tuple(
        SPATIAL_NAMES[axis] if axis < len(SPATIAL_NAMES) else f"s{axis}"
        for axis in reversed(range(spatial_rank))
    )
    return ("n", "c", *spatial) if layout == Layout.CHANNELS_FIRST else ("n", *spatial, "c")


def last_row_below(x: Value, axis: int, extent: Callable[[Scope], Expr] | None = None) -> Value:
    """Return a tensor whose last element along an axis is repeated after the end.

    ``extent`` gives an extent that is open.
    """

    def at(scope: Scope, point: Coordinates) -> Expr:
        last = x.shape[axis] - 1 if extent is None else extent(scope) - 1
        within = scope.index(point[axis]).minimum(last)
        return x.at(scope, (*point[:axis], within, *point[axis + 1 :]))

    return Value(x.element, x.shape, at)


def last_column_again(x: Value) -> Value:
    """Return a matrix whose last column is repeated after its end.

    A loop over tiles of columns has a body of its own for full ones.
    """

    def at(scope: Scope, point: Coordinates) -> Expr:
        column = scope.index(point[-1]).likely().minimum(x.shape[-1] - 1)
        return x.at(scope, (*point[:-1], column))

    return Value(x.element, x.shape, at)


@dataclass(frozen=True)
class Padding:
    """A constant around the spatial axes of an image.

    ``pads`` lists the elements before each axis, then those after. ``ends`` give the extents of
    open axes. ``by_rest`` gives the number of elements before an axis if that depends on its
    extent (``image_pads_before``).
    """

    pads: Sequence[int]
    value: float = 0.0
    ends: Ends = field(default_factory=dict[int, Callable[[Scope], Expr]])
    by_rest: Ends = field(default_factory=dict[int, Callable[[Scope], Expr]])


def padding_of(
    builder: KernelBuilder,
    op: ConvOp | PoolOp,
    pads: Sequence[int] | None = None,
    value: float = 0.0,
) -> Padding:
    """Return the padding of an op's image; ``pads`` are its own where no others are given."""
    if isinstance(op, ConvOp) and op.fill is not None:
        value = float(op.fill.value.data)
    return Padding(
        ints(op.pads) if pads is None else pads,
        value,
        image_ends(builder, op.x, input_layout(op.layout)),
        image_pads_before(builder, op),
    )


def padded_image(builder: KernelBuilder, x: Value, layout: Layout, padding: Padding) -> Value:
    """Return an image with its padding, as a func of its own if there is any.

    The func has its own name so that a schedule can say where the padding is done. A schedule may
    keep some rows of it at a time, always the same number; then the last of them may be after the
    end.
    """
    if not any(padding.pads):
        return x
    wide = padded_value(x, layout, padding)
    names = image_names(layout, len(padding.pads) // 2)
    return builder.func("padded", wide.element, wide.shape, wide.at, names=names)


def dotted_image(
    builder: KernelBuilder, x: Value, layout: Layout, padding: Padding, channels: int
) -> Value:
    """Return a padded image as a func, channels last; zeros fill it up to ``channels``."""
    wide = padded_value(x, layout, padding)
    first = layout == Layout.CHANNELS_FIRST
    own = wide.shape[1] if first else wide.shape[-1]
    spatial = wide.shape[2:] if first else wide.shape[1:-1]

    def at(scope: Scope, point: Coordinates) -> Expr:
        image, *place, channel = point
        if channels == own:
            return wide.at(scope, (image, channel, *place) if first else point)
        index = scope.index(channel)
        within = index.minimum(own - 1)
        source = (image, within, *place) if first else (image, *place, within)
        return (index < own).select(wide.at(scope, source), scope.const(0, wide.element))

    names = image_names(Layout.CHANNELS_LAST, len(spatial))
    return builder.func(
        "padded", wide.element, (wide.shape[0], *spatial, channels), at, names=names
    )


def padded_value(x: Value, layout: Layout, padding: Padding) -> Value:
    """Return an image with its padding, and no func for it.

    The last row may be read below the end, as ``padded_image`` says, whatever is padded.
    """
    rank = len(padding.pads) // 2
    before, after, none = padding.pads[:rank], padding.pads[rank:], (0,)
    if not before[0] and not after[0]:
        row = 2 if layout == Layout.CHANNELS_FIRST else 1
        x = last_row_below(x, row, padding.ends.get(row))
    if layout == Layout.CHANNELS_FIRST:
        pads = (*none, *none, *before), (*none, *none, *after)
    else:
        pads = (*none, *before, *none), (*none, *after, *none)
    return padded(x, *pads, padding.value, padding.ends, padding.by_rest)


def image_ends(builder: KernelBuilder, image: SSAValue, layout: LayoutAttr) -> Ends:
    """Return what gives the extents of the spatial axes of an image that are open."""
    return builder.open_ends(image, spatial_axes(layout, len(bounds_of(image.type))))


def image_pads_before(builder: KernelBuilder, op: ConvOp | PoolOp) -> Ends:
    """Return what gives the elements before each axis whose padding follows from its extent."""
    layout, shape = input_layout(op.layout), bounds_of(op.x.type)
    ends, strides = image_ends(builder, op.x, layout), ints(op.strides)

    def before(axis: int, own: Sequence[int], stride: int) -> Callable[[Scope], Expr]:
        def at(scope: Scope) -> Expr:
            extent = ends[axis](scope) if axis in ends else scope.const(shape[axis])
            rest, found = extent % stride, scope.const(own[-1])
            for last in reversed(range(stride - 1)):
                if own[last] != own[last + 1]:
                    found = (rest <= last).select(scope.const(own[last]), found)
            return found

        return at

    return {
        axis: before(axis, own, strides[i])
        for i, axis in enumerate(spatial_axes(layout, len(shape)))
        if (own := pads_before(op.pads_by_remainder, i))
    }


def kept_image_rows(builder: KernelBuilder, x: Value, *, contracts: bool) -> Value:
    """Return an N … C image between two anchors of a kernel as a func of its own, called ``rows``.

    A schedule may keep a few of its rows at a time. If it ``contracts``, its strict parts are
    strict already. The same number of rows is kept for each band of the op that reads them. If the
    image is padded, the first and the last band need fewer. Then the last row is repeated after
    the end of the image, where it is not read.
    """
    names = image_names(Layout.CHANNELS_LAST, len(x.shape) - 2)
    kept = last_row_below(builder.opaque(x) if contracts else x, len(x.shape) - 3)
    return builder.func(ROWS, x.element, x.shape, kept.at, names=names, contracts=contracts)


def kept_matrix_rows(builder: KernelBuilder, x: Value, *, contracts: bool) -> Value:
    """Return a stack of matrices, … x rows x columns, as such a func."""
    return builder.func(ROWS, x.element, x.shape, x.at, contracts=contracts)


FilterReader: TypeAlias = Callable[[Scope, Coordinate, Coordinate, Coordinates], Expr]


def read_filter(op: ConvolutionOp, w: Value) -> FilterReader:
    """Return how to read a filter at output channel, channel within the group, and window."""
    layout = op.filter_layout

    def read(scope: Scope, out: Coordinate, channel: Coordinate, window: Coordinates) -> Expr:
        element = (scope.index(out), channel, *window)
        return w.at(scope, element if layout is None else tuple(layout.index(element)))

    return read
