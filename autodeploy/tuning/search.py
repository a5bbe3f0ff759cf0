"""The search: trials go to the task that promises most, and each one becomes a record."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autodeploy.diagnostics import UserError
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine.host import usable_cores
from autodeploy.records.best import KernelRecords, grouped
from autodeploy.records.record import BY_RULE, Kind, Record, current_versions, now
from autodeploy.records.record_file import append_records, read_records
from autodeploy.runner.in_turn import processor
from autodeploy.runner.program import Limits
from autodeploy.tuning.measurer import Measures
from autodeploy.tuning.server import Outcome, Request
from autodeploy.tuning.state import TaskState
from autodeploy.tuning.task import Network, Task
from autodeploy.tuning.transfer import configs_of_similar
from autodeploy.tuning.tuner import TunerName, make_tuners

BETWEEN = 64 << 20
"""The most bytes that are touched from one call to the next: more than all caches of a core, the
third-level one included. Weights of large networks come from memory in each run."""

_SLOW = 3.0
"""A candidate that takes this many times as long as the rule's is not measured any further."""

_BEHIND = 1.2
"""A batch of calls is enough of a candidate that takes this many times as long as the best."""


@dataclass(frozen=True)
class Progress:
    """The progress of a search: tasks, trials of this run, seconds, and the current step."""

    states: Sequence[TaskState]
    trials: int
    seconds: float
    doing: str


Callback = Callable[[Progress], None]


@dataclass(frozen=True)
class End:
    """The time that is kept for the end: ``seconds`` for each task that became faster, and for the
    network, ``most`` together.
    """

    seconds: float = 0.0
    most: float = 0.0

    def of(self, states: Sequence[TaskState]) -> float:
        """Return the seconds that are kept after these trials."""
        faster = sum(state.is_faster for state in states)
        return min((faster + 1) * self.seconds, self.most) if faster else 0.0


@dataclass(frozen=True)
class Budget:
    """When a search ends: after a number of trials, or at a time, whatever is first.

    With ``early_stopping``, a task gets no more trials after that number without a gain. Trials end
    earlier, so that time is left for the ``end``.
    """

    trials: int | None = None
    seconds: float | None = None
    early_stopping: int | None = None
    end: End = End()


class Search:
    """A search for configs of the tasks of a network, which appends its trials to ``records``."""

    def __init__(
        self,
        network: Network,
        measurer: Measures,
        records: Path,
        callback: Callback = lambda progress: None,
    ):
        self.states = [TaskState(task) for task in network.tasks]
        self.trials = 0
        self.start = time.monotonic()
        self._measurer = measurer
        self._records = records
        self._callback = callback
        self._between = min(network.bytes, BETWEEN)
        for task in network.tasks:
            network.save(task, measurer.tasks)

    @property
    def seconds(self) -> float:
        """Return the time of all kernels in a run by the rule, of those that were measured."""
        return sum(state.seconds for state in self.states if state.rule_cost < math.inf)

    def report(self, doing: str) -> None:
        """Tell the callback how far the search is."""
        self._callback(Progress(self.states, self.trials, time.monotonic() - self.start, doing))

    def measure_rules(self) -> None:
        """Take up the trials of earlier searches, and measure the rule's config of each task.

        Raises ``UserError`` if none of them works.
        """
        groups: dict[tuple[str, str], KernelRecords] = {}
        priors: dict[str, list[tuple[str, KernelRecords]]] = {}
        for (kernel, machine, versions), group in grouped(
            read_records(self._records, missing_ok=True)
        ).items():
            if dict(versions) == current_versions():
                groups[kernel, machine] = group
                priors.setdefault(kernel, []).append((machine, group))
            else:
                priors.setdefault(kernel, []).append(("", group))
        errors: list[str] = []
        for state in self.states:
            task = state.task
            self.report(f"rule of {task.title}")
            (outcome,) = self._measurer.outcomes(self._request(state, [task.rule], reference=True))
            state.rule_cost = min(outcome.costs, default=math.inf)
            state.processor = outcome.processor
            state.priors = [
                {record.parsed_config(): record.cost for record in group.trials}
                for machine, group in priors.get(task.kernel, ())
                if machine != task.machine_text
            ]
            errors += [outcome.error] if outcome.error is not None else []
            known = groups.get((task.kernel, task.machine_text))
            if known is None:
                self._keep(state, task.rule, outcome)
            else:
                for record in known.records:
                    if record.by_rule:
                        state.chosen = None
                        continue
                    state.add(record.parsed_config(), record.cost)
                    if record.kind == "choice" and record.error is None:
                        state.chosen = record.parsed_config()
                state.add(task.rule, state.rule_cost)
            own = (group for (_, on), group in groups.items() if on == task.machine_text)
            state.similar = configs_of_similar(task.kernel, task.title, own)
            # A space of a point or two is tried all at once, and others have no end here.
            state.is_done = task.size <= 1
        if len(errors) == len(self.states) > 0:
            raise UserError(f"no kernel of the model can be measured: {errors[0]}")

    def run(self, tuner: TunerName, budget: Budget, seed: int) -> None:
        """Measure candidates until the budget is used up or nothing is left to try."""
        tuners = make_tuners(tuner, self.states, seed)
        while (left := self._left(budget)) > 0:
            number = max(range(len(tuners)), key=lambda n: self.states[n].promise())
            state = self.states[number]
            if state.promise() == -math.inf:
                return
            proposed = tuners[number].propose(min(left, self._measurer.batch))
            if not proposed:
                state.is_done = True
                continue
            self.report(state.task.title)
            for outcome in self._measurer.outcomes(self._request(state, proposed)):
                self._keep(state, proposed[outcome.index], outcome)
                self.report(state.task.title)
            if budget.early_stopping is not None and state.stale >= budget.early_stopping:
                state.is_done = True

    def is_over(self, budget: Budget, trials: int) -> bool:
        """Return whether a budget is used up, by a number of trials or by the time until now."""
        seconds = math.inf if budget.seconds is None else budget.seconds
        most = math.inf if budget.trials is None else budget.trials
        return trials >= most or time.monotonic() - self.start >= seconds

    def _left(self, budget: Budget) -> int:
        if budget.seconds is not None:
            last = budget.seconds - budget.end.of(self.states)
            if time.monotonic() - self.start >= last:
                return 0
        return self._measurer.batch if budget.trials is None else budget.trials - self.trials

    def compare(
        self, state: TaskState, configs: Sequence[ConfigAttr], rounds: int
    ) -> list[Outcome]:
        """Measure configs in turn; the costs of each are those of the rounds."""
        request = self._request(state, configs, rounds=rounds)
        found = {outcome.index: outcome for outcome in self._measurer.outcomes(request)}
        return [found[index] for index in range(len(configs))]

    def _request(
        self,
        state: TaskState,
        configs: Iterable[ConfigAttr],
        *,
        reference: bool = False,
        rounds: int = 0,
    ) -> Request:
        slow = state.rule_cost * _SLOW
        behind = math.inf if rounds else min(state.rule_cost, state.best_cost) * _BEHIND
        return Request(
            state.task.kernel,
            tuple(map(str, configs)),
            reference,
            rounds,
            self._between,
            usable_cores(),
            Limits()
            if slow == math.inf
            else Limits(run=20.0 + 200 * slow, call=slow, batch=behind),
        )

    def _keep(self, state: TaskState, config: ConfigAttr, outcome: Outcome) -> None:
        """Write the record of a trial at once: what is measured is never lost."""
        record = made_record(state.task, config, outcome.costs, outcome.error, on=outcome.processor)
        append_records(self._records, [record])
        state.add(config, record.cost)
        self.trials += 1


def made_record(
    task: Task,
    config: ConfigAttr,
    costs: Sequence[float],
    error: str | None = None,
    kind: Kind = "trial",
    on: str | None = None,
) -> Record:
    """Return the record of a config that was measured now, here or ``on`` another processor.

    A choice of the rule's config is one of the rule.
    """
    is_rule = kind == "choice" and config == task.rule
    return Record(
        kind,
        task.kernel,
        task.title,
        task.machine_text,
        on or processor(),
        BY_RULE if is_rule else str(config),
        tuple(costs),
        error,
        current_versions(),
        now(),
    )
