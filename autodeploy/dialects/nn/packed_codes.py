"""Codes that share bytes, as the ops say that take these apart, and rows of them."""

from __future__ import annotations

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import DivOp
from autodeploy.dialects.nn.constant import ConstantOp, DenseAttr
from autodeploy.dialects.nn.logic import AndOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.types import bounds_of, element_of, ui8


def packed_codes(value: SSAValue) -> tuple[SSAValue, int] | None:
    """Return the bytes that are taken apart to a value, and the bits of a code.

    The codes of a byte follow each other along the last axis, those in the low bits first. ``None``
    if the value is no such codes.
    """
    masked = value.owner
    digits = masked.lhs.owner if isinstance(masked, AndOp) else None
    if not isinstance(masked, AndOp) or not isinstance(digits, DivOp):
        return None
    bytes_, powers = digits.lhs, _numbers(digits.rhs)
    if len(powers) not in (2, 4) or element_of(bytes_.type) != ui8:
        return None
    bits = 8 // len(powers)
    if powers != tuple(1 << shift for shift in range(0, 8, bits)):
        return None
    is_apart = bounds_of(value.type) == (*bounds_of(bytes_.type)[:-1], len(powers))
    return (bytes_, bits) if is_apart and _numbers(masked.rhs) == ((1 << bits) - 1,) else None


def gathered_rows(value: SSAValue) -> GatherOp | None:
    """Return the op that looks up rows of a matrix, which a value is in some shape."""
    value = unshaped(value)
    if not isinstance(value.owner, GatherOp) or len(bounds_of(value.owner.x.type)) != 2:
        return None
    return value.owner if value.owner.axis.value.data == 0 else None


def unshaped(value: SSAValue) -> SSAValue:
    """Return the value that reshapes give a shape."""
    while isinstance(value.owner, ReshapeOp):
        value = value.owner.x
    return value


def _numbers(value: SSAValue) -> tuple[float | int | bool, ...]:
    """Return the elements of a small constant; nothing of another value."""
    owner = value.owner
    if not isinstance(owner, ConstantOp) or not isinstance(owner.value, DenseAttr):
        return ()
    return owner.value.numbers() or ()
