"""The pools of a program: memories that share its arena."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, IntegerType, StringAttr

from autodeploy.dialects.constraints import invalid


def check_pools(
    names: ArrayAttr[StringAttr] | None,
    starts: DenseArrayBase[IntegerType] | None,
    arena: IntegerAttr | None,
) -> None:
    """Raise ``VerifyException`` (program_c23) for pools that are not parts of the arena."""
    end = 0 if arena is None else arena.value.data
    first = [] if starts is None else list(map(int, starts.get_values()))
    ordered = first == sorted(first) and first[:1] == [0] and first[-1] <= end
    if len(names or ()) != len(first) or (first and not ordered):
        raise invalid(
            "program_c23", f"{len(names or ())} pools at {first} of an arena of {end} bytes"
        )
