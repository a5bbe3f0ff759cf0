"""What a converter reads from an onnx op and what it builds nn ops with."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import bf16, f16, f32, f64
from xdsl.ir import Attribute, Block, SSAValue

from autodeploy.analysis.folding_budget import MAX_BYTES
from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.constant import ConstantOp, ConstantValue
from autodeploy.dialects.nn.movement import (
    BroadcastOp,
    ReshapeOp,
    SliceOp,
    TransposeOp,
    identity_permutation,
)
from autodeploy.dialects.nn.types import (
    MAX_ELEMENTS,
    broadcast_shapes,
    element_of,
    is_addressable,
    shape_of,
)
from autodeploy.dialects.onnx import OnnxOp, Setting
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
    """Raise ``ConversionError`` where a conversion would make too large a constant."""
    if elements * element_bytes > MAX_BYTES:
        raise ConversionError(
            f"it needs a constant of {elements * element_bytes} bytes, but constants have "
            f"{MAX_BYTES} at most"
        )


class NotConstantError(ConversionError):
    """An input that must be a constant is none; ``value`` is what it is."""

    def __init__(self, name: str, value: SSAValue):
        owner = value.owner
        source = "an argument" if isinstance(owner, Block) else f"a result of {owner.name}"
        super().__init__(f"input '{name}' must be a constant, found {source}")
        self.value = value


class ConversionContext:
    """Reads the op at hand and puts nn ops before it, with its location.

    The operands of an op are nn values by the time that its converter runs: ops are converted in
    the order of the program.
    """

    def __init__(self, ctx: Context):
        self._weights = WeightStore.of(ctx)
        self._op: OnnxOp | None = None

    def start(self, op: OnnxOp) -> None:
        """Put what follows before ``op``."""
        self._op = op

    # Reading

    def operand(self, op: OnnxOp, name: str) -> SSAValue:
        """Return the input that the schema calls ``name``; an error where it is left out."""
        value = op.input_named(name)
        if value is None:
            raise ConversionError(f"input '{name}' is left out")
        return value

    def setting(self, op: OnnxOp, name: str) -> Setting | None:
        """Return an attribute or its default; ``None`` where this version has no such attribute."""
        return op.setting(name) if name in op.schema.attributes else None

    def integer(self, op: OnnxOp, name: str, default: int | None = None) -> int:
        """Return an INT attribute: the op's, else the schema's default, else ``default``."""
        value = self.setting(op, name)
        value = default if value is None else value
        if not isinstance(value, int):
            raise ConversionError(f"attribute '{name}' must be an integer, found {value}")
        return value

    def integers(self, op: OnnxOp, name: str, default: Sequence[int] = ()) -> tuple[int, ...]:
        """Return an INTS attribute: the op's, else the schema's default, else ``default``."""
        value = self.setting(op, name)
        value = tuple(default) if value is None else value
        if not isinstance(value, tuple):
            raise ConversionError(f"attribute '{name}' must be a list of integers, found {value}")
        return tuple(item for item in value if isinstance(item, int))

    def number(self, op: OnnxOp, name: str) -> float:
        """Return a FLOAT attribute or the schema's default."""
        value = self.setting(op, name)
        if not isinstance(value, int | float):
            raise ConversionError(f"attribute '{name}' must be a number, found {value}")
        return float(value)

    def text(self, op: OnnxOp, name: str, default: str) -> str:
        """Return a STRING attribute: the op's, else the schema's default, else ``default``."""
        value = self.setting(op, name)
        return value if isinstance(value, str) else default

    def array(self, value: SSAValue) -> Array | None:
        """Return the data of a value that an ``nn.constant`` defines, ``None`` for any other."""
        attribute = constant_value(value)
        return None if attribute is None else self.data(attribute)

    def data(self, attribute: ConstantValue) -> Array:
        """Return the data of a constant's attribute."""
        return self._weights.array(attribute)

    def constant(self, op: OnnxOp, name: str) -> Array:
        """Return the data of an input; raises ``NotConstantError`` where it is no constant."""
        value = self.operand(op, name)
        array = self.array(value)
        if array is None:
            raise NotConstantError(name, value)
        return array

    def constant_integers(self, op: OnnxOp, name: str) -> tuple[int, ...] | None:
        """Return the elements of a constant integer input, ``None`` where it is left out.

        Raises ``ConversionError`` where the input is no constant.
        """
        if op.input_named(name) is None:
            return None
        return tuple(int(item) for item in self.constant(op, name).reshape(-1))

    def constant_integer(self, op: OnnxOp, name: str) -> int:
        """Return the one element of a constant input, as an integer."""
        values = self.constant(op, name).reshape(-1)
        if values.size != 1:
            raise ConversionError(f"input '{name}' must have one element, found {values.size}")
        return int(values[0])

    def integers_or_input(self, op: OnnxOp, name: str) -> tuple[int, ...] | None:
        """Return what is an INTS attribute in old versions of an operator and an input in new ones.

        ``None`` where it is left out; raises ``ConversionError`` for an input that is no constant.
        """
        if name in op.schema.attributes:
            return None if op.setting(name) is None else self.integers(op, name)
        return self.constant_integers(op, name)

    # Building

    def emit(self, new: NNOp) -> SSAValue:
        """Put an op before the one at hand and return its result.

        Raises ``ConversionError`` where that has more elements than a kernel can address.
        """
        check_size("the result", new.result.type)
        self._insert(new)
        return new.result

    def make_constant(self, array: npt.ArrayLike) -> SSAValue:
        """Make an ``nn.constant`` of an array."""
        return self.make_constant_value(self._weights.attribute(array))

    def make_constant_value(self, value: ConstantValue) -> SSAValue:
        """Make an ``nn.constant`` of an attribute."""
        new = ConstantOp(value)
        self._insert(new)
        return new.result

    def scalar(self, number: float, element: Attribute) -> SSAValue:
        """Make a constant of rank 0, which broadcasts to any shape.

        Raises ``ConversionError`` for an integer that the elements cannot hold.
        """
        try:
            return self.make_constant(np.array(number, numpy_dtype(element)))
        except OverflowError:
            raise ConversionError(f"{number} does not fit into {element}") from None

    def cast(self, x: SSAValue, element: Attribute) -> SSAValue:
        """Convert the elements of ``x``; a small constant is converted at once."""
        if element_of(x.type) == element:
            return x
        array = self.array(x)
        if array is not None and array.size <= FOLDED_CAST_ELEMENTS:
            return self.make_constant(array.astype(numpy_dtype(element)))
        return self.emit(CastOp(x, element))

    def reshape(self, x: SSAValue, shape: Sequence[int]) -> SSAValue:
        """Give ``x`` another shape; ``x`` itself where it has that shape.

        Raises ``ConversionError`` where the shape has another number of elements.
        """
        source = shape_of(x.type)
        if source == tuple(shape):
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
        return x if shape_of(x.type) == wide else self.emit(BroadcastOp(x, wide))

    def slice(self, x: SSAValue, ranges: Sequence[range]) -> SSAValue:
        """Take the elements of ``x`` at a range of positions along each axis."""
        extents = shape_of(x.type)
        if list(ranges) == [range(extent) for extent in extents]:
            return x
        return self.emit(
            SliceOp(
                x,
                starts=[r.start if len(r) else 0 for r in ranges],
                sizes=[len(r) for r in ranges],
                steps=[r.step if len(r) > 1 else 1 for r in ranges],
            )
        )

    def _insert(self, new: NNOp | ConstantOp) -> None:
        if self._op is None or (block := self._op.parent_block()) is None:
            raise ValueError("an nn op is built before any onnx op was started")
        new.location = self._op.location
        block.insert_op_before(new, self._op)


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
