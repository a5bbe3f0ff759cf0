"""PDLL text to its syntax tree, by the grammar in ``grammar.lark``."""

from __future__ import annotations

import gc
import re
from contextlib import suppress
from functools import cache
from typing import Any, cast

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken, ast_utils

from autodeploy.passes.fusion.pdl.source import PatternError
from autodeploy.passes.fusion.pdll import syntax

_WORDS = {
    "NAME": "a name",
    "OPERATION": "the name of an operation",
    "STRING": "a string",
    "INT": "a number",
    "SECTION": "'Constraint', 'Rewrite'",
    "_OP": "'op<'",
    "_ATTR": "'attr<'",
    "_TYPE": "'type<'",
    "_OP_CONSTRAINT": "'Op<'",
    "$END": "the end of the file",
}
"""How messages name what the grammar has no fixed spelling for."""


def parse_pdll(text: str, file: str) -> syntax.File:
    """Return the syntax tree of a text; raises ``PatternError`` with the place of a mistake."""
    parser, transformer = _parser()
    try:
        return transformer.transform(parser.parse(text))
    except UnexpectedInput as error:
        raise PatternError(_message(error, parser, text, file)) from None


def string_of(token: Token) -> str:
    """Return what a string literal says."""
    return re.sub(r"\\(.)", r"\1", token[1:-1])


@cache
def _parser() -> tuple[Any, Any]:
    """Return the parser and the builder of the tree; made once, for the first file.

    Lark's own annotations leave types open, so that both go without. The garbage collector would
    spend a third of the time on objects that stay.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        parser = cast(Any, Lark).open(
            "grammar.lark",
            rel_to=__file__,
            parser="lalr",
            start="file",
            propagate_positions=True,
            ordered_sets=False,
        )
    finally:
        if collects:
            gc.enable()
    return parser, cast(Any, ast_utils).create_transformer(syntax)


def _message(error: UnexpectedInput, parser: Any, text: str, file: str) -> str:
    lines = text.split("\n")
    line, column, found = error.line, error.column, "something else"
    if isinstance(error, UnexpectedToken):
        token: Token = cast(Any, error).token
        found = f"'{token}'"
        if token.type == "$END":
            line, column, found = len(lines), len(lines[-1]) + 1, "the end of the file"
    elif isinstance(error, UnexpectedCharacters):
        found = f"'{lines[line - 1][column - 1]}'"
    expected = sorted(_word(parser, name) for name in _expected(parser, text))
    return f"{file}:{line}:{column}: found {found}, expected {_or(expected)}"


def _expected(parser: Any, text: str) -> set[str]:
    """Return the kinds of tokens that are expected at the place of an error."""
    state = parser.parse_interactive(text)
    with suppress(UnexpectedInput):
        state.exhaust_lexer()
    return state.accepts()


def _word(parser: Any, name: str) -> str:
    return _WORDS.get(name) or f"'{parser.get_terminal(name).pattern.value}'"


def _or(words: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
