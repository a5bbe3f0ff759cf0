"""Prints which commits break CONTRIBUTING's rule: ``python commit_style.py BASE`` reads BASE..HEAD.

A verb is told from other words by its form alone: no article and no number stands first, and no
third person, participle or gerund.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LENGTH = 60
"""The most characters of a subject."""

_NO_VERB = re.compile(
    "an?|all|also|and|another|as|at|both|by|each|every|for|from|how|if|in|into|its?|many|more|most|"
    "new|no|not|now|of|on|one|only|other|our|some|such|that|the|their|there|these|they|this|those|"
    "to|two|we|what|when|where|which|while|with"
)
_FORMS = (
    (re.compile(r".*(?<!e)ed"), {"embed", "shed", "shred", "wed"}),
    (re.compile(r".*ing"), {"bring", "ring", "sing", "spring", "string", "swing", "wing"}),
    (re.compile(r".*[^s]s"), {"alias", "bias", "canvas", "focus"}),
)
"""Forms that are not the imperative, with the verbs that only look like them."""

_TRAILER = re.compile(r"[A-Z][\w-]*-[Bb]y: ")


def problems(message: str) -> Iterator[str]:
    """Yield what is wrong with the message of a commit."""
    subject, *rest = message.strip("\n").split("\n")
    if len(subject) > LENGTH:
        yield f"the subject has {len(subject)} characters, expected at most {LENGTH}"
    if subject.endswith((".", "!", "…")):
        yield f"the subject ends with '{subject[-1]}'"
    first = re.split(r"[^\w'-]", subject, maxsplit=1)[0]
    if not subject[:1].isupper():
        yield "the subject does not start with a capital letter"
    elif not _is_imperative(first.lower()):
        yield f"the subject starts with '{first}', expected a verb in the imperative"
    if rest and rest[0]:
        yield "no blank line follows the subject"
    if not [line for line in rest if line.strip() and not _TRAILER.match(line)]:
        yield "no body says why"


def _is_imperative(word: str) -> bool:
    if not word.replace("-", "").isalpha() or _NO_VERB.fullmatch(word):
        return False
    return not any(form.fullmatch(word) and word not in verbs for form, verbs in _FORMS)


def check(base: str, folder: Path) -> list[str]:
    """Return a line for each problem of a commit between ``base`` and HEAD, oldest first."""
    log = subprocess.run(
        ["git", "log", "--reverse", "--no-merges", "-z", "--format=%h %B", f"{base}..HEAD", "--"],
        cwd=folder,
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    ).stdout
    found: list[str] = []
    for entry in filter(None, log.split("\0")):
        name, _, message = entry.partition(" ")
        subject = message.partition("\n")[0]
        found += [f"{name} {subject}: {problem}" for problem in problems(message)]
    return found


def main(arguments: list[str]) -> int:
    """Print all problems; return 1 where there are some, 2 where git does not know the base."""
    try:
        found = check(arguments[0], Path.cwd())
    except subprocess.CalledProcessError:
        return 2
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
