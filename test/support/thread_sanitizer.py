"""Programs whose kernels are C++ source, built and run with ThreadSanitizer."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from runtime_objects import make_bundle

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import ToolchainError
from autodeploy.toolchain.compiler import find_c_compiler, run
from autodeploy.toolchain.session import Array

FLAGS = "-O1 -g1 -w -fsanitize=thread"

REPORT = "WARNING: ThreadSanitizer"

_RACE = """
#include <pthread.h>

static int shared;

static void *add(void *unused)
{
    shared++;
    return unused;
}

int main(void)
{
    pthread_t other;
    if (pthread_create(&other, 0, add, 0))
        return 0;
    add(0);
    return pthread_join(other, 0);
}
"""


@cache
def why_unavailable() -> str:
    """Return why races cannot be found on this machine; nothing where they can."""
    with tempfile.TemporaryDirectory() as temporary:
        source, program = Path(temporary) / "race.c", Path(temporary) / "race"
        source.write_text(_RACE)
        command = [*find_c_compiler(), *FLAGS.split(), "-pthread", str(source), "-o", str(program)]
        try:
            run(command)
        except ToolchainError:
            return "the C compiler has no ThreadSanitizer"
        if REPORT not in _output([program], 60):
            return "ThreadSanitizer finds no race on this machine"
    return ""


def reports(folder: Path, inputs: Iterable[Array], threads: int) -> str:
    """Build the program of a bundle, run it, and return what ThreadSanitizer prints.

    ``inputs`` are those of the model, in their order.
    """
    manifest = Manifest.load(folder)
    program = manifest.prefix
    flags = {"CFLAGS": FLAGS, "CXXFLAGS": FLAGS, "LDFLAGS": "-fsanitize=thread"}
    make_bundle(folder, [program], flags)
    files: list[Path] = []
    for number, value in enumerate(inputs):
        files.append(folder / f"input{number}.bin")
        value.tofile(files[-1])
    command = [folder / program, folder / manifest.weights.file, *files]
    return _output([*command, "--threads", threads, "--bench", 3], 600)


def _output(command: Iterable[object], seconds: int) -> str:
    """Return what a program prints to its standard error, and that it failed if it did."""
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    failed = done.returncode and not done.stderr
    return f"the program ended with {done.returncode}" if failed else done.stderr
