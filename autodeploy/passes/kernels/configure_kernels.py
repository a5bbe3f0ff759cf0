"""``configure-kernels``: every kernel says how it is computed."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.registry import template_of, templates_by_rank


@dataclass(frozen=True)
class ConfigureKernelsPass(ModulePass):
    """Set the config of every nn.kernel: a template and its knobs, by the rules for the
    machine of the module.

    A config that is there stays as it is. With ``plain`` every other kernel takes the plain
    template. With ``winograd``, a 3x3 convolution with a constant filter takes Winograd's form
    where that costs less; its results then agree to 1e-4 instead of 1e-5.
    """

    name = "configure-kernels"

    winograd: bool = False
    plain: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``config`` on all kernels of the module."""
        machine = None if self.plain else machine_of(op)
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            if kernel.config is None:
                kernel.config = self._chosen(kernel, machine) if machine else ConfigAttr("plain")
            elif not template_of(kernel.config.template_name).applies(kernel):
                raise PassFailedException(
                    f"template {kernel.config.template_name} is not for a kernel of "
                    f"{', '.join(op.name for op in kernel.body_ops)}"
                )

    def _chosen(self, kernel: KernelOp, machine: Machine) -> ConfigAttr:
        """Return what the rules choose for a kernel."""
        for name, template in templates_by_rank():
            allowed = template.exact or self.winograd
            if allowed and template.applies(kernel) and template.pays(kernel, machine):
                return ConfigAttr(name, template.default(kernel, machine))
        raise AssertionError("the plain template is for every kernel")
