"""Whether a program can run on the device of a page as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    LibraryCallOp,
    ProgramOp,
    TransferOp,
    ViewOp,
    WeightOp,
    is_on_device,
)
from autodeploy.dialects.halide.pipeline import HOST_REASON
from autodeploy.machine.devices import DEVICES

_ELEMENTS = DEVICES["webgpu"].elements - DEVICES["webgpu"].not_in_memory
"""The elements of the memory of a page's device."""


def check_whole_device(module: ModuleOp) -> None:
    """Raise ``UnsupportedError`` with all that keeps a program from running on the device alone.

    Only inputs and outputs of the program are the processor's.
    """
    programs = [op for op in module.ops if isinstance(op, ProgramOp)]
    found = [line for program in programs for line in dict.fromkeys(_obstacles(program))]
    if found:
        raise UnsupportedError("a page runs all of a network on its device, and cannot:", *found)


def _obstacles(program: ProgramOp) -> Iterator[str]:
    pipelines = program.pipelines()
    if program.embedded is not None:
        yield "  weights that are linked in: the page reads them from a file"
    names = [*program.input_names, *program.output_names]
    values = (*program.inputs, *program.returned)
    for name, value in zip(names, values, strict=False):  # the others are extents
        if isa(value.type, MemRefType[Attribute]) and str(value.type.element_type) not in _ELEMENTS:
            yield f"  tensor '{name.data}' of {value.type.element_type}"
    for op in program.body.block.ops:
        match op:
            case CallOp():
                pipeline = pipelines[op.callee.string_value()]
                reason = pipeline.attributes.get(HOST_REASON)
                if pipeline.on_device is None:
                    why = reason.data if isinstance(reason, StringAttr) else "it is the processor's"
                    yield f"  kernel '{pipeline.sym_name.data}': {why}"
            case LibraryCallOp():
                yield f"  function '{op.callee.data}': the processor computes it"
            case BufferOp() | ViewOp() | WeightOp():
                pass
            case TransferOp():
                if not all(_is_passed(program, value) for value in op.operands):
                    yield "  a value that the processor copies"
            case _:
                yield f"  {_NAMES.get(op.name, op.name)}"


_NAMES = {
    "driver.for": "a loop",
    "driver.if": "a choice",
    "driver.copy": "an output that is a copy of an input or a weight",
    "driver.state": "a state, which the processor keeps",
}


def _is_passed(program: ProgramOp, value: SSAValue) -> bool:
    """Return whether a value is on the device, an input or an output."""
    owner = value.owner
    is_block = isinstance(owner, Operation) and is_on_device(value)
    return is_block or value in (*program.inputs, *program.outputs)
