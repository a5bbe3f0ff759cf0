"""Images read at computed places: GridSample, AffineGrid, DeformConv, and pools of regions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import f32, f64, i32, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.extents import Extent
from autodeploy.dialects.nn.activation import ClipOp
from autodeploy.dialects.nn.base import check_at_least, check_length
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.lookup import GatherElementsOp
from autodeploy.dialects.nn.types import element_of, is_float, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, check_count, check_new_constant
from autodeploy.frontend.nn.term import Number, Term
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.weights import numpy_dtype

_MODES = {"bilinear": "linear", "bicubic": "cubic", "linear": "linear", "cubic": "cubic",
          "nearest": "nearest"}  # fmt: skip

CUBIC = -0.75
"""The free parameter of cubic convolution."""


@converts("GridSample")
def grid_sample(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert GridSample; places are between -1 and 1, along the last axis of the image first."""
    given, grid = b.operand(op, "X"), b.operand(op, "grid")
    batch, channels, *dims = shape_of(given.type)
    *outer, rank = shape_of(grid.type)
    if rank != len(dims) or outer[0] != batch or len(outer) != len(dims) + 1:
        raise ConversionError(f"grid {grid.type} does not fit {given.type}")
    mode, padding = b.text(op, "mode", ""), b.text(op, "padding_mode", "")
    if mode not in _MODES or padding not in ("zeros", "border", "reflection"):
        raise ConversionError(f"mode '{mode}' with padding '{padding}' is unknown")
    aligned = b.integer(op, "align_corners") != 0
    grid = b.in_32_bits(grid)
    image = b.reshape(b.in_32_bits(given), (batch, channels, prod(dims)))
    sampler = _Sampler(b, image, dims, padding, aligned)
    places: list[Term] = []
    for axis in range(rank):
        part = b.slice(grid, {len(outer): range(rank - 1 - axis, rank - axis)})
        part = Term(b, b.reshape(part, (batch, 1, prod(outer[1:])))) + 1
        count = sampler.count(axis, part.element)
        place = part * 0.5 * (count - 1) if aligned else (part * count - 1) * 0.5
        if _MODES[mode] == "nearest":
            place = place.round()
        if (_MODES[mode], padding) != ("cubic", "border"):  # whose neighbours are held, one by one
            place = sampler.held(place, axis)
        places.append(place)
    result = sampler.read(places, _MODES[mode]).value
    return [b.cast(b.reshape(result, (batch, channels, *outer[1:])), element_of(given.type))]


class _Sampler:
    """Reads an image, of shape [batch, channels, elements], at places of shape [batch, 1, n]."""

    def __init__(
        self,
        b: ConversionContext,
        image: SSAValue,
        dims: Sequence[int],
        padding: str,
        aligned: bool,
    ):
        self.b, self.image, self.dims, self.padding = b, image, dims, padding
        self.margin = 0.0 if aligned else 0.5
        """How far the image reaches beyond the middle of its outermost elements."""

    def count(self, axis: int, element: Attribute) -> Number:
        """Return the extent of the image along an axis; if it is open, as an element of a type."""
        extent = self.dims[axis]
        if not isinstance(extent, Extent):
            return extent
        return Term(self.b, self.b.number_of_run(extent)).cast(element)

    def held(self, place: Term, axis: int) -> Term:
        """Return a place within the image, or as it is where zeros are around that."""
        if self.padding == "zeros":
            return place
        low, high = -self.margin, self.count(axis, place.element) - 1 + self.margin
        inside = (place >= low) & (place <= high)
        if self.padding == "border" or (not self.margin and self.dims[axis] == 1):
            outside = self._bounded(place, axis)
        else:
            outside = self._reflected(place, low, high)
        return inside.where(place, outside)

    def _bounded(self, place: Term, axis: int) -> Term:
        last = self.count(axis, place.element) - 1
        if isinstance(last, Term):
            return place.maximum(0).minimum(last)
        return place.made(ClipOp(place.value, 0.0, float(last)))

    def _reflected(self, place: Term, low: float, high: Number) -> Term:
        distance, width = (place - low).abs(), high - low
        count = (distance / width).floor()
        rest = distance - count * width
        half = count * 0.5
        return half.floor().equals(half).where(rest + low, high - rest)

    def read(self, places: Sequence[Term], mode: str) -> Term:
        """Return the elements at places, one tensor an axis, made of their neighbours."""
        if mode == "nearest":
            return self._element(places)
        axes: list[list[tuple[Term, Term]]] = []
        for place in places:
            first = place.floor()
            t = place - first
            weights = [1 - t, t] if mode == "linear" else self._cubic(t)
            start = 0 if mode == "linear" else -1
            element = element_of(self.image.type)
            axes.append(
                [(first + step, part.cast(element)) for step, part in enumerate(weights, start)]
            )
        return self._sum(axes, [])

    def _sum(self, axes: Sequence[Sequence[tuple[Term, Term]]], taken: list[Term]) -> Term:
        """Return the weighted sum over the places of the axes that are left."""
        if not axes:
            return self._element(taken)
        total: Term | None = None
        for place, weight in axes[0]:
            part = self._sum(axes[1:], [*taken, place]) * weight
            total = part if total is None else total + part
        assert total is not None  # there are places along each axis
        return total

    def _cubic(self, t: Term) -> list[Term]:
        def polynomial(x: Term, *coefficients: float) -> Term:
            total = x.same(coefficients[0])
            for coefficient in coefficients[1:]:
                total = total * x + coefficient
            return total

        a, rest = CUBIC, 1 - t
        far, near = (a, -5 * a, 8 * a, -4 * a), (a + 2, -(a + 3), 0.0, 1.0)
        return [
            polynomial(t + 1, *far),
            polynomial(t, *near),
            polynomial(rest, *near),
            polynomial(rest + 1, *far),
        ]

    def _element(self, places: Sequence[Term]) -> Term:
        """Return the elements at whole places."""
        number: Term | None = None
        inside: list[Term] = []
        for axis, place in enumerate(places):
            place = self.held(place, axis) if self.padding == "reflection" else place
            bounded = self._bounded(place, axis)
            if self.padding == "zeros":
                inside.append(bounded.equals(place))
            index = bounded.cast(i32)
            number = index if number is None else number * self.count(axis, i32) + index
        assert number is not None  # an image has an axis at least
        batch, channels, _ = shape_of(self.image.type)
        shape = (batch, channels, shape_of(number.value.type)[2])
        found = number.made(GatherElementsOp(self.image, self.b.broadcast(number.value, shape), 2))
        for test in inside:
            found = test.where(found, 0)
        return found


@converts("AffineGrid")
def affine_grid(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert AffineGrid: each place of an image, the last axis first, times the matrix."""
    given = b.operand(op, "theta")
    batch, _, *dims = size = [int(n) for n in b.constant(op, "size").reshape(-1)]
    rank, aligned = len(dims), b.integer(op, "align_corners") != 0
    if rank not in (2, 3) or shape_of(given.type) != (batch, rank, rank + 1) or min(size) < 1:
        raise ConversionError(f"size {size} does not fit {given.type}")
    theta = b.in_32_bits(given)
    check_new_constant(prod(dims) * (rank + 1), 8)
    lines = [np.linspace(-1, 1, n) if aligned else (2 * np.arange(n) + 1) / n - 1 for n in dims]
    places = np.stack([*np.meshgrid(*lines, indexing="ij")[::-1], np.ones(dims)])
    flat = places.reshape(rank + 1, -1).astype(numpy_dtype(element_of(theta.type)))
    grid = b.emit(MatMulOp(theta, b.make_constant(flat)))
    grid = b.reshape(b.transpose(grid, (0, 2, 1)), (batch, *dims, rank))
    return [b.cast(grid, element_of(given.type))]


@converts("DeformConv")
def deform_conv(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert DeformConv: a product with elements that are interpolated at moved places."""
    given, filter_ = b.operand(op, "X"), b.operand(op, "W")
    element, wide = element_of(given.type), f64 if element_of(given.type) == f64 else f32
    batch, channels, *dims = shape_of(given.type)
    outputs, _, *block = shape_of(filter_.type)
    rank, taps = len(dims), prod(block)
    strides, dilations = (b.integers(op, n, [1] * rank) for n in ("strides", "dilations"))
    pads = b.integers(op, "pads", [0] * (2 * rank))
    for name, values, count in (
        ("strides", strides, rank),
        ("dilations", dilations, rank),
        ("pads", pads, 2 * rank),
    ):
        check_count(name, values, count)
    shape = [
        (n + pads[i] + pads[rank + i] - d * (k - 1) - 1) // s + 1
        for i, (n, k, s, d) in enumerate(zip(dims, block, strides, dilations, strict=True))
    ]
    group, parts = b.integer(op, "group"), b.integer(op, "offset_group")
    offset, mask, bias = b.operand(op, "offset"), op.input_named("mask"), op.input_named("B")
    if min(group, parts) < 1 or channels % parts or outputs % group or (
        shape_of(filter_.type)[1] * group != channels
        or shape_of(offset.type) != (batch, parts * taps * rank, *shape)
        or (mask is not None and shape_of(mask.type) != (batch, parts * taps, *shape))
    ):  # fmt: skip
        raise ConversionError(
            f"filter {filter_.type} and offsets {offset.type} do not fit {given.type}"
        )
    points = prod(shape)
    check_new_constant(taps * points * rank, 8)
    image = b.reshape(b.cast(given, wide), (batch * parts, channels // parts, prod(dims)))
    moved = b.reshape(b.cast(offset, wide), (batch * parts, taps, rank, points))
    places: list[Term] = []
    for axis in range(rank):
        starts = np.arange(shape[axis]) * strides[axis] - pads[axis]
        starts = np.broadcast_to(starts.reshape(-1, *[1] * (rank - 1 - axis)), shape).reshape(1, -1)
        steps = np.arange(block[axis]) * dilations[axis]
        steps = np.broadcast_to(steps.reshape(-1, *[1] * (rank - 1 - axis)), block).reshape(-1, 1)
        own = b.make_constant((starts + steps).astype(numpy_dtype(wide)))
        part = b.reshape(b.slice(moved, {2: range(axis, axis + 1)}), (batch * parts, taps, points))
        place = (Term(b, part) + Term(b, own)).value
        places.append(Term(b, b.reshape(place, (batch * parts, 1, taps * points))))
    columns = _Sampler(b, image, dims, "zeros", True).read(places, "linear")
    if mask is not None:
        weights = b.reshape(b.cast(mask, wide), (batch * parts, 1, taps * points))
        columns = columns * Term(b, weights)
    columns = b.reshape(columns.value, (batch, group, channels // group * taps, points))
    rows = b.reshape(b.cast(filter_, wide), (group, outputs // group, channels // group * taps))
    result = b.reshape(b.emit(MatMulOp(rows, columns)), (batch, outputs, *shape))
    if bias is not None:
        per_channel = b.reshape(b.cast(bias, wide), (outputs, *[1] * rank))
        result = (Term(b, result) + Term(b, per_channel)).value
    return [b.cast(result, element)]


@converts("RoiAlign")
def roi_align(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert RoiAlign; before opset 16 regions do not start half an element earlier."""
    x, rois = b.operand(op, "X"), b.operand(op, "rois")
    batches = b.cast(b.operand(op, "batch_indices"), i64)
    _check(x, rois, 4)
    regions = shape_of(rois.type)[0]
    if shape_of(batches.type) != (regions,):
        raise ConversionError(f"{batches.type} does not number the images of {regions} regions")
    mode = b.text(op, "mode", "avg")
    transform = b.text(op, "coordinate_transformation_mode", "output_half_pixel")
    if mode not in ("avg", "max") or transform not in ("half_pixel", "output_half_pixel"):
        raise ConversionError(f"mode '{mode}' with '{transform}' is unknown")
    image = (b.integer(op, "output_height"), b.integer(op, "output_width"))
    check_at_least("output_height and output_width", image, 1)
    element = element_of(x.type)
    wide = f64 if element == f64 else f32
    scale = b.make_constant(np.array(b.number(op, "spatial_scale"), np.float64))
    result = tensor(wide, (regions, shape_of(x.type)[1], *image))
    (pooled,) = b.call(
        "roi_align",
        [b.cast(x, wide), b.cast(rois, wide), batches, scale],
        [result],
        [b.integer(op, "sampling_ratio"), int(mode == "max"), int(transform == "half_pixel")],
        checks=True,
        sized=True,
    )
    return [b.cast(pooled, element)]


@converts("MaxRoiPool")
def max_roi_pool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MaxRoiPool; a region begins with the number of its image."""
    x, rois = b.operand(op, "X"), b.operand(op, "rois")
    _check(x, rois, 5)
    element = element_of(x.type)
    if element == f64:
        raise ConversionError("elements of type f64 are not supported")
    image = b.integers(op, "pooled_shape")
    check_length("pooled_shape", image, 2)
    check_at_least("pooled_shape", image, 1)
    scale = b.scalar(b.number(op, "spatial_scale"), f32)
    result = tensor(f32, (shape_of(rois.type)[0], shape_of(x.type)[1], *image))
    given = [b.cast(x, f32), b.cast(rois, f32), scale]
    (pooled,) = b.call("roi_pool", given, [result], checks=True, sized=True)
    return [b.cast(pooled, element)]


def _check(x: SSAValue, rois: SSAValue, width: int) -> None:
    shape = shape_of(rois.type)
    if len(shape_of(x.type)) != 4 or not is_float(element_of(x.type)):
        raise ConversionError(f"images of floating-point numbers are needed, not {x.type}")
    if len(shape) != 2 or shape[1] != width:
        raise ConversionError(f"a region is {width} numbers, found {rois.type}")
