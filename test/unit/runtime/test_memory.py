"""Memory of the C program: aligned, all of it there, in blocks of any size."""

from __future__ import annotations

import re
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
    const size_t sizes[] = {0, 1, 64, 4095, 4 * mib - 1, 4 * mib, 9 * mib + 3, 8 * mib + 3};
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


ENDS = r"""
#include "autodeploy_memory.h"
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **sizes)
{
    void *block;
    while (--count > 0) {
        const size_t bytes = (size_t)strtoull(*++sizes, NULL, 10);
        printf("%" PRIuPTR "\n", (uintptr_t)autodeploy_memory_take(bytes, &block) + bytes - 1);
    }
    fflush(stdout);
    return system("cat /proc/$PPID/smaps") != 0;
}
"""

PAGE = 2 << 20


@pytest.mark.skipif(
    not Path("/sys/kernel/mm/transparent_hugepage").exists(), reason="a system without large pages"
)
def test_the_end_is_on_a_large_page_where_it_takes_half_of_it(tmp_path: Path) -> None:
    """Scratch memory of kernels is the end of an arena."""
    (tmp_path / "main.c").write_text(ENDS)
    command = [
        *find_c_compiler(), f"-I{RUNTIME}", "main.c", str(RUNTIME / "autodeploy_memory.c"),
        "-o", "main",
    ]  # fmt: skip
    subprocess.run(command, cwd=tmp_path, check=True)
    sizes = {4 * PAGE: True, 4 * PAGE + PAGE // 2: True, 4 * PAGE + PAGE // 2 - 1: False}
    printed = subprocess.run(
        ["./main", *map(str, sizes)], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    ends, maps = [int(line) for line in printed[: len(sizes)]], printed[len(sizes) :]
    large: set[int] = set()
    held: list[int] = []
    for line in maps:
        if match := re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line):
            first, behind = (int(text, 16) for text in match.groups())
            held = [end for end in ends if first <= end < behind]
        elif line.startswith("VmFlags:") and "hg" in line.split():
            large.update(held)
    assert [end in large for end in ends] == list(sizes.values())
