"""Reading MLIR text that anyone may have written, in bounded time and memory.

xDSL's parser would take for ever, or all memory, for three kinds of text:

- The lexer tries all ways to cut an open string into pieces. Their number doubles with each letter.
- A number of an integer type of N bits is compared with 2 to the power of N, which is computed.
- A dense attribute of one value becomes a list of as many as its type has elements.
"""

from __future__ import annotations

import re
from math import prod

from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span

_TOKENS = (
    r'//[^\n]*|"(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*"|(")'
    r"|(?:(?:[0-9]+|[?*\]])x)*([su]?i[0-9]{6,})(?![\w$.])"
    r"|[%@#!^]?[A-Za-z_][\w$.-]*|[%@#!^0-9][0-9]*"
)
"""Comments, strings, names and numbers, one after the other; a group of its own for a quote that
begins no string, and for an integer type of many digits, alone or after the extents of a shape."""

_IN_TEXT, _IN_BYTES = re.compile(_TOKENS, re.ASCII), re.compile(_TOKENS.encode())

_MOST_ELEMENTS = 1 << 24


class TextParser(Parser):
    """xDSL's parser; raises ``ParseError`` for text that it must not read (``check_text``)."""

    def __init__(self, ctx: Context, text: str | bytes, name: str = "<unknown>"):
        check_text(text, name)
        super().__init__(ctx, text, name)

    def _parse_dense_literal_type(self):
        type_ = super()._parse_dense_literal_type()
        if (count := prod(type_.get_shape())) > _MOST_ELEMENTS:
            self.raise_error(
                f"a dense attribute has at most {_MOST_ELEMENTS} elements, found {count}"
            )
        return type_


def check_text(text: str | bytes, name: str) -> None:
    """Raise ``ParseError``, with its place, where xDSL's parser must not read a text of MLIR.

    A string ends on its line, with no escape that xDSL does not know; an integer type has less than
    100,000 bits.
    """
    matches = _IN_BYTES.finditer(text) if isinstance(text, bytes) else _IN_TEXT.finditer(text)
    for match in matches:
        if group := match.lastindex:
            message, place = _STRING if group == 1 else _WIDTH, match.span(group)
            if isinstance(text, bytes):
                raise ParseError(Span(*place, Input(text, name)), message)
            raise ParseError(Span(*place, Input(text, name)), message)


_STRING = "a string begins here that does not end on this line, or has an unknown escape"
_WIDTH = "an integer type has at most 99999 bits"
