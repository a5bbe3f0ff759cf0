"""Tuners: what proposes the next points of a task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from math import inf
from random import Random
from typing import Literal, get_args

from autodeploy.diagnostics import UserError, did_you_mean
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.tuning.points import Points
from autodeploy.tuning.state import TaskState
from autodeploy.tuning.transfer import most_alike

TunerName = Literal["xgb", "ga", "random", "grid"]

TUNERS: tuple[TunerName, ...] = get_args(TunerName)

_DRAWS = 40
"""Points that are drawn for each that is wanted, until the space counts as exhausted."""

_PARENTS = 16
"""The fastest configs, from which a genetic search goes on."""

_INHERITED = 3
"""The fastest configs of another machine or version, which are tried first."""

_ANYWHERE = 0.1
"""How often a genetic search takes a random point."""


class Tuner(ABC):
    """Proposes points of one task; none of them twice."""

    def __init__(self, state: TaskState, random: Random):
        self.state = state
        self.random = random
        self.points = Points(state.task, random)

    @abstractmethod
    def propose(self, count: int) -> list[ConfigAttr]:
        """Return up to ``count`` points that were not tried; fewer where no others are found."""

    def new(self, drawn: Iterable[ConfigAttr | None], count: int) -> list[ConfigAttr]:
        """Return the first of some points that were not tried."""
        found: dict[ConfigAttr, None] = {}
        for config in drawn:
            if config is not None and config not in self.state.costs:
                found[config] = None
                if len(found) == count:
                    break
        return list(found)


class RandomTuner(Tuner):
    """Takes points at random."""

    def propose(self, count: int) -> list[ConfigAttr]:
        """Return random points."""
        return self.new((self.points.anywhere() for _ in range(_DRAWS * count)), count)


class GridTuner(Tuner):
    """Takes all points in order."""

    def __init__(self, state: TaskState, random: Random):
        super().__init__(state, random)
        self._all = self.points.in_order()

    def propose(self, count: int) -> list[ConfigAttr]:
        """Return the next points."""
        return self.new(self._all, count)


class GeneticTuner(Tuner):
    """Changes and crosses the fastest configs.

    It begins with those of other machines or versions, and with the choices of rules for
    machines that are like this one. Then come those of kernels that are like this one: other tasks,
    and kernels with records.
    """

    def __init__(self, state: TaskState, random: Random, states: Sequence[TaskState] = ()):
        super().__init__(state, random)
        kinds = state.task.templates.keys()
        others = [o for o in states if o is not state and o.task.templates.keys() == kinds]
        numbers = most_alike(state.task.title, [other.task.title for other in others])
        self._alike = [others[number] for number in numbers]

    @cached_property
    def by_rules(self) -> list[ConfigAttr]:
        """Return what rules choose, each config once."""
        return list(dict.fromkeys(self.points.by_rules()))

    def propose(self, count: int) -> list[ConfigAttr]:
        """Return points near the fastest ones or between them, and some at random."""
        drawn = chain(self.first(), self.of_others(), self.children(_DRAWS * count))
        return self.new(drawn, count)

    def first(self) -> Iterator[ConfigAttr | None]:
        """Yield what is tried before anything is drawn."""
        yield from self.inherited()
        yield from self.by_rules

    def of_others(self) -> Iterator[ConfigAttr | None]:
        """Yield the fastest configs of kernels that are like this one, but for those of rules."""
        for other in self._alike:
            config = next(iter(other.ranked), other.task.rule)
            if config != other.task.rule:
                yield self.state.task.completed(config)
        yield from map(self.state.task.completed, self.state.similar)

    def inherited(self) -> Iterator[ConfigAttr | None]:
        """Yield the fastest configs of the task on each other machine or by each other version."""
        for prior in self.state.priors:
            working = [config for config, cost in prior.items() if cost < inf]
            for config in sorted(working, key=prior.__getitem__)[:_INHERITED]:
                yield self.state.task.completed(config)

    def children(self, count: int) -> Iterator[ConfigAttr | None]:
        """Yield points that a genetic search draws, those that were tried among them."""
        parents = self.state.ranked[:_PARENTS]
        for _ in range(count):
            kind = self.random.random()
            if not parents or kind < _ANYWHERE:
                yield self.points.anywhere()
            elif kind < 0.7:
                yield self.points.near(self._parent(parents))
            else:
                yield self.points.between(self._parent(parents), self._parent(parents))

    def _parent(self, parents: Sequence[ConfigAttr]) -> ConfigAttr:
        """Return one of the fastest, a faster one more often."""
        return parents[int(len(parents) * self.random.random() ** 2)]


def check_tuner(name: str) -> TunerName:
    """Return the name of a tuner; raises ``UserError`` for any other, or if it lacks xgboost."""
    for known in TUNERS:
        if name == known:
            if known == "xgb":
                from autodeploy.tuning.xgb import check_xgboost

                check_xgboost()
            return known
    raise UserError(
        f"unknown tuner '{name}'{did_you_mean(name, TUNERS)}; known are {', '.join(TUNERS)}"
    )


def make_tuners(name: TunerName, states: Sequence[TaskState], seed: int) -> list[Tuner]:
    """Return a tuner for each task."""
    randoms = [Random(f"{seed} {state.task.kernel}") for state in states]
    if name == "xgb":
        from autodeploy.tuning.xgb import RankingModel, XgbTuner

        model = RankingModel(states, seed)
        return [XgbTuner(s, r, model, states) for s, r in zip(states, randoms, strict=True)]
    if name == "ga":
        return [GeneticTuner(s, r, states) for s, r in zip(states, randoms, strict=True)]
    kind = RandomTuner if name == "random" else GridTuner
    return [kind(s, r) for s, r in zip(states, randoms, strict=True)]
