"""Mistakes of the command line, in one line each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from typer import TyperException

from autodeploy.diagnostics import UserError, did_you_mean


class UsageError(UserError):
    """The command line is wrong, whatever the files are that it names."""


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
