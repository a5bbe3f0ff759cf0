"""Numbers of a start that follow from a call: expressions of the extents of its buffers.

``(extent(2, 1) + 63) / 64`` has the extent of dimension 1 of buffer 2. A quotient leaves no
negative remainder, and both are 0 of a quotient by 0, as in Halide.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

StartNumber: TypeAlias = int | str
"""A number of a start: a constant, or the text of an expression."""

Extent: TypeAlias = tuple[int, int]
"""A buffer and one of its dimensions."""

_INFIX: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_CONNECTIVES: Mapping[type[ast.boolop], str] = {ast.And: "&&", ast.Or: "||"}
_CHOICES: Mapping[str, str] = {
    "min": "({0} < {1} ? {0} : {1})",
    "max": "({0} > {1} ? {0} : {1})",
    "select": "({0} ? {1} : {2})",
}
NAMES = frozenset((*_CHOICES, "int32", "int64", "float32"))
"""The functions of an expression besides ``extent``; a float is only the whole expression."""

Kind: TypeAlias = Literal["truth", "int32", "int64", "float32"]
"""The type of a parameter of a kernel that takes an expression."""

_MOST_CHARACTERS = 1 << 16
"""In C the operands of a quotient or a minimum are repeated: nested ones double the text."""

KIND_BYTES: Mapping[Kind, int] = {"truth": 1, "int32": 4, "int64": 8, "float32": 4}


def extents_of(text: str) -> set[Extent]:
    """Return the extents that an expression names; raises ``ValueError`` if it is none."""
    found: set[Extent] = set()

    def note(extent: Extent) -> str:
        found.add(extent)
        return "1"

    c_number(text, note)
    return found


def c_number(text: str, extent: Callable[[Extent], str]) -> tuple[str, Kind]:
    """Return an expression in C, of 64-bit integers, and its type.

    ``extent`` is the text of an extent. Raises ``ValueError`` if the text is no expression.
    """
    words = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
    try:
        return _typed(ast.parse(words.strip(), mode="eval").body, extent)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"'{text}' is no number of a start") from None


def _typed(tree: ast.expr, extent: Callable[[Extent], str]) -> tuple[str, Kind]:
    match tree:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return _in_c(tree, extent), "truth"
        case ast.Call(func=ast.Name(id="float32"), args=[whole], keywords=[]):
            return _in_c(whole, extent), "float32"
        case _:
            calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
            is_wide = any(isinstance(f, ast.Name) and f.id == "int64" for f in calls)
            return _in_c(tree, extent), "int64" if is_wide else "int32"


def _in_c(node: ast.expr, extent: Callable[[Extent], str]) -> str:
    match node:
        case ast.Constant(value=int(value)) if type(value) is int:
            return str(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"(-{_in_c(operand, extent)})"
        case ast.Call(func=ast.Name(id="extent"), args=[first, second], keywords=[]):
            return f"({extent((_constant(first), _constant(second)))})"
        case ast.Call(func=ast.Name(id="int32" | "int64"), args=[argument], keywords=[]):
            return _in_c(argument, extent)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"!{_in_c(operand, extent)}"
        case ast.BoolOp(op=op, values=values):
            return f"({f' {_CONNECTIVES[type(op)]} '.join(_in_c(v, extent) for v in values)})"
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            return f"({_in_c(left, extent)} {_COMPARISONS[type(op)]} {_in_c(right, extent)})"
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _CHOICES:
            values = [_in_c(argument, extent) for argument in arguments]
            if len(values) == 2 + (name == "select"):
                _check_length(node, values)
                return _CHOICES[name].format(*values)
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _in_c(left, extent), _in_c(right, extent)
            if type(op) in _INFIX:
                return f"({one} {_INFIX[type(op)]} {other})"
            _check_length(node, (one, other))
            # C rounds towards 0; the remainder of Halide is not negative.
            rest, size = f"({one} % {other})", f"({other} < 0 ? -{other} : {other})"
            if isinstance(op, ast.Div):
                up = f"({rest} < 0 ? {size} / {other} : 0)"
                return f"({other} == 0 ? 0 : {one} / {other} - {up})"
            if isinstance(op, ast.Mod):
                return f"({other} == 0 ? 0 : {rest} + ({rest} < 0 ? {size} : 0))"
        case _:
            pass
    raise ValueError(f"'{ast.unparse(node)}' is no number of a start")


def _check_length(node: ast.expr, operands: Sequence[str]) -> None:
    if sum(map(len, operands)) > _MOST_CHARACTERS:
        raise ValueError(f"'{ast.unparse(node)}' is too long a number of a start")


def _constant(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    raise ValueError(f"'{ast.unparse(node)}' is no constant")
