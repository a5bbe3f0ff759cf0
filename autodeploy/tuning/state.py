"""The state of a search for a task: trials, the best one, the promise of more trials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.tuning.task import Task

GAIN = 1.01
"""How many times as fast as the rule's a config must be."""

_WINDOW = 16
"""Trials by whose gain the gain of the next ones is estimated."""

_HOPE = 0.15
"""The share of its time that a task may lose with as many trials again, while none are known."""


@dataclass
class TaskState:
    """A task and its trials, in order; the first one is the rule's config.

    ``costs`` holds seconds by config, infinity for failures. ``rule_cost`` was measured in this
    search, on ``processor`` where that is not this machine, and a task without it cannot be tuned.
    ``chosen`` is what an earlier search on the file chose, if there was one.
    ``priors`` are trials of the kernel on other machines or by other versions, seconds by config
    for each of them: they say what is worth a trial, no more, as do ``similar``, the best configs
    of kernels that are like this one and have records. ``is_done`` is set where there is nothing
    more to try, or if trials stopped to bring anything.
    """

    task: Task
    costs: dict[ConfigAttr, float] = field(default_factory=dict[ConfigAttr, float])
    bests: list[float] = field(default_factory=list[float])
    failed: int = 0
    rule_cost: float = math.inf
    processor: str | None = None
    is_done: bool = False
    chosen: ConfigAttr | None = None
    priors: list[dict[ConfigAttr, float]] = field(default_factory=list[dict[ConfigAttr, float]])
    similar: Sequence[ConfigAttr] = ()

    def add(self, config: ConfigAttr, cost: float) -> None:
        """Take up a trial."""
        self.costs[config] = min(cost, self.costs.get(config, math.inf))
        self.failed += cost == math.inf
        self.bests.append(min(cost, self.best_cost))

    @property
    def best_cost(self) -> float:
        """Return the least seconds of a call so far."""
        return self.bests[-1] if self.bests else math.inf

    @property
    def is_faster(self) -> bool:
        """Return whether a config was found that is faster than the rule's."""
        return self.best_cost * GAIN <= self.rule_cost < math.inf

    @property
    def ranked(self) -> list[ConfigAttr]:
        """Return the configs that work, the fastest first."""
        working = [config for config, cost in self.costs.items() if cost < math.inf]
        return sorted(working, key=self.costs.__getitem__)

    @property
    def seconds(self) -> float:
        """Return the time of all calls of the kernel in a run, by the rule."""
        return self.task.count * self.rule_cost

    @property
    def stale(self) -> int:
        """Return how many trials there were since the best one."""
        return len(self.bests) - self.bests.index(self.best_cost) if self.bests else 0

    def promise(self) -> float:
        """Return the seconds of a run that the next trial may save, as an estimate.

        The recent gain of trials, or the gain that their number promises: the larger.
        """
        if self.is_done or self.rule_cost == math.inf:
            return -math.inf
        trials = len(self.bests)
        then = self.bests[-_WINDOW - 1] if trials > _WINDOW else self.rule_cost
        now = min(self.best_cost, self.rule_cost)
        lately = max(then - now, 0.0) / min(max(trials, 1), _WINDOW)
        hoped = _HOPE * now / max(trials, 1)
        return self.task.count * max(lately, hoped)
