"""The syntax of PDLL: what the tree holds, and where a mistake is found."""

import pytest

from autodeploy.passes.fusion.pdl.source import PatternError
from autodeploy.passes.fusion.pdll import syntax
from autodeploy.passes.fusion.pdll.parse import parse_pdll, string_of


def test_the_parts_of_a_file():
    text = """
    #include "nn.pdll"  // a comment
    Constraint Native(value: Value) -> (a: Attr, Type);
    Rewrite Short(value: Value) => op<toy.relu>(value);
    Pattern Named with benefit(7) { erase op<toy.relu>; }
    Pattern => erase op<>;
    """
    include, native, short, named, unnamed = parse_pdll(text, "x").parts
    assert isinstance(include, syntax.Include) and string_of(include.file) == "nn.pdll"
    assert isinstance(native, syntax.Function) and native.section == "Constraint"
    assert native.body is None and native.results is not None
    assert [result.name for result in native.results.parts] == ["a", None]
    assert isinstance(short, syntax.Function) and isinstance(short.body, syntax.ShortBody)
    assert isinstance(named, syntax.Pattern) and (named.name, named.benefit) == ("Named", "7")
    assert isinstance(unnamed, syntax.Pattern) and unnamed.name is None


def test_the_parts_of_an_operation():
    text = 'Pattern => erase op<toy.conv>(a, b) {unit, "stride" = s} -> (t);'
    [pattern] = parse_pdll(text, "x").parts
    assert isinstance(pattern, syntax.Pattern) and isinstance(pattern.body, syntax.ShortBody)
    assert isinstance(pattern.body.value, syntax.Erase)
    op = pattern.body.value.root
    assert isinstance(op, syntax.Operation) and op.name == "toy.conv"
    assert op.operands is not None and len(op.operands.parts) == 2
    assert op.attributes is not None
    assert [(e.name, e.value is None) for e in op.attributes.parts] == [
        ("unit", True),
        ('"stride"', False),
    ]
    assert op.types is not None and len(op.types.parts) == 1


def test_no_operands_differ_from_any():
    [pattern] = parse_pdll("Pattern => replace op<>() with op<toy.pair>;", "x").parts
    assert isinstance(pattern, syntax.Pattern) and isinstance(pattern.body, syntax.ShortBody)
    change = pattern.body.value
    assert isinstance(change, syntax.Replace)
    assert isinstance(change.root, syntax.Operation) and isinstance(change.value, syntax.Operation)
    assert change.root.operands is not None and change.root.operands.parts == []
    assert change.value.operands is None


@pytest.mark.parametrize("word", ["op", "attr", "type", "Op", "benefit"])
def test_words_that_may_name_a_variable(word):
    parse_pdll(f"Pattern {{ let {word}: Value; erase {word}; }}", "x")


def test_escapes_in_a_string():
    [pattern] = parse_pdll(r'Pattern => erase attr<"\"a\\b\"">;', "x").parts
    assert isinstance(pattern, syntax.Pattern) and isinstance(pattern.body, syntax.ShortBody)
    assert isinstance(pattern.body.value, syntax.Erase)
    literal = pattern.body.value.root
    assert isinstance(literal, syntax.AttributeLiteral)
    assert string_of(literal.text) == r'"a\b"'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Pattern {", "x:1:10: found the end of the file, expected "),
        ("Pattern {\n}\n  foo", "x:3:3: found 'foo', expected '#include', "),
        ("Pattern { erase a }", "x:1:19: found '}', expected '.' or ';'"),
        ("Pattern { erase $; }", "x:1:17: found '$', expected '(', 'attr<', 'op<', 'type<' or a "),
        ("Pattern { let 5; }", "x:1:15: found '5', expected a name"),
        ("Pattern A with 5 {}", "x:1:16: found '5', expected 'benefit'"),
        ('Pattern => erase attr<"a>;', "x:1:23: found '\"', expected a string"),
        ("Pattern => erase op<relu>;", "x:1:21: found 'relu', expected '>' or the name of an op"),
        ("Constraint F() => let a: Value;", "x:1:23: found 'a', expected "),
        ("\n\n#include nn", "x:3:10: found 'nn', expected a string"),
    ],
)
def test_mistakes(text, message):
    with pytest.raises(PatternError) as error:
        parse_pdll(text, "x")
    assert str(error.value).startswith(message)
