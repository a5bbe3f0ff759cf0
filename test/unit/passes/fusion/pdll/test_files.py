"""What a PDLL file includes."""

import pytest

from autodeploy.passes.fusion.pdl.executor import load_patterns
from autodeploy.passes.fusion.pdl.source import PatternError
from autodeploy.passes.fusion.pdll.files import load_pdll

PATTERN = "Pattern P { let op = op<toy.relu>(x: Value); Once(op); replace op with x; }"


def test_a_file_next_to_the_rule_comes_before_the_package(tmp_path):
    (tmp_path / "nn.pdll").write_text("Constraint Own();")
    source = load_pdll('#include "nn.pdll"', "x", tmp_path)
    assert list(source.functions) == ["Own"]
    assert "HasOneUse" in load_pdll('#include "nn.pdll"', "x").functions


def test_a_file_that_is_included_may_include(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.pdll").write_text('#include "b.pdll"\nConstraint A();')
    (tmp_path / "parts" / "b.pdll").write_text('#include "a.pdll"\nConstraint B();')
    source = load_pdll('#include "parts/a.pdll"\n#include "parts/b.pdll"', "x", tmp_path)
    assert set(source.functions) == {"A", "B"}


def test_errors_name_the_file_that_they_are_in(ctx, tmp_path):
    included = tmp_path / "a.pdll"
    included.write_text("Constraint Once(op: Op) => Nowhere(op);")
    rule = tmp_path / "rule.pdll"
    rule.write_text(f'#include "a.pdll"\n{PATTERN}')
    with pytest.raises(PatternError) as error:
        load_patterns(ctx, rule)
    assert str(error.value) == f"{included}:1:28: pattern @P: unknown Constraint 'Nowhere'"


@pytest.mark.parametrize(
    ("included", "message"),
    [
        ("Constraint", "{a}:1:11: found the end of the file, expected a name"),
        ("\n  Pattern => erase op<>;", "{a}:2:3: a file that is included declares constraints"),
        ("Constraint F(); Rewrite F();", "{a}:1:25: 'F' is declared twice, first in {a}:1"),
    ],
)
def test_malformed_includes(tmp_path, included, message):
    path = tmp_path / "a.pdll"
    path.write_text(included)
    with pytest.raises(PatternError) as error:
        load_pdll('#include "a.pdll"', "x", tmp_path)
    assert str(error.value).startswith(message.format(a=path))


def test_a_missing_include():
    with pytest.raises(PatternError) as error:
        load_pdll('\n #include "no.pdll"', "x")
    assert str(error.value) == "x:2:11: there is no file 'no.pdll' to include"


def test_a_missing_file(ctx, tmp_path):
    with pytest.raises(PatternError, match=r"no\.pdll' does not exist"):
        load_patterns(ctx, tmp_path / "no.pdll")


def test_a_file_without_patterns(ctx, tmp_path):
    path = tmp_path / "none.pdll"
    path.write_text("Constraint F();")
    with pytest.raises(PatternError, match=r"none\.pdll: expected at least one Pattern, found non"):
        load_patterns(ctx, path)
