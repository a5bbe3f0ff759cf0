"""Chains of kernels, each reading what the one before makes, that become one in bands of rows."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.base import i64_array
from autodeploy.dialects.nn.kernel import Algorithm, AlgorithmAttr, KernelOp
from autodeploy.passes.fusion.kernels import form_kernel


def sole_producer(kernel: KernelOp) -> KernelOp | None:
    """Return the kernel whose only result is read by nothing but the anchor of another one.

    The anchor is the only one of its kernel, and reads the result as its first operand.
    """
    anchor = kernel.anchor
    if anchor is None or len(kernel.anchors) > 1:
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
    ):
        return None
    return producer


def merge_chain(kernels: Sequence[KernelOp], algorithm: Algorithm, rows: Sequence[int]) -> None:
    """Make one kernel of several, where the last one stands, with ``rows`` to a band of each."""
    merged = form_kernel(kernels)
    merged.algorithm = AlgorithmAttr(algorithm)
    merged.properties["band_rows"] = i64_array(rows)
    Rewriter.replace_op(kernels[-1], merged)
    for kernel in reversed(kernels[:-1]):
        Rewriter.erase_op(kernel)
