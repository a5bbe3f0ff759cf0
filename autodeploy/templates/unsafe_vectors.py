"""Vectors that Halide computes wrongly, or not on all targets; their loops stay loops.

Pairs of floats: where an expression takes a remainder by 2 of a loop that is a vector, Halide
computes the even and the odd lanes by themselves. Of a vector of two lanes that leaves two numbers
``a`` and ``b``, which its simplifier joins as ``ramp(a, b - a, 2)``: the second is ``a + (b - a)``.
That is right for integers. For floats it rounds, and of two infinities it makes nan. The sums of
an atomic stage are no such pairs: each dot is a part of a longer vector.

Guarded calls: a guard may leave out lanes of a vector. If the C library is called for that vector,
Halide computes it lane by lane. Its C backend cannot load one lane under a guard.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import f64
from xdsl.ir import Operation

from autodeploy.dialects.halide import expression as ex
from autodeploy.dialects.halide import schedule as h
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp
from autodeploy.dialects.halide.types import FuncType, Tail
from autodeploy.dialects.nn.types import is_float
from autodeploy.templates.view import PipelineView, ScheduledPipeline

_CALLS = (ex.SqrtOp, ex.SinOp, ex.CosOp, ex.FloorOp, ex.CeilOp)
_CALLS_OF_DOUBLES = (ex.ExpOp, ex.LogOp, ex.TanhOp, ex.ErfOp, ex.PowOp)


def drop_unsafe_vectors(pipeline: ScheduledPipeline) -> None:
    """Drop the directives that make such vectors."""
    pairs = _takes_remainders_by_two(pipeline)
    atomic = {(op.func, op.stage) for op in pipeline.block.ops if isinstance(op, h.AtomicOp)}
    for directive in [op for op in pipeline.block.ops if isinstance(op, h.VectorizeOp)]:
        splits = list(_splits(directive, pipeline))
        is_dot = (directive.func, directive.stage) in atomic
        if (pairs and not is_dot and _is_float_pair(directive, splits)) or (
            any(split.tail.data is Tail.GUARD_WITH_IF for split in splits)
            and _calls_library(directive, pipeline)
        ):
            directive.detach()
            directive.erase()


def _takes_remainders_by_two(view: PipelineView) -> bool:
    # A func may be computed in the loops of another, so all of them count.
    divisors = [op.rhs.owner for op in view.op.walk() if isinstance(op, ex.ModOp)]
    return any(isinstance(op, ex.ConstOp) and op.value.value.data == 2 for op in divisors)


def _calls_library(directive: h.VectorizeOp, pipeline: ScheduledPipeline) -> bool:
    """Tell whether a stage, or a func that is computed within its expressions, calls a function."""
    func = directive.func.owner
    assert isinstance(func, FuncOp)
    placed = {
        op.func for op in pipeline.block.ops if isinstance(op, h.ComputeAtOp | h.ComputeRootOp)
    }
    number = directive.stage_index
    waiting: list[FuncOp | UpdateOp] = [pipeline.updates[func][number - 1] if number else func]
    while waiting:
        for op in waiting.pop().body.walk():
            if _is_library_call(op):
                return True
            source = op.source.owner if isinstance(op, LoadOp) else None
            if isinstance(source, FuncOp) and source is not func and source.result not in placed:
                waiting.append(source)
    return False


def _is_library_call(op: Operation) -> bool:
    return isinstance(op, _CALLS) or (
        isinstance(op, _CALLS_OF_DOUBLES) and op.results[0].type == f64
    )


def _splits(directive: h.VectorizeOp, pipeline: ScheduledPipeline) -> Iterator[h.SplitOp]:
    """Yield the splits that made a loop as their inner loop, the last split first."""
    name = directive.var.data
    for op in reversed(list(pipeline.block.ops)):
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
