"""Options of the commands of ``autodeploy``: their kinds, and those that several commands have.

Parsers of values raise ``UsageError``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import typer

from autodeploy.diagnostics import UserError
from autodeploy.tools.usage import UsageError


def flag(name: str, help: str) -> Any:
    """Return an option without a value."""
    return typer.Option(name, help=help)


def text(metavar: str, help: str, *names: str, show_default: bool = False) -> Any:
    """Return an option whose value the command reads; without ``names``, that of its parameter."""
    return typer.Option(*names, metavar=metavar, help=help, show_default=show_default)


def path(metavar: str, help: str, *names: str) -> Any:
    """Return an option for a file or folder, which the command opens."""
    return typer.Option(*names, metavar=metavar, readable=False, help=help)


def output(metavar: str, help: str) -> Any:
    """Return the option for the file or folder that a command writes."""
    return path(metavar, help, "-o", "--output")


def argument(metavar: str, help: str) -> Any:
    """Return an argument, a file or folder."""
    return typer.Argument(metavar=metavar, readable=False, help=help)


def count(name: str, help: str, *, least: int = 1, metavar: str = "N") -> Any:
    """Return an option for a number of at least ``least``."""
    return typer.Option(name, metavar=metavar, parser=number(name, least), help=help)


def level(help: str, least: int = 0) -> Any:
    """Return the option for the level of a compilation."""
    return typer.Option("-O", metavar="LEVEL", parser=number("-O", least, 3), help=help)


def choice(name: str, kinds: type[StrEnum], help: str) -> Any:
    """Return an option for one of some words."""

    def parse(text: str) -> StrEnum:
        try:
            return kinds(text)
        except ValueError:
            expected = " or ".join(f"'{kind}'" for kind in kinds)
            raise UsageError(f"option '{name}' takes {expected}, found '{text}'") from None

    return typer.Option(name, metavar="|".join(kinds), parser=parse, help=help)


def size(name: str, help: str) -> Any:
    """Return an option for bytes, such as 256K."""

    def parse(text: str | int) -> int:
        from autodeploy.machine.settings import read_size

        try:
            return read_size(f"option '{name}'", str(text))
        except UserError as error:
            raise UsageError(str(error)) from None

    return typer.Option(name, metavar="BYTES", parser=parse, help=help)


def number(name: str, least: int, most: int | None = None) -> Callable[[str | int], int]:
    """Return a parser of the numbers that an option takes."""
    expected = f"from {least} to {most}" if most is not None else f"of at least {least}"

    def parse(text: str | int) -> int:
        value = int(text) if re.fullmatch(r"[0-9]{1,18}", str(text)) else -1
        if value < least or (most is not None and value > most):
            raise UsageError(f"option '{name}' takes a number {expected}, found '{text}'")
        return value

    return parse


MODEL = argument("MODEL", "the model: ONNX, tmfile")
BUNDLE = argument("BUNDLE", "folder of the bundle")
POOL = text(
    "NAME=BYTES,…", "memories that share the arena, the fastest first, such as dtcm=128K,sram=512K"
)
DYNAMIC = text(
    "NAME=1..32[:STEP]",
    "extent that stays open, and its range: the program is given the number for each run; a "
    "name of the model, or INPUT:AXIS; several names of one number with commas between them; "
    "parts that have a program each with commas between them, NAME=1,2..32; or an extent that "
    "follows from others, NAME=OTHER+1; repeatable",
)
STATE = text(
    "OUTPUT=INPUT",
    "output that is an input of the next run: the program keeps it, and takes and returns "
    "neither; auto alone finds them by the names that exporters use; repeatable",
)
LAST = text(
    "OUTPUT:AXIS",
    "output of which only the last element along an axis is computed, such as logits:1; repeatable",
)
PRECISION = text(
    "PRECISION",
    "types of floats: model rounds after each operator as ONNX does, f32 computes 16-bit "
    "floats in 32 bits, bf16 multiplies bfloat16s and sums in 32 bits, rows=s8 rounds rows that "
    "packed weights are multiplied with, weights=f16, weights=bf16 and weights=s8 store weights in "
    "fewer bits, products=tf32, products=f16 and products=bf16 round factors for the tensor cores "
    "of a device; default: f32 at -O3 (rows=s8 if the model states accuracy_level 4), "
    "model below",
)
THREADS = count("--threads", "threads that may compute")
FLUSH_SUBNORMALS: Any = typer.Option(
    "--flush-subnormals/--keep-subnormals",
    help="take subnormal numbers for zero, or do not; default: as compiled",
    show_default=False,
)
MACHINE = text(
    "MACHINE",
    "of a bundle for several machines, the one whose program runs; default: the best that "
    "this processor can run",
)
PART = text(
    "PART",
    "of a bundle whose open extents have parts, such as 'batch=2..32', the one whose program "
    "runs, with its largest numbers; default: that of the largest numbers",
)
LAUNCH = text(
    "COMMAND",
    "command that starts the program of a bundle for another machine, such as 'qemu-aarch64 "
    "-L /usr/aarch64-linux-gnu', or ssh to one that sees the same files",
)
JSON = flag("--json", "print the same as JSON, for other programs")
