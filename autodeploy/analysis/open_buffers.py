"""How the axes of the buffers of a kernel grow."""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.nn.extent_attr import Axes, axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp


def open_buffers(kernel: KernelOp) -> Sequence[Axes]:
    """Return the axes of the operands of a kernel, then of its results; none where none is open."""
    found = [axes_of_type(value.type) for value in (*kernel.inputs, *kernel.outputs)]
    return found if any(map(any, found)) else ()


def is_open(kernel: KernelOp) -> bool:
    """Return whether an operand or a result of a kernel has an open axis."""
    return bool(open_buffers(kernel))
