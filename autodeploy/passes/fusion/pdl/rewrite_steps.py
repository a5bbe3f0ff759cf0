"""The steps that a rewrite consists of; they go on with the bindings of the match.

Each function here returns a step; ``into`` is the slot that it fills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, SSAValue

from autodeploy.passes.fusion.natives import Native, NativeError, PatternContext
from autodeploy.passes.fusion.pdl.match_steps import Bindings
from autodeploy.passes.fusion.pdl.segments import sizes_names
from autodeploy.passes.fusion.pdl.source import Fail

RewriteStep: TypeAlias = Callable[[Bindings, PatternContext], object]
"""Change the IR or fill slots; raises ``PatternError`` for a change that is not allowed."""

_KINDS: dict[str, tuple[type, ...]] = {
    "operation": (Operation,),
    "value": (SSAValue,),
    "attribute": (Attribute, type(None)),
    "type": (Attribute,),
    "range": (tuple, list),
}


@dataclass(frozen=True)
class Sizes:
    """How a created op stores the sizes of its segments: the slots that each one is made of."""

    name: str
    as_property: bool
    groups: Sequence[Sequence[int]]


@dataclass(frozen=True)
class NamedSlot:
    """An attribute of a created op, and the slot that holds its value."""

    name: str
    slot: int
    is_property: bool


@dataclass(frozen=True)
class Creation:
    """The parts of a created op.

    ``location`` is the slot of the op that it takes it from, ``like`` that of the op whose other
    attributes it copies.
    """

    op_class: type[Operation]
    operands: Sequence[int]
    attributes: Sequence[NamedSlot]
    types: Sequence[int]
    sizes: Sequence[Sizes]
    location: int
    like: int | None = None


def _flat(env: Bindings, slots: Sequence[int]) -> Iterator[Any]:
    for slot in slots:
        held: Any = env[slot]
        if isinstance(held, tuple):
            yield from cast(tuple[Any, ...], held)
        else:
            yield held


def result_of(op: int, index: int, into: int, fail: Fail) -> RewriteStep:
    """Take one result of an op."""

    def step(env: Bindings, _ctx: PatternContext) -> None:
        held: Operation = env[op]
        if index >= len(held.results):
            raise fail(f"result {index} of '{held.name}' is asked for, it has {len(held.results)}")
        env[into] = held.results[index]

    return step


def only_value_of(values: int, into: int, fail: Fail) -> RewriteStep:
    """Take the one value of a range."""

    def step(env: Bindings, _ctx: PatternContext) -> None:
        held: Sequence[SSAValue] = env[values]
        if len(held) != 1:
            raise fail(f"one result is asked for, the group has {len(held)}")
        env[into] = held[0]

    return step


def concatenate(parts: Sequence[int], into: int) -> RewriteStep:
    """Make a range of values, types or ranges of them."""

    def step(env: Bindings, _ctx: PatternContext) -> None:
        env[into] = tuple(_flat(env, parts))

    return step


def types_of_replaced(replaced: Sequence[tuple[int, int | None]], into: int) -> RewriteStep:
    """Take the types of the values that new results replace.

    Each is given by the slot of the replaced op and the index of its result, ``None`` for all.
    """

    def step(env: Bindings, _ctx: PatternContext) -> None:
        types: list[Attribute] = []
        for slot, index in replaced:
            op: Operation = env[slot]
            results = op.results if index is None else op.results[index : index + 1]
            types += [result.type for result in results]
        env[into] = tuple(types)

    return step


def create(creation: Creation, into: int) -> RewriteStep:
    """Create an op before the root; an attribute that is ``None`` is left out."""
    own_sizes = sizes_names(creation.op_class)

    def step(env: Bindings, ctx: PatternContext) -> None:
        properties: dict[str, Attribute] = {}
        attributes: dict[str, Attribute] = {}
        if creation.like is not None:
            old: Operation = env[creation.like]
            properties |= {n: a for n, a in old.properties.items() if n not in own_sizes}
            attributes |= {n: a for n, a in old.attributes.items() if n not in own_sizes}
        for sizes in creation.sizes:
            counts = [len(list(_flat(env, group))) for group in sizes.groups]
            table = properties if sizes.as_property else attributes
            table[sizes.name] = DenseArrayBase.from_list(i32, counts)
        for named in creation.attributes:
            table = properties if named.is_property else attributes
            if env[named.slot] is None:
                table.pop(named.name, None)
            else:
                table[named.name] = env[named.slot]
        op = creation.op_class.create(
            operands=list(_flat(env, creation.operands)),
            result_types=list(_flat(env, creation.types)),
            properties=properties,
            attributes=attributes,
            location=env[creation.location].location,
        )
        ctx.rewriter.insert(op)
        env[into] = op

    return step


def replace(op: int, new_op: int | None, new_values: Sequence[int], fail: Fail) -> RewriteStep:
    """Replace an op by the results of another or by values, which must have its types."""

    def step(env: Bindings, ctx: PatternContext) -> None:
        old: Operation = env[op]
        new: list[SSAValue] = list(
            _flat(env, new_values) if new_op is None else cast(Operation, env[new_op]).results
        )
        if len(new) != len(old.results):
            raise fail(
                f"'{old.name}' with {len(old.results)} results is replaced by {len(new)} values"
            )
        if any(value.owner is old for value in new):
            raise fail(f"'{old.name}' is replaced by a result of its own")
        for index, (result, value) in enumerate(zip(old.results, new, strict=True)):
            if result.type != value.type:
                raise fail(
                    f"result {index} of '{old.name}' has type {result.type}, "
                    f"its replacement {value.type}"
                )
        ctx.rewriter.replace(old, [], new)

    return step


def erase(op: int, fail: Fail) -> RewriteStep:
    """Erase an op that is not used."""

    def step(env: Bindings, ctx: PatternContext) -> None:
        held: Operation = env[op]
        if any(result.first_use is not None for result in held.results):
            raise fail(f"'{held.name}' is erased, but its results are used")
        ctx.rewriter.erase(held)

    return step


def call_native(
    native: Native, arguments: Sequence[int], results: Sequence[tuple[int, str]], fail: Fail
) -> RewriteStep:
    """Call a native rewrite and take its results, each given by slot and kind."""

    def step(env: Bindings, ctx: PatternContext) -> None:
        try:
            answer: object = native.function(ctx, *[env[slot] for slot in arguments])
        except NativeError as error:
            raise fail(f"native rewrite '{native.name}': {error}") from None
        answers: tuple[Any, ...] = (answer,)
        if len(results) != 1 and isinstance(answer, tuple):
            answers = cast(tuple[Any, ...], answer)
        elif not results and answer is None:
            answers = ()
        if len(answers) != len(results):
            raise fail(
                f"native rewrite '{native.name}' gave {len(answers)} results, "
                f"the pattern takes {len(results)}"
            )
        for (slot, kind), result in zip(results, answers, strict=True):
            if not isinstance(result, _KINDS[kind]):
                found = "nothing" if result is None else type(result).__name__
                raise fail(
                    f"native rewrite '{native.name}' gave {found}, the pattern takes the kind "
                    f"'{kind}'"
                )
            env[slot] = tuple(result) if kind == "range" else result

    return step
