"""Running the program of a bundle by a command: an emulator, or a shell on another machine."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.machine import Machine
from autodeploy.toolchain.board import BoardProgram
from autodeploy.toolchain.compiler import run, run_make
from autodeploy.toolchain.fixed_call import Array
from autodeploy.toolchain.runs_here import check_runs_here
from autodeploy.toolchain.tensor_values import in_order
from autodeploy.weights import named_dtype

Run = Callable[[Mapping[str, npt.ArrayLike]], dict[str, Array]]
"""Runs a network on inputs by name, and returns the outputs."""


def launched_run(folder: Path, command: str, threads: int = 1, machine: str | None = None) -> Run:
    """Return what runs the network of a bundle by a command; for a microcontroller, on a board.

    Raises what ``LaunchedProgram`` or ``BoardProgram`` raises.
    """
    manifest = Manifest.load(folder)
    if manifest.states:
        raise UserError(
            f"bundle '{folder}' has a state, and a program that is started again loses it"
        )
    for entry in (*manifest.inputs, *manifest.outputs):
        if entry.cell or entry.bits < 8 or named_dtype(entry.dtype).kind not in "biuf":
            raise UserError(f"'{entry.name}' is {entry.dtype}, which no .npy file has")
    words, target = command_words(command), manifest.machine
    if target is None or target.has_system:
        return LaunchedProgram(folder, words, threads, machine).run
    check_runs_here(folder, manifest, threads, machine, launched=True)
    return BoardProgram(folder, words).run


class LaunchedProgram:
    """The program of a bundle, which ``command`` starts for each run, such as ``qemu-aarch64``.

    It reads and writes ``.npy`` files in a folder of this machine, which the command must see at
    the same place. The program is built by make with ``$CC``, or with the compiler of its machine.

    Raises ``ToolchainError`` if building fails.
    """

    def __init__(
        self, folder: Path, command: Sequence[str], threads: int = 1, machine: str | None = None
    ) -> None:
        self._command = command
        self._manifest = manifest = Manifest.load(folder)
        self._folder = folder
        self._options = ["--threads", str(threads)] if threads > 1 else []
        self._options += ["--machine", machine] if machine is not None else []
        target = manifest.first_machine
        run_make(folder, ["all"], cross_compiler(target))
        suffix = ".exe" if target is not None and target.os == "windows" else ""
        self._program = (folder / f"{manifest.prefix}{suffix}").resolve()

    def run(self, inputs: Mapping[str, npt.ArrayLike]) -> dict[str, Array]:
        """Return the outputs by name; raises ``ToolchainError`` if the program fails."""
        manifest = self._manifest
        weights = manifest.weights_path(self._folder)
        values = in_order(manifest.name, manifest.inputs, inputs)
        with TemporaryDirectory() as folder:
            words = [*self._command, str(self._program)]
            words += [] if weights is None else [str(weights.resolve())]
            for number, (entry, value) in enumerate(zip(manifest.inputs, values, strict=True)):
                file = Path(folder) / f"in{number}.npy"
                np.save(file, np.asarray(value, named_dtype(entry.dtype)))
                words.append(str(file))
            files = [Path(folder) / f"out{n}.npy" for n in range(len(manifest.outputs))]
            for file in files:
                words += ["--output", str(file)]
            run([*words, *self._options])
            try:
                found: list[Array] = [np.load(file) for file in files]
            except (OSError, ValueError) as error:
                raise ToolchainError(
                    f"'{self._command[0]}' has started no program that wrote its outputs: {error}"
                ) from None
        return {entry.name: a for entry, a in zip(manifest.outputs, found, strict=True)}


def command_words(command: str) -> list[str]:
    """Return the words of a command that starts a program; raises ``UserError`` if it has none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UserError(f"the command '{command}' is malformed: {error}") from None
    if not words:
        raise UserError("the command that starts a program is empty")
    return words


def cross_compiler(machine: Machine | None) -> dict[str, str]:
    """Return make's variable for the compiler of another machine, unless the user names one."""
    if machine is None or machine.compiler is None or os.environ.get("CC"):
        return {}
    if machine.platform == Machine.host().platform:
        return {}
    return {"CC": machine.compiler.command}
