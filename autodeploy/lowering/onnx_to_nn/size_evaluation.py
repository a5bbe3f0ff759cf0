"""Onnx ops of tensors that depend on the numbers of a run, evaluated for all of them.

Each operator means exactly what ONNX's reference implementation computes for each combination of
numbers. Pointwise operators run once, with the numbers as leading axes. Movements run once on the
places of elements. Other operators run once for each distinct list of operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from autodeploy.analysis.folding_budget import MAX_STEPS, steps
from autodeploy.dialects.extents import Extent, Numbers, Undecided, largest_of
from autodeploy.dialects.nn.constant import ConstantValue, DenseAttr
from autodeploy.dialects.nn.types import ELEMENT_BYTES, broadcast_shapes, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.dialects.onnx.families import MOVEMENTS, POINTWISE
from autodeploy.dialects.open_range import fewer
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable
from autodeploy.passes.onnx.fold_onnx_constants import COSTLY
from autodeploy.passes.onnx.infer_onnx_shapes import DATA_ELEMENTS, element_of, is_ranked, refine
from autodeploy.passes.onnx.known_nodes import KnownNode
from autodeploy.weights import Array, element_type, numpy_dtype

Shape: TypeAlias = tuple[int, ...]

MOST_ELEMENTS = 1 << 24
"""Elements of a tensor for all combinations of numbers, at most."""

MOST_LISTS = 1 << 12
"""Distinct lists of operands for which an operator is run, at most."""

_POINTWISE = POINTWISE | {"CastLike"}
"""Operators that compute the same of elements whatever axes these have in common."""

_MOVEMENTS = MOVEMENTS | {"Compress", "GatherElements", "GatherND"}
"""Operators whose result has elements of the first operand, or of all that Concat joins."""

_REDUCTIONS: dict[str, np.ufunc] = {
    "ReduceMax": np.maximum,
    "ReduceMin": np.minimum,
    "ReduceProd": np.multiply,
    "ReduceSum": np.add,
}
"""Reductions of integers, of which the order does not matter."""

_GROWTH = {"Compress": 1, "Unique": 4}
"""The most elements of all results for each one of the first operand, where no type says it."""


class TooManyNumbersError(ConversionError):
    """An op takes too long for all numbers; a run may compute it, as any other data."""


@dataclass
class Evaluation:
    """An op as a node that ONNX's reference runs on arrays.

    It outlives the op, and is that of all ops that say the same.
    """

    op_type: str
    types: Sequence[Attribute]
    """Those of the results."""
    reduction: _Reduction | None
    node: KnownNode
    by_elements: bool = False
    """Whether elements of operands were needed to know the shapes of results."""
    found: dict[object, list[SizeTable] | None] = field(default_factory=dict[object, Any])
    """The results so far: layers of a network mostly repeat what they compute of sizes."""
    moves: dict[object, list[SizeTable] | None] = field(default_factory=dict[object, Any])
    """To which places elements of operands of some shapes move, so far."""

    @classmethod
    def of(cls, ctx: Context, op: OnnxOp, known: dict[object, Evaluation]) -> Evaluation | None:
        """Return the node of an op; ``None`` for one that is never run.

        ``known`` are the nodes of other ops, and gets this one.
        """
        is_run = op.has_trait(Pure) and not op.regions and op.op_type not in COSTLY
        is_known = all(element_of(result.type) in ELEMENT_BYTES for result in op.results)
        if op.domain or op.text is not None or not is_run or not is_known:
            return None
        node = KnownNode.of(ctx, op)
        if node is None or node.reference is None:
            return None
        reduction = _Reduction.of(op) if op.op_type in _REDUCTIONS else None
        types = [result.type for result in op.results]
        return known.setdefault((node, *types), cls(op.op_type, types, reduction, node))

    def __call__(
        self, operands: Sequence[SizeTable], *, ragged: bool = False
    ) -> list[SizeTable] | None:
        """Return the results for operands, one a result.

        ``None`` if ONNX's reference does not compute the op, where it would take too long for
        one combination of numbers, and where a result has several shapes, unless it may be
        ``ragged``. Raises ``ConversionError`` if only some numbers have a result, and
        ``TooManyNumbersError`` if there are too many.
        """
        key = ragged, *(operand.key for operand in operands)
        if key not in self.found:
            self.found[key] = self._evaluated(operands, ragged=ragged)
        return self.found[key]

    def _evaluated(self, operands: Sequence[SizeTable], *, ragged: bool) -> list[SizeTable] | None:
        found = self._tables(operands, ragged=ragged) if operands else None
        if found is None or len(found) != len(self.types):
            return None
        for known, table in zip(self.types, found, strict=True):
            element = element_of(known)
            if element is None or table.dtype != numpy_dtype(element):
                return None
            type_ = tensor(element, table.largest.shape)
            if refine(known, type_) != type_:
                return None
        return found

    def _tables(self, operands: Sequence[SizeTable], *, ragged: bool) -> list[SizeTable] | None:
        if self.op_type in ("Shape", "Size") and not operands[0].is_ragged:
            operands = [SizeTable.of_array(operands[0].numbers, operands[0].least)]
        joined = operands if self.op_type == "Concat" else operands[:1]
        is_plain = not any(operand.is_ragged for operand in operands)
        if self.op_type in _POINTWISE:
            found = _pointwise(self, operands)
            if found is not None and (ragged or not found.is_ragged):
                return [found]
        elif is_plain and self.op_type in _MOVEMENTS and len({one.dtype for one in joined}) == 1:
            return _moved(self, joined, operands[len(joined) :], ragged=ragged)
        elif is_plain and self.reduction is not None:
            found = _reduced(self, self.reduction, operands)
            if found is not None:
                return [found]
        return _each(self, operands, ragged=ragged)

    def compute(self, operands: Sequence[Array]) -> list[Array] | None:
        """Return the results, ``None`` if the reference fails."""
        views = [operand.view() for operand in operands]
        for view in views:
            view.flags.writeable = False
        return self.node.run(views)

    def made(self, operands: Sequence[Array]) -> Sequence[Shape] | None:
        """Return the shapes of the results, ``None`` if they are unknown or invalid.

        If elements choose the number of results, that is a vector of as many at most.
        """
        size = operands[0].size
        if self.op_type == "NonZero":
            return [(size * operands[0].ndim,)]
        if self.op_type in _GROWTH:
            return [(size * _GROWTH[self.op_type],)]
        types = [tensor(element_type(array.dtype), array.shape) for array in operands]
        opsets = {"": self.node.version}
        if not self.by_elements:
            made = _static(self.node.types([(type_, None) for type_ in types], opsets))
            if made is not None:
                return made
            self.by_elements = True
        pairs = zip(types, operands, strict=True)
        return _static(self.node.types([(t, _shown(t, own)) for t, own in pairs], opsets))

    def share(self, operands: Sequence[Array], elements: int, runs: int = 1) -> float:
        """Return the part that may be done of the work of some runs that make elements each."""
        taken = steps(self.op_type, operands, elements) * runs
        elements += sum(operand.size for operand in operands)
        return min(MAX_STEPS / max(taken, 1), MOST_ELEMENTS / max(elements, 1))


def _shown(type_: TensorType[Attribute], array: Array) -> ConstantValue | None:
    return DenseAttr(array.tobytes(), type_) if array.size <= DATA_ELEMENTS else None


def _static(types: Sequence[Attribute | None] | None) -> Sequence[Shape] | None:
    """Return the shapes of types, ``None`` if one is not known."""
    made = [t.get_shape() for t in types or () if t is not None and is_ranked(t)]
    is_known = types is not None and len(made) == len(types)
    return made if is_known and all(n >= 0 for shape in made for n in shape) else None


def _pointwise(node: Evaluation, operands: Sequence[SizeTable]) -> SizeTable | None:
    """Return the result of one run for all numbers; ``None`` if it fails."""
    given = operands[:1] if node.op_type == "CastLike" else operands
    least = [operand.least for operand in operands]
    try:
        shape = broadcast_shapes(*(operand.shape for operand in given))
    except (VerifyException, Undecided):
        return None
    grid, rank, room = _common_grid(given), len(shape), tuple(map(largest_of, shape))
    wide = [
        own.reshape(operand.grid + (1,) * (rank - len(operand.shape)) + own.shape[len(grid) :])
        for operand in given
        for own in [operand.values[(..., *(slice(largest_of(n)) for n in operand.shape))]]
    ] + least[len(given) :]
    elements, points = prod(room), prod(grid)
    if node.made(least) is None or node.share(least, elements) < 1:
        return None
    if (share := node.share(wide, elements * points)) < 1:
        raise _too_many(operands[0].numbers, int(points * share))
    found = node.compute(wide)
    if found is None or found[0].shape != grid + room:
        return None
    return SizeTable.filled(operands[0].numbers, found[0], shape)


@dataclass
class _Reduction:
    """A reduction of integers: which axes it folds, and whether these stay."""

    axes: Sequence[int]
    place: int | None
    """Which operand has the axes."""
    folds_all: bool
    """Whether it folds all axes if none is named."""
    keepdims: bool

    @classmethod
    def of(cls, op: OnnxOp) -> _Reduction:
        named = op.setting("axes") if "axes" in op.schema.attributes else None
        operand = None if "axes" in op.schema.attributes else op.input_named("axes")
        noop = "noop_with_empty_axes"
        return cls(
            cast("tuple[int, ...] | None", named) or (),
            None if operand is None else op.operands.index(operand),
            not (noop in op.schema.attributes and op.setting(noop)),
            op.setting("keepdims") != 0,
        )

    def over(self, operands: Sequence[SizeTable]) -> Sequence[int] | None:
        """Return the axes, ``None`` if numbers choose them or there are none."""
        axes = self.axes
        if self.place is not None:
            known = operands[self.place].constant
            if known is None:
                return None
            axes = known.reshape(-1).tolist()
        return axes or (range(len(operands[0].shape)) if self.folds_all else None)


def _reduced(
    node: Evaluation, reduction: _Reduction, operands: Sequence[SizeTable]
) -> SizeTable | None:
    """Return the result of reducing integers for all numbers; ``None`` if it is not known."""
    data, axes = operands[0], reduction.over(operands)
    if axes is None or data.dtype.kind not in "iu" or not data.values.size:
        return None
    first = _each(node, [SizeTable.of_array(data.numbers, operand.least) for operand in operands])
    if first is None:
        return None
    found = _REDUCTIONS[node.op_type].reduce(
        data.values,
        axis=tuple(axis % len(data.shape) + len(data.grid) for axis in axes),
        keepdims=reduction.keepdims,
        dtype=data.dtype,
    )
    table = SizeTable(data.numbers, found)
    return table if np.array_equal(table.least, first[0].least) else None


def _moved(
    node: Evaluation,
    data: Sequence[SizeTable],
    others: Sequence[SizeTable],
    *,
    ragged: bool,
) -> list[SizeTable] | None:
    """Return the results of an op that moves elements of data, by a run that moves their places."""
    numbers, sizes = data[0].numbers, [prod(own.shape) for own in data]
    ends = np.cumsum(sizes).tolist()
    places = [
        np.arange(end - size, end, dtype=np.int64).reshape(own.shape)
        for own, size, end in zip(data, sizes, ends, strict=True)
    ]
    key = ragged, *(own.shape for own in places), *(own.key for own in others)
    if key not in node.moves:
        known = [*(SizeTable.of_array(numbers, own) for own in places), *others]
        node.moves[key] = _each(node, known, ragged=ragged)
    found = node.moves[key]
    if found is None:
        return None
    if any(index.is_ragged for index in found):
        return _each(node, [*data, *others], ragged=ragged)
    grid = _common_grid(data)
    _check(numbers, prod(grid), ends[-1])
    flat = [np.broadcast_to(own.values, grid + own.shape).reshape(*grid, -1) for own in data]
    elements = np.concatenate(flat, -1)
    return [
        SizeTable(numbers, _taken(numbers, elements, index.values.astype(np.int64)))
        for index in found
    ]


def _taken(numbers: Numbers, elements: Array, index: npt.NDArray[np.int64]) -> Array:
    """Return those of the elements, which have one axis, that an index chooses for each number."""
    rank = len(numbers.ranges)
    choices, shape = index.shape[:rank], index.shape[rank:]
    grid = np.broadcast_shapes(elements.shape[:-1], choices)
    if prod(choices) == 1 or prod(elements.shape[:-1]) == 1:
        _check(numbers, prod(grid), prod(shape))
        if prod(choices) == 1:
            return np.take(elements, index.reshape(shape), -1)
        return np.take(elements.reshape(-1), index)
    _check(numbers, prod(grid), elements.shape[-1] + prod(shape))
    wide = np.broadcast_to(elements, (*grid, elements.shape[-1]))
    flat = np.broadcast_to(index, grid + shape).reshape(*grid, -1)
    return np.take_along_axis(wide, flat, -1).reshape(grid + shape)


def _each(
    node: Evaluation, operands: Sequence[SizeTable], *, ragged: bool = False
) -> list[SizeTable] | None:
    """Return the results of a run for each distinct list of operands."""
    numbers, grid = operands[0].numbers, _common_grid(operands)
    if all(operand.constant is not None for operand in operands):
        return _once(node, operands)
    indices, which = _distinct(numbers, operands, grid)

    def arrays(place: int) -> Sequence[Array]:
        return [operand.at_index(grid, indices[place]) for operand in operands]

    @cache
    def made(place: int) -> Sequence[Shape] | None:
        return node.made(arrays(place))

    @cache
    def result(place: int) -> list[Array] | None:
        return None if made(place) is None else node.compute(arrays(place))

    # Results of several shapes mostly differ between the least and the largest numbers.
    ends = (0, int(which[-1]))
    bounds = [bound for bound in map(made, ends) if bound is not None]
    if not bounds or (bounds[0] != bounds[-1] and not ragged):
        return None
    elements = max(sum(map(prod, bound)) for bound in bounds)
    if min(node.share(arrays(end), elements) for end in ends) < 1:
        return None
    shapes = [[array.shape for array in found] for found in map(result, ends) if found is not None]
    if not shapes or (shapes[0] != shapes[-1] and not ragged):
        return None
    share = min(
        *(node.share(arrays(end), elements, len(indices)) for end in ends),
        MOST_LISTS / len(indices),
    )
    if share < 1:
        raise _too_many(numbers, int(len(indices) * share))
    _check(numbers, len(which), elements)
    results: list[list[Array]] = []
    for place, index in enumerate(indices):
        bound = made(place)
        if bound is not None and bound != bounds[0]:
            size = sum(map(prod, bound))
            if not ragged or node.share(arrays(place), size) < 1:
                return None
            _check(numbers, len(which), size)
        found = result(place)
        if found is None:
            places = zip(numbers.ranges, np.unravel_index(index, grid), strict=True)
            text = numbers.text([range_.least + int(own) for range_, own in places])
            raise ConversionError(
                f"cannot be computed for {text}, such as for an index beyond an axis; leave that "
                "out of the range"
            )
        if [array.shape for array in found] != shapes[0] and not ragged:
            return None
        if [array.ndim for array in found] != [len(shape) for shape in shapes[0]]:
            return None
        results.append(found)
    choice = which.reshape(grid)
    return [SizeTable.of_arrays(numbers, found, choice) for found in zip(*results, strict=True)]


def _once(node: Evaluation, operands: Sequence[SizeTable]) -> list[SizeTable] | None:
    """Return the results of a run for operands that are the same for all numbers."""
    arrays = [operand.largest for operand in operands]
    # Inference takes as long as a run, and types may state the shapes.
    shapes = _static(node.types) or node.made(arrays)
    if shapes is None or node.share(arrays, sum(map(prod, shapes))) < 1:
        return None
    found = node.compute(arrays)
    return (
        None
        if found is None
        else [SizeTable.of_array(operands[0].numbers, array) for array in found]
    )


def chosen(flag: SizeTable, one: SizeTable, other: SizeTable) -> SizeTable | None:
    """Return one of two tensors for each number, by a boolean.

    ``None`` if they are of several types or ranks. Raises ``TooManyNumbersError`` if there
    are too many.
    """
    if (one.dtype, len(one.shape)) != (other.dtype, len(other.shape)):
        return None
    grid = _common_grid([flag, one, other])
    flags = np.broadcast_to(flag.values.reshape(flag.grid), grid)
    if (points := prod(grid)) > MOST_LISTS:
        raise _too_many(flag.numbers, MOST_LISTS)
    arrays = [table.at_index(grid, index) for table in (one, other) for index in range(points)]
    index = np.arange(points).reshape(grid)
    return SizeTable.of_arrays(flag.numbers, arrays, np.where(flags, index, index + points))


def _distinct(
    numbers: Numbers, operands: Sequence[SizeTable], grid: tuple[int, ...]
) -> tuple[Sequence[int], npt.NDArray[np.intp]]:
    """Return flat indices of a grid with distinct operands, in order, and which one each index is.

    The second list has, for each flat index, the place of the first one.
    """
    points = prod(grid)
    varying = [operand for operand in operands if operand.constant is None]
    if not varying:
        return [0], np.zeros(1, np.intp)
    _check(numbers, points, sum(prod(operand.values.shape[len(grid) :]) for operand in varying))
    wide: list[Array] = []
    for own in varying:
        values = own.values
        wide.append(np.broadcast_to(values, grid + values.shape[len(grid) :]).reshape(points, -1))
        lengths = [extent.table for extent in own.shape if isinstance(extent, Extent)]
        wide += [np.broadcast_to(length, grid).reshape(points, 1) for length in lengths]
    rows = np.concatenate([np.ascontiguousarray(own).view(np.uint8) for own in wide], 1)
    width = rows.shape[1]
    keys = rows.view(f"u{width}" if width in (1, 2, 4, 8) else f"V{width}").reshape(-1)
    _, indices, which = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(indices)
    return indices[order].tolist(), np.argsort(order)[which.reshape(-1)]


def _common_grid(operands: Sequence[SizeTable]) -> tuple[int, ...]:
    return np.broadcast_shapes(*(operand.grid for operand in operands))


def _check(numbers: Numbers, points: int, elements: int) -> None:
    """Raise ``ConversionError`` if a tensor has too many elements for all numbers together."""
    if points > 1 and points * elements > MOST_ELEMENTS:
        raise _too_many(numbers, MOST_ELEMENTS // elements)


def _too_many(numbers: Numbers, points: int) -> TooManyNumbersError:
    way = fewer(numbers.ranges, points)
    return TooManyNumbersError(
        f"depends on numbers in too many ways to be followed; {way} may help"
    )
