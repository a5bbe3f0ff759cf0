"""Regular expressions of RE2 as automata, against Python's."""

import random
import re

import pytest

from autodeploy.lowering.onnx_to_nn.automaton import automaton
from autodeploy.lowering.onnx_to_nn.patterns import PatternError, parse_pattern

PATTERNS = {
    r"www\.[\w.-]+\.\bcom\b": None,
    r"(\W|^)[\w.\-]{0,25}@(yahoo|gmail)\.com(\W|$)": None,
    r"a*b+c?": None,
    r"(a|b)*?abb": None,
    r"^$": None,
    r"\bab\b.*": None,
    r"\Ba\B|b": None,
    r"[^a-c]+": None,
    r"[]a]+": None,
    r"[a\-b]+": None,
    r"[^\s\S]*": None,
    r"(?i:aB)c": None,
    r"a{2,3}(?:b{2}|c{1,})": None,
    r"(?:ab|a)(?:c|bcd)(?:d*)": None,
    r"(a*)*": None,
    r"(a?){5}a{5}": None,
    r"a||b": None,
    r"": None,
    r"(?s).+": None,
    r"a.c": None,
    r"\x61\142\t?": None,
    r"\x{62}\Qa*\E\n": r"ba\*\n",
    r"(?m:^a$\n)+": None,
    r"(?P<x>a)(?<y>b)": r"ab",
    r"[[:alpha:][:^ascii:]]+": r"(?:[A-Za-z]|[^\x00-\x7f])+",
    r"\pN+|\p{Lu}\P{^Lu}": r"[0-9]+|[A-Z][A-Z]",
    r"a{,2}|b{x": r"a\{,2\}|b\{x",
    r"(?U)a+?b": r"a+b",
}
"""Patterns, and what Python's module calls them where that is something else."""


@pytest.mark.parametrize("pattern", PATTERNS)
def test_automata_agree_with_python(pattern):
    drawn = random.Random(0)
    found = automaton(parse_pattern(pattern))
    # Python's `$` also stands before a last new line, that of RE2 only with (?m).
    same = PATTERNS[pattern] or (pattern if "(?m" in pattern else pattern.replace("$", r"\Z"))
    texts = ["".join(drawn.choices("aAbBcd@ \n.-w]9*{x,2}\t", k=drawn.randint(0, 7)))
             for _ in range(1500)]  # fmt: skip
    for text in [*texts, "www.a-b.com", "ab@gmail.com", " x@yahoo.com!", "abb", "ba*\n", "aa\na\n"]:
        assert found.matches(text) == bool(re.fullmatch(same, text)), text


def test_cases_are_those_of_unicode():
    found = automaton(parse_pattern("(?i)\u017fk"))
    assert all(found.matches(text) for text in ("sK", "Sk", "\u017f\u212a"))
    assert not found.matches("ßk")


ERRORS = {
    "(": "has a '(' without a ')'",
    ")": "has a ')' without a '('",
    "[a": "has a '[' without a ']'",
    "[b-a]": "end is before its start",
    "[[:x:]]": "unknown class '[:x:]'",
    "*a": "has a '*a' that is wrong there",
    "a**": "has a repetition '*' of a repetition",
    "a{1001}": "has a wrong repetition",
    "a{2,1}": "has a wrong repetition",
    r"\1": "has the escape",
    r"\C": "has the escape",
    "a\\": "has the escape",
    r"\x{110000}": "has no character",
    r"\p{Greek}": r"has the class '\p{Greek}', which is not supported",
    "(?=a)": "has a '(?=' that is wrong there, or not supported",
    "(" * 300: "has more than 200 groups",
    "(((a{1000}){1000}){1000})": "is too large: it has more than 20000 places",
    "(.{0,500}a.{0,500}){3}": "is too large: its automaton has too many states",
}


@pytest.mark.parametrize("pattern", ERRORS)
def test_refusals(pattern):
    with pytest.raises(PatternError, match=re.escape(ERRORS[pattern])):
        automaton(parse_pattern(pattern))
