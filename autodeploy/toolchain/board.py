"""Running the library of a bundle for microcontrollers on a board of QEMU.

The program around the library is ``board/board.c``; ``startup.c`` is what runs before ``main``, and
``mps2.ld`` states where memory is on QEMU's boards MPS2. Tensors are files of this machine, which
QEMU offers to the program (``semihosting.h``).
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.c.template import fill_text
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import run, run_make
from autodeploy.toolchain.fixed_call import Array
from autodeploy.toolchain.tensor_values import in_order
from autodeploy.weights import named_dtype

RAM_BYTES = (4 << 20) - (64 << 10)
"""Memory of the boards for tensors, less some for the stack."""

_BOARDS = {"cortex-m3": "mps2-an385", "cortex-m4": "mps2-an386", "cortex-m7": "mps2-an500"}

_OPTIONS = ("-nographic", "-monitor", "none", "-serial", "none")

_FLAGS = ("-O1", "-std=gnu99", "-Wall", "-Wextra", "-Werror")


def board_options(machine: Machine) -> tuple[str, ...]:
    """Return the options of QEMU before a program, for the board with the processor of a machine.

    Raises ``UserError`` if QEMU has no board for it.
    """
    found = re.search(r"-mcpu=(\S+)", " ".join(machine.compiler_flags))
    board = None if found is None else _BOARDS.get(found[1])
    if board is None:
        raise UserError(f"there is no board for '{machine}', there are those for {_boards()}")
    semihosting = ("-semihosting-config", "enable=on,target=native")
    return ("-M", board, *_OPTIONS, *semihosting, "-kernel")


def _boards() -> str:
    return ", ".join(_BOARDS)


class BoardProgram:
    """The network of a bundle for a microcontroller, which ``command`` runs, such as QEMU's.

    The options of the board follow the command. The library is built by make with ``$CC``, or with
    the compiler of its machine.

    Raises ``UserError`` if there is no board for the machine or it has too little memory, and
    ``ToolchainError`` if building fails.
    """

    def __init__(self, folder: Path, command: Sequence[str]) -> None:
        self._manifest = manifest = Manifest.load(folder)
        machine = manifest.machine
        assert machine is not None and not machine.has_system
        self._command = [*command, *board_options(machine)]
        tensors = sum(entry.bytes for entry in (*manifest.inputs, *manifest.outputs))
        if manifest.arena_bytes + tensors > RAM_BYTES:
            raise UserError(
                f"arena and tensors of bundle '{folder}' take {manifest.arena_bytes + tensors} "
                f"bytes, the board has {RAM_BYTES}"
            )
        self._folder, self._machine = folder, machine
        self.stack_used: int | None = None
        """Bytes of the stack that the last run used."""

    def run(self, inputs: Mapping[str, npt.ArrayLike]) -> dict[str, Array]:
        """Return the outputs by name; raises ``ToolchainError`` if the program fails."""
        manifest = self._manifest
        values = in_order(manifest.name, manifest.inputs, inputs)
        with TemporaryDirectory() as place:
            folder = Path(place)
            self._build(folder)
            for number, (entry, value) in enumerate(zip(manifest.inputs, values, strict=True)):
                np.asarray(value, named_dtype(entry.dtype)).tofile(folder / f"in{number}.bin")
            run([*self._command, "program.elf"], folder)
            found: dict[str, Array] = {}
            try:
                for number, entry in enumerate(manifest.outputs):
                    flat = np.fromfile(folder / f"out{number}.bin", named_dtype(entry.dtype))
                    found[entry.name] = flat.reshape(entry.shape)
                self.stack_used = int(np.fromfile(folder / "stack.bin", np.uint32)[0])
            except (OSError, ValueError, IndexError) as error:
                raise ToolchainError(
                    f"'{self._command[0]}' has started no program that wrote its outputs: {error}"
                ) from None
        return found

    def _build(self, folder: Path) -> None:
        assert self._machine.compiler is not None
        compiler = shlex.split(os.environ.get("CC") or self._machine.compiler.command)
        library = f"lib{self._manifest.prefix}.a"
        run_make(self._folder, [library], {"CC": shlex.join(compiler)})
        with as_file(files("autodeploy.toolchain").joinpath("board")) as sources:
            text = (sources / "board.c").read_text(encoding="utf-8")
            (folder / "board.c").write_text(program_text(self._manifest, text), encoding="utf-8")
            run(
                [
                    *(*compiler, *self._machine.compiler_flags, *_FLAGS),
                    *(f"-I{self._folder.resolve()}", f"-I{sources}"),
                    *("-nostartfiles", "--specs=nano.specs"),
                    *("-Wl,--gc-sections", "-T", str(sources / "mps2.ld")),
                    *("board.c", str(sources / "startup.c")),
                    *(str(self._folder.resolve() / library), "-lm", "-o", "program.elf"),
                ],
                folder,
            )


def program_text(manifest: Manifest, template: str) -> str:
    """Return the program for the tensors of a bundle."""
    declared: list[str] = []
    names: dict[str, list[str]] = {}
    for kind, entries in (("in", manifest.inputs), ("out", manifest.outputs)):
        names[kind] = [f"{kind}{number}" for number in range(len(entries))]
        for name, entry in zip(names[kind], entries, strict=True):
            size = max(1, entry.bytes)
            declared.append(f"static unsigned char {name}[{size}] __attribute__((aligned(64)));")
    moves = {
        kind: " && ".join(
            f'moved("{name}.bin", {name}, sizeof {name}, {int(kind == "in")})' for name in listed
        )
        for kind, listed in names.items()
    }
    sections = {
        "tensors": "\n".join(declared),
        "inputs": ", ".join(names["in"]),
        "outputs": ", ".join(names["out"]),
        "reads": moves["in"] or "1",
        "writes": moves["out"],
    }
    return fill_text(template, manifest.prefix, sections)
