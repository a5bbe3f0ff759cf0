"""``#halide.launch``: one start of a kernel of a device, as a row of constants."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntAttr, IntegerType, StringAttr, i64
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from autodeploy.dialects.constraints import invalid

AXES = 3
"""A grid of blocks, and a block of threads, have three axes."""


@irdl_attr_definition
class LaunchAttr(ParametrizedAttribute):
    """A launch: ``#halide.launch<"conv_0", grid = [2, 4, 7], block = [16, 4, 1], args = [1, 0]>``.

    ``grid`` counts blocks, ``block`` threads of each of them, innermost axis first; ``shared`` is
    the bytes of memory that the threads of a block share. ``args`` are the buffers of the pipeline
    in the order of the entry's parameters, inputs first; numbers after those of the buffers are the
    arrays of the pipeline.

    Constraints:

    - (launch_c1) a grid and a block have three axes, each of 1 or more
    - (launch_c2) shared bytes and arguments are not negative
    """

    name = "halide.launch"

    entry: StringAttr
    grid: DenseArrayBase[IntegerType]
    block: DenseArrayBase[IntegerType]
    shared: IntAttr
    args: DenseArrayBase[IntegerType]

    def __init__(
        self,
        entry: str,
        grid: Sequence[int],
        block: Sequence[int],
        shared: int,
        args: Sequence[int],
    ):
        numbers = (DenseArrayBase.from_list(i64, list(values)) for values in (grid, block, args))
        first, second, third = numbers
        super().__init__(StringAttr(entry), first, second, IntAttr(shared), third)

    @property
    def threads(self) -> int:
        """Return the number of threads of a block."""
        x, y, z = self.axes(self.block)
        return x * y * z

    @staticmethod
    def axes(numbers: DenseArrayBase[IntegerType]) -> tuple[int, ...]:
        """Return the numbers of ``grid``, ``block`` or ``args``."""
        return tuple(map(int, numbers.get_values()))

    def verify(self) -> None:
        """Check the constraints."""
        for numbers in (self.grid, self.block):
            axes = self.axes(numbers)
            if len(axes) != AXES or min(axes) < 1:
                raise invalid("launch_c1", f"three axes of 1 or more, found {list(axes)}")
        if min(self.shared.data, *self.axes(self.args), 0) < 0:
            raise invalid("launch_c2", "shared bytes and arguments are not negative")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<"entry", grid = […], block = […], shared = 0, args = […]>``."""
        with parser.in_angle_brackets():
            entry = parser.parse_str_literal()
            lists = [_parse_list(parser, name) for name in ("grid", "block")]
            _parse_name(parser, "shared")
            shared = parser.parse_integer(allow_boolean=False)
            args = _parse_list(parser, "args")
        return LaunchAttr(entry, lists[0], lists[1], shared, args).parameters

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.entry.data)
            for name, numbers in (("grid", self.grid), ("block", self.block)):
                printer.print_string(f", {name} = {list(self.axes(numbers))}")
            printer.print_string(f", shared = {self.shared.data}")
            printer.print_string(f", args = {list(self.axes(self.args))}")


def _parse_name(parser: AttrParser, name: str) -> None:
    parser.parse_punctuation(",")
    parser.parse_keyword(name)
    parser.parse_punctuation("=")


def _parse_list(parser: AttrParser, name: str) -> list[int]:
    _parse_name(parser, name)
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
    )
