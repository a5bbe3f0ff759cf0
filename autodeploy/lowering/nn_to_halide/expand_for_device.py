"""``expand-for-device``: expressions as kernels of a device need them.

The language of kernels on a device gets the same expressions wrong as C does (``expand-for-c``).
Floats that are computed from constants alone, and comparisons of such floats, become constants:
Halide would compute them on the processor and give them to the kernel at each start, and a start is
a row of constants.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.halide import expression as h
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.schedule import VectorizeOp
from autodeploy.dialects.halide.strict import matters
from autodeploy.dialects.nn.types import ui32
from autodeploy.lowering.nn_to_halide.expand_for_c import expand_for_c
from autodeploy.lowering.nn_to_halide.expression import Before, Expr, replace


def _least(a: np.float32, b: np.float32) -> np.float32:
    """Return the second number if one is nan, and if they are equal, as Halide does."""
    return a if a < b else b


def _largest(a: np.float32, b: np.float32) -> np.float32:
    """Return the second number in the same cases as ``_least``."""
    return a if a > b else b


_FUNCTIONS: Mapping[type[Operation], Callable[..., Any]] = {
    h.AddOp: operator.add,
    h.SubOp: operator.sub,
    h.MulOp: operator.mul,
    h.DivOp: np.divide,
    h.MinOp: _least,
    h.MaxOp: _largest,
    h.AbsOp: np.abs,
    h.SqrtOp: np.sqrt,
    h.ExpOp: np.exp,
    h.LogOp: np.log,
    h.FloorOp: np.floor,
    h.CeilOp: np.ceil,
    h.StrictOp: operator.pos,
    h.CastOp: np.float32,
}
"""The functions of ops on floats of 32 bits."""

_COMPARISONS: Mapping[type[Operation], Callable[..., Any]] = {
    h.EqOp: operator.eq,
    h.LtOp: operator.lt,
    h.IsNanOp: np.isnan,
}
"""The functions of comparisons of such floats."""


class ExpandForDevicePass(ModulePass):
    """Rewrite the expressions of all pipelines that run on a device.

    ``compile-kernels`` does this; the pass shows the result.
    """

    name = "expand-for-device"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all pipelines of the module that are on the device."""
        for pipeline in [p for p in op.walk() if isinstance(p, PipelineOp)]:
            if pipeline.on_device is not None:
                expand_for_device(pipeline)


def expand_for_device(pipeline: PipelineOp) -> None:
    """Rewrite one pipeline in place."""
    expand_for_c(pipeline)
    has_vectors = any(isinstance(op, VectorizeOp) for op in pipeline.walk())
    for op in list(pipeline.walk()):
        if not op.operands:
            continue
        expression = _folded(op, Before(op)) or _expanded(op, Before(op), has_vectors)
        if expression is not None:
            replace(op, expression)
    for op in list(pipeline.walk()):
        if isinstance(op, h.StrictOp) and not matters(op):
            Rewriter.replace_op(op, [], [op.x])


def _folded(op: Operation, scope: Before) -> Expr | None:
    """Return a float, or a comparison of floats, that is computed from constants."""
    if isinstance(op, h.ReinterpretOp):
        return _folded_bits(op, scope)
    functions, typed = _FUNCTIONS, op.results
    if type(op) in _COMPARISONS:
        functions, typed = _COMPARISONS, op.operands
    function = functions.get(type(op))
    numbers = [_number(value) for value in op.operands]
    if function is None or typed[0].type != f32 or None in numbers:
        return None
    with np.errstate(all="ignore"):
        found = function(*numbers)
    type_ = op.results[0].type
    return scope.const(float(found) if type_ == f32 else int(found), type_)


_WORDS: Mapping[Attribute, Any] = {f32: np.float32, i32: np.int32, ui32: np.uint32}


def _folded_bits(op: h.ReinterpretOp, scope: Before) -> Expr | None:
    """Return the bits of a constant, if a constant has these bits: not each nan is one."""
    given, wanted = _WORDS.get(op.x.type), _WORDS.get(op.result.type)
    number = _number(op.x)
    if given is None or wanted is None or number is None:
        return None
    found = given(number).view(wanted)
    if np.isnan(found) and found.view(np.uint32) != np.float32(math.nan).view(np.uint32):
        return None
    return scope.const(found.item(), op.result.type)


def _expanded(op: Operation, scope: Before, has_vectors: bool) -> Expr | None:
    """Return an expression for an op for which functions of devices may give something else."""
    match op:
        case h.MaxOp() if op.result.type == f32:
            a, b = scope.expr(op.lhs), scope.expr(op.rhs)
            return _chosen(a, b, Expr.maximum) if has_vectors else (b < a).strict().select(a, b)
        case h.MinOp() if op.result.type == f32:
            a, b = scope.expr(op.lhs), scope.expr(op.rhs)
            return _chosen(a, b, Expr.minimum) if has_vectors else (a < b).strict().select(a, b)
        case h.FloorOp() if op.x.type == f32:
            return _of_subnormals(op, scope, _NEGATIVE_ZERO + 1, -1.0)
        case h.CeilOp() if op.x.type == f32:
            return _of_subnormals(op, scope, 1, 1.0)
        case h.IsNanOp() if op.x.type == f32 and has_vectors:
            return _is_nan_by_bits(scope.expr(op.x))
        case h.SinOp() if op.x.type == f32 and has_vectors:
            x = scope.expr(op.x)
            return _is_small_angle(x).select(x * (1.0 - x * x * (1 / 6)), x.sin())
        case h.CosOp() if op.x.type == f32 and has_vectors:
            x = scope.expr(op.x)
            return _is_small_angle(x).select(1.0 - x * x * 0.5, x.cos())
        case _:
            return None


def _chosen(a: Expr, b: Expr, choose: Callable[[Expr, Expr], Expr]) -> Expr:
    """Return the second operand if one of them is nan, and if they are equal.

    The functions of devices say nothing of nan, and take the first one of zeros of both signs.
    """
    if any(x.number is not None and math.isnan(x.number) for x in (a, b)):
        return b
    chosen = choose(b, a)
    unknown = [x for x in (a, b) if x.number is None]
    return reduce(Expr.__or__, map(_is_nan_by_bits, unknown)).select(b, chosen)


_NEGATIVE_ZERO = 1 << 31
_SUBNORMALS = (1 << 23) - 1
"""How many numbers of a sign are too small to have all digits."""


def _of_subnormals(op: h.FloorOp | h.CeilOp, scope: Before, first: int, whole: float) -> Expr:
    """Return ``whole`` where the bits are those of a subnormal number from ``first`` on.

    Devices may take such a number for 0.
    """
    x = scope.expr(op.x)
    rounded = x.floor() if isinstance(op, h.FloorOp) else x.ceil()
    is_subnormal = x.reinterpret(ui32) - first < _SUBNORMALS
    return is_subnormal.select(x.same(whole), rounded)


def _is_small_angle(x: Expr) -> Expr:
    """Return whether a number is below 2^-6, where two terms of a series are exact enough.

    PoCL's sines of vectors are wrong below 2^-7 if another element of the vector is large.
    """
    return x.reinterpret(ui32) % (1 << 31) < (127 - 6) << 23


def _is_nan_by_bits(x: Expr) -> Expr:
    """Compare integers: Halide writes vectors of that, and compilers know nothing of them."""
    return x.reinterpret(ui32) % (1 << 31) > 0x7F800000


def _number(value: SSAValue) -> np.float32 | int | None:
    owner = value.owner
    if not isinstance(owner, h.ConstOp):
        return None
    number = owner.value.value.data
    return np.float32(number) if value.type == f32 else int(number)
