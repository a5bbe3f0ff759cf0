"""``autodeploy machines``: the names that ``--machine`` takes."""

from __future__ import annotations

from autodeploy.tools.terminal import say


def machines() -> None:
    """List the machines to compile for: name, system, vectors, compiler."""
    from autodeploy.machine import Machine
    from autodeploy.machine.machine import HOST
    from autodeploy.machine.presets import PRESETS

    for name in (HOST, *PRESETS):
        machine = Machine.parse(name)
        vectors = f"{machine.vector_bytes * 8} bits" if machine.vector_bytes > 4 else "none"
        compiler = "cc" if machine.compiler is None else machine.compiler.command
        say(f"{name:<22} {machine.platform:<18} vectors {vectors:<9} {compiler}")
