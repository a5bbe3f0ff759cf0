"""The common part of nn ops: static shapes, an inferred result type, a family.

The family of an op (its base class) is what fusion and lowering look at: pointwise ops join any
group, a contraction, window, reduction or softmax anchors one, a movement only renumbers elements.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    TensorType,
    f64,
    i64,
)
from xdsl.ir import Attribute, OpResult, SSAValue, SSAValues
from xdsl.irdl import IRDLOperation, ParsePropInAttrDict, base, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import is_integer, last_of
from autodeploy.dialects.nn.extent_attr import INTEGERS, IntegersAttr, integers, integers_attr
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    element_of,
    is_bool,
    is_float,
    shape_of,
    tensor,
)
from autodeploy.dialects.strides import Region

Tensor = TensorType[Attribute]
"""The type of every nn value: a builtin tensor with static extents, outermost first."""

TENSOR = base(TensorType)
"""IRDL constraint of tensor operands and results; extents are checked by type inference."""

I64_ARRAY = INTEGERS
"""The constraint of a property of integers, some of which may be extents."""

CONSTANT_ARRAY = DenseArrayBase.constr(i64)
"""The constraint of a property of integers that are the same in each run."""
"""IRDL constraint of an ``array<i64: …>`` property."""

NUMBER = FloatAttr.constr(f64)
"""IRDL constraint of a number property: f64 whatever the tensor's type, so that equal is equal."""

PropertyValue: TypeAlias = Attribute | Sequence[int] | float | None
"""The source of a property: an attribute, a truth value, a number, numbers, or nothing."""

AxisProperty = Callable[[Any, Sequence[int]], Attribute | None]
"""The form of a property after a permutation of its axes."""


@dataclass(frozen=True)
class AxisRead:
    """An axis of an operand along which one iterator of an op runs: it reads ``i // inner`` at i.

    The first iterators of an op are the axes of its result; it sums over further ones. ``inner`` is
    0 where other places around i are read.
    """

    iterator: int
    inner: int = 1


class NNOp(IRDLOperation, ABC):
    """An op with one tensor result whose type follows from its operands and properties.

    - ``AXES`` states how properties follow the axes of the first operand (``nn.axes``). The
      op then exists for any order of axes.
    - ``CONTRACTS``: most of the work is sums of products or polynomials, which may be contracted.
    - ``MASKS_DYNAMIC_REDUCTION``: the reduced axes may have a dynamic extent.
    - ``PADS_DYNAMIC_WINDOW``: windows may read the padding after a dynamic extent.
    - ``SPATIAL_DEFAULTS``: properties that may be left out, with their numbers for a spatial axis.
    """

    AXES: ClassVar[Mapping[str, AxisProperty]] = {}
    CONTRACTS: ClassVar[bool] = False
    MASKS_DYNAMIC_REDUCTION: ClassVar[bool] = False
    PADS_DYNAMIC_WINDOW: ClassVar[bool] = False
    SPATIAL_DEFAULTS: ClassVar[Mapping[str, tuple[int, ...]]] = {}

    result = result_def(TENSOR)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())
    assembly_format = "operands attr-dict `:` functional-type(operands, results)"

    def __post_init__(self) -> None:
        """Fill in the properties that are left out, by the rank of the first operand."""
        super().__post_init__()
        for name, numbers in self.SPATIAL_DEFAULTS.items():
            if name not in self.properties and self.operands:
                type_ = self.operands[0].type
                spatial = len(type_.shape) - 2 if isinstance(type_, TensorType) else 0
                self.properties[name] = i64_array(numbers * spatial)

    @abstractmethod
    def infer_result_type(self) -> Tensor:
        """Return the result type; raises ``VerifyException`` if operands or properties clash."""

    @property
    def mean_axes(self) -> tuple[int, ...]:
        """The axes of which the op takes means, each as a whole; empty for any other op."""
        return ()

    @property
    def aligned_operands(self) -> Sequence[SSAValue]:
        """The operands that have the axes of the first one, as far as they are not broadcast."""
        return self.operands[:1]

    def dropped_axes(self) -> tuple[int, ...] | None:
        """Return the axes of the aligned operands that the result lacks; it has the others.

        ``None`` if the axes of the result are others, or are bound to the order that they have.
        """
        return () if self.AXES else None

    def axis_reads(self, index: int) -> Sequence[AxisRead | None] | None:
        """Return which iterator runs along each axis of an operand.

        ``None`` for an axis along which other elements are read, whatever these iterators are but
        for the remainder by ``inner``; and for the whole operand where none of that holds.
        """
        return None

    def identity_axes(self, index: int) -> Sequence[AxisRead | None] | None:
        """Return the axes of an operand whose elements have the same places in the result.

        As ``axis_reads`` has them; here also those of ops that do not read a place for each of
        theirs, such as a concatenation.
        """
        return self.axis_reads(index)

    @property
    def folded_axes(self) -> Sequence[int]:
        """The axes of the first operand that are folded, of an op that reads each element once.

        Such an op does nothing else.
        """
        return ()

    @property
    def folds_in_parts(self) -> bool:
        """Whether the fold of the folds of equal parts is the fold of all, but for rounding."""
        return False

    @property
    def folds_in_any_order(self) -> bool:
        """Whether the fold of the elements is the same in any order."""
        return False

    def fold_of(self, x: SSAValue, axes: Sequence[int]) -> NNOp:
        """Return the op that folds another tensor along axes, which do not stay, as this one does.

        The op has ``folded_axes``.
        """
        raise NotImplementedError

    @property
    def dim_query_axis(self) -> int | None:
        """The axis of the first operand whose extent is the result; ``None`` of other ops."""
        return None

    @property
    def folds_none(self) -> bool:
        """Whether it folds axes and its kernels may find no elements along them."""
        return False

    def stretched_axes(self) -> frozenset[int]:
        """Return the axes of the first operand that the op makes longer or shorter.

        Only axes along which its lowering reads nothing after the end of a run.
        """
        return frozenset()

    def data_dependent_axes(self, index: int) -> Sequence[int]:
        """Return the axes of an operand along which data selects the places that the op reads.

        Its lowering takes none of them for a place after the end of a run.
        """
        return ()

    def required_prefix(self, index: int) -> Sequence[int] | None:
        """Return the number of first elements along each axis that contain all that the op reads.

        ``None`` for an op without such numbers.
        """
        return None

    def simplified(self) -> SSAValue | NNOp | None:
        """Return a value that equals the result, or a simpler op, yet to be inserted, that does.

        ``None`` if there is neither. Equal is bit for bit, nan and the sign of zero included.
        """
        return None

    def init_inferred(
        self,
        operands: Sequence[SSAValue | None],
        element: Attribute | None = None,
        /,
        **properties: PropertyValue,
    ) -> None:
        """Initialise the op with its operands and the result type that follows from them.

        ``element`` is the element type of the result where the op leaves a choice, else that of the
        first operand.
        """
        present = [operand for operand in operands if operand is not None]
        stated = present[0].type if element is None else tensor(element, ())
        self.init_typed(present, stated, **properties)
        try:
            result_type = self.infer_result_type()
        except VerifyException:
            self.operands = ()  # an op that is thrown away would stay a user of its operands
            raise
        self.results = SSAValues((OpResult(result_type, self, 0),))

    def init_typed(
        self, operands: Sequence[SSAValue], result_type: Attribute, **properties: PropertyValue
    ) -> None:
        """Initialise an op whose result type its operands do not settle (a reshape, a cast)."""
        found = {name: _property(value) for name, value in properties.items()}
        super(IRDLOperation, self).__init__(
            operands=operands,
            result_types=[result_type],
            properties={name: value for name, value in found.items() if value is not None},
        )

    def verify_(self) -> None:
        """Check element types, extents and that the result type is the inferred one."""
        for value in (*self.operands, *self.results):
            shape_of(value.type)
            if element_of(value.type) not in ELEMENT_BYTES:
                raise invalid("op_c1", f"unsupported element type {element_of(value.type)}")
        expected = self.infer_result_type()
        if self.result.type != expected:
            raise invalid("op_c2", f"expected result type {expected}, found {self.result.type}")


class UnfilledOp(IRDLOperation, ABC):
    """An op with one tensor result that nothing fills: only its extents are read."""

    result = result_def(TENSOR)

    traits = traits_def(Pure())


class AnchorOp(NNOp, ABC):
    """An op that a fusion group is built around; most groups have one at most.

    ``WANTS_CHANNELS_LAST`` says that the op is faster on images whose channels are innermost, by
    enough to bring them into that order.
    """

    WANTS_CHANNELS_LAST: ClassVar[bool] = False


class MovementOp(NNOp, ABC):
    """An op that renumbers elements and computes nothing.

    ``IS_COPY`` says that the op is a copy of ``elements`` to ``parts`` where it is no view.
    """

    IS_COPY: ClassVar[bool] = False

    @property
    def is_copy(self) -> bool:
        """Whether the op is a copy of elements to the same places in all runs."""
        return self.IS_COPY

    @property
    def joined_axis(self) -> int | None:
        """The axis along which the operands follow each other, of an op that joins them."""
        return None

    @property
    def has_ended_parts(self) -> bool:
        """Whether each part begins where a run has the end of the one before."""
        return False

    def copy_parts(self) -> None:
        """Leave to the driver to copy the parts, which have ends; the op joins parts."""
        raise NotImplementedError

    @property
    def copies_parts(self) -> bool:
        """Whether the driver copies the rows of each part to where a run has its place."""
        return False

    @property
    def is_view(self) -> bool:
        """Whether strides say what the op means, and vectors of the innermost axis stay.

        Such an op moves nothing: what reads its result reads its operand, with other strides. Axes
        of one element do not count.
        """
        return False

    def elements(self, operand: Region) -> Region | None:
        """Return which elements of an operand the result has, in the order of the result.

        ``None`` if no strides say that.
        """
        return None

    def parts(self, result: Region) -> Sequence[Region]:
        """Return the places of the elements of each operand in the result."""
        return [result]


def _property(value: PropertyValue) -> Attribute | None:
    """Return a property as the attribute that holds it."""
    if is_integer(value) and not isinstance(value, bool):
        return i64_attr(value)
    match value:
        case Attribute() | None:
            return value
        case bool():
            return BoolAttr.from_bool(value)
        case float():
            return FloatAttr(value, f64)
        case _:
            return i64_array(value)


def i64_array(values: Sequence[int]) -> IntegersAttr:
    """Build an ``array<i64: …>`` property, or ``#nn.extents<…>`` where an integer varies."""
    return integers_attr(values)


def i64_attr(value: int) -> IntegerAttr:
    """Build an ``… : i64`` property."""
    return IntegerAttr(IntAttr(value), i64)


def ints(attribute: IntegersAttr) -> tuple[int, ...]:
    """Read a property of integers, some of which may be extents."""
    return integers(attribute)


def last_ints(attribute: IntegersAttr) -> tuple[int, ...]:
    """Read a property of integers as it is for the largest numbers of a run."""
    return tuple(map(last_of, integers(attribute)))


def check_length(name: str, values: Sequence[int], expected: int) -> None:
    """Raise ``VerifyException`` unless the property ``name`` has ``expected`` entries."""
    if len(values) != expected:
        raise invalid("property_c1", f"{name} takes {expected} values, found {len(values)}")


def check_at_least(name: str, values: Sequence[int], least: int) -> None:
    """Raise ``VerifyException`` unless each entry of the property ``name`` is ``least`` or more."""
    if any(value < least for value in values):
        raise invalid("property_c2", f"{name} must be at least {least}, found {list(values)}")


def check_axes(name: str, axes: Sequence[int], rank: int) -> None:
    """Raise ``VerifyException`` unless ``axes`` are distinct, rising and within ``rank``."""
    check_distinct_axes(name, axes, rank)
    if list(axes) != sorted(axes):
        raise invalid("property_c3", f"{name} must rise, found {list(axes)}")


def check_distinct_axes(name: str, axes: Sequence[int], rank: int) -> None:
    """Raise ``VerifyException`` unless ``axes`` are distinct and within ``rank``."""
    if any(not 0 <= axis < rank for axis in axes):
        raise invalid("property_c4", f"{name} must be in 0 to {rank - 1}, found {list(axes)}")
    for axis in axes:
        if axes.count(axis) > 1:
            raise invalid(
                "property_c5", f"{name} must name axis {axis} only once, found {list(axes)}"
            )


def check_floats(label: str, op: NNOp, value: SSAValue) -> None:
    """Raise ``VerifyException`` unless elements of an operand are floats."""
    if not is_float(element_of(value.type)):
        raise invalid(label, f"{op.name} takes floating-point numbers, found {value.type}")


def check_numbers(label: str, op: NNOp, value: SSAValue) -> None:
    """Raise ``VerifyException`` unless elements of an operand are numbers."""
    if is_bool(element_of(value.type)):
        raise invalid(label, f"{op.name} takes numbers, found {value.type}")


def check_same_element(values: Sequence[SSAValue]) -> Attribute:
    """Return the element type that all values share; raises ``VerifyException`` if they differ."""
    elements = [element_of(value.type) for value in values]
    for element in elements[1:]:
        if element != elements[0]:
            raise invalid("op_c3", f"operands must share one element type, found {elements}")
    return elements[0]
