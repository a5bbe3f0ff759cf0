"""Measure the gain of a rule: kernels with and without it, timed in turn by processor time.

``python -m benchmarks.ablation MODEL... --machine x86-64-avx2 --rule costs:end_cycles=0.0``
gives a constant of ``autodeploy/templates`` another value, lets the rules configure all kernels of
the models again, builds those whose config changes, and prints a row of a table: their number, and
the time without the rule over that with it. A CostModel number is changed as ``costs:NAME=VALUE``.
Without ``--rule`` it takes those of ``RULES``. Kernels are those of ``--precision``.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import exp, log
from pathlib import Path
from statistics import fmean
from types import ModuleType

from xdsl.dialects.builtin import ModuleOp

from autodeploy.compiler import CompileOptions
from autodeploy.dialects.machine import MACHINE_ATTRIBUTE, DescriptionAttr, machine_of
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.passes.kernels.configure_kernels import ConfigureKernelsPass
from autodeploy.runner.program import Limits
from autodeploy.tuning.measurer import Measurer
from autodeploy.tuning.server import Request
from autodeploy.tuning.task import Network, Task, extract_tasks

RULES = (
    "costs:end_cycles=0.0",
    "costs:idle_accumulator=0.0",
    "gemm.order:BLOCK_TILES=1048576",
    "direct_conv.tile:SUMS_SHARE=1.0",
    "window.knobs:MAX_UNROLLED_TAPS=9",
    "row.knobs:SUMS_AT_A_TIME=4",
    "conv_costs:LARGER_TILES=1.0",
)
"""Constants, and the value with which each has no effect."""

_TEMPLATES = "autodeploy.templates"
_CACHE = 64 << 20
"""Bytes that are touched between two calls: other kernels of a network do so."""


@contextmanager
def changed(rule: str) -> Generator[None]:
    """Give a constant of the templates another value, also where it was imported by its name.

    Raises ``SystemExit`` if there is no such constant.
    """
    place, value = rule.split("=", 1)
    module, name = place.split(":")
    source = importlib.import_module(f"{_TEMPLATES}.{module}")
    if not hasattr(source, name):
        sys.exit(f"{source.__name__} has no '{name}'")
    old = getattr(source, name)
    holders = [m for m in _modules() if vars(m).get(name) == old]
    _set(holders, name, ast.literal_eval(value))
    try:
        yield
    finally:
        _set(holders, name, old)


def _set(modules: Sequence[ModuleType], name: str, value: object) -> None:
    for module in modules:
        setattr(module, name, value)
    for found in (value for module in _modules() for value in list(vars(module).values())):
        if hasattr(found, "cache_clear"):
            found.cache_clear()


def _modules() -> list[ModuleType]:
    """Return the modules in which rules are."""
    roots = _TEMPLATES, "autodeploy.passes.kernels"
    return [module for name, module in list(sys.modules.items()) if name.startswith(roots)]


def config_without(network: Network, task: Task, rule: str) -> str:
    """Return the config that the rules choose for a task without one of them."""
    module = task.module.clone()
    if rule.startswith("costs:"):
        name, value = rule.removeprefix("costs:").split("=", 1)
        machine = machine_of(module)
        costs = replace(machine.costs, **{name: ast.literal_eval(value)})
        module.attributes[MACHINE_ATTRIBUTE] = DescriptionAttr(replace(machine, costs=costs))
        _configure(network, task, module)
    else:
        with changed(rule):
            _configure(network, task, module)
    return str(next(op for op in module.walk() if isinstance(op, KernelOp)).config)


def _configure(network: Network, task: Task, module: ModuleOp) -> None:
    ConfigureKernelsPass(winograd=task.winograd).apply(network.context, module)


def ratios(
    network: Network, rules: Sequence[str], measurer: Measurer, rounds: int
) -> Iterator[tuple[str, float]]:
    """Yield the time without a rule over that with it, for each kernel whose config changes."""
    for task in network.tasks:
        kept, without = (
            str(task.rule),
            {rule: config_without(network, task, rule) for rule in rules},
        )
        configs = list(dict.fromkeys([kept, *without.values()]))
        if len(configs) == 1:
            continue
        network.save(task, measurer.tasks)
        limits = Limits(batches=0.05)
        reference = Request(task.kernel, (kept,), reference=True, between=_CACHE, limits=limits)
        list(measurer.outcomes(reference))
        request = Request(task.kernel, tuple(configs), rounds=rounds, between=_CACHE, limits=limits)
        least = {
            configs[outcome.index]: min(outcome.costs)
            for outcome in measurer.outcomes(request)
            if outcome.error is None
        }
        for rule, config in without.items():
            if config != kept and {kept, config} <= least.keys():
                yield rule, least[config] / least[kept]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table for some models."""
    parser = argparse.ArgumentParser(prog="benchmarks.ablation", description=__doc__)
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--machine", default="host")
    parser.add_argument("--precision", help="as of compile")
    parser.add_argument("--rule", action="append", help="MODULE:NAME=VALUE, or costs:NAME=VALUE")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args(arguments)
    rules = tuple(args.rule or RULES)
    found: dict[str, list[float]] = {rule: [] for rule in rules}
    options = CompileOptions(machine=args.machine, precision=args.precision, threads=1, level=3)
    with tempfile.TemporaryDirectory(prefix="autodeploy-ablation-") as folder:
        for model in args.models:
            network = extract_tasks(model, options)
            with Measurer(Path(folder)) as measurer:
                for rule, ratio in ratios(network, rules, measurer, args.rounds):
                    found[rule].append(ratio)
    print("| without | kernels | time, geometric mean | least | most |\n|---|-:|-:|-:|-:|")
    for rule, values in found.items():
        mean = exp(fmean(map(log, values))) if values else 1.0
        least, most = min(values, default=1.0), max(values, default=1.0)
        print(f"| `{rule}` | {len(values)} | {mean:.3f} | {least:.3f} | {most:.3f} |", flush=True)


if __name__ == "__main__":
    main()
