"""Ops that give elements another shape or order: Reshape to Tile, DepthToSpace, Concat."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from autodeploy.dialects.extent_calls import each
from autodeploy.dialects.extents import Extent
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axes_of, axis_of, check_count
from autodeploy.frontend.nn.functions import depth_to_space, space_to_depth, tiled, with_axes
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts


@converts("Reshape")
def reshape(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Reshape; 0 keeps an extent unless ``allowzero``, -1 takes what is left."""
    x = b.operand(op, "data")
    return [b.reshape(x, target_shape(b, op, shape_of(x.type)))]


def target_shape(b: ConversionContext, op: OnnxOp, source: Sequence[int]) -> Sequence[int]:
    """Return the shape that Reshape gives an operand of a shape."""
    wanted = b.integers_or_input(op, "shape")
    if wanted is None:
        raise ConversionError("attribute 'shape' is left out")
    shape, text = list(wanted), f"shape {list(wanted)}"
    if not b.integer(op, "allowzero", 0):
        for axis, extent in enumerate(shape):
            if axis < len(source):
                if not isinstance(extent, Extent):
                    shape[axis] = extent or source[axis]
                elif not extent.table.all():
                    shape[axis] = each(lambda own, kept: own or kept, extent, source[axis])
            elif extent == 0:
                raise ConversionError(f"{text} keeps axis {axis} of {list(source)}")
    if shape.count(-1) > 1 or any(extent < -1 for extent in shape):
        raise ConversionError(f"{text} is not valid")
    if -1 in shape:
        known, count = prod(extent for extent in shape if extent != -1), prod(source)
        if known == 0 or count % known:
            raise ConversionError(f"{text} does not divide {list(source)}")
        shape[shape.index(-1)] = count // known
    return shape


@converts("Flatten")
def flatten(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Flatten: the axes before ``axis`` become one, those from it on another."""
    x = b.operand(op, "input")
    shape, axis = shape_of(x.type), b.integer(op, "axis")
    if not -len(shape) <= axis <= len(shape):
        raise ConversionError(f"axis {axis} is outside of rank {len(shape)}")
    axis = axis + len(shape) if axis < 0 else axis
    return [b.reshape(x, (prod(shape[:axis]), prod(shape[axis:])))]


@converts("Squeeze")
def squeeze(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Squeeze of the given axes, by default of all with extent 1."""
    x = b.operand(op, "data")
    shape, given = shape_of(x.type), b.integers_or_input(op, "axes")
    if given is None:
        return [b.reshape(x, [extent for extent in shape if extent != 1])]
    axes = axes_of(given, len(shape))
    if any(shape[axis] != 1 for axis in axes):
        raise ConversionError(f"axes {list(given)} of {x.type} do not all have extent 1")
    return [b.reshape(x, [extent for axis, extent in enumerate(shape) if axis not in axes])]


@converts("Unsqueeze")
def unsqueeze(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Unsqueeze; the axes are those of the result."""
    return [with_axes(b, b.operand(op, "data"), b.integers_or_input(op, "axes") or ())]


@converts("Transpose")
def transpose(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Transpose; by default the axes are reversed."""
    x = b.operand(op, "data")
    rank = len(shape_of(x.type))
    return [b.transpose(x, b.integers(op, "perm", range(rank - 1, -1, -1)))]


@converts("Concat")
def concat(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Concat; before opset 4 the axis is 1 by default."""
    inputs = op.operands
    axis = axis_of(b.integer(op, "axis", 1), len(shape_of(inputs[0].type)))
    return [inputs[0] if len(inputs) == 1 else b.emit(ConcatOp(inputs, axis))]


@converts("Expand")
def expand(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Expand; both shapes broadcast, so an extent of 1 keeps the operand's."""
    shape = b.constant_integers(op, "shape") or ()
    return [b.broadcast(b.operand(op, "input"), shape)]


@converts("Tile", since=6)
def tile(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Tile."""
    x = b.operand(op, "input")
    return [tiled(b, x, b.constant_integers(op, "repeats") or ())]


@converts("Tile", until=1)
def tile_axis(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Tile of opset 1, which repeats along one axis."""
    x = b.operand(op, "input")
    rank = len(shape_of(x.type))
    repeats = [1] * rank
    repeats[axis_of(b.constant_integer(op, "axis"), rank)] = b.constant_integer(op, "tiles")
    return [tiled(b, x, repeats)]


@converts("DepthToSpace")
def convert_depth_to_space(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert DepthToSpace."""
    return [depth_to_space(b, b.operand(op, "input"), *_blocks(b, op))]


@converts("SpaceToDepth")
def convert_space_to_depth(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SpaceToDepth."""
    return [space_to_depth(b, b.operand(op, "input"), *_blocks(b, op))]


def _blocks(b: ConversionContext, op: OnnxOp) -> tuple[int, bool]:
    """Return the extent of a block, and whether blocks precede the depth (``DCR``)."""
    mode = b.text(op, "mode", "DCR")
    if mode not in ("DCR", "CRD"):
        raise ConversionError(f"mode '{mode}' is unknown, expected 'DCR' or 'CRD'")
    return b.integer(op, "blocksize"), mode == "DCR"


@converts("CenterCropPad")
def center_crop_pad(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert CenterCropPad: what is too large is cut, what is too small gets zeros around it.

    If their number is odd, one more is cut after, and one more put after.
    """
    x = b.operand(op, "input_data")
    source = shape_of(x.type)
    wanted = b.constant_integers(op, "shape") or ()
    named = b.integers(op, "axes") if b.setting(op, "axes") is not None else range(len(source))
    axes = axes_of(named, len(source))
    check_count("shape", wanted, len(axes))
    if min(wanted, default=0) < 0:
        raise ConversionError(f"'shape' must not be negative, found {list(wanted)}")
    ranges: dict[int, range] = {}
    pads = [0] * (2 * len(source))
    for axis, count in zip(axes, wanted, strict=True):
        extent = source[axis]
        start = max(extent - count, 0) // 2
        ranges[axis] = range(start, start + min(count, extent))
        pads[axis] = max(count - extent, 0) // 2
        pads[len(source) + axis] = max(count - extent, 0) - pads[axis]
    taken = b.slice(x, ranges)
    return [b.emit(PadOp(taken, pads)) if any(pads) else taken]
