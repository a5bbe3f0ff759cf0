"""All functions of one operand keep their digits over the whole range of each float type.

With ``DIGITS=all`` at all levels, of many numbers.
"""

from __future__ import annotations

import os
from functools import cache

import numpy as np
import pytest
from functions_of_one import FUNCTIONS, TYPES, Array, Exact, errors, exact, limit, model, points
from program_batch import run_once

from autodeploy import CompileOptions
from autodeploy.options import Emit

ALL = os.environ.get("DIGITS") == "all"
CASES = [(type_, level) for type_ in TYPES for level in (range(4) if ALL else [2])]
SOURCES = ("Exp", "Elu", "Sigmoid", "Softplus", "Mish", "Gelu", "Tanh", "Acosh")


@cache
def known(type_: str) -> tuple[Array, list[Exact]]:
    """Return numbers of a type, and the exact values of all functions."""
    x = points(type_, 4 if ALL else 0.3)
    return x, [exact(function, x) for function in FUNCTIONS]


def check(type_: str, level: int, names: tuple[str, ...] = (), emit: Emit | None = None) -> None:
    x, values = known(type_)
    chosen = [f for f in FUNCTIONS if not names or f.name in names]
    options = CompileOptions(level=level, emit=emit)
    found = run_once(model(type_, len(x), chosen), {"x": x}, options)
    beyond = {}
    for number, function in enumerate(chosen):
        off = errors(function, found[f"y{number}"], values[FUNCTIONS.index(function)])
        worst = int(np.argmax(off))
        if off[worst] > limit(function, type_):
            beyond[function.name] = f"{off[worst]:.2e} at {x[worst]}"
    assert not beyond


@pytest.mark.exhaustive
@pytest.mark.xdist_group("digits")
@pytest.mark.parametrize(("type_", "level"), [*CASES, *([] if ALL else [("float32", 0)])])
def test_functions(type_: str, level: int) -> None:
    check(type_, level)


@pytest.mark.exhaustive
@pytest.mark.xdist_group("digits")
@pytest.mark.parametrize("type_", ("float32", "float64"))
def test_functions_as_source(type_: str) -> None:
    check(type_, 2, SOURCES, "c")


@pytest.mark.parametrize(("found", "off"), [(0.5, 0.5), (1.0001, 1e-4), (np.nan, np.inf)])
def test_errors_show(found: float, off: float) -> None:
    one = Exact(np.array([1.0]), np.array([0.0]))
    (error,) = errors(FUNCTIONS[0], np.array([found], np.float32), one)
    assert error == pytest.approx(off, rel=1e-2)
