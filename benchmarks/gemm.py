"""Compare single products with other engines on a grid: ``python -m benchmarks.gemm --help``.

What counts is how the ratios are distributed over the grid, not any one of them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from shutil import rmtree
from typing import Any

from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine
from benchmarks.engine import Array, Setup
from benchmarks.gemm_report import markdown, point_row, summary
from benchmarks.machine_info import choose_cores, describe_machine
from benchmarks.measure import Settings, Timing, measure, ratio, relative_error
from benchmarks.models import Model
from benchmarks.options import positive, words
from benchmarks.peers import PRODUCT_PACKAGES, choose_peers
from benchmarks.products import Point, empty_network, grid, product_network
from benchmarks.real_time import check_real_time
from benchmarks.report import OURS
from benchmarks.worker import Worker, WorkerError

GRIDS = {"quick": 32, "full": 400}
"""Points of a grid by its name."""

REFERENCE = "onnxruntime"
"""The engine whose outputs are taken for right, where it takes part."""

_LEAST_SHARE = 0.2
"""Part of a time that is left when that of a call is taken off, at least."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        peers = choose_peers(given.peers, PRODUCT_PACKAGES)
        cores = choose_cores(given.threads)
        setup = Setup(given.threads, given.level, given.machine)
        l2_bytes = Machine.parse(given.machine).l2_bytes or Machine.host().l2_bytes
        points = _points(given, l2_bytes)
        if given.real_time:
            check_real_time()
    except (ValueError, UserError) as error:
        parser.error(str(error))
    if peers == [OURS]:
        print("no other engine is installed: ratios are left out")
    settings = Settings(given.rounds, given.budget, given.warm_up)
    folder: Path = given.output
    report: dict[str, Any] = {
        "machine": describe_machine(),
        "settings": {**asdict(settings), **asdict(setup), "real_time": given.real_time},
        "peers": peers,
        "versions": {},
        "calls": {},
        "points": [],
    }
    contest = _Contest(peers, setup, cores, settings, folder / "work", given.real_time)
    report["calls"] = contest.calls()
    for number, point in enumerate(points, 1):
        result = contest.run(point, point.copies(l2_bytes) or 1)
        report["points"].append(result)
        report["versions"] |= contest.versions
        print(f"{number}/{len(points)} {point_row(result, peers)}", flush=True)
        _save(report, folder)
    print(f"\n{summary(report)}")
    print(f"written to {folder / 'results.json'} and {folder / 'results.md'}")
    return 0


def _points(given: argparse.Namespace, l2_bytes: int) -> list[Point]:
    if given.points:
        return [Point.parse(text) for text in given.points]
    return grid(given.count or GRIDS[given.grid], l2_bytes, given.seed)


class _Contest:
    """Points that all engines compute, each engine in a process of its own for each point."""

    def __init__(
        self,
        peers: Sequence[str],
        setup: Setup,
        cores: Sequence[int],
        settings: Settings,
        folder: Path,
        real_time: bool,
    ):
        self.versions: dict[str, str] = {}
        self._peers, self._setup, self._cores = peers, setup, cores
        self._settings, self._folder, self._real_time = settings, folder, real_time
        self._calls: dict[str, float] = {}

    def calls(self) -> dict[str, float]:
        """Measure what a call of each engine takes, in seconds; they are taken off all times."""
        peers = [peer for peer in self._peers if peer != "mkl"]
        timings = self._measure(empty_network(self._folder), peers, {})
        self._calls = {peer: timing.median for peer, timing in timings.items()}
        return self._calls

    def run(self, point: Point, copies: int) -> dict[str, Any]:
        """Return what each engine takes for a product of a point, or how it failed."""
        contenders: dict[str, dict[str, Any]] = {}
        model = product_network(point, copies, self._folder)
        # It computes products alone.
        peers = [p for p in self._peers if p != "mkl" or point.epilogue == "none"]
        timings = self._measure(model, peers, contenders)
        for peer, timing in timings.items():
            times = self._product_times(peer, timing, copies)
            contenders.setdefault(peer, {}).update(median=times.median, samples=times.seconds)
            if peer != OURS and OURS in timings:
                ours = self._product_times(OURS, timings[OURS], copies)
                contenders[peer]["ratio"] = ratio(times, ours)
        rmtree(self._folder)
        return {
            **asdict(point),
            "name": point.name,
            "copies": copies,
            "operations": point.operations,
            "weight_bytes": point.weight_bytes,
            "contenders": contenders,
        }

    def _product_times(self, peer: str, timing: Timing, copies: int) -> Timing:
        call = self._calls.get(peer, 0.0)
        left = [max(s - call, s * _LEAST_SHARE) / copies for s in timing.seconds]
        return replace(timing, seconds=left)

    def _measure(
        self, model: Model, peers: Sequence[str], contenders: dict[str, dict[str, Any]]
    ) -> dict[str, Timing]:
        def fail(peer: str, reason: str) -> None:
            contenders.setdefault(peer, {})["failed"] = reason

        setup, folder = self._setup, self._folder
        with ExitStack() as stack:
            workers = {
                peer: stack.enter_context(Worker(peer, model, self._cores, folder / peer, setup))
                for peer in peers
            }
            for peer, worker in list(workers.items()):
                try:
                    worker.load()
                except WorkerError as error:
                    fail(peer, str(error))
                    del workers[peer]
                    continue
                self.versions[peer] = worker.version
            self._check(model, workers, contenders, fail)
            if self._real_time:
                for worker in workers.values():
                    worker.take_real_time()
            return measure(workers, self._settings, fail)

    def _check(
        self,
        model: Model,
        workers: dict[str, Worker],
        contenders: dict[str, dict[str, Any]],
        fail: Callable[[str, str], None],
    ) -> None:
        """Compare the results of all engines with those of the reference; drop those that fail."""
        if model.checked is None or REFERENCE not in workers:
            return
        results: dict[str, Mapping[str, Array]] = {}
        for peer in list(workers):
            try:
                results[peer] = workers[peer].outputs_of(model.checked)
            except WorkerError as error:
                fail(peer, str(error))
                del workers[peer]
        for peer in results.keys() - {REFERENCE} if REFERENCE in results else ():
            error = relative_error(results[peer], results[REFERENCE])
            contenders.setdefault(peer, {})["error"] = error


def _save(report: Mapping[str, Any], folder: Path) -> None:
    """Write what there is so far, so that a run that is broken off leaves its results."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    (folder / "results.md").write_text(markdown(report), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gemm", description="Compare single products on a grid."
    )
    parser.add_argument("--grid", choices=GRIDS, default="quick", help="how many points there are")
    parser.add_argument("--count", type=positive, help="points, in place of those of a grid")
    parser.add_argument("--seed", type=int, default=0, help="which points are drawn")
    parser.add_argument(
        "--points",
        type=words,
        default=[],
        metavar="P,Q",
        help="points, such as 49x768x3072-cold-gelu",
    )
    parser.add_argument(
        "--peers",
        type=words,
        default=[],
        metavar="A,B",
        help=f"engines of {', '.join(PRODUCT_PACKAGES)}; without it those that are installed",
    )
    parser.add_argument("--threads", type=positive, default=1, help="threads")
    parser.add_argument(
        "--level", type=int, choices=range(4), default=3, help="what autodeploy compiles with, -O"
    )
    parser.add_argument("--machine", default="host", help="what autodeploy compiles for")
    parser.add_argument("--rounds", type=positive, default=9, help="samples of each engine")
    parser.add_argument("--budget", type=float, default=0.01, help="seconds of one sample")
    parser.add_argument("--warm-up", type=float, default=0.03, help="seconds of warming up")
    parser.add_argument(
        "--real-time",
        action="store_true",
        help="measure with real-time priority (Linux, as root), where other programs run",
    )
    parser.add_argument(
        "--output", type=Path, default=Path("build/bench-gemm"), help="folder for results and work"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
