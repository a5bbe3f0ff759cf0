"""Checks the prose of pages and docstrings: ``python test/support/prose.py [FILE...]``.

The rules are those of CONTRIBUTING.md, "Prose". A regular expression finds only some breaches of
each: it is chosen for few false alarms. Code, headings and quotations do not count.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from documents import PAGES, ROOT

WORDS = 25
"""The most words of an item of a list."""

UNCHECKED = (
    "autodeploy/templates/",
    "autodeploy/dialects/growth.py",
    "autodeploy/dialects/nn/extent_attr.py",
    "autodeploy/dialects/nn/open_extent.py",
)
"""Files and folders that do not keep the rules yet."""

_SKIPPED = re.compile(
    r"^```.*?^```$|<!--.*?-->|<[^>\n]+>|``[^`]+``|`[^`\n]+`|(?<=\])\([^)\s]+\)|\"[^\"\n]*\"|^#[^\n]*$",
    re.MULTILINE | re.DOTALL,
)
"""Code, comments, tags, targets of links, quotations and headings."""

_START = r"(?:^(?:[-*] |\d+\. )?|(?<=[.!?:] )|(?<=[.!?:]\n)|\n\n)"
"""The start of a paragraph, an item or a sentence."""

_ITEM = re.compile(r"^ *(?:[-*]|\d+\.) (.*(?:\n(?! *(?:[-*]|\d+\.) |\n|\|).+)*)", re.MULTILINE)

_STATE = re.compile(r"^### (?:Added|Deprecated|Security)\n+((?:[-* ].*\n)*)", re.MULTILINE)
"""The parts of the changelog that describe the product, not a difference to an earlier release."""

_DRAFT = re.compile(
    r"\b(?:any ?more|before that|no longer|now|used to|was|were)\b|\btakes? \d", re.IGNORECASE
)


@dataclass(frozen=True)
class Rule:
    name: str
    pattern: re.Pattern[str]
    remedy: str


RULES = (
    Rule(
        "R1",
        re.compile(
            rf"{_START}(?:What|Who|Whoever)\b(?![^.?!]*\?)"
            r"|\b(?:of|by|to|for|with|from|than|as|and|in|beyond|like) (?:what|who)\b(?! to\b)"
            r"|\b(?:all|nothing) what\b",
            re.MULTILINE,
        ),
        "name the thing instead of 'what' or 'who'",
    ),
    Rule(
        "R2",
        re.compile(
            r"\b(?:behind|beside|in\s+front\s+of|lies?|lay(?!\s+out)|stands?|stood)\b(?!\s+for\b|-)",
            re.IGNORECASE,
        ),
        "write after, besides, before, 'is stored' or 'is'",
    ),
    Rule(
        "R3",
        re.compile(
            rf"{_START}(?:Of|Where|So|Beside|Neither)\b(?![^.?!]*\?)",
            re.MULTILINE,
        ),
        "open the sentence with its subject, or with If or When",
    ),
    Rule(
        "R4",
        re.compile(
            r"\b\d+(?:\.\d+)?(?:\s+to\s+\d+(?:\.\d+)?)?\s+(?:times\s+)?(?:of\s+the\s+time|as\s+long)\b"
        ),
        "state a change of speed as '12 % faster'",
    ),
)


SOURCES = [
    name
    for path in sorted((ROOT / "autodeploy").rglob("*.py"))
    if not (name := path.relative_to(ROOT).as_posix()).startswith(UNCHECKED)
]
"""The Python files whose docstrings and comments are checked."""

_GENERATED = "<!-- Made from "
"""The start of a page that is made from docstrings; it may have long items."""


@dataclass(frozen=True)
class Finding:
    page: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.rule}: {self.text}"


def findings(name: str, page: str) -> Iterator[Finding]:
    """Yield the breaches of rules in the text of a page or of a Python file."""
    text = _SKIPPED.sub(_blank, docstrings(page) if name.endswith(".py") else page)
    for rule in RULES:
        for found in rule.pattern.finditer(text):
            words = " ".join(found[0].split())
            line = _line(text, found.end()) - found[0].strip().count("\n")
            yield Finding(name, line, rule.name, f"'{words}': {rule.remedy}")
    for item in _ITEM.finditer(text):
        count = len(item[1].split())
        if count > WORDS and not page.startswith(_GENERATED):
            line = _line(text, item.start(1))
            yield Finding(name, line, "R7", f"{count} words in an item, expected at most {WORDS}")
    if name == "CHANGELOG.md":
        yield from _drafts(name, page)


def _drafts(name: str, text: str) -> Iterator[Finding]:
    for section in _STATE.finditer(text):
        for found in _DRAFT.finditer(section[1]):
            line = _line(text, section.start(1) + found.start())
            yield Finding(name, line, "R9", f"'{found[0]}': describe the product, not its past")


def docstrings(source: str) -> str:
    """Return a Python file in which only docstrings and comments are left, on their lines."""
    lines = source.split("\n")
    kept = [line.partition("# ")[2] if line.lstrip().startswith("# ") else "" for line in lines]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                for i in range(node.lineno - 1, node.end_lineno or 0):
                    kept[i] = lines[i].strip().removeprefix('"""').removesuffix('"""')
    return "\n".join(kept)


def _blank(found: re.Match[str]) -> str:
    """Return a word and the line breaks of a match, so that lines keep their numbers."""
    return "_" + "\n" * found[0].count("\n")


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def main(names: list[str]) -> int:
    """Print all breaches; return 1 where there are some."""
    found = 0
    for name in names or [*PAGES, *SOURCES]:
        for one in findings(name, (ROOT / name).read_text(encoding="utf-8")):
            print(one)
            found = 1
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
