"""ONNX's node tests through compiled C programs.

A test is a model of a few nodes with inputs and outputs, as ``onnx.backend.test`` makes them. Its
outcome is what came of it: a pass, a refusal in one line, or a defect. Where axes, pads or scales
are inputs of the model, which is refused, the test is run again with these as constants.
"""

from __future__ import annotations

import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from isolated import Lost, outcomes
from onnx import ModelProto, TensorProto, numpy_helper
from onnx.backend.test.case.test_case import TestCase
from onnx.backend.test.loader import load_model_tests
from onnx.backend.test.runner import Runner
from program_batch import BuiltProgram, Program, build_programs
from xdsl.utils.exceptions import DiagnosticException

from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import ToolchainError

BATCH = 24
"""Tests to a process, and to a library."""
PARAMETERS = 16
"""The most elements of an input that may be a parameter of an operator."""
WINOGRAD = 1e-4
"""How far a convolution may be off at level 3, as a part of the largest number of the result."""


class Kind(StrEnum):
    """What came of a test; all but the first three are defects."""

    PASS = "pass"
    FROZEN = "frozen"
    """It passes with some of its inputs as constants."""
    REFUSED = "refused"
    WRONG = "wrong"
    CRASH = "crash"
    TRACEBACK = "traceback"
    HANG = "hang"


@dataclass(frozen=True)
class Outcome:
    kind: Kind
    detail: str = ""

    @property
    def is_defect(self) -> bool:
        return self.kind not in (Kind.PASS, Kind.FROZEN, Kind.REFUSED)


@dataclass(frozen=True)
class NodeTest:
    """A test and the level to compile it at; inputs in ``constants`` are constants of the model."""

    test: TestCase
    level: int
    constants: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.test.name

    @property
    def data(self) -> Sequence[tuple[Sequence[Any], Sequence[Any]]]:
        """The inputs and the outputs of each data set, in the order of the model's."""
        assert self.test.data_sets is not None
        return self.test.data_sets

    @property
    def inputs(self) -> Mapping[str, Any]:
        """The inputs of the first data set by name."""
        assert self.test.model is not None
        names = [value.name for value in self.test.model.graph.input]
        return dict(zip(names, self.data[0][0], strict=True))

    def program(self) -> Program:
        """Return the program of the test; extents that its model leaves open are its inputs'."""
        model = ModelProto()
        model.CopyFrom(self.test.model)
        inputs = list(model.graph.input)
        del model.graph.input[:]
        for value in inputs:
            if value.name in self.constants:
                array = self.inputs[value.name]
                model.graph.initializer.append(numpy_helper.from_array(array, value.name))
            else:
                model.graph.input.append(value)
        shapes = {
            value.name: self.inputs[value.name].shape
            for value in model.graph.input
            if isinstance(self.inputs[value.name], np.ndarray)
            and _is_open(value.type.tensor_type.shape)
        }
        options = CompileOptions(level=self.level, shapes=shapes, jobs=1)
        return Program(self.name, model.SerializeToString(), options)

    def frozen(self) -> NodeTest | None:
        """Return the test with what may be a parameter as a constant, or nothing if none is."""
        constants = frozenset(name for name, value in self.inputs.items() if _is_parameter(value))
        if not constants or len(self.data) > 1 or len(constants) == len(self.inputs):
            return None
        return replace(self, constants=constants)

    def run(self, built: BuiltProgram) -> None:
        """Run the program; raises ``AssertionError`` where a result is wrong."""
        with built.session() as session:
            for inputs, expected in self.data:
                named = dict(zip(self.inputs, inputs, strict=True))
                fed = {k: v for k, v in named.items() if k not in self.constants}
                found = list(session.run(fed).values())
                for ours, given in zip(found, expected, strict=True):
                    is_proto = isinstance(given, TensorProto)
                    theirs = numpy_helper.to_array(given) if is_proto else given
                    atol = max(self.test.atol, self._winograd(theirs))
                    Runner.assert_similar_outputs([theirs], [ours], self.test.rtol, atol)

    def _winograd(self, expected: np.ndarray) -> float:
        assert self.test.model is not None
        if self.level < 3 or all(node.op_type != "Conv" for node in self.test.model.graph.node):
            return 0
        return WINOGRAD * float(np.abs(expected.astype(np.float64)).max(initial=0))


def _is_open(shape: Any) -> bool:
    return any(not dim.HasField("dim_value") for dim in shape.dim)


def _is_parameter(value: Any) -> bool:
    """Tell whether an input may be axes, pads, a shape or scales rather than data."""
    return isinstance(value, np.ndarray) and value.ndim < 2 and value.size <= PARAMETERS


@cache
def node_tests() -> Sequence[TestCase]:
    """Return all node tests of ONNX, in order of their names."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return sorted(load_model_tests(kind="node"), key=lambda test: test.name)


def run_tests(
    tests: Sequence[TestCase], level: int, jobs: int = 1
) -> Iterator[tuple[str, Outcome]]:
    """Yield name and outcome of each test at a level, as they come."""
    items = [NodeTest(test, level) for test in tests]
    batches = [items[start : start + BATCH] for start in range(0, len(items), BATCH)]
    for name, outcome in outcomes(batches, _work, jobs):
        if isinstance(outcome, Lost):
            kind = Kind.HANG if outcome.hung else Kind.CRASH
            yield name, Outcome(kind, outcome.reason)
        else:
            yield name, outcome


def _work(
    tests: Sequence[NodeTest], report: Callable[[str], None]
) -> Iterator[tuple[str, Outcome]]:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        refused: list[tuple[NodeTest, Outcome]] = []
        for test, outcome in _run(tests, Path(folder, "given"), report):
            frozen = test.frozen() if outcome.kind is Kind.REFUSED else None
            if frozen is None:
                yield test.name, outcome
            else:
                refused.append((frozen, outcome))
        again = _run([test for test, _ in refused], Path(folder, "frozen"), report)
        for (_, refusal), (test, outcome) in zip(refused, again, strict=True):
            yield (
                test.name,
                {Kind.PASS: Outcome(Kind.FROZEN), Kind.REFUSED: refusal}.get(outcome.kind, outcome),
            )


def _run(
    tests: Sequence[NodeTest], folder: Path, report: Callable[[str], None]
) -> Iterator[tuple[NodeTest, Outcome]]:
    built = build_programs([test.program() for test in tests], folder, report)
    for test in tests:
        report(test.name)
        yield test, _outcome(test, built[test.name])


def _outcome(test: NodeTest, built: BuiltProgram | Exception) -> Outcome:
    try:
        if isinstance(built, Exception):
            raise built
        test.run(built)
    except AssertionError as error:
        return Outcome(Kind.WRONG, _first_lines(error))
    except Exception as error:
        if isinstance(error, DiagnosticException) and not isinstance(error, ToolchainError):
            return Outcome(Kind.REFUSED, _first_lines(error))
        last = traceback.extract_tb(error.__traceback__)[-1:]
        place = "".join(f" at {Path(frame.filename).name}:{frame.lineno}" for frame in last)
        return Outcome(Kind.TRACEBACK, f"{type(error).__name__}{place}: {_first_lines(error)}")
    return Outcome(Kind.PASS)


def _first_lines(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " | ".join(lines[:6])
