"""Interleaved rounds: A B C A B C …, so that whatever disturbs the machine disturbs all alike."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol

import numpy as np
import numpy.typing as npt

from benchmarks.worker import WorkerError

_MOST_RUNS = 1_000_000
_WARM_UP_RUNS = 3


class Runner(Protocol):
    """What can be measured: runs a network so many times; returns seconds and processor seconds."""

    def run(self, count: int) -> tuple[float, float]:
        """Compute ``count`` times."""
        ...


@dataclass
class Timing:
    """Seconds of one run, one number a round, and the processor's seconds beside them."""

    seconds: list[float] = field(default_factory=list[float])
    processor_seconds: list[float] = field(default_factory=list[float])

    @property
    def median(self) -> float:
        """Return the median over the rounds."""
        return median(self.seconds)

    @property
    def minimum(self) -> float:
        """Return the least of all rounds."""
        return min(self.seconds)

    @property
    def processor_median(self) -> float:
        """Return the median of the processor's seconds of a run."""
        return median(self.processor_seconds)

    @property
    def busy(self) -> float:
        """Return processor seconds per second: below the number of threads where others ran."""
        return sum(self.processor_seconds) / sum(self.seconds)


@dataclass(frozen=True)
class Settings:
    """How long to measure.

    ``budget`` is the seconds that one sample should take (at least one run), ``warm_up`` those that
    each contender runs beforehand, ``pause`` those before each sample, in which threads of the
    contender before stop spinning.
    """

    rounds: int = 21
    budget: float = 0.05
    warm_up: float = 0.3
    pause: float = 0.01


def measure(
    contenders: Mapping[str, Runner], settings: Settings, failed: Callable[[str, str], None]
) -> dict[str, Timing]:
    """Measure all contenders, by name, in interleaved rounds.

    One that fails is told to ``failed`` with the reason and drops out; it is not in the result.
    """
    counts: dict[str, int] = {}
    for name, contender in contenders.items():
        try:
            counts[name] = _calibrate(contender, settings)
        except WorkerError as error:
            failed(name, str(error))
    timings = {name: Timing() for name in counts}
    for _ in range(settings.rounds):
        for name in list(timings):
            time.sleep(settings.pause)
            try:
                seconds, processor_seconds = contenders[name].run(counts[name])
            except WorkerError as error:
                failed(name, str(error))
                del timings[name]
                continue
            timings[name].seconds.append(seconds / counts[name])
            timings[name].processor_seconds.append(processor_seconds / counts[name])
    return timings


def _calibrate(contender: Runner, settings: Settings) -> int:
    """Warm up; return how many runs fill the budget of a sample."""
    best, spent, runs = math.inf, 0.0, 0
    while spent < settings.warm_up or runs < _WARM_UP_RUNS:
        count = 1 if math.isinf(best) else _runs_within(settings.warm_up / 8, best)
        seconds, _ = contender.run(count)
        best = min(best, seconds / count)
        spent, runs = spent + seconds, runs + 1
    return _runs_within(settings.budget, best)


def _runs_within(seconds: float, once: float) -> int:
    return min(max(1, round(seconds / max(once, 1e-9))), _MOST_RUNS)


def ratio(timing: Timing, base: Timing) -> float:
    """Return how many times as long as ``base`` a contender takes: the median over the rounds.

    Samples of one round are compared with each other, since they saw the same machine.
    """
    return median(a / b for a, b in zip(timing.seconds, base.seconds, strict=True))


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive numbers, at least one."""
    return math.exp(sum(map(math.log, values)) / len(values))


def relative_error(
    found: Mapping[str, npt.NDArray[np.generic]], expected: Mapping[str, npt.NDArray[np.generic]]
) -> float:
    """Return the greatest difference, relative to the greatest value of its output.

    It is infinite where an output has another size, or nan where none is expected.
    """
    worst = 0.0
    for name, reference in expected.items():
        array = found.get(name)
        if array is None or array.size != reference.size:
            return math.inf
        a, b = (x.reshape(-1).astype(np.float64) for x in (array, reference))
        if not np.array_equal(np.isnan(a), np.isnan(b)):
            return math.inf
        scale = float(np.max(np.abs(b), initial=0.0, where=np.isfinite(b)))
        with np.errstate(invalid="ignore"):
            difference = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b))
        worst = max(worst, float(np.max(difference, initial=0.0)) / (scale or 1.0))
    return worst
