"""Compare autodeploy with other engines in the same run: ``python -m benchmarks.run --help``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.machine import Machine
from autodeploy.toolchain.limits import Limits, measure_limits
from benchmarks import decoders
from benchmarks.engine import Array, Setup
from benchmarks.kernels import kernel_table, profile
from benchmarks.machine_info import choose_cores, describe_machine, pinned
from benchmarks.measure import Settings, Timing, measure, ratio, relative_error
from benchmarks.models import (
    GRAPHS,
    MissingGraphError,
    Model,
    choose,
    provide,
    read_catalogue,
)
from benchmarks.options import positive, positives, words
from benchmarks.peers import (
    DEVICE_PEERS,
    PACKAGES,
    PROCESSOR_PEERS,
    choose_peers,
    missing_packages,
)
from benchmarks.precision import FORMS, in_form, processor_table
from benchmarks.real_time import check_real_time
from benchmarks.report import OURS, error_table, markdown, time_table
from benchmarks.worker import Worker, WorkerError

REFERENCE = "onnxruntime"
"""The engine whose outputs are taken for right."""

_PROGRAM_BUDGET = 0.5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit status."""
    listed = sys.argv[1:] if arguments is None else list(arguments)
    if "--decoders" in listed:
        return decoders.main([word for word in listed if word != "--decoders"])
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        names = choose(read_catalogue(), given.models)
        machine = Machine.parse(given.machine)
        peers = choose_peers(given.peers or _peers_of(given.precision, machine), PACKAGES)
        for threads in given.threads:
            choose_cores(threads)
        if given.real_time:
            check_real_time()
    except (ValueError, UserError) as error:
        parser.error(str(error))
    settings = Settings(given.rounds, given.budget, given.warm_up)
    limits = _limits(given.output)
    report: dict[str, Any] = {
        "machine": describe_machine(),
        "limits": None if limits is None else asdict(limits),
        "settings": {
            **asdict(settings),
            "level": given.level,
            "machine": given.machine,
            "real_time": given.real_time,
        },
        "peers": peers,
        "versions": {},
        "results": [],
        "kernels": {},
    }
    for model in _models(names, given):
        for threads in given.threads:
            precision = "bf16" if model.name.endswith(" bf16") else Setup.precision
            ours = Setup(threads, given.level, given.machine, precision)
            work = given.output / "work"
            contest = _Contest(model, ours, peers, settings, work, given.real_time)
            result = contest.run()
            report["results"].append(result)
            report["versions"] |= contest.versions
            print(f"\n{model.name}, threads: {threads}\n")
            print(time_table([result], peers), error_table([result], peers), sep="\n\n", flush=True)
            if given.precision or machine.device:
                print(f"\n{processor_table([result], peers)}", flush=True)
            if given.kernels and OURS in peers and limits is not None:
                _add_kernels(report, contest, limits)
        _save(report, given.output)
    _save(report, given.output)
    print(f"\n{markdown(report)}")
    if given.precision or machine.device:
        print(processor_table(report["results"], peers))
    print(f"written to {given.output / 'results.json'} and {given.output / 'results.md'}")
    return 0


def _peers_of(precision: Sequence[str], machine: Machine) -> Sequence[str]:
    """Return the engines for the device of a machine, or for its processor and these forms."""
    if unknown := [form for form in precision if form not in FORMS]:
        raise ValueError(f"no precision {', '.join(unknown)}; there are {', '.join(FORMS)}")
    if machine.device:
        return DEVICE_PEERS
    return [peer for peer in PROCESSOR_PEERS if peer != "ncnn" or not precision]


def _models(names: Sequence[str], given: argparse.Namespace) -> Iterator[Model]:
    """Yield the networks one by one; says which are skipped."""
    catalogue = read_catalogue()
    for name in names:
        folder = given.output / "models"
        try:
            model = provide(name, catalogue[name], folder, given.graphs)
            for form in given.precision:
                yield in_form(model, form, folder)
            if not given.precision:
                yield model
        except MissingGraphError as error:
            print(f"{name} is skipped: {error}", flush=True)


class _Contest:
    """One network with so many threads, computed by all engines."""

    def __init__(
        self,
        model: Model,
        ours: Setup,
        peers: Sequence[str],
        settings: Settings,
        folder: Path,
        real_time: bool = False,
    ):
        self.model, self.threads = model, (threads := ours.threads)
        self.cores = choose_cores(threads)
        self.folder = folder / f"{model.name}-{threads}"
        self.versions: dict[str, str] = {}
        self._settings, self._ours, self._real_time = settings, ours, real_time
        self._contenders: dict[str, dict[str, Any]] = {peer: {} for peer in peers}

    def run(self) -> dict[str, Any]:
        """Return what each engine took, how right it is, or how it failed."""
        load_average = os.getloadavg()[0]
        with ExitStack() as stack:
            workers = {peer: stack.enter_context(self._worker(peer)) for peer in self._contenders}
            for peer in list(workers):
                if not self._attempt(peer, workers[peer].load):
                    del workers[peer]
                    continue
                self.versions[peer] = workers[peer].version
                self._contenders[peer]["load_seconds"] = workers[peer].load_seconds
            if self._real_time:
                for peer in list(workers):
                    if not self._attempt(peer, workers[peer].take_real_time):
                        del workers[peer]
            timings = measure(workers, self._settings, self._fail)
            self._note_times(timings)
            workers = {peer: workers[peer] for peer in timings}
            self._check(workers, stack)
            if OURS in workers:
                self._attempt(OURS, lambda: self._note_program(workers[OURS]))
        return {
            "model": self.model.name,
            "threads": self.threads,
            "load_average": load_average,
            "contenders": self._contenders,
        }

    def _worker(self, peer: str) -> Worker:
        return self._worker_in(self.folder / peer, peer)

    def _worker_in(self, folder: Path, peer: str) -> Worker:
        return Worker(peer, self.model, self.cores, folder, self._ours)

    def _attempt(self, peer: str, action: Callable[[], None]) -> bool:
        try:
            action()
        except WorkerError as error:
            self._fail(peer, str(error))
            return False
        return True

    def _fail(self, peer: str, reason: str) -> None:
        print(f"{self.model.name}: {peer} failed: {reason}", flush=True)
        self._contenders[peer]["failed"] = reason

    def _note_times(self, timings: Mapping[str, Timing]) -> None:
        ours = timings.get(OURS)
        for peer, timing in timings.items():
            noted = self._contenders[peer]
            noted["median"], noted["minimum"] = timing.median, timing.minimum
            noted["samples"] = timing.seconds
            if self.threads == 1:
                noted["busy"] = timing.busy
                noted["processor_median"] = timing.processor_median
            if ours is not None and peer != OURS:
                noted["ratio"] = ratio(timing, ours)

    def _note_program(self, worker: Worker) -> None:
        self._contenders[OURS]["program"] = worker.program(_PROGRAM_BUDGET)

    def _check(self, workers: Mapping[str, Worker], stack: ExitStack) -> None:
        """Compare the outputs of all engines with those of the reference."""
        reference = workers.get(REFERENCE)
        try:
            if reference is None:
                if missing_packages(REFERENCE):
                    return
                reference = self._worker_in(self.folder / "reference", REFERENCE)
                stack.enter_context(reference)
                reference.load()
                reference.run(1)
            expected = self._outputs(reference)
        except WorkerError as error:
            print(f"{self.model.name}: no reference: {error}", flush=True)
            return
        for peer, worker in workers.items():
            if worker is not reference:
                self._attempt(peer, lambda p=peer, w=worker: self._note_error(p, w, expected))

    def _note_error(self, peer: str, worker: Worker, expected: Mapping[str, Array]) -> None:
        self._contenders[peer]["error"] = relative_error(self._outputs(worker), expected)

    def _outputs(self, worker: Worker) -> dict[str, Array]:
        checked = self.model.checked
        return worker.outputs() if checked is None else worker.outputs_of(checked)


def _limits(folder: Path) -> Limits | None:
    try:
        with pinned(choose_cores(1)):
            return measure_limits(folder / "work")
    except ToolchainError as error:
        print(f"the limits of the machine are not measured: {error}")
        return None


def _add_kernels(report: dict[str, Any], contest: _Contest, limits: Limits) -> None:
    """Profile our bundle of a contest, print its kernels, put them into the report."""
    label = f"{contest.model.name}, threads: {contest.threads}"
    try:
        found = profile(contest.folder / OURS / "bundle", contest.cores, limits)
    except UserError as error:
        print(f"{label}: no kernel times: {error}", flush=True)
        return
    report["kernels"][label] = found
    print(f"\n{kernel_table(label, found)}", flush=True)


def _save(report: Mapping[str, Any], folder: Path) -> None:
    """Write what there is so far, so that a run that is broken off leaves its results."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    (folder / "results.md").write_text(markdown(report), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.run", description="Compare autodeploy with other engines."
    )
    parser.add_argument(
        "--models",
        type=words,
        default=[],
        metavar="A,B",
        help="networks of models.toml, or all, classic, modern; without it the quick ones",
    )
    parser.add_argument(
        "--graphs",
        type=Path,
        default=GRAPHS,
        help="folder of the graphs without weights that modern networks are made of",
    )
    parser.add_argument(
        "--peers",
        type=words,
        default=[],
        metavar="A,B",
        help=f"engines of {', '.join(PACKAGES)}; without it those for the machine or its device",
    )
    parser.add_argument(
        "--precision",
        type=words,
        nargs="?",
        const=["qdq", "dynamic", "bf16"],
        default=[],
        metavar="A,B",
        help=f"forms of the networks, of {', '.join(FORMS)}; alone: qdq, dynamic and bf16, in "
        "which OpenVINO and autodeploy compute where that is faster; the others use 32 bits",
    )
    parser.add_argument(
        "--decoders",
        action="store_true",
        help="compare decoders of text instead; `--decoders --help` lists the options",
    )
    parser.add_argument("--threads", type=positives, default=[1], metavar="1,2", help="threads")
    parser.add_argument(
        "--level", type=int, choices=range(4), default=3, help="what autodeploy compiles with, -O"
    )
    parser.add_argument(
        "--machine",
        default="host",
        help="what autodeploy compiles for, such as a file of calibrate or host:device=opencl",
    )
    parser.add_argument("--rounds", type=positive, default=21, help="samples of each engine")
    parser.add_argument("--budget", type=float, default=0.05, help="seconds of one sample")
    parser.add_argument("--warm-up", type=float, default=0.3, help="seconds of warming up")
    parser.add_argument("--kernels", action="store_true", help="also time our kernels one by one")
    parser.add_argument(
        "--real-time",
        action="store_true",
        help="measure with real-time priority (Linux, as root), where other programs run",
    )
    parser.add_argument(
        "--output", type=Path, default=Path("build/bench"), help="folder for results and work"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
