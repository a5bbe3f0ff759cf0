"""``set-machine``: the module says what machine it is compiled for."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.dialects.machine import MACHINE_ATTRIBUTE, DescriptionAttr
from autodeploy.machine import Machine


@dataclass(frozen=True)
class SetMachinePass(ModulePass):
    """Write the machine that code is made for on the module, where all later passes read it.

    ``machine`` is its text form: ``host``, the machine that the compiler runs on, or a preset, with
    settings after it. An existing attribute is replaced.
    """

    name = "set-machine"

    machine: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set the attribute of the module."""
        op.attributes[MACHINE_ATTRIBUTE] = DescriptionAttr(Machine.parse(self.machine))
