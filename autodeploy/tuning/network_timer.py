"""Timing whole networks in turn, with a limit of time, and comparing what they compute."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from statistics import median

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.nn.types import ELEMENT_NAMES
from autodeploy.machine import Machine
from autodeploy.records.record import Record
from autodeploy.records.record_file import append_records
from autodeploy.runner.in_turn import Program, RunResult
from autodeploy.runner.program import UNLIMITED, Job, Limits
from autodeploy.toolchain.library import flush_option
from autodeploy.toolchain.profile_program import build_program
from autodeploy.tuning.agreement import disagreement
from autodeploy.tuning.measurer import Measures

_PROGRAM, _WEIGHTS, _OUTPUTS = "profile", "weights", "outputs.bin"

ROUNDS = 5
"""Times that networks are measured."""

_RUNS = 20, 5000
"""The fewest and the most runs of a network in a round."""

_RUN_SECONDS = 0.1
"""Seconds of the runs of a round together, if that many are allowed."""

_LIMIT = 60.0, 50.0
"""Seconds that a round may take: some, and that many times what its runs should take."""


@dataclass(frozen=True)
class Compared:
    """How many times as fast a network is as another one, or why that cannot be said.

    ``seconds`` are those of a run of the network, a number for each round.
    """

    gain: float
    error: str | None = None
    seconds: Sequence[float] = ()


class NetworkTimer:
    """Compares programs of a model, each compiled by records of its own.

    ``seconds`` is what a run takes by the rules, about, by which a run that hangs is known;
    ``compiler`` the command of the C compiler, nothing for that of this machine.
    """

    def __init__(
        self,
        measurer: Measures,
        model: str | Path | bytes,
        options: CompileOptions,
        seconds: float,
        compiler: Sequence[str] = (),
    ):
        self._measurer = measurer
        self._model = model
        self._options = options
        self._seconds = seconds
        self._compiler = compiler

    def gain(self, before: Sequence[Record], after: Sequence[Record]) -> Compared:
        """Return how many times as fast the network is with records as with others.

        Both are run in turn. A network that computes something else is none that is faster.
        """
        return self.gains(before, [after])[0]

    def gains(self, before: Sequence[Record], afters: Sequence[Sequence[Record]]) -> list[Compared]:
        """Return the same of several records, each compared with the first; all run in turn."""
        with tempfile.TemporaryDirectory(prefix="autodeploy-tune-") as temporary:
            bundles = [
                self._compiled(Path(temporary) / str(number), records)
                for number, records in enumerate((before, *afters))
            ]
            first = self._run(bundles[:1], _RUNS[0], 1)[0]
            if first.error is not None:
                return [Compared(0.0, first.error) for _ in afters]
            runs = round(_RUN_SECONDS / _medians(first)[0])
            all_ran = self._run(bundles, min(max(runs, _RUNS[0]), _RUNS[1]), ROUNDS)
            outputs = Manifest.load(bundles[0]).outputs
            elements = [
                (output.dtype, prod(output.shape))
                if output.dtype in ELEMENT_NAMES.values()
                else ("uint8", output.bytes)
                for output in outputs
            ]
            return [_compared(all_ran[0], ran, elements) for ran in all_ran[1:]]

    def _compiled(self, folder: Path, records: Sequence[Record]) -> Path:
        file = None
        if records:
            file = folder.with_suffix(".jsonl")
            append_records(file, records)
        compile_model(self._model, folder, replace(self._options, records=file))
        return folder

    def _run(self, bundles: Sequence[Path], runs: int, rounds: int) -> Sequence[RunResult]:
        programs = [self._program(bundle, runs) for bundle in bundles]
        return self._measurer.run(programs, rounds)

    def _program(self, bundle: Path, runs: int) -> Program:
        manifest = Manifest.load(bundle)
        built = build_program(bundle, manifest, {}, "network", self._compiler)
        files: dict[str, bytes | Path] = {_PROGRAM: built}
        weights = manifest.weights_path(bundle)
        if weights is not None:
            files[_WEIGHTS] = weights
        threads = self._options.threads
        numbers = (runs, threads, flush_option(None), 1, 0)
        command = (_PROGRAM, _WEIGHTS if weights else "", *map(str, numbers), _OUTPUTS)
        least, times = _LIMIT
        seconds = least + times * runs * self._seconds
        on_device = bool(Machine.parse(self._options.machine).device)
        limit = UNLIMITED if on_device else Limits().bytes
        job = Job(command, seconds, limit, threads == 1 and not on_device, results=(_OUTPUTS,))
        return Program(job, files)


def _compared(before: RunResult, after: RunResult, elements: Sequence[tuple[str, int]]) -> Compared:
    """Compare two networks that ran in turn, whose outputs have some elements of some types."""
    for ran in (before, after):
        if ran.error is not None:
            return Compared(0.0, ran.error)
    wrong = disagreement(after.results[_OUTPUTS], before.results[_OUTPUTS], elements)
    if wrong is not None:
        return Compared(0.0, f"wrong: {wrong}")
    seconds = _medians(after)
    return Compared(measured_gain(_medians(before), seconds), seconds=seconds)


def _medians(ran: RunResult) -> list[float]:
    """Return the median seconds of a run, a number for each round."""
    return [
        median(float(line.split()[1]) for line in printed.splitlines()[1:])
        for printed in ran.printed
    ]


def measured_gain(slow: Sequence[float], fast: Sequence[float]) -> float:
    """Return how many times as fast one is as the other, by seconds of rounds measured in turn.

    That is the lesser of two estimates, the median of the rounds and the ratio of the least: what
    else runs on the machine may slow down either side, and is no gain.
    """
    rounds = median(x / y for x, y in zip(slow, fast, strict=False))
    return min(rounds, min(slow) / min(fast))
