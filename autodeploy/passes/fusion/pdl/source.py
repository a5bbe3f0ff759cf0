"""PDL text to ``pdl.pattern`` ops, with the lines that error messages name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import (
    DiagnosticException,
    ParseError,
    UnregisteredConstructException,
    VerifyException,
)

from autodeploy.diagnostics import UserError, did_you_mean
from autodeploy.dialects.mlir_text import TextParser


class PatternError(UserError):
    """A pattern file is malformed, or one of its patterns did something that is not allowed."""


Fail: TypeAlias = Callable[[str], PatternError]
"""The function that makes an error with file, line and pattern from a message."""


@dataclass(frozen=True, eq=False)
class PatternSource:
    """One parsed ``pdl.pattern`` and its place."""

    op: pdl.PatternOp
    places: Mapping[Operation, str] = field(repr=False)
    """The place of each pdl op, as messages begin: ``file:line``, in PDLL with the column."""

    @property
    def name(self) -> str:
        """Return the symbol of the pattern, or its line where it has none."""
        name = self.op.sym_name
        return f"@{name.data}" if name is not None else f"of line {self.line}"

    @property
    def line(self) -> str:
        """Return the line on which the pattern begins."""
        found = re.search(r":(\d+)(?::\d+)?$", self.places[self.op])
        assert found is not None
        return found[1]

    def error(self, message: str, at: Operation | None = None) -> PatternError:
        """Return an error that names file, line and pattern; ``at`` is the pdl op to blame."""
        return self.error_at(self.places[self.op if at is None else at], message)

    def error_at(self, place: str, message: str) -> PatternError:
        """Return an error that names a place and the pattern."""
        return PatternError(f"{place}: pattern {self.name}: {message}")

    def fail_at(self, at: Operation) -> Fail:
        """Return ``error`` with the pdl op to blame already given."""
        return lambda message: self.error(message, at)

    def unknown(
        self, what: str, name: str, candidates: Iterable[str], at: Operation
    ) -> PatternError:
        """Return the error for a name that does not exist, with the closest one that does."""
        return self.error(f"unknown {what} '{name}'{did_you_mean(name, candidates)}", at)


def value_name(value: SSAValue) -> str:
    """Return how a pdl value is written, as far as its name was kept."""
    if value.name_hint:
        return f"'%{value.name_hint}'"
    assert isinstance(value.owner, Operation)
    return f"the result of {value.owner.name}"


def read_text(path: Path) -> str:
    """Return the text of a pattern file; raises ``PatternError`` if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PatternError(f"pattern file '{path}' does not exist") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PatternError(f"pattern file '{path}' cannot be read: {error}") from None


def read_patterns(ctx: Context, path: Path) -> list[PatternSource]:
    """Parse a file of PDL text; raises ``PatternError`` if it is missing or malformed."""
    return parse_patterns(ctx, read_text(path), str(path))


def parse_patterns(ctx: Context, text: str, file: str) -> list[PatternSource]:
    """Parse PDL text: one or more ``pdl.pattern``, within a module or not.

    Raises ``PatternError`` for text that does not parse or verify, holds other ops, or no pattern.
    """
    if ctx.get_optional_dialect("pdl") is None:
        ctx = ctx.clone()
        ctx.load_dialect(pdl.PDL)
    if not text.strip():
        raise PatternError(f"{file}: expected at least one pdl.pattern, found an empty text")
    try:
        parser = _LineParser(ctx, text, file)
    except ParseError as error:
        raise PatternError(_parse_message(error, text, file, 1)) from None
    try:
        module = parser.parse_module()
    except ParseError as error:
        raise PatternError(_parse_message(error, text, file, parser.op_line)) from None
    except (DiagnosticException, UnregisteredConstructException) as error:
        raise PatternError(f"{file}:{parser.op_line}: {error}") from None
    places = {op: f"{file}:{line}" for op, line in parser.lines.items()}
    sources = [PatternSource(op, places) for op in _patterns_of(module, file, parser.lines)]
    if not sources:
        raise PatternError(f"{file}: expected at least one pdl.pattern, found none")
    for source in sources:
        verify_source(source)
    return sources


def _parse_message(error: ParseError, text: str, file: str, op_line: int) -> str:
    message = error.msg.strip().rstrip("!.")
    line = error.span.get_location().line
    # The parser notices these two only further down.
    undefined = re.match(r"values used but not defined: \[(%[\w.$-]+)", message)
    if undefined is not None:
        use = re.search(re.escape(undefined[1]) + r"(?![\w.$-])", text)
        line = text.count("\n", 0, use.start()) + 1 if use else line
    elif message.endswith("is not registered"):
        line = op_line
    return f"{file}:{line}: {message[:1].lower()}{message[1:]}"


def _patterns_of(
    module: ModuleOp, file: str, lines: dict[Operation, int]
) -> Iterable[pdl.PatternOp]:
    for op in module.ops:
        match op:
            case pdl.PatternOp():
                yield op
            case ModuleOp():
                yield from _patterns_of(op, file, lines)
            case _:
                raise PatternError(f"{file}:{lines[op]}: expected pdl.pattern, found {op.name}")


def verify_source(source: PatternSource) -> None:
    """Raise ``PatternError`` if the pdl ops of a pattern are not valid."""
    # Nested ops first: xDSL checks some ops only in the verifier of their pattern.
    for op in [*source.op.body.walk(), source.op]:
        try:
            op.verify(verify_nested_ops=False)
        except VerifyException as error:
            raise source.error(f"{op.name}: {error}", op) from None
        if isinstance(op, pdl.ResultOp | pdl.ResultsOp) and op.index is not None:
            index = op.index.value.data
            if index < 0:
                raise source.error(f"{op.name}: expected an index from 0 on, found {index}", op)


class _LineParser(TextParser):
    """xDSL's parser; remembers the line on which each op starts."""

    def __init__(self, ctx: Context, text: str, file: str):
        super().__init__(ctx, text, file)
        self._text = text
        self.lines: dict[Operation, int] = {}
        self.op_line = 1
        """The line of the op that was last begun."""

    def parse_operation(self) -> Operation:
        """Parse an op and note its line."""
        self.op_line = line = self._text.count("\n", 0, self.pos) + 1
        op = super().parse_operation()
        self.lines[op] = line
        return op
