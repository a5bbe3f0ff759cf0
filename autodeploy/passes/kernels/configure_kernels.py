"""``configure-kernels``: every kernel says how it is computed."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ContractionOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import is_float
from autodeploy.machine import Machine
from autodeploy.templates.fitting import check_given, check_together
from autodeploy.templates.registry import PLAIN, is_on_device, templates_by_rank
from autodeploy.templates.space import Parts


@dataclass(frozen=True)
class ConfigureKernelsPass(ModulePass):
    """Set the config of every nn.kernel: a template and its knobs, by the rules for the
    machine of the module.

    The knobs of an existing config stay, and those that it lacks are added. With ``plain``
    every kernel without one takes the plain template. With ``winograd``, a 3x3 convolution with a
    constant filter takes Winograd's form where that costs less; results then agree to 1e-4 instead
    of 1e-5.
    """

    name = "configure-kernels"

    winograd: bool = False
    plain: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``config`` on all kernels of the module."""
        rules = None if self.plain else machine_of(op)
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            if rules is None and not is_on_device(kernel.config):
                kernel.config = kernel.config or ConfigAttr(PLAIN)
                continue
            machine = rules or machine_of(op)
            given = kernel.config or ConfigAttr(self._template(kernel, machine))
            try:
                kernel.config = completed(given, kernel, machine)
            except VerifyException as error:
                kernel.emit_error(str(error), error)

    def _template(self, kernel: KernelOp, machine: Machine) -> str:
        """Return the template that the rules choose for a kernel."""
        for name, template in templates_by_rank():
            allowed = template.exact or self.winograd
            if (
                allowed
                and template.applies(kernel)
                and template.takes_open(kernel)
                and template.pays(kernel, machine)
            ):
                return name
        raise AssertionError("the plain template is for every kernel")


def completed(given: ConfigAttr, kernel: KernelOp, machine: Machine) -> ConfigAttr:
    """Return a config to which the rules have added the knobs that it lacks.

    Raises ``VerifyException`` for a config that does not fit the kernel.
    """
    template, space = check_given(given, kernel, machine)
    set_ = given.as_dict()
    # The rule completes the parts that are given.
    set_.pop("parts" if isinstance(space.get("parts"), Parts) else "", None)
    knobs = {**template.default(kernel, _summing(kernel, machine), given), **set_}
    config = ConfigAttr(given.template_name, knobs)
    check_together(config, kernel, machine)
    return config


def _summing(kernel: KernelOp, machine: Machine) -> Machine:
    """Return the machine with the registers that hold the sums of a kernel."""
    sums = [op.sum_element for op in kernel.anchors if isinstance(op, ContractionOp)]
    return machine if any(map(is_float, sums)) or not sums else machine.for_integers()
