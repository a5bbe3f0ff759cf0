"""The linter of prose: its rules find breaches, and leave their near-misses alone."""

import prose
import pytest

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
        f"<!-- Made from the code -->\n\n- {LONG}\n",
        "It lay out of sight? No: passes lay out weights.\n",
    ],
)
def test_a_near_miss_is_left_alone(text):
    assert found(text) == []


def test_only_docstrings_and_comments_of_python_count():
    source = """x = "So it lies."  # So it lies
# So it goes.
def f():
    \"\"\"Return it.

    Where ``What`` fits, it stays.
    \"\"\"
"""
    assert found(source, "a.py") == [(2, "R3"), (6, "R3")]


def test_lines_are_counted_across_code():
    assert found("a\n```sh\nb\nc\n```\nSo it\n\nends. So\n") == [(6, "R3"), (8, "R3")]


@pytest.mark.parametrize(
    ("section", "rules"), [("Added", ["R9"]), ("Security", ["R9"]), ("Fixed", []), ("Changed", [])]
)
def test_a_line_of_the_changelog_describes_the_product(section, rules):
    text = f"# Changelog\n\n### {section}\n\n- A good line.\n- It was slow before.\n"
    assert [name for _, name in found(text, "CHANGELOG.md")] == rules
    assert found(text) == []


def test_the_status_is_1_if_there_are_breaches(monkeypatch, tmp_path, capsys):
    (tmp_path / "a.md").write_text("So it ends. It is here.\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("It ends here.\n", encoding="utf-8")
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    assert prose.main(["b.md"]) == 0
    assert prose.main(["a.md", "b.md"]) == 1
    assert capsys.readouterr().out.startswith("a.md:1: R3: 'So'")


def test_the_pages_keep_the_rules(capsys):
    assert prose.main([]) == 0, capsys.readouterr().out
