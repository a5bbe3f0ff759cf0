"""The end of a search: the best candidates once more, in turn, and then on the whole network."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autodeploy.diagnostics import RecordsWarning
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.records.record import Record
from autodeploy.tuning.network_timer import NetworkTimer, measured_gain
from autodeploy.tuning.points import form_of
from autodeploy.tuning.search import Budget, Search, made_record
from autodeploy.tuning.state import GAIN, TaskState

_FINALISTS = 3
"""The fastest configs of a task that are measured again."""

_ROUNDS = 5
"""Times that they are."""

_LARGE_GAIN = 1.05
"""If all configs together are not faster, those that gain this much alone are tried."""

_EXCHANGED = 1.003
"""How much faster the network must be for another config of one of its kernels."""


_NOTHING = Budget(0)


@dataclass(frozen=True)
class Choice:
    """The result for a task: a config, its seconds a call and those of the rule's config.

    ``processor`` is what it was measured on, where that is not this machine. ``others`` are the
    other configs that were measured again, with their seconds.
    """

    state: TaskState
    config: ConfigAttr
    costs: tuple[float, ...]
    rule_costs: tuple[float, ...]
    processor: str | None = None
    others: Sequence[tuple[ConfigAttr, tuple[float, ...]]] = ()

    @property
    def saved(self) -> float:
        """Return the seconds that it saves in a run of the network, as far as it is known alone."""
        return self.state.task.count * (min(self.rule_costs) - min(self.costs))

    @property
    def alternatives(self) -> list[Choice]:
        """Return it, the rule's, and others that are faster than the rule's."""
        found = [self, *(replace(self, config=c, costs=costs) for c, costs in self.others)]
        return [*(choice for choice in found if choice.gain >= GAIN), self.by_rule()]

    @property
    def gain(self) -> float:
        """Return how many times as fast as the rule's it is, 1 of the rule's own."""
        return measured_gain(self.rule_costs, self.costs)

    def by_rule(self) -> Choice:
        """Return the rule's config in its place."""
        return replace(self, config=self.state.task.rule, costs=self.rule_costs)

    def earlier(self) -> Choice:
        """Return what an earlier search chose in its place, else the rule's config."""
        config = self.state.chosen
        if config is None or config == self.state.task.rule or config not in self.state.ranked:
            return self.by_rule()
        return replace(self, config=config, costs=(self.state.costs[config],))

    def record(self) -> Record:
        """Return the record of the choice."""
        return made_record(self.state.task, self.config, self.costs, None, "choice", self.processor)


@dataclass(frozen=True)
class Confirmed:
    """The choice, and the speedup of the network with it."""

    choices: Sequence[Choice]
    network_gain: float


def finalists(search: Search) -> list[Choice]:
    """Return what is best for each task that was measured, by measuring it in turn with the rule's.

    If a task has no faster one, it is the rule's config.
    """
    return [_finalist(search, state) for state in search.states if state.rule_cost < float("inf")]


def _finalist(search: Search, state: TaskState) -> Choice:
    rule = state.task.rule
    unchanged = Choice(state, rule, (state.rule_cost,), (state.rule_cost,), state.processor)
    ranked = [c for c in state.ranked if c != rule and state.costs[c] * GAIN <= state.rule_cost]
    if not ranked:
        return unchanged
    form = form_of(state.task, ranked[0])
    another = next((c for c in ranked if form_of(state.task, c) != form), ranked[0])
    ranked = list(dict.fromkeys([*ranked[:_FINALISTS], another]))
    search.report(f"best of {state.task.title}")
    of_rule, *others = search.compare(state, [rule, *ranked], _ROUNDS)
    if of_rule.error is not None:
        return unchanged
    found = [
        Choice(state, config, outcome.costs, of_rule.costs, outcome.processor)
        for config, outcome in zip(ranked, others, strict=True)
        if outcome.error is None
    ]
    best = max(found, key=lambda choice: choice.gain, default=unchanged)
    if best.gain < GAIN:
        return replace(unchanged, costs=of_rule.costs)
    others = [(choice.config, choice.costs) for choice in found if choice is not best]
    return replace(best, others=others)


def confirm(
    search: Search,
    choices: Sequence[Choice],
    timer: NetworkTimer,
    merges: Sequence[Record] = (),
    budget: Budget = _NOTHING,
) -> Confirmed:
    """Return the choices that make the whole network faster; all others are the rule's.

    Those of an earlier search stay where the new ones do not make it faster than they do. Then
    single ones are exchanged, for ``budget.trials`` kernels at most, until ``budget.seconds`` since
    the search began. ``merges`` say which kernels are one in the network, with the choices and
    without.
    """

    def gain(tried: Sequence[Choice]) -> float:
        search.report("whole network")
        found = timer.gain(merges, [*merges, *(choice.record() for choice in tried)])
        if found.error is not None:
            warnings.warn(
                f"the network could not be confirmed ({found.error})", RecordsWarning, stacklevel=3
            )
        return found.gain

    best = Confirmed([choice.by_rule() for choice in choices], 1.0)
    earlier = [choice.earlier() for choice in choices]
    if not _are_rules(earlier) and (known := gain(earlier)) > 1:
        best = Confirmed(earlier, known)
    for least in (GAIN, _LARGE_GAIN):
        tried = [choice if choice.gain >= least else choice.by_rule() for choice in choices]
        if _are_rules(tried):
            break
        if _configs(tried) == _configs(earlier):
            continue
        if (found := gain(tried)) > best.network_gain:
            best = Confirmed(tried, found)
            break
    exchanged = _exchanged(search, choices, best.choices, timer, merges, budget)
    if _configs(exchanged) == _configs(best.choices) or (found := gain(exchanged)) <= 1:
        return best
    return Confirmed(exchanged, found)


def _exchanged(
    search: Search,
    found: Sequence[Choice],
    choices: Sequence[Choice],
    timer: NetworkTimer,
    merges: Sequence[Record],
    budget: Budget,
) -> Sequence[Choice]:
    """Exchange the configs of single kernels for others that were found, or for the rule's.

    The fastest config alone is not always fastest in the network, where kernels affect each
    other's caches. The kernels that save most come first.
    """
    current, tried = list(choices), 0
    for number in sorted(range(len(found)), key=lambda number: -found[number].saved):
        options = [c for c in found[number].alternatives if c.config != current[number].config]
        if not options:
            continue
        if search.is_over(budget, tried):
            break
        tried += 1
        search.report(f"in the network: {found[number].state.task.title}")
        before, *afters = (
            [*merges, *(choice.record() for choice in tried_choices)]
            for tried_choices in (
                current,
                *([*current[:number], option, *current[number + 1 :]] for option in options),
            )
        )
        gains = [compared.gain for compared in timer.gains(before, afters)]
        if max(gains) >= _EXCHANGED:
            current[number] = options[gains.index(max(gains))]
    return current


def _configs(choices: Sequence[Choice]) -> Sequence[ConfigAttr]:
    return [choice.config for choice in choices]


def _are_rules(choices: Sequence[Choice]) -> bool:
    return all(choice.config == choice.state.task.rule for choice in choices)
