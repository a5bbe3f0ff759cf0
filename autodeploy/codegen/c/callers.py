"""The tensors of the caller: the addresses of the inputs and outputs of a run."""

from __future__ import annotations

from xdsl.ir import BlockArgument, SSAValue

from autodeploy.codegen.c.program import Program
from autodeploy.dialects.driver.program import ProgramOp
from autodeploy.dialects.memref import memref_bytes


def callers_text(program: Program) -> str:
    """Return the statements that set the addresses of inputs and outputs of a run."""
    found: list[str] = []
    places = [
        *((value, f"inputs[{index}]") for index, value in enumerate(program.op.inputs)),
        *((value, f"outputs[{index}]") for index, value in enumerate(program.op.returned)),
        *((value, f"context->output_shapes[{index}]") for index, value in program.extents.items()),
    ]
    # In each of several programs the tensors of the caller come first.
    callers = [(*one.op.inputs, *one.op.returned) for one in program.variants or (program,)]
    for index, (value, memory) in enumerate(places):
        place = index if program.variants else program.buffers[value].label
        kinds = {_emptiness(one[index]) for one in callers if index < len(one)}
        kinds = kinds or {_emptiness(value)}
        # If there may be none: any address but NULL, to which nothing may be added.
        if kinds == {True}:
            memory = "context"
        elif kinds - {False}:
            memory = f"{memory} == NULL ? (const void *)context : {memory}"
        found.append(f"    context->buffers[{place}].host = address({memory});")
    return "\n".join(found)


def _emptiness(value: SSAValue) -> bool | None:
    """Return whether a tensor of the caller has no elements; ``None`` if a run says so."""
    if not memref_bytes(value.type):
        return True
    program = value.owner.parent_op() if isinstance(value, BlockArgument) else None
    return None if isinstance(program, ProgramOp) and program.may_be_empty(value) else False
