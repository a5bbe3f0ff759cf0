"""The records that ship with a preset: how they are made, and what they are worth.

``python -m benchmarks.shipped all --machine x86-64-zen4 --tune FILE --minutes 10`` searches for
configs of the networks of models.toml, one after the other. Without ``--tune`` it compiles each
network with the records that ship and with none, measures both in turn by processor time, and
prints the time with records relative to that without (docs/tuning.md, "Records of presets").
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import Session
from autodeploy.tuning.network_timer import measured_gain
from benchmarks.measure import Settings, Timing, geometric_mean, measure, relative_error
from benchmarks.models import (
    GRAPHS,
    Array,
    MissingGraphError,
    Model,
    choose,
    provide,
    read_catalogue,
)

_NONE, _SHIPPED = "none", "shipped"


class Program:
    """A bundle that is run on the same inputs again and again."""

    def __init__(self, session: Session, inputs: Mapping[str, Array]):
        self._session = session
        self._inputs = inputs

    def run(self, count: int) -> tuple[float, float]:
        """Compute ``count`` times; return the seconds and the processor's seconds."""
        start, busy = time.perf_counter(), time.process_time()
        for _ in range(count):
            self.outputs()
        return time.perf_counter() - start, time.process_time() - busy

    def outputs(self) -> Mapping[str, Array]:
        """Return the outputs of a run."""
        return self._session.run(self._inputs)


def compare(model: Model, machine: str, rounds: int) -> tuple[str, float, float]:
    """Return the kernels that take a record, the ratio of times by it, and the error.

    Without records it is 1. The error is relative to the largest output.
    """
    with tempfile.TemporaryDirectory() as folder:
        taken = ""
        for name, records in ((_NONE, "none"), (_SHIPPED, None)):
            options = CompileOptions(machine=machine, records=records)
            report = compile_model(model.path, Path(folder) / name, options)
            taken = report.manifest.options.get("records", "")
        if not taken:
            return taken, 1.0, 0.0
        sessions = {name: autodeploy.load(Path(folder) / name) for name in (_NONE, _SHIPPED)}
        inputs = model.random_inputs()
        programs = {name: Program(session, inputs) for name, session in sessions.items()}
        error = relative_error(programs[_SHIPPED].outputs(), programs[_NONE].outputs())
        timings = measure(programs, Settings(rounds=rounds), lambda name, reason: None)
        for session in sessions.values():
            session.close()
    return taken, processor_ratio(timings[_SHIPPED], timings[_NONE]), error


def processor_ratio(timing: Timing, base: Timing) -> float:
    """Return how many times as long as ``base`` a program takes: the worse of two estimates.

    They are the median of the rounds and the ratio of the least.
    """
    return 1 / measured_gain(base.processor_seconds, timing.processor_seconds)


def main(arguments: Sequence[str] | None = None) -> None:
    """Search, or print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.shipped", description=__doc__)
    parser.add_argument("models", nargs="*", help="names of models.toml, or all, classic, modern")
    parser.add_argument("--machine", default="host")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--tune", type=Path, metavar="FILE", help="append records to this file")
    parser.add_argument("--minutes", type=float, default=10.0, help="of the search for a network")
    given = parser.parse_args(arguments)
    catalogue, ratios = read_catalogue(), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        for name in choose(catalogue, given.models):
            try:
                model = provide(name, catalogue[name], Path(folder), GRAPHS)
            except MissingGraphError:
                continue
            if given.tune is not None:
                options = {"records": given.tune, "minutes": given.minutes}
                found = autodeploy.tune(str(model.path), machine=given.machine, **options)
                print(f"{name}: {found.network_gain:.3f}", flush=True)
                continue
            taken, ratio, error = compare(model, given.machine, given.rounds)
            ratios += [ratio] if taken else []
            print(f"| {name} | {taken or 'none'} | {ratio:.3f} | {error:.1e} |", flush=True)
    if ratios:
        print(f"| geometric mean | | {geometric_mean(ratios):.3f} | |")


if __name__ == "__main__":
    main()
