"""Which texts xDSL's parser may read."""

import re

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.utils.exceptions import ParseError

from autodeploy.dialects.mlir_text import TextParser, check_text

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
    check_text(text, "x")
    check_text(text.encode(), "x")


@pytest.mark.parametrize(("text", "start"), OPEN.items())
def test_an_open_string_is_an_error_with_its_place(text, start):
    for form in (text, text.encode()):
        with pytest.raises(ParseError, match=re.escape("does not end on this line")) as error:
            check_text(form, "x")
        assert error.value.span.start == start


WIDE = {
    "a = i100000": 4,
    "array<i8000000000: 1>": 6,
    "1 : si99999999": 4,
    "(ui0000000008)": 1,
    "tensor<2xi8000000000>": 9,
    "tensor<2x?x*x30xui8000000000>": 16,
    "vector<[4]xi8000000000>": 11,
    "f32->i8000000000": 5,
    "// no\n complex<i8000000000>": 15,
}


@pytest.mark.parametrize(("text", "start"), WIDE.items())
def test_a_wide_integer_type_is_an_error_with_its_place(text, start):
    for form in (text, text.encode()):
        with pytest.raises(ParseError, match="an integer type has at most 99999 bits") as error:
            check_text(form, "x")
        assert error.value.span.start == start


@pytest.mark.parametrize(
    "text",
    [
        "i64 i99999 tensor<2xi99999> 123456789 0x123456789",
        "%i8000000000 = @i8000000000 #i8000000000 !i8000000000 ^i8000000000",
        "%a0xi8000000000 nn.i8000000000 hi8000000000 i8000000000x _i8000000000 i8000000000.a",
        '"i8000000000" // i8000000000',
        "9" * 100_000,
        "9x" * 50_000,
    ],
)
def test_other_names_and_numbers_pass(text):
    check_text(text, "x")
    check_text(text.encode(), "x")


def parse(text):
    ctx = Context()
    ctx.load_dialect(Builtin)
    return TextParser(ctx, text).parse_attribute()


@pytest.mark.parametrize(
    "text",
    [
        "dense<1> : tensor<100000000000xi64>",
        "dense<1.0> : vector<4096x4097xf32>",
        'dense<"0x00"> : tensor<1000000x1000000x1000000xi8>',
        "dense<(1, 2)> : tensor<99999999999xcomplex<i8>>",
    ],
)
def test_a_dense_attribute_has_few_elements(text):
    with pytest.raises(ParseError, match="a dense attribute has at most 16777216 elements"):
        parse(text)


def test_a_small_dense_attribute_is_read():
    assert len(parse("dense<1> : tensor<2x3xi64>")) == 6
