"""Whether a bundle can run on this machine as it is asked to."""

from __future__ import annotations

from pathlib import Path

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine


def check_runs_here(folder: Path, manifest: Manifest, threads: int) -> None:
    """Raise ``UserError`` where the bundle ``folder`` is for another machine or fewer threads.

    Kernels as C++ are compiled for this one, and of a bundle that names no machine nothing is
    known.
    """
    most = manifest.options.get("threads", "")
    if most.isdecimal() and threads > int(most):
        raise UserError(
            f"bundle '{folder}' was compiled for at most {int(most)} thread"
            f"{'s' * (most != '1')}, not for {threads}"
        )
    if not manifest.has_objects or manifest.machine is None:
        return
    obstacle = Machine.host().obstacle(manifest.machine)
    if obstacle is not None:
        raise UserError(
            f"bundle '{folder}' cannot run on this machine: {obstacle}; compile the model for this "
            "machine, or its kernels as C++ (--emit c)"
        )
