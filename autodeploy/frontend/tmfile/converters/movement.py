"""Operators that give elements another shape or order, and those that take or put parts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.padding import PadMode, PadOp
from autodeploy.dialects.nn.types import element_count, element_of, is_float, shape_of
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder, axes_of, axis_of, check_count
from autodeploy.frontend.nn.functions import depth_to_space, space_to_depth, tiled, with_axes
from autodeploy.frontend.tmfile.converters.registry import Node, converts


@converts("Reshape")
def reshape(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Reshape, whose shape is a parameter, or else a constant input.

    The extent 0 keeps one of x (only the first, unless the model was ONNX's or MXNet's), -1 takes
    what is left, -2 keeps all others, -3 merges two, and -4 splits one into the two that follow.
    """
    x = node.operand(0)
    source = list(shape_of(x.type))
    wanted = list(node.integers("shape"))
    if not wanted:
        array = b.array(node.operand(1))
        if array is None or array.dtype.kind not in "iu":
            raise ConversionError("the shape must be a parameter or a constant of integers")
        wanted = [int(extent) for extent in array.reshape(-1)]
    reverse = node.integer("reverse", 0) != 0
    if reverse:
        source.reverse()
        wanted.reverse()
    keeps_all = bool(node.integer("is_mxnet", 0) or node.integer("is_onnx", 0))
    shape = _extents(source, wanted, keeps_all)
    if -1 in shape:
        known = prod(extent for extent in shape if extent != -1)
        if shape.count(-1) > 1 or not known or prod(source) % known:
            raise ConversionError(f"{x.type} does not reshape to {wanted}")
        shape[shape.index(-1)] = prod(source) // known
    return [b.reshape(x, shape[::-1] if reverse else shape)]


def _extents(source: Sequence[int], wanted: Sequence[int], keeps_all: bool) -> list[int]:
    """Return the extents that a list of extents and tokens means; -1 stays."""
    shape: list[int] = []
    taken = 0

    def take() -> int:
        nonlocal taken
        if taken >= len(source):
            raise ConversionError(f"shape {list(wanted)} keeps more than {list(source)} has")
        taken += 1
        return source[taken - 1]

    tokens = iter(wanted)
    for index, token in enumerate(tokens):
        match token:
            case 0 if keeps_all:
                shape.append(take())
            case 0:
                taken += 1
                if not shape and index == 0:
                    shape.append(1)
            case -2:
                shape += source[taken:]
                taken = len(source)
            case -3:
                shape.append(take() * take())
            case -4:
                whole, first, second = take(), next(tokens, 0), next(tokens, 0)
                shape += _split(whole, first, second)
            case _ if token < -1:
                raise ConversionError(f"shape {list(wanted)} has the unknown extent {token}")
            case _:
                shape.append(token)
                taken += 1
    return shape


def _split(whole: int, first: int, second: int) -> tuple[int, int]:
    if first == -1 and second > 0:
        first = whole // second
    if second == -1 and first > 0:
        second = whole // first
    if min(first, second) < 0 or first * second != whole:
        raise ConversionError(f"extent {whole} does not split into {first} and {second}")
    return first, second


@converts("Flatten")
def flatten(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Flatten: axes from ``axis`` to ``end_axis`` become one, which is the second of two.

    A matrix of another number of rows than the first extent only arises where they leave some out.
    """
    x = node.operand(0)
    shape = shape_of(x.type)
    axis, end = node.integer("axis"), node.integer("end_axis")
    end = end + len(shape) if end < 0 else end
    if not shape or not 0 <= axis <= len(shape):
        raise ConversionError(f"axis {axis} is outside of rank {len(shape)}")
    return [b.reshape(x, (shape[0], prod(shape[axis : end + 1])))]


@converts("Squeeze")
def squeeze(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Squeeze: named axes of extent 1 go, or all where none is named."""
    x = node.operand(0)
    shape = shape_of(x.type)
    named = axes_of(node.named_axes(), len(shape))
    kept = [n for i, n in enumerate(shape) if n != 1 or (named and i not in named)]
    return [b.reshape(x, kept)]


@converts("Unsqueeze")
def unsqueeze(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Unsqueeze, whose axes are those of the result."""
    return [with_axes(b, node.operand(0), node.integers("axises"))]


@converts("Expanddims")
def expand_dims(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Expanddims."""
    return [with_axes(b, node.operand(0), [node.integer("axis")])]


@converts("Permute")
def permute(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Permute, which has four axes; those beyond the rank stay where they are."""
    rank = len(shape_of(node.operand(0).type))
    order = [node.integer(f"order{index}") for index in range(4)]
    return [_transposed(b, node.operand(0), [axis for axis in order if axis < rank])]


@converts("Transpose")
def transpose(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Transpose."""
    return [_transposed(b, node.operand(0), node.integers("shape"))]


@converts("SwapAxis")
def swap_axes(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert SwapAxis."""
    x = node.operand(0)
    order = list(range(len(shape_of(x.type))))
    one, other = node.axis("dim_0", len(order)), node.axis("dim_1", len(order))
    order[one], order[other] = order[other], order[one]
    return [_transposed(b, x, order)]


def _transposed(b: NnBuilder, x: SSAValue, order: Sequence[int]) -> SSAValue:
    rank = len(shape_of(x.type))
    check_count("the order of axes", order, rank)
    return b.transpose(x, axes_of(order, rank))


@converts("Concat")
def concat(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Concat."""
    rank = len(shape_of(node.operand(0).type))
    return [b.emit(ConcatOp(node.operands, node.axis("axis", rank)))]


@converts("Slice")
def slice_(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Slice: Caffe's parts of an axis, ONNX's and MXNet's range of one, or any box."""
    x = node.operand(0)
    shape = shape_of(x.type)
    if node.integer("iscaffe"):
        axis, points = node.axis("axis", len(shape)), node.integers("slice_points")
        if points:
            return _parts(b, x, axis, [0, *points, shape[axis]])
        return _equal_parts(b, x, axis, len(node.results))
    if node.integer("ismxnet") or node.integer("isonnx"):
        axis = node.axis("axis", len(shape))
        begin, end, step = (node.integer(name) for name in ("begin", "end", "step"))
        step = step if node.integer("isonnx") else 1
        return [b.slice(x, {axis: _range(begin, end, step, shape[axis])})]
    begins, sizes = node.integers("begins"), node.integers("sizes")
    check_count("begins", begins, len(shape))
    check_count("sizes", sizes, len(shape))
    ranges = (
        _range(begin, extent if size == -1 else begin + size, 1, extent)
        for begin, size, extent in zip(begins, sizes, shape, strict=True)
    )
    return [b.slice(x, dict(enumerate(ranges)))]


@converts("Split")
def split(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Split; Caffe's hands x itself to all outputs."""
    x = node.operand(0)
    if node.integer("is_caffe"):
        return [x] * len(node.results)
    axis, sizes = node.axis("axis", len(shape_of(x.type))), node.integers("sizes")
    if not sizes:
        return _equal_parts(b, x, axis, len(node.results))
    ends = [sum(sizes[:count]) for count in range(len(sizes) + 1)]
    if ends[-1] != shape_of(x.type)[axis]:
        raise ConversionError(f"parts {list(sizes)} do not add up to axis {axis} of {x.type}")
    return _parts(b, x, axis, ends)


def _equal_parts(b: NnBuilder, x: SSAValue, axis: int, count: int) -> list[SSAValue]:
    extent = shape_of(x.type)[axis]
    if extent % count:
        raise ConversionError(f"axis {axis} of {x.type} does not split into {count} equal parts")
    return _parts(b, x, axis, range(0, extent + 1, max(extent // count, 1)))


def _parts(b: NnBuilder, x: SSAValue, axis: int, ends: Sequence[int]) -> list[SSAValue]:
    """Cut an axis at ``ends``, which begin with 0 and end with its extent."""
    if any(start >= end for start, end in pairwise(ends)):
        raise ConversionError(f"axis {axis} of {x.type} is not cut at {list(ends)}")
    return [b.slice(x, {axis: range(start, end)}) for start, end in pairwise(ends)]


@converts("StridedSlice")
def strided_slice(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert StridedSlice: a range of each axis, whose end counts from the end where it is 0."""
    x = node.operand(0)
    shape = shape_of(x.type)
    ranges: dict[int, range] = {}
    for axis, name in zip(range(len(shape)), "nchw", strict=False):
        begin, end, step = (node.integer(f"{what}_{name}") for what in ("begin", "end", "stride"))
        ranges[axis] = _range(begin, end, step, shape[axis])
    return [b.slice(x, ranges)]


def _range(begin: int, end: int, step: int, extent: int) -> range:
    """Return the places of a range; an end that is not positive counts from the end."""
    begin = begin + extent if begin < 0 else begin
    end = end + extent if end <= 0 else min(end, extent)
    if step < 1 or not 0 <= begin < end:
        raise ConversionError(
            f"{begin} to {end} by {step} is no range of an axis of {extent} elements"
        )
    return range(begin, end, step)


@converts("Crop", on_images=True)
def crop(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Crop: a part of an image, as large as the second input or of extents that it states.

    Caffe's (``flag`` 0) starts at the offsets, MXNet's as well, or in the middle without a second
    input.
    """
    x = node.image()
    shape = list(shape_of(x.type))
    offsets = [0, 0, node.integer("offset_h"), node.integer("offset_w")]
    if node.integer("flag") == 1 and node.integer("num_args") == 1:
        wanted = [*shape[:2], node.integer("crop_h"), node.integer("crop_w")]
        offsets[2:] = [(n - m) // 2 for n, m in zip(shape[2:], wanted[2:], strict=True)]
    else:
        like = shape_of(node.operand(1).type)
        check_count("the extents of the second input", like, 4)
        wanted = [*shape[:2], *like[2:]]
        if node.integer("flag") == 0 and node.integer("axis") == 1:
            wanted[1], offsets[1] = like[1], node.integer("offset_c")
    for offset, size, extent in zip(offsets, wanted, shape, strict=True):
        if offset < 0 or size < 1 or offset + size > extent:
            raise ConversionError(f"a crop of {wanted} at {offsets} is no part of {x.type}")
    return [b.slice(x, {i: range(at, at + wanted[i]) for i, at in enumerate(offsets)})]


@converts("Reverse")
def reverse(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Reverse, whose axis is a constant."""
    x = node.operand(0)
    shape, array = shape_of(x.type), b.array(node.operand(1))
    if array is None or array.size != 1:
        raise ConversionError("the axis must be a constant of one element")
    axis = axis_of(int(array.reshape(-1)[0]), len(shape))
    return [b.slice(x, {axis: range(shape[axis])[::-1]})]


@converts("Pad")
def pad(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Pad; a symmetric one repeats the elements at the ends, which is supported for one."""
    x = node.operand(0)
    rank = len(shape_of(x.type))
    sides = [[node.integer(f"pad_{axis}_{side}") for axis in "nchw"[:rank]] for side in (0, 1)]
    if rank > 4 or min(*sides[0], *sides[1], 0) < 0:
        raise ConversionError(f"pads {sides} of {x.type} are not supported")
    pads = [*sides[0], *sides[1]]
    match node.integer("mode"):
        case 0:
            return [b.emit(PadOp(x, pads, node.number("value")))]
        case 1:
            return [b.emit(PadOp(x, pads, mode=PadMode.REFLECT))]
        case 2 if max(pads, default=0) <= 1:
            return [b.emit(PadOp(x, pads, mode=PadMode.EDGE))]
        case mode:
            raise ConversionError(f"mode {mode} with pads {sides} is not supported")


@converts("Tile")
def tile(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Tile; Caffe's counts (``frame_flag`` 0) start at the last axis, others at the first.

    Axes without a count are not repeated.
    """
    x = node.operand(0)
    rank, counts = len(shape_of(x.type)), list(node.integers("reps"))
    if len(counts) > rank:
        raise ConversionError(f"counts {counts} are more than the axes of {x.type}")
    rest = [1] * (rank - len(counts))
    repeats = [*rest, *counts[::-1]] if node.integer("frame_flag") == 0 else [*counts, *rest]
    return [tiled(b, x, repeats)]


@converts("Expand")
def expand(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Expand, whose shape is a constant input, or else a parameter."""
    x = node.operand(0)
    array = b.array(node.operand(1)) if len(node.operands) > 1 else None
    shape = list(node.integers("shape")) if array is None else [int(n) for n in array.reshape(-1)]
    if not shape or min(shape) < 1:
        raise ConversionError(f"shape {shape} is not one of positive extents")
    return [b.broadcast(x, shape)]


@converts("Shape")
def shape(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Shape to a constant."""
    return [b.make_constant(np.array(shape_of(node.operand(0).type), np.int32))]


@converts("ShuffleChannel", on_images=True)
def shuffle_channels(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert ShuffleChannel: channels are a matrix of ``group`` rows, which is transposed."""
    x, groups = node.image(), node.integer("group")
    n, c, h, w = shape_of(x.type)
    if groups < 1 or c % groups:
        raise ConversionError(f"the channels of {x.type} do not make {groups} groups")
    apart = b.reshape(x, (n, groups, c // groups, h, w))
    return [b.reshape(b.transpose(apart, (0, 2, 1, 3, 4)), (n, c, h, w))]


@converts("DepthToSpace", on_images=True)
def convert_depth_to_space(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert DepthToSpace, as TensorFlow has it."""
    return [depth_to_space(b, node.image(), node.integer("block_size"), True)]


@converts("SpaceToDepth", on_images=True)
def convert_space_to_depth(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert SpaceToDepth, as TensorFlow has it."""
    return [space_to_depth(b, node.image(), node.integer("block_size"), True)]


@converts("Reorg", on_images=True)
def reorg(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Reorg of Darknet, which moves elements as if depth became space.

    The result has the extents of a space-to-depth all the same, so that its elements are not those
    of blocks of pixels: networks are trained with that.
    """
    x, stride = node.image(), node.integer("stride")
    n, c, h, w = shape_of(x.type)
    if stride < 1 or c % (stride * stride) or h % stride or w % stride:
        raise ConversionError(f"{x.type} does not make blocks of {stride}")
    wide = b.reshape(x, (n, c // (stride * stride), h, stride, w, stride))
    moved = b.transpose(wide, (0, 3, 5, 1, 2, 4))
    return [b.reshape(moved, (n, c * stride * stride, h // stride, w // stride))]


@converts("SpaceToBatchND", on_images=True)
def space_to_batch(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert SpaceToBatchND: pad the images; the pixels at one place of all blocks form one."""
    x = node.image()
    sides = [node.integer(f"pad_{side}") for side in ("top", "left", "bottom", "right")]
    block = _block(node)
    if min(sides) < 0:
        raise ConversionError(f"pads must not be negative, found {sides}")
    if any(sides):
        x = b.emit(PadOp(x, [0, 0, *sides[:2], 0, 0, *sides[2:]]))
    n, c, h, w = shape_of(x.type)
    if h % block[0] or w % block[1]:
        raise ConversionError(f"{x.type} does not make blocks of {block[0]}x{block[1]}")
    apart = b.reshape(x, (n, c, h // block[0], block[0], w // block[1], block[1]))
    moved = b.transpose(apart, (3, 5, 0, 1, 2, 4))
    return [b.reshape(moved, (n * block[0] * block[1], c, h // block[0], w // block[1]))]


@converts("BatchToSpaceND", on_images=True)
def batch_to_space(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert BatchToSpaceND: images become places of blocks, and the edges are cut off."""
    x, block = node.image(), _block(node)
    n, c, h, w = shape_of(x.type)
    if n % (block[0] * block[1]):
        raise ConversionError(f"{x.type} does not make blocks of {block[0]}x{block[1]}")
    images = n // (block[0] * block[1])
    apart = b.reshape(x, (*block, images, c, h, w))
    moved = b.transpose(apart, (2, 3, 4, 0, 5, 1))
    whole = b.reshape(moved, (images, c, h * block[0], w * block[1]))
    top, left, bottom, right = (
        node.integer(f"crop_{side}") for side in ("top", "left", "bottom", "right")
    )
    rows, columns = range(top, h * block[0] - bottom), range(left, w * block[1] - right)
    if min(top, left, bottom, right) < 0 or not rows or not columns:
        raise ConversionError(f"{[top, left, bottom, right]} can not be cut off {whole.type}")
    return [b.slice(whole, {2: rows, 3: columns})]


def _block(node: Node) -> tuple[int, int]:
    block = node.integer("dilation_y"), node.integer("dilation_x")
    if min(block) < 1:
        raise ConversionError(f"the extents of a block must be positive, found {list(block)}")
    return block


@converts("Gather")
def gather(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Gather; indices that are floats are cut to integers."""
    x = node.operand(0)
    axis = node.axis("axis", len(shape_of(x.type)))
    return [b.emit(GatherOp(x, _indices(b, node.operand(1), shape_of(x.type)[axis]), axis))]


@converts("Embed")
def embed(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Embed: rows of a matrix by their numbers, plus a bias where there is one."""
    words, table = node.operand(0), node.operand(1)
    outputs = node.integer("num_output")
    if outputs < 1 or element_count(table.type) % outputs:
        raise ConversionError(f"{table.type} has no rows of {outputs}")
    rows = element_count(table.type) // outputs
    found = GatherOp(b.reshape(table, (rows, outputs)), _indices(b, words, rows), 0)
    result = b.emit(found)
    return [result if len(node.operands) < 3 else b.emit(AddOp(result, node.operand(2)))]


def _indices(b: NnBuilder, indices: SSAValue, extent: int) -> SSAValue:
    """Return indices as nn.gather takes them; raises ``ConversionError`` if one is outside."""
    array = b.array(indices)
    if array is not None:
        places = array.astype(np.int32)
        if places.size and not -extent <= int(places.min()) <= int(places.max()) < extent:
            raise ConversionError(f"indices are outside of extent {extent}")
        return b.make_constant(places)
    return b.cast(indices, i32) if is_float(element_of(indices.type)) else indices
