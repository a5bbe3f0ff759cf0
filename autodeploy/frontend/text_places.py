"""Parsing that records the place of each operation in the text, for errors and locations."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.utils.lexer import Span

from autodeploy.dialects.mlir_text import TextParser


@dataclass(frozen=True)
class Place:
    """A place in a text: one-based line and column, the line itself, and how much is meant."""

    file: str
    line: int
    column: int
    text: str
    width: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @staticmethod
    def of(span: Span[str] | Span[bytes]) -> Place:
        """Return the place of the first line of a span."""
        file, line, column = span.get_location()
        start = span.start - (column - 1)
        content = span.input.content[start : span.input.get_end_of_line(span.start)]
        before = span.input.content[start : span.start]
        if isinstance(content, bytes):
            content = content.decode("utf-8", "replace")
        if isinstance(before, bytes):
            before = before.decode("utf-8", "replace")
        text = content.removesuffix("\r")
        width = max(min(len(span), len(text) - len(before)), 1)
        return Place(file, line, len(before) + 1, text, width)


@dataclass
class SourceMap:
    """The places of the operations of one text; empty for IR from elsewhere."""

    spans: dict[Operation, Span[str] | Span[bytes]] = field(
        default_factory=dict[Operation, "Span[str] | Span[bytes]"]
    )
    parsing: Span[str] | Span[bytes] | None = None
    """The operation that is being parsed, for errors that carry no place of their own."""

    def place(self, op: Operation | None) -> Place | None:
        """Return the place of an operation in the text, if it came from there."""
        span = self.parsing if op is None else self.spans.get(op)
        return None if span is None else Place.of(span)


class LocatingParser(TextParser):
    """A parser that fills a source map.

    With ``locations``, an operation without a location is given its place in the text.
    """

    def __init__(
        self, ctx: Context, text: bytes, name: str, source: SourceMap, locations: bool = False
    ):
        super().__init__(ctx, text, name)
        self.source = source
        self._locations = locations

    def parse_operation(self) -> Operation:
        """Parse an operation and note where it starts."""
        outer = self.source.parsing
        start = self.pos
        span = Span(start, start + 1, self.lexer.input)
        self.source.parsing = span
        op = super().parse_operation()
        # Left as it is when parsing fails: then it names the innermost operation.
        self.source.parsing = outer
        self.source.spans[op] = span
        if self._locations and isinstance(op.location, UnknownLoc):
            place = Place.of(span)
            op.location = FileLineColLoc(
                StringAttr(place.file), IntAttr(place.line), IntAttr(place.column)
            )
        return op


def operation_of(error: BaseException) -> Operation | None:
    """Return the operation that an error was raised on.

    xDSL hands it to ``emit_error`` and ``verify`` but does not keep it in the exception, so it is
    looked up in the traceback, where the last such call is the innermost.
    """
    reporters = (Operation.emit_error.__code__, Operation.verify.__code__)
    found: Operation | None = None
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code in reporters:
            found = traceback.tb_frame.f_locals["self"]
        traceback = traceback.tb_next
    return found
