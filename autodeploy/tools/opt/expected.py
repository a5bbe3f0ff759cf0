"""``--verify-diagnostics``: errors against the ``expected-error`` comments of a text.

``// expected-error {{text}}`` expects an error on its own line, ``@+N`` and ``@-N`` on one that
many lines below or above, ``@below`` and ``@above`` on the nearest line without such a comment,
``@unknown`` one without a place. The text must be part of the message; after ``expected-error-re``
it may hold regular expressions in ``{{…}}``. An error whose place is not known (a pass failed
without naming an operation of the text) matches an expectation at any line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from autodeploy.diagnostics import UserError
from autodeploy.frontend.text_places import Place
from autodeploy.tools.opt.diagnostics import Report

_COMMENT = re.compile(
    r"expected-(?P<kind>error|warning|note|remark)(?P<re>-re)?\s*"
    r"(?:@(?P<where>[+-][0-9]+|above|below|unknown))?\s*\{\{(?P<text>.*)\}\}[ \t\r]*$",
    re.MULTILINE,
)
_START = re.compile(r"//\s*expected-(error|warning|note|remark)\b")


@dataclass(frozen=True)
class Expectation:
    """One comment: what is expected at which line (``None``: at no known place)."""

    kind: str
    text: str
    is_regex: bool
    line: int | None
    comment: Place

    def matches(self, report: Report) -> bool:
        """Return whether an error is the expected one."""
        if self.kind != "error":
            return False  # passes and verifiers give errors only
        if report.place is not None and report.place.line != self.line:
            return False
        if not self.is_regex:
            return self.text in report.message
        parts = re.split(r"\{\{(.*?)\}\}", self.text)
        pattern = "".join(f"(?:{p})" if i % 2 else re.escape(p) for i, p in enumerate(parts))
        return re.search(pattern, report.message) is not None


def expectations(text: str, file: str, first_line: int = 1) -> list[Expectation]:
    """Return the expectations of a text, whose first line has the number ``first_line``.

    Raises ``UserError`` for a comment that starts as an expectation but is none.
    """
    lines = text.split("\n")
    comments = [_COMMENT.search(line) for line in lines]
    found: list[Expectation] = []
    for index, match in enumerate(comments):
        if match is None:
            if _START.search(lines[index]):
                raise UserError(
                    f"{file}:{first_line + index}: malformed expectation, expected "
                    "'expected-error {{text}}' or 'expected-error@+N {{text}}' to end the line"
                )
            continue
        where = match["where"] or "+0"
        if where == "unknown":
            target = None
        elif where in ("above", "below"):
            step = 1 if where == "below" else -1
            target = index + step
            while 0 <= target < len(lines) and comments[target] is not None:
                target += step
        else:
            target = index + int(where)
        place = Place(
            file, first_line + index, match.start() + 1, lines[index].rstrip("\r"), len(match[0])
        )
        line = None if target is None else first_line + target
        found.append(Expectation(match["kind"], match["text"], bool(match["re"]), line, place))
    return found


def mismatches(expected: Iterable[Expectation], found: Iterable[Report]) -> list[Report]:
    """Return what differs: errors that no comment expects, comments that no error met."""
    left = list(expected)
    wrong: list[Report] = []
    for report in found:
        met = next((e for e in left if e.matches(report)), None)
        if met is None:
            wrong.append(Report(f"unexpected error: {report.message}", report.place))
        else:
            left.remove(met)
    wrong += [Report(f'expected {e.kind} "{e.text}" was not produced', e.comment) for e in left]
    return wrong
