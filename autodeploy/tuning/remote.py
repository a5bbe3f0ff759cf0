"""Measuring on workers: programs are built here and run there, and the answers are checked."""

from __future__ import annotations

import shutil
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autodeploy.diagnostics import UserError, WorkerWarning
from autodeploy.runner.in_turn import Program, RunResult, run_in_turn
from autodeploy.runner.program import RunFailedError, costs_of
from autodeploy.runner.worker import Answer
from autodeploy.tuning.agreement import disagreement
from autodeploy.tuning.candidate import Description
from autodeploy.tuning.cluster import Cluster, Failed, Running
from autodeploy.tuning.harness import CANDIDATE_FILES, RESULTS
from autodeploy.tuning.measurer import Measurer
from autodeploy.tuning.server import Outcome, Request

_SLOW = 1.5
"""A worker on which the rule's config takes this many times as long as on another is not used."""

_FAILURES = 2
"""Programs that fail on a worker and run on another one, until it is not used any more."""

_ATTEMPTS = 3
"""Times that a program is handed to workers where they go away or answer with an error."""

_BATCH = 8


@dataclass(frozen=True)
class _Built:
    """A candidate of a number: its program, or why there is none."""

    index: int
    program: Program | None
    results: tuple[tuple[str, int], ...] = ()
    error: str | None = None


@dataclass
class _Rule:
    """The rule's config of a kernel, and the seconds that it takes each worker.

    ``expected`` is what it computes; ``errors`` are those of workers on which it fails.
    """

    built: _Built
    expected: bytes | None = None
    costs: dict[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])
    processors: dict[str, str] = field(default_factory=dict[str, str])
    errors: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def least(self) -> float:
        """Return the least seconds of a call, on the fastest worker."""
        return min(map(min, self.costs.values()))

    @property
    def fast(self) -> list[str]:
        """Return the workers whose numbers can be compared, the fastest first."""
        ordered = sorted(self.costs, key=lambda worker: min(self.costs[worker]))
        return [worker for worker in ordered if min(self.costs[worker]) <= _SLOW * self.least]


@dataclass
class _Trial:
    """A candidate in flight: the workers that have run it, and their errors."""

    built: _Built
    tried: dict[str, str] = field(default_factory=dict[str, str])
    attempts: int = 0


class RemoteMeasurer:
    """Builds by a ``Measurer`` and measures on the workers of a ``Cluster``.

    Each worker first runs the rule's config of a kernel. One that computes something else than the
    others is not used any more; with ``runs_here`` this machine decides which results are right.
    Seconds are scaled to those of the fastest worker, by the time of the rule's config on each. A
    failure on one worker is tried on another one before it counts."""

    def __init__(self, local: Measurer, cluster: Cluster, runs_here: bool):
        self.tasks = local.tasks
        self._local = local
        self._cluster = cluster
        self._runs_here = runs_here
        self._rules: dict[str, _Rule] = {}
        self._unused: set[str] = set()
        self._failures: Counter[str] = Counter()
        self._fastest: list[str] = []

    @property
    def batch(self) -> int:
        """Return how many candidates a request should have."""
        return max(_BATCH, 2 * len(self._cluster.workers()))

    def outcomes(self, request: Request) -> Iterator[Outcome]:
        """Yield the outcome of each config of a request, as they come.

        Raises ``UserError`` if no worker is left.
        """
        if request.reference:
            yield self._reference(request)
        elif request.rounds:
            yield from self._compared(request)
        else:
            yield from self._trials(request)

    def run(self, programs: Sequence[Program], rounds: int) -> list[RunResult]:
        """Run programs in turn on one worker, on another one where it goes away."""
        packed = [program.packed() for program in programs]
        found: Answer | Failed = Failed("nothing ran")
        for _ in range(_ATTEMPTS):
            workers = self._cluster.wait_for_workers(self._unused)
            usable = [worker for worker in self._fastest if worker in workers]
            running = [self._cluster.run(packed, rounds, usable[:1] or workers)]
            _, found = self._cluster.next(running)
            if isinstance(found, Answer):
                return list(found.ran)
            if not found.again:
                break
        return [RunResult((), {}, found.reason) for _ in programs]

    def _reference(self, request: Request) -> Outcome:
        (built,) = self._built(request)
        if built.program is None:
            return Outcome(0, (), built.error)
        rule = self._rules[request.kernel] = _Rule(built)
        if self._runs_here:
            (ran,) = run_in_turn([built.program])
            rule.expected = ran.results.get(RESULTS)
        self._calibrate(rule)
        if not rule.costs:
            return Outcome(0, (), next(iter(rule.errors.values())))
        fastest = rule.fast[0]
        return Outcome(0, rule.costs[fastest], processor=rule.processors[fastest])

    def _calibrate(self, rule: _Rule) -> None:
        """Run the rule's config on workers that have not; raises ``UserError`` if none can."""
        assert rule.built.program is not None
        workers = self._cluster.wait_for_workers(self._unused)
        new = [w for w in workers if w not in rule.costs and w not in rule.errors]
        running = [self._cluster.run([rule.built.program], 1, [worker]) for worker in new]
        answers: dict[str, RunResult] = {}
        while running:
            one, found = self._cluster.next(running)
            (worker,) = one.workers
            if isinstance(found, Answer):
                answers[worker] = found.ran[0]
                rule.processors[worker] = found.processor
            else:
                rule.errors[worker] = f"run: {found.reason}"
        if rule.expected is None:
            rule.expected = agreed(answers, rule.built.results)
        for worker, ran in answers.items():
            costs, error = _evaluated(ran, rule)
            if error is None:
                rule.costs[worker] = costs
                continue
            rule.errors[worker] = error
            if error.startswith("wrong"):
                self._leave(worker, f"its results of the rule's config are {error}")
        if rule.costs:
            self._fastest = rule.fast

    def _usable(self, rule: _Rule) -> list[str]:
        """Return the workers that may measure a kernel, the fastest first."""
        self._calibrate(rule)
        alive = set(self._cluster.workers()) - self._unused
        rule.costs = {w: costs for w, costs in rule.costs.items() if w in alive}
        if not rule.costs:
            reason = next(iter(rule.errors.values()), "all have gone")
            raise UserError(f"no worker at '{self._cluster.address}' is left: {reason}")
        return rule.fast

    def _trials(self, request: Request) -> Iterator[Outcome]:
        rule = self._rules[request.kernel]
        running: list[Running] = []
        trials: dict[Running, _Trial] = {}

        def start(trial: _Trial) -> None:
            assert trial.built.program is not None
            usable = self._usable(rule)
            workers = [worker for worker in usable if worker not in trial.tried] or usable
            one = self._cluster.run([trial.built.program], 1, workers)
            running.append(one)
            trials[one] = trial
            trial.attempts += 1

        for built in self._built(request):
            if built.program is None:
                yield Outcome(built.index, (), built.error)
            else:
                start(_Trial(built))
        while running:
            one, found = self._cluster.next(running)
            trial = trials.pop(one)
            outcome = self._outcome(trial, found, rule)
            if outcome is None:
                start(trial)
            else:
                yield outcome

    def _outcome(self, trial: _Trial, found: Answer | Failed, rule: _Rule) -> Outcome | None:
        """Return what became of a trial; ``None`` if another worker is to try it."""
        index = trial.built.index
        if isinstance(found, Failed):
            again = found.again and trial.attempts < _ATTEMPTS
            return None if again else Outcome(index, (), f"run: {found.reason}")
        worker = found.worker
        if worker in self._unused or worker not in rule.costs:
            return None
        costs, error = _evaluated(found.ran[0], rule)
        if error is None:
            for other, reason in trial.tried.items():
                self._blame(other, reason)
            scale = rule.least / min(rule.costs[worker])
            scaled = tuple(cost * scale for cost in costs)
            return Outcome(index, scaled, processor=found.processor)
        trial.tried[worker] = error
        if len(trial.tried) > 1 or not any(other != worker for other in self._usable(rule)):
            return Outcome(index, (), error, processor=found.processor)
        return None

    def _compared(self, request: Request) -> Iterator[Outcome]:
        """Yield the outcomes of configs that are measured in turn, all on one worker."""
        rule = self._rules[request.kernel]
        built = sorted(self._built(request), key=lambda one: one.index)
        good = [one for one in built if one.program is not None]
        found: Answer | Failed = Failed("nothing was built")
        for _ in range(_ATTEMPTS if good else 0):
            programs = [one.program for one in good if one.program is not None]
            running = [self._cluster.run(programs, request.rounds, self._usable(rule)[:1])]
            _, found = self._cluster.next(running)
            if isinstance(found, Answer) or not found.again:
                break
        ran = list(found.ran) if isinstance(found, Answer) else []
        for number, one in enumerate(good):
            if isinstance(found, Failed):
                yield Outcome(one.index, (), f"run: {found.reason}")
                continue
            costs, error = _evaluated(ran[number], rule)
            yield Outcome(one.index, costs, error, found.processor)
        for one in built:
            if one.program is None:
                yield Outcome(one.index, (), one.error)

    def _built(self, request: Request) -> Iterator[_Built]:
        """Yield the candidates of a request as they are built."""
        asked = replace(request, only_build=True)
        for outcome in self._local.outcomes(asked):
            folder = None if outcome.folder is None else Path(outcome.folder)
            try:
                if outcome.error is not None or folder is None:
                    yield _Built(outcome.index, None, error=outcome.error)
                    continue
                told = Description.load(folder)
                job = told.job(request.between, request.limits)
                files = {name: (folder / name).read_bytes() for name in CANDIDATE_FILES}
                yield _Built(outcome.index, Program(job, files), told.results)
            finally:
                if folder is not None:
                    shutil.rmtree(folder, ignore_errors=True)

    def _blame(self, worker: str, reason: str) -> None:
        """Count a failure of a worker that another one does not have."""
        self._failures[worker] += 1
        if reason.startswith("wrong") or self._failures[worker] >= _FAILURES:
            self._leave(worker, f"{reason}, and not on another worker")

    def _leave(self, worker: str, reason: str) -> None:
        """Use a worker no more."""
        if worker not in self._unused:
            self._unused.add(worker)
            warnings.warn(f"worker '{worker}' is not used: {reason}", WorkerWarning, stacklevel=2)


def _evaluated(ran: RunResult, rule: _Rule) -> tuple[tuple[float, ...], str | None]:
    """Return the costs of a run, those of each round the least, or what is wrong with it."""
    if ran.error is not None:
        return (), f"run: {ran.error}"
    try:
        rounds = [costs_of(printed) for printed in ran.printed]
    except RunFailedError as error:
        return (), f"run: {error}"
    assert rule.expected is not None
    wrong = disagreement(ran.results.get(RESULTS, b""), rule.expected, rule.built.results)
    if wrong is not None:
        return (), f"wrong: {wrong}"
    return tuple(map(min, rounds)) if len(rounds) > 1 else tuple(rounds[0]), None


def agreed(answers: dict[str, RunResult], results: Sequence[tuple[str, int]]) -> bytes:
    """Return the results on which most workers agree; raises ``UserError`` if as many do not."""
    found = {w: ran.results[RESULTS] for w, ran in answers.items() if RESULTS in ran.results}
    groups: list[list[str]] = []
    for worker, data in found.items():
        for group in groups:
            if disagreement(data, found[group[0]], results) is None:
                group.append(worker)
                break
        else:
            groups.append([worker])
    if not groups:
        return b""
    groups.sort(key=len, reverse=True)
    if len(groups) > 1 and len(groups[0]) == len(groups[1]):
        names = f"'{groups[0][0]}' and '{groups[1][0]}'"
        raise UserError(
            f"workers {names} compute different results, and none can tell who is wrong"
        )
    return found[groups[0][0]]
