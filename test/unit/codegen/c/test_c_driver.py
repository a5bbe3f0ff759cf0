"""The generated driver as a C program: strict compilers, sanitizers, threads, every error."""

from __future__ import annotations

from pathlib import Path

import pytest
from c_program import CHECKS, Folder, execute, new_folder, parse, planned

from autodeploy.toolchain.compiler import find_c_compiler, run

# Prints what model_init says of a weight file, read from its path or given in memory.
LOADER = r"""
#include "first.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    static uint64_t memory[512];
    char message[300] = "";
    first_options options;
    first_context *context;
    first_status status;
    memset(&options, 0, sizeof options);
    options.message = message;
    options.message_bytes = sizeof message;
    if (strcmp(argv[1], "path") == 0) {
        options.weights_path = argv[2];
    } else {
        const size_t offset = (size_t)atol(argv[3]);
        uint8_t *at = (uint8_t *)memory;
        FILE *const file = fopen(argv[2], "rb");
        at += 64 - (uintptr_t)at % 64 + offset;
        options.weights = at;
        options.weights_bytes = fread(at, 1, 2048, file);
        (void)fclose(file);
    }
    (void)argc;
    status = first_init(&context, &options);
    printf("%d|%s|%s\n", (int)status, first_status_message(status), message);
    first_free(context);
    return status == FIRST_OK ? (context == NULL) : (context != NULL);
}
"""

# Checks options and arguments; prints nothing and returns the line of the first mistake.
OPTIONS = r"""
#include "first.h"
#include <string.h>
#define EXPECT(condition) do { if (!(condition)) { return __LINE__; } } while (0)
static uint8_t arena[FIRST_ARENA_BYTES + 128];
static double place[1024];
static void *aligned(uint8_t *at) { return at + (64 - (uintptr_t)at % 64) % 64; }
int main(void)
{
    const float x[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const float bad[8] = {-2000, 0, 0, 0, 0, 0, 0, 0};
    float sum[8];
    float copy[9];
    const void *inputs[1];
    void *outputs[2];
    char small[10];
    char text[80];
    first_options options;
    first_context *context;
    memset(&options, 0, sizeof options);
    EXPECT(first_init(NULL, &options) == FIRST_ERROR_ARGUMENT);
    EXPECT(first_init(&context, NULL) == FIRST_ERROR_ARGUMENT);
    EXPECT(first_init(&context, &options) == FIRST_ERROR_ARGUMENT && context == NULL);
    options.weights_path = "first.weights";
    options.weights = arena;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_ARGUMENT);
    options.weights = NULL;
    options.threads = -1;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_ARGUMENT);
    options.threads = 2;
    options.message = text;
    options.message_bytes = sizeof text;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_ARGUMENT && FIRST_MAX_THREADS == 1);
    EXPECT(strcmp(text, "this program was compiled for at most 1 thread, not for 2") == 0);
    options.threads = 1;
    options.arena = aligned(arena);
    options.arena_bytes = FIRST_ARENA_BYTES - 1;
    options.message = small;
    options.message_bytes = sizeof small;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_SIZE && strlen(small) == 9);
    options.message = NULL;
    options.arena = (uint8_t *)aligned(arena) + 32;
    options.arena_bytes = FIRST_ARENA_BYTES;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_ALIGNMENT);
    options.arena = aligned(arena);
    options.context = place;
    options.context_bytes = first_context_bytes() - 1;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_SIZE);
    options.context_bytes = sizeof place;
    options.context = (uint8_t *)place + 1;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_ALIGNMENT);
    options.context = place;
    EXPECT(first_init(&context, &options) == FIRST_OK && (void *)context == (void *)place);

    EXPECT(first_predict(NULL, x, sum, copy) == FIRST_ERROR_ARGUMENT);
    EXPECT(first_predict(context, NULL, sum, copy) == FIRST_ERROR_ARGUMENT);
    EXPECT(strstr(first_error_message(context), "'x y' is null") != NULL);
    EXPECT(first_predict(context, x, sum, NULL) == FIRST_ERROR_ARGUMENT);
    EXPECT(strstr(first_error_message(context), "'copy' is null") != NULL);
    inputs[0] = x;
    outputs[0] = sum;
    outputs[1] = (uint8_t *)copy + 1;
    EXPECT(first_run(context, inputs, outputs) == FIRST_ERROR_ALIGNMENT);
    EXPECT(first_run(context, NULL, outputs) == FIRST_ERROR_ARGUMENT);
    EXPECT(first_run(context, inputs, NULL) == FIRST_ERROR_ARGUMENT);
    EXPECT(first_predict(context, bad, sum, copy) == FIRST_ERROR_KERNEL);
    EXPECT(strcmp(first_error_message(context),
                  "kernel 'first_add' failed with code -7: the test asks for failure") == 0);
    EXPECT(first_predict(context, x, sum, copy) == FIRST_OK);
    EXPECT(first_error_message(context)[0] == '\0' && first_error_message(NULL)[0] == '\0');
    EXPECT(sum[7] == 14.0F && copy[7] == 10.5F);
    first_free(context);
    first_free(NULL);

    EXPECT(first_input_info(-1) == NULL && first_input_info(1) == NULL);
    EXPECT(first_output_info(-1) == NULL && first_output_info(2) == NULL);
    EXPECT(strcmp(first_input_info(0)->name, "x y") == 0 && first_input_info(0)->rank == 2);
    EXPECT(first_input_info(0)->shape[1] == 8 && first_input_info(0)->bytes == 32);
    EXPECT(first_input_info(0)->dtype == FIRST_FLOAT32);
    EXPECT(strcmp(first_output_info(1)->name, "copy") == 0);
    EXPECT(strcmp(first_status_message((first_status)99), "unknown status") == 0);
    return 0;
}
"""

# Two models, each with a context in each of two threads.
THREADS = r"""
#include "first.h"
#include "second.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static void *work(void *argument)
{
    const float start = *(const float *)argument;
    float x[8] = {0}, sum[8], copy[8];
    first_options first;
    second_options second;
    first_context *a;
    second_context *b;
    int i;
    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    first.weights_path = "first.weights";
    second.weights_path = "second.weights";
    if (first_init(&a, &first) != FIRST_OK || second_init(&b, &second) != SECOND_OK) {
        return argument;
    }
    for (i = 0; i < 2000; ++i) {
        x[7] = start + (float)i;
        if (first_predict(a, x, sum, copy) != FIRST_OK || sum[7] != x[7] + 7.0F) {
            return argument;
        }
        if (second_predict(b, x, sum, copy) != SECOND_OK || sum[7] != x[7] + 14.0F) {
            return argument;
        }
    }
    first_free(a);
    second_free(b);
    return NULL;
}
int main(void)
{
    float starts[2] = {0.0F, 100000.0F};
    pthread_t threads[2];
    void *failed[2] = {starts, starts};
    int i;
    for (i = 0; i < 2; ++i) {
        if (pthread_create(&threads[i], NULL, work, &starts[i]) != 0) {
            return 2;
        }
    }
    for (i = 0; i < 2; ++i) {
        (void)pthread_join(threads[i], &failed[i]);
    }
    return failed[0] != NULL || failed[1] != NULL;
}
"""

# Counts allocations: none after init, none at all where the caller brings all memory.
ALLOCATIONS = r"""
#include "first.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int count;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) { ++count; return __real_malloc(bytes); }
void *__wrap_calloc(size_t number, size_t bytes);
void *__wrap_calloc(size_t number, size_t bytes) { ++count; return __real_malloc(number * bytes); }
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes) { (void)block; (void)bytes; abort(); }
static double memory[1024], arena[FIRST_ARENA_BYTES / 8 + 8], weights[FIRST_WEIGHTS_BYTES / 8 + 8];
static void *aligned(double *at)
{
    return (uint8_t *)at + (64 - (uintptr_t)at % 64) % 64;
}
int main(void)
{
    const float x[8] = {0};
    float sum[8], copy[8];
    first_options options;
    first_context *context;
    FILE *file;
    memset(&options, 0, sizeof options);
    options.weights_path = "first.weights";
    if (first_init(&context, &options) != FIRST_OK || count != 3) {
        return 1;
    }
    if (first_predict(context, x, sum, copy) != FIRST_OK || count != 3) {
        return 2;
    }
    first_free(context);
    file = fopen("first.weights", "rb");
    options.weights_path = NULL;
    options.weights = aligned(weights);
    options.weights_bytes = fread(aligned(weights), 1, FIRST_WEIGHTS_BYTES, file);
    (void)fclose(file);
    options.arena = aligned(arena);
    options.arena_bytes = FIRST_ARENA_BYTES;
    options.context = memory;
    options.context_bytes = sizeof memory;
    count = 0;
    if (first_init(&context, &options) != FIRST_OK) {
        return 3;
    }
    if (first_predict(context, x, sum, copy) != FIRST_OK || sum[7] != 7.0F || count != 0) {
        return 4;
    }
    first_free(context);
    return 0;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    made = new_folder(tmp_path_factory.mktemp("models"))
    made.add_model(*planned("first"))
    made.add_model(*planned("second", scale=2.0))
    return made


@pytest.fixture(scope="module")
def loader(folder: Folder) -> Path:
    return folder.compile("loader", folder.write("loader.c", LOADER))


def test_options_and_arguments(folder: Folder) -> None:
    result = execute(folder.compile("options", folder.write("options.c", OPTIONS)))
    assert result.returncode == 0, f"line {result.returncode}: {result.stderr}"


@pytest.mark.parametrize("checks", [CHECKS, ("-g", "-O1", "-fsanitize=thread")])
def test_two_models_in_two_threads(folder: Folder, checks: tuple[str, ...]) -> None:
    program = folder.compile("threads", folder.write("threads.c", THREADS), flags=checks)
    result = execute(program)
    assert result.returncode == 0, result.stderr


def test_allocations(folder: Folder) -> None:
    flags = tuple(f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "realloc"))
    source = folder.write("allocations.c", ALLOCATIONS)
    assert execute(folder.compile("allocations", source, flags=("-O2", *flags))).returncode == 0


def test_no_written_globals(folder: Folder) -> None:
    compiler = find_c_compiler()
    for source in folder.sources:
        run([*compiler, "-std=c99", "-O0", "-c", source, "-o", "object.o"], folder.path)
        symbols = run(["nm", "object.o"], folder.path).splitlines()
        kinds = {line.split()[-2] for line in symbols}
        assert "T" in kinds
        # Pointers in read-only tables are relocated, hence "d" in position-independent objects;
        # those tables must be in a section that is not writable afterwards.
        data = [line.split()[-1] for line in symbols if line.split()[-2] in "dDbBcC"]
        sections = run(["objdump", "-t", "object.o"], folder.path)
        for name in data:
            line = next(row for row in sections.splitlines() if row.endswith(f" {name}"))
            assert ".data.rel.ro" in line, f"{name} in {source} is written"


def test_cxx(folder: Folder) -> None:
    program = folder.compile_cxx("threads_cxx", folder.write("threads.c", THREADS))
    assert execute(program).returncode == 0


def test_weights_are_read(folder: Folder, loader: Path) -> None:
    assert execute(loader, "path", "first.weights").stdout == "0|no error|\n"
    assert execute(loader, "memory", "first.weights", "0").stdout == "0|no error|\n"


def change(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


# Each case: what is done to the file, the status, its text, and part of the detailed message.
DAMAGE = {
    "empty": (lambda d: b"", 7, "inside its header"),
    "header cut": (lambda d: d[:40], 7, "ends after 40 bytes, inside its header"),
    "data cut": (lambda d: d[:-1], 7, "ends after 255 bytes of data, expected 256"),
    "only header": (lambda d: d[:64], 7, "ends after 0 bytes of data"),
    "other file": (lambda d: b"\x93NUMPY" + d, 8, "not a weight file"),
    "short other file": (lambda d: b"hello", 8, "not a weight file"),
    "text mode": (lambda d: d.replace(b"\r\n", b"\n"), 8, "not a weight file"),
    "order damaged": (lambda d: change(d, 8, b"\x09"), 8, "byte order mark"),
    "header size": (lambda d: change(d, 16, b"\x80"), 8, "header has 128 bytes, expected 64"),
    "header end": (lambda d: change(d, 56, b"\x01"), 8, "other bytes than zeros"),
    "last of header": (lambda d: change(d, 63, b"\x80"), 8, "other bytes than zeros"),
    "version": (lambda d: change(d, 12, b"\x02"), 9, "version 2, this program reads version 1"),
    "byte order": (lambda d: change(d, 8, b"\x01\x02\x03\x04"), 10, "other byte order"),
    "fingerprint": (lambda d: change(d, 40, bytes([d[40] ^ 1])), 11, "another model"),
    "data size": (lambda d: change(d, 24, b"\x40\x01"), 12, "320 bytes of data, expected 256"),
    "too long": (lambda d: d + b"\0", 12, "goes on"),
    "checksum": (lambda d: change(d, 48, bytes([d[48] ^ 1])), 13, "checksum"),
    "a bit": (lambda d: change(d, 100, bytes([d[100] ^ 16])), 13, "checksum"),
    "padding": (lambda d: change(d, len(d) - 1, b"\x01"), 13, "checksum"),
    "swapped": (lambda d: d[:64] + d[72:80] + d[64:72] + d[80:], 13, "checksum"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_weights(folder: Folder, loader: Path, name: str) -> None:
    damage, status, message = DAMAGE[name]
    data = (folder.path / "first.weights").read_bytes()
    (folder.path / "damaged").write_bytes(damage(data))
    for kind in (("path", "damaged"), ("memory", "damaged", "0")):
        result = execute(loader, *kind)
        assert result.returncode == 0, result.stderr
        found, _, text = result.stdout.strip().split("|")
        assert int(found) == status
        subject = "weight file 'damaged' " if kind[0] == "path" else "the weight file in memory "
        assert text.startswith(subject) and message in text


def test_weights_of_the_other_model(loader: Path) -> None:
    result = execute(loader, "path", "second.weights").stdout
    assert result.startswith("11|the weight file belongs to another model|")


def test_weights_that_cannot_be_read(loader: Path) -> None:
    assert execute(loader, "path", "none.weights").stdout == (
        "5|the weight file cannot be opened|weight file 'none.weights' cannot be opened\n"
    )
    assert execute(loader, "path", ".").stdout.startswith("6|reading the weight file failed|")


def test_weights_in_memory_are_aligned(loader: Path) -> None:
    result = execute(loader, "memory", "first.weights", "8").stdout
    assert result.startswith("2|memory is not aligned as it must be|")
    assert "aligned to 64 bytes" in result


def test_program_without_inputs_and_kernels(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    ctx, module = parse(
        """
        driver.program @alone inputs [] outputs ["y", "z"] arena 0 weights 65 {
        ^bb0(%y: memref<8xf32>, %z: memref<i1>):
          %w = driver.weight #nn.dense<1.5 : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>
          %t = driver.weight #nn.dense<1 : tensor<i1>> {offset = 64 : i64} : memref<i1>
          driver.copy %w to %y : memref<8xf32> to memref<8xf32>
          driver.copy %t to %z : memref<i1> to memref<i1>
        }
        """
    )
    program = folder.add_model(ctx, module, kernels=False)
    demo = folder.compile("demo", *folder.add_demo(program))
    folder.compile_cxx("demo_cxx", "main.c", *folder.add_demo(program)[1:])
    assert execute(demo, "alone.weights").stdout.splitlines() == [
        "y 8: 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5",
        "z scalar: 1",
    ]
