"""Which kernels the device of a machine can run."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.contraction import ContractionOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.scan import ScanOp
from autodeploy.dialects.nn.types import bounds_of, element_of
from autodeploy.machine import Machine
from autodeploy.machine.devices import DEVICES


def obstacle(kernel: KernelOp, machine: Machine) -> str | None:
    """Return why a kernel cannot run on the device of a machine, ``None`` if it can."""
    if not machine.device:
        return f"machine '{machine.name}' has no device"
    device = DEVICES[machine.device]
    parent = kernel.parent_op()
    if parent is not None and parent.name in ("nn.for", "nn.if"):
        return "it is in a loop or a choice"
    if len(kernel.anchors) > 1:
        return "it has several anchors"
    for element in dict.fromkeys(_elements(kernel)):
        if element not in device.elements:
            return f"the device has no {element}"
    for op in kernel.body_ops:
        if op.name in device.inexact:
            return f"the device computes {op.name} with fewer digits than floats have"
    buffers = (*kernel.inputs, *kernel.outputs)
    for element in (str(element_of(value.type)) for value in buffers):
        if element in device.not_in_memory:
            return f"the memory of the device has no {element}"
    if len(buffers) > device.buffers:
        return f"it has {len(buffers)} operands, a kernel of the device at most {device.buffers}"
    if not all(prod(bounds_of(value.type)) for value in buffers):
        return "it has no elements"
    if any(isinstance(op, ScanOp) for op in kernel.body_ops):
        return "a scan has one step after another"
    return None


def _elements(kernel: KernelOp) -> Iterator[str]:
    """Yield the element types of all values of a kernel, and of sums that it keeps."""
    yield from (str(element_of(value.type)) for value in _values(kernel))
    for op in kernel.body_ops:
        if isinstance(op, ContractionOp):
            yield str(op.sum_element)


def _values(kernel: KernelOp) -> Iterator[SSAValue]:
    """Yield all values of a kernel."""
    yield from kernel.inputs
    for op in kernel.body_ops:
        yield from op.results
