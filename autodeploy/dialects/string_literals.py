"""Strings that are not closed, found before xDSL looks for their end.

xDSL's lexer tries all ways to cut an open string into pieces. Their number doubles with each
letter, so a quote that is not closed would keep the lexer busy for ever.
"""

from __future__ import annotations

import re

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span

_TOKENS = r'//[^\n]*|"(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*"|(")'
"""Comments and strings, one after the other; a group of its own for a quote that begins none."""

_IN_TEXT, _IN_BYTES = re.compile(_TOKENS), re.compile(_TOKENS.encode())


def check_strings(text: str | bytes, name: str) -> None:
    """Raise ``ParseError``, with its place, where a string does not end on its line.

    Escapes are those that xDSL knows; another one keeps it from finding the end.
    """
    if isinstance(text, bytes):
        for match in _IN_BYTES.finditer(text):
            if match[1]:
                raise ParseError(Span(match.start(), match.end(), Input(text, name)), _MESSAGE)
        return
    for found in _IN_TEXT.finditer(text):
        if found[1]:
            raise ParseError(Span(found.start(), found.end(), Input(text, name)), _MESSAGE)


_MESSAGE = "a string begins here that does not end on this line, or has an unknown escape"
