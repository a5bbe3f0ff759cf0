"""Curves of searches as a picture: the best time of each kernel by the number of trials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import accumulate
from math import inf
from pathlib import Path
from typing import Any

from autodeploy.diagnostics import UserError
from autodeploy.records.best import KernelRecords, grouped
from autodeploy.records.record import Record

_MOST = 12
"""Kernels that are drawn: those with most trials."""

_WIDTH, _HEIGHT = 8.0, 5.0
"""Inches of the picture."""


def curves(records: Iterable[Record]) -> list[tuple[str, list[float]]]:
    """Return for each kernel its title and, by trials, how many times as fast the best one is.

    The rule's config is the first trial, and 1. Kernels that have no such trial, or no other one,
    are left out; those with most trials come first, and no more than can be told apart.
    """
    found = [(group.records[0].title, _curve(group)) for group in grouped(records).values()]
    found = [(title, values) for title, values in found if len(values) > 1]
    return sorted(found, key=lambda one: -len(one[1]))[:_MOST]


def draw_curves(drawn: Sequence[tuple[str, Sequence[float]]], file: Path) -> None:
    """Write curves to a picture; the ending of the file says of which kind, png, svg or pdf.

    Raises ``UserError`` if there are none, where the file cannot be written or is of no such
    kind, or if matplotlib is not installed.
    """
    if not drawn:
        raise UserError("no kernel has trials besides the rule's: there is nothing to draw")
    figure, axes = _figure()
    for title, values in drawn:
        axes.step(range(1, len(values) + 1), values, where="post", label=title)
    axes.set_xlabel("trials")
    axes.set_ylabel("times as fast as the rule's config")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small")
    try:
        figure.savefig(file, bbox_inches="tight")
    except OSError as error:
        raise UserError(f"cannot write '{file}': {error.strerror or error}") from None
    except ValueError as error:
        raise UserError(f"cannot draw '{file}': {' '.join(str(error).split())}") from None


def _figure() -> tuple[Any, Any]:
    """Return a figure of matplotlib that needs no screen, and its axes."""
    try:
        kind: Any = import_module("matplotlib.figure").Figure
    except ImportError as error:
        raise UserError(f"curves take matplotlib ({error}): install autodeploy[plot]") from None
    figure = kind(figsize=(_WIDTH, _HEIGHT))
    return figure, figure.subplots()


def _curve(group: KernelRecords) -> list[float]:
    rule = group.rule
    if rule is None:
        return []
    bests = accumulate((trial.cost for trial in group.trials), min, initial=inf)
    return [rule.cost / best for best in list(bests)[1:]]
