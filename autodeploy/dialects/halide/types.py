"""Types of the halide dialect, buffers and funcs, and attributes of schedules.

Dimensions are in Halide's order: dimension 0 is the innermost one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import auto

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.types import ELEMENT_BYTES

_AXIS_NAMES = ("x", "y", "z", "w", "u", "v")


def axis_names(rank: int) -> tuple[str, ...]:
    """Return names of variables, innermost first, for a func that has none of its own.

    From the seventh on they are ``d6``, ``d7``, …
    """
    return (*_AXIS_NAMES[:rank], *(f"d{axis}" for axis in range(len(_AXIS_NAMES), rank)))


def dense_strides(extents: Sequence[int]) -> tuple[int, ...]:
    """Return the strides, in elements, of a dense buffer with these extents."""
    strides: list[int] = []
    step = 1
    for extent in extents:
        strides.append(step)
        step *= extent
    return tuple(strides)


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute):
    """A ``halide_buffer_t`` of known extents and strides: ``!halide.buffer<f32, [8, 28, 28]>``.

    Strides count elements and are printed only where the buffer is not dense.
    """

    name = "halide.buffer"

    element: Attribute
    extents_attr: DenseArrayBase[IntegerType]
    strides_attr: DenseArrayBase[IntegerType]

    def __init__(
        self, element: Attribute, extents: Sequence[int], strides: Sequence[int] | None = None
    ):
        chosen = dense_strides(extents) if strides is None else strides
        super().__init__(
            element,
            DenseArrayBase.from_list(i64, list(extents)),
            DenseArrayBase.from_list(i64, list(chosen)),
        )

    @property
    def extents(self) -> tuple[int, ...]:
        """Return the number of elements along each dimension, innermost first."""
        return tuple(self.extents_attr.get_values())

    @property
    def strides(self) -> tuple[int, ...]:
        """Return the distance in elements along each dimension, innermost first."""
        return tuple(self.strides_attr.get_values())

    def verify(self) -> None:
        """Check the constraints.

        - (buffer_c1) elements have a type that Halide computes with
        - (buffer_c2) there is a stride for each extent
        - (buffer_c3) extents are not negative
        """
        if self.element not in ELEMENT_BYTES:
            raise invalid("buffer_c1", f"halide.buffer holds no elements of type {self.element}")
        if len(self.extents) != len(self.strides):
            raise invalid(
                "buffer_c2", f"{len(self.extents)} extents but {len(self.strides)} strides"
            )
        if any(extent < 0 for extent in self.extents):
            raise invalid("buffer_c3", f"extents are not negative, found {list(self.extents)}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<f32, [extents]>`` or ``<f32, [extents], [strides]>``."""

        def numbers() -> list[int]:
            return parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parser.parse_integer()
            )

        with parser.in_angle_brackets():
            element = parser.parse_type()
            parser.parse_punctuation(",")
            extents = numbers()
            strides = (
                numbers()
                if parser.parse_optional_punctuation(",") is not None
                else dense_strides(extents)
            )
            return [
                element,
                DenseArrayBase.from_list(i64, extents),
                DenseArrayBase.from_list(i64, list(strides)),
            ]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.element)
            printer.print_string(f", {list(self.extents)}")
            if self.strides != dense_strides(self.extents):
                printer.print_string(f", {list(self.strides)}")


def buffer_type(value: SSAValue) -> BufferType:
    """Return the type of a value that is a buffer."""
    assert isinstance(value.type, BufferType)
    return value.type


@irdl_attr_definition
class FuncType(ParametrizedAttribute, TypeAttribute):
    """A Halide func of values of one type, here of three dimensions: ``!halide.func<f32, 3>``."""

    name = "halide.func"

    element: Attribute
    rank_attr: IntegerAttr

    def __init__(self, element: Attribute, rank: int):
        super().__init__(element, IntegerAttr(rank, i64))

    @property
    def rank(self) -> int:
        """Return the number of dimensions."""
        return self.rank_attr.value.data

    def verify(self) -> None:
        """Check (func_type_c1) that values have a type that Halide computes with."""
        if self.element not in ELEMENT_BYTES:
            raise invalid("func_type_c1", f"a halide.func has no values of type {self.element}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<element, rank>``."""
        with parser.in_angle_brackets():
            element = parser.parse_type()
            parser.parse_punctuation(",")
            return [element, IntegerAttr(parser.parse_integer(allow_negative=False), i64)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.element)
            printer.print_string(f", {self.rank}")


def steps_before(type_: BufferType, first: int) -> tuple[int, ...]:
    """Return how many steps of each dimension, innermost first, lead to element ``first``.

    A kernel that is given the whole block finds its elements after these coordinates, so that no
    other address than that of the block must be aligned. Raises ``ValueError`` if the strides do
    not lead there.
    """
    strides = type_.strides
    positive = sorted(
        (d for d, stride in enumerate(strides) if stride > 0), key=lambda d: -strides[d]
    )
    # The least stride alone may lead where a larger one overshoots.
    for dimensions in (positive, positive[-1:]):
        steps, rest = [0] * len(strides), first
        for dimension in dimensions:
            steps[dimension], rest = divmod(rest, strides[dimension])
        if rest == 0:
            return tuple(steps)
    raise ValueError(f"no strides of {type_} lead to element {first}")


class Tail(StrEnum):
    """The tail of a split whose factor does not divide the extent (Halide's TailStrategy)."""

    AUTO = auto()
    ROUND_UP = auto()
    GUARD_WITH_IF = auto()
    SHIFT_INWARDS = auto()
    PREDICATE = auto()


@irdl_attr_definition
class TailAttr(EnumAttribute[Tail], SpacedOpaqueSyntaxAttribute):
    """Tail strategy of a split: ``#halide<tail shift_inwards>``."""

    name = "halide.tail"


class Memory(StrEnum):
    """The memory of a func's values (Halide's MemoryType)."""

    HEAP = auto()
    STACK = auto()
    REGISTER = auto()
    AMX_TILE = auto()
    GPU_SHARED = auto()


@irdl_attr_definition
class MemoryAttr(EnumAttribute[Memory], SpacedOpaqueSyntaxAttribute):
    """Storage of a func: ``#halide<memory stack>``."""

    name = "halide.memory"
