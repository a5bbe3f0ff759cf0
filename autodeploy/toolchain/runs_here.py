"""Whether a bundle can run on this machine as it is asked to."""

from __future__ import annotations

from pathlib import Path

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine


def check_runs_here(
    folder: Path,
    manifest: Manifest,
    threads: int,
    machine: str | None = None,
    part: str | None = None,
    *,
    launched: bool = False,
) -> Manifest:
    """Raise ``UserError`` if the bundle ``folder`` is for another machine or fewer threads.

    Kernels as source are compiled for this one, and of a bundle that names no machine nothing is
    known. If its program is ``launched`` by a command, any machine does. Returns what the manifest
    says of the program that runs: where there are several, that for ``machine``, or the best for
    this one; that for ``part`` of its open extents, or the one for the largest numbers.
    """
    if part is not None and not manifest.for_parts:
        raise UserError(f"the open extents of bundle '{folder}' have no parts, found '{part}'")
    most = manifest.options.get("threads", "")
    if most.isdecimal() and threads > int(most):
        raise UserError(
            f"bundle '{folder}' was compiled for at most {int(most)} thread"
            f"{'s' * (most != '1')}, not for {threads}"
        )
    if manifest.for_machines:
        return _chosen(folder, manifest, machine, launched)
    if machine is not None:
        raise UserError(
            f"bundle '{folder}' is for one machine, so that there is none to choose, found machine "
            f"'{machine}'"
        )
    if manifest.machine is not None and manifest.machine.is_page:
        raise UserError(
            f"bundle '{folder}' is a page, which runs in a browser; compile the model for this "
            "machine to run it here"
        )
    if manifest.machine is not None and not manifest.machine.has_system and not launched:
        raise UserError(
            f"bundle '{folder}' is for '{manifest.machine}', a machine without an operating "
            "system; it has no program that runs here, machine 'scalar' has kernels of the same "
            "kind"
        )
    chosen = manifest.only(manifest.part_named(part)) if manifest.for_parts else manifest
    if launched or not manifest.has_objects or manifest.machine is None:
        return chosen
    obstacle = Machine.host().obstacle(manifest.machine)
    if obstacle is not None:
        raise _cannot_run(folder, obstacle, ", or its kernels as source (--emit c)")
    return chosen


def _chosen(folder: Path, manifest: Manifest, machine: str | None, launched: bool) -> Manifest:
    """Return what the manifest says of one of several programs."""
    names = [variant.name for variant in manifest.for_machines]
    if machine is not None and machine not in names:
        raise UserError(
            f"bundle '{folder}' has no program for machine '{machine}', it has those for "
            f"{', '.join(names)}"
        )
    host = Machine.host()
    obstacle = None
    for variant in manifest.for_machines:
        if machine in (None, variant.name):
            obstacle = None if launched else host.obstacle(variant.machine)
            if obstacle is None:
                return manifest.only(variant)
    raise _cannot_run(folder, obstacle or "it has no program", "")


def _cannot_run(folder: Path, obstacle: str, otherwise: str) -> UserError:
    return UserError(
        f"bundle '{folder}' cannot run on this machine: {obstacle}; compile the model for this "
        f"machine{otherwise}"
    )
