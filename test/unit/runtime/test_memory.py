"""Memory of the C program: aligned, all of it there, in blocks of any size."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from autodeploy.toolchain.compiler import find_c_compiler

RUNTIME = Path(find_spec("autodeploy").submodule_search_locations[0]) / "runtime"

PROGRAM = r"""
#include "autodeploy_memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const size_t mib = (size_t)1 << 20;
    const size_t sizes[] = {0, 1, 64, 4095, 4 * mib - 1, 4 * mib, 9 * mib + 3};
    void *block;
    size_t i, j;
    for (i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        uint8_t *const at = (uint8_t *)autodeploy_memory_take(sizes[i], &block);
        const size_t alignment = sizes[i] < 4 * mib ? AUTODEPLOY_MEMORY_ALIGNMENT : 2 * mib;
        if (at == NULL || block == NULL || (uintptr_t)at % alignment != 0) {
            return (int)(10 + i);
        }
        memset(at, 7, sizes[i]);
        for (j = 0; j < sizes[i]; ++j) {
            if (at[j] != 7) {
                return (int)(20 + i);
            }
        }
        free(block);
    }
    block = &block;
    if (autodeploy_memory_take(SIZE_MAX - 63, &block) != NULL || block != NULL) {
        return 1;
    }
    block = &block;
    return autodeploy_memory_take(SIZE_MAX / 2, &block) != NULL || block != NULL;
}
"""


@pytest.mark.parametrize("standard", ["c99", "c11", "gnu99"])
def test_memory(tmp_path: Path, standard: str) -> None:
    (tmp_path / "main.c").write_text(PROGRAM)
    command = [
        *find_c_compiler(), f"-std={standard}", "-O1", "-Wall", "-Wextra", "-Wpedantic",
        "-Wconversion", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
        f"-I{RUNTIME}", "main.c", str(RUNTIME / "autodeploy_memory.c"), "-o", "main",
    ]  # fmt: skip
    subprocess.run(command, cwd=tmp_path, check=True)
    options = {"ASAN_OPTIONS": "allocator_may_return_null=1"}
    assert subprocess.run(["./main"], cwd=tmp_path, env=options).returncode == 0
