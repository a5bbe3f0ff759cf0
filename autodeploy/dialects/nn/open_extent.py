"""Open extents: a number that only a run of the program knows, within a range.

All types have the largest number, so that memory, strides and packed weights are constants. Beside
them stands which axes are open: an axis has a coefficient c where its extent is c times the number,
and 0 where it is a constant. Where an extent is no multiple of the number, an affine map has all
axes. Where an extent is the product of several of these, a map for each factor has all axes. The
elements of a run are the first ones along each open axis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import TypeAlias

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    i64,
)
from xdsl.ir import Attribute, Data, ParametrizedAttribute
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import BaseAttr, irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from autodeploy.diagnostics import UserError
from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import Numbers
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.extent_attr import (
    Axes,
    parse_derived,
    parse_range_list,
    print_derived,
    print_range_list,
)
from autodeploy.dialects.open_range import Derived, OpenRange

EXTENT_ATTRIBUTE = "nn.open_extent"
"""Attribute of a module: the open extent that its function has."""

SHAPE_ATTRIBUTE = "nn.shape_of"
"""Attribute of a result that holds the extents of another one, which depend on values: which one,
then the axes that they do so along. Such results are the last ones."""

MOST = 1 << 16
"""The largest number that an open extent may have."""

Least: TypeAlias = Callable[[Growth], int]
"""What gives the least extent that grows so."""


@irdl_attr_definition
class ProductsAttr(ParametrizedAttribute):
    """Axes whose extents are products: ``#nn.products<[affine_map<…>, …]>`` has the factors.

    The first map has 0 of a constant extent, as a map alone has it; the others have 1 where there
    is no further factor.
    """

    name = "nn.products"

    maps: ArrayAttr[AffineMapAttr]


AxesAttr: TypeAlias = DenseArrayBase[I64] | AffineMapAttr | ProductsAttr
"""The axes of a tensor: a coefficient each, a map of the number to the extents, 0 of others, or
the maps of the factors."""

AxesList: TypeAlias = ArrayAttr[AxesAttr]
"""The axes of several tensors."""

AXES = DenseArrayBase.constr(i64) | BaseAttr(AffineMapAttr) | BaseAttr(ProductsAttr)
"""The constraint of a property that has the axes of a tensor."""


def outermost_axis(shape: Sequence[int]) -> int:
    """Return the outermost axis of several elements; 0 where there is none.

    Where it is the open one, the elements of a run are the first ones in memory.
    """
    return next((axis for axis, extent in enumerate(shape) if extent != 1), 0)


@irdl_attr_definition
class OpenExtentAttr(Data[Numbers]):
    """Numbers of a run by their names, and their ranges: ``#nn.open_extent<"batch", 1 to 32>``.

    With ``by 8`` after the range, the number that a run is given is 8 times one of the range, and
    coefficients count the eighths: of an extent of 64 to 1280 in steps of 8 the range is 8 to 160.

    After ``derived`` are further numbers, which follow from these: ``derived ([3] = [2, 2, 3])``
    is 2, 2 and 3 for the three numbers of the range. A table has an axis for each range, of 1 where
    it does not follow from that number; they are row-major.
    """

    name = "nn.open_extent"

    def __init__(self, numbers: Numbers | Sequence[OpenRange]):
        super().__init__(numbers if isinstance(numbers, Numbers) else Numbers(tuple(numbers)))

    @property
    def ranges(self) -> tuple[OpenRange, ...]:
        """Return the ranges of the numbers, in the order in which they are told."""
        return self.data.ranges

    def ranges_of(self, growth: Growth) -> list[OpenRange]:
        """Return the ranges of the numbers by which an extent grows; ``UserError`` if it has none.

        They are in the order of their places.
        """
        known = self.data.all_ranges
        for place in growth.places:
            if place >= len(known):
                raise UserError(f"an extent grows with number {place}, but there is {self}")
        return [known[place] for place in growth.places]

    def least(self, growth: Growth) -> int:
        """Return the extent that grows so for the smallest numbers."""
        self.ranges_of(growth)
        return growth.at([range_.least for range_ in self.data.all_ranges])

    def most(self, growth: Growth) -> int:
        """Return the extent that grows so for the largest numbers, which types have."""
        self.ranges_of(growth)
        return growth.at([range_.most for range_ in self.data.all_ranges])

    @property
    def grid(self) -> Numbers:
        """The numbers of the ranges, and those derived from them."""
        return self.data

    def numbers(self, counts: Sequence[int]) -> str:
        """Return the numbers that a run is given for counts of steps; several with names."""
        return self.grid.text(counts)

    @property
    def largest(self) -> str:
        """The largest numbers as text."""
        return self.numbers([range_.most for range_ in self.ranges])

    def text(self, growth: Growth) -> str:
        """Return an extent as an expression of the names of its numbers."""
        self.ranges_of(growth)
        known = self.data.all_ranges
        by_numbers = growth.by_numbers([range_.step for range_ in known])
        return by_numbers.text(lambda place: known[place].label or f"d{place}")

    def __str__(self) -> str:
        return ", ".join(f"'{range_.label}'" for range_ in self.ranges)

    def verify(self) -> None:
        """Check the constraints.

        - (open_extent_c1) a range has several numbers, none below 0
        - (open_extent_c2) a step is above 0
        - (open_extent_c3) coefficients of axes are not negative, and an affine map adds numbers
          and constants, multiplies and divides by constants, and rounds down before it multiplies
        - (open_extent_c4) names of numbers differ
        - (open_extent_c5) a derived number has a table over the grid, of several integers from 0 on
        """
        for range_ in self.ranges:
            if not 0 <= range_.least < range_.most:
                raise invalid(
                    "open_extent_c1",
                    "an open extent has a range of several numbers that are not negative, found "
                    f"{range_.least} to {range_.most}",
                )
            if range_.step < 1:
                raise invalid("open_extent_c2", f"a step is a positive number, found {range_.step}")
        if len({range_.label for range_ in self.ranges}) != len(self.ranges):
            raise invalid("open_extent_c4", f"names of open extents differ, found {self}")
        for number in self.data.derived:
            pairs = zip(number.shape, self.data.shape, strict=False)
            if (
                len(number.shape) != len(self.ranges)
                or any(own not in (1, count) for own, count in pairs)
                or not 0 <= number.least < number.most
            ):
                raise invalid(
                    "open_extent_c5",
                    f"a derived number of {number.least} to {number.most} has a table of "
                    f"{list(number.shape)} for {list(self.data.shape)} numbers",
                )

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Numbers:
        """Parse ``<"name", least to most by step, …>``; a step of 1 is left out."""
        with parser.in_angle_brackets():
            return Numbers(parse_range_list(parser), parse_derived(parser, _parse_table))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_range_list(printer, self.ranges)
            print_derived(printer, self.data.derived, partial(_print_table, printer))


def _parse_table(parser: AttrParser) -> Derived:
    shape = _parse_integers(parser)
    parser.parse_punctuation("=")
    values = _parse_integers(parser)
    if prod(shape) != len(values) or not values or max(map(abs, values)) >= 1 << 31:
        parser.raise_error(f"expected {prod(shape)} integers of 32 bits, found {len(values)}")
    return Derived.of(shape, values)


def _parse_integers(parser: AttrParser) -> list[int]:
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)


def _print_table(printer: Printer, number: Derived) -> None:
    printer.print_string(f"{list(number.shape)} = {number.table.reshape(-1).tolist()}")


def find_open_extent(attributes: Mapping[str, Attribute]) -> OpenExtentAttr | None:
    """Return the open extent that the attributes of a module name, if any."""
    found = attributes.get(EXTENT_ATTRIBUTE)
    return found if isinstance(found, OpenExtentAttr) else None


def axes_attr(axes: Axes) -> AxesAttr:
    """Return the axes of a tensor as an attribute."""
    if all(growth.is_proportional and not growth.place for growth in axes):
        return DenseArrayBase.from_list(i64, [growth.times for growth in axes])
    zero, one = AffineExpr.constant(0), AffineExpr.constant(1)
    last = max(place for growth in axes for place in growth.places)
    factors = [growth.factors for growth in axes]

    def factor(own: Sequence[Growth], number: int) -> AffineExpr:
        if number >= len(own):
            return one
        return own[number].expression if own[number] else zero

    maps = [
        AffineMapAttr(AffineMap(1 + last, 0, tuple(factor(own, number) for own in factors)))
        for number in range(max(map(len, factors)))
    ]
    return maps[0] if len(maps) == 1 else ProductsAttr(ArrayAttr(maps))


def axes_of(attribute: AxesAttr) -> Axes:
    """Return the axes of a tensor from an attribute; raises where it breaks open_extent_c3."""
    if isinstance(attribute, ProductsAttr):
        return _axes_of_products(attribute)
    if isinstance(attribute, AffineMapAttr):
        found = [Growth.from_expression(e) for e in attribute.data.results]
    else:
        found = [Growth(c) if c >= 0 else None for c in ints(attribute)]
    if None in found:
        raise invalid("open_extent_c3", f"{attribute} has no extents that grow with a number")
    return tuple(growth or CONSTANT for growth in found)


def _axes_of_products(attribute: ProductsAttr) -> Axes:
    """Return the axes whose factors maps have; raises where they break open_extent_c3."""
    first, *others = [entry.data.results for entry in attribute.maps] or [()]
    axes: list[Growth | None] = []
    for index, expression in enumerate(first):
        factors = [Growth.from_expression(expression)]
        for more in others:
            if len(more) != len(first):
                factors.append(None)
            elif more[index] != AffineExpr.constant(1):
                factors.append(Growth.from_expression(more[index]) or None)
        known = [factor for factor in factors if factor is not None]
        axes.append(Growth.product(known) if len(known) == len(factors) else None)
    if None in axes:
        raise invalid("open_extent_c3", f"{attribute} has no extents that grow with numbers")
    return tuple(growth or CONSTANT for growth in axes)


def axes_list(axes: Sequence[Axes]) -> AxesList:
    """Return the axes of several tensors as an attribute."""
    return ArrayAttr(map(axes_attr, axes))


def listed_axes(attribute: AxesList | None) -> tuple[Axes, ...]:
    """Return the axes of several tensors, none where there is no attribute."""
    return () if attribute is None else tuple(map(axes_of, attribute))


def constant_axes(rank: int) -> Axes:
    """Return the axes of a tensor that has no open one."""
    return (CONSTANT,) * rank


def volume(shape: Sequence[int], axes: Axes) -> tuple[int, Growth]:
    """Return how many elements axes have together: a constant, or else what grows."""
    constant = prod(n for n, growth in zip(shape, axes, strict=True) if not growth)
    growth = Growth.product([growth for growth in axes if growth])
    return (1, growth.scaled(constant)) if growth and constant else (constant, CONSTANT)
