"""The syntax tree of PDLL: a class for each rule of ``grammar.lark``, its parts in their order.

Lark builds the tree with these classes (``lark.ast_utils``). A part that the text leaves out is
``None``. Names are tokens, which are strings that know their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lark import Token
from lark.ast_utils import AsList, Ast, WithMeta
from lark.tree import Meta


@dataclass(eq=False, repr=False)
class Node(Ast, WithMeta):
    """A piece of the text; ``meta`` says where it begins and ends."""

    meta: Meta


@dataclass(eq=False, repr=False)
class Constraint(Node):
    """``HasOneUse``, or ``Value<type>`` with its arguments."""

    name: Token
    parameter: Expression | None


@dataclass(eq=False, repr=False)
class OperationConstraint(Node):
    """``Op<nn.conv>``."""

    operation: Token


AnyConstraint: TypeAlias = Constraint | OperationConstraint


@dataclass(eq=False, repr=False)
class Constraints(Node, AsList):
    """The constraints of one variable: ``Value`` or ``[Value, HasOneUse]``."""

    parts: list[AnyConstraint]


@dataclass(eq=False, repr=False)
class Variable(Node):
    """A name that stands for its definition."""

    name: Token


@dataclass(eq=False, repr=False)
class Definition(Node):
    """``x: Value``, a new name where it is first used; ``_`` gives none."""

    name: Token
    constraints: Constraints


@dataclass(eq=False, repr=False)
class AttributeLiteral(Node):
    """``attr<"1 : i64">``."""

    text: Token


@dataclass(eq=False, repr=False)
class TypeLiteral(Node):
    """``type<"f32">``."""

    text: Token


@dataclass(eq=False, repr=False)
class Operands(Node, AsList):
    """The expressions between parentheses."""

    parts: list[Expression]


@dataclass(eq=False, repr=False)
class Types(Node, AsList):
    """The expressions after an arrow."""

    parts: list[Expression]


@dataclass(eq=False, repr=False)
class Entry(Node):
    """``name = value``; a name alone stands for a unit attribute."""

    name: Token
    value: Expression | None


@dataclass(eq=False, repr=False)
class Attributes(Node, AsList):
    """The entries between braces."""

    parts: list[Entry]


@dataclass(eq=False, repr=False)
class Operation(Node):
    """``op<nn.conv>(x, filter) {strides = s} -> (type)``."""

    name: Token | None
    operands: Operands | None
    attributes: Attributes | None
    types: Types | None


@dataclass(eq=False, repr=False)
class Call(Node):
    """``PerChannel(conv, value)``; only ``Like`` takes attributes and types."""

    name: Token
    operands: Operands
    attributes: Attributes | None
    types: Types | None


@dataclass(eq=False, repr=False)
class Member(Node):
    """``op.0``, ``op.result``, ``tuple.name``."""

    of: Expression
    name: Token


@dataclass(eq=False, repr=False)
class Element(Node):
    """One part of a tuple, with or without a name."""

    name: Token | None
    value: Expression


@dataclass(eq=False, repr=False)
class Tuple(Node, AsList):
    """``(a, name = b)``."""

    parts: list[Element]


Expression: TypeAlias = (
    Operation | AttributeLiteral | TypeLiteral | Call | Definition | Variable | Member | Tuple
)


@dataclass(eq=False, repr=False)
class Let(Node):
    """``let name: constraints = value``, of which one part may be left out."""

    name: Token
    constraints: Constraints | None
    value: Expression | None


@dataclass(eq=False, repr=False)
class Negated(Node):
    """``not IsConstant(x)``."""

    call: Call


@dataclass(eq=False, repr=False)
class Return(Node):
    """``return value``."""

    value: Expression


@dataclass(eq=False, repr=False)
class Replace(Node):
    """``replace root with value``."""

    root: Expression
    value: Expression


@dataclass(eq=False, repr=False)
class Erase(Node):
    """``erase root``."""

    root: Expression


@dataclass(eq=False, repr=False)
class Block(Node, AsList):
    """The statements between braces."""

    statements: list[Statement]


@dataclass(eq=False, repr=False)
class Rewrite(Node):
    """``rewrite root with { … }``."""

    root: Expression
    body: Block


Change: TypeAlias = Replace | Erase | Rewrite
Statement: TypeAlias = Let | Call | Negated | Return | Change


@dataclass(eq=False, repr=False)
class ShortBody(Node):
    """``=> value``, or a change in place of the value."""

    value: Expression | Negated | Change


Body: TypeAlias = Block | ShortBody


@dataclass(eq=False, repr=False)
class Include(Node):
    """``#include "file"``."""

    file: Token


@dataclass(eq=False, repr=False)
class Pattern(Node):
    """``Pattern Name with benefit(2) { … }``."""

    name: Token | None
    benefit: Token | None
    body: Body


@dataclass(eq=False, repr=False)
class Parameters(Node, AsList):
    """The parameters of a constraint or rewrite."""

    parts: list[Definition]


@dataclass(eq=False, repr=False)
class Result(Node):
    """The kind of one result, with or without a name."""

    name: Token | None
    constraint: AnyConstraint


@dataclass(eq=False, repr=False)
class Results(Node, AsList):
    """The results of a constraint or rewrite."""

    parts: list[Result]


@dataclass(eq=False, repr=False)
class Function(Node):
    """``Constraint Name(…) -> …`` or ``Rewrite …``; without a body it is native."""

    section: Token
    name: Token
    parameters: Parameters | None
    results: Results | None
    body: Body | None = None


@dataclass(eq=False, repr=False)
class File(Node, AsList):
    """The declarations of a file."""

    parts: list[Include | Pattern | Function]
