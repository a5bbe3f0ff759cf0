"""Mistakes of the command line, in one line each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, TypeVar

import typer
from typer import TyperException

from autodeploy.diagnostics import UserError, did_you_mean

_E = TypeVar("_E", bound=StrEnum)


MODEL: Any = typer.Argument(metavar="MODEL", readable=False, help="the model: ONNX, tmfile")
POOL: Any = typer.Option(
    metavar="NAME=BYTES,…",
    help="memories that share the arena, the fastest first, such as dtcm=128K,sram=512K",
    show_default=False,
)
DYNAMIC: Any = typer.Option(
    metavar="NAME=1..32[:STEP]",
    help="extent that stays open, and its range: the program is given the number for each run; a "
    "name of the model, or INPUT:AXIS; several names of one number with commas between them; "
    "parts that have a program each with commas between them, NAME=1,2..32; or an extent that "
    "follows from others, NAME=OTHER+1; repeatable",
)
STATE: Any = typer.Option(
    metavar="OUTPUT=INPUT",
    help="output that is an input of the next run: the program keeps it, and takes and returns "
    "neither; auto alone finds them by the names that exporters use; repeatable",
)
LAST: Any = typer.Option(
    metavar="OUTPUT:AXIS",
    help="output of which only the last element along an axis is computed, such as logits:1; "
    "repeatable",
)
PRECISION: Any = typer.Option(
    metavar="PRECISION",
    help="types of floats: model rounds after each operator as ONNX does, f32 computes 16-bit "
    "floats in 32 bits, bf16 multiplies bfloat16s and sums in 32 bits, rows=s8 rounds rows that "
    "packed weights are multiplied with, weights=f16, weights=bf16 and weights=s8 store weights in "
    "fewer bits, products=tf32, products=f16 and products=bf16 round factors for the tensor cores "
    "of a device; default: f32 at -O3 (rows=s8 if the model states accuracy_level 4), "
    "model below",
    show_default=False,
)
"""The common options of the commands that read a model."""

JSON: Any = typer.Option("--json", help="print the same as JSON, for other programs")


class UsageError(UserError):
    """The command line is wrong, whatever the files are that it names."""


def number(option: str, least: int, most: int | None = None) -> Callable[[str | int], int]:
    """Return a parser of the numbers that an option takes; it raises ``UsageError``."""
    expected = f"from {least} to {most}" if most is not None else f"of at least {least}"

    def parse(text: str | int) -> int:
        value = int(text) if re.fullmatch(r"[0-9]{1,18}", str(text)) else -1
        if value < least or (most is not None and value > most):
            raise UsageError(f"option '{option}' takes a number {expected}, found '{text}'")
        return value

    return parse


def size(option: str) -> Callable[[str | int], int]:
    """Return a parser of the bytes that an option takes, such as 256K; it raises ``UsageError``."""

    def parse(text: str | int) -> int:
        from autodeploy.machine.settings import read_size

        try:
            return read_size(f"option '{option}'", str(text))
        except UserError as error:
            raise UsageError(str(error)) from None

    return parse


def one_of(option: str, kinds: type[_E]) -> Callable[[str], _E]:
    """Return a parser of the words that an option takes; it raises ``UsageError``."""

    def parse(text: str) -> _E:
        try:
            return kinds(text)
        except ValueError:
            expected = " or ".join(f"'{kind}'" for kind in kinds)
            raise UsageError(f"option '{option}' takes {expected}, found '{text}'") from None

    return parse


def usage_text(error: TyperException) -> str:
    """Return what typer found wrong in the words of this tool, with where to read on."""
    details: Any = error  # whose classes are private
    context: Any = getattr(details, "ctx", None)
    text = _described(details, error.format_message(), context)
    return f"{text}; see '{context.command_path} --help'" if context is not None else text


def _described(error: Any, message: str, context: Any) -> str:
    parameter = getattr(error, "param", None)
    if parameter is not None and not error.message:
        if parameter.param_type_name == "argument":
            return f"the argument {parameter.metavar} is missing"
        return f"option '{parameter.opts[0]}' is missing"
    if (option := getattr(error, "option_name", None)) is not None:
        if "not take" in message:
            return f"option '{option}' takes no value"
        if not hasattr(error, "possibilities"):
            return f"option '{option}' takes a value"
        return f"unknown option '{option}'{did_you_mean(option, _options(context))}"
    if match := re.match(r"No such command '(.*)'", message, re.DOTALL):
        name = match[1].partition("'")[0]
        commands: list[str] = list(context.command.commands)
        return f"unknown command '{name}'{did_you_mean(name, commands)}"
    if match := re.match(r"Got unexpected extra argument.*? \((.*)\)", message, re.DOTALL):
        return f"more arguments than it takes: '{match[1]}'"
    if message.startswith("Missing command"):
        return "a command is missing"
    return message[:1].lower() + message[1:].rstrip(".")


def _options(context: Any) -> Iterable[str]:
    parameters = context.command.params if context is not None else ()
    return [name for parameter in parameters for name in parameter.opts]
