"""Builders of nn ops: for readers of models and conversions, for passes, and for regions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import bf16, f16, f32, f64, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.analysis.evaluation import evaluate
from autodeploy.analysis.folding_budget import MAX_BYTES
from autodeploy.dialects.extent_calls import each
from autodeploy.dialects.extents import Extent, are_same, largest_of
from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.constant import ConstantOp, ConstantValue
from autodeploy.dialects.nn.control_flow import ForOp, IfOp
from autodeploy.dialects.nn.kernel import YieldOp
from autodeploy.dialects.nn.library import LibraryCallOp
from autodeploy.dialects.nn.movement import (
    BroadcastOp,
    ReshapeOp,
    SliceOp,
    TransposeOp,
    identity_permutation,
)
from autodeploy.dialects.nn.quantised import DequantizeOp
from autodeploy.dialects.nn.types import (
    MAX_ELEMENTS,
    broadcast_shapes,
    element_of,
    is_addressable,
    shape_of,
    tensor,
)
from autodeploy.weights import Array, WeightStore, constant_value, numpy_dtype

LARGEST_FLOAT: dict[Attribute, float] = {
    f64: 1.7976931348623157e308,
    f32: 3.4028234663852886e38,
    f16: 65504.0,
    bf16: 3.3895313892515355e38,
}
"""The largest finite number of each floating-point type."""

FOLDED_CAST_ELEMENTS = 16
"""The most elements of a constant whose cast is done at once: that costs no storage."""


NewOp = NNOp | ConstantOp | LibraryCallOp | ForOp | IfOp
"""An op or a value that is put at the place of a conversion."""


class ConversionError(Exception):
    """Says why an op cannot be converted: lower-case start, no full stop."""


def check_size(what: str, type_: Attribute) -> None:
    """Raise ``ConversionError`` for a tensor of more elements than a kernel can address."""
    if not is_addressable(shape_of(type_)):
        raise ConversionError(
            f"{what} has shape {'x'.join(map(str, shape_of(type_)))}, "
            f"a kernel addresses at most {MAX_ELEMENTS} elements"
        )


def check_new_constant(elements: int, element_bytes: int) -> None:
    """Raise ``ConversionError`` if a conversion would make too large a constant."""
    if elements * element_bytes > MAX_BYTES:
        raise ConversionError(
            f"it needs a constant of {elements * element_bytes} bytes, but constants have "
            f"{MAX_BYTES} at most"
        )


class NnBuilder(ABC):
    """Puts nn ops at the place of the conversion, and reads the values of constants."""

    def __init__(self, ctx: Context):
        self.weights = WeightStore.of(ctx)

    @abstractmethod
    def insert(self, new: NewOp) -> None:
        """Put an op at the place of the conversion, with the location of the converted op."""

    def array(self, value: SSAValue) -> Array | None:
        """Return the data of a value that an ``nn.constant`` defines, ``None`` for any other.

        Codes that are constant define the numbers that they stand for.
        """
        if isinstance(value.owner, DequantizeOp):
            parts = [self.array(operand) for operand in value.owner.operands]
            known = [part for part in parts if part is not None]
            return evaluate(value.owner, known) if len(known) == len(parts) else None
        attribute = constant_value(value)
        return None if attribute is None else self.data(attribute)

    def data(self, attribute: ConstantValue) -> Array:
        """Return the data of a constant's attribute."""
        return self.weights.array(attribute)

    def emit(self, new: NNOp) -> SSAValue:
        """Put an op before the one at hand and return its result.

        Raises ``ConversionError`` if that has more elements than a kernel can address.
        """
        check_size("the result", new.result.type)
        self.insert(new)
        return new.result

    def call(
        self,
        function: str,
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        parameters: Sequence[int] = (),
        *,
        checks: bool = False,
        rows: bool = False,
        strided: bool = False,
        sized: bool = False,
    ) -> Sequence[SSAValue]:
        """Call a function of the library before the op at hand and return its results."""
        for type_ in result_types:
            check_size("the result", type_)
        new = LibraryCallOp(
            function,
            inputs,
            result_types,
            parameters,
            checks=checks,
            rows=rows,
            strided=strided,
            sized=sized,
        )
        self.insert(new)
        return new.results

    def choose(self, given: SSAValue, allowed: Sequence[Sequence[int]]) -> SSAValue:
        """Return which of several lists holds the same integers.

        The program ends with an error where none does.
        """
        rows = self.make_constant(np.array(allowed, np.int64).reshape(len(allowed), -1))
        number = tensor(i64, ())
        return self.call("choose", [self.cast(given, i64), rows], [number], checks=True)[0]

    def make_constant(self, array: npt.ArrayLike) -> SSAValue:
        """Make an ``nn.constant`` of an array."""
        return self.make_constant_value(self.weights.attribute(array))

    def first_elements(self, array: Array, shape: Sequence[int]) -> SSAValue:
        """Make a constant of an array of the largest extents; a run has the first ones of each."""
        return self.slice(
            self.make_constant(array), {axis: Span(0, extent) for axis, extent in enumerate(shape)}
        )

    def places(
        self, extent: int, shape: Sequence[int] | None = None, dtype: npt.DTypeLike = np.int64
    ) -> SSAValue:
        """Make the numbers from 0 on, as many as an extent, in a shape; a list without one."""
        most = largest_of(extent)
        check_new_constant(most, 8)
        numbers = np.arange(most, dtype=dtype)
        shape = (extent,) if shape is None else shape
        if isinstance(extent, Extent):
            return self.reshape(self.first_elements(numbers, (extent,)), shape)
        return self.make_constant(numbers.reshape(shape))

    def make_constant_value(self, value: ConstantValue) -> SSAValue:
        """Make an ``nn.constant`` of an attribute."""
        new = ConstantOp(value)
        self.insert(new)
        return new.result

    def scalar(self, number: float, element: Attribute) -> SSAValue:
        """Make a constant of rank 0, which broadcasts to any shape.

        Raises ``ConversionError`` for an integer that the elements cannot hold.
        """
        if isinstance(number, Extent):
            return self.cast(self.number_of_run(number), element)
        try:
            return self.make_constant(np.array(number, numpy_dtype(element)))
        except OverflowError:
            raise ConversionError(f"{number} does not fit into {element}") from None

    def number_of_run(self, extent: int) -> SSAValue:
        """Return an extent as a 64-bit integer; a conversion whose runs know numbers computes it.

        Raises ``Undecided`` if no run does.
        """
        return self.make_constant(np.array(int(extent), np.int64))

    def cast(self, x: SSAValue, element: Attribute) -> SSAValue:
        """Convert the elements of ``x``; a small constant is converted at once."""
        if element_of(x.type) == element:
            return x
        array = self.array(x)
        if array is not None and array.size <= FOLDED_CAST_ELEMENTS:
            return self.make_constant(array.astype(numpy_dtype(element)))
        return self.emit(CastOp(x, element))

    def in_32_bits(self, x: SSAValue) -> SSAValue:
        """Convert 16-bit floats to 32 bits: what several ops compute together is rounded once."""
        return self.cast(x, f32) if element_of(x.type) in (f16, bf16) else x

    def reshape(self, x: SSAValue, shape: Sequence[int]) -> SSAValue:
        """Give ``x`` another shape; ``x`` itself where it has that shape.

        Raises ``ConversionError`` if the shape has another number of elements.
        """
        source = shape_of(x.type)
        if are_same(source, shape):
            return x
        if prod(source) != prod(shape):
            raise ConversionError(f"{x.type} does not reshape to {list(shape)}")
        return self.emit(ReshapeOp(x, shape))

    def transpose(self, x: SSAValue, permutation: Sequence[int]) -> SSAValue:
        """Permute the axes of ``x``; ``x`` itself where the permutation is the identity."""
        if identity_permutation(permutation) and len(permutation) == len(shape_of(x.type)):
            return x
        return self.emit(TransposeOp(x, permutation))

    def broadcast(self, x: SSAValue, shape: Sequence[int]) -> SSAValue:
        """Repeat ``x`` to the shape to which it and ``shape`` broadcast."""
        wide = broadcast_shapes(shape_of(x.type), shape)
        return x if are_same(shape_of(x.type), wide) else self.emit(BroadcastOp(x, wide))

    def slice(self, x: SSAValue, given: Mapping[int, range | Span]) -> SSAValue:
        """Take the elements of ``x`` at a range of positions along some of its axes."""
        whole = [Span(0, extent) for extent in shape_of(x.type)]
        spans = [Span.of(given.get(axis, all_of)) for axis, all_of in enumerate(whole)]
        if all(map(are_same, spans, whole)):
            return x
        starts, sizes, steps = zip(*spans, strict=True)
        return self.emit(SliceOp(x, starts, sizes, steps))


class Span(NamedTuple):
    """``size`` positions along an axis from ``start`` on, ``step`` apart."""

    start: int
    size: int
    step: int = 1

    @staticmethod
    def of(positions: range | Span) -> Span:
        """Return the span of a range."""
        if isinstance(positions, Span):
            return positions
        size = len(positions)
        return Span(positions.start if size else 0, size, positions.step if size > 1 else 1)

    @staticmethod
    def cut(extent: int, start: int, stop: int, step: int) -> Span:
        """Return the positions that a slice of an axis takes; its bounds are Python's."""

        def taken(extent: int, start: int, stop: int) -> Span:
            return Span.of(range(extent)[start:stop:step])

        size = each(lambda n, i, j: taken(n, i, j).size, extent, start, stop)
        first = each(lambda n, i, j: taken(n, i, j).start, extent, start, stop)
        return Span(first, size, step if isinstance(size, Extent) or size > 1 else 1)


def axis_of(axis: int, rank: int) -> int:
    """Return an axis counted from the front; an error where it is out of range."""
    if not -rank <= axis < rank:
        raise ConversionError(f"axis {axis} is outside of rank {rank}")
    return axis % rank


def axes_of(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return axes counted from the front; an error for one out of range or repeated."""
    found = tuple(axis_of(axis, rank) for axis in axes)
    if len(set(found)) < len(found):
        raise ConversionError(f"axes {list(axes)} name one axis twice")
    return found


def check_count(name: str, values: Sequence[int], expected: int) -> None:
    """Raise ``ConversionError`` unless ``values`` has ``expected`` entries."""
    if len(values) != expected:
        raise ConversionError(f"'{name}' must have {expected} entries, found {list(values)}")


class BuilderBefore(NnBuilder):
    """Inserts ops before one, with its location."""

    def __init__(self, ctx: Context, op: Operation):
        super().__init__(ctx)
        self._op = op

    def insert(self, new: NewOp) -> None:
        """Insert an op."""
        new.location = self._op.location
        Rewriter.insert_op(new, InsertPoint.before(self._op))


class RegionBuilder(NnBuilder):
    """Puts nn ops at the end of a block, the region of a loop or a choice.

    The first arguments of the block have ``types``; the others are what is ``captured``.
    """

    def __init__(self, weights: WeightStore, types: Sequence[Attribute]):
        self.weights = weights
        self.block = Block(arg_types=types)
        self.captured: list[SSAValue] = []
        self._known: dict[SSAValue, SSAValue] = {}

    def insert(self, new: NewOp) -> None:
        """Put an op at the end of the block."""
        self.block.add_op(new)

    def read(self, value: SSAValue) -> SSAValue:
        """Return what a value from around the region is in it: an argument, or a constant."""
        if value not in self._known:
            constant = constant_value(value)
            if constant is None:
                self.captured.append(value)
                argument = self.block.insert_arg(value.type, len(self.block.args))
                argument.name_hint = value.name_hint
                self._known[value] = argument
            else:
                self._known[value] = self.make_constant_value(constant)
        return self._known[value]

    def hand_out(self, values: Sequence[SSAValue]) -> None:
        """End the region with these results."""
        self.block.add_op(YieldOp(values))
