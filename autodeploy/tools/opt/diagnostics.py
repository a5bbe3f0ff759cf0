"""Errors and their places, as the user reads them.

``file:line:column: error: message``, the line and a caret where the place in the text is known;
``autodeploy-opt: error: message`` in one line where it is not. The operation that did not verify,
or on which a pass failed, is named with the ONNX node that it came from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.utils.exceptions import DiagnosticException, ParseError

from autodeploy.diagnostics import did_you_mean, visible
from autodeploy.dialects.locations import node_text
from autodeploy.frontend.text_places import Place, SourceMap, operation_of
from autodeploy.tools.opt.pipeline import PassError

TOOL = "autodeploy-opt"


@dataclass(frozen=True)
class Report:
    """An error of the user's input."""

    message: str
    place: Place | None = None

    def __str__(self) -> str:
        if self.place is None:
            return visible(f"{TOOL}: error: {self.message}", "\n")
        place = self.place
        before, line = (visible(t, "\t") for t in (place.text[: place.column - 1], place.text))
        indent = "".join("\t" if c == "\t" else " " for c in before)
        message = visible(self.message, "\n")
        return f"{visible(str(place))}: error: {message}\n{line}\n{indent}{'^' * place.width}"


def report_of(
    error: ParseError | DiagnosticException | PassError, source: SourceMap, ctx: Context
) -> Report:
    """Return an error as its report."""
    if isinstance(error, ParseError):
        return _parse_report(error, source, ctx)
    cause = error.cause if isinstance(error, PassError) else error
    message = str(cause)
    op = operation_of(cause)
    if op is not None and not message.startswith(f"'{op.name}' op"):
        message = f"'{op.name}' op{node_text(op)} {message}"
    if isinstance(error, PassError):
        first, newline, rest = message.partition("\n")
        message = f"{first} ({error.when}){newline}{rest}"
    return Report(message, source.place(op))


def _parse_report(error: ParseError, source: SourceMap, ctx: Context) -> Report:
    message, place = error.msg.rstrip(), Place.of(error.span)
    match = re.fullmatch(r"(dialect|Operation)? ?'?([\w.$]+)'? is not registered", message)
    if match is None:
        return Report(message, place)
    # The parser complains when it is past the name, maybe lines below the operation.
    for line in (place, source.place(None)):
        start = -1 if line is None else line.text.find(match[2])
        if line is not None and start >= 0:
            place = replace(line, column=start + 1, width=len(match[2]))
            break
    return Report(message + _candidates(match[2], match[1] == "dialect", ctx), place)


def _candidates(name: str, is_dialect: bool, ctx: Context) -> str:
    dialect, dot, _ = name.partition(".")
    if not dot and not is_dialect:
        return ""
    if not dot or ctx.get_optional_dialect(dialect) is None:
        return did_you_mean(dialect, ctx.registered_dialect_names)
    definitions = (*ctx.loaded_ops, *ctx.loaded_attrs, *ctx.loaded_types)
    return did_you_mean(name, [d.name for d in definitions if d.name.startswith(f"{dialect}.")])
