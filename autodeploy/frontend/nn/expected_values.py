"""The check that an input has the one value that a program is compiled for."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.nn.library import LibraryCallOp


def expect(given: SSAValue, expected: SSAValue) -> Operation:
    """Return an op that ends the run with an error where two tensors of one type differ."""
    return LibraryCallOp("expect", [given, expected], [], checks=True)
