"""``autodeploy calibrate``: what this machine is and can do, as a file for ``--machine``."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from autodeploy.tools.command_options import output
from autodeploy.tools.terminal import say
from autodeploy.tools.usage import UsageError
from autodeploy.tools.whole_files import write_whole


def calibrate(
    output: Annotated[
        Path | None, output("FILE", "the file to write, FILE.toml; default: standard output")
    ] = None,
) -> None:
    """Measure this machine and describe it in a file that --machine takes."""
    from autodeploy.machine import Machine
    from autodeploy.machine.files import SUFFIX, description_text
    from autodeploy.toolchain.calibrate import calibrated
    from autodeploy.toolchain.limits import measure_limits

    if output is not None and output.suffix != SUFFIX:
        raise UsageError(f"option '-o' takes a file that ends in '{SUFFIX}', found '{output}'")
    with TemporaryDirectory() as folder:
        limits = measure_limits(Path(folder))
    machine = calibrated(Machine.host(), limits)
    text = description_text(machine.all_settings, "Measured by autodeploy calibrate.")
    if output is None:
        say(*text.splitlines())
        return
    write_whole(output, text)
    say(f"described this machine in {output}; compile for it with: --machine {output}")
