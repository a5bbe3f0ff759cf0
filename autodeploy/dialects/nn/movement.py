"""Movements: ops that renumber, repeat or drop elements and compute nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import ClassVar, TypeGuard

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, var_operand_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extent_calls import each
from autodeploy.dialects.extents import Extent, are_same, largest_of
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.base import (
    I64_ARRAY,
    TENSOR,
    AxisRead,
    MovementOp,
    NNOp,
    Tensor,
    check_at_least,
    check_axes,
    check_distinct_axes,
    check_length,
    check_same_element,
    ints,
)
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.extent_attr import encoding_of
from autodeploy.dialects.nn.types import (
    bounds_of,
    broadcast_shapes,
    element_count,
    element_of,
    shape_of,
    tensor,
)
from autodeploy.dialects.strides import Region, reshape, row_major


@irdl_op_definition
class ReshapeOp(MovementOp):
    """The same elements in the same row-major order under another shape.

    The elements of a run follow each other. If that gives them other places in memory, a kernel
    moves them; ``numbers`` are tensors of which only the extents are read, where those of the
    operand do not say the numbers by which it does so.
    """

    name = "nn.reshape"

    x = operand_def(TENSOR)
    numbers = var_operand_def(TENSOR)

    def __init__(self, x: SSAValue, shape: Sequence[int], numbers: Iterable[SSAValue] = ()):
        self.init_typed([x, *numbers], tensor(element_of(x.type), shape))

    @property
    def is_view(self) -> bool:
        """Whether elements stay where they are in memory: what has gaps is copied first."""
        return is_row_major_view(self.x.type, self.result.type)

    def elements(self, operand: Region) -> Region | None:
        """Return the same elements, whose steps are those of other axes."""
        return reshape(operand, bounds_of(self.result.type))

    def simplified(self) -> SSAValue | NNOp | None:
        """Drop a reshape to the same shape; merge two, which may leave all elements in place."""
        before = self.x.owner
        if self.x.type == self.result.type:
            return self.x
        if not isinstance(before, ReshapeOp) or self.is_view != before.is_view:
            return None
        if before.x.type == self.result.type:
            return before.x
        stays = is_row_major_view(before.x.type, self.result.type)
        numbers = () if stays else dict.fromkeys((*before.numbers, *self.numbers))
        return ReshapeOp(before.x, shape_of(self.result.type), numbers)

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return axes that the elements of following axes have joined, as far as others stay."""
        before, after = bounds_of(self.x.type), bounds_of(self.result.type)
        reads: list[AxisRead | None] = [None] * len(before)
        if 0 in before:
            return reads
        for axis, (old, new) in enumerate(zip(before, after, strict=False)):
            inner = new // old
            if new != inner * old or inner * prod(after[axis + 1 :]) != prod(before[axis + 1 :]):
                break
            reads[axis] = AxisRead(axis, inner)
            if old != new:
                break
        return reads

    def infer_result_type(self) -> Tensor:
        """Return the result's own shape.

        - (reshape_c1) operand and result have the same number of elements
        """
        if element_count(self.x.type) != element_count(self.result.type):
            raise invalid(
                "reshape_c1",
                f"a reshape keeps the number of elements: {self.x.type} to {self.result.type}",
            )
        return tensor(element_of(self.x.type), shape_of(self.result.type))


@irdl_op_definition
class TransposeOp(MovementOp):
    """Axis i of the result is axis ``permutation[i]`` of the operand."""

    name = "nn.transpose"
    IS_COPY: ClassVar[bool] = True

    x = operand_def(TENSOR)
    permutation = prop_def(I64_ARRAY)

    def __init__(self, x: SSAValue, permutation: Sequence[int]):
        self.init_inferred([x], permutation=permutation)

    @property
    def is_view(self) -> bool:
        """Whether the innermost of the axes with more than one element stays."""
        shape = bounds_of(self.x.type)
        wide = [axis for axis in ints(self.permutation) if shape[axis] > 1]
        return not wide or wide[-1] == max(wide)

    def identity_axes(self, index: int) -> Sequence[AxisRead | None]:
        """Return where each axis is put."""
        order = ints(self.permutation)
        return [AxisRead(order.index(axis)) for axis in range(len(order))]

    def elements(self, operand: Region) -> Region:
        """Return all elements, with the axes permuted."""
        axes = ints(self.permutation)
        shape, strides = (tuple(v[axis] for axis in axes) for v in (operand.shape, operand.strides))
        return Region(shape, strides, operand.offset)

    def simplified(self) -> SSAValue | NNOp | None:
        """Drop a transpose that moves nothing; merge two; reshape where unit axes alone move."""
        permutation, shape, before = ints(self.permutation), bounds_of(self.x.type), self.x.owner
        if identity_permutation(permutation):
            return self.x
        if isinstance(before, TransposeOp):
            first = ints(before.permutation)
            return TransposeOp(before.x, [first[axis] for axis in permutation])
        wide = [axis for axis in permutation if shape[axis] != 1]
        return ReshapeOp(self.x, shape_of(self.result.type)) if wide == sorted(wide) else None

    def infer_result_type(self) -> Tensor:
        """Return the operand's type with its axes permuted."""
        shape, permutation = shape_of(self.x.type), ints(self.permutation)
        check_length("permutation", permutation, len(shape))
        check_distinct_axes("permutation", permutation, len(shape))
        return tensor(element_of(self.x.type), [shape[axis] for axis in permutation])


@irdl_op_definition
class BroadcastOp(MovementOp):
    """The operand repeated to a wider shape by NumPy's rules (ONNX Expand)."""

    name = "nn.broadcast"

    x = operand_def(TENSOR)

    def __init__(self, x: SSAValue, shape: Sequence[int]):
        self.init_typed([x], tensor(element_of(x.type), shape))

    def identity_axes(self, index: int) -> Sequence[AxisRead | None]:
        """Return the axes that are not repeated; those of the result that come before are new."""
        before, after = bounds_of(self.x.type), bounds_of(self.result.type)
        new = len(after) - len(before)
        return [
            AxisRead(new + axis) if after[new + axis] == extent else None
            for axis, extent in enumerate(before)
        ]

    def simplified(self) -> SSAValue | NNOp | None:
        """Drop a broadcast to the same shape; merge two."""
        if self.x.type == self.result.type:
            return self.x
        before, shape = self.x.owner, shape_of(self.result.type)
        return BroadcastOp(before.x, shape) if isinstance(before, BroadcastOp) else None

    def elements(self, operand: Region) -> Region:
        """Return all elements, with steps of 0 where they are repeated."""
        shape = bounds_of(self.result.type)
        first = len(shape) - len(operand.shape)
        strides = [
            step if extent == shape[first + axis] else 0
            for axis, (extent, step) in enumerate(zip(operand.shape, operand.strides, strict=True))
        ]
        return Region(shape, (*(0,) * first, *strides), operand.offset)

    def infer_result_type(self) -> Tensor:
        """Return the result's own shape.

        - (broadcast_c1) the operand's shape broadcasts to the result's
        """
        source, shape = shape_of(self.x.type), shape_of(self.result.type)
        if broadcast_shapes(source, shape) != shape:
            raise invalid("broadcast_c1", f"{self.x.type} does not broadcast to {self.result.type}")
        return tensor(element_of(self.x.type), shape)


def repeated(x: SSAValue, shape: Sequence[int]) -> MovementOp:
    """Return the op that repeats a tensor along its axes of extent 1 so that it has a shape."""
    return BroadcastOp(x, shape)


@irdl_op_definition
class ConcatOp(MovementOp):
    """The operands one after the other along ``axis``; their other extents agree.

    Each operand begins where a run has the end of the one before. A kernel joins operands that are
    open along the axis, or the driver copies their rows where ``copied`` says so: all inside of the
    axis is one row.
    """

    name = "nn.concat"
    AXES: ClassVar = {"axis": follow.axis}
    IS_COPY: ClassVar[bool] = True

    inputs = var_operand_def(TENSOR)
    axis = prop_def(IntegerAttr.constr(i64))
    copied = opt_prop_def(UnitAttr)

    def __init__(self, inputs: Sequence[SSAValue], axis: int):
        self.init_inferred(inputs, axis=axis)

    def identity_axes(self, index: int) -> Sequence[AxisRead | None]:
        """Return all axes but the one along which tensors are joined."""
        axes = range(len(bounds_of(self.operands[index].type)))
        return [None if axis == self.axis.value.data else AxisRead(axis) for axis in axes]

    @property
    def aligned_operands(self) -> Sequence[SSAValue]:
        """All operands."""
        return self.operands

    @property
    def is_copy(self) -> bool:
        """Whether the place of each operand is the same in all runs."""
        return not self.has_ended_parts

    @property
    def joined_axis(self) -> int | None:
        """The axis of the property."""
        return self.axis.value.data

    @property
    def has_ended_parts(self) -> bool:
        """Whether an operand is open along the axis."""
        axis = self.axis.value.data
        return any(isinstance(shape_of(value.type)[axis], Extent) for value in self.inputs)

    def copy_parts(self) -> None:
        """Say so in the property."""
        self.copied = UnitAttr()

    @property
    def copies_parts(self) -> bool:
        """Whether the parts have ends, and the property says so."""
        return self.copied is not None and self.has_ended_parts

    def elements(self, operand: Region) -> Region:
        """Return all elements."""
        return operand

    def parts(self, result: Region) -> Sequence[Region]:
        """Return the place of each operand after the previous ones."""
        stride, offset = result.strides[self.axis.value.data], result.offset
        parts: list[Region] = []
        for value in self.inputs:
            shape = bounds_of(value.type)
            parts.append(Region(shape, result.strides, offset))
            offset += shape[self.axis.value.data] * stride
        return parts

    def simplified(self) -> SSAValue | NNOp | None:
        """Drop a concat of one operand."""
        return self.inputs[0] if len(self.inputs) == 1 else None

    def infer_result_type(self) -> Tensor:
        """Return the shared type with the sum of the extents along ``axis``.

        - (concat_c1) there is at least one operand
        - (concat_c2) shapes differ along ``axis`` only
        """
        if not self.inputs:
            raise invalid("concat_c1", "a concat takes at least one operand")
        shapes, axis = [list(shape_of(value.type)) for value in self.inputs], self.axis.value.data
        check_axes("axis", [axis], len(shapes[0]))
        before, after = shapes[0][:axis], shapes[0][axis + 1 :]
        for shape in shapes:
            if len(shape) != len(shapes[0]) or shape != [*before, shape[axis], *after]:
                raise invalid("concat_c2", f"shapes differ outside of axis {axis}: {shapes}")
        total = sum(shape[axis] for shape in shapes)
        return tensor(check_same_element(self.inputs), [*before, total, *after])


@irdl_op_definition
class SliceOp(MovementOp):
    """Element i of the result along an axis is element ``start + i * step`` of the operand.

    ``starts``, ``sizes`` and ``steps`` have one entry an axis; a step may be negative. Starts and
    sizes may differ between runs.
    """

    name = "nn.slice"
    AXES: ClassVar = {
        "starts": follow.per_axis,
        "sizes": follow.per_axis,
        "steps": follow.per_axis,
    }

    x = operand_def(TENSOR)
    starts = prop_def(I64_ARRAY)
    sizes = prop_def(I64_ARRAY)
    steps = prop_def(I64_ARRAY)

    def __init__(
        self, x: SSAValue, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]
    ):
        self.init_inferred([x], starts=starts, sizes=sizes, steps=steps)

    @property
    def moved_axes(self) -> frozenset[int]:
        """The open axes of the operand of which it takes other elements than all of a run."""
        entries = zip(*map(ints, (self.starts, self.sizes)), shape_of(self.x.type), strict=True)
        return frozenset(
            axis
            for axis, (start, size, extent) in enumerate(entries)
            if isinstance(extent, Extent)
            and (isinstance(start, Extent) or isinstance(size, Extent))
            and not are_same((start, size), (0, extent))
        )

    @property
    def is_view(self) -> bool:
        """Whether strides say what is taken in all runs, and vectors of the innermost axis stay.

        All steps are positive, and that of the operand's innermost axis is 1.
        """
        if self.moved_axes:
            return False
        sizes, steps = bounds_of(self.result.type), ints(self.steps)
        inner = max((axis for axis, n in enumerate(bounds_of(self.x.type)) if n > 1), default=None)
        kept = inner is None or sizes[inner] < 2 or steps[inner] == 1
        return kept and all(step > 0 for step, n in zip(steps, sizes, strict=True) if n > 1)

    def elements(self, operand: Region) -> Region:
        """Return the elements that are taken."""
        starts, steps, sizes = ints(self.starts), ints(self.steps), bounds_of(self.result.type)
        if 0 in sizes:
            return Region(sizes, row_major(sizes))
        strides = tuple(step * s for step, s in zip(steps, operand.strides, strict=True))
        first = sum(start * s for start, s in zip(starts, operand.strides, strict=True))
        return Region(sizes, strides, operand.offset + first)

    def simplified(self) -> SSAValue | NNOp | None:
        """Drop a slice of all elements in their order."""
        steps, sizes = ints(self.steps), bounds_of(self.result.type)
        forward = all(n < 2 or step > 0 for n, step in zip(sizes, steps, strict=True))
        return self.x if forward and self.x.type == self.result.type else None

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return the axes whose elements are all taken, in their order."""
        sizes, moved = bounds_of(self.result.type), self.moved_axes
        spans = zip(bounds_of(self.x.type), sizes, ints(self.steps), strict=True)
        return [
            AxisRead(axis) if (size, step) == (extent, 1) and axis not in moved else None
            for axis, (extent, size, step) in enumerate(spans)
        ]

    def required_prefix(self, index: int) -> Sequence[int]:
        """Return the place of the last element that is taken along each axis, plus 1."""
        places = map(largest_of, ints(self.starts))
        spans = zip(places, bounds_of(self.result.type), ints(self.steps), strict=True)
        return [
            max(start, start + (size - 1) * step) + 1 if size else 0 for start, size, step in spans
        ]

    def infer_result_type(self) -> Tensor:
        """Return the operand's type with the extents ``sizes``.

        - (slice_c1) no step is 0
        - (slice_c2) all elements are within the operand
        """
        shape, sizes = shape_of(self.x.type), ints(self.sizes)
        starts, steps = ints(self.starts), ints(self.steps)
        for name, values in (("starts", starts), ("sizes", sizes), ("steps", steps)):
            check_length(name, values, len(shape))
        check_at_least("sizes", sizes, 0)
        if 0 in steps:
            raise invalid("slice_c1", f"steps must not be 0, found {list(steps)}")
        for axis, (extent, start, size, step) in enumerate(
            zip(shape, starts, sizes, steps, strict=True)
        ):
            is_whole = are_same((start, size, step), (0, extent, 1))
            if not is_whole and not each(_are_inside, extent, start, size, step):
                text = f"{size} elements from {start} by {step} leave the {extent} of axis {axis}"
                raise invalid("slice_c2", text)
        return tensor(element_of(self.x.type), sizes)


def _are_inside(extent: int, start: int, size: int, step: int) -> bool:
    """Return whether all elements that a slice takes along an axis are there."""
    return size == 0 or (0 <= start < extent and 0 <= start + (size - 1) * step < extent)


def identity_permutation(permutation: Sequence[int]) -> bool:
    """Return whether a permutation leaves every axis where it is."""
    return list(permutation) == list(range(len(permutation)))


def is_left_to_driver(op: Operation) -> bool:
    """Return whether the driver has a view or a copy for an op, so that no kernel computes it."""
    return isinstance(op, MovementOp) and (op.is_copy or op.is_view or joins_rows(op))


def joins_rows(op: Operation) -> TypeGuard[MovementOp]:
    """Return whether the driver copies the rows of each operand to where a run has their place."""
    return isinstance(op, MovementOp) and op.copies_parts


def is_weight(value: SSAValue) -> bool:
    """Return whether a value is a constant, or movements of one that are yet to be folded."""
    owner = value.owner
    while isinstance(owner, ReshapeOp | TransposeOp):
        owner = owner.x.owner
    return isinstance(owner, ConstantOp)


def is_row_major_view(before: Attribute, after: Attribute) -> bool:
    """Return whether a reshape leaves the elements of each run at their places in memory.

    An open axis stays where it is in memory; it may take in the axes that follow it, or split. An
    extent in no known form may have moved.
    """
    one, other = encoding_of(before), encoding_of(after)
    if one is None or other is None:
        return one is other
    shape, result = bounds_of(before), bounds_of(after)
    found: list[Growth | None] = [CONSTANT] * len(result)
    for axis, growth in enumerate(one.growths):
        if growth is None:
            return False
        if not growth:
            continue
        # The elements of a run, in each part of as many elements as the axis spans.
        taken = growth.scaled(prod(shape[axis + 1 :]))
        span = prod(shape[axis:])
        place = next((i for i, n in enumerate(result) if n > 1 and prod(result[i:]) == span), None)
        if place is None or found[place]:
            return False
        found[place] = taken.divided(prod(result[place + 1 :]))
    return tuple(found) == other.growths
