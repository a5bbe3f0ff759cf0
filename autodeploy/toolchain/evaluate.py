"""How long a run of a bundle takes: mean, median and the rest, of repeated measurements."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import fmean, median, pstdev

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.toolchain.compiler import run
from autodeploy.toolchain.launched import command_words, cross_compiler
from autodeploy.toolchain.library import flush_option
from autodeploy.toolchain.profile_program import build_program
from autodeploy.toolchain.runs_here import check_runs_here

_OTHER_BYTES = 256 << 20
"""Bytes that are read to empty the caches: more than those of any machine hold."""

_GROWTH = 1.2
"""How many more runs a repeat gets than would just take the time that is asked for."""


@dataclass(frozen=True)
class Evaluation:
    """Seconds of a run, one number for each repeat, which is ``number`` runs."""

    seconds: tuple[float, ...]
    number: int

    @property
    def summary(self) -> dict[str, float]:
        """Return mean, median, least, most and standard deviation of the seconds."""
        return {
            "mean": fmean(self.seconds),
            "median": median(self.seconds),
            "min": min(self.seconds),
            "max": max(self.seconds),
            "deviation": pstdev(self.seconds),
        }


def evaluate_bundle(
    folder: Path,
    number: int = 10,
    repeat: int = 5,
    min_repeat_ms: int = 0,
    threads: int = 1,
    *,
    flush_caches: bool = False,
    flush_subnormals: bool | None = None,
    machine: str | None = None,
    part: str | None = None,
    launch: str | None = None,
) -> Evaluation:
    """Run the network of a bundle ``number`` times, ``repeat`` times over, after some warm-up.

    ``number`` grows until a repeat takes ``min_repeat_ms`` milliseconds. With ``flush_caches``
    caches hold nothing of the network when a repeat begins; only the first run of a repeat is
    then a cold one. ``machine`` is that of ``load_bundle``, ``part`` that of ``profile_bundle``.
    ``launch`` is a command that starts the program, such as ``qemu-aarch64``.
    Raises ``UserError`` if the bundle or a number is no good, ``ToolchainError`` if building
    or running fails.
    """
    if number < 1 or repeat < 1 or threads < 1 or min_repeat_ms < 0:
        raise UserError("number, repeat and threads are at least 1, and milliseconds at least 0")
    launcher = [] if launch is None else command_words(launch)
    manifest = check_runs_here(
        folder, Manifest.load(folder), threads, machine, part, launched=launch is not None
    )
    compiler: list[str] = []
    if launch is not None:
        target = manifest.first_machine
        if target is not None and not target.has_system:
            raise UserError(f"bundle '{folder}' is for a machine without a clock to read")
        compiler = [*cross_compiler(target).values()]
    program = build_program(folder, manifest, {}, "evaluate", compiler).resolve()
    weights = manifest.weights_path(folder)
    path = "" if weights is None else str(weights.resolve())
    others = _OTHER_BYTES if flush_caches else 0

    def repeats(count: int) -> list[float]:
        numbers = (count, threads, flush_option(flush_subnormals), number, others)
        lines = run([*launcher, str(program), path, *map(str, numbers)]).splitlines()[1:]
        if len(lines) != count:
            raise ToolchainError(f"'{launcher[0]}' has started no program that printed its times")
        return [float(line.split()[1]) for line in lines]

    while min_repeat_ms and (least := min(repeats(1))) * 1e3 < min_repeat_ms:
        number = max(number + 1, ceil(number * min_repeat_ms * 1e-3 / least * _GROWTH))
    return Evaluation(tuple(seconds / number for seconds in repeats(repeat)), number)
