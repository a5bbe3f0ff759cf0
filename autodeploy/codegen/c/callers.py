"""The tensors of the caller: addresses of inputs and outputs of a run, and defaults of inputs."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import BlockArgument, SSAValue

from autodeploy.codegen.c.header import wrap
from autodeploy.codegen.c.program import Program
from autodeploy.dialects.driver.program import ProgramOp
from autodeploy.dialects.memref import memref_bytes
from autodeploy.dialects.nn.stored import element_bits


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
        if index < len(program.inputs) and program.inputs[index].default is not None:
            memory = f"{memory} == NULL ? input_defaults[{index}] : {memory}"
        # If there may be none: any address but NULL, to which nothing may be added.
        if kinds == {True}:
            memory = "context"
        elif kinds - {False}:
            memory = f"{memory} == NULL ? (const void *)context : {memory}"
        found.append(f"    context->buffers[{place}].host = address({memory});")
    return "\n".join(found)


def defaults_lines(program: Program) -> Iterator[str]:
    """Yield the values of inputs that a run may leave out, as the bits of their elements."""
    given = {i: t for i, t in enumerate(program.inputs) if t.default is not None}
    if not given:
        return
    for index, tensor in given.items():
        size = element_bits(tensor.element) // 8
        assert tensor.default is not None
        parts = [tensor.default[i : i + size] for i in range(0, len(tensor.default), size)]
        bits = [f"UINT{8 * size}_C(0x{int.from_bytes(part, 'little'):x})" for part in parts]
        name = f"static const uint{8 * size}_t input_default_{index}[]"
        yield f"{name} = {{{wrap(bits, '    ')}}};"
    rows = [f"input_default_{i}" if i in given else "NULL" for i in range(len(program.inputs))]
    count = f"{program.prefix.upper()}_INPUT_COUNT"
    yield f"static const void *const input_defaults[{count}] = {{{wrap(rows, '    ')}}};"


def _emptiness(value: SSAValue) -> bool | None:
    """Return whether a tensor of the caller has no elements; ``None`` if a run says so."""
    if not memref_bytes(value.type):
        return True
    program = value.owner.parent_op() if isinstance(value, BlockArgument) else None
    return None if isinstance(program, ProgramOp) and program.may_be_empty(value) else False
