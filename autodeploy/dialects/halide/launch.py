"""``#halide.launch``: one start of a kernel of a device, as a row of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntAttr, IntegerType, StringAttr, i64
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.start_numbers import StartNumber, extents_of

AXES = 3
"""A grid of blocks, and a block of threads, have three axes."""

_T = TypeVar("_T")

_Numbers: TypeAlias = ArrayAttr[IntAttr | StringAttr]


@irdl_attr_definition
class LaunchAttr(ParametrizedAttribute):
    """A launch: ``#halide.launch<"conv_0", grid = [2, 4, 7], block = [16, 4, 1], args = [1, 0]>``.

    ``grid`` counts blocks, ``block`` threads of each of them, innermost axis first; ``shared`` is
    the bytes of memory that the threads of a block share. ``args`` are the buffers of the pipeline
    in the order of the entry's parameters, inputs first; numbers after those of the buffers are the
    arrays of the pipeline. If the pipeline has open extents, a count of blocks may be an expression
    of them in quotes, such as ``"(extent(1, 0) + 63) / 64"`` of dimension 0 of buffer 1. An
    argument may be an expression, too. The kernel takes it as an integer of 32 bits, or as the type
    of a comparison, of ``int64(…)`` or of ``float32(…)``.

    Constraints:

    - (launch_c1) a grid and a block have three axes, each of 1 or more
    - (launch_c2) shared bytes and arguments are not negative
    - (launch_c3) an expression has integers, extents, their sums, products and quotients,
      comparisons, ``min``, ``max`` and ``select``
    """

    name = "halide.launch"

    entry: StringAttr
    grid: _Numbers
    block: DenseArrayBase[IntegerType]
    shared: IntAttr
    args: _Numbers

    def __init__(
        self,
        entry: str,
        grid: Sequence[StartNumber],
        block: Sequence[int],
        shared: int,
        args: Sequence[StartNumber],
    ):
        threads = DenseArrayBase.from_list(i64, list(block))
        super().__init__(StringAttr(entry), _array(grid), threads, IntAttr(shared), _array(args))

    @property
    def blocks(self) -> tuple[StartNumber, ...]:
        """Return the count of blocks along each axis."""
        return tuple(number.data for number in self.grid)

    @property
    def threads(self) -> tuple[int, ...]:
        """Return the count of threads of a block along each axis."""
        return tuple(map(int, self.block.get_values()))

    @property
    def arguments(self) -> tuple[StartNumber, ...]:
        """Return the arguments of the entry."""
        return tuple(number.data for number in self.args)

    def verify(self) -> None:
        """Check the constraints."""
        for axes in (self.blocks, self.threads):
            if len(axes) != AXES or min(_constants(axes), default=1) < 1:
                raise invalid("launch_c1", f"three axes of 1 or more, found {list(axes)}")
        if min(self.shared.data, *_constants(self.arguments), 0) < 0:
            raise invalid("launch_c2", "shared bytes and arguments are not negative")
        for number in (*self.blocks, *self.arguments):
            try:
                if isinstance(number, str):
                    extents_of(number)
            except ValueError as error:
                raise invalid("launch_c3", str(error)) from None

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<"entry", grid = […], block = […], shared = 0, args = […]>``."""
        with parser.in_angle_brackets():
            entry = parser.parse_str_literal()
            grid = _parse_list(parser, "grid", _parse_number)
            block = _parse_list(parser, "block", _parse_integer)
            _parse_name(parser, "shared")
            shared = parser.parse_integer(allow_boolean=False)
            args = _parse_list(parser, "args", _parse_number)
        return LaunchAttr(entry, grid, block, shared, args).parameters

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.entry.data)
            printer.print_string(f", grid = {_text(self.blocks)}, block = {_text(self.threads)}")
            printer.print_string(f", shared = {self.shared.data}, args = {_text(self.arguments)}")


def _array(numbers: Sequence[StartNumber]) -> _Numbers:
    return ArrayAttr(IntAttr(n) if isinstance(n, int) else StringAttr(n) for n in numbers)


def _constants(numbers: Sequence[StartNumber]) -> list[int]:
    return [number for number in numbers if isinstance(number, int)]


def _text(numbers: Sequence[StartNumber]) -> str:
    texts = [str(n) if isinstance(n, int) else f'"{n}"' for n in numbers]
    return f"[{', '.join(texts)}]"


def _parse_name(parser: AttrParser, name: str) -> None:
    parser.parse_punctuation(",")
    parser.parse_keyword(name)
    parser.parse_punctuation("=")


def _parse_list(parser: AttrParser, name: str, parse: Callable[[AttrParser], _T]) -> list[_T]:
    _parse_name(parser, name)
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse(parser))


def _parse_integer(parser: AttrParser) -> int:
    return parser.parse_integer(allow_boolean=False)


def _parse_number(parser: AttrParser) -> StartNumber:
    text = parser.parse_optional_str_literal()
    return _parse_integer(parser) if text is None else text
