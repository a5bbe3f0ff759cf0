"""Native functions: what a PDL pattern calls by name where the language ends.

A native function takes a ``PatternContext`` and the arguments of the pattern: an ``Operation``,
an ``SSAValue``, an ``Attribute`` (also for a type), a tuple of values or types for a range. If
its parameters are annotated, a pattern that passes another kind is refused when it is loaded.

Own functions go into a module of this package whose name starts with ``constraints`` or
``rewrites``; those are imported before the first pattern is compiled.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import UnionType
from typing import Any, TypeAlias, TypeVar, Union, get_args, get_origin

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.traits import ConstantLike

from autodeploy.weights import Array, WeightStore, constant_array

_MODULE_PREFIXES = ("constraints", "rewrites")
_PACKAGE = __name__.rpartition(".")[0]

Found: TypeAlias = bool | tuple[bool, *tuple[Attribute | None, ...]]
"""Whether a constraint holds, and the attributes that it then gives."""

_F = TypeVar("_F", bound=Callable[..., Any])


class NativeError(Exception):
    """A native rewrite cannot do what a pattern asks of it; the message says why."""


@dataclass(frozen=True)
class PatternContext:
    """The context of a native function besides its arguments.

    A constraint only looks. A rewrite changes the IR through ``rewriter`` alone, which inserts
    before the root and keeps the worklist; an op changed in place is announced by
    ``rewriter.notify_op_modified``.
    """

    context: Context
    rewriter: PatternRewriter

    @property
    def store(self) -> WeightStore:
        """The weights."""
        return WeightStore.of(self.context)

    def array(self, value: SSAValue) -> Array | None:
        """Return the array of a value that is a constant."""
        return constant_array(self.context, value)

    def stored(self, *arrays: Array) -> tuple[Attribute, ...]:
        """Return for each of some arrays the value of a constant, and its type."""
        values = map(self.store.attribute, arrays)
        return tuple(part for value in values for part in (value, value.type))


@dataclass(frozen=True)
class Native:
    """A registered function; ``makes`` says what a rewrite adds to the IR."""

    name: str
    function: Callable[..., Any]
    makes: tuple[str, ...] = ()
    _signature: inspect.Signature = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            signature = inspect.signature(self.function, eval_str=True)
        except NameError:  # annotations that only a type checker can resolve
            signature = inspect.signature(self.function)
        object.__setattr__(self, "_signature", signature)

    def misfit(self, arguments: Sequence[SSAValue]) -> str | None:
        """Say why the function cannot take these pdl values, ``None`` if it can."""
        try:
            bound = self._signature.bind(None, *arguments)
        except TypeError as error:
            return f"{error} (found {len(arguments)} arguments)"
        expected: list[Any] = []
        for name in bound.arguments:
            parameter = self._signature.parameters[name]
            count = (
                len(bound.arguments[name])
                if parameter.kind is inspect.Parameter.VAR_POSITIONAL
                else 1
            )
            expected += [parameter.annotation] * count
        for place, (argument, annotation) in enumerate(
            zip(arguments, expected[1:], strict=True), start=1
        ):
            kinds, found = _kinds_of(annotation), kind_of(argument)
            if kinds is not None and found not in kinds:
                return f"argument {place} takes {' or '.join(sorted(kinds))}, found {found}"
            constant = argument.owner.value if isinstance(argument.owner, pdl.AttributeOp) else None
            if constant is not None and not _admits(annotation, constant):
                return f"argument {place} takes {_spelled(annotation)}, found {constant}"
        return None


CONSTRAINTS: dict[str, Native] = {}
"""Native constraints by name."""

REWRITES: dict[str, Native] = {}
"""Native rewrites by name."""


def native_constraint(name: str) -> Callable[[_F], _F]:
    """Register a constraint: ``(ctx, *arguments) -> bool`` or ``(True, *results)``.

    A result that is ``None`` stands for an attribute that is not there: an op created with it goes
    without.
    """

    def register(function: _F) -> _F:
        _register(CONSTRAINTS, Native(name, function))
        return function

    return register


def native_rewrite(name: str, makes: Sequence[str] = ()) -> Callable[[_F], _F]:
    """Register a rewrite: ``(ctx, *arguments)`` that returns the results of the pdl op.

    A failure is a ``NativeError``, which is reported with the place in the pattern. No result
    is ``None``, one result is the thing itself, several are a tuple; an attribute may be
    ``None``. As ``pdl.rewrite %root with "name"(…)`` it gets the root first and returns nothing; a
    rewrite that leaves the IR alone counts as not matched.

    ``makes`` lists all ops that the function puts into the IR, constants aside, each with the
    attributes and optional operands that it adds to the matched ones: ``"nn.kernel"``,
    ``"nn.conv{groups}"``, ``"nn.conv(bias)"``, ``"nn.conv(bias){groups}"``.
    """

    def register(function: _F) -> _F:
        _register(REWRITES, Native(name, function, tuple(makes)))
        return function

    return register


def _register(table: dict[str, Native], native: Native) -> None:
    if native.name in table:
        raise ValueError(f"native function '{native.name}' is registered twice")
    table[native.name] = native


def import_native_modules() -> None:
    """Import the modules of this package that register native functions."""
    for module in iter_modules([str(Path(__file__).parent)]):
        if module.name.startswith(_MODULE_PREFIXES):
            import_module(f"{_PACKAGE}.{module.name}")


def kind_of(value: SSAValue) -> str:
    """Return what a pdl value stands for: operation, value, attribute, type or range."""
    match value.type:
        case pdl.OperationType():
            return "operation"
        case pdl.ValueType():
            return "value"
        case pdl.AttributeType():
            return "attribute"
        case pdl.TypeType():
            return "type"
        case _:
            return "range"


def _kinds_of(annotation: Any) -> frozenset[str] | None:
    """Return the kinds that an annotation admits, ``None`` if it says nothing."""
    origin: Any = get_origin(annotation) or annotation
    if origin in (Union, UnionType):
        kinds: frozenset[str] = frozenset()
        for member in get_args(annotation):
            if member is type(None):
                continue
            of_member = _kinds_of(member)
            if of_member is None:
                return None
            kinds |= of_member
        return kinds
    if not isinstance(origin, type) or origin is inspect.Parameter.empty:
        return None
    if issubclass(origin, Operation):
        return frozenset({"operation"})
    if issubclass(origin, SSAValue):
        return frozenset({"value"})
    if issubclass(origin, Attribute):
        return frozenset({"attribute", "type"})
    if issubclass(origin, Sequence):
        return frozenset({"range"})
    return None


def _admits(annotation: Any, constant: Attribute) -> bool:
    """Return whether an attribute is what an annotation asks for, as far as that can be told."""
    origin: Any = get_origin(annotation) or annotation
    if not isinstance(origin, type) or not issubclass(origin, Attribute):
        return True
    return isinstance(constant, origin)


def _spelled(annotation: Any) -> str:
    """Return how a message names the attributes that an annotation asks for: ``a FloatAttr``."""
    name = str((get_origin(annotation) or annotation).__name__)
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def declared_default(op_class: type[Operation] | None, name: str) -> Attribute | None:
    """Return the value that an op's definition gives to an attribute which is left out."""
    if op_class is None or not issubclass(op_class, IRDLOperation):
        return None
    definition = op_class.get_irdl_definition()
    declared = definition.properties.get(name) or definition.attributes.get(name)
    return None if declared is None else declared.default_value


ATTRIBUTE_ABSENT = "attribute_absent"
"""The constraint that the order of passes understands."""

COMMUTATIVE = "commutative"
"""The constraint that is none: the two operands of its op match in either order."""

COPY_ATTRIBUTES = "copy_attributes"
"""The rewrite that is none: an op is created with the attributes of another one."""


@native_constraint(COMMUTATIVE)
def commutative(_ctx: PatternContext, _op: Operation) -> bool:
    """Let the two operands of an op match in either order: the matcher tries both."""
    return True


@native_rewrite(COPY_ATTRIBUTES)
def copy_attributes(_ctx: PatternContext, _old: Operation, _new: Operation) -> None:
    """Let an op be created with all attributes of another one but those that it is given itself.

    Attributes that store the sizes of operand or result lists are not copied.
    """


@native_constraint("has_one_use")
def has_one_use(_ctx: PatternContext, value: SSAValue) -> bool:
    """Return whether a value has exactly one use; being returned by the function is a use too."""
    return value.has_one_use()


@native_constraint("is_constant")
def is_constant(_ctx: PatternContext, value: SSAValue) -> bool:
    """Return whether a value is defined by a constant op."""
    return isinstance(value.owner, Operation) and value.owner.has_trait(
        ConstantLike, value_if_unregistered=False
    )


@native_constraint("same_type")
def same_type(_ctx: PatternContext, *values: SSAValue) -> bool:
    """Return whether all values have one type."""
    return len({value.type for value in values}) <= 1


@native_constraint("not_graph_output")
def not_graph_output(_ctx: PatternContext, value: SSAValue) -> bool:
    """Return whether no ``func.return`` uses a value."""
    return all(use.operation.name != "func.return" for use in value.uses)


@native_constraint("not_inside")
def not_inside(_ctx: PatternContext, op: Operation, name: StringAttr) -> bool:
    """Return whether no op of a name encloses an op."""
    parent = op.parent_op()
    while parent is not None:
        if parent.name == name.data:
            return False
        parent = parent.parent_op()
    return True


@native_constraint(ATTRIBUTE_ABSENT)
def attribute_absent(_ctx: PatternContext, op: Operation, name: StringAttr) -> bool:
    """Return whether an op lacks an attribute, or holds just the default of its definition."""
    value = op.get_attr_or_prop(name.data)
    return value is None or value == declared_default(type(op), name.data)


@native_constraint("optional_attribute")
def optional_attribute(
    _ctx: PatternContext, op: Operation, name: StringAttr
) -> tuple[bool, Attribute | None]:
    """Give the attribute of an op, or nothing where it is not there; always holds."""
    return True, op.get_attr_or_prop(name.data)
