"""The text of a module with the locations of those ops that have one."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import Any

from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Operation, Region
from xdsl.printer import Printer


class _LocatedPrinter(Printer):
    """A printer that leaves out what says only that a location is unknown.

    It has the texts of some regions.
    """

    def __init__(self, stream: StringIO, texts: Mapping[Region, str]):
        super().__init__(stream)
        self._texts = texts

    def print_region(self, region: Region, *args: Any, **options: Any) -> None:
        if (text := self._texts.get(region)) is None:
            super().print_region(region, *args, **options)
        else:
            self.print_string(text)

    def print_op(self, op: Operation) -> None:
        outer = self.print_debuginfo
        self.print_debuginfo = not isinstance(op.location, UnknownLoc)
        super().print_op(op)
        self.print_debuginfo = outer


def located_text(module: ModuleOp, texts: Mapping[Region, str]) -> str:
    """Return the text of a module; it reads back with its locations, the names of ONNX nodes.

    ``texts`` are those of regions without locations, as in a text that begins with their parent.
    """
    text = StringIO()
    _LocatedPrinter(text, texts).print_op(module)
    return text.getvalue() + "\n"
