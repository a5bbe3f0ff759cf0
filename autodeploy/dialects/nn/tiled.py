"""``#nn.tiled``: the order in which weights are stored, some of their axes maybe cut in tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from autodeploy.dialects.constraints import invalid


class Tiling(NamedTuple):
    """An axis that is cut in tiles of ``size``; ``extent`` where the last tile is not full.

    With ``groups`` a tile holds as many equal groups of elements, interleaved: the first element of
    each group, then the second of each. That goes with no ``extent``.
    """

    axis: int
    size: int
    extent: int | None = None
    groups: int = 1


@irdl_attr_definition
class TiledAttr(ParametrizedAttribute):
    """How weights are stored: ``#nn.tiled<[0, 2, 3, 1], 0 by 8>``.

    The list has the logical axes in the order in which they are stored, outermost first. With
    ``axis by size`` the number of a tile takes the place of that axis, and the place within the
    tile is a further axis, innermost. ``of extent`` says how many elements the axis really has
    where tiles have room for more. A tile may be stored wider than it is, filled up with zeros.
    ``interleaved`` says how many groups of elements take turns in a tile: with ``0 by 8
    interleaved 4``, a tile has the elements 0 2 4 6 1 3 5 7. A second ``axis by size`` cuts another
    axis within the tile: with ``0 by 8, 1 by 4`` the innermost axis has 4 neighbours along axis 1,
    which one instruction multiplies and adds up; with ``of extent`` there are zeros beyond it.
    """

    name = "nn.tiled"

    order: ArrayAttr[IntAttr]
    tile: ArrayAttr[IntAttr]
    interleaved: IntAttr
    dots: ArrayAttr[IntAttr]

    def __init__(
        self,
        order: Sequence[int],
        tiling: Tiling | None = None,
        dots: Sequence[int] = (),
    ):
        numbers = () if tiling is None else (n for n in tiling[:3] if n is not None)
        groups = 1 if tiling is None else tiling.groups
        super().__init__(
            ArrayAttr(map(IntAttr, order)),
            ArrayAttr(map(IntAttr, numbers)),
            IntAttr(groups),
            ArrayAttr(map(IntAttr, dots)),
        )

    @property
    def axes(self) -> tuple[int, ...]:
        """The logical axes in the order in which they are stored."""
        return tuple(axis.data for axis in self.order)

    @property
    def tiling(self) -> Tiling | None:
        """How an axis is cut."""
        if not self.tile.data:
            return None
        tiling = Tiling(*(number.data for number in self.tile))
        return tiling._replace(groups=self.interleaved.data)

    @property
    def dot(self) -> int:
        """The neighbours of the innermost axis that one instruction adds up; 1 without any."""
        return self.dots.data[1].data if self.dots.data else 1

    def width(self, stored: Sequence[int]) -> int:
        """Return the elements of a tile as it is stored, which may be wider; 0 without tiles."""
        return stored[len(self.axes)] if self.tile.data else 0

    def logical_shape(self, stored: Sequence[int]) -> tuple[int, ...]:
        """Return the extents of the logical axes.

        - (tiled_c3) what is stored has an axis for each logical one, and one for tiles
        - (tiled_c4) a tile is stored with all its elements
        - (tiled_c5) the tiles have room for the extent
        """
        tiling = self.tiling
        rank = len(self.axes) + bool(self.tile.data) + bool(self.dots.data)
        if len(stored) != rank:
            raise invalid(
                "tiled_c3", f"a tensor stored as {self} has rank {rank}, found {list(stored)}"
            )
        shape = [stored[self.axes.index(axis)] for axis in range(len(self.axes))]
        if tiling is not None:
            if self.width(stored) < tiling.size:
                raise invalid(
                    "tiled_c4", f"{self} has tiles of {tiling.size}, found {list(stored)}"
                )
            room = shape[tiling.axis] * tiling.size
            shape[tiling.axis] = room if tiling.extent is None else tiling.extent
            if shape[tiling.axis] > room:
                raise invalid("tiled_c5", f"{self} has room for {room} elements in {list(stored)}")
        if self.dots.data:
            if stored[-1] != self.dot:
                raise invalid("tiled_c4", f"{self} has {self.dot} neighbours, found {list(stored)}")
            axis, size, *extent = (number.data for number in self.dots)
            room = shape[axis] * size
            shape[axis] = extent[0] if extent else room
            if not room - size < shape[axis] <= room:
                raise invalid("tiled_c5", f"{self} has room for {room} elements in {list(stored)}")
        return tuple(shape)

    def index(self, element: Sequence[Any]) -> list[Any]:
        """Return the stored coordinates of a logical element, of anything that divides."""
        tiling = self.tiling
        if tiling is None:
            return [element[axis] for axis in self.axes]
        number, place = element[tiling.axis] // tiling.size, element[tiling.axis] % tiling.size
        if tiling.groups > 1:
            width = tiling.size // tiling.groups
            place = place % width * tiling.groups + place // width
        outer = [number if axis == tiling.axis else element[axis] for axis in self.axes]
        if not self.dots.data:
            return [*outer, place]
        axis, size = (number.data for number in self.dots.data[:2])
        outer[self.axes.index(axis)] = element[axis] // size
        return [*outer, place, element[axis] % size]

    def transposed(self) -> TiledAttr:
        """Return how the transposed matrix is stored by the same elements in the same order."""
        tiling, dots = self.tiling, [number.data for number in self.dots]
        return TiledAttr(
            [1 - axis for axis in self.axes],
            tiling and tiling._replace(axis=1 - tiling.axis),
            [1 - dots[0], *dots[1:]] if dots else (),
        )

    def verify(self) -> None:
        """Check the numbers.

        - (tiled_c1) the list has each axis once
        - (tiled_c2) tiles are of an axis of the list, and of at least one element
        - (tiled_c6) tiles of interleaved groups are full, and of as many elements of each group
        - (tiled_c7) a second tiling is of another axis, and of at least two elements
        """
        if sorted(self.axes) != list(range(len(self.axes))):
            raise invalid("tiled_c1", f"expected each of the axes once, found {list(self.axes)}")
        tiling = self.tiling
        if tiling is not None and (
            tiling.axis not in self.axes or tiling.size < 1 or tiling.extent == 0
        ):
            raise invalid("tiled_c2", f"expected tiles of an axis, of 1 or more, found {self}")
        groups = self.interleaved.data
        full = tiling is not None and tiling.extent is None and groups > 0
        if groups != 1 and not (full and tiling is not None and tiling.size % groups == 0):
            raise invalid("tiled_c6", f"expected full tiles of whole groups, found {self}")
        if self.dots.data and (
            tiling is None
            or self.dots.data[0].data not in {*self.axes} - {tiling.axis}
            or self.dot < 2
        ):
            raise invalid("tiled_c7", f"expected neighbours along another axis, found {self}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<[axes]>`` and, after commas, one or two tilings ``axis by size [of extent]``."""
        with parser.in_angle_brackets():
            order = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: _parse_number(parser)
            )
            tile: list[IntAttr] = []
            groups, dots = IntAttr(1), list[IntAttr]()
            if parser.parse_optional_punctuation(",") is not None:
                tile.append(_parse_number(parser))
                parser.parse_characters("by")
                tile.append(_parse_number(parser))
                if parser.parse_optional_characters("of") is not None:
                    tile.append(_parse_number(parser))
                if parser.parse_optional_keyword("interleaved") is not None:
                    groups = _parse_number(parser)
                if parser.parse_optional_punctuation(",") is not None:
                    dots.append(_parse_number(parser))
                    parser.parse_characters("by")
                    dots.append(_parse_number(parser))
                    if parser.parse_optional_characters("of") is not None:
                        dots.append(_parse_number(parser))
        return [ArrayAttr(order), ArrayAttr(tile), groups, ArrayAttr(dots)]

    def print_parameters(self, printer: Printer) -> None:
        """Print what ``parse_parameters`` parses."""
        with printer.in_angle_brackets():
            printer.print_string(str(list(self.axes)))
            words = (", ", " by ", " of ")
            for word, number in zip(words, self.tile, strict=False):
                printer.print_string(f"{word}{number.data}")
            if self.interleaved.data != 1:
                printer.print_string(f" interleaved {self.interleaved.data}")
            for word, number in zip(words, self.dots, strict=False):
                printer.print_string(f"{word}{number.data}")


def _parse_number(parser: AttrParser) -> IntAttr:
    return IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=False))


def packed_filter(rank: int, tile: int, groups: int = 1, dots: Sequence[int] = ()) -> TiledAttr:
    """Return how a filter of O I K… is stored O/t K… I t: tile after tile of output channels.

    With ``groups`` a tile holds the channels of as many groups, interleaved. With ``dots``, the
    number of neighbours along the input channels and how many of these there are where neighbours
    do not divide them, it is O/t K… I/d t d.
    """
    dots = (1, *dots) if dots else ()
    return TiledAttr((0, *range(2, rank), 1), Tiling(0, tile, groups=groups), dots)


def kernel_in_out(rank: int) -> TiledAttr:
    """Return how a filter of O I K… is stored K… I O: a vector of output channels is contiguous."""
    return TiledAttr((*range(2, rank), 1, 0))
