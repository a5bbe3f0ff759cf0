"""ONNX's own suite of tests, ``onnx.backend.test.BackendTest``, through compiled C programs.

A test prepares a model and runs it. It runs twice here: once to see which model and which inputs
these are, and again when the programs of many tests are one library. Its outcome is a pass, a
refusal in one line, or a defect. Where sizes are computed from the values of inputs, the program is
compiled for those of the test, as ``autodeploy.onnx_backend`` does.
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
from typing import Any, cast

import numpy as np
from fake_cuda import fake_cuda
from isolated import Lost, outcomes
from onnx import GraphProto, ModelProto, TensorProto
from onnx.backend.test import BackendTest
from page_program import is_no_page
from program_batch import Built, Program, build_programs
from xdsl.utils.exceptions import DiagnosticException

from autodeploy import onnx_backend
from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import ToolchainError, UnsupportedError
from autodeploy.onnx_backend import PreparedModel

BATCH = 24
"""Tests to a process, and to a library."""
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

CORNERS = {
    "test_resize_downsample_scales_linear_align_corners": [[1, 4]],
    "test_resize_downsample_scales_cubic_align_corners": [
        [1, 2.5, 4],
        [7, 8.5, 10],
        [13, 14.5, 16],
    ],
}
"""The right results of tests that place corners by an extent times a scale, where ONNX's text and
onnxruntime have the length of the result: it begins and ends with the corners of the image."""


class Kind(StrEnum):
    """The outcome of a test; the first four are no defects."""

    PASS = "pass"
    GIVEN = "given"
    """It passes in a program that is compiled for the values of some inputs."""
    REFUSED = "refused"
    NO_PAGE = "no page"
    """The processor would compute a part, and a page has no kernels of the processor."""
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
        return self.kind not in (Kind.PASS, Kind.GIVEN, Kind.REFUSED, Kind.NO_PAGE)


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
    """The suite, but that convolutions by Winograd's algorithm may be less exact.

    The elements of a sequence are compared as outputs are, and their number, too: ONNX's own way
    passes over those at its end, and fails for a scalar.
    """

    @classmethod
    def assert_similar_outputs(
        cls,
        ref_outputs: Sequence[Any],
        outputs: Sequence[Any],
        rtol: float,
        atol: float,
        model_dir: str | None = None,
    ) -> None:
        if len(ref_outputs) != len(outputs):
            raise AssertionError(f"expected {len(ref_outputs)} values, found {len(outputs)}")
        if _BACKEND.tolerance:
            largest = max(_largest(x) for x in ref_outputs)
            atol = max(atol, _BACKEND.tolerance * largest)
        for expected, found in zip(ref_outputs, outputs, strict=True):
            if isinstance(expected, list) and isinstance(found, list):
                cls.assert_similar_outputs(expected, found, rtol, atol, model_dir)
            else:
                super().assert_similar_outputs([expected], [found], rtol, atol, model_dir)


def _largest(value: Any) -> float:
    """Return the largest number of an output."""
    if isinstance(value, list):
        return max(map(_largest, cast("list[Any]", value)), default=0.0)
    return float(np.abs(value).max(initial=0))


_BACKEND = _Backend()


@dataclass(frozen=True)
class SuiteTest:
    """A test of the suite, and the level and machine to compile it for."""

    name: str
    function: Callable[[None], None]
    level: int = 2
    machine: str = "host"

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
    """A test as it is compiled, for the values that ``given`` inputs have in its first data set."""

    test: SuiteTest
    recording: Recording
    given: frozenset[str] = frozenset()

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
        types = {value.name: value.type for value in model.graph.input}
        shapes = onnx_backend.open_shapes(types, self.inputs)
        values = {name: self.inputs[name] for name in self.given}
        level, machine = self.test.level, self.test.machine
        options = CompileOptions(level=level, machine=machine, shapes=shapes, values=values, jobs=1)
        return Program(self.test.name, model.SerializeToString(), options)

    def with_values(self, error: Built | Exception) -> _Attempt | None:
        """Return the test with the values that a refusal asks for, or nothing if none are left."""
        asked = frozenset(error.inputs if isinstance(error, UnsupportedError) else ())
        if asked <= self.given or not asked <= self.inputs.keys():
            return None
        return replace(self, given=self.given | asked)

    def outcome(self, built: Built | Exception) -> Outcome:
        try:
            if isinstance(built, Exception):
                raise built
            with built.session() as session:
                model = self.recording.model
                prepared = PreparedModel(model, lambda shapes, values: session)
                if (right := CORNERS.get(self.test.name)) is not None:
                    (found,) = prepared.run(self.recording.inputs)
                    np.testing.assert_allclose(np.squeeze(found, (0, 1)), right, rtol=1e-6)
                else:
                    self.test.check(prepared, model)
        except AssertionError as error:
            return Outcome(Kind.WRONG, _first_lines(error))
        except Exception as error:
            if is_no_page(error):
                return Outcome(Kind.NO_PAGE, _first_lines(error))
            if isinstance(error, DiagnosticException) and not isinstance(error, ToolchainError):
                return Outcome(Kind.REFUSED, _first_lines(error))
            last = traceback.extract_tb(error.__traceback__)[-1:]
            place = "".join(f" at {Path(frame.filename).name}:{frame.lineno}" for frame in last)
            return Outcome(Kind.TRACEBACK, f"{type(error).__name__}{place}: {_first_lines(error)}")
        return Outcome(Kind.GIVEN, ", ".join(sorted(self.given))) if self.given else _PASSED


_PASSED = Outcome(Kind.PASS)


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
    tests: Sequence[SuiteTest], level: int, jobs: int = 1, machine: str = "host"
) -> Iterator[tuple[str, Outcome]]:
    """Yield name and outcome of each test at a level for a machine, as they come.

    Kernels for CUDA are simulated.
    """
    items = [replace(test, level=level, machine=machine) for test in tests]
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
    if "device=cuda" in tests[0].machine:
        fake_cuda()
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        attempts = [_Attempt(test, test.recorded()) for test in tests]
        number = 0
        while attempts:
            programs = [attempt.program() for attempt in attempts]
            built = build_programs(programs, Path(folder, str(number)), report)
            again: list[_Attempt] = []
            for attempt in attempts:
                report(attempt.test.name)
                program = built[attempt.test.name]
                further = attempt.with_values(program)
                if further is None:
                    yield attempt.test.name, attempt.outcome(program)
                else:
                    again.append(further)
            attempts, number = again, number + 1


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
