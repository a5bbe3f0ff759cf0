"""The runtime that kernels call: compiled strictly, and run under the sanitizers."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

RUNTIME = Path(find_spec("autodeploy").submodule_search_locations[0]) / "runtime"
SOURCE = RUNTIME / "halide_runtime.c"
CC = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
CXX = os.environ.get("CXX") or shutil.which("g++")
STRICT = ["-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]

needs_cc = pytest.mark.skipif(CC is None, reason="needs a C compiler: gcc, or one named by CC")

PROGRAM = r"""
#include "halide_runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); return 1; } } while (0)

static int add_index(void *user_context, int index, uint8_t *closure)
{
    (void)user_context;
    *(int *)(void *)closure = *(int *)(void *)closure * 10 + index;
    return index == 7 ? -3 : 0;
}

static int backwards(autodeploy_runtime *runtime, autodeploy_task task, int first, int count,
                     uint8_t *closure)
{
    int index;
    *(int *)runtime->pool += 1;
    for (index = first + count - 1; index >= first; index--) {
        task(runtime, index, closure);
    }
    return 0;
}

static int test_memory(unsigned char *memory)
{
    const size_t bytes = 3 * (1000 + AUTODEPLOY_SCRATCH_OVERHEAD);
    autodeploy_runtime runtime;
    unsigned char *a, *b, *c;

    autodeploy_runtime_init(&runtime, memory, bytes);
    a = (unsigned char *)halide_malloc(&runtime, 1000);
    b = (unsigned char *)halide_malloc(&runtime, 1000);
    c = (unsigned char *)halide_malloc(&runtime, 1000);
    CHECK(a != NULL && b != NULL && c != NULL && !runtime.failed);
    CHECK((uintptr_t)a % AUTODEPLOY_SCRATCH_ALIGNMENT == 0);
    CHECK((uintptr_t)b % AUTODEPLOY_SCRATCH_ALIGNMENT == 0);
    CHECK((uintptr_t)c % AUTODEPLOY_SCRATCH_ALIGNMENT == 0);
    CHECK(a - 8 >= memory && b >= a + 1000 + 8 && c >= b + 1000 + 8);
    CHECK(c + 1000 + 8 <= memory + bytes);
    memset(a, 1, 1000);
    memset(b, 2, 1000);
    memset(c, 3, 1000);
    CHECK(runtime.peak == runtime.used && runtime.used <= bytes);

    /* Out of order: memory comes back when all newer blocks have. */
    halide_free(&runtime, b);
    CHECK(halide_malloc(&runtime, 1000) == NULL && runtime.failed);
    autodeploy_runtime_reset(&runtime);
    CHECK(!runtime.failed && runtime.message[0] == '\0' && runtime.used == 0);

    a = (unsigned char *)halide_malloc(&runtime, 1000);
    b = (unsigned char *)halide_malloc(&runtime, 1000);
    c = (unsigned char *)halide_malloc(&runtime, 1000);
    halide_free(&runtime, b);
    halide_free(&runtime, c);
    CHECK(halide_malloc(&runtime, 1000) == b);
    halide_free(&runtime, NULL);
    halide_free(&runtime, a);
    CHECK(runtime.used != 0);
    halide_free(&runtime, b);
    CHECK(runtime.used == 0 && runtime.newest == 0);
    return 0;
}

static int test_exhaustion(unsigned char *memory)
{
    autodeploy_runtime runtime;

    autodeploy_runtime_init(&runtime, NULL, 0);
    CHECK(halide_malloc(&runtime, 0) == NULL && runtime.failed);
    CHECK(strcmp(runtime.message, "scratch memory of the kernels is exhausted") == 0);
    autodeploy_runtime_init(&runtime, memory, 4096);
    CHECK(halide_malloc(&runtime, (size_t)-1) == NULL);
    CHECK(halide_malloc(&runtime, (size_t)-64) == NULL);
    CHECK(halide_malloc(&runtime, 4096) == NULL && runtime.used == 0);
    CHECK(halide_malloc(&runtime, 4096 - AUTODEPLOY_SCRATCH_OVERHEAD) != NULL);
    return 0;
}

static int test_loops(void)
{
    autodeploy_runtime runtime;
    int seen = 0, calls = 0;

    autodeploy_runtime_init(&runtime, NULL, 0);
    CHECK(halide_do_par_for(&runtime, add_index, 2, 3, (uint8_t *)&seen) == 0 && seen == 234);
    CHECK(halide_do_par_for(&runtime, add_index, 2, 0, (uint8_t *)&seen) == 0 && seen == 234);
    seen = 0;
    CHECK(halide_do_par_for(&runtime, add_index, 6, 3, (uint8_t *)&seen) == -3 && seen == 67);
    seen = 0;
    runtime.parallel_for = backwards;
    runtime.pool = &calls;
    CHECK(halide_do_par_for(&runtime, add_index, 2, 3, (uint8_t *)&seen) == 0 && seen == 432);
    CHECK(calls == 1);
    return 0;
}

static int test_errors(void)
{
    autodeploy_runtime runtime;
    char text[400];

    autodeploy_runtime_init(&runtime, NULL, 0);
    halide_error(&runtime, "first\n");
    halide_error(&runtime, "second");
    CHECK(runtime.failed && strcmp(runtime.message, "first") == 0);
    autodeploy_runtime_reset(&runtime);
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    halide_error(&runtime, text);
    CHECK(strlen(runtime.message) == AUTODEPLOY_RUNTIME_MESSAGE_BYTES - 1);
    return 0;
}

int main(void)
{
    int shift, failed = test_loops() || test_errors();
    for (shift = 0; shift < 130 && !failed; shift += 13) {
        unsigned char *memory = (unsigned char *)malloc(4096 + (size_t)shift);
        failed = test_memory(memory + shift) || test_exhaustion(memory + shift);
        free(memory);
    }
    return failed;
}
"""


@needs_cc
@pytest.mark.parametrize("standard", ["-std=c99", "-std=c11", "-std=c17"])
def test_compiles_as_strict_c(standard: str, tmp_path: Path) -> None:
    prototypes = ["-Wstrict-prototypes", "-Wmissing-prototypes"]
    command = [CC, standard, *STRICT, *prototypes, "-c", SOURCE, "-o", tmp_path / "runtime.o"]
    subprocess.run(command, check=True)


@pytest.mark.skipif(CXX is None, reason="needs a C++ compiler: g++, or one named by CXX")
def test_compiles_as_strict_cpp(tmp_path: Path) -> None:
    command = [CXX, "-x", "c++", "-std=c++11", *STRICT, "-c", SOURCE, "-o", tmp_path / "runtime.o"]
    subprocess.run(command, check=True)


@needs_cc
def test_has_no_state_and_allocates_nothing(tmp_path: Path) -> None:
    if shutil.which("nm") is None:
        pytest.skip("needs nm")
    output = tmp_path / "runtime.o"
    subprocess.run([CC, "-std=c99", "-O1", "-c", SOURCE, "-o", output], check=True)
    text = subprocess.run(["nm", output], check=True, capture_output=True, text=True).stdout
    kinds = {line.split()[-1]: line.split()[-2] for line in text.splitlines()}
    assert not [name for name, kind in kinds.items() if kind in "BbDdCc"]
    used = {name for name, kind in kinds.items() if kind == "U"}
    assert used <= {"memcpy", "memset", "strlen", "__stack_chk_fail"}


@needs_cc
@pytest.mark.parametrize("sanitizers", ["", "-fsanitize=address,undefined"])
def test_behaviour(sanitizers: str, tmp_path: Path) -> None:
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(PROGRAM)
    flags = [sanitizers, "-fno-sanitize-recover=all"] if sanitizers else []
    command = [CC, "-std=c99", "-g", *STRICT, *flags, "-I", RUNTIME, source, SOURCE, "-o", program]
    if (
        sanitizers
        and subprocess.run(
            [CC, *flags, "-x", "c", "-", "-o", tmp_path / "probe"],
            input=b"int main(void) { return 0; }",
            capture_output=True,
        ).returncode
    ):
        pytest.skip("the C compiler has no sanitizers")
    subprocess.run(command, check=True)
    result = subprocess.run([program], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
