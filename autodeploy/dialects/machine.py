"""The machine dialect: the hardware that a module is compiled for, as an attribute of the module.

``set-machine`` writes it, and every pass that asks for vectors, caches or cores reads it there:
``module attributes {autodeploy.machine = #machine.description<"x86-64-avx2", cores = 4>}``.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Data, Dialect
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import PassFailedException

from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine

MACHINE_ATTRIBUTE = "autodeploy.machine"
"""The attribute of a module that says what machine it is compiled for."""


@irdl_attr_definition
class DescriptionAttr(Data[Machine]):
    """A machine: the name of a preset, and the settings that differ from it.

    Any other machine has Halide's target string and all settings; but ``host``, the one at hand,
    leaves out those that have their default. Sizes are bytes, or end in K or M. The settings
    are ``os``, ``cores``, ``l1``, ``l2``, ``l3``, and the numbers of the cost model
    (``autodeploy/machine/costs.py``), such as ``fma_per_cycle``.
    """

    name = "machine.description"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Machine:
        """Parse ``<"name", key = value, …>``; an error names the candidates."""
        with parser.in_angle_brackets():
            start = parser.pos
            name = parser.parse_str_literal()
            settings: dict[str, str] = {}
            while parser.parse_optional_punctuation(",") is not None:
                key = parser.parse_identifier()
                parser.parse_punctuation("=")
                if key in settings:
                    parser.raise_error(f"machine setting '{key}' is given twice")
                settings[key] = _parse_value(parser)
            try:
                return Machine.described(name, settings)
            except UserError as error:
                parser.raise_error(str(error), start, parser.pos)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data.name)
            for key, value in self.data.settings:
                printer.print_string(f", {key} = ")
                if value[0].isdigit():
                    printer.print_string(value)
                else:
                    printer.print_string_literal(value)


def _parse_value(parser: AttrParser) -> str:
    text = parser.parse_optional_str_literal()
    if text is not None:
        return text
    number = parser.parse_number(allow_boolean=False)
    unit = parser.parse_optional_identifier() if isinstance(number, int) else None
    return f"{number}{unit or ''}"


def find_machine(module: ModuleOp) -> Machine | None:
    """Return the machine that a module says it is compiled for, if it does."""
    attribute = module.attributes.get(MACHINE_ATTRIBUTE)
    if attribute is None:
        return None
    if not isinstance(attribute, DescriptionAttr):
        raise PassFailedException(
            f"'{MACHINE_ATTRIBUTE}' of the module is a #machine.description, found {attribute}"
        )
    return attribute.data


def machine_of(module: ModuleOp) -> Machine:
    """Return the machine of a module; raises ``PassFailedException`` if it names none."""
    machine = find_machine(module)
    if machine is None:
        raise PassFailedException(
            "the module does not say what machine it is for: run set-machine first, or give it "
            f"the attribute '{MACHINE_ATTRIBUTE}'"
        )
    return machine


MACHINE = Dialect("machine", [], [DescriptionAttr])
