"""The syntax tree of PDLL: a class for each rule of ``grammar.lark``, its parts in their order.

Lark builds the tree with these classes (``lark.ast_utils``). A part that the text leaves out is
``None``. Names are tokens, which are strings that know their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, dataclass_transform

from lark import Token
from lark.ast_utils import AsList, Ast, WithMeta
from lark.tree import Meta


@dataclass_transform(eq_default=False)
@dataclass(eq=False, repr=False)
class Node(Ast, WithMeta):
    """A piece of the text, which is at ``meta``; the classes of pieces are dataclasses."""

    meta: Meta

    def __init_subclass__(cls) -> None:
        dataclass(eq=False, repr=False)(cls)


class Constraint(Node):
    """``HasOneUse``, or ``Value<type>`` with its arguments."""

    name: Token
    parameter: Expression | None


class OperationConstraint(Node):
    """``Op<nn.conv>``."""

    operation: Token


AnyConstraint: TypeAlias = Constraint | OperationConstraint


class Constraints(Node, AsList):
    """The constraints of one variable: ``Value`` or ``[Value, HasOneUse]``."""

    parts: list[AnyConstraint]


class Variable(Node):
    """A name that stands for its definition."""

    name: Token


class Definition(Node):
    """``x: Value``, a new name where it is first used; ``_`` gives none."""

    name: Token
    constraints: Constraints


class AttributeLiteral(Node):
    """``attr<"1 : i64">``."""

    text: Token


class TypeLiteral(Node):
    """``type<"f32">``."""

    text: Token


class Operands(Node, AsList):
    """The expressions between parentheses."""

    parts: list[Expression]


class Types(Node, AsList):
    """The expressions after an arrow."""

    parts: list[Expression]


class Entry(Node):
    """``name = value``; a name alone stands for a unit attribute."""

    name: Token
    value: Expression | None


class Attributes(Node, AsList):
    """The entries between braces."""

    parts: list[Entry]


class Operation(Node):
    """``op<nn.conv>(x, filter) {strides = s} -> (type)``."""

    name: Token | None
    operands: Operands | None
    attributes: Attributes | None
    types: Types | None


class Call(Node):
    """``PerChannel(conv, value)``; only ``Like`` takes attributes and types."""

    name: Token
    operands: Operands
    attributes: Attributes | None
    types: Types | None


class Member(Node):
    """``op.0``, ``op.result``, ``tuple.name``."""

    of: Expression
    name: Token


class Element(Node):
    """One part of a tuple, with or without a name."""

    name: Token | None
    value: Expression


class Tuple(Node, AsList):
    """``(a, name = b)``."""

    parts: list[Element]


Expression: TypeAlias = (
    Operation | AttributeLiteral | TypeLiteral | Call | Definition | Variable | Member | Tuple
)


class Let(Node):
    """``let name: constraints = value``, of which one part may be left out."""

    name: Token
    constraints: Constraints | None
    value: Expression | None


class Negated(Node):
    """``not IsConstant(x)``."""

    call: Call


class Return(Node):
    """``return value``."""

    value: Expression


class Replace(Node):
    """``replace root with value``."""

    root: Expression
    value: Expression


class Erase(Node):
    """``erase root``."""

    root: Expression


class Block(Node, AsList):
    """The statements between braces."""

    statements: list[Statement]


class Rewrite(Node):
    """``rewrite root with { … }``."""

    root: Expression
    body: Block


Change: TypeAlias = Replace | Erase | Rewrite
Statement: TypeAlias = Let | Call | Negated | Return | Change


class ShortBody(Node):
    """``=> value``, or a change in place of the value."""

    value: Expression | Negated | Change


Body: TypeAlias = Block | ShortBody


class Include(Node):
    """``#include "file"``."""

    file: Token


class Pattern(Node):
    """``Pattern Name with benefit(2) { … }``."""

    name: Token | None
    benefit: Token | None
    body: Body


class Parameters(Node, AsList):
    """The parameters of a constraint or rewrite."""

    parts: list[Definition]


class Result(Node):
    """The kind of one result, with or without a name."""

    name: Token | None
    constraint: AnyConstraint


class Results(Node, AsList):
    """The results of a constraint or rewrite."""

    parts: list[Result]


class Function(Node):
    """``Constraint Name(…) -> …`` or ``Rewrite …``; without a body it is native."""

    section: Token
    name: Token
    parameters: Parameters | None
    results: Results | None
    body: Body | None = None


class File(Node, AsList):
    """The declarations of a file."""

    parts: list[Include | Pattern | Function]
