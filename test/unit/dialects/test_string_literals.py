"""Which strings are closed."""

import re

import pytest
from xdsl.utils.exceptions import ParseError

from autodeploy.dialects.string_literals import check_strings

CLOSED = [
    '"" "a" "// no comment"',
    r'"\"\\\n\t\0A" "é"',
    '// "a comment\n"b"',
    '"a" // "b',
    "",
]
OPEN = {
    '"a': 0,
    '"a" "': 4,
    '"a\n"': 0,
    '"\\"': 0,
    '"an unknown \\q escape"': 0,
    '"' + "a" * 1000: 0,
    '// "c\n "b': 7,
}


@pytest.mark.parametrize("text", CLOSED)
def test_closed_strings_pass(text):
    check_strings(text, "x")
    check_strings(text.encode(), "x")


@pytest.mark.parametrize(("text", "start"), OPEN.items())
def test_an_open_string_is_an_error_with_its_place(text, start):
    for form in (text, text.encode()):
        with pytest.raises(ParseError, match=re.escape("does not end on this line")) as error:
            check_strings(form, "x")
        assert error.value.span.start == start
