"""The problems that prevent a conversion of a model, as one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NO_CONVERTER = "this operator is not supported"

_NAMED_NODES = 3
"""Nodes that a line names; of more it says how many there are."""

_REASONS = 3
"""Lines that an operator has at most; what has other reasons is counted."""


@dataclass(frozen=True)
class Problem:
    """One op that cannot be converted."""

    operator: str
    """The operator with the opset that it came with, where that is known: ``Conv-11``."""
    node: str
    """The node's name in quotes; one without a name is told by its output."""
    element: str
    """The element type of the first tensor that the op takes or makes; may be empty."""
    reason: str
    inputs: tuple[str, ...] = ()
    """The inputs of the model whose values, given before the run, would take the reason away."""
    advice: str = ""
    """A line about open extents, if the op has any: what may help where no reason says so."""


def report(problems: Sequence[Problem]) -> list[str]:
    """Return the lines of an error: a headline, by operator and reason the first nodes, advice."""
    unique = list(dict.fromkeys(problems))  # an operator may have two parts that are alike
    by_operator: dict[str, dict[str, list[Problem]]] = {}
    for problem in sorted(unique, key=lambda p: (_sort_key(p.operator), p.reason)):
        by_operator.setdefault(problem.operator, {}).setdefault(problem.reason, []).append(problem)
    count = len({(problem.operator, problem.node) for problem in unique})
    lines = [f"the model has {count} node{'s' * (count != 1)} that cannot be converted"]
    for operator, by_reason in by_operator.items():
        # If not all reasons are listed, those of the most nodes come first.
        groups = list(by_reason.items())
        if len(groups) > _REASONS:
            groups.sort(key=lambda group: -len(group[1]))
        lines += [f"  {operator} {_nodes(group)}: {reason}" for reason, group in groups[:_REASONS]]
        if rest := groups[_REASONS:]:
            left = [problem for _, group in rest for problem in group]
            lines.append(f"  {operator} {_nodes(left)}: {len(rest)} other reasons")
    if not any(" --" in problem.reason for problem in unique):
        lines += list(dict.fromkeys(problem.advice for problem in unique if problem.advice))
    return lines


def common_inputs(problems: Sequence[Problem]) -> Sequence[str]:
    """Return the inputs whose values might take all problems away, none where one stays."""
    if not all(problem.inputs for problem in problems):
        return ()
    return list(dict.fromkeys(name for problem in problems for name in problem.inputs))


def _sort_key(operator: str) -> tuple[str, int]:
    name, _, version = operator.rpartition("-")
    return (name, int(version)) if version.isdigit() else (operator, 0)


def _nodes(problems: Sequence[Problem]) -> str:
    """Return how many nodes there are, the first by name, and their element types."""
    nodes = list(dict.fromkeys(problem.node for problem in problems))
    named = ", ".join(nodes[:_NAMED_NODES]) + ", …" * (len(nodes) > _NAMED_NODES)
    elements = ", ".join(dict.fromkeys(problem.element for problem in problems if problem.element))
    text = f"node {named}" if len(nodes) == 1 else f"{len(nodes)} nodes ({named})"
    return f"{text} on {elements}" if elements else text
