"""The glossary: each of its words is used, and those that it rules out are not."""

import re

import pytest
from documents import PAGES, ROOT

TEXT = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
USED, _, NOT_USED = TEXT.partition("## Words that are not used")

SUFFIXES = {".c", ".cpp", ".h", ".hpp", ".lark", ".md", ".pdll", ".py"}


def words(table):
    return re.findall(r"^\| ([a-z -]+) \| (?!meaning|but)", table, re.MULTILINE)


def sources():
    """Return the text of each source and page by its path below the root."""
    paths = [path for path in (ROOT / "autodeploy").rglob("*") if path.suffix in SUFFIXES]
    names = [path.relative_to(ROOT).as_posix() for path in paths]
    found = {*names, *PAGES} - {"docs/glossary.md", "CHANGELOG.md"}
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in sorted(found)}


SOURCES = sources()


def test_words_are_in_order_and_there_are_some_forty():
    assert words(USED) == sorted(words(USED))
    assert 40 <= len(words(USED)) <= 60


@pytest.mark.parametrize("word", words(USED))
def test_each_word_is_used(word):
    spelled = word.replace(" ", r"[\s_-]+")
    form = re.compile(rf"\b{spelled}", re.IGNORECASE)
    assert any(form.search(text) for text in SOURCES.values())


@pytest.mark.parametrize("word", words(NOT_USED))
def test_a_word_that_is_ruled_out_is_not_used(word):
    spelled = word.replace(" ", r"\s+")
    form = re.compile(rf"(?<![^\W_]){spelled}s?(?![^\W_])", re.IGNORECASE)
    for name, text in SOURCES.items():
        if found := form.search(text):
            line = text.count("\n", 0, found.start()) + 1
            pytest.fail(f"{name}:{line} says '{found[0]}'; see docs/glossary.md")


def test_the_page_of_the_glossary_is_linked():
    assert "(glossary.md)" in (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
