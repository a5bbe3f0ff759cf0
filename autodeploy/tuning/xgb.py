"""A tuner that learns: boosted trees rank points by the measurements of all tasks together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from autodeploy.diagnostics import UserError
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.tuning.features import features
from autodeploy.tuning.state import TaskState
from autodeploy.tuning.tuner import GeneticTuner

_POOL = 96
"""Points of which the model chooses."""

_FEWEST = 12
"""Trials of all tasks from which a model learns anything."""

_EPSILON = 0.1
"""The share of points that are taken whatever the model says."""

_PRIOR = 0.3
"""How much trials of another machine or version count, those of this search 1."""

_ROUNDS = 60
_PARAMETERS = {
    "objective": "rank:pairwise",
    "max_depth": 4,
    "eta": 0.2,
    "min_child_weight": 0.5,
    "lambdarank_pair_method": "mean",
    "lambdarank_num_pair_per_sample": 8,
    "nthread": 1,
    "verbosity": 0,
}


def check_xgboost() -> None:
    """Raise ``UserError`` if xgboost is not installed."""
    _xgboost()


def _xgboost() -> Any:
    try:
        return import_module("xgboost")
    except ImportError as error:
        raise UserError(
            f"tuner 'xgb' takes xgboost ({error}): install autodeploy[tune], or choose another "
            "tuner"
        ) from None


class RankingModel:
    """Orders the points of a task by the trials of all tasks."""

    def __init__(self, states: Sequence[TaskState], seed: int):
        self._states = states
        self._seed = seed
        self._columns: dict[str, int] = {}
        self._trained = 0
        self._booster: Any = None

    def scores(self, configs: Sequence[ConfigAttr], state: TaskState) -> Sequence[float] | None:
        """Return a number for each point, larger for a faster one; ``None`` if too little is
        known.
        """
        trials = sum(len(costs) for _, costs, _ in self._compared)
        if trials < _FEWEST:
            return None
        if trials != self._trained:
            self._train()
            self._trained = trials
        rows = [features(config, state.task) for config in configs]
        return [float(score) for score in self._booster.predict(self._matrix(rows))]

    @property
    def _compared(self) -> list[tuple[TaskState, Mapping[ConfigAttr, float], float]]:
        """Return the trials that have an order, with their tasks, and how much each group counts.

        Measurements on other machines or by other versions count less.
        """
        own = [(state, state.costs, 1.0) for state in self._states]
        others = [(state, costs, _PRIOR) for state in self._states for costs in state.priors]
        return [group for group in (*own, *others) if len(group[1]) > 1]

    def _train(self) -> None:
        """Learn the order of the trials of each task."""
        rows: list[Mapping[str, float]] = []
        labels: list[float] = []
        groups: list[int] = []
        weights: list[float] = []
        for state, costs, weight in self._compared:
            best = min(costs.values())
            for config, cost in costs.items():
                rows.append(features(config, state.task))
                labels.append(0.0 if cost == math.inf else best / cost)
            groups.append(len(costs))
            weights.append(weight)
        for row in rows:
            for name in row:
                self._columns.setdefault(name, len(self._columns))
        data = self._matrix(rows, np.array(labels, np.float32))
        data.set_group(groups)
        data.set_weight(np.array(weights, np.float32))
        self._booster = _xgboost().train({**_PARAMETERS, "seed": self._seed}, data, _ROUNDS)

    def _matrix(
        self, rows: Sequence[Mapping[str, float]], labels: npt.NDArray[np.float32] | None = None
    ) -> Any:
        matrix = np.full((len(rows), len(self._columns)), np.nan, np.float32)
        for number, row in enumerate(rows):
            for name, value in row.items():
                if (column := self._columns.get(name)) is not None:
                    matrix[number, column] = value
        return _xgboost().DMatrix(matrix, labels)


class XgbTuner(GeneticTuner):
    """Draws points as a genetic search does, and takes those that a model finds best."""

    def __init__(
        self,
        state: TaskState,
        random: Random,
        model: RankingModel,
        states: Sequence[TaskState] = (),
    ):
        super().__init__(state, random, states)
        self._model = model

    def propose(self, count: int) -> list[ConfigAttr]:
        """Return the best points by the model, and a share of others."""
        first = self.new(self.first(), count)
        if len(first) == count:
            return first
        count -= len(first)
        many = max(_POOL, count)
        drawn = self.new(chain(self.of_others(), self.children(4 * many)), many)
        pool = [config for config in drawn if config not in first]
        scores = self._model.scores(pool, self.state) if pool else None
        if scores is None:
            return first + pool[:count]
        order = sorted(range(len(pool)), key=lambda index: -scores[index])
        chosen: list[ConfigAttr] = []
        while order and len(chosen) < count:
            at_random = self.random.random() < _EPSILON
            chosen.append(pool[order.pop(self.random.randrange(len(order)) if at_random else 0)])
        return first + chosen
