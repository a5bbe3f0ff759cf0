"""The steps that a match consists of.

Every pdl value has a slot in one list, the bindings. A step reads slots that earlier steps filled,
fills others, and tells whether the match may go on. Each function here returns a step; ``into`` is
the slot that it fills.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from xdsl.ir import Attribute, Operation, OpResult, SSAValue, TypedAttribute

from autodeploy.passes.fusion.natives import Native, PatternContext
from autodeploy.passes.fusion.pdl.source import Fail

Bindings: TypeAlias = list[Any]
"""The content of each slot: an op, value, attribute or type; a tuple for a range."""

Step: TypeAlias = Callable[[Bindings, PatternContext], bool]
"""Fill slots, and tell whether the match may go on."""


def has_name(op: int, name: str) -> Step:
    """Check the name of an op."""
    return lambda env, _ctx: env[op].name == name


def equal(left: int, right: int) -> Step:
    """Check that two slots hold the same thing."""
    return lambda env, _ctx: env[left] == env[right]


def equals_constant(slot: int, constant: Attribute | tuple[Attribute, ...]) -> Step:
    """Check what a slot holds against a constant."""
    return lambda env, _ctx: env[slot] == constant


def _fills(into: int, value: Callable[[Bindings], object]) -> Step:
    """Put a value into a slot; the match goes on."""

    def step(env: Bindings, _ctx: PatternContext) -> bool:
        env[into] = value(env)
        return True

    return step


def literal(constant: Attribute | tuple[Attribute, ...], into: int) -> Step:
    """Put a constant into a slot."""
    return _fills(into, lambda _env: constant)


def attribute_of(op: int, name: str, default: Attribute | None, into: int) -> Step:
    """Take an attribute of an op, or its default; fail where there is neither."""

    def step(env: Bindings, _ctx: PatternContext) -> bool:
        value = cast(Operation, env[op]).get_attr_or_prop(name)
        env[into] = value = default if value is None else value
        return value is not None

    return step


def type_of_attribute(attribute: int, into: int) -> Step:
    """Take the type of an attribute; fail where it has none."""

    def step(env: Bindings, _ctx: PatternContext) -> bool:
        held = env[attribute]
        if not isinstance(held, TypedAttribute):
            return False
        env[into] = held.get_type()
        return True

    return step


def type_of(value: int, into: int) -> Step:
    """Take the type of a value, or those of a range."""

    def step(env: Bindings, _ctx: PatternContext) -> bool:
        held: SSAValue | tuple[SSAValue, ...] = env[value]
        env[into] = held.type if isinstance(held, SSAValue) else tuple(v.type for v in held)
        return True

    return step


def operands_of(op: int, into: int) -> Step:
    """Take the flat operands of an op."""
    return _fills(into, lambda env: env[op].operands)


def results_of(op: int, into: int) -> Step:
    """Take the flat results of an op, as a tuple."""
    return _fills(into, lambda env: tuple(env[op].results))


def segment_of(op: int, name: str, into: int) -> Step:
    """Take the values of one segment of an op's operands or results, as a tuple."""
    return _fills(into, lambda env: _segment(env[op], name))


def _segment(op: Operation, name: str) -> tuple[SSAValue, ...]:
    held: SSAValue | Sequence[SSAValue] | None = getattr(op, name, None)
    if held is None:
        return ()
    return (held,) if isinstance(held, SSAValue) else tuple(held)


def has_length(sequence: int, length: int) -> Step:
    """Check how many values there are."""
    return lambda env, _ctx: len(env[sequence]) == length


def has_length_of_at_least(sequence: int, length: int) -> Step:
    """Check that there are enough values."""
    return lambda env, _ctx: len(env[sequence]) >= length


def item(sequence: int, index: int, into: int) -> Step:
    """Take one value of several; a negative index counts from the last."""
    return _fills(into, lambda env: env[sequence][index])


def between(sequence: int, first: int, last: int, into: int) -> Step:
    """Take the values without the ``first`` few and the ``last`` few, as a tuple."""
    return _fills(into, lambda env: tuple(env[sequence])[first : len(env[sequence]) - last])


def producer_of(value: int, index: int, into: int) -> Step:
    """Take the op that has a value as its result with an index."""

    def step(env: Bindings, _ctx: PatternContext) -> bool:
        held: SSAValue = env[value]
        if not isinstance(held, OpResult) or held.index != index:
            return False
        env[into] = held.op
        return True

    return step


def producer_of_all(values: int, segment: str | None, into: int) -> Step:
    """Take the op whose results, all or those of one segment, are a range."""

    def step(env: Bindings, _ctx: PatternContext) -> bool:
        held: SSAValue | tuple[SSAValue, ...] = env[values]
        found = (held,) if isinstance(held, SSAValue) else held
        if not found or not isinstance(found[0], OpResult):
            return False
        op = found[0].op
        env[into] = op
        return found == (tuple(op.results) if segment is None else _segment(op, segment))

    return step


def constraint(
    native: Native, arguments: Sequence[int], results: Sequence[int], negated: bool, fail: Fail
) -> Step:
    """Call a native constraint and take its results."""

    def step(env: Bindings, ctx: PatternContext) -> bool:
        answer: object = native.function(ctx, *[env[slot] for slot in arguments])
        answers = cast(tuple[Any, ...], answer) if isinstance(answer, tuple) else (answer,)
        if bool(answers[0]) == negated:
            return False
        if negated:
            return True
        if len(answers) - 1 != len(results):
            raise fail(
                f"native constraint '{native.name}' gave {len(answers) - 1} results, "
                f"the pattern takes {len(results)}"
            )
        for slot, result in zip(results, answers[1:], strict=True):
            env[slot] = result
        return True

    return step
