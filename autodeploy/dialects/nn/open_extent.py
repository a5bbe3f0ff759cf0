"""Open extents: a number that only a run of the program knows, within a range.

All types have the largest number, so that memory, strides and packed weights are constants. Beside
them stands which axes are open: an axis has a coefficient c where its extent is c times the number,
and 0 where it is a constant. Where an extent is no multiple of the number, an affine map has all
axes. The elements of a run are the first ones along each open axis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import BaseAttr, irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from autodeploy.dialects.constraints import broken
from autodeploy.dialects.nn.base import i64_attr, ints
from autodeploy.dialects.nn.growth import CONSTANT, Growth

EXTENT_ATTRIBUTE = "nn.open_extent"
"""Attribute of a module: the open extent that its function has."""

AXES_ATTRIBUTE = "nn.open"
"""Attribute of an argument or a result of the function: how each axis grows."""

SHAPE_ATTRIBUTE = "nn.shape_of"
"""Attribute of a result that holds the extents of another one, which depend on values: which one,
then the axes that they do so along. Such results are the last ones."""

MOST = 1 << 16
"""The largest number that an open extent may have."""

Axes: TypeAlias = tuple[Growth, ...]
"""How the extent of each axis of a tensor grows with the number, outermost first."""

AxesAttr: TypeAlias = DenseArrayBase[I64] | AffineMapAttr
"""The axes of a tensor: a coefficient each, or a map of the number to the extents, 0 of others."""

AxesList: TypeAlias = ArrayAttr[AxesAttr]
"""The axes of several tensors."""

AXES = DenseArrayBase.constr(i64) | BaseAttr(AffineMapAttr)
"""The constraint of a property that has the axes of a tensor."""


def outermost_axis(shape: Sequence[int]) -> int:
    """Return the outermost axis of several elements; 0 where there is none.

    Where it is the open one, the elements of a run are the first ones in memory.
    """
    return next((axis for axis, extent in enumerate(shape) if extent != 1), 0)


@irdl_attr_definition
class OpenExtentAttr(ParametrizedAttribute):
    """A number of a run by its name, and its range: ``#nn.open_extent<"batch", 1 to 32>``.

    With ``by 8`` behind the range, the number that a run is given is 8 times one of the range, and
    coefficients count the eighths: of an extent of 64 to 1280 in steps of 8 the range is 8 to 160.
    """

    name = "nn.open_extent"

    label: StringAttr
    least_attr: IntegerAttr
    most_attr: IntegerAttr
    step_attr: IntegerAttr

    def __init__(self, label: str, least: int, most: int, step: int = 1):
        super().__init__(StringAttr(label), i64_attr(least), i64_attr(most), i64_attr(step))

    @property
    def least(self) -> int:
        """Return the smallest number."""
        return self.least_attr.value.data

    @property
    def most(self) -> int:
        """Return the largest number, which types have."""
        return self.most_attr.value.data

    @property
    def step(self) -> int:
        """Return how much the number that a run is given grows by one of the range."""
        return self.step_attr.value.data

    def number(self, count: int) -> int:
        """Return the number that a run is given for a count of steps."""
        return count * self.step

    def verify(self) -> None:
        """Check the constraints.

        - (open_extent_c1) the range has several numbers, all above 0
        - (open_extent_c2) the step is above 0
        - (open_extent_c3) coefficients of axes are not negative, and an affine map adds to the
          number, multiplies and divides it by constants, and rounds down before it multiplies
        """
        if not 1 <= self.least < self.most:
            raise broken(
                "open_extent_c1",
                f"an open extent has a range of several positive numbers, found {self.least} to "
                f"{self.most}",
            )
        if self.step < 1:
            raise broken("open_extent_c2", f"a step is a positive number, found {self.step}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<"name", least to most by step>``; a step of 1 is left out."""
        with parser.in_angle_brackets():
            label = parser.parse_str_literal()
            parser.parse_punctuation(",")
            least = parser.parse_integer()
            parser.parse_keyword("to")
            most, step = parser.parse_integer(), 1
            if parser.parse_optional_keyword("by") is not None:
                step = parser.parse_integer()
            return [StringAttr(label), *map(i64_attr, (least, most, step))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.label.data)
            step = f" by {self.step}" if self.step != 1 else ""
            printer.print_string(f", {self.least} to {self.most}{step}")


def find_open_extent(attributes: Mapping[str, Attribute]) -> OpenExtentAttr | None:
    """Return the open extent that the attributes of a module name, if any."""
    found = attributes.get(EXTENT_ATTRIBUTE)
    return found if isinstance(found, OpenExtentAttr) else None


def axes_attr(axes: Axes) -> AxesAttr:
    """Return the axes of a tensor as an attribute."""
    if all(growth.is_proportional for growth in axes):
        return DenseArrayBase.from_list(i64, [growth.times for growth in axes])
    zero = AffineExpr.constant(0)
    return AffineMapAttr(
        AffineMap(1, 0, tuple(growth.expression if growth else zero for growth in axes))
    )


def axes_of(attribute: AxesAttr) -> Axes:
    """Return the axes of a tensor from an attribute; raises where it breaks open_extent_c3."""
    if not isinstance(attribute, AffineMapAttr):
        found: list[Growth | None] = [Growth(c) if c >= 0 else None for c in ints(attribute)]
    else:
        found = [Growth.from_expression(e) for e in attribute.data.results]
        if (attribute.data.num_dims, attribute.data.num_symbols) != (1, 0):
            found = [None]
    if None in found:
        raise broken("open_extent_c3", f"{attribute} has no extents that grow with the number")
    return tuple(growth or CONSTANT for growth in found)


def axes_list(axes: Sequence[Axes]) -> AxesList:
    """Return the axes of several tensors as an attribute."""
    return ArrayAttr(map(axes_attr, axes))


def listed_axes(attribute: AxesList | None) -> tuple[Axes, ...]:
    """Return the axes of several tensors, none where there is no attribute."""
    return () if attribute is None else tuple(map(axes_of, attribute))


def constant_axes(rank: int) -> Axes:
    """Return the axes of a tensor that has no open one."""
    return (CONSTANT,) * rank
