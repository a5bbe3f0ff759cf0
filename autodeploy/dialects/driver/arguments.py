"""Keys of columns, and defaults: the properties of a program that are about its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import UnitAttr

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.memref import MemRef, memref_of
from autodeploy.dialects.nn.keys import values_of

if TYPE_CHECKING:
    from autodeploy.dialects.driver.program import ProgramOp


def check_arguments(program: ProgramOp) -> None:
    """Check the constraints of a program that are about its arguments."""
    lists, arguments = tuple(program.keys or ()), program.body.block.args
    if program.keys is not None and len(lists) != len(arguments):
        raise invalid("program_c13", f"{len(lists)} lists of keys for {len(arguments)} arguments")
    for given, argument in zip(lists, arguments, strict=False):
        shape = cast(MemRef, argument.type).get_shape()
        if len(given) and (not values_of(given) or shape[-1:] != (len(given),)):
            raise invalid("program_c13", f"{given} are no keys of {argument.type}")
    defaults, inputs = tuple(program.defaults or ()), program.inputs
    if program.defaults is not None and len(defaults) != len(inputs):
        raise invalid("program_c22", f"{len(defaults)} defaults for {len(inputs)} inputs")
    for value, argument in zip(defaults, inputs, strict=False):
        if not isinstance(value, UnitAttr) and memref_of(value.type) != argument.type:
            raise invalid("program_c22", f"{value} is no default of {argument.type}")
