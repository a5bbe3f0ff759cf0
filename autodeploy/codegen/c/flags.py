"""The facts about a program that its templates ask for, by their names in ``@if name@``."""

from __future__ import annotations

from autodeploy.codegen.c.program import Program
from autodeploy.codegen.c.states import counted_numbers
from autodeploy.dialects.driver import ForOp


def program_flags(program: Program) -> set[str]:
    """Return the names of the facts that hold."""
    programs = program.variants or (program,)
    for_machines = program.variant is not None and not program.is_for_part
    x86 = bool(program.x86_sets) and not for_machines
    conditions = {
        "one": not program.variants,
        "several": program.variant is not None,
        "machines": for_machines,
        "parts": program.is_for_part,
        "calls": bool(program.arities or program.functions),
        "library": bool(program.functions),
        "device": program.device is not None,
        "unified": program.device is not None and program.device.api == "cuda",
        "kept": program.keeps_kernels,
        "shapes": program.has_shapes,
        "told_shapes": bool(program.numbers) and not program.extents,
        "by_values": bool(program.extents) and not program.numbers,
        "inputs": bool(program.inputs),
        "defaults": any(tensor.default is not None for tensor in program.inputs),
        "pool": program.threads.has_pool,
        # The arena of a program for a part is set again when it is chosen.
        "arena": program.is_for_part or any(one.scratch and not one.pools for one in programs),
        "in_pools": bool(program.pools),
        "x86": x86,
        "processor": x86 or for_machines,
        "in_outputs": bool(program.bytes_in_outputs),
        "exchange": any(isinstance(op, ForOp) and op.current for op in program.op.body.walk()),
        "weight_file": not program.embeds_weights,
        "weight_parts": bool(program.for_machines) and not program.embeds_weights,
        "weights_on_device": _has_weights_on_device(programs[0]),
        "freestanding": program.is_freestanding,
        "states": bool(program.states),
        "counted": bool(counted_numbers(program)),
        "open": bool(program.numbers),
        "derived": bool(program.derived_count),
        "whole_range": bool(program.numbers) and not program.is_for_part,
    }
    return {name for name, holds in conditions.items() if holds}


def _has_weights_on_device(program: Program) -> bool:
    """Return whether only the device reads the weights, once, in memory of its own."""
    return (
        program.device is not None
        and not program.embeds_weights
        and not program.is_for_part
        and all(buffer.region != "weights" for buffer in program.buffers.values())
    )
