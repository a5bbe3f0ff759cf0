"""The numbers of open extents for which a program is one of several."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import OpenRange
from autodeploy.dialects.nn.extent_attr import parse_range_list, print_range_list

PART_ATTRIBUTE = "driver.part"
"""Attribute of a module: the part that its program is for."""


@irdl_attr_definition
class PartAttr(Data[tuple[OpenRange, ...]]):
    """Numbers of a run by their names: ``#driver.part<"height", 7 to 7 by 32, "width", 5 to 16>``.

    All numbers that a run of the bundle is given are listed here, in order, also those that are
    constants of this program: their range has one number. A range is as in ``#nn.open_extent``.
    """

    name = "driver.part"

    @property
    def ranges(self) -> tuple[OpenRange, ...]:
        """Return the ranges of the numbers, in the order in which they are told."""
        return self.data

    @property
    def open_ranges(self) -> tuple[OpenRange, ...]:
        """Return those ranges that have several numbers, which stay open in the program."""
        return tuple(range_ for range_ in self.ranges if range_.least < range_.most)

    @property
    def places(self) -> tuple[int, ...]:
        """Return the place among all numbers of each that stays open."""
        return tuple(
            place for place, range_ in enumerate(self.ranges) if range_.least < range_.most
        )

    def verify(self) -> None:
        """Check the constraints.

        - (part_c1) a range has numbers of 0 or more, and a step above 0
        - (part_c2) names of numbers differ, and there are some
        """
        for range_ in self.ranges:
            if not 0 <= range_.least <= range_.most or range_.step < 1:
                raise invalid(
                    "part_c1",
                    "a part has a range of numbers that are not negative, found "
                    f"{range_.least} to {range_.most} by {range_.step}",
                )
        if not self.ranges or len({r.label for r in self.ranges}) != len(self.ranges):
            names = ", ".join(f"'{range_.label}'" for range_ in self.ranges)
            raise invalid("part_c2", f"names of numbers differ, found {names}")

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[OpenRange, ...]:
        """Parse ``<"name", least to most by step, …>``; a step of 1 is left out."""
        with parser.in_angle_brackets():
            return parse_range_list(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_range_list(printer, self.ranges)


def find_part(attributes: Mapping[str, Attribute]) -> PartAttr | None:
    """Return the part that the attributes of a module name, if any."""
    found = attributes.get(PART_ATTRIBUTE)
    return found if isinstance(found, PartAttr) else None
