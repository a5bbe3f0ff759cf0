"""NVIDIA's assembler of PTX, where this machine has it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

WHERE_FROM = "there is no ptxas here; PyPI's package nvidia-cuda-nvcc has one"


@cache
def ptxas() -> str | None:
    """Return the program, ``None`` if there is none."""
    return next(_places(), None)


def _places() -> Iterator[str]:
    found = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    if found:
        yield found
    spec = importlib.util.find_spec("nvidia")
    for folder in [] if spec is None else spec.submodule_search_locations or []:
        yield from (str(path) for path in sorted(Path(folder).glob("*/bin/ptxas")))


needs_ptxas = pytest.mark.skipif(ptxas() is None, reason=WHERE_FROM)


@cache
def knows(architecture: str) -> bool:
    """Return whether the program is for an architecture, such as sm_90."""
    return "is not defined" not in _run(".version 6.3\n.target sm_30\n", architecture)


def assembled(text: str, architecture: str) -> dict[str, tuple[int, int]]:
    """Return the bytes of stack, and of spilled registers, of each kernel."""
    said = _run(text, architecture)
    found = re.findall(
        r"Function properties for ([\w$]+)\n"
        r"\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads",
        said,
    )
    assert found, said
    return {name: (int(stack), int(stores) + int(loads)) for name, stack, stores, loads in found}


def _run(text: str, architecture: str) -> str:
    program = ptxas()
    assert program is not None
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernels.ptx"
        source.write_text(text)
        command = [program, "-v", f"-arch={architecture}", str(source), "-o", f"{folder}/code"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr
