"""The table of what the compiler refuses of ONNX's suite, by reason, and of what takes values.

Each test that is refused stands in it, with the reason that the compiler gives, and no other one.
So does each test whose program is compiled for the values of some inputs, with these.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from suite import Kind, Outcome

TABLE = Path(__file__).with_name("refusals.toml")

HEADER = """\
# What the compiler refuses of ONNX's suite, by reason. A test that passes must not stand here.
# `run.py --record` brings the tests that it runs up to date; read the difference. `why` is written
# by hand, and stands in docs/operators.md. `given` are the inputs whose values the programs of some
# tests are compiled for.
"""


def refusals() -> Mapping[str, str]:
    """Return the reason for each test that is refused."""
    groups = tomllib.loads(TABLE.read_text(encoding="utf-8"))["refused"]
    return {name: group["reason"] for group in groups for name in group["tests"]}


def explanations() -> Mapping[str, str]:
    """Return why each reason is one, nothing where nobody has written it."""
    groups = tomllib.loads(TABLE.read_text(encoding="utf-8"))["refused"]
    return {group["reason"]: group.get("why", "") for group in groups}


def given_values() -> Mapping[str, str]:
    """Return the inputs for whose values the programs of some tests are compiled, by test."""
    groups = tomllib.loads(TABLE.read_text(encoding="utf-8")).get("given", [])
    return {name: group["inputs"] for group in groups for name in group["tests"]}


def unexpected(
    found: Mapping[str, Outcome], expected: Mapping[str, str], given: Mapping[str, str]
) -> Mapping[str, str]:
    """Return what is not as the tables of refusals and of values say, by test."""
    wrong: dict[str, str] = {}
    for name, outcome in found.items():
        if outcome.is_defect:
            wrong[name] = f"{outcome.kind}: {outcome.detail}"
        elif outcome.kind is Kind.NO_PAGE:
            continue
        elif outcome.kind is not Kind.REFUSED:
            inputs = outcome.detail if outcome.kind is Kind.GIVEN else ""
            if name in expected:
                wrong[name] = "it passes, although the table lists it"
            elif inputs != given.get(name, ""):
                wrong[name] = f"its program is for values of '{inputs}', not as the table says"
        elif name not in expected:
            wrong[name] = f"refused, and not in the table: {outcome.detail}"
        elif reason_of(outcome) != expected[name]:
            wrong[name] = f"refused for another reason than the table's: {outcome.detail}"
    return wrong


def record(found: Mapping[str, Outcome]) -> None:
    """Bring the table up to date with what was found."""
    table = {name: reason for name, reason in refusals().items() if name not in found}
    given = {name: inputs for name, inputs in given_values().items() if name not in found}
    for name, outcome in found.items():
        if outcome.kind is Kind.REFUSED:
            table[name] = reason_of(outcome)
        elif outcome.kind is Kind.GIVEN:
            given[name] = outcome.detail
    parts, why = [HEADER], explanations()
    for reason, listed in _grouped(table):
        parts.append(
            f'[[refused]]\nreason = "{reason}"\nwhy = "{why.get(reason, "")}"\n'
            f"tests = [\n{listed}]\n"
        )
    for inputs, listed in _grouped(given):
        parts.append(f'[[given]]\ninputs = "{inputs}"\ntests = [\n{listed}]\n')
    TABLE.write_text("\n".join(parts), encoding="utf-8")


def _grouped(entries: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what tests have in common, with a line for each of the tests."""
    groups: dict[str, list[str]] = {}
    for name, common in sorted(entries.items()):
        groups.setdefault(common, []).append(name)
    for common, names in sorted(groups.items()):
        yield common, "".join(f'  "{name}",\n' for name in names)


def reason_of(outcome: Outcome) -> str:
    """Return a refusal without what it says of a test's own names, types and shapes."""
    first, *nodes = outcome.detail.split(" | ")
    parts = [_NODE.sub(r"\1: ", part) for part in nodes or [first]]
    return "; ".join(sorted({re.sub("'.*'", "…", _OWN.sub("", part)) for part in parts}))


_NODE = re.compile(r"^([\w.]+)-\d+ .*?: ")
_OWN = re.compile(r", (found|expected) .*$")
