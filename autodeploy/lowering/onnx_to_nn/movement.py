"""Ops that give elements another shape or order: Reshape to Tile, DepthToSpace, Concat."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.types import element_count, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.lowering.onnx_to_nn.context import (
    ConversionContext,
    ConversionError,
    axes_of,
    axis_of,
    check_count,
)
from autodeploy.lowering.onnx_to_nn.registry import converts


@converts("Reshape")
def reshape(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Reshape; 0 keeps an extent unless ``allowzero``, -1 takes what is left."""
    x = b.operand(op, "data")
    wanted = b.integers_or_input(op, "shape")
    if wanted is None:
        raise ConversionError("attribute 'shape' is left out")
    source, shape = shape_of(x.type), list(wanted)
    if not b.integer(op, "allowzero", 0):
        for axis, extent in enumerate(shape):
            if extent == 0:
                if axis >= len(source):
                    raise ConversionError(f"shape {list(wanted)} keeps axis {axis} of {x.type}")
                shape[axis] = source[axis]
    if shape.count(-1) > 1 or min(shape, default=0) < -1:
        raise ConversionError(f"shape {list(wanted)} is not valid")
    if -1 in shape:
        known = prod(extent for extent in shape if extent != -1)
        if known == 0 or element_count(x.type) % known:
            raise ConversionError(f"shape {list(wanted)} does not divide {x.type}")
        shape[shape.index(-1)] = element_count(x.type) // known
    return [b.reshape(x, shape)]


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
    x = b.operand(op, "data")
    given = b.integers_or_input(op, "axes") or ()
    rank = len(shape_of(x.type)) + len(given)
    axes, extents = axes_of(given, rank), iter(shape_of(x.type))
    return [b.reshape(x, [1 if axis in axes else next(extents) for axis in range(rank)])]


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
    return [_tiled(b, x, b.constant_integers(op, "repeats") or ())]


@converts("Tile", until=1)
def tile_axis(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Tile of opset 1, which repeats along one axis."""
    x = b.operand(op, "input")
    rank = len(shape_of(x.type))
    repeats = [1] * rank
    repeats[axis_of(b.constant_integer(op, "axis"), rank)] = b.constant_integer(op, "tiles")
    return [_tiled(b, x, repeats)]


def _tiled(b: ConversionContext, x: SSAValue, repeats: Sequence[int]) -> SSAValue:
    """Repeat x: each repeated axis gets an axis of extent 1 before it, which is broadcast."""
    shape = shape_of(x.type)
    check_count("repeats", repeats, len(shape))
    if min(repeats, default=0) < 0:
        raise ConversionError(f"'repeats' must not be negative, found {list(repeats)}")
    narrow: list[int] = []
    wide: list[int] = []
    for extent, count in zip(shape, repeats, strict=True):
        if count != 1:
            narrow.append(1)
            wide.append(count)
        narrow.append(extent)
        wide.append(extent)
    repeated = b.broadcast(b.reshape(x, narrow), wide)
    return b.reshape(repeated, [n * count for n, count in zip(shape, repeats, strict=True)])


@converts("DepthToSpace")
def depth_to_space(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert DepthToSpace: channels become blocks of pixels, in the order of ``mode``."""
    x, block, mode = _blocks(b, op)
    n, c, h, w = shape_of(x.type)
    if c % (block * block):
        raise ConversionError(f"the channels of {x.type} do not make blocks of {block}")
    depth = c // (block * block)
    if mode == "DCR":
        split = b.reshape(x, (n, block, block, depth, h, w))
        moved = b.transpose(split, (0, 3, 4, 1, 5, 2))
    else:
        split = b.reshape(x, (n, depth, block, block, h, w))
        moved = b.transpose(split, (0, 1, 4, 2, 5, 3))
    return [b.reshape(moved, (n, depth, h * block, w * block))]


@converts("SpaceToDepth")
def space_to_depth(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SpaceToDepth: blocks of pixels become channels, in the order of ``mode``."""
    x, block, mode = _blocks(b, op)
    n, c, h, w = shape_of(x.type)
    if h % block or w % block:
        raise ConversionError(f"the pixels of {x.type} do not make blocks of {block}")
    split = b.reshape(x, (n, c, h // block, block, w // block, block))
    order = (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4)
    return [b.reshape(b.transpose(split, order), (n, c * block * block, h // block, w // block))]


def _blocks(b: ConversionContext, op: OnnxOp) -> tuple[SSAValue, int, str]:
    """Return the image, the extent of a block, and the mode."""
    x, block = b.operand(op, "input"), b.integer(op, "blocksize")
    mode = b.text(op, "mode", "DCR")
    if len(shape_of(x.type)) != 4:
        raise ConversionError(f"{op.op_type} takes rank 4, found {x.type}")
    if block < 1:
        raise ConversionError(f"'blocksize' must be positive, found {block}")
    if mode not in ("DCR", "CRD"):
        raise ConversionError(f"mode '{mode}' is unknown, expected 'DCR' or 'CRD'")
    return x, block, mode
