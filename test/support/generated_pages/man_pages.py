"""The man pages of the two tools, made from their parsers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import typer

from autodeploy.cache.entries import VARIABLE
from autodeploy.pipelines import VERIFY_VARIABLE
from autodeploy.tools.cli_main import app
from autodeploy.tools.opt.arguments import (
    DESCRIPTION,
    SUMMARY,
    USAGE,
    OptArgumentParser,
    add_arguments,
)


class Option(NamedTuple):
    """An option or argument as people write it, and its help."""

    spelling: str
    help: str


_STATUSES = {
    "autodeploy": (
        Option("0", "done"),
        Option("1", "an input is wrong; nothing was written"),
        Option("2", "the command line is wrong"),
        Option("130", "the user interrupted it"),
    ),
    "autodeploy-opt": (
        Option("0", "done"),
        Option("1", "an input, an option or a pass is wrong"),
        Option("130", "the user interrupted it"),
    ),
}

_VARIABLES = (
    Option(VARIABLE, "folder of compiled kernels and expanded fusion rules"),
    Option(VERIFY_VARIABLE, "if it is not empty, verify the IR after every stage of a compilation"),
)


def man_pages() -> Mapping[str, str]:
    """Return the pages by their file names."""
    return {"autodeploy.1": _page_of_commands(), "autodeploy-opt.1": _page_of_passes()}


def _page_of_commands() -> str:
    # Typer does not export the types of its commands.
    group: Any = typer.main.get_command(app)
    lines = ["autodeploy COMMAND [OPTION]... [ARGUMENT]...", "autodeploy help COMMAND"]
    return _page(
        "autodeploy",
        str(group.help)[0].lower() + str(group.help)[1:].rstrip("."),
        lines,
        [*_section("COMMANDS", ()), *_commands(group, "autodeploy")],
        "autodeploy\\-opt(1)",
    )


def _commands(group: Any, prefix: str) -> Iterator[str]:
    for name, command in group.commands.items():
        words = f"{prefix} {name}"
        if hasattr(command, "commands"):
            yield from _commands(command, words)
            continue
        given = [p for p in command.params if p.param_type_name == "argument"]
        arguments = [p.metavar or p.name.upper() for p in given]
        shown = [a if p.required else f"[{a}]" for p, a in zip(given, arguments, strict=True)]
        yield f".SS {_quoted(' '.join([words, *shown]))}"
        yield _text(str(command.help))
        named = [Option(a, p.help or "") for p, a in zip(given, arguments, strict=True)]
        options = [p for p in command.params if p.param_type_name == "option" and not p.hidden]
        named += [Option(_spelling(p), p.help or "") for p in options]
        yield from _list(named)


def _spelling(option: Any) -> str:
    names = ", ".join([*option.opts, *option.secondary_opts])
    return names if option.is_flag else f"{names} {option.metavar or option.name.upper()}"


def _page_of_passes() -> str:
    parser = OptArgumentParser(str)
    add_arguments(parser, (), ())
    return _page(
        "autodeploy-opt",
        SUMMARY,
        [USAGE],
        [
            ".SH DESCRIPTION",
            _text(DESCRIPTION),
            _text("\n\nThe option --list-passes lists all passes."),
            *_section("OPTIONS", _options(parser)),
        ],
        "autodeploy(1), mlir\\-opt(1)",
    )


def _options(parser: OptArgumentParser) -> Iterator[Option]:
    """Yield the options and arguments of a parser."""
    for action in parser._actions:
        value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
        names = ", ".join(action.option_strings) or value
        takes = bool(action.option_strings) and action.nargs != 0
        yield Option(f"{names} {value}" if takes else names, action.help or "")


def _page(name: str, summary: str, usage: Iterable[str], body: Iterable[str], others: str) -> str:
    synopsis = [part for line in usage for part in (_escaped(line), ".br")][:-1]
    return "\n".join(
        [
            '.\\" Made from the parsers by `make docs`.',
            f".TH {_quoted(name.upper())} 1",
            ".SH NAME",
            f"{_escaped(name)} \\- {_escaped(summary)}",
            ".SH SYNOPSIS",
            *synopsis,
            *body,
            *_section("EXIT STATUS", _STATUSES[name]),
            *_section("ENVIRONMENT", _VARIABLES),
            ".SH SEE ALSO",
            others,
            "",
        ]
    )


def _section(title: str, options: Iterable[Option]) -> Iterator[str]:
    yield f".SH {title}"
    yield from _list(options)


def _list(options: Iterable[Option]) -> Iterator[str]:
    for option in options:
        yield from (".TP", f".B {_escaped(option.spelling)}", _text(option.help))


def _text(text: str) -> str:
    """Return running text, a paragraph a line."""
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return "\n.PP\n".join(_escaped(part) for part in paragraphs if part)


def _escaped(text: str) -> str:
    """Return text that has no requests and no escapes of roff."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    plain = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in plain)
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'
