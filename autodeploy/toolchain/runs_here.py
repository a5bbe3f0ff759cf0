"""Whether the kernels of a bundle run on this machine."""

from __future__ import annotations

from pathlib import Path

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine


def check_runs_here(folder: Path, manifest: Manifest) -> None:
    """Raise ``UserError`` where the kernels of the bundle ``folder`` are for another machine.

    Kernels as C++ are compiled for this one, and of a bundle that names no machine nothing is
    known.
    """
    if not manifest.has_objects or manifest.machine is None:
        return
    obstacle = Machine.host().obstacle(manifest.machine)
    if obstacle is not None:
        raise UserError(
            f"bundle '{folder}' cannot run on this machine: {obstacle}; compile the model for this "
            "machine, or its kernels as C++ (--emit c)"
        )
