"""Cases through compiled programs, in all forms, and what was wrong with them."""

from __future__ import annotations

import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from fake_cuda import fake_cuda
from fuzz_case import FuzzCase, Value, describe
from fuzz_chains import make_chain
from fuzz_codes_compare import CodesExpectation
from fuzz_compare import Expectation
from fuzz_families import FAMILIES
from fuzz_numbers import MOODS, Array
from fuzz_onnxruntime import may_differ, run_model
from fuzz_operators import vary_operator
from fuzz_reference import sample
from isolated import Limits, Lost, Report, outcomes
from onnx_cases import CASES
from page_program import MACHINE, NotForPages
from program_batch import Built, Program, build_programs
from xdsl.utils.exceptions import DiagnosticException

from autodeploy.codegen.halide.kernel_code import Emit
from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import ToolchainError, UserError

BATCH = 12
"""Cases to a process, and to a library."""
FAILURES = Path("build") / "fuzz"
"""Where the cases that are wrong are written to."""


@dataclass(frozen=True)
class Form:
    """How a case is compiled; with two threads it also runs with one."""

    level: int
    threads: int = 1
    emit: Emit = "object"
    machine: str = "host"

    def options(self, case: FuzzCase) -> CompileOptions:
        chosen = CompileOptions(
            level=self.level,
            threads=self.threads,
            emit=self.emit,
            machine=self.machine,
            jobs=1,
            cache=False,
        )
        return replace(chosen, **case.settings)

    def __str__(self) -> str:
        plural = "s" if self.threads > 1 else ""
        where = "" if self.machine == "host" else f", {self.machine}"
        return f"-O{self.level}, {self.threads} thread{plural}, {self.emit}{where}"


OBJECTS = (Form(2, 1), Form(3, 2), Form(0, 1), Form(2, 2), Form(1, 2))
DEVICE = {
    device: tuple(Form(level, machine=f"host:device={device}") for level in (2, 0, 3))
    for device in ("opencl", "cuda")
}
DEVICE["webgpu"] = tuple(Form(level, machine=MACHINE) for level in (2, 0, 3))
CXX = (Form(2, 2, "c"), Form(0, 1, "c"), Form(3, 2, "c"), Form(1, 1, "c"))


def every_form(batch: int) -> Sequence[Form]:
    """Return all forms as objects and one as C++, which takes ten times as long."""
    return [*OBJECTS, CXX[batch % len(CXX)]]


def one_form(batch: int) -> Sequence[Form]:
    """Return a form for the cases of a batch, another one for the next."""
    chosen = [*OBJECTS, CXX[batch // (len(OBJECTS) + 1) % len(CXX)]]
    return [chosen[batch % len(chosen)]]


def device_form(batch: int, device: str) -> Sequence[Form]:
    """Return a form for the cases of a batch whose kernels run on a device.

    CUDA is simulated, and WebGPU is that of a page.
    """
    return [DEVICE[device][batch % len(DEVICE[device])]]


@dataclass(frozen=True)
class Failure:
    """What a case did wrong in a form: a number, other bits the second time, an error."""

    form: str
    kind: str
    detail: str
    operators: str = ""
    """Those of the shortest part that fails."""
    reproducer: str = ""


@dataclass
class Result:
    """What came of a case; ``refused`` is the message of the compiler where it takes none.

    ``other`` says where onnxruntime computes something that ONNX's reference does not allow.
    """

    operators: str
    failures: list[Failure] = field(default_factory=list)
    refused: str = ""
    other: str = ""
    open_share: float = 0.0


@dataclass(frozen=True)
class Drawn:
    """The case of a number; it is made where it is needed."""

    seed: int
    number: int
    forms: Sequence[Form]
    moods: Sequence[str] = MOODS
    family: str = ""
    """One of ``FAMILIES``; without any it is an operator or a chain."""

    @property
    def name(self) -> str:
        words = ("fuzz", self.family, self.seed, self.number)
        return "_".join(str(word) for word in words if word != "")

    def case(self) -> FuzzCase:
        """Return an operator of the table, each of them once in a while, a chain, or a graph."""
        if self.family:
            random = np.random.default_rng([self.seed, self.number, *self.family.encode()])
            return FAMILIES[self.family](self.name, random, self.moods)
        random = np.random.default_rng([self.seed, self.number])
        if self.number % 2 == 0:
            order = np.random.default_rng(self.seed).permutation(len(CASES))
            place = int(order[self.number // 2 % len(CASES)])
            made = vary_operator(self.name, place, random, self.moods)
            if made is not None:
                return made
        return make_chain(self.name, random, self.moods)


def run_cases(
    seed: int,
    numbers: Sequence[int],
    forms: Callable[[int], Sequence[Form]] = every_form,
    jobs: int = 1,
    moods: Sequence[str] = MOODS,
    families: Sequence[str] = (),
) -> Iterator[tuple[str, Result]]:
    """Yield name and result of the cases of a seed, as they come.

    Without ``families`` they are operators and chains, else graphs of each family in turn.
    """
    groups = [numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH)]
    batches = [
        [
            Drawn(seed, n, forms(index), moods, families[n % len(families)] if families else "")
            for n in group
        ]
        for index, group in enumerate(groups)
    ]
    for name, outcome in outcomes(batches, _work, jobs, Limits(seconds=240)):
        if isinstance(outcome, Lost):
            kind = "hang" if outcome.hung else "crash"
            outcome = Result("", [Failure(outcome.reason, kind, outcome.reason)])
        yield name, outcome


class _Running:
    """A case, what is expected of its runs, and what was found so far."""

    def __init__(self, case: FuzzCase):
        self.case = case
        self.result = Result(case.operators)
        self._expected: dict[int, Sequence[Expectation | CodesExpectation]] = {}

    def expectations(self, level: int) -> Sequence[Expectation | CodesExpectation]:
        expectation = Expectation if self.case.slack is None else CodesExpectation
        if level == 1 or (level == 0 and self.case.slack is None):
            level = 2  # which has the same results
        if level not in self._expected:
            self._expected[level] = [expectation(run, level) for run in self.case.runs]
        return self._expected[level]

    @cached_property
    def values(self) -> Sequence[Mapping[str, Value]]:
        return [sample(run) for run in self.case.runs]

    def compare_with_onnxruntime(self) -> None:
        """Note where it computes something else; it does not take each model."""
        if self.case.slack is not None:
            return
        runs = zip(self.case.runs, self.values, self.expectations(2), strict=True)
        for run, values, expectation in runs:
            if may_differ(self.case, values):
                continue
            try:
                found = run_model(run)
            except Exception:  # what it lacks
                return
            if differences := expectation.differences(found):
                self.result.other = "; ".join(map(str, differences))
                return


def _work(drawn: Sequence[Drawn], report: Report) -> Iterator[tuple[str, Result]]:
    warnings.simplefilter("ignore")
    running: list[_Running] = []
    for item in drawn:
        report(item.name, "while it is made")
        running.append(_Running(item.case()))
        if item.family:
            running[-1].compare_with_onnxruntime()
    for form in drawn[0].forms:
        with tempfile.TemporaryDirectory() as folder:
            _run_form(running, form, Path(folder), report)
    for item in running:
        shares = [expectation.open_share() for expectation in item.expectations(2)]
        item.result.open_share = sum(shares) / len(shares)
        yield item.case.name, item.result


def _run_form(running: Sequence[_Running], form: Form, folder: Path, report: Report) -> None:
    if form in DEVICE["cuda"]:
        fake_cuda()
    programs = [
        Program(item.case.name, item.case.model.SerializeToString(), form.options(item.case))
        for item in running
    ]
    built = build_programs(programs, folder, lambda name: report(name, f"compiling, {form}"))
    for item in running:
        report(item.case.name, f"running, {form}")
        failure = _failure(item, built[item.case.name], form)
        if failure is None:
            continue
        if failure.kind == "refused":
            item.result.refused = f"{item.case.operators}: {failure.detail}"
            continue
        smallest, failure = _smallest(item, form, folder / "parts", failure)
        target = FAILURES / f"{item.case.name}-O{form.level}-t{form.threads}-{form.emit}"
        text = f"{form}\n{failure.kind}: {failure.detail}\n{describe(smallest)}\n"
        smallest.save(target, failure=text)
        operators, folder_ = smallest.operators, str(target)
        item.result.failures.append(replace(failure, operators=operators, reproducer=folder_))


def _failure(item: _Running, built: Built | Exception, form: Form) -> Failure | None:
    if isinstance(built, Exception):
        if isinstance(built, DiagnosticException) and not isinstance(built, ToolchainError):
            return Failure(str(form), "refused", " | ".join(str(built).split("\n")[:3]))
        where = traceback.extract_tb(built.__traceback__)[-1:]
        place = "".join(f" at {Path(frame.filename).name}:{frame.lineno}" for frame in where)
        return Failure(str(form), "error", f"{type(built).__name__}{place}: {built}"[:800])
    try:
        runs = [_outputs(built, item.case, n) for n in range(1, form.threads + 1)]
    except NotForPages as error:
        return Failure(str(form), "refused", str(error))
    except UserError as error:
        return Failure(str(form), "error", str(error))
    first = runs[0][0]
    for same in (arrays for run in runs for arrays in run):
        if list(map(_bits, same)) != list(map(_bits, first)):
            return Failure(str(form), "other bits", "two runs with the same inputs differ")
    outputs = len(item.case.outputs)
    differences = [
        difference
        for number, expectation in enumerate(item.expectations(form.level))
        for difference in expectation.differences(first[number * outputs :][:outputs])
    ]
    if not differences:
        return None
    return Failure(str(form), "wrong", "; ".join(map(str, differences)))


def _bits(array: Array) -> object:
    return array.tolist() if array.dtype == object else (array.shape, array.tobytes())


def _outputs(built: Built, case: FuzzCase, threads: int) -> list[list[Array]]:
    """Make all runs twice; returns the arrays of their outputs each time."""
    with built.session(threads) as session:
        return [
            [array for run in case.runs for array in session.run(run.inputs).values()]
            for _ in range(2)
        ]


def _smallest(item: _Running, form: Form, folder: Path, whole: Failure) -> tuple[FuzzCase, Failure]:
    """Return the shortest part of a chain that fails in the same way, given what is before it."""
    count = len(item.case.nodes) if item.case.slack is None else 0
    for length in range(1, count):
        for first in range(count - length + 1):
            part = item.case.part(first, first + length - 1, item.values)
            if part is None:
                continue
            part = part.named(f"{item.case.name}_{first}_{length}")
            failure = _run_alone(part, form, folder / part.name)
            if failure is not None and failure.kind == whole.kind:
                return part, failure
    return item.case, whole


def _run_alone(case: FuzzCase, form: Form, folder: Path) -> Failure | None:
    program = Program(case.name, case.model.SerializeToString(), form.options(case))
    return _failure(_Running(case), build_programs([program], folder)[case.name], form)


def run_again(case: FuzzCase) -> Iterator[Failure]:
    """Yield what a case does wrong in each form."""
    for emit in ("object", "c"):
        for level in range(4):
            for threads in (1, 2):
                with tempfile.TemporaryDirectory() as folder:
                    failure = _run_alone(case, Form(level, threads, emit), Path(folder))
                if failure is not None:
                    yield failure
