"""How ops follow a permutation of axes: what each says on its class, and the op in another order.

An order is a permutation: axis i of a value in the new order is axis ``order[i]`` of the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.base import NNOp, i64_array, i64_attr, ints
from autodeploy.dialects.nn.extent_attr import IntegersAttr
from autodeploy.dialects.nn.layout import CHANNELS_FIRST, CHANNELS_LAST, LayoutAttr
from autodeploy.dialects.nn.types import element_of, shape_of, tensor


def to_last(rank: int) -> tuple[int, ...]:
    """Return the order that makes N … C of N C …."""
    return (0, *range(2, rank), 1)


def to_first(rank: int) -> tuple[int, ...]:
    """Return the order that makes N C … of N … C."""
    return (0, rank - 1, *range(1, rank - 1))


def axis(attribute: IntegerAttr, order: Sequence[int]) -> Attribute:
    """Follow as an axis."""
    return i64_attr(order.index(attribute.value.data))


def axes(attribute: IntegersAttr, order: Sequence[int]) -> Attribute:
    """Follow as a set of axes, which rise."""
    return i64_array(sorted(order.index(axis) for axis in ints(attribute)))


def per_axis(attribute: IntegersAttr, order: Sequence[int]) -> Attribute:
    """Follow as a value for each axis."""
    values = ints(attribute)
    return i64_array([values[axis] for axis in order])


def pads(attribute: IntegersAttr, order: Sequence[int]) -> Attribute:
    """Follow as a value before each axis, then one after each."""
    values, rank = ints(attribute), len(order)
    return i64_array([values[side + axis] for side in (0, rank) for axis in order])


def entries(attribute: ArrayAttr[Attribute], order: Sequence[int]) -> Attribute:
    """Follow as an attribute for each axis."""
    return ArrayAttr([attribute.data[axis] for axis in order])


def layout(attribute: LayoutAttr, order: Sequence[int]) -> Attribute | None:
    """Follow as the layout of an image: channels first or channels last."""
    rank = len(order)
    if attribute == CHANNELS_FIRST and tuple(order) == to_last(rank):
        return CHANNELS_LAST
    if attribute == CHANNELS_LAST and tuple(order) == to_first(rank):
        return CHANNELS_FIRST
    return None


@dataclass(frozen=True)
class PermutedForm:
    """An op whose aligned operands are in another order, and the order of its result then."""

    op: NNOp
    properties: dict[str, Attribute]
    order: tuple[int, ...]

    @property
    def keeps_result(self) -> bool:
        """Return whether the axes of the result stay where they are."""
        return list(self.order) == sorted(self.order)

    def on(self, operands: Sequence[SSAValue]) -> NNOp:
        """Return the op, yet to be inserted, on ``operands``: the aligned ones are permuted."""
        new = self.op.clone()
        # One by one: an op may read the same value in two orders.
        for index, operand in enumerate(operands):
            new.operands[index] = operand
        new.properties.update(self.properties)
        shape = shape_of(self.op.result.type)
        type_ = tensor(element_of(self.op.result.type), [shape[axis] for axis in self.order])
        Rewriter.replace_value_with_new_type(new.result, type_)
        return new


def permuted_form(op: NNOp, order: Sequence[int]) -> PermutedForm | None:
    """Return how ``op`` computes on aligned operands in another order; ``None`` for not at all."""
    dropped = op.dropped_axes()
    if dropped is None:
        return None
    properties: dict[str, Attribute] = {}
    for name, follow in op.AXES.items():
        if name not in op.properties:  # one that the op may have
            continue
        followed = follow(op.properties[name], order)
        if followed is None:
            return None
        properties[name] = followed
    kept = [axis for axis in order if axis not in dropped]
    return PermutedForm(op, properties, tuple(sorted(kept).index(axis) for axis in kept))
