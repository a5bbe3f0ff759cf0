"""The places of elements of a resized axis, by the extents before and after (ONNX Resize)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import auto
from math import gcd
from typing import ClassVar, NamedTuple

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.base import AnchorOp


class Line(NamedTuple):
    """Places ``(i * numerator + offset) / denominator``."""

    numerator: int
    offset: int
    denominator: int

    def reduced(self) -> Line:
        """Return the same places by the smallest numbers."""
        common = gcd(*self)
        return Line(*(number // common for number in self)) if common else self


class Places(StrEnum):
    """How places along an axis follow from its extents."""

    CONSTANT = auto()
    """They do not: numbers give the places of elements."""
    HALF_PIXEL = auto()
    """Elements are as wide as they are apart."""
    PYTORCH_HALF_PIXEL = auto()
    """The same, but that a single element is the first one."""
    ASYMMETRIC = auto()
    """The first elements have the same place."""
    ALIGN_CORNERS = auto()
    """The first elements have the same place, and the last ones, too."""
    TF_HALF_PIXEL_FOR_NN = auto()
    """Half an element after those of half_pixel."""

    def line(self, before: int, after: int) -> Line:
        """Return the places of ``after`` elements among those ``before``, both above 0."""
        match self:
            case Places.HALF_PIXEL:
                return Line(2 * before, before - after, 2 * after)
            case Places.PYTORCH_HALF_PIXEL:
                return Places.HALF_PIXEL.line(before, after) if after > 1 else Line(0, 0, 1)
            case Places.ASYMMETRIC:
                return Line(before, 0, after)
            case Places.ALIGN_CORNERS:
                return Line(before - 1, 0, after - 1) if after > 1 else Line(0, 0, 1)
            case Places.TF_HALF_PIXEL_FOR_NN:
                return Line(2 * before, before, 2 * after)
            case Places.CONSTANT:
                return Line(1, 0, 1)


@irdl_attr_definition
class PlacesAttr(EnumAttribute[Places], SpacedOpaqueSyntaxAttribute):
    """Places along a resized axis: ``#nn<places align_corners>``."""

    name = "nn.places"


class SampledOp(AnchorOp, ABC):
    """An op whose result reads a line of places of its first operand, along each axis.

    Places may follow from the extents of a run. Only the extents of further operands are read.
    """

    PLACE_PROPERTIES: ClassVar[Sequence[str]]
    """The properties that say the places for the largest numbers."""

    @property
    @abstractmethod
    def lines(self) -> tuple[Line, ...]:
        """Return the places along each axis, for the largest numbers."""

    @property
    @abstractmethod
    def grown(self) -> Mapping[int, tuple[Places, Growth, Growth]]:
        """Return how places follow from extents, and the growth of the axis before and after.

        Only axes along which they do.
        """

    @abstractmethod
    def grow(self, places: Sequence[Places]) -> None:
        """Say how places follow from the extents of a run."""

    @abstractmethod
    def bring(self, numbers: Sequence[SSAValue]) -> None:
        """Read the extents of further tensors, for the numbers of a run."""
