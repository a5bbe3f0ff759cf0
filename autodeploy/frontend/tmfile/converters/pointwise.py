"""Operators that compute each element from those at the same place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.activation import (
    ClipOp,
    EluOp,
    GeluOp,
    HardSigmoidOp,
    LeakyReluOp,
    MishOp,
    PReluOp,
    ReluOp,
    SigmoidOp,
    SoftplusOp,
    TanhOp,
)
from autodeploy.dialects.nn.arithmetic import (
    AbsOp,
    AddOp,
    CeilOp,
    CosOp,
    DivOp,
    ExpOp,
    FloorOp,
    LogOp,
    MaxOp,
    MinOp,
    MulOp,
    NegOp,
    PowOp,
    ReciprocalOp,
    RoundOp,
    SinOp,
    SqrtOp,
    SubOp,
)
from autodeploy.dialects.nn.logic import AndOp, EqualOp, LessOp, NotOp, OrOp, WhereOp
from autodeploy.dialects.nn.pointwise import BinaryOp, UnaryOp
from autodeploy.dialects.nn.types import element_count, element_of, shape_of
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder
from autodeploy.frontend.nn.functions import hard_swish, selu, tangent
from autodeploy.frontend.tmfile.converters.registry import Node, converts
from autodeploy.weights import numpy_dtype

_UNARY: dict[str, type[UnaryOp]] = {
    "Absval": AbsOp,
    "Ceil": CeilOp,
    "Round": RoundOp,
    "Gelu": GeluOp,
    "Sigmoid": SigmoidOp,
    "Logistic": SigmoidOp,
    "Tanh": TanhOp,
    "Mish": MishOp,
    "Softplus": SoftplusOp,
    "Reciprocal": ReciprocalOp,
}


@converts(*_UNARY, on_images=True)
def unary(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert a function that nn has too."""
    return [b.emit(_UNARY[node.operator](node.operand(0)))]


_OF_PARAMETERS: dict[str, Callable[[NnBuilder, SSAValue, Node], SSAValue]] = {
    "ReLu6": lambda b, x, _: b.emit(ClipOp(x, 0.0, 6.0)),
    "ReLU1": lambda b, x, _: b.emit(ClipOp(x, -1.0, 1.0)),
    "Clip": lambda b, x, node: b.emit(ClipOp(x, node.number("min"), node.number("max"))),
    "Elu": lambda b, x, node: b.emit(EluOp(x, node.number("alpha"))),
    "Selu": lambda b, x, node: selu(b, x, node.number("alpha"), node.number("lambda")),
    "Hardsigmoid": lambda b, x, node: b.emit(
        HardSigmoidOp(x, node.number("alpha"), node.number("beta"))
    ),
    # Tengine computes it without its parameters.
    "HardSwish": lambda b, x, _: hard_swish(b, x),
}


@converts(*_OF_PARAMETERS, on_images=True)
def activation(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert a function of one operand that may have parameters."""
    return [_OF_PARAMETERS[node.operator](b, node.operand(0), node)]


@converts("Dropout", "Noop", on_images=True)
def identity(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert what does nothing when a network is not trained."""
    return [node.operand(0)]


@converts("ReLu", on_images=True)
def relu(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert ReLu, which is leaky with a ``negative_slope``."""
    x, slope = node.operand(0), node.number("negative_slope")
    return [b.emit(ReluOp(x) if slope == 0 else LeakyReluOp(x, slope))]


@converts("Threshold", on_images=True)
def threshold(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Threshold: 1 above the threshold, 0 elsewhere."""
    x = node.operand(0)
    element = element_of(x.type)
    return [b.cast(b.emit(LessOp(b.scalar(node.number("threshold"), element), x)), element)]


@converts("ZerosLike", on_images=True)
def zeros_like(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert ZerosLike to a constant."""
    x = node.operand(0)
    zero = np.zeros((), numpy_dtype(element_of(x.type)))
    return [b.make_constant(np.broadcast_to(zero, shape_of(x.type)))]


@converts("PReLU", on_images=True)
def prelu(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert PReLU, whose slopes are one, or one a channel."""
    x = node.operand(0)
    return [b.emit(PReluOp(x, _per_channel(b, x, node.weight(b, 1))))]


@converts("Bias", on_images=True)
def bias(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Bias, which adds a number to each channel."""
    x = node.operand(0)
    return [b.emit(AddOp(x, _per_channel(b, x, node.weight(b, 1))))]


@converts("Scale", on_images=True)
def scale(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Scale: each channel times a number, plus another where there is one."""
    x = node.operand(0)
    if (axis := node.integer("axis", 1)) != 1:
        raise ConversionError(f"axis {axis} is not supported, expected 1")
    result = b.emit(MulOp(x, _per_channel(b, x, node.weight(b, 1))))
    shift = node.parameter(b, 2)
    return [result if shift is None else b.emit(AddOp(result, _per_channel(b, x, shift)))]


@converts("BroadMul", on_images=True)
def broadcast_product(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert BroadMul, whose operands have one rank."""
    return [b.emit(MulOp(node.operand(0), node.weight(b, 1)))]


def _per_channel(b: NnBuilder, x: SSAValue, parameter: SSAValue) -> SSAValue:
    """Give a parameter of one value a channel, which is axis 1, the shape that broadcasts to x."""
    shape, count = shape_of(x.type), element_count(parameter.type)
    if count != 1 and (len(shape) < 2 or shape[1] != count):
        raise ConversionError(f"{count} parameters do not fit the channels of {x.type}")
    return b.reshape(parameter, (count, *[1] * max(len(shape) - 2, 0)))


_Function = Callable[[NnBuilder, SSAValue], SSAValue]


def _plain(op: type[UnaryOp]) -> _Function:
    return lambda b, x: b.emit(op(x))


def _inverse_root(b: NnBuilder, x: SSAValue) -> SSAValue:
    return b.emit(ReciprocalOp(b.emit(SqrtOp(x))))


def _square(b: NnBuilder, x: SSAValue) -> SSAValue:
    return b.emit(MulOp(x, x))


_FUNCTIONS: dict[int, _Function] = {
    0: _plain(AbsOp),
    1: _plain(NegOp),
    2: _plain(FloorOp),
    3: _plain(CeilOp),
    4: _square,
    5: _plain(SqrtOp),
    6: _inverse_root,
    7: _plain(ExpOp),
    8: _plain(LogOp),
    9: _plain(SinOp),
    10: _plain(CosOp),
    11: tangent,
    15: _plain(ReciprocalOp),
    16: _plain(TanhOp),
}
"""The functions of Unary by ``type``; nn has no inverses of sine, cosine and tangent (12 to 14)."""


@converts("Unary", on_images=True)
def function(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Unary."""
    build = _FUNCTIONS.get(kind := node.integer("type"))
    if build is None:
        raise ConversionError(f"type {kind} is not supported")
    return [build(b, node.operand(0))]


_BINARY_TYPES: dict[int, type[BinaryOp]] = {
    0: MulOp, 1: MulOp, 2: AddOp, 3: AddOp, 4: SubOp, 5: SubOp, 6: MaxOp, 8: MinOp, 10: DivOp,
    16: PowOp,
}  # fmt: skip
_UNARY_TYPES: dict[int, _Function] = {
    7: _inverse_root,
    11: _plain(LogOp),
    12: _plain(ExpOp),
    13: _plain(SqrtOp),
    14: _plain(FloorOp),
    15: _square,
}
_POWER = 17


@converts("Eltwise")
def elementwise(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Eltwise: arithmetic of two operands, or a function of one, by ``type``."""
    kind, x = node.integer("type"), node.operand(0)
    if kind in _UNARY_TYPES:
        return [_UNARY_TYPES[kind](b, x)]
    if kind == _POWER:
        element = element_of(x.type)
        inner = b.emit(MulOp(x, b.scalar(node.number("scale"), element)))
        inner = b.emit(AddOp(inner, b.scalar(node.number("shift"), element)))
        return [b.emit(PowOp(inner, b.scalar(node.number("power"), element)))]
    if kind not in _BINARY_TYPES:
        raise ConversionError(f"type {kind} is not supported")
    return [_chain(b, _BINARY_TYPES[kind], node)]


_CHAINS: dict[str, type[BinaryOp]] = {"Max": MaxOp, "Min": MinOp, "Addn": AddOp, "Mean": AddOp}


@converts(*_CHAINS)
def chain(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert an operator of any number of operands, from the left to the right."""
    result = _chain(b, _CHAINS[node.operator], node)
    if node.operator == "Mean":
        result = b.emit(DivOp(result, b.scalar(len(node.operands), element_of(result.type))))
    return [result]


@converts("SquaredDifference")
def squared_difference(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert SquaredDifference."""
    return [_square(b, _chain(b, SubOp, node))]


def _chain(b: NnBuilder, op: type[BinaryOp], node: Node) -> SSAValue:
    """Apply an op to all operands, from the left to the right; at least two are needed."""
    node.operand(1)
    others = [node.weight(b, index) for index in range(1, len(node.operands))]
    return reduce(lambda x, y: b.emit(op(*_aligned(b, x, y))), others, node.operand(0))


def _aligned(b: NnBuilder, x: SSAValue, y: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Give an operand of rank 1 that has one number a channel of the other, an image, its shape.

    All else broadcasts as NumPy has it.
    """
    return _as_channels(b, x, y), _as_channels(b, y, x)


def _as_channels(b: NnBuilder, x: SSAValue, image: SSAValue) -> SSAValue:
    shape, channels = shape_of(x.type), shape_of(image.type)
    if len(shape) == 1 and len(channels) == 4 and shape[0] == channels[1]:
        return b.reshape(x, (shape[0], 1, 1))
    return x


@converts("Comparison")
def comparison(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Comparison, whose result has numbers 0 and 1; by ``type``: = != > >= < <=."""
    x, y = _aligned(b, node.operand(0), node.weight(b, 1))
    match node.integer("type"):
        case 0:
            found = b.emit(EqualOp(x, y))
        case 1:
            found = b.emit(NotOp(b.emit(EqualOp(x, y))))
        case 2:
            found = b.emit(LessOp(y, x))
        case 3:
            found = b.emit(OrOp(b.emit(LessOp(y, x)), b.emit(EqualOp(x, y))))
        case 4:
            found = b.emit(LessOp(x, y))
        case 5:
            found = b.emit(OrOp(b.emit(LessOp(x, y)), b.emit(EqualOp(x, y))))
        case kind:
            raise ConversionError(f"type {kind} is unknown, expected 0 to 5")
    return [b.cast(found, element_of(x.type))]


@converts("Logical")
def logical(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Logical: what is not 0 is true, the result has numbers 0 and 1."""
    kind = node.integer("type")
    if kind not in (0, 1):
        raise ConversionError(f"type {kind} is unknown, expected 0 (and) or 1 (or)")
    x, y = _aligned(b, node.operand(0), node.weight(b, 1))
    both = (AndOp if kind == 0 else OrOp)(b.cast(x, i1), b.cast(y, i1))
    return [b.cast(b.emit(both), element_of(x.type))]


@converts("Where")
def where(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Where: the second input where the first is not 0, the third elsewhere."""
    condition, x = b.cast(node.operand(0), i1), node.operand(1)
    return [b.emit(WhereOp(condition, x, b.cast(node.operand(2), element_of(x.type))))]


@converts("Cast", on_images=True)
def cast(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Cast to the type that the file states for the result; quantised ones are floats."""
    return [b.cast(node.operand(0), node.results[0])]
