"""Resampling: an image read at places between its elements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import auto
from math import gcd
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, FloatAttr, f64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.utils.str_enum import StrEnum

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import largest
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.base import (
    I64_ARRAY,
    NUMBER,
    TENSOR,
    AnchorOp,
    AxisRead,
    Tensor,
    check_at_least,
    check_length,
    ints,
)
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.types import bounds_of, element_of, is_bool, is_float, shape_of, tensor


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


_FALSE = BoolAttr.from_bool(False)

LARGEST_POSITION = 1 << 29
"""Positions are computed in 32-bit integers; twice one and a denominator more must fit."""

CUBIC_COEFFICIENT = -0.75
"""ONNX's default for the free parameter of cubic convolution."""


class Interpolation(StrEnum):
    """How a value is made of the elements around a place."""

    NEAREST = auto()
    """The nearest element, see the rounding."""
    LINEAR = auto()
    """Both neighbours along each axis, weighted by nearness."""
    CUBIC = auto()
    """Two neighbours on each side along each axis, weighted by cubic convolution."""


@irdl_attr_definition
class InterpolationAttr(EnumAttribute[Interpolation], SpacedOpaqueSyntaxAttribute):
    """Interpolation of a resize: ``#nn<interpolation linear>``."""

    name = "nn.interpolation"


class Rounding(StrEnum):
    """Which element is the nearest."""

    HALF_DOWN = auto()
    """The nearest one, of two equally near ones the lower."""
    HALF_UP = auto()
    """The nearest one, of two equally near ones the upper."""
    FLOOR = auto()
    """The one below."""
    CEIL = auto()
    """The one above."""


@irdl_attr_definition
class RoundingAttr(EnumAttribute[Rounding], SpacedOpaqueSyntaxAttribute):
    """Rounding of a nearest resize: ``#nn<rounding floor>``."""

    name = "nn.rounding"


@irdl_op_definition
class ResizeOp(SampledOp):
    """Element i of the result along an axis is read at a place of the operand (ONNX Resize).

    The place is ``(i * numerator + offset) / denominator``, exactly; the three arrays have one
    entry an axis. Beyond its ends the operand is continued with the elements there. With
    ``exclude_outside`` these have no weight and the others are scaled up to 1; with
    ``extrapolation`` a place outside of the operand has that value. ``rounding`` matters to nearest
    alone, ``coefficient`` (often called a) and ``exclude_outside`` to cubic alone.

    Places along an axis may follow from the extents of a run: ``places`` says how, for each axis.
    The arrays are those for the largest numbers then. ``numbers`` are tensors of which only the
    extents are read, where those of the operand do not say these numbers.
    """

    name = "nn.resize"
    PLACE_PROPERTIES: ClassVar = ("numerators", "offsets", "denominators")
    AXES: ClassVar = {
        "numerators": follow.per_axis,
        "offsets": follow.per_axis,
        "denominators": follow.per_axis,
        "places": follow.entries,
    }

    x = operand_def(TENSOR)
    numbers = var_operand_def(TENSOR)

    interpolation = prop_def(InterpolationAttr)
    numerators = prop_def(I64_ARRAY)
    offsets = prop_def(I64_ARRAY)
    denominators = prop_def(I64_ARRAY)
    rounding = prop_def(RoundingAttr, default_value=RoundingAttr(Rounding.HALF_DOWN))
    coefficient = prop_def(NUMBER, default_value=FloatAttr(CUBIC_COEFFICIENT, f64))
    exclude_outside = prop_def(BoolAttr, default_value=_FALSE)
    extrapolation = opt_prop_def(NUMBER)
    places = opt_prop_def(ArrayAttr.constr(base(PlacesAttr)))

    def __init__(
        self,
        x: SSAValue,
        shape: Sequence[int],
        interpolation: Interpolation,
        *,
        numerators: Sequence[int],
        offsets: Sequence[int],
        denominators: Sequence[int],
        rounding: Rounding = Rounding.HALF_DOWN,
        coefficient: float = CUBIC_COEFFICIENT,
        exclude_outside: bool = False,
        extrapolation: float | None = None,
    ):
        self.init_typed(
            [x],
            tensor(element_of(x.type), shape),
            interpolation=InterpolationAttr(interpolation),
            numerators=numerators,
            offsets=offsets,
            denominators=denominators,
            rounding=RoundingAttr(rounding),
            coefficient=float(coefficient),
            exclude_outside=exclude_outside,
            extrapolation=None if extrapolation is None else FloatAttr(extrapolation, f64),
        )

    @property
    def lines(self) -> tuple[Line, ...]:
        """Return the places along each axis, for the largest numbers."""
        lists = map(ints, (self.numerators, self.offsets, self.denominators))
        return tuple(Line(*numbers).reduced() for numbers in zip(*lists, strict=True))

    @property
    def grown(self) -> Mapping[int, tuple[Places, Growth, Growth]]:
        """Return how places follow from extents, and the growth of the axis before and after.

        Only axes along which they do.
        """
        if self.places is None:
            return {}
        before, after = map(axes_of_type, (self.x.type, self.result.type))
        kinds = [entry.data for entry in self.places]
        return {
            axis: (kind, before[axis], after[axis])
            for axis, kind in enumerate(kinds)
            if kind != Places.CONSTANT
        }

    def grow(self, places: Sequence[Places]) -> None:
        """Say how places follow from the extents of a run."""
        self.places = ArrayAttr(map(PlacesAttr, places))

    def bring(self, numbers: Sequence[SSAValue]) -> None:
        """Read the extents of further tensors, for the numbers of a run."""
        self.operands = [self.x, *numbers]

    def axis_reads(self, index: int) -> Sequence[AxisRead | None] | None:
        """Return the axes that are sampled at their elements."""
        if index:
            return None
        grown = self.grown
        places = zip(
            ints(self.numerators), ints(self.offsets), ints(self.denominators), strict=True
        )
        extents = zip(bounds_of(self.x.type), bounds_of(self.result.type), strict=True)
        return [
            AxisRead(axis)
            if old == new and (numerator, offset) == (denominator, 0) and axis not in grown
            else None
            for axis, ((numerator, offset, denominator), (old, new)) in enumerate(
                zip(places, extents, strict=True)
            )
        ]

    def stretched_axes(self) -> frozenset[int]:
        """Return the axes along which places follow each other by the same step for any extent."""
        places = zip(ints(self.numerators), self.axis_reads(0) or (), strict=True)
        return frozenset(
            axis
            for axis, (step, read) in enumerate(places)
            if read is None and step > 0 and axis not in self.grown
        )

    def verify_(self) -> None:
        """Check (resize_c4) that ``places`` has an entry for each axis."""
        super().verify_()
        rank = len(bounds_of(self.x.type))
        if self.places is not None and len(self.places) != rank:
            raise invalid("resize_c4", f"places are of {rank} axes, found {len(self.places)}")

    def infer_result_type(self) -> Tensor:
        """Return the result's own extents.

        - (resize_c1) elements are numbers, and floats where they are interpolated
        - (resize_c2) an axis from which the result has elements is not empty
        - (resize_c3) places along each axis fit 32 bits
        """
        source, shape = shape_of(self.x.type), shape_of(self.result.type)
        element = element_of(self.x.type)
        if is_bool(element) or (
            not is_float(element) and self.interpolation.data != Interpolation.NEAREST
        ):
            raise invalid(
                "resize_c1", f"a {self.interpolation.data} nn.resize does not take {self.x.type}"
            )
        check_length("the result's shape", shape, len(source))
        numerators, offsets = ints(self.numerators), ints(self.offsets)
        denominators = ints(self.denominators)
        check_length("numerators", numerators, len(source))
        check_length("offsets", offsets, len(source))
        check_length("denominators", denominators, len(source))
        check_at_least("denominators", denominators, 1)
        for axis, (extent, count) in enumerate(zip(source, shape, strict=True)):
            if count and not extent:
                raise invalid(
                    "resize_c2", f"axis {axis} of {self.x.type} has no elements to resize"
                )
            furthest = largest(count - 1, 0) * abs(numerators[axis]) + abs(offsets[axis])
            if largest(furthest, extent * denominators[axis]) > LARGEST_POSITION:
                raise invalid("resize_c3", f"the places along axis {axis} do not fit 32 bits")
        return tensor(element, shape)
