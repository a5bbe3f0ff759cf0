"""ONNX's own suite of tests, ``onnx.backend.test.BackendTest``, through compiled C programs.

A test prepares a model and runs it. It runs twice here: once to see which model and which inputs
these are, and again when the programs of many tests are one library. Its outcome is a pass, a
refusal in one line, or a defect. Where axes, pads or scales are inputs of the model, which may be
refused, the test runs once more with these as constants.
"""

from __future__ import annotations

import tempfile
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from isolated import Lost, outcomes
from onnx import GraphProto, ModelProto, TensorProto, numpy_helper
from onnx.backend.test import BackendTest
from program_batch import BuiltProgram, Program, build_programs
from xdsl.utils.exceptions import DiagnosticException

from autodeploy import onnx_backend
from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.onnx_backend import PreparedModel

BATCH = 24
"""Tests to a process, and to a library."""
PARAMETERS = 16
"""The most elements of an input that may be a parameter of an operator."""
WINOGRAD = 1e-4
"""How far a convolution may be off at level 3, as a part of the largest number of the result."""


_RANDOM = [
    f"test_bernoulli{kind}{form}" for kind in ("", "_double", "_seed") for form in ("", "_expanded")
]

TOLERANCES = {
    **{name: {"atol": 1e-6} for name in ("test_dft_inverse", "test_dft_inverse_opset19")},
    **{name: {"atol": 1.0} for name in _RANDOM},
}
"""What ONNX expects has rounding errors of its own where the exact result is 0; or was drawn, zeros
and ones, by a generator that it does not define."""


class Kind(StrEnum):
    """What came of a test; all but the first three are defects."""

    PASS = "pass"
    FROZEN = "frozen"
    """It is refused, and passes with some of its inputs as constants."""
    REFUSED = "refused"
    WRONG = "wrong"
    CRASH = "crash"
    TRACEBACK = "traceback"
    HANG = "hang"


@dataclass(frozen=True)
class Outcome:
    """What came of a test, and why."""

    kind: Kind
    detail: str = ""

    @property
    def is_defect(self) -> bool:
        return self.kind not in (Kind.PASS, Kind.FROZEN, Kind.REFUSED)


class Recording(Exception):  # noqa: N818
    """Ends a test that only tells what it would run."""

    def __init__(self, model: ModelProto):
        self.model = model
        self.inputs: Sequence[Any] = ()

    def run(self, inputs: Sequence[Any]) -> Sequence[Any]:
        self.inputs = inputs
        raise self


class _Backend:
    """The adapter, but that the test at hand may prepare models in another way."""

    supports_device = staticmethod(onnx_backend.supports_device)
    is_compatible = staticmethod(onnx_backend.is_compatible)

    def __init__(self) -> None:
        self.preparing: Callable[[ModelProto], Any] = Recording
        self.tolerance = 0.0

    def prepare(self, model: ModelProto, device: str, **kwargs: Any) -> Any:
        return self.preparing(model)


class _Suite(BackendTest):
    """The suite, but that convolutions by Winograd's algorithm may be less exact."""

    @classmethod
    def assert_similar_outputs(
        cls,
        ref_outputs: Sequence[Any],
        outputs: Sequence[Any],
        rtol: float,
        atol: float,
        model_dir: str | None = None,
    ) -> None:
        if _BACKEND.tolerance:
            largest = max(float(np.abs(x).max(initial=0)) for x in ref_outputs)
            atol = max(atol, _BACKEND.tolerance * largest)
        super().assert_similar_outputs(ref_outputs, outputs, rtol, atol, model_dir)


_BACKEND = _Backend()


@dataclass(frozen=True)
class SuiteTest:
    """A test of the suite and the level to compile it at."""

    name: str
    function: Callable[[None], None]
    level: int = 2

    def recorded(self) -> Recording:
        """Return what the test compiles and runs."""
        _BACKEND.preparing = Recording
        try:
            self.function(None)
        except Recording as recording:
            return recording
        raise ValueError(f"{self.name} runs no model")

    def check(self, prepared: Any, model: ModelProto) -> None:
        """Run the test with a prepared model; raises ``AssertionError`` where a result is wrong."""
        _BACKEND.preparing = lambda _: prepared
        convolves = any(node.op_type == "Conv" for node in model.graph.node)
        _BACKEND.tolerance = WINOGRAD if self.level == 3 and convolves else 0.0
        self.function(None)


@dataclass(frozen=True)
class _Attempt:
    """A test as it is compiled; inputs in ``constants`` are constants of the model."""

    test: SuiteTest
    recording: Recording
    constants: frozenset[str] = frozenset()

    @property
    def inputs(self) -> Mapping[str, Any]:
        """The inputs of the first data set by name."""
        model = self.recording.model
        stored = {tensor.name for tensor in model.graph.initializer}
        names = [value.name for value in model.graph.input if value.name not in stored]
        return dict(zip(names, self.recording.inputs, strict=True))

    def program(self) -> Program:
        """Return the program of the test; extents that its model leaves open are its inputs'."""
        model = ModelProto()
        model.CopyFrom(self.recording.model)
        model.graph.name = self.test.name
        inputs = list(model.graph.input)
        del model.graph.input[:]
        for value in inputs:
            if value.name in self.constants:
                array = self.inputs[value.name]
                model.graph.initializer.append(numpy_helper.from_array(array, value.name))
            else:
                model.graph.input.append(value)
        types = {value.name: value.type for value in model.graph.input}
        shapes = onnx_backend.open_shapes(types, self.inputs)
        options = CompileOptions(level=self.test.level, shapes=shapes, jobs=1)
        return Program(self.test.name, model.SerializeToString(), options)

    def frozen(self) -> _Attempt | None:
        """Return the test with what may be a parameter as a constant, or nothing if none is."""
        constants = frozenset(name for name, value in self.inputs.items() if _is_parameter(value))
        if not constants or len(constants) == len(self.inputs):
            return None
        return replace(self, constants=constants)

    def outcome(self, built: BuiltProgram | Exception) -> Outcome:
        try:
            if isinstance(built, Exception):
                raise built
            with built.session() as session:
                model = self.recording.model
                prepared = PreparedModel(model, lambda shapes: session)
                self.test.check(_WithoutConstants(self, prepared), model)
        except AssertionError as error:
            return Outcome(Kind.WRONG, _first_lines(error))
        except Exception as error:
            if isinstance(error, DiagnosticException) and not isinstance(error, ToolchainError):
                return Outcome(Kind.REFUSED, _first_lines(error))
            last = traceback.extract_tb(error.__traceback__)[-1:]
            place = "".join(f" at {Path(frame.filename).name}:{frame.lineno}" for frame in last)
            return Outcome(Kind.TRACEBACK, f"{type(error).__name__}{place}: {_first_lines(error)}")
        return Outcome(Kind.PASS)


@dataclass(frozen=True)
class _WithoutConstants:
    """A prepared model that is not given what is a constant of its program."""

    attempt: _Attempt
    prepared: PreparedModel

    def run(self, inputs: Sequence[Any]) -> Sequence[Any]:
        constants = self.attempt.constants
        if not constants:
            return self.prepared.run(inputs)
        named = dict(zip(self.attempt.inputs, inputs, strict=True))
        if any(not np.array_equal(named[n], self.attempt.inputs[n]) for n in constants):
            raise UserError("another data set has other constants")
        given = {name: value for name, value in named.items() if name not in constants}
        return self.prepared.run(given)


def _is_parameter(value: Any) -> bool:
    """Tell whether an input may be axes, pads, a shape or scales rather than data."""
    return isinstance(value, np.ndarray) and value.ndim < 2 and value.size <= PARAMETERS


@cache
def suite_tests() -> Mapping[str, SuiteTest]:
    """Return all tests of the suite by name, but for those of whole networks."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        cases = _Suite(_BACKEND, __name__, TOLERANCES).test_cases
    cases.pop("OnnxBackendRealModelTest")
    found = {
        name.removesuffix("_cpu"): function
        for case in cases.values()
        for name, function in vars(case).items()
        if name.startswith("test_") and name.endswith("_cpu")
    }
    return {name: SuiteTest(name, function) for name, function in sorted(found.items())}


def run_tests(
    tests: Sequence[SuiteTest], level: int, jobs: int = 1
) -> Iterator[tuple[str, Outcome]]:
    """Yield name and outcome of each test at a level, as they come."""
    items = [replace(test, level=level) for test in tests]
    batches = [items[start : start + BATCH] for start in range(0, len(items), BATCH)]
    for name, outcome in outcomes(batches, _work, jobs):
        if isinstance(outcome, Lost):
            kind = Kind.HANG if outcome.hung else Kind.CRASH
            yield name, Outcome(kind, outcome.reason)
        else:
            yield name, outcome


def _work(
    tests: Sequence[SuiteTest], report: Callable[[str], None]
) -> Iterator[tuple[str, Outcome]]:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        attempts = [_Attempt(test, test.recorded()) for test in tests]
        refused: list[tuple[_Attempt, Outcome]] = []
        for attempt, outcome in _run(attempts, Path(folder, "given"), report):
            frozen = attempt.frozen() if outcome.kind is Kind.REFUSED else None
            if frozen is None:
                yield attempt.test.name, outcome
            else:
                refused.append((frozen, outcome))
        again = _run([attempt for attempt, _ in refused], Path(folder, "frozen"), report)
        for (_, refusal), (attempt, outcome) in zip(refused, again, strict=True):
            if outcome.kind is Kind.PASS:
                outcome = Outcome(Kind.FROZEN, refusal.detail)
            yield attempt.test.name, refusal if outcome.kind is Kind.REFUSED else outcome


def _run(
    attempts: Sequence[_Attempt], folder: Path, report: Callable[[str], None]
) -> Iterator[tuple[_Attempt, Outcome]]:
    built = build_programs([attempt.program() for attempt in attempts], folder, report)
    for attempt in attempts:
        report(attempt.test.name)
        yield attempt, attempt.outcome(built[attempt.test.name])


def _first_lines(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " | ".join(lines[:6])


def operators_tested(test: SuiteTest) -> frozenset[str]:
    """Return the operators that a test is about; those of other domains have these in front.

    Where it is one that ONNX expands by an operator's definition, that is the operator.
    """
    base, expanded, _ = test.name.partition("_expanded")
    known = suite_tests().get(base) if expanded else None

    def visit(graph: GraphProto) -> Iterator[str]:
        for node in graph.node:
            in_onnx = node.domain in ("", "ai.onnx")
            yield node.op_type if in_onnx else f"{node.domain}.{node.op_type}"
            for attribute in node.attribute:
                yield from visit(attribute.g)

    return frozenset(visit((known or test).recorded().model.graph))


def element_name(model: ModelProto) -> str:
    """Return the element type of the first tensor that a model takes, or makes if it takes none."""
    graph = model.graph
    number = next(iter((*graph.input, *graph.output))).type.tensor_type.elem_type
    return str(TensorProto.DataType.Name(number)).lower()


def sample(refused: Collection[str], count: int = 300) -> Sequence[SuiteTest]:
    """Return ``count`` tests: of each operator some that pass, the rest of what is refused."""
    of_operator: dict[str, list[str]] = {}
    for name, test in suite_tests().items():
        if name not in refused:
            for operator in operators_tested(test):
                of_operator.setdefault(operator, []).append(name)
    chosen: dict[str, None] = {}
    for names in of_operator.values():
        chosen |= dict.fromkeys((names[0], names[len(names) // 2]))
    rest = sorted(set(refused) & set(suite_tests()))
    step = max(len(rest) // max(count - len(chosen), 1), 1)
    chosen |= dict.fromkeys(rest[::step])
    return [suite_tests()[name] for name in sorted(chosen)]
