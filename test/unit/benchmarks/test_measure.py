"""Interleaving, ratios, errors."""

import math

import numpy as np
import pytest

from benchmarks.measure import (
    Settings,
    Timing,
    geometric_mean,
    measure,
    ratio,
    relative_error,
)
from benchmarks.worker import WorkerError


class Runner:
    """Takes so many seconds a run, by its own account; fails from one call on, if told so."""

    def __init__(self, name, seconds, calls, fails_at=math.inf):
        self.name, self.seconds, self.calls, self.fails_at = name, seconds, calls, fails_at
        self.count = 0

    def run(self, count):
        self.count += 1
        if self.count >= self.fails_at:
            raise WorkerError(f"{self.name} broke")
        self.calls.append((self.name, count))
        return self.seconds * count, self.seconds * count / 2


def failures(reports):
    return lambda name, reason: reports.append((name, reason))


def test_rounds_are_interleaved_and_samples_fill_the_budget():
    calls, reports = [], []
    runners = {name: Runner(name, s, calls) for name, s in (("a", 0.01), ("b", 0.2))}
    settings = Settings(rounds=3, budget=0.1, warm_up=0.5, pause=0)
    timings = measure(runners, settings, failures(reports))
    assert calls[-6:] == [("a", 10), ("b", 1)] * 3
    warm_up = calls[:-6]
    for name, runner in runners.items():
        assert sum(count for n, count in warm_up if n == name) * runner.seconds >= 0.5
    assert timings["a"].seconds == pytest.approx([0.01] * 3)
    assert timings["b"].minimum == pytest.approx(0.2)
    assert timings["b"].busy == pytest.approx(0.5)
    assert timings["b"].processor_median == pytest.approx(0.1)
    assert reports == []


def test_a_network_quicker_than_the_clock():
    calls = []
    settings = Settings(rounds=1, budget=1, warm_up=0, pause=0)
    measure({"a": Runner("a", 0.0, calls)}, settings, failures([]))
    assert calls[-1][1] == 1_000_000


@pytest.mark.parametrize("fails_at", [1, 5])
def test_one_that_fails_drops_out(fails_at):
    calls, reports = [], []
    runners = {"a": Runner("a", 0.1, calls), "b": Runner("b", 0.1, calls, fails_at)}
    settings = Settings(rounds=4, budget=0.1, warm_up=0.1, pause=0)
    timings = measure(runners, settings, failures(reports))
    assert list(timings) == ["a"]
    assert len(timings["a"].seconds) == 4
    assert reports == [("b", "b broke")]


def test_the_ratio_is_that_of_samples_of_one_round():
    # The machine was ten times as slow in two of three rounds.
    ours, theirs = Timing([1, 10, 11]), Timing([2, 20, 22])
    assert ratio(theirs, ours) == 2
    # The quotient of the medians would be 1.
    assert ratio(Timing([5, 10, 15]), Timing([10, 5, 12])) == 1.25


def test_geometric_mean():
    assert geometric_mean([4, 0.25, 8]) == pytest.approx(2)


def one(*values):
    return {"y": np.array(values, np.float32)}


@pytest.mark.parametrize(
    ("found", "expected", "error"),
    [
        (one(1, -4), one(1, -4), 0),
        (one(1.5, -4), one(1, -4), 0.125),
        (one(2), one(0), 2),
        (one(np.nan, 1), one(np.nan, 1), 0),
        (one(np.nan, 1), one(0, 1), math.inf),
        (one(0, 1), one(np.nan, 1), math.inf),
        (one(np.inf, 1), one(np.inf, 1), 0),
        (one(np.inf, 1), one(1, 1), math.inf),
        (one(np.inf, 1), one(-np.inf, 1), math.inf),
        (one(1, 2, 3), one(1, 2), math.inf),
        ({}, one(1), math.inf),
        ({"y": np.ones((1, 2))}, one(1, 1), 0),
    ],
)
def test_relative_error(found, expected, error):
    assert relative_error(found, expected) == error


def test_the_worst_output_counts():
    found, expected = {"a": np.ones(2), "b": np.zeros(2)}, {"a": np.ones(2), "b": np.full(2, 3)}
    assert relative_error(found, expected) == 1
