"""Tensors that depend on the numbers of a run, known for all of them, and onnx ops of these.

Each operator means exactly what ONNX's reference implementation computes for each combination of
numbers. Pointwise operators run once, with the numbers as leading axes. Movements run once on the
places of elements. Other operators run once for each distinct list of operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt
from onnx import NodeProto, TypeProto, helper, numpy_helper
from onnx.checker import ValidationError
from onnx.shape_inference import InferenceError, infer_node_outputs
from xdsl.context import Context
from xdsl.traits import Pure

from autodeploy.analysis.folding_budget import MAX_STEPS, steps
from autodeploy.analysis.reference import Reference
from autodeploy.dialects.extents import Counts, Numbers, extent_of, numbers_of, table_of
from autodeploy.dialects.nn.types import ELEMENT_BYTES, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.dialects.onnx.families import MOVEMENTS, POINTWISE
from autodeploy.dialects.open_range import fewer
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.onnx.nodes import node_proto
from autodeploy.passes.onnx.fold_onnx_constants import COSTLY
from autodeploy.passes.onnx.infer_onnx_shapes import DATA_ELEMENTS, element_of, refine
from autodeploy.weights import Array, numpy_dtype

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


@dataclass(frozen=True, eq=False)
class SizeTable:
    """A tensor for each combination of numbers of a run.

    ``values`` have an axis for each range of ``numbers``, then the axes of the tensor. An axis of a
    range has its count, or 1 where the tensor does not depend on that number. Raises ``ValueError``
    for values of another shape.
    """

    numbers: Numbers
    values: Array

    def __post_init__(self) -> None:
        values, counts = self.values, self.numbers.shape
        grid = values.shape[: len(counts)]
        if len(grid) < len(counts) or any(map(_misfits, grid, counts)):
            raise ValueError(f"a table of shape {values.shape} is not of numbers {counts}")
        for axis, count in enumerate(grid):
            if count > 1:
                first = values.take([0], axis)
                values = first if (_bits(values) == _bits(first)).all() else values
        object.__setattr__(self, "values", values)

    @classmethod
    def of_array(cls, numbers: Numbers, array: Array) -> SizeTable:
        """Return a tensor that is the same for all numbers."""
        return cls(numbers, np.reshape(array, (1,) * len(numbers.ranges) + array.shape))

    @classmethod
    def of_extents(
        cls,
        numbers: Numbers,
        extents: Sequence[int],
        shape: Sequence[int],
        dtype: npt.DTypeLike = np.int64,
    ) -> SizeTable:
        """Return a tensor of extents, row by row.

        Raises ``ValueError`` for extents by other numbers, and ``OverflowError`` where the type
        does not have a value.
        """
        if numbers_of(*extents) not in (None, numbers):
            raise ValueError("extents of several programs have no common numbers")
        ones = np.ones((1,) * len(numbers.ranges), np.int64)
        tables = np.broadcast_arrays(ones, *map(table_of, extents))[1:]
        grid = np.broadcast_shapes(ones.shape, *(table.shape for table in tables))
        wide = np.stack(tables, -1) if tables else np.zeros((*grid, 0), np.int64)
        values = wide.astype(dtype)
        if not np.array_equal(values.astype(np.int64), wide):
            raise OverflowError(f"{values.dtype} does not have all values of the extents")
        return cls(numbers, values.reshape(*grid, *shape))

    @property
    def grid(self) -> tuple[int, ...]:
        """How many combinations of numbers there are along each range, or 1."""
        return self.values.shape[: len(self.numbers.ranges)]

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the tensor."""
        return self.values.shape[len(self.numbers.ranges) :]

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """NumPy's type of the elements."""
        return self.values.dtype

    @property
    def constant(self) -> Array | None:
        """The tensor, where it is the same for all numbers."""
        return self.largest if prod(self.grid) == 1 else None

    @property
    def least(self) -> Array:
        """The tensor for the least numbers."""
        return self.values[(*(0,) * len(self.grid), ...)]

    @property
    def largest(self) -> Array:
        """The tensor for the largest numbers."""
        return self.values[(*(-1,) * len(self.grid), ...)]

    @cached_property
    def elements(self) -> tuple[int, ...]:
        """The elements row by row, of which those that depend on the numbers are extents.

        Raises ``TypeError`` for floats, and ``OverflowError`` for elements beyond 64 signed bits.
        """
        flat = self.values.reshape(*self.grid, -1)
        return tuple(extent_of(self.numbers, flat[..., place]) for place in range(flat.shape[-1]))

    def at(self, counts: Counts) -> Array:
        """Return the tensor for counts of steps of the numbers."""
        return self.values[(*self.numbers.place(counts, self.grid), ...)]

    def at_index(self, grid: Sequence[int], index: int) -> Array:
        """Return the tensor at a flat index of a grid to which the own one broadcasts."""
        places = zip(np.unravel_index(index, grid), self.grid, strict=True)
        return self.values[(*(0 if count == 1 else int(place) for place, count in places), ...)]


def evaluate(ctx: Context, op: OnnxOp, operands: Sequence[SizeTable]) -> list[SizeTable] | None:
    """Return the results of an op for the operands that it has, one a result.

    ``None`` where ONNX's reference does not compute the op, where it would take too long for one
    combination of numbers, and where a result has several shapes. Raises ``ConversionError``
    where only some numbers have a result, and ``TooManyNumbersError`` where there are too many.
    """
    node = _Node.of(ctx, op) if operands else None
    if node is None:
        return None
    values = _values(node, operands)
    if values is None or len(values) != len(op.results):
        return None
    tables = [SizeTable(operands[0].numbers, value) for value in values]
    for result, table in zip(op.results, tables, strict=True):
        element = element_of(result.type)
        if element is None or table.dtype != numpy_dtype(element):
            return None
        type_ = tensor(element, table.shape)
        if refine(result.type, type_) != type_:
            return None
    return tables


def _values(node: _Node, operands: Sequence[SizeTable]) -> list[Array] | None:
    op_type = node.op.op_type
    if op_type in ("Shape", "Size"):
        return _each(node, [SizeTable.of_array(operands[0].numbers, operands[0].least)])
    joined = operands if op_type == "Concat" else operands[:1]
    if op_type in _MOVEMENTS and len({operand.dtype for operand in joined}) == 1:
        return _moved(node, joined, operands[len(joined) :])
    found = None
    if op_type in _POINTWISE:
        found = _pointwise(node, operands)
    elif op_type in _REDUCTIONS:
        found = _reduced(node, operands)
    return _each(node, operands) if found is None else found


@dataclass
class _Node:
    """An op as a node that ONNX's reference runs on arrays, with names for its operands."""

    op: OnnxOp
    proto: NodeProto
    names: Sequence[str]
    reference: Reference

    @classmethod
    def of(cls, ctx: Context, op: OnnxOp) -> _Node | None:
        """Return the node of an op; ``None`` for one that is never run."""
        is_run = op.has_trait(Pure) and not op.regions and op.op_type not in COSTLY
        is_known = all(element_of(result.type) in ELEMENT_BYTES for result in op.results)
        if op.domain or op.text is not None or not is_run or not is_known:
            return None
        # A value that is used twice has two names, as it may stand for elements and for places.
        counter = iter(range(len(op.operands) + len(op.results)))
        proto = node_proto(ctx, op, lambda _: f"v{next(counter)}")
        names = [f"v{place}" for place in range(len(op.operands))]
        reference = None if proto is None else Reference.of(proto, names, op.version)
        return None if proto is None or reference is None else cls(op, proto, names, reference)

    def compute(self, operands: Sequence[Array]) -> list[Array] | None:
        """Return the results, ``None`` where the reference fails."""
        views = [operand.view() for operand in operands]
        for view in views:
            view.flags.writeable = False
        return self.reference(dict(zip(self.names, views, strict=True)))

    def made(self, operands: Sequence[Array]) -> Sequence[Shape] | None:
        """Return the shapes of the results, ``None`` where they are unknown or invalid.

        Where elements choose how many results there are, that is a vector of as many at most.
        """
        size = operands[0].size
        if self.op.op_type == "NonZero":
            return [(size * operands[0].ndim,)]
        if self.op.op_type in _GROWTH:
            return [(size * _GROWTH[self.op.op_type],)]
        named = dict(zip(self.names, operands, strict=True))
        small = {name: array for name, array in named.items() if array.size <= DATA_ELEMENTS}
        try:
            types = infer_node_outputs(
                self.op.schema,
                self.proto,
                {name: _type_proto(array) for name, array in named.items()},
                {name: numpy_helper.from_array(array, name) for name, array in small.items()},
                opset_imports=[helper.make_opsetid("", self.op.version)],
            )
        except (InferenceError, ValidationError, ValueError, KeyError, TypeError):
            return None
        made: list[Shape] = []
        for name in filter(None, self.proto.output):
            type_ = types.get(name, TypeProto()).tensor_type
            dims = [dim.dim_value if dim.HasField("dim_value") else -1 for dim in type_.shape.dim]
            if not type_.HasField("shape") or any(dim < 0 for dim in dims):
                return None
            made.append(tuple(dims))
        return made

    def share(self, operands: Sequence[Array], elements: int, runs: int = 1) -> float:
        """Return the part that may be done of the work of some runs that make elements each."""
        taken = steps(self.op.op_type, operands, elements) * runs
        elements += sum(operand.size for operand in operands)
        return min(MAX_STEPS / max(taken, 1), MOST_ELEMENTS / max(elements, 1))


def _type_proto(array: Array) -> TypeProto:
    element = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_type_proto(element, array.shape)


def _pointwise(node: _Node, operands: Sequence[SizeTable]) -> list[Array] | None:
    """Return the results of one run for all numbers; ``None`` where it fails."""
    given = operands[:1] if node.op.op_type == "CastLike" else operands
    least = [operand.least for operand in operands]
    try:
        shape = np.broadcast_shapes(*(operand.shape for operand in given))
    except ValueError:
        return None
    grid, rank = _common_grid(given), len(shape)
    wide = [
        operand.values.reshape(operand.grid + (1,) * (rank - len(operand.shape)) + operand.shape)
        for operand in given
    ] + least[len(given) :]
    elements, points = prod(shape), prod(grid)
    if node.made(least) is None or node.share(least, elements) < 1:
        return None
    if (share := node.share(wide, elements * points)) < 1:
        raise _too_many(operands[0].numbers, int(points * share))
    found = node.compute(wide)
    return found if found is not None and found[0].shape == grid + shape else None


def _reduced(node: _Node, operands: Sequence[SizeTable]) -> list[Array] | None:
    """Return the result of reducing integers for all numbers; ``None`` where it is not known."""
    data = operands[0]
    axes = _reduced_axes(node.op, operands)
    if axes is None or data.dtype.kind not in "iu" or not data.values.size:
        return None
    first = _each(node, [SizeTable.of_array(data.numbers, operand.least) for operand in operands])
    if first is None:
        return None
    found = _REDUCTIONS[node.op.op_type].reduce(
        data.values,
        axis=tuple(axis % len(data.shape) + len(data.grid) for axis in axes),
        keepdims=node.op.setting("keepdims") != 0,
        dtype=data.dtype,
    )
    least = SizeTable(data.numbers, found).least
    return [found] if np.array_equal(least, SizeTable(data.numbers, first[0]).least) else None


def _reduced_axes(op: OnnxOp, operands: Sequence[SizeTable]) -> Sequence[int] | None:
    """Return the axes of a reduction, ``None`` where numbers choose them or there are none."""
    every = range(len(operands[0].shape))
    if "axes" in op.schema.attributes:
        return cast("tuple[int, ...] | None", op.setting("axes")) or every
    if (operand := op.input_named("axes")) is not None:
        known = operands[op.operands.index(operand)].constant
        if known is None or known.size:
            return None if known is None else known.reshape(-1).tolist()
    is_kept = "noop_with_empty_axes" in op.schema.attributes and op.setting("noop_with_empty_axes")
    return None if is_kept else every


def _moved(
    node: _Node, data: Sequence[SizeTable], others: Sequence[SizeTable]
) -> list[Array] | None:
    """Return the results of an op that moves elements of data, by a run that moves their places."""
    numbers, sizes = data[0].numbers, [prod(own.shape) for own in data]
    ends = np.cumsum(sizes).tolist()
    places = [
        np.arange(end - size, end, dtype=np.int64).reshape(own.shape)
        for own, size, end in zip(data, sizes, ends, strict=True)
    ]
    found = _each(node, [*(SizeTable.of_array(numbers, own) for own in places), *others])
    if found is None:
        return None
    grid = _common_grid(data)
    _check(numbers, prod(grid), ends[-1])
    flat = [np.broadcast_to(own.values, grid + own.shape).reshape(*grid, -1) for own in data]
    elements = np.concatenate(flat, -1)
    return [_taken(numbers, elements, index.astype(np.int64)) for index in found]


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


def _each(node: _Node, operands: Sequence[SizeTable]) -> list[Array] | None:
    """Return the results of a run for each distinct list of operands."""
    numbers, grid = operands[0].numbers, _common_grid(operands)
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
    elements = sum(map(prod, bounds[0])) if bounds else 0
    if not bounds or bounds[0] != bounds[-1] or node.share(arrays(0), elements) < 1:
        return None
    shapes = [[array.shape for array in found] for found in map(result, ends) if found is not None]
    if not shapes or shapes[0] != shapes[-1]:
        return None
    share = min(node.share(arrays(0), elements, len(indices)), MOST_LISTS / len(indices))
    if share < 1:
        raise _too_many(numbers, int(len(indices) * share))
    _check(numbers, len(which), sum(map(prod, shapes[0])))
    results: list[list[Array]] = []
    for place, index in enumerate(indices):
        if made(place) not in (None, bounds[0]):
            return None
        found = result(place)
        if found is None:
            places = zip(numbers.ranges, np.unravel_index(index, grid), strict=True)
            text = numbers.text([range_.least + int(own) for range_, own in places])
            raise ConversionError(
                f"cannot be computed for {text}, such as for an index beyond an axis; leave that "
                "out of the range"
            )
        if [array.shape for array in found] != shapes[0]:
            return None
        results.append(found)
    return [np.stack(found)[which.reshape(grid)] for found in zip(*results, strict=True)]


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
    _check(numbers, points, sum(prod(operand.shape) for operand in varying))
    wide = [np.broadcast_to(own.values, grid + own.shape).reshape(points, -1) for own in varying]
    rows = np.concatenate([np.ascontiguousarray(own).view(np.uint8) for own in wide], 1)
    width = rows.shape[1]
    keys = rows.view(f"u{width}" if width in (1, 2, 4, 8) else f"V{width}").reshape(-1)
    _, indices, which = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(indices)
    return indices[order].tolist(), np.argsort(order)[which.reshape(-1)]


def _common_grid(operands: Sequence[SizeTable]) -> tuple[int, ...]:
    return np.broadcast_shapes(*(operand.grid for operand in operands))


def _check(numbers: Numbers, points: int, elements: int) -> None:
    """Raise ``ConversionError`` where a tensor has too many elements for all numbers together."""
    if points > 1 and points * elements > MOST_ELEMENTS:
        raise _too_many(numbers, MOST_ELEMENTS // elements)


def _too_many(numbers: Numbers, points: int) -> TooManyNumbersError:
    way = fewer(numbers.ranges, points)
    return TooManyNumbersError(
        f"depends on numbers in too many ways to be followed; {way} may help"
    )


def _misfits(extent: int, count: int) -> bool:
    return extent not in (1, count)


def _bits(array: Array) -> Array:
    """Return elements as integers, which differ where a not-a-number or the sign of 0 does."""
    return array.view(f"u{array.itemsize}")
