"""Reading PDL text: what is refused, and where the message points."""

import pytest
from xdsl.context import Context

from autodeploy.diagnostics import UserError
from autodeploy.passes.fusion.pdl.executor import load_patterns
from autodeploy.passes.fusion.pdl.source import PatternError, parse_patterns, read_patterns

GOOD = """
pdl.pattern @p : benefit(1) {
  %op = pdl.operation "test.op"
  pdl.rewrite %op { pdl.erase %op }
}
"""


def test_pdl_need_not_be_registered():
    [source] = parse_patterns(Context(), GOOD, "x")
    assert source.name == "@p"


def test_patterns_may_be_in_modules(ctx):
    sources = parse_patterns(ctx, "builtin.module {" + GOOD + "}" + GOOD.replace("@p", "@q"), "x")
    assert [source.name for source in sources] == ["@p", "@q"]


def test_a_pattern_without_a_name_goes_by_its_line(ctx):
    [source] = parse_patterns(ctx, GOOD.replace("@p ", ""), "x")
    assert source.name == "of line 2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x: expected at least one pdl.pattern, found an empty text"),
        ("builtin.module {}", "x: expected at least one pdl.pattern, found none"),
        (
            "\nbuiltin.module { builtin.module {\n} }",
            "x: expected at least one pdl.pattern, found none",
        ),
        ("func.func @f() { func.return }", "x:1: expected pdl.pattern, found func.func"),
        (GOOD.replace("erase %op", "erase %po"), "x:4: values used but not defined: [%po]"),
        (GOOD.replace("pdl.erase", "pdl.eras"), "x:4: operation pdl.eras is not registered"),
        (
            GOOD.replace("  pdl.rewrite", "  toy.unknown\n\n\n  pdl.rewrite"),
            "x:4: operation toy.unknown is not registered",
        ),
        (GOOD.replace("erase %op }", "erase"), "x:5: operand expected"),
        (GOOD.replace("pdl.rewrite %op", "pdl.rewrite %op :"), "x:4: "),
        ("$", "x:1: unexpected character: $"),
        (GOOD + '\n"' + "a" * 100, "x:7: a string begins here that does not end on this line"),
        (
            "pdl.pattern @p : benefit(1) {\n}",
            "x:1: pattern @p: pdl.pattern: Region 'body' at position 0 expected a single block",
        ),
        (
            "pdl.pattern @p : benefit(1) {\n  %a = pdl.attribute\n" + GOOD.split("{", 1)[1],
            "x:2: pattern @p: pdl.attribute: expected a bindable user",
        ),
    ],
)
def test_malformed_text(ctx, text, message):
    with pytest.raises(PatternError) as error:
        parse_patterns(ctx, text, "x")
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("kind", ["pdl.result -1 of %op", "pdl.results -1 of %op -> !pdl.value"])
def test_results_are_numbered_from_0(ctx, kind):
    text = GOOD.replace("pdl.rewrite", f"%r = {kind}\n  pdl.rewrite")
    with pytest.raises(PatternError, match=r"x:4: .*: expected an index from 0 on, found -1"):
        parse_patterns(ctx, text, "x")


def test_a_pattern_error_is_a_user_error():
    assert issubclass(PatternError, UserError)


def test_a_missing_file(ctx, tmp_path):
    path = tmp_path / "no.pdl.mlir"
    with pytest.raises(PatternError, match=f"pattern file '{path}' does not exist"):
        load_patterns(ctx, path)


def test_a_folder_and_a_binary_are_no_files(ctx, tmp_path):
    with pytest.raises(PatternError, match="cannot be read"):
        read_patterns(ctx, tmp_path)
    path = tmp_path / "binary.pdl.mlir"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PatternError, match="cannot be read"):
        read_patterns(ctx, path)


def test_the_file_is_named(ctx, tmp_path):
    path = tmp_path / "my.pdl.mlir"
    path.write_text(GOOD.replace("test.op", "test.opp"))
    with pytest.raises(PatternError) as error:
        load_patterns(ctx, path)
    assert str(error.value) == (
        f"{path}:3: pattern @p: unknown operation 'test.opp'; did you mean 'test.op'?"
    )
