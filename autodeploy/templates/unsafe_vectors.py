"""Vectors that Halide computes wrongly, or not on all targets; their loops stay loops.

Pairs of floats: where an expression takes a remainder by 2 of a loop that is a vector, Halide
computes the even and the odd lanes by themselves. Of a vector of two lanes that leaves two numbers
``a`` and ``b``, which its simplifier joins as ``ramp(a, b - a, 2)``: the second is ``a + (b - a)``.
That is right for integers. For floats it rounds, and of two infinities it makes nan.

Guarded calls: where a function of the C library is called for a vector of which a guard leaves out
lanes, Halide takes all of it apart. Its C backend has no loads of one lane with a guard.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import f64
from xdsl.ir import Operation

from autodeploy.dialects.halide import expression as ex
from autodeploy.dialects.halide import schedule as h
from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.dialects.halide.types import FuncType
from autodeploy.dialects.nn.types import is_float
from autodeploy.templates.view import PipelineView, ScheduleBuilder

_CALLS = (ex.SqrtOp, ex.SinOp, ex.CosOp, ex.FloorOp, ex.CeilOp)
_CALLS_OF_DOUBLES = (ex.ExpOp, ex.LogOp, ex.TanhOp, ex.ErfOp, ex.PowOp)


def drop_unsafe_vectors(view: PipelineView, builder: ScheduleBuilder) -> None:
    """Drop the directives that make such vectors."""
    pairs = _takes_remainders_by_two(view)
    calls = any(_is_library_call(op) for op in view.pipeline.walk())
    for directive in [op for op in builder.block.ops if isinstance(op, h.VectorizeOp)]:
        splits = list(_splits(directive, builder))
        if (pairs and _is_float_pair(directive, splits)) or (
            calls and any(split.tail.data is Tail.GUARD_WITH_IF for split in splits)
        ):
            directive.detach()
            directive.erase()


def _takes_remainders_by_two(view: PipelineView) -> bool:
    # A func may be computed in the loops of another, so all of them count.
    divisors = [op.rhs.owner for op in view.pipeline.walk() if isinstance(op, ex.ModOp)]
    return any(isinstance(op, ex.ConstOp) and op.value.value.data == 2 for op in divisors)


def _is_library_call(op: Operation) -> bool:
    return isinstance(op, _CALLS) or (
        isinstance(op, _CALLS_OF_DOUBLES) and op.results[0].type == f64
    )


def _splits(directive: h.VectorizeOp, builder: ScheduleBuilder) -> Iterator[h.SplitOp]:
    """Yield the splits of which a loop is the inner part, the last one first."""
    name = directive.var.data
    for op in reversed(list(builder.block.ops)):
        if not isinstance(op, h.SplitOp) or op.inner.data != name:
            continue
        if op.func is directive.func and op.stage == directive.stage:
            yield op
            name = op.old.data


def _is_float_pair(directive: h.VectorizeOp, splits: list[h.SplitOp]) -> bool:
    func = directive.func.owner
    assert isinstance(func, FuncOp) and isinstance(func.result.type, FuncType)
    if not is_float(func.result.type.element):
        return False
    if directive.factor is not None:
        return directive.factor.value.data == 2
    if splits:
        return splits[0].factor.value.data == 2
    name = directive.var.data
    extents = func.known_extents if func.extents is not None else ()
    return name in func.var_names[: len(extents)] and extents[func.var_names.index(name)] == 2
