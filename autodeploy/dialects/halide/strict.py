"""Whether ``halide.strict`` matters: it does for arithmetic and comparisons of floats alone."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import f32, i1, i32, i64
from xdsl.ir import Block, Operation, SSAValue

from autodeploy.dialects.halide import expression as ex
from autodeploy.dialects.halide.call_values import CallValueOp
from autodeploy.dialects.nn.types import is_float

_PASSING_ON = (ex.SelectOp, ex.LikelyOp, ex.StrictOp)


def matters(op: ex.StrictOp) -> bool:
    """Return whether an op says how floats are computed; a choice among loads computes none."""
    return any(not isinstance(inner, _PASSING_ON) for inner in _float_ops(op.x))


def compares(op: Operation, *, strict: bool) -> bool:
    """Return whether an op compares floats as IEEE 754 says, or negates a comparison.

    ``strict`` says that all comparisons of the pipeline do.
    """
    match op:
        case ex.NotOp() | ex.LeOp() if isinstance(op, ex.NotOp) or is_float(op.lhs.type):
            return True
        case ex.CompareOp():
            return strict and is_float(op.lhs.type)
        case ex.StrictOp():
            return any(isinstance(inner, ex.CompareOp) for inner in _float_ops(op.x))
        case _:
            return False


def _float_ops(value: SSAValue) -> Iterator[Operation]:
    """Yield the ops on floats that a value is computed by, up to loads."""
    owner = value.owner
    if isinstance(owner, ex.ExpressionOp):
        if any(is_float(v.type) for v in (*owner.operands, *owner.results)):
            yield owner
        for operand in owner.operands:
            yield from _float_ops(operand)


def weighs_coordinates(op: Operation) -> bool:
    """Return whether an op computes floats from coordinates alone, such as a weight of a resize."""
    operands = [value for value in op.operands if is_float(value.type)]
    return isinstance(op, ex.BinaryOp) and len(operands) == 2 and _leaves(op) == {Block}


def computes_from_extents(op: Operation) -> bool:
    """Return whether an op computes floats, or small integers, from extents of a call alone.

    A float of an extent, and an integer of 32 or 64 bits, are none of these.
    """
    if not isinstance(op, ex.ExpressionOp) or _leaves(op) != {CallValueOp}:
        return False
    results = {value.type for value in op.results}
    if isinstance(op, ex.CastOp) and results == {f32}:
        return is_float(op.x.type)
    operands = [value for value in op.operands if is_float(value.type)]
    return bool(operands) or not results <= {i1, i32, i64}


def _leaves(op: Operation) -> set[type]:
    """Return the kinds of values that an op is computed from, constants left out."""
    found: set[type] = set()
    for value in op.operands:
        owner = value.owner
        if isinstance(owner, ex.ExpressionOp):
            found |= _leaves(owner)
        elif not isinstance(owner, ex.ConstOp):
            kinds = (Block, CallValueOp)
            found.add(next((kind for kind in kinds if isinstance(owner, kind)), Operation))
    return found
