"""Machines among which a program chooses when it starts: ``--machine a,b,c``.

Only x86-64 is there so far: its processors say which instruction sets they have.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.diagnostics import UserError
from autodeploy.machine.machine import Machine

SEPARATOR = ","


def parse_machines(text: str) -> dict[str, Machine]:
    """Return the machines of a text form by the text of each, in the order of choice.

    That is the one with a device, then the most instruction sets. Raises ``UserError`` if one is
    unknown, or if a program could not choose among them: at most one has a device, they are of one
    operating system, and the others are x86-64 with different instruction sets if they are several.
    """
    texts = [part.strip() for part in text.split(SEPARATOR)]
    machines = [Machine.parse(part) for part in texts]
    if len(machines) == 1:
        return dict(zip(texts, machines, strict=True))
    first, plain = machines[0], [machine for machine in machines if not machine.device]
    if len(plain) < len(machines) - 1:
        raise UserError("one machine of a program has a device, and the others have none")
    for machine in machines:
        if machine.arch != "x86_64" and len(plain) > 1:
            raise UserError(
                f"only programs for x86-64 choose among machines, '{machine}' is {machine.platform}"
            )
        if machine.platform != first.platform:
            raise UserError(
                f"machines of one program have one operating system, '{first}' is "
                f"{first.platform} and '{machine}' is {machine.platform}"
            )
    _check_apart(plain)
    # A set counts whichever it is; of those with as many, the one that is named first comes first.
    pairs = zip(texts, machines, strict=True)
    return dict(sorted(pairs, key=lambda pair: (not pair[1].device, -len(pair[1].x86_sets))))


def _check_apart(machines: Sequence[Machine]) -> None:
    known: dict[frozenset[str], Machine] = {}
    for machine in machines:
        other = known.setdefault(frozenset(machine.x86_sets), machine)
        if other is not machine:
            raise UserError(
                f"machines '{other}' and '{machine}' have the same instruction sets, so that "
                "nothing tells a program which one it runs on"
            )
