"""The end of a search: the best candidates once more, in turn, and then on the whole network."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.records.record import Record
from autodeploy.records.record_file import append_records
from autodeploy.toolchain.profile import profile_bundle
from autodeploy.tuning.search import Search, made_record
from autodeploy.tuning.state import TaskState

_FINALISTS = 3
"""The fastest configs of a task that are measured again."""

_ROUNDS = 5
"""Times that they are, and that networks are."""

_GAIN = 1.01
"""How much faster than the rule's a config must be to be chosen."""

_LARGE_GAIN = 1.05
"""Where all configs together do not win, those that gain this much alone are tried."""

_RUNS = 20, 5000
"""The fewest and the most runs of a network in a round."""

_RUN_SECONDS = 0.1
"""What the runs of a round take together, where that many are allowed."""


@dataclass(frozen=True)
class Choice:
    """What was found for a task: a config, its seconds a call and those of the rule's."""

    state: TaskState
    config: ConfigAttr
    costs: tuple[float, ...]
    rule_costs: tuple[float, ...]

    @property
    def gain(self) -> float:
        """Return how many times as fast as the rule's it is, 1 of the rule's own."""
        return measured_gain(self.rule_costs, self.costs)

    def by_rule(self) -> Choice:
        """Return the rule's config in its place."""
        return replace(self, config=self.state.task.rule, costs=self.rule_costs)

    def record(self) -> Record:
        """Return the record of the choice."""
        return made_record(self.state.task, self.config, self.costs, kind="choice")


@dataclass(frozen=True)
class Confirmed:
    """What is chosen, and how many times as fast the network is with it."""

    choices: Sequence[Choice]
    network_gain: float


def finalists(search: Search) -> list[Choice]:
    """Return what is best for each task that was measured, by measuring it in turn with the rule's.

    Where a task has nothing that is faster, it is the rule's config.
    """
    return [_finalist(search, state) for state in search.states if state.rule_cost < float("inf")]


def _finalist(search: Search, state: TaskState) -> Choice:
    rule = state.task.rule
    unchanged = Choice(state, rule, (state.rule_cost,), (state.rule_cost,))
    ranked = [c for c in state.ranked[: _FINALISTS + 1] if c != rule][:_FINALISTS]
    if not ranked or state.costs[ranked[0]] * _GAIN > state.rule_cost:
        return unchanged
    search.report(f"best of {state.task.title}")
    of_rule, *others = search.compare(state, [rule, *ranked], _ROUNDS)
    if of_rule.error is not None:
        return unchanged
    found = [
        Choice(state, config, outcome.costs, of_rule.costs)
        for config, outcome in zip(ranked, others, strict=True)
        if outcome.error is None
    ]
    best = max(found, key=lambda choice: choice.gain, default=unchanged)
    return best if best.gain >= _GAIN else replace(unchanged, costs=of_rule.costs)


def confirm(
    search: Search,
    choices: Sequence[Choice],
    model: str | Path | bytes,
    options: CompileOptions,
) -> Confirmed:
    """Return the choices that make the whole network faster; all others are the rule's."""
    for least in (_GAIN, _LARGE_GAIN):
        tried = [choice if choice.gain >= least else choice.by_rule() for choice in choices]
        if all(choice.config == choice.state.task.rule for choice in tried):
            break
        search.report("whole network")
        gain = _network_gain(tried, model, options)
        if gain > 1:
            return Confirmed(tried, gain)
    return Confirmed([choice.by_rule() for choice in choices], 1.0)


def _network_gain(
    choices: Sequence[Choice], model: str | Path | bytes, options: CompileOptions
) -> float:
    """Return how many times as fast the network is with choices, measured in turn."""
    with tempfile.TemporaryDirectory(prefix="autodeploy-tune-") as temporary:
        folder = Path(temporary)
        records = folder / "records.jsonl"
        append_records(records, [choice.record() for choice in choices])
        bundles = folder / "rules", folder / "tuned"
        compile_model(model, bundles[0], replace(options, records=None))
        compile_model(model, bundles[1], replace(options, records=records))
        fewest, most = _RUNS
        runs = round(_RUN_SECONDS / _seconds(bundles[0], fewest, options.threads))
        runs = min(max(runs, fewest), most)
        seconds: list[list[float]] = [[], []]
        for _ in range(_ROUNDS):
            for bundle, found in zip(bundles, seconds, strict=True):
                found.append(_seconds(bundle, runs, options.threads))
        return measured_gain(*seconds)


def _seconds(bundle: Path, runs: int, threads: int) -> float:
    return sum(kernel.seconds for kernel in profile_bundle(bundle, runs, threads))


def measured_gain(slow: Sequence[float], fast: Sequence[float]) -> float:
    """Return how many times as fast one is as the other, by seconds of rounds measured in turn.

    That is the lesser of two estimates, the median of the rounds and the ratio of the least: what
    else runs on the machine may slow down either side, and is no gain.
    """
    rounds = median(x / y for x, y in zip(slow, fast, strict=False))
    return min(rounds, min(slow) / min(fast))
