"""The memories that share the arena of a program, in C."""

from __future__ import annotations

from autodeploy.codegen.c.program import Program


def pool_sections(program: Program) -> dict[str, str]:
    """Return the sections of the templates that are about pools."""
    return {
        "pool_starts": ", ".join(str(start) for _, start in program.op.pools),
        "pool_sizes": ", ".join(map(str, program.pools.values())),
    }


def pool_constants(program: Program) -> list[tuple[str, int, str]]:
    """Return the names, values and comments of the constants of the header."""
    if not program.pools:
        return []
    found = [("POOL_COUNT", len(program.pools), "memories that share the arena")]
    for number, (name, size) in enumerate(program.pools.items()):
        found.append((f"POOL_{name.upper()}", number, "its number in options.pools"))
        found.append((f"POOL_{name.upper()}_BYTES", size, ""))
    return found
