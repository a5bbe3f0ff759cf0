"""``configure-kernels``: every kernel says how it is computed."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from autodeploy.diagnostics import did_you_mean
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.registry import template_of, templates_by_rank
from autodeploy.templates.space import Parts, shown

PLAIN = "plain"
"""The template that is for every kernel."""


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
        machine = None if self.plain else machine_of(op)
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            if machine is None:
                kernel.config = kernel.config or ConfigAttr(PLAIN)
            elif kernel.config is None:
                kernel.config = completed(
                    ConfigAttr(self._template(kernel, machine)), kernel, machine
                )
            else:
                kernel.config = completed(kernel.config, kernel, machine)

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

    Raises ``PassFailedException`` for a config that does not apply to the kernel.
    """
    name = given.template_name
    template = template_of(name)
    if not template.applies(kernel):
        ops = ", ".join(op.name for op in kernel.body_ops)
        raise PassFailedException(f"template {name} is not for a kernel of {ops}")
    if not template.takes_open(kernel):
        raise PassFailedException(
            f"template {name} would cut an open axis in tiles, expected plain"
        )
    space = template.space(kernel, machine)
    if unknown := [knob for knob in given if knob not in space]:
        raise PassFailedException(
            f"template {name} has no knob '{unknown[0]}' here{did_you_mean(unknown[0], space)}; "
            f"known are {', '.join(space) or 'none'}"
        )
    set_ = given.as_dict()
    for knob, values in set_.items():
        # The rule reads what is given, so that is checked first.
        if values not in space[knob]:
            raise PassFailedException(
                f"knob {knob} of {name} is one of {shown(space[knob], 8)}, found {given}"
            )
    # The rule completes the parts that are given.
    set_.pop("parts" if isinstance(space.get("parts"), Parts) else "", None)
    config = ConfigAttr(name, {**template.default(kernel, machine, given), **set_})
    if (conflict := template.conflict(kernel, machine, config)) is not None:
        raise PassFailedException(f"{conflict}, found {config}")
    return config
