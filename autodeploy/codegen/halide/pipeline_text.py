"""The text of a pipeline, and of its body, which the text of the module repeats."""

from __future__ import annotations

from io import StringIO
from typing import Any

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Operation, Region
from xdsl.printer import Printer

from autodeploy.dialects.halide.pipeline import PipelineOp


class _BodyPrinter(Printer):
    """A printer that knows where in its text the outermost region is."""

    def __init__(self, text: StringIO):
        super().__init__(text)
        self.text, self.located = text, False
        self.begin = self.end = 0

    def print_region(self, region: Region, *args: Any, **options: Any) -> None:
        begin = self.text.tell()
        super().print_region(region, *args, **options)
        self.begin, self.end = begin, self.text.tell()

    def print_op(self, op: Operation) -> None:
        self.located |= not isinstance(op.location, UnknownLoc)
        super().print_op(op)


def pipeline_text(pipeline: PipelineOp) -> tuple[str, str | None]:
    """Return the text of a pipeline, and that of its body, ``None`` if ops have locations."""
    stream = StringIO()
    printer = _BodyPrinter(stream)
    printer.print_op(pipeline)
    text = stream.getvalue()
    return text, None if printer.located else text[printer.begin : printer.end]
