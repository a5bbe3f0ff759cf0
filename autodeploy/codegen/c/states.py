"""The state of a program in C: tensors that a context keeps from run to run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from math import prod

from autodeploy.codegen.c.names import c_comment
from autodeploy.codegen.c.open_shapes import extent_macros, extent_text, growth_text
from autodeploy.codegen.c.program import Program, StateTensor
from autodeploy.dialects.memref import ALIGNMENT, aligned
from autodeploy.dialects.nn.types import ELEMENT_BYTES
from autodeploy.frontend.names import original_text


def state_start(program: Program) -> int:
    """Return the bytes of the arena before the memory of states: whole steps, never zero."""
    return max(aligned(program.arena_bytes), ALIGNMENT)


def counted_numbers(program: Program) -> list[int]:
    """Return the places of the numbers of a run that are rows of its state, in order."""
    return sorted({place for s in program.states if (place := s.place) is not None})


def state_sections(program: Program) -> dict[str, str]:
    """Return the sections of the templates that are about the state."""
    if not program.states:
        return {}
    counted = counted_numbers(program)
    fingerprint = [f"0x{byte:02x}" for byte in _fingerprint(program)]
    numbers: list[str] = []
    for place in counted:
        same = [state for state in program.states if state.place == place]
        most = min(state.shape[state.axis] for state in same if state.axis is not None)
        left = same[0].left.growths[0]
        numbers.append(f"    {{{place}, {most}, {growth_text(left, program)}}},")
    return {
        "kept_states": "\n".join(_kept(state, counted) for state in program.states),
        "state_fingerprint": f"{', '.join(fingerprint[:8])},\n    {', '.join(fingerprint[8:])}",
        "state_numbers": "\n".join(numbers),
        "state_number_count": str(len(counted)),
        "state_places": ", ".join(map(str, counted)),
        "state_start": str(state_start(program)),
    }


def state_lines(program: Program) -> list[str]:
    """Return the lines of the header that list what a context keeps."""
    lines: list[str] = []
    for state in program.states:
        extents = list(map(str, state.shape))
        if state.place is not None and state.axis is not None:
            extents[state.axis] = extent_macros(program)[state.place]
        names = f"{original_text(state.input)}, then {original_text(state.left.name)}"
        shape = "x".join(extents) or "scalar"
        lines.append(f" *     {c_comment(names)}: {state.left.dtype} {shape}")
    left = {s.place: growth for s in program.states for growth in s.left.grown.values()}
    for place, growth in left.items():
        if place is not None:
            macro = extent_macros(program)[place]
            lines.append(f" * A run leaves {extent_text(program, growth)} for {macro}.")
    return lines


def _kept(state: StateTensor, counted: Sequence[int]) -> str:
    element = ELEMENT_BYTES[state.left.element]
    if state.place is None or state.axis is None:
        numbers = -1, 1, 1, prod(state.shape) * element
    else:
        outer, inner = state.shape[: state.axis], state.shape[state.axis + 1 :]
        rows = state.shape[state.axis]
        numbers = counted.index(state.place), prod(outer), rows, prod(inner) * element
    name = c_comment(original_text(state.left.name))
    return f"    {{{state.offset}, {', '.join(map(str, numbers))}}}, /* {name} */"


def _fingerprint(program: Program) -> bytes:
    described = [[s.input, s.left.name, s.left.dtype, s.shape, s.axis] for s in program.states]
    text = json.dumps([program.fingerprint().hex(), described])
    return hashlib.sha256(text.encode()).digest()[:16]
