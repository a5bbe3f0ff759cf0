"""Names that are safe in C, whatever a model calls things."""

from __future__ import annotations

import re
import subprocess
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodeploy.codegen.c.names import (
    KEYWORDS,
    MAX_LENGTH,
    c_comment,
    c_identifier,
    c_string,
    kernel_symbols,
    model_prefix,
    unique_name,
    unique_names,
)
from autodeploy.codegen.c.reserved_names import names_after, names_of_models
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("conv1", "conv1"),
        ("mnist-8", "mnist_8"),
        ("a//b::c", "a_b_c"),
        ("__a__b__", "a_b"),
        ("2x", "x2x"),
        ("", "x"),
        ("名前", "x"),
        ("größe", "gr_e"),
        ("int", "int_"),
        ("class", "class_"),
        ("a" * 48, "a" * 48),
        ("a" * 49, "a" * 39 + f"_{zlib.crc32(b'a' * 49):08x}"),
    ],
)
def test_identifier(name: str, expected: str) -> None:
    assert c_identifier(name) == expected


@given(st.text())
def test_identifier_is_legal(name: str) -> None:
    result = c_identifier(name)
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", result)
    assert "__" not in result and result not in KEYWORDS
    assert len(result) <= MAX_LENGTH


@given(st.lists(st.text(alphabet="aA_-2 ", max_size=4), max_size=12))
def test_unique_names_differ(names: list[str]) -> None:
    result = unique_names(names, ["a", "x"])
    assert len({*result, "a", "x"}) == len(names) + 2


def test_a_unique_name_is_taken_nowhere() -> None:
    assert unique_name("a", {"b"}, {"a_2"}) == "a"
    assert unique_name("a", {"a"}, {"a_2"}) == "a_3"
    assert unique_name("int", ("int_", "int_3"), ("int_2",)) == "int_4"


def test_unique_names_keep_the_first() -> None:
    assert unique_names(["a b", "a_b", "a_b_2", "int", "int"]) == [
        "a_b", "a_b_2", "a_b_2_2", "int_", "int_2",
    ]  # fmt: skip


def test_kernel_symbols_carry_the_model_and_spare_its_interface() -> None:
    assert kernel_symbols("m-1", ["conv", "conv ", "run"]) == {
        "conv": "m_1_conv",
        "conv ": "m_1_conv_2",
        "run": "m_1_run_2",
    }
    symbols = kernel_symbols("net", sorted(names_of_models()))
    assert {symbol.lower() for symbol in symbols.values()}.isdisjoint(
        f"net_{name}" for name in names_of_models()
    )


def test_kernel_symbols_differ_in_more_than_capitals() -> None:
    assert kernel_symbols("net", ["conv", "CONV", "Run"]) == {
        "conv": "net_conv",
        "CONV": "net_CONV_2",
        "Run": "net_Run_2",
    }


def test_kernel_symbols_spare_the_names_of_the_runtime() -> None:
    assert "t" in names_after("size")
    assert kernel_symbols("size", ["t", "u"]) == {"t": "size_t_2", "u": "size_u"}


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("mnist", "mnist"),
        ("small", "small"),
        ("MODEL_v2", "MODEL_v2"),
        ("main", "main_model"),
        ("int", "int_model"),
        ("halide", "halide_model"),
        ("Input", "Input_model"),
        ("autodeploy_tensor", "autodeploy_tensor_model"),
        ("print", "print_model"),
        ("GNUmakefile", "GNUmakefile_model"),
        ("stdio", "stdio_model"),
        ("MAIN", "MAIN_model"),
        ("aux", "aux_model"),
        ("sem", "sem_model"),
        ("m", "m_model"),
    ],
)
def test_model_prefix(name: str, prefix: str) -> None:
    assert model_prefix(name) == prefix


def test_string() -> None:
    assert c_string('a"\\\n??/é') == '"a\\"\\\\\\012\\?\\?/\\303\\251"'


@given(st.text())
def test_comment_stays_a_comment(text: str) -> None:
    result = c_comment(text)
    assert "*/" not in result and "/*" not in result and "??" not in result
    assert result.isascii() and result.isprintable() and len(result) <= 200


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_string_is_one_printable_line(text: str) -> None:
    result = c_string(text)
    assert result.isascii() and result.isprintable() and "??" not in result


@pytest.mark.parametrize("language", ["c", "c++"])
def test_compilers_agree(language: str) -> None:
    compiler = find_c_compiler() if language == "c" else find_cxx_compiler()
    names = unique_names([*sorted(KEYWORDS), "a" * 300, "??/", "1"])
    text = 'a"\\??/\n\x01é0'
    source = "".join(f"int {name}(void);\n" for name in names) + (
        f"/* {c_comment('*/ ??/ /*')} */\n"
        f"char check[sizeof({c_string(text)}) == {len(text.encode()) + 1} ? 1 : -1];\n"
    )
    standard = "-std=c99" if language == "c" else "-std=c++20"
    command = [*compiler, "-x", language, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    result = subprocess.run(
        [*command, "-fsyntax-only", "-"], input=source, text=True, capture_output=True, check=False
    )
    assert result.returncode == 0, result.stderr
