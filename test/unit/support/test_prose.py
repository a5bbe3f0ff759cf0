"""The linter of prose: its rules find breaches, and leave their near-misses alone."""

import prose
import pytest
from documents import PAGES

LONG = " ".join(["word"] * 26)


def found(text, name="docs/page.md"):
    return [(one.line, one.rule) for one in prose.findings(name, text)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("It ends.\nWhat a run takes is measured.\n", "R1"),
        ("A list of what it\nreads.\n", "R1"),
        ("The bytes\nlie there.\n", "R2"),
        ("It is in\nfront of the block.\n", "R2"),
        ("A cache. So it waits.\n", "R3"),
        ("a.\n- Where it fits, it stays.\n", "R3"),
        ("| Table |\n- What it costs varies.\n", "R1"),
        ("It takes 0.89 of the time.\n", "R4"),
        ("It takes 1.1 to 1.3 times as long.\n", "R4"),
        (f"Text:\n\n- {LONG}\n", "R7"),
        (f"1. one\n2. two\n   {LONG}\n3. three\n", "R7"),
    ],
)
def test_a_breach_is_found(text, rule):
    assert [name for _, name in found(text)] == [rule]


@pytest.mark.parametrize(
    "text",
    [
        "What does it cost? It prints what it finds.\n",
        "`…` stands for anything, `lies behind` is code.\n",
        "Its offset follows; thus so do others. Offsets go where they fit.\n",
        "It is 12 % faster, in 0.89 ms.\n",
        'It states "So it lies behind.", a quotation.\n',
        "```text\nSo it lies behind.\n```\n",
        "# Where tests lie\n",
        f"{LONG}\n\n- a short item\n\n{LONG}\n",
        "<!-- Made from the code -->\n\nSo it lies behind.\n",
    ],
)
def test_a_near_miss_is_left_alone(text):
    assert found(text) == []


def test_lines_are_counted_across_code():
    assert found("a\n```sh\nb\nc\n```\nSo it\n\nends. So\n") == [(6, "R3"), (8, "R3")]


@pytest.mark.parametrize(
    ("section", "rules"), [("Added", ["R9"]), ("Security", ["R9"]), ("Fixed", []), ("Changed", [])]
)
def test_a_line_of_the_changelog_describes_the_product(section, rules):
    text = f"# Changelog\n\n### {section}\n\n- A good line.\n- It was slow before.\n"
    assert [name for _, name in found(text, "CHANGELOG.md")] == rules
    assert found(text) == []


def test_pending_rules_are_forgiven_and_go_with_the_last_breach(monkeypatch, tmp_path):
    (tmp_path / "a.md").write_text("So it ends. It lies there.\n", encoding="utf-8")
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    monkeypatch.setattr(prose, "PENDING", {"a.md": "R3 R4"})
    lines = prose.check(["a.md"])
    assert [line.split(": ")[:2] for line in lines] == [["a.md:1", "R2"], ["a.md", "keeps R4"]]


def test_the_pages_keep_the_rules(capsys):
    assert set(prose.PENDING) <= set(PAGES)
    assert prose.main([]) == 0, capsys.readouterr().out
