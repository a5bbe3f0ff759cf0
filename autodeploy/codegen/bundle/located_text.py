"""The text of a module with the locations of those ops that have one."""

from __future__ import annotations

from io import StringIO

from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Operation
from xdsl.printer import Printer


class _LocatedPrinter(Printer):
    """A printer that leaves out what says only that a location is unknown."""

    def print_op(self, op: Operation) -> None:
        outer = self.print_debuginfo
        self.print_debuginfo = not isinstance(op.location, UnknownLoc)
        super().print_op(op)
        self.print_debuginfo = outer


def located_text(module: ModuleOp) -> str:
    """Return the text of a module; it reads back with its locations, the names of ONNX nodes."""
    text = StringIO()
    _LocatedPrinter(text).print_op(module)
    return text.getvalue() + "\n"
