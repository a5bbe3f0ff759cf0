"""Ops on operands that have a counted extent: a run finds how many of its elements count.

An op takes such an operand if each element that counts makes elements of the result that count.
An op that joins elements along the extent, as a sum does, gets neutral numbers in place of the
elements that do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf, prod
from typing import TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.arithmetic import DivOp
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.movement import ConcatOp, MovementOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import element_count, element_of, highest, lowest, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.dialects.onnx.families import POINTWISE
from autodeploy.frontend.nn.builder import ConversionError, axes_of, axis_of
from autodeploy.lowering.onnx_to_nn.bounded import (
    Convert,
    Values,
    agreed,
    extents,
    filled,
    multiplied,
    settled,
)
from autodeploy.lowering.onnx_to_nn.bounded_numbers import follow
from autodeploy.lowering.onnx_to_nn.bounded_places import (
    concat,
    counted_from_start,
    cut,
    gather,
    gather_elements,
    reshape,
    scatter_elements,
    scatter_nd,
    shape,
    size,
    slice_,
)
from autodeploy.lowering.onnx_to_nn.bounded_sizes import (
    convert_sized,
    convert_with_bound,
    ordered_last,
    unknown_sizes,
)
from autodeploy.lowering.onnx_to_nn.context import Bound, ConversionContext, NotConstantError
from autodeploy.lowering.onnx_to_nn.reduction import reduced_axes

Rule: TypeAlias = Callable[[ConversionContext, OnnxOp, Convert], Values]
"""Converts an op with such an operand; ``None`` if it does not take it."""

AxisRule: TypeAlias = Callable[[ConversionContext, OnnxOp, Bound], int | None]
"""Returns the axis of the results that has the extent; ``None`` if the op does not take it."""


def convert_bounded(b: ConversionContext, op: OnnxOp, convert: Convert) -> Sequence[SSAValue]:
    """Convert an op, whose operands may have an extent that depends on values.

    Raises ``ConversionError`` if one has, and the op cannot take it.
    """
    return follow(b, op, _converted(b, op, convert))


def _converted(b: ConversionContext, op: OnnxOp, convert: Convert) -> Sequence[SSAValue]:
    sized = convert_sized(b, op, convert)
    if sized is not None:
        return sized
    start = b.mark()
    try:
        return _taken(b, op, convert)
    except NotConstantError as error:
        if b.open is not None:
            raise
        b.remove_from(start)
        if op.op_type == "Slice" and not op.domain:
            return [cut(b, op)]
        return convert_with_bound(b, op, error, convert)


def _taken(b: ConversionContext, op: OnnxOp, convert: Convert) -> Sequence[SSAValue]:
    met = [value for inner in op.walk() for value in inner.operands if value in b.bounded]
    if not met:
        return convert()
    rule = _RULES.get(f"{op.domain}.{op.op_type}" if op.domain else op.op_type, _traced)
    try:
        values = rule(b, op, convert)
    except VerifyException:  # there is room for other extents than a run may find
        values = None
    if values is None and (unknown := unknown_sizes(b, op)):
        raise NotConstantError("shape", unknown[0])
    if values is None:
        axis, known = b.bounded[met[0]].axis, b.known_extents(met[0])
        which = "that depends on values" if known is None else f"of {known[axis]} in no known form"
        raise ConversionError(
            f"an operand has an extent along axis {axis} {which}, which is not supported there"
        )
    return values


def _along(rule: AxisRule) -> Rule:
    """Let the results have the extent along the axis that a function finds."""

    def followed(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
        bounds = [b.bounded[value] for value in op.operands if value in b.bounded]
        axis = rule(b, op, bounds[0])
        if axis is None:
            return None
        return [
            settled(b, op, position, value, axis, bounds[-1].count)
            for position, value in enumerate(convert())
        ]

    return followed


def _only_first(b: ConversionContext, op: OnnxOp) -> bool:
    return not any(value in b.bounded for value in op.operands[1:])


def _pointwise(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Operands have the same extent, or are repeated along it."""
    rank = max(len(shape_of(value.type)) for value in op.operands)
    axes = {
        bound.axis + rank - len(shape_of(value.type))
        for value in op.operands
        if (bound := b.bounded.get(value)) is not None
    }
    if len(axes) > 1:
        return None
    (axis,) = axes
    met: dict[int, tuple[SSAValue, int]] = {}
    for index, value in enumerate(op.operands):
        shape = shape_of(value.type)
        place = axis - (rank - len(shape))
        if place >= 0 and (value in b.bounded or shape[place] != 1):
            met[index] = value, place
    for index, value in zip(met, agreed(b, list(met.values())), strict=True):
        op.operands[index] = value
    first = b.bounded.get(op.operands[next(iter(met))])
    values = convert()
    if first is None:
        return values
    return [settled(b, op, i, value, axis, first.count) for i, value in enumerate(values)]


def _traced(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Follow the extent through the nn ops that the op becomes."""
    start, given = b.mark(), {v: bound for v in op.operands if (bound := b.bounded.get(v))}
    if op.regions or len({bound.count for bound in given.values()}) != 1:
        return None
    values, axes = convert(), {value: bound.axis for value, bound in given.items()}
    for made in b.made_since(start):
        if any(value in axes for value in made.operands):
            axis = _axis_through(made, axes)
            if axis is None:
                return None
            axes[made.results[0]] = axis
    if any(value not in axes or (value in b.bounded and value not in given) for value in values):
        return None
    count = next(iter(given.values())).count
    return [settled(b, op, i, value, axes[value], count) for i, value in enumerate(values)]


def _axis_through(made: Operation, axes: Mapping[SSAValue, int]) -> int | None:
    """Return the axis of a result each of whose places reads those places of operands alone."""
    if not isinstance(made, NNOp) or made.regions or len(made.results) != 1:
        return None
    found: set[int | None] = set()
    others: set[int] = set()
    for index, value in enumerate(made.operands):
        keeps = isinstance(made, MovementOp | ConcatOp)
        reads = made.identity_axes(index) if keeps else made.axis_reads(index)
        if value in axes:
            read = None if reads is None else reads[axes[value]]
            found.add(read.iterator if read is not None and read.inner == 1 else None)
        elif reads is not None:
            others |= {read.iterator for read in reads if read is not None}
        elif element_count(value.type) != 1:
            return None
    axis = found.pop()
    if axis is None or found or axis in others:
        return None
    return axis if axis < len(shape_of(made.results[0].type)) else None


def _squeeze(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    """An extent that is 1 at most may be another one: it is no axis to leave out."""
    shape, given = shape_of(op.operands[0].type), b.integers_or_input(op, "axes")
    if given is None:
        axes = tuple(axis for axis, extent in enumerate(shape) if extent == 1)
    else:
        axes = axes_of(given, len(shape))
    return None if bound.axis in axes else bound.axis - sum(axis < bound.axis for axis in axes)


def _unsqueeze(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    given = b.integers_or_input(op, "axes") or ()
    rank = len(shape_of(op.operands[0].type)) + len(given)
    new = axes_of(given, rank)
    return [axis for axis in range(rank) if axis not in new][bound.axis]


def _expand(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Repeat along other axes, where the shape has 1 or the extent itself along its own."""
    x = op.operands[0]
    extents = b.known_extents(x) if x in b.bounded else None
    if extents is None:
        return _traced(b, op, convert)
    shape = list(b.constant_integers(op, "shape") or ())
    behind = len(extents) - b.bounded[x].axis
    if behind <= len(shape):
        if not any(are_same([shape[-behind]], [kept]) for kept in (1, extents[-behind])):
            return None
        shape[-behind] = 1
    value = b.broadcast(x, shape)
    axis = len(shape_of(value.type)) - behind
    return [settled(b, op, 0, value, axis, b.bounded[x].count)]


def _running(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    """An element is made of those before it."""
    axis = axis_of(b.constant_integer(op, "axis"), len(shape_of(op.operands[0].type)))
    forward = axis != bound.axis or not b.integer(op, "reverse")
    return bound.axis if forward and _only_first(b, op) else None


def _gather_nd(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    """There are as many elements as there are indices."""
    data, indices = op.operands
    by, own = b.bounded.get(indices), b.bounded.get(data)
    *_, last = shape_of(indices.type)
    if by is None or by.axis == len(shape_of(indices.type)) - 1 or b.integer(op, "batch_dims", 0):
        return None
    if own is not None:
        if own.axis >= last:
            return None
        from_end = b.slice(extents(b, data), {0: range(last)})
        op.operands[1] = counted_from_start(b, indices, from_end)
    return by.axis


def _reduction(neutral: Callable[[Attribute], float]) -> Rule:
    """Reduce along other axes, or along the extent with neutral elements after it."""

    def reduce(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
        x = op.operands[0]
        bound = b.bounded.get(x)
        if bound is None or not _only_first(b, op):
            return None
        if bound.axis not in reduced_axes(b, op):
            return _traced(b, op, convert)
        op.operands[0] = filled(b, x, neutral(element_of(x.type)))
        return [_mean(b, op, bound)] if op.op_type == "ReduceMean" else convert()

    return reduce


def _mean(b: ConversionContext, op: OnnxOp, bound: Bound) -> SSAValue:
    """Divide the sum of the valid elements by their number."""
    x, axes = b.in_32_bits(op.operands[0]), reduced_axes(b, op)
    others = prod(shape_of(x.type)[axis] for axis in axes if axis != bound.axis)
    total = b.emit(ReduceOp(x, Reduction.SUM, axes, b.integer(op, "keepdims") != 0))
    count = b.cast(b.reshape(multiplied(b, bound.count, others), ()), element_of(x.type))
    return b.cast(b.emit(DivOp(total, count)), element_of(op.operands[0].type))


def _arg_reduction(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Find the first of equal elements: invalid ones follow it."""
    x = op.operands[0]
    bound, element = b.bounded[x], element_of(x.type)
    axis = axis_of(b.integer(op, "axis"), len(shape_of(x.type)))
    if axis != bound.axis:
        return _traced(b, op, convert)
    if b.integer(op, "select_last_index", 0):
        return None
    least = op.op_type == "ArgMax"
    op.operands[0] = filled(b, x, lowest(element) if least else highest(element))
    return convert()


def _softmax(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Take part in no sum where an element does not count."""
    x = op.operands[0]
    bound = b.bounded[x]
    if op.version < 13:  # it flattens all axes from the one that it names on
        return None
    if axis_of(b.integer(op, "axis"), len(shape_of(x.type))) == bound.axis:
        op.operands[0] = filled(b, x, -inf)
    return [settled(b, op, 0, value, bound.axis, bound.count) for value in convert()]


def _non_zero(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    op.operands[0] = filled(b, op.operands[0], 0)
    return convert()


def _cast_like(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert to the type of another operand, whose elements are not read."""
    bound = b.bounded.get(op.operands[0])
    (value,) = convert()
    return [value if bound is None else settled(b, op, 0, value, bound.axis, bound.count)]


def _compress(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Select from a list, or along the extent, by a condition of as many elements."""
    x, condition = op.operands
    rank, axis = len(shape_of(x.type)), b.setting(op, "axis")
    if x in b.bounded:
        if not isinstance(axis, int) and rank != 1:
            return None  # of all elements of rows
        place = axis_of(axis if isinstance(axis, int) else 0, rank)
        if place != b.bounded[x].axis or condition not in b.bounded:
            return None
        x, condition = agreed(b, [(x, place), (condition, 0)])
    op.operands = [x, filled(b, condition, 0)]
    return convert()


def _suppression(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Take no box that does not count: its score is above no threshold."""
    boxes, scores = op.operands[:2]
    one, other = b.bounded.get(boxes), b.bounded.get(scores)
    if any(value in b.bounded for value in op.operands[2:]) or one is None or other is None:
        return None
    if (one.axis, other.axis) != (1, 2) or one.count is not other.count:
        return None
    op.operands[1] = filled(b, scores, -inf)
    return convert()


def _top_k(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Take rows along another axis, or as many elements as a constant says, which all count."""
    x = op.operands[0]
    bound = b.bounded.get(x)
    if bound is None or not _only_first(b, op):
        return None
    if axis_of(b.integer(op, "axis"), len(shape_of(x.type))) == bound.axis:
        op.operands[0] = ordered_last(b, op, x)
        return convert()
    return [
        settled(b, op, position, value, bound.axis, bound.count)
        for position, value in enumerate(convert())
    ]


def _regions(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Pool each region alone; an invalid one is in the first image."""
    images, regions, numbers = op.operands
    bound = b.bounded.get(regions)
    if bound is None or bound.axis or images in b.bounded or b.bounded.get(numbers) != bound:
        return None
    op.operands[2] = filled(b, numbers, 0)
    return [settled(b, op, 0, value, 0, bound.count) for value in convert()]


def _steps(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Each step of a loop gets the numbers of elements of outer values."""
    return None if any(value in b.bounded for value in op.operands) else convert()


def _branches(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """The branches get the numbers of elements, and hand them out."""
    return None if op.operands[0] in b.bounded else convert()


_BY_TABLES = ("RegexFullMatch", "StringConcat", "ai.onnx.ml.CategoryMapper",
              "ai.onnx.ml.LabelEncoder")  # fmt: skip
"""Pointwise operators of strings, whose nn ops look up tables."""

_RULES: dict[str, Rule] = {
    **dict.fromkeys((*POINTWISE, *_BY_TABLES), _pointwise),
    "ScatterElements": scatter_elements,
    "ScatterND": scatter_nd,
    "TopK": _top_k,
    "RoiAlign": _regions,
    "If": _branches,
    **dict.fromkeys(("Loop", "Scan"), _steps),
    **dict.fromkeys(("CumSum", "CumProd"), _along(_running)),
    **dict.fromkeys(("ReduceSum", "ReduceMean", "ReduceL1", "ReduceL2", "ReduceSumSquare",
                     "ReduceLogSum"), _reduction(lambda _: 0)),
    **dict.fromkeys(("ReduceMax", "ReduceLogSumExp"), _reduction(lowest)),
    **dict.fromkeys(("ArgMax", "ArgMin"), _arg_reduction),
    **dict.fromkeys(("Softmax", "LogSoftmax"), _softmax),
    **dict.fromkeys(("Reshape", "Flatten"), reshape),
    "ReduceMin": _reduction(highest),
    "ReduceProd": _reduction(lambda _: 1),
    "ai.onnx.ml.OneHotEncoder": _along(lambda _, __, bound: bound.axis),
    "Expand": _expand,
    "Squeeze": _along(_squeeze),
    "Unsqueeze": _along(_unsqueeze),
    "GatherND": _along(_gather_nd),
    "Shape": shape,
    "Size": size,
    "Concat": concat,
    "Gather": gather,
    "GatherElements": gather_elements,
    "Slice": slice_,
    "NonZero": _non_zero,
    "Compress": _compress,
    "CastLike": _cast_like,
    "NonMaxSuppression": _suppression,
}  # fmt: skip
