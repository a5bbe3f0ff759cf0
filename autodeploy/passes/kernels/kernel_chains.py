"""Chains of kernels, each reading what the one before makes, that become one in bands of rows."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.passes.fusion.kernels import form_kernel


def sole_producer(kernel: KernelOp) -> KernelOp | None:
    """Return the kernel whose only result is read by nothing but the anchor of another one.

    The anchor is the only one of its kernel, and reads the result as its first operand. Kernels
    that have a config stay as they are.
    """
    anchor = kernel.anchor
    if anchor is None or len(kernel.anchors) > 1 or kernel.config is not None:
        return None
    read = anchor.operands[0]
    if not isinstance(read, BlockArgument) or not read.has_one_use():
        return None
    value = kernel.inputs[read.index]
    producer = value.owner
    if (
        not isinstance(producer, KernelOp)
        or len(producer.outputs) != 1
        or not value.has_one_use()
        or producer.parent is not kernel.parent
        or producer.config is not None
    ):
        return None
    return producer


def merge_chain(kernels: Sequence[KernelOp], template: str, rows: Sequence[int]) -> None:
    """Make one kernel of several, where the last one stands, with ``rows`` to a band of each."""
    merged = form_kernel(kernels)
    merged.config = ConfigAttr(template, {"bands": rows})
    Rewriter.replace_op(kernels[-1], merged)
    for kernel in reversed(kernels[:-1]):
        Rewriter.erase_op(kernel)
