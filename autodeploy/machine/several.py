"""Machines among which a program chooses when it starts: ``--machine a,b,c``.

Only x86-64 is there so far: its processors say which instruction sets they have.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.diagnostics import UserError
from autodeploy.machine.machine import Machine

SEPARATOR = ","


def parse_machines(text: str) -> dict[str, Machine]:
    """Return the machines of a text form by the text of each, the most instruction sets first.

    Raises ``UserError`` if one is unknown, or if a program could not choose among them:
    they are x86-64 of one operating system, and no two have the same instruction sets.
    """
    texts = [part.strip() for part in text.split(SEPARATOR)]
    machines = [Machine.parse(part) for part in texts]
    if len(machines) == 1:
        return dict(zip(texts, machines, strict=True))
    first = machines[0]
    for machine in machines:
        if machine.arch != "x86_64":
            raise UserError(
                f"only programs for x86-64 choose among machines, '{machine}' is {machine.platform}"
            )
        if machine.platform != first.platform:
            raise UserError(
                f"machines of one program have one operating system, '{first}' is "
                f"{first.platform} and '{machine}' is {machine.platform}"
            )
    _check_apart(machines)
    # A set counts whichever it is; of those with as many, the one that is named first comes first.
    pairs = sorted(zip(texts, machines, strict=True), key=lambda pair: -len(pair[1].x86_sets))
    return dict(pairs)


def _check_apart(machines: Sequence[Machine]) -> None:
    known: dict[frozenset[str], Machine] = {}
    for machine in machines:
        other = known.setdefault(frozenset(machine.x86_sets), machine)
        if other is not machine:
            raise UserError(
                f"machines '{other}' and '{machine}' have the same instruction sets, so that "
                "nothing tells a program which one it runs on"
            )
