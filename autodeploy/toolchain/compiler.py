"""Finding compilers and running make."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from autodeploy.diagnostics import ToolchainError, io_errors

_ERROR_LINES = 15


def find_c_compiler() -> list[str]:
    """Return the command of the C compiler: ``$CC``, or the first of cc, gcc, clang on the path.

    ``$CC`` may hold options. Raises ``ToolchainError`` if there is none.
    """
    return _find("CC", ("cc", "gcc", "clang"), "C")


def find_cxx_compiler() -> list[str]:
    """Return the command of the C++ compiler: ``$CXX``, or the first of c++, g++, clang++.

    ``$CXX`` may hold options. Raises ``ToolchainError`` if there is none.
    """
    return _find("CXX", ("c++", "g++", "clang++"), "C++")


def run_make(
    folder: Path, targets: Sequence[str] = (), variables: Mapping[str, str] | None = None
) -> None:
    """Run make in a bundle's folder; ``variables`` override those of the Makefile.

    Raises ``ToolchainError`` with the end of its messages where make is missing or fails.
    """
    make = shutil.which("make")
    if make is None:
        raise ToolchainError("'make' is not on the path")
    settings = {"CC": shlex.join(find_c_compiler()), **(variables or {})}
    if "CXX" in os.environ and "CXX" not in settings:
        settings["CXX"] = os.environ["CXX"]
    command = [make, "--no-print-directory", *(f"{k}={v}" for k, v in settings.items()), *targets]
    # Flags of a make that runs this process are not meant for this one.
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    run(command, folder, environment)


def run(
    command: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> str:
    """Run a command and return what it prints.

    Raises ``ToolchainError`` with the end of its messages where it cannot be started or fails.
    """
    tool = Path(command[0]).name
    with io_errors(f"cannot run '{tool}'", ToolchainError):
        result = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            check=False,
        )
    if result.returncode != 0:
        lines = result.stdout.strip().splitlines()[-_ERROR_LINES:]
        where = f" in '{folder}'" if folder is not None else ""
        raise ToolchainError(f"'{tool}' failed{where}:", *lines)
    return result.stdout


def _find(variable: str, names: Sequence[str], language: str) -> list[str]:
    chosen = os.environ.get(variable, "").strip()
    if chosen:
        try:
            command = shlex.split(chosen)
        except ValueError as error:
            raise ToolchainError(f"the value of ${variable} is malformed: {error}") from None
        if shutil.which(command[0]) is None:
            raise ToolchainError(
                f"the {language} compiler '{command[0]}' of ${variable} is missing"
            )
        return command
    for name in names:
        if shutil.which(name) is not None:
            return [name]
    raise ToolchainError(f"no {language} compiler on the path, tried {', '.join(names)}")
