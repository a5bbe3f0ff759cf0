"""Compare the tuner ``xgb`` with random search: ``python -m benchmarks.tuners --help``.

A configuration of a kernel is measured once, and what was measured is kept in a file of records, so
that a comparison that was interrupted goes on. Random search is a random order of the same points
for every seed, the tuner starts from nothing for every seed. The output is JSON: the seconds of the
trials of each search in order, the rule's config first.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from autodeploy.compiler import CompileOptions
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.records.record_file import append_records, read_records
from autodeploy.runner.in_turn import processor
from autodeploy.runner.program import Limits
from autodeploy.tuning.measurer import Measurer
from autodeploy.tuning.search import BETWEEN, made_record
from autodeploy.tuning.server import Request
from autodeploy.tuning.state import TaskState
from autodeploy.tuning.task import Network, Task, extract_tasks
from autodeploy.tuning.tuner import TunerName, make_tuners
from benchmarks.models import provide, read_catalogue

KERNELS = (
    ("digit", "conv +1 1x14x14x8, 5x5x8x16 -> 1x14x14x16"),
    ("mobilenetv2", "matmul +1 196x384, 384x64 -> 196x64"),
    ("resnet18", "conv +1 1x14x14x256, 3x3x256x512 -> 1x7x7x512"),
)
"""Networks and titles of the kernels that are searched."""

BATCH = 8


class _Kernel:
    """A task, and the seconds of all its configs that were measured so far."""

    def __init__(self, network: Network, task: Task, records: Path):
        self.network, self.task = network, task
        self.records = records
        self.costs: dict[ConfigAttr, float] = {
            record.parsed_config(): record.cost
            for record in read_records(records, missing_ok=True)
            if record.kernel == task.kernel and record.machine == task.machine_text
        }

    def measure(self, measurer: Measurer, configs: Sequence[ConfigAttr]) -> list[float]:
        """Return the seconds of configs, infinity of those that fail."""
        missing = [config for config in configs if config not in self.costs]
        if missing:
            rule = self.costs.get(self.task.rule, math.inf)
            slow = 3 * rule
            request = Request(
                self.task.kernel,
                tuple(map(str, missing)),
                missing == [self.task.rule],
                0,
                min(self.network.bytes, BETWEEN),
                False,
                2,
                Limits(run=20 + 200 * min(slow, 1.0), call=slow),
            )
            for outcome in measurer.outcomes(request):
                config = missing[outcome.index]
                record = made_record(self.task, config, outcome.costs, outcome.error)
                append_records(self.records, [record])
                self.costs[config] = record.cost
        return [self.costs[config] for config in configs]

    def prepare(self, measurer: Measurer) -> float:
        """Measure the rule's config, with which all others are compared."""
        self.network.save(self.task, measurer.tasks)
        known = self.costs.pop(self.task.rule, None)
        (found,) = self.measure(measurer, [self.task.rule])
        self.costs[self.task.rule] = found if known is None else known
        return self.costs[self.task.rule]

    def search(self, measurer: Measurer, name: TunerName, seed: int, trials: int) -> list[float]:
        """Return the seconds of the trials of a search, the rule's first."""
        state = TaskState(self.task, rule_cost=self.costs[self.task.rule])
        state.add(self.task.rule, state.rule_cost)
        (tuner,) = make_tuners(name, [state], seed)
        found = [state.rule_cost]
        while len(found) < trials and (configs := tuner.propose(min(BATCH, trials - len(found)))):
            costs = self.measure(measurer, configs)
            for config, cost in zip(configs, costs, strict=True):
                state.add(config, cost)
            found += costs
        return found


def compare(kernel: _Kernel, measurer: Measurer, given: argparse.Namespace) -> dict[str, Any]:
    """Return the searches of one kernel, as JSON."""
    rule = kernel.prepare(measurer)
    _, *pool = kernel.search(measurer, "random", 0, given.random + 1)
    runs: list[dict[str, Any]] = []
    for seed in range(given.seeds):
        order = Random(seed).sample(pool, len(pool))
        learned = kernel.search(measurer, "xgb", seed, given.trials + 1)
        for name, costs in (("random", [rule, *order]), ("xgb", learned)):
            told = [None if cost == math.inf else float(f"{cost:.5g}") for cost in costs]
            runs.append({"tuner": name, "seed": seed, "costs": told})
        print(f"{kernel.task.title}: seed {seed}: random {min(order):.3e}, {min(learned):.3e}")
    return {"kernel": kernel.task.title, "rule": rule, "runs": runs}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuners", description=__doc__)
    parser.add_argument("output", type=Path, help="JSON of what was found")
    parser.add_argument("--records", type=Path, help="records of what is measured")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--random", type=int, default=240, help="random points of a kernel")
    parser.add_argument("--trials", type=int, default=80, help="trials of xgb for each seed")
    parser.add_argument("--launch", default="", help="words in front of what is measured")
    parser.add_argument("--kernels", type=int, default=len(KERNELS), help="of how many kernels")
    given = parser.parse_args(arguments)
    records = given.records or given.output.with_suffix(".jsonl")
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, title in KERNELS[: given.kernels]:
            path = provide(name, read_catalogue()[name], Path(folder)).path
            network = extract_tasks(path, CompileOptions())
            task = next(task for task in network.tasks if task.title == title)
            tasks = Path(folder) / f"{name}-tasks"
            tasks.mkdir()
            kernel = _Kernel(network, task, records)
            with Measurer(tasks, launcher=shlex.split(given.launch)) as measurer:
                found.append({"network": name, **compare(kernel, measurer, given)})
            text = {"processor": processor(), "machine": task.machine_text, "kernels": found}
            given.output.write_text(json.dumps(text) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
