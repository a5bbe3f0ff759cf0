"""Of the weight file of several programs each reads its own part and what it shares, no more."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from small_models import residual_network

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.weight_file import HEADER_BYTES
from autodeploy.codegen.c.read_program import read_program
from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import find_c_compiler, run
from autodeploy.toolchain.kernel_costs import read_module
from autodeploy.toolchain.session import load_bundle

MACHINES = ("x86-64-avx2", "x86-64-sse41")
"""The best one first."""

KINDS = ("path", "memory")
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")

pytestmark = pytest.mark.skipif(
    any(Machine.host().obstacle(Machine.named(name)) is not None for name in MACHINES),
    reason="this machine does not run them all",
)

CALLER = r"""
#include "residual.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MACHINE FILE, then "path" or "memory": prints an output, or what is wrong with the weights. */
int main(int argc, char **argv)
{
    static float x[2 * 3 * 20 * 18], y[2 * 10];
    char message[200] = "";
    residual_context *context;
    residual_options options;
    FILE *file = fopen(argv[2], "rb");
    unsigned char *memory = (unsigned char *)malloc(1 << 20);
    unsigned char *aligned = memory + 64 - (size_t)memory % 64;
    int i;
    (void)argc;
    for (i = 0; i < 2 * 3 * 20 * 18; ++i) {
        x[i] = (float)(i % 7) - 3;
    }
    memset(&options, 0, sizeof options);
    options.machine = argv[1];
    if (strcmp(argv[3], "path") == 0) {
        options.weights_path = argv[2];
    } else {
        options.weights = aligned;
        options.weights_bytes = fread(aligned, 1, (1 << 20) - 64, file);
    }
    fclose(file);
    options.message = message;
    options.message_bytes = sizeof message;
    if (residual_init(&context, &options) != RESIDUAL_OK) {
        printf("%s\n", message);
    } else {
        if (residual_predict(context, x, y) != RESIDUAL_OK) {
            return 1;
        }
        printf("%.5f\n", y[3]);
        residual_free(context);
    }
    free(memory);
    return 0;
}
"""


@dataclass(frozen=True)
class Built:
    """A bundle, a program around its library, and what each machine's program reads."""

    bundle: Path
    caller: Path
    parts: dict[str, tuple[tuple[int, int], ...]]

    @property
    def weights(self) -> Path:
        return self.bundle / "residual.weights"

    def said(self, machine: str, file: Path, kind: str) -> str:
        command = [self.caller, machine, file.name, kind]
        done = subprocess.run(command, cwd=file.parent, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def only(self, machine: str) -> int:
        """Return a place in the file that the program for a machine alone reads."""
        others = [part for name in MACHINES if name != machine for part in self.parts[name]]
        for offset, size in self.parts[machine]:
            for at in range(offset, offset + size, 64):
                if not any(first <= at < first + bytes_ for first, bytes_ in others):
                    return HEADER_BYTES + at
        raise AssertionError("the programs read the same")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("parts")
    bundle = folder / "bundle"
    options = CompileOptions(machine=",".join(MACHINES), level=2)
    compile_model(residual_network().SerializeToString(), bundle, options)
    run(["make", "-s", "-C", str(bundle), "lib", f"CFLAGS=-O1 -g {' '.join(SANITIZE)}"])
    (folder / "caller.c").write_text(CALLER)
    command = [*find_c_compiler(), "-std=c99", "-Wall", "-Wextra", "-Werror", *SANITIZE]
    run([*command, f"-I{bundle}", str(folder / "caller.c"), str(bundle / "libresidual.a"), "-lm"],
        folder)  # fmt: skip
    texts = {variant.name: variant.text for variant in Manifest.load(bundle).variants}
    parts = {
        name: read_program(read_module(bundle / text)).weight_parts for name, text in texts.items()
    }
    return Built(bundle, folder / "a.out", parts)


@pytest.mark.exhaustive
def test_a_program_reads_less_than_the_file(built: Built) -> None:
    total = built.weights.stat().st_size - HEADER_BYTES
    for parts in built.parts.values():
        assert 0 < sum(size for _, size in parts) < total
        assert len(parts) <= 2
    assert sum(size for parts in built.parts.values() for _, size in parts) > total


def test_each_finds_its_weights(built: Built) -> None:
    said = {built.said(name, built.weights, kind) for name in MACHINES for kind in KINDS}
    (number,) = {round(float(line), 3) for line in said}
    assert np.isfinite(number)


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_found_by_the_program_that_reads_it(
    built: Built, tmp_path: Path, kind: str
) -> None:
    for machine, other in (MACHINES, MACHINES[::-1]):
        data = bytearray(built.weights.read_bytes())
        data[built.only(machine)] ^= 1
        (tmp_path / "damaged").write_bytes(data)
        assert "is damaged: the checksum" in built.said(machine, tmp_path / "damaged", kind)
        float(built.said(other, tmp_path / "damaged", kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("change", ["one byte less", "half", "in the header", "one byte more"])
def test_a_file_of_another_length(
    built: Built, tmp_path: Path, kind: str, machine: str, change: str
) -> None:
    whole = built.weights.read_bytes()
    total = len(whole) - HEADER_BYTES
    changes: dict[str, tuple[Callable[[bytes], bytes], str]] = {
        "one byte less": (
            lambda data: data[:-1],
            f"ends after {total - 1} bytes of data, expected {total}",
        ),
        "half": (
            lambda data: data[: HEADER_BYTES + total // 2],
            f"ends after {total // 2} bytes of data, expected {total}",
        ),
        "in the header": (lambda data: data[:40], "ends after 40 bytes, inside its header"),
        "one byte more": (lambda data: data + b"x", "goes on"),
    }
    changed, expected = changes[change]
    (tmp_path / "other").write_bytes(changed(whole))
    assert expected in built.said(machine, tmp_path / "other", kind)


def test_python_raises_it_too(built: Built, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    shutil.copytree(built.bundle, bundle, ignore=shutil.ignore_patterns("*.a", "*.so", "build"))
    data = bytearray(built.weights.read_bytes())
    data[built.only(MACHINES[1])] ^= 1
    (bundle / built.weights.name).write_bytes(data)
    with load_bundle(bundle, machine=MACHINES[0]) as session:
        assert session.machine == MACHINES[0]
    with pytest.raises(UserError, match="is damaged"):
        load_bundle(bundle, machine=MACHINES[1])
