"""The documents: their examples run, their links lead somewhere."""

import re
import subprocess
import textwrap
from pathlib import Path

import documents
import pytest
from documents import PAGES, ROOT, Block, DocumentError, runnable_pages

PROSE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


GUIDES = ("README.md", "docs/add_a_fusion_rule.md", "docs/add_an_operator.md")
"""The pages of the quick run."""


@pytest.mark.every_case
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in GUIDES else pytest.mark.exhaustive)
        for name in runnable_pages()
    ],
)
def test_examples_of_a_document_print_the_stated_outputs(name, tmp_path):
    document = (ROOT / name).read_text(encoding="utf-8")
    for block, found in documents.changes(document, tmp_path):
        pytest.fail(f"{name}:{block.line} says\n{block.text}\nbut this comes out\n{found}")


@pytest.mark.every_case
@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_files_and_headings(name):
    page = ROOT / name
    for target in re.findall(r"\]\(([^)\s]+)\)", PROSE.sub("", page.read_text(encoding="utf-8"))):
        if target.startswith(("http://", "https://")):
            continue
        file, _, anchor = target.partition("#")
        linked = (page.parent / file).resolve() if file else page
        assert linked.exists(), f"{name} links to {target}"
        assert linked.is_relative_to(ROOT), f"{name} links out of the repository: {target}"
        if anchor:
            assert anchor in _anchors(linked), f"{name} links to {target}"


def test_the_readme_activates_the_environment_before_it_calls_the_tool():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert 0 < text.index("\n. .venv/bin/activate\n") < text.index("\nautodeploy compile ")


def _anchors(page: Path) -> set[str]:
    """Return the anchors that the headings of a page have, by the rule of common viewers."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_pages_for_users_are_run():
    assert {
        "README.md",
        "examples/mnist/README.md",
        "docs/add_a_fusion_rule.md",
        "docs/add_an_operator.md",
        "docs/command_line.md",
    } <= set(runnable_pages())


def test_make_help_lists_every_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    done = subprocess.run(["make", "-C", ROOT, "help"], capture_output=True, text=True, check=True)
    for target in phony[1].split():
        assert re.search(rf"^{target} +\w", done.stdout, re.MULTILINE), target


def test_every_comment_that_asks_for_something_is_before_a_block():
    for name in PAGES:
        page = (ROOT / name).read_text(encoding="utf-8")
        asked = re.findall(r"^<!-- (?:run|file|output|excerpt)\b.*-->$", page, re.MULTILINE)
        assert len(asked) == len(documents.blocks(page)), name


def test_blocks_are_read_with_their_comments():
    text = (
        "a\n\n<!-- run 1 -->\n\n```sh\nfalse\n```\n```sh\nnot run\n```\n<!-- output -->\n```\n```\n"
    )
    found = documents.blocks(text)
    assert [(b.kind, b.argument, b.language, b.text) for b in found] == [
        ("run", "1", "sh", "false\n"),
        ("output", "", "", ""),
    ]


def test_an_unexpected_exit_status_is_an_error(tmp_path):
    with pytest.raises(DocumentError, match="status 3, not 0"):
        documents.run(Block("run", "", "sh", "exit 3\n", 1, (0, 0)), tmp_path)


@pytest.mark.parametrize(
    ("said", "found", "same"),
    [
        ("a 1.25\n", "a 1.2500001", True),
        ("a 1.25", "a 1.26", False),
        ("a 1", "a 2", False),
        ("in … s: 5", "in 4.4 s: 5\n", True),
        ("in … s: 5", "in 4.4 s: 6", False),
        ("one\n…\nfour", "one\ntwo\nthree\nfour", True),
        ("(a+b)", "(aab)", False),
    ],
)
def test_outputs_agree_up_to_last_digits_and_ellipses(said, found, same):
    assert documents.agrees(said, found) is same


def test_an_excerpt_is_the_first_lines_with_the_words(tmp_path):
    (tmp_path / "a.txt").write_text("  one\n  two {\n    three {}\n    }\n  }\nthree\n")
    assert documents.excerpt("a.txt: thr | one", tmp_path) == "three {}\none\n"
    assert documents.excerpt("a.txt: two ... thr", tmp_path) == "two {\n  three {}\n"
    assert documents.excerpt("a.txt: two ... }", tmp_path) == "two {\n  three {}\n  }\n}\n"
    with pytest.raises(DocumentError, match="four"):
        documents.excerpt("a.txt: one | four", tmp_path)
    with pytest.raises(DocumentError, match="'one' after that with 'two'"):
        documents.excerpt("a.txt: two ... one", tmp_path)


LINES, WIDTH = 10, 110
"""The most lines of a paragraph, and the width at which they are counted."""


def paragraphs(name: str) -> list[str]:
    """Return the paragraphs and items of lists of a page, but no tables and no code."""
    text = re.sub(r"^```.*?^```$", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.M | re.S)
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text)
    return [part for part in parts if not part.lstrip().startswith(("|", "#", "<!--"))]


@pytest.mark.parametrize("name", PAGES)
def test_no_paragraph_is_long(name):
    for paragraph in paragraphs(name):
        lines = textwrap.wrap(paragraph, WIDTH)
        assert len(lines) <= LINES, f"{name}: {len(lines)} lines in '{paragraph[:60]}…'"
