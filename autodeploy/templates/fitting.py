"""Whether a config fits its kernel, as its template says: its space, conflicts and packing."""

from __future__ import annotations

from autodeploy.diagnostics import did_you_mean
from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.device_kernels import obstacle
from autodeploy.templates.registry import PLAIN, template_of
from autodeploy.templates.space import Space, shown
from autodeploy.templates.template import Template


def check_given(given: ConfigAttr, kernel: KernelOp, machine: Machine) -> tuple[Template, Space]:
    """Return the template of a config and the space of its knobs, some of which may be missing.

    Raises ``VerifyException`` where the template is not for the kernel, has no such knob or value,
    or where one is missing that no rule chooses.
    """
    name = given.template_name
    template = template_of(name)
    reason = obstacle(kernel, machine) if template.on_device else None
    if reason is not None:
        raise invalid("config_c1", f"template {name} is not for this kernel: {reason}")
    if not template.applies(kernel):
        ops = ", ".join(op.name for op in kernel.body_ops)
        raise invalid("config_c1", f"template {name} is not for a kernel of {ops}")
    if not template.takes_open(kernel):
        raise invalid(
            "config_c1", f"template {name} would cut an open axis in tiles, expected plain"
        )
    space = template.space(kernel, machine)
    if unknown := [knob for knob in given if knob not in space]:
        raise invalid(
            "config_c2",
            f"template {name} has no knob '{unknown[0]}' here{did_you_mean(unknown[0], space)}; "
            f"known are {', '.join(space) or 'none'}",
        )
    for knob in given:
        if given.values(knob) not in space[knob]:
            values = shown(space[knob], 8) or "none"
            raise invalid("config_c3", f"knob {knob} of {name} is one of {values}, found {given}")
    if missing := [knob for knob in template.needed if knob not in given]:
        raise invalid("config_c5", f"knob {missing[0]} is missing, found {given}")
    return template, space


def check_together(config: ConfigAttr, kernel: KernelOp, machine: Machine) -> None:
    """Raise ``VerifyException`` where values of knobs, all in the space, do not go together."""
    conflict = template_of(config.template_name).conflict(kernel, machine, config)
    if conflict is not None:
        raise invalid("config_c4", f"{conflict}, found {config}")


def check_whole(kernel: KernelOp, machine: Machine) -> None:
    """Raise ``VerifyException`` unless the config of a kernel that is to be lowered fits it.

    It has all knobs, or is the plain template without any, and weights are packed as it says.
    """
    config = kernel.config
    if config is None:
        return
    template, _ = check_given(config, kernel, machine)
    if config == ConfigAttr(PLAIN):
        return
    known = template.default(kernel, machine, config)
    if missing := [knob for knob in known if knob not in config]:
        raise invalid("config_c5", f"knob {missing[0]} is missing, found {config}")
    check_together(config, kernel, machine)
    configs = config.configs("parts") if len(kernel.anchors) > 1 else (config,)
    for anchor, part in zip(kernel.anchors, configs, strict=False):
        if template_of(part.template_name).packings(anchor, part):
            raise invalid("config_c6", f"weights of {anchor.name} are not packed by {part}")
