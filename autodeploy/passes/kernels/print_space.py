"""``print-space``: the config of each kernel, and the values that its knobs may have."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.templates.registry import templates_by_rank
from autodeploy.templates.space import shown


class PrintSpacePass(ModulePass):
    """Print for each nn.kernel its config, and the templates that apply to it, each with the values
    of its knobs, as comments before the text of the module.

    Knobs that a config lacks have the values that configure-kernels writes.
    """

    name = "print-space"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        machine = machine_of(op)
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            hint = kernel.outputs[0].name_hint if kernel.outputs else None
            ops = ", ".join(inner.name for inner in kernel.body_ops)
            print(f"// {'%' + hint if hint else 'nn.kernel'} of {ops}: {kernel.config or 'open'}")
            for name, template in templates_by_rank():
                if not template.applies(kernel):
                    continue
                space = template.space(kernel, machine)
                print(f"//   {name}{'' if space else ': no knobs'}")
                for knob, values in space.items():
                    print(f"//     {knob}: {shown(values)}")
