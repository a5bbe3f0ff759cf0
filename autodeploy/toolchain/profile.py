"""How long each kernel of a bundle takes, and how much it does in that time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median

from autodeploy.codegen.bundle.manifest import KernelEntry, Manifest
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.compiler import run
from autodeploy.toolchain.kernel_costs import KernelCost, read_costs
from autodeploy.toolchain.library import flush_option
from autodeploy.toolchain.profile_program import build_program
from autodeploy.toolchain.runs_here import check_runs_here

DEFAULT_ROUNDS = 50

COPIES = "copies"
"""Name of the entry for the copies of the driver."""

DRIVER = "driver"
"""Name of the entry for the rest of a run: the driver itself and the taking of the time."""


@dataclass(frozen=True)
class KernelTime:
    """A kernel's part in one run of the network.

    ``seconds``, ``operations`` and ``bytes`` are those of all its ``calls`` in a run together;
    ``seconds`` is the median over the rounds. ``operations``, ``bytes`` and ``in_float32`` are as
    ``KernelCost`` says. ``name`` is that of the ``halide.pipeline``, ``symbol`` its C function.
    """

    name: str
    symbol: str
    algorithm: str | None
    calls: int
    seconds: float
    operations: int
    bytes: int
    in_float32: bool = True
    on_device: bool = False


def profile_bundle(
    folder: str | Path,
    rounds: int = DEFAULT_ROUNDS,
    threads: int = 1,
    *,
    flush_subnormals: bool | None = None,
    machine: str | None = None,
    part: str | None = None,
) -> list[KernelTime]:
    """Run the network of a bundle ``rounds`` times and return the time of each kernel.

    The kernels come in the order of the manifest; then ``COPIES`` where the driver copies, and
    ``DRIVER``, so that the seconds add up to those of a run. ``flush_subnormals`` and ``machine``
    are those of ``load_bundle``. If open extents have parts it is the program for ``part``, or
    the one for the largest numbers. A program is built in the bundle's build folder. Raises
    ``UserError`` if the bundle is no good, is for another machine or does not say what its
    kernels compute, ``ToolchainError`` if building or running fails.
    """
    if rounds < 1 or threads < 1:
        raise UserError(f"rounds and threads are at least 1, found {rounds} and {threads}")
    place = Path(folder)
    manifest = check_runs_here(place, Manifest.load(place), threads, machine, part)
    costs = read_costs(place / manifest.text)
    unknown = [kernel.name for kernel in manifest.kernels if kernel.name not in costs]
    if unknown:
        raise UserError(f"'{manifest.text}' has no halide.pipeline {', '.join(map(repr, unknown))}")
    # Kernels on a device are timed where the driver starts them.
    arities = {
        kernel.symbol: None if kernel.on_device else costs[kernel.name].arguments
        for kernel in manifest.kernels
    }
    program = build_program(place, manifest, arities).resolve()
    weights = manifest.weights_path(place)
    path = "" if weights is None else str(weights.resolve())
    flush = flush_option(flush_subnormals)
    text = run([str(program), path, str(rounds), str(threads), str(flush), "1", "0"])
    return _evaluate(text, manifest.kernels, costs)


def _evaluate(
    text: str, kernels: tuple[KernelEntry, ...], costs: dict[str, KernelCost]
) -> list[KernelTime]:
    """Return the times from the output of the program: see ``profile_program``."""
    first, *lines = (line.split()[1:] for line in text.splitlines())
    copies, *calls = map(int, first)
    rounds = [tuple(map(float, line)) for line in lines]
    _, copying, *columns = zip(*rounds, strict=True)
    result: list[KernelTime] = []
    for kernel, count, seconds in zip(kernels, calls, columns, strict=True):
        cost = costs[kernel.name]
        result.append(
            KernelTime(
                kernel.name,
                kernel.symbol,
                kernel.algorithm,
                count,
                median(seconds),
                count * cost.operations,
                count * cost.bytes,
                cost.in_float32,
                kernel.on_device,
            )
        )
    if copies:
        result.append(KernelTime(COPIES, "memcpy", None, copies, median(copying), 0, 0))
    rest = median(total - sum(parts) for total, *parts in rounds)
    result.append(KernelTime(DRIVER, "", None, 1, rest, 0, 0))
    return result
