"""Lowering of ops that compute each element on its own: their body at one point."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from autodeploy.dialects.nn.arithmetic import BitCastOp, CastOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.structure import StructuredOp
from autodeploy.dialects.nn.types import bounds_of, compute_type, element_of
from autodeploy.lowering.nn_to_halide import functions
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    KernelBuilder,
    Value,
    computed,
    rounded,
)
from autodeploy.lowering.nn_to_halide.registry import lowers


@lowers(PointwiseOp)
def pointwise(builder: KernelBuilder, op: PointwiseOp, operands: Sequence[Value]) -> Value:
    """Apply the op's body to the operands' elements at one point, each broadcast.

    Halves are computed in single precision, which the result has, too.
    """
    result = element_of(op.result.type)
    if not isinstance(op, CastOp | BitCastOp):
        result = compute_type(result)
    types = [element_of(operand.type) for operand in op.operands]

    def element(scope: Scope, point: Coordinates) -> Expr:
        read = [operand.broadcast(scope, point) for operand in operands]
        if op.READS_BITS:
            elements = [rounded(x, type_) for x, type_ in zip(read, types, strict=True)]
        else:
            elements = [computed(x) for x in read]
        value: Expr = op.body(functions, *elements)
        return value.cast(result)

    def at(scope: Scope, point: Coordinates) -> Expr:
        # An element that is read twice is worked out once: else a chain doubles at each step.
        return scope.once((op, point), lambda: element(scope, point))

    return Value(result, bounds_of(op.result.type), at)


@lowers(StructuredOp)
def structured(builder: KernelBuilder, op: StructuredOp, operands: Sequence[Value]) -> Value:
    """Apply the op's body to the elements that its maps say."""

    def at(scope: Scope, point: Coordinates) -> Expr:
        elements = [
            computed(x.at(scope, coordinates(map_, scope, point)))
            for x, map_ in zip(operands, op.indexing_maps, strict=False)
            if map_ is not None
        ]
        return op.body(functions, *elements)

    return Value(compute_type(element_of(op.result.type)), bounds_of(op.result.type), at)


def coordinates(map_: AffineMap, scope: Scope, point: Coordinates) -> Coordinates:
    """Return where a map leads from a point."""
    return tuple(_coordinate(place, scope, point) for place in map_.results)


def _coordinate(place: AffineExpr, scope: Scope, point: Coordinates) -> Coordinate:
    match place:
        case AffineDimExpr():
            return point[place.position]
        case AffineConstantExpr():
            return place.value
        case AffineBinaryOpExpr():
            left, right = (_coordinate(part, scope, point) for part in (place.lhs, place.rhs))
            return _OPERATORS[place.kind](scope.index(left), right)
        case _:
            raise AssertionError(f"no coordinate: {place}")


_OPERATORS: dict[AffineBinaryOpKind, Callable[[Expr, Coordinate], Expr]] = {
    AffineBinaryOpKind.Add: Expr.__add__,
    AffineBinaryOpKind.Mul: Expr.__mul__,
    AffineBinaryOpKind.FloorDiv: Expr.__floordiv__,
    AffineBinaryOpKind.Mod: Expr.__mod__,
}
