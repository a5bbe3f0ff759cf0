"""The identity of a kernel, apart from its config: a digest of its text."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence

from xdsl.ir import Region
from xdsl.printer import Printer

from autodeploy.dialects.machine import DescriptionAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.machine import Machine

_DIGITS = 32


def signature(kernel: KernelOp) -> str:
    """Return a digest of a kernel that does not depend on its config, on names, or on weights.

    Two kernels share a digest where they compute the same from operands of the same types, and
    where the same operands are constants.
    """
    body = Region()
    kernel.body.clone_into(body, 0, {}, {}, clone_name_hints=False)
    text = io.StringIO()
    print(*(value.type for value in kernel.operands), file=text)
    print(*(isinstance(value.owner, ConstantOp) for value in kernel.operands), file=text)
    Printer(text).print_region(body)
    return hashlib.sha256(text.getvalue().encode()).hexdigest()[:_DIGITS]


def merge_signature(kernels: Sequence[KernelOp]) -> str:
    """Return a digest of kernels that may become one; each reads the result of the one before."""
    text = "\n".join(map(signature, kernels))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def title(kernel: KernelOp) -> str:
    """Return in words what a kernel computes: its ops, the shapes of its operands and results."""
    names = [op.name.removeprefix("nn.") for op in kernel.anchors or kernel.body_ops]
    more = len(kernel.body_ops) - len(names)
    operands = ", ".join(_shape(value.type) for value in kernel.operands[:2])
    results = ", ".join(_shape(value.type) for value in kernel.outputs)
    extra = f" +{more}" if more else ""
    return f"{' '.join(names[:3])}{extra} {operands} -> {results}"


def merge_title(kernels: Sequence[KernelOp]) -> str:
    """Return in words what kernels compute that may become one."""
    names = [
        op.name.removeprefix("nn.")
        for kernel in kernels
        for op in kernel.anchors or kernel.body_ops[:1]
    ]
    shapes = f"{_shape(kernels[0].operands[0].type)} -> {_shape(kernels[-1].outputs[0].type)}"
    return f"{' '.join(names)} {shapes}"


def machine_text(machine: Machine) -> str:
    """Return the text of a machine in records: that of its attribute."""
    return str(DescriptionAttr(machine))


def _shape(type_: object) -> str:
    return "x".join(map(str, shape_of(type_))) or "scalar"  # pyright: ignore[reportArgumentType]
