"""Cases on rows of which a condition says which there are, against onnxruntime.

A case is a call of an operator and the types of its results. A network of some cases has an input
``x`` of ``ROWS`` rows, two conditions ``c`` and ``e``, and may have others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import onnxruntime
from closeness import assert_close

import autodeploy

ROWS = 9

Case: TypeAlias = tuple[str, ...]
Inputs: TypeAlias = Mapping[str, npt.NDArray]


def conditions(*rows: str) -> list[npt.NDArray[np.bool_]]:
    """Return conditions, each written as its digits 0 and 1."""
    return [np.array([digit == "1" for digit in digits]) for digits in rows]


def results_of(cases: Mapping[str, Case], names: Iterable[str]) -> tuple[str, str]:
    """Return the outputs and the nodes of some cases, in ONNX's own text of models."""
    outputs: list[str] = []
    nodes: list[str] = []
    for name in names:
        call, *types = cases[name]
        results = [f"{name}_{number}" for number in range(len(types))]
        outputs += [f"{type_} {result}" for type_, result in zip(types, results, strict=True)]
        nodes.append(f"{', '.join(results)} = {call}")
    return ", ".join(outputs), " ".join(nodes)


def check_conditions(
    network: Callable[[Iterable[str]], bytes],
    names: Collection[str],
    chosen: Sequence[npt.NDArray[np.bool_]],
    from_none: Collection[str],
    level: int,
    others: Callable[[np.random.Generator], Inputs] = lambda random: {},
) -> None:
    """Hold one program of all cases against a model of each, for each of some conditions.

    ``network`` returns a model of the cases of some names, ``others`` draws the inputs that it has
    besides. Without rows, the cases ``from_none`` are left out.
    """
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    theirs = {name: onnxruntime.InferenceSession(network([name]), options) for name in names}
    random = np.random.default_rng(level)
    with autodeploy.compile(network(names), level=level) as session:
        for c, e in zip(chosen, (*chosen[3:], *chosen[:3]), strict=True):
            x = 2 * random.standard_normal((ROWS, 4), np.float32)
            inputs = {"x": x, "c": c, "e": e, **others(random)}
            found = session.run(inputs)
            for name, reference in theirs.items():
                if not c.any() and name in from_none:
                    continue
                for number, right in enumerate(reference.run(None, inputs)):
                    ours = found[f"{name}_{number}"]
                    assert ours.shape == right.shape, (name, c)
                    assert_close(ours, right)
