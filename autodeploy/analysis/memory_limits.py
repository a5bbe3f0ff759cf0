"""The memory of a planned program against limits of a device, and its largest parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from xdsl.ir import SSAValue

from autodeploy.analysis.live_ranges import calls_of, live_ranges, scratch_blocks
from autodeploy.analysis.memory_map import call_name
from autodeploy.analysis.memory_sizes import MemorySizes, exact_bytes
from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver import ProgramOp, WeightOp, root_of
from autodeploy.dialects.memref import memref_bytes

_NAMED = 3
"""The largest parts that an error names."""


def check_limits(
    program: ProgramOp, sizes: MemorySizes, ram: int | None, flash: int | None
) -> None:
    """Raise ``UserError`` if a program takes more memory than a device has, with the largest parts.

    A size that is not known is not counted; a limit that is ``None`` is none.
    """
    if ram is not None:
        _check("RAM", "--max-ram", ram, sizes.ram, _tensors(program))
    if flash is not None:
        _check("flash", "--max-flash", flash, sizes.flash, _weights(program))


def _check(
    kind: str, option: str, limit: int, sizes: Mapping[str, int | None], parts: Counter[str]
) -> None:
    if (total := sum(size or 0 for size in sizes.values())) <= limit:
        return
    of = ", ".join(f"{name} {exact_bytes(size)}" for name, size in sizes.items() if size)
    raise UserError(
        f"the program takes {exact_bytes(total)} of {kind} ({of}), '{option}' is "
        f"{exact_bytes(limit)}; its largest parts are {_largest(parts)}"
    )


def largest_tensors(program: ProgramOp) -> str:
    """Return the largest results and scratch memory of a program, with their bytes."""
    return _largest(_tensors(program))


def _largest(parts: Counter[str]) -> str:
    return ", ".join(f"{name} {exact_bytes(size)}" for name, size in parts.most_common(_NAMED))


def _tensors(program: ProgramOp) -> Counter[str]:
    """Return the bytes of results and of scratch memory, by their kernels."""
    parts: Counter[str] = Counter()
    calls = calls_of(program)
    for block in live_ranges(program).values():
        kernel = call_name(calls[block.first]) if block.first < len(calls) else "unused"
        name = f"the result of {kernel}"
        parts[name] = max(parts[name], block.bytes)
    for call, block in scratch_blocks(program).items():
        parts[f"scratch memory of {call_name(call)}"] = block.bytes
    return parts


def _weights(program: ProgramOp) -> Counter[str]:
    """Return the bytes of weights, by the first kernels that read them."""
    readers: dict[SSAValue, str] = {}
    for call in calls_of(program):
        for operand in call.operands:
            readers.setdefault(root_of(operand), call_name(call))
    parts: Counter[str] = Counter()
    for op in program.walk():
        if isinstance(op, WeightOp):
            parts[f"the weights of {readers.get(op.result, 'no kernel')}"] += memref_bytes(
                op.result.type
            )
    return parts
