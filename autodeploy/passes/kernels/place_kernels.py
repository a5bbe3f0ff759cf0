"""``place-kernels``: every kernel that the device of the machine can run does so."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

from autodeploy.dialects.halide.pipeline import HOST_REASON
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.device_kernels import obstacle
from autodeploy.templates.registry import device_templates


class PlaceKernelsPass(ModulePass):
    """Give kernels a template of the device of the module's machine, if it has one.

    A kernel stays on the processor if one of its values has elements that the device lacks, if it
    is in the region of a loop or a choice, and if it has several anchors. It says why in
    ``halide.on_host``. A config that a kernel has already stays.
    """

    name = "place-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``config``, or the reason, on all kernels of the module."""
        machine = machine_of(op)
        if not machine.device:
            return
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            reason = obstacle(kernel, machine)
            if reason is not None:
                kernel.attributes[HOST_REASON] = StringAttr(reason)
            elif kernel.config is None:
                kernel.config = ConfigAttr(_template(kernel, machine))


def _template(kernel: KernelOp, machine: Machine) -> str:
    return next(
        name
        for name, template in device_templates()
        if template.applies(kernel) and template.pays(kernel, machine)
    )
