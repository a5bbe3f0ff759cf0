"""The passes that a command line asks for, in its order.

``--a --b="x=1 y=2,3" -p c,d{z=4}`` asks for a, b with two options, c, d with one. The text after
``--<pass>=`` is MLIR's option text, ``key=value key=v1,v2``, with or without braces around it;
``-p`` takes a comma-separated list of passes with their options in braces, and
``--pass-pipeline`` the same within ``builtin.module(…)``. A value is a word or a
``"quoted text"``; what type it has is the pass's to say, so values stay text here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from autodeploy.diagnostics import UserError

_PIECE = re.compile(r'"(?:\\.|[^"\\])*"|[\[{(]|[\]})]|[^"\[\]{}()]', re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t"}


@dataclass(frozen=True)
class PassRequest:
    """A pass by name, with the text of its options: each key's comma-separated values."""

    name: str
    options: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


def with_two_dashes(argv: Sequence[str], names: Collection[str]) -> list[str]:
    """Return the arguments with two dashes where MLIR's tools take one as well: ``-cse``.

    ``names`` are the long options and passes, with their dashes.
    """
    end = argv.index("--") if "--" in argv else len(argv)
    return [
        f"-{text}" if f"-{text.partition('=')[0]}" in names else text for text in argv[:end]
    ] + list(argv[end:])


def split_pass_flags(
    argv: Sequence[str], passes: Collection[str]
) -> tuple[list[PassRequest], list[str]]:
    """Return the passes that ``argv`` asks for, in its order, and the arguments that are left.

    Raises ``UserError`` if the text of options or of a pipeline is malformed.
    """
    requests: list[PassRequest] = []
    rest: list[str] = []
    arguments = iter(argv)
    for argument in arguments:
        name, equals, value = argument.removeprefix("--").partition("=")
        if argument == "--":
            rest += [argument, *arguments]
        elif argument in ("-p", "--passes"):
            pipeline = next(arguments, None)
            if pipeline is None:
                raise UserError(f"option '{argument}' takes a comma-separated list of passes")
            requests += parse_pipeline(pipeline)
        elif argument.startswith("--passes="):
            requests += parse_pipeline(value)
        elif name == "pass-pipeline":
            requests += parse_anchored(value if equals else next(arguments, ""))
        elif argument.startswith("-p") and not argument.startswith("--"):
            requests += parse_pipeline(argument[2:].removeprefix("="))
        elif argument.startswith("--") and name in passes:
            requests.append(PassRequest(name, parse_options(value) if equals else {}))
        else:
            rest.append(argument)
    return requests, rest


def parse_pipeline(text: str) -> list[PassRequest]:
    """Read ``a,b{k=v}``; raises ``UserError`` if it is malformed."""
    requests: list[PassRequest] = []
    for element in _split(text, ","):
        match = re.fullmatch(r"\s*([\w-]+)\s*(\{.*\})?\s*", element, re.DOTALL)
        if match is None:
            raise UserError(
                f"malformed pipeline '{text}': expected a pass name, then its options in braces "
                f"or nothing, found '{element.strip()}'"
            )
        requests.append(PassRequest(match[1], parse_options(match[2] or "")))
    return requests


def parse_anchored(text: str) -> list[PassRequest]:
    """Read ``builtin.module(a,b{k=v})``; raises ``UserError`` if it is malformed."""
    match = re.fullmatch(r"\s*(?:builtin\.module|any)\s*\((.*)\)\s*", text, re.DOTALL)
    if match is None:
        raise UserError(
            f"malformed pipeline '{text}': expected 'builtin.module(…)' with passes in it, which "
            "all run on the module"
        )
    return parse_pipeline(match[1])


def parse_options(text: str) -> dict[str, tuple[str, ...]]:
    """Read ``key=value key=v1,v2 key``, maybe in braces; raises ``UserError`` if malformed."""
    inner = text.strip()
    if inner.startswith("{") and inner.endswith("}"):
        inner = inner[1:-1]
    options: dict[str, tuple[str, ...]] = {}
    for option in _split(inner, " \t\n"):
        key, equals, value = option.partition("=")
        if not re.fullmatch(r"[A-Za-z_][\w-]*", key):
            raise UserError(f"malformed options '{text}': expected 'key=value', found '{option}'")
        name = key.replace("-", "_")
        if name in options:
            raise UserError(f"malformed options '{text}': '{key}' is given twice")
        options[name] = tuple(_split(value, ",", keep_empty=True)) if equals else ()
    return options


def unquote(value: str) -> str | None:
    """Return the text within a quoted value, ``None`` for a bare word."""
    if len(value) < 2 or value[0] != '"' or value[-1] != '"':
        return None
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), value[1:-1], flags=re.DOTALL)


def _split(text: str, separators: str, keep_empty: bool = False) -> list[str]:
    """Split at any of the separators outside quotes and brackets."""
    pieces = [""]
    depth = end = 0
    for match in _PIECE.finditer(text):
        if match.start() != end:
            break
        end = match.end()
        piece = match[0]
        if piece in separators and depth == 0:
            pieces.append("")
            continue
        depth += (piece in "[{(") - (piece in "]})")
        if depth < 0:
            break
        pieces[-1] += piece
    if end != len(text) or depth != 0:
        what = "quote" if end != len(text) and text[end] == '"' else "bracket"
        raise UserError(f"unbalanced {what} in '{text}'")
    return [piece for piece in pieces if piece or keep_empty]
