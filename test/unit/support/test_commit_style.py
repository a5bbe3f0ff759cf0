"""The rule for commits: what `make commit-style` says of messages."""

import subprocess

import commit_style
import pytest
from documents import ROOT

BODY = "\n\nA shape that is inferred wrong was taken for known.\n"


def said(message):
    return "; ".join(commit_style.problems(message))


@pytest.mark.parametrize(
    "subject",
    [
        "Fold scales into convolutions",
        "Embed weights, and 3 other things",
        "Pass options on",
        "Feed the pool in one-way loops",
        "Bias nothing",
        "Bring nn.kernel closer",
        "x" * 59 + "y",
    ],
)
def test_a_subject_in_the_imperative_is_taken(subject):
    assert said(subject[0].upper() + subject[1:] + BODY) == ""


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("X" * 61 + BODY, "the subject has 61 characters, expected at most 60"),
        ("Fold scales." + BODY, "the subject ends with '.'"),
        ("fold scales" + BODY, "the subject does not start with a capital letter"),
        ("Folded scales" + BODY, "the subject starts with 'Folded', expected a verb in the imp"),
        ("Folds scales" + BODY, "the subject starts with 'Folds', expected"),
        ("Folding of scales" + BODY, "the subject starts with 'Folding', expected"),
        ("The scales fold" + BODY, "the subject starts with 'The', expected"),
        ("16-bit scales" + BODY, "the subject does not start with a capital letter"),
        ("Fold scales", "no body says why"),
        ("Fold scales\n\nCo-authored-by: Some One <a@b.c>\n", "no body says why"),
        ("Fold scales\nIt was slow.\n", "no blank line follows the subject"),
        ("", "the subject does not start with a capital letter; no body says why"),
    ],
)
def test_breaches_of_the_rule_are_reported(message, problem):
    assert said(message).startswith(problem)


def git(folder, *arguments):
    author = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


def test_commits_after_the_base_are_read(tmp_path, monkeypatch, capfd):
    git(tmp_path, "init", "-q")
    for message in ("wrong but old", "Fold scales" + BODY, "Adds nothing" + BODY, "Mend it"):
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", message)
    monkeypatch.chdir(tmp_path)
    assert commit_style.main(["HEAD~3"]) == 1
    second, third = capfd.readouterr().out.splitlines()
    assert second.endswith(
        " Adds nothing: the subject starts with 'Adds', expected a verb in the imperative"
    )
    assert third.endswith(" Mend it: no body says why")
    assert commit_style.main(["HEAD"]) == 0
    assert commit_style.main(["nothing"]) == 2
    assert "nothing" in capfd.readouterr().err


def test_contributing_states_the_length_of_subjects():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"at most {commit_style.LENGTH} characters" in text.replace("\n", " ")
