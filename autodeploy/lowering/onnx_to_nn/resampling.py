"""Ops that resample an image: Resize and its older name Upsample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor

from xdsl.ir import SSAValue

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.resampling import CUBIC_COEFFICIENT, Interpolation, Rounding
from autodeploy.dialects.nn.types import element_count, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axes_of, check_count
from autodeploy.frontend.nn.resize import (
    LARGEST_DENOMINATOR,
    Axis,
    VaryingAxis,
    Weighting,
    antialiased,
    resize,
)
from autodeploy.lowering.onnx_to_nn.computed_places import resize_by
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts

_INTERPOLATIONS: Mapping[str, Interpolation] = {
    "nearest": Interpolation.NEAREST,
    "linear": Interpolation.LINEAR,
    "bilinear": Interpolation.LINEAR,
    "cubic": Interpolation.CUBIC,
}
_ROUNDINGS: Mapping[str, Rounding] = {
    "round_prefer_floor": Rounding.HALF_DOWN,
    "round_prefer_ceil": Rounding.HALF_UP,
    "floor": Rounding.FLOOR,
    "ceil": Rounding.CEIL,
}


@converts("Resize", since=11)
def convert_resize(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Resize: its scales, sizes and coordinates become one exact line of places an axis."""
    x = b.operand(op, "X")
    shape = shape_of(x.type)
    mode = b.text(op, "coordinate_transformation_mode", "half_pixel")
    named = b.integers(op, "axes") if b.setting(op, "axes") is not None else range(len(shape))
    axes = axes_of(named, len(shape))
    if any(b.is_computed(op, name) for name in ("roi", "scales", "sizes")):
        return [_computed(b, op, x, axes, mode)]
    regions = _regions(b, op, len(axes)) if mode == "tf_crop_and_resize" else None
    resized: dict[int, Axis | VaryingAxis] = {}
    for i, (axis, line) in enumerate(zip(axes, _scales(b, op, shape, axes), strict=True)):
        same = are_same([line.after], [shape[axis]])
        if isinstance(line, VaryingAxis):
            if regions is not None:
                raise ConversionError("a crop is not supported along an open axis")
            if not same:
                resized[axis] = line
            continue
        if not same or line.scale != 1 or regions is not None:
            resized[axis] = line
            line.region = line.region if regions is None else regions[i]
    extrapolation = b.number(op, "extrapolation_value") if regions is not None else None
    if b.integer(op, "antialias", 0) and any(map(_shrinks, resized.values())):
        settings = _settings(b, op)
        constant = {a: axis for a, axis in resized.items() if isinstance(axis, Axis)}
        if len(constant) < len(resized):
            raise ConversionError("antialias is not supported along an open axis")
        if settings.interpolation != Interpolation.NEAREST:
            return [antialiased(b, x, constant, mode, settings, extrapolation)]
    return [_emit(b, op, x, resized, mode, extrapolation)]


def _shrinks(axis: Axis | VaryingAxis) -> bool:
    return isinstance(axis, VaryingAxis) or axis.scale < 1


def _computed(
    b: ConversionContext, op: OnnxOp, x: SSAValue, axes: Sequence[int], mode: str
) -> SSAValue:
    """Convert a Resize whose scales, sizes or region are computed, to a known shape."""
    found = [name for name in ("scales", "sizes") if _is_given(b, op, name)]
    if len(found) != 1:
        raise ConversionError("either 'scales' or 'sizes' must be given")
    cropped = mode == "tf_crop_and_resize"
    settings = _settings(b, op)
    policy = b.text(op, "keep_aspect_ratio_policy", "stretch") if found == ["sizes"] else None
    return resize_by(
        b,
        x,
        b.operand(op, found[0]),
        policy,
        b.operand(op, "roi") if cropped else None,
        axes,
        b.result_shape(op, found[0]),
        mode,
        settings.interpolation,
        settings.rounding,
        coefficient=settings.coefficient,
        exclude_outside=settings.exclude_outside,
        antialias=b.integer(op, "antialias", 0) != 0,
        extrapolation=b.number(op, "extrapolation_value") if cropped else None,
    )


def _is_given(b: ConversionContext, op: OnnxOp, name: str) -> bool:
    """Return whether an input is there; before opset 13 an empty one stands for none."""
    value = op.input_named(name)
    return value is not None and element_count(value.type) > 0


@converts("Resize", until=10)
@converts("Upsample")
def upsample(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Upsample and the first Resize: places are i / scale, the nearest is the one below.

    Along an axis that shrinks the nearest is the one above, as onnxruntime has it.
    """
    x = b.operand(op, "X")
    shape = shape_of(x.type)
    computed = b.is_computed(op, "scales")
    scales: Sequence[float] = () if computed else _old_scales(b, op)
    after = (
        b.result_shape(op, "scales")
        if computed
        else [Axis.of_scale(n, scale).after for n, scale in zip(shape, scales, strict=True)]
    )
    check_count("scales", after if computed else [int(scale) for scale in scales], len(shape))
    interpolation = _settings(b, op).interpolation
    for rounding in (Rounding.FLOOR, Rounding.CEIL):
        axes = [
            axis
            for axis, (n, m) in enumerate(zip(shape, after, strict=True))
            if (rounding == Rounding.CEIL) == (m < n)
        ]
        if computed:
            for axis in axes:
                reached = [*shape_of(x.type)]
                reached[axis] = after[axis]
                one = b.slice(b.operand(op, "scales"), {0: range(axis, axis + 1)})
                x = resize_by(
                    b, x, one, None, None, [axis], reached, "asymmetric", interpolation, rounding
                )
            continue
        resized = {
            axis: Axis.of_scale(shape[axis], scales[axis])
            for axis in axes
            if scales[axis] != 1 or not are_same([after[axis]], [shape[axis]])
        }
        x = _emit(b, op, x, resized, "asymmetric", None, rounding)
    return [x]


def _old_scales(b: ConversionContext, op: OnnxOp) -> tuple[float, ...]:
    if "height_scale" in op.schema.attributes:
        return (1.0, 1.0, b.number(op, "height_scale"), b.number(op, "width_scale"))
    if "scales" in op.schema.attributes:
        given = op.setting("scales")
        values = given if isinstance(given, tuple) else ()
        return tuple(float(value) for value in values if isinstance(value, int | float))
    return tuple(float(value) for value in b.constant(op, "scales").reshape(-1))


def _emit(
    b: ConversionContext,
    op: OnnxOp,
    x: SSAValue,
    resized: Mapping[int, Axis | VaryingAxis],
    mode: str,
    extrapolation: float | None,
    rounding: Rounding | None = None,
) -> SSAValue:
    """Build the nn.resize of the given axes by the op's mode; x itself where there are none."""
    settings = _settings(b, op)
    return resize(
        b,
        x,
        resized,
        mode,
        settings.interpolation,
        settings.rounding if rounding is None else rounding,
        extrapolation=extrapolation,
        coefficient=settings.coefficient,
        exclude_outside=settings.exclude_outside,
    )


def _settings(b: ConversionContext, op: OnnxOp) -> Weighting:
    """Return how values are made of the elements around a place."""
    interpolation = _INTERPOLATIONS.get(name := b.text(op, "mode", "nearest"))
    if interpolation is None:
        raise ConversionError(f"mode '{name}' is unknown, expected nearest, linear or cubic")
    rounding = _ROUNDINGS.get(nearest := b.text(op, "nearest_mode", "round_prefer_floor"))
    if rounding is None:
        raise ConversionError(f"nearest_mode '{nearest}' is unknown")
    if interpolation != Interpolation.CUBIC:
        outside = b.integer(op, "antialias", 0) != 0 and b.integer(op, "exclude_outside", 0) != 0
        return Weighting(interpolation, rounding, CUBIC_COEFFICIENT, outside)
    outside = b.integer(op, "exclude_outside") != 0
    return Weighting(interpolation, rounding, b.number(op, "cubic_coeff_a"), outside)


def _scales(
    b: ConversionContext, op: OnnxOp, shape: Sequence[int], axes: Sequence[int]
) -> Sequence[Axis | VaryingAxis]:
    """Return how each axis is resized, by the scales or the sizes."""
    scales, sizes = _optional(b, op, "scales"), b.constant_integers(op, "sizes") or None
    before = [shape[axis] for axis in axes]
    if (scales is None) == (sizes is None):
        raise ConversionError("either 'scales' or 'sizes' must be given")
    if scales is not None:
        check_count("scales", [int(scale) for scale in scales], len(axes))
        return list(map(Axis.of_scale, before, scales))
    wanted = b.constant_integers(op, "sizes") or ()
    check_count("sizes", wanted, len(axes))
    if any(size < 0 for size in wanted):
        raise ConversionError(f"'sizes' must not be negative, found {list(wanted)}")
    stretched = list(map(Axis.of_sizes, before, wanted))
    ratios = [axis.scale for axis in stretched if isinstance(axis, Axis)]
    if (
        len(ratios) < len(stretched)
        and b.text(op, "keep_aspect_ratio_policy", "stretch") != "stretch"
    ):
        raise ConversionError("its places do not follow from the extents of one axis")
    match policy := b.text(op, "keep_aspect_ratio_policy", "stretch"):
        case "stretch":
            return stretched
        case "not_larger":
            common = min(ratios)
        case "not_smaller":
            common = max(ratios)
        case _:
            raise ConversionError(f"keep_aspect_ratio_policy '{policy}' is unknown")
    return [Axis(n, floor(common * n + Fraction(1, 2)), common) for n in before]


def _optional(b: ConversionContext, op: OnnxOp, name: str) -> tuple[float, ...] | None:
    """Return the elements of a constant input; before opset 13 an empty one stands for none."""
    if op.input_named(name) is None:
        return None
    array = b.constant(op, name).reshape(-1)
    return tuple(float(value) for value in array) if array.size else None


def _regions(b: ConversionContext, op: OnnxOp, count: int) -> list[tuple[Fraction, Fraction]]:
    """Return the first and the last place of each axis that a crop takes, as parts of it."""
    ends = [
        Fraction(v).limit_denominator(LARGEST_DENOMINATOR) for v in _optional(b, op, "roi") or ()
    ]
    if len(ends) != 2 * count:
        raise ConversionError(f"'roi' must have {2 * count} entries, found {len(ends)}")
    return list(zip(ends[:count], ends[count:], strict=True))
