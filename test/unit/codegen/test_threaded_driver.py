"""The generated driver of a program that computes with several threads."""

from __future__ import annotations

import pytest
from c_program import CHECKS, Folder, execute, new_folder, planned
from xdsl.dialects.builtin import IntegerAttr, i64

from autodeploy.codegen.bundle.build_files import (
    POOL_HEADERS,
    POOL_SOURCES,
    cmake_lists,
    makefile,
)
from autodeploy.codegen.c.driver import driver_text
from autodeploy.codegen.c.header import header_text
from autodeploy.codegen.c.program import MAX_THREADS
from autodeploy.codegen.c.read_program import find_program, read_program
from autodeploy.codegen.c.template import runtime_file
from autodeploy.codegen.halide.scratch import BLOCK_OVERHEAD
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.passes.driver.plan_memory import PlanMemoryPass

SCRATCH = 4000 + BLOCK_OVERHEAD
"""Bytes of scratch memory that a thread needs for the kernel."""

# Adds as the kernel of the other tests does, one element an iteration, through scratch memory.
KERNEL = r"""
#include "halide_buffer.h"
#include "halide_runtime.h"
int first_add(const void *context, halide_buffer_t *a, halide_buffer_t *b, halide_buffer_t *out);

static int add_one(void *context, int index, uint8_t *closure)
{
    halide_buffer_t *const *const buffers = (halide_buffer_t *const *)(void *)closure;
    float *const taken = (float *)halide_malloc(context, 4000);
    const float left = ((const float *)(void *)buffers[0]->host)[index];
    if (taken == NULL) {
        return -1;
    }
    if (left < -1000.0F) {
        halide_error(context, "the test asks for failure");
        return -7;
    }
    taken[index] = left + ((const float *)(void *)buffers[1]->host)[index];
    ((float *)(void *)buffers[2]->host)[index] = taken[index];
    halide_free(context, taken);
    return 0;
}

int first_add(const void *context, halide_buffer_t *a, halide_buffer_t *b, halide_buffer_t *out)
{
    halide_buffer_t *buffers[3];
    buffers[0] = a;
    buffers[1] = b;
    buffers[2] = out;
    return halide_do_par_for(
        (void *)(uintptr_t)context, add_one, 0, out->dim[0].extent, (uint8_t *)(void *)buffers);
}
"""

RUN = r"""
#include "first.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define EXPECT(condition) do { if (!(condition)) return __LINE__; } while (0)

static int run(first_context *context)
{
    static const float x[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const float bad[8] = {0, 0, 0, 0, 0, -2000.0F, 0, 0};
    float sum[8];
    float copy[8];
    int i;
    for (i = 0; i < 50; ++i) {
        memset(sum, 0, sizeof sum);
        EXPECT(first_predict(context, x, sum, copy) == FIRST_OK);
        EXPECT(sum[0] == 0.0F && sum[7] == 14.0F && copy[7] == 10.5F);
        EXPECT(first_predict(context, bad, sum, copy) == FIRST_ERROR_KERNEL);
        EXPECT(strcmp(first_error_message(context),
                      "kernel 'first_add' failed with code -7: the test asks for failure") == 0);
    }
    return 0;
}

int main(void)
{
    char text[80];
    first_options options;
    first_context *context;
    uint8_t *memory = (uint8_t *)malloc(first_context_bytes());
    int threads;
    memset(&options, 0, sizeof options);
    options.weights_path = "first.weights";
    options.message = text;
    options.message_bytes = sizeof text;
    options.threads = 5;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_ARGUMENT && context == NULL);
    EXPECT(strcmp(text, "this program was compiled for at most 4 threads, not for 5") == 0);
    for (threads = 0; threads <= 4; ++threads) {
        options.threads = threads;
        EXPECT(first_init(&context, &options) == FIRST_OK);
        EXPECT(run(context) == 0);
        first_free(context);
    }
    options.context = memory;
    options.context_bytes = first_context_bytes() - 1;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_SIZE);
    options.context_bytes += 1;
    EXPECT(first_init(&context, &options) == FIRST_OK && (void *)context == (void *)memory);
    EXPECT(run(context) == 0);
    first_free(context);
    free(memory);
    return 0;
}
"""

# Contexts are used and ended on both sides of forks, while another one computes in a thread.
FORK = r"""
#define _POSIX_C_SOURCE 200112L
#include "first.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define EXPECT(condition) do { if (!(condition)) return __LINE__; } while (0)

static first_options options;
static int stop; /* read and written as a whole */

static int run(first_context *context)
{
    static const float x[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    float sum[8] = {0}, copy[8] = {0};
    int i;
    EXPECT(first_predict(context, x, sum, copy) == FIRST_OK);
    for (i = 0; i < 8; ++i) {
        EXPECT(sum[i] == 2.0F * (float)i && copy[i] == 1.5F * (float)i);
    }
    return 0;
}

static void *run_until_stopped(void *context)
{
    while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) {
        if (run((first_context *)context) != 0) {
            return context;
        }
    }
    return NULL;
}

/* Threads of a pool are asleep after this; some are falling asleep after a shorter rest. */
static void rest(long nanoseconds)
{
    struct timespec time = {0, 0};
    time.tv_nsec = nanoseconds;
    (void)nanosleep(&time, NULL);
}

/* How a child ended: the line that it returned, or the number of its signal. */
static int await(pid_t child)
{
    int status = 0;
    EXPECT(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* The copies of a context that rested at the fork and of one that another thread ran. */
static int in_child(first_context *resting, first_context *running, int again)
{
    first_context *own;
    (void)alarm(60);
    EXPECT(run(resting) == 0);
    EXPECT(run(resting) == 0);
    if (again) {
        const pid_t child = fork();
        if (child == 0) {
            _exit(in_child(resting, running, 0));
        }
        EXPECT(await(child) == 0);
    }
    EXPECT(run(resting) == 0);
    first_free(resting);
    first_free(running);
    EXPECT(first_init(&own, &options) == FIRST_OK);
    EXPECT(run(own) == 0);
    first_free(own);
    return 0;
}

int main(void)
{
    first_context *resting, *running, *untouched;
    pthread_t thread;
    void *failed;
    int i;
    memset(&options, 0, sizeof options);
    options.weights_path = "first.weights";
    options.threads = 4;
    EXPECT(first_init(&resting, &options) == FIRST_OK);
    EXPECT(first_init(&running, &options) == FIRST_OK);
    EXPECT(first_init(&untouched, &options) == FIRST_OK);
    EXPECT(pthread_create(&thread, NULL, run_until_stopped, running) == 0);
    for (i = 0; i < 24; ++i) {
        pid_t child;
        EXPECT(run(resting) == 0);
        rest(i % 3 * 50000L);
        child = fork();
        if (child == 0) {
            first_free(untouched);
            _exit(in_child(resting, running, i % 8 == 0));
        }
        EXPECT(await(child) == 0);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    EXPECT(pthread_join(thread, &failed) == 0 && failed == NULL);
    EXPECT(run(resting) == 0 && run(running) == 0 && run(untouched) == 0);
    first_free(untouched);
    first_free(running);
    first_free(resting);
    return 0;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    made = new_folder(tmp_path_factory.mktemp("threads"))
    for name in (*POOL_SOURCES, *POOL_HEADERS):
        made.write(name, runtime_file(name))
    ctx, module = planned("first")
    (pipeline,) = (op for op in module.ops if isinstance(op, PipelineOp))
    pipeline.scratch_bytes = IntegerAttr(SCRATCH, i64)
    # The thread that calls has its scratch memory in the arena.
    PlanMemoryPass().apply(ctx, module)
    find_program(module).threads = IntegerAttr(4, i64)
    find_program(module).worker_scratch_bytes = IntegerAttr(SCRATCH, i64)
    made.add_model(ctx, module, kernels=False)
    made.sources += [*POOL_SOURCES, made.write("kernel.c", KERNEL)]
    return made


@pytest.mark.one_case
@pytest.mark.parametrize("checks", [CHECKS, ("-g", "-O1", "-fsanitize=thread")])
def test_run(folder: Folder, checks: tuple[str, ...]) -> None:
    result = execute(folder.compile("run", folder.write("run.c", RUN), flags=checks))
    assert result.returncode == 0, f"line {result.returncode}: {result.stderr}"


# AddressSanitizer's own allocator has locks that a child inherits locked: it would wait for ever.
@pytest.mark.one_case
@pytest.mark.parametrize(
    "checks",
    [
        ("-g", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"),
        ("-O1", "-DAUTODEPLOY_WITHOUT_ATOMICS"),
    ],
)
def test_fork(folder: Folder, checks: tuple[str, ...]) -> None:
    result = execute(folder.compile("fork", folder.write("fork.c", FORK), flags=checks))
    assert result.returncode == 0, f"line {result.returncode}: {result.stderr}"


@pytest.mark.parametrize(("threads", "scratch"), [(1, None), (1, 64), (8, None)])
def test_no_pool_without_need(threads: int, scratch: int | None) -> None:
    _, module = planned("first")
    op = find_program(module)
    op.threads = IntegerAttr(threads, i64)
    op.worker_scratch_bytes = None if scratch is None else IntegerAttr(scratch, i64)
    program = read_program(module)
    assert not program.threads.has_pool
    assert "pool" not in driver_text(program)
    header = header_text(program)
    assert f"#define FIRST_MAX_THREADS {threads} /* threads, not bytes */" in header
    for text in (makefile(program, []), cmake_lists(program, [])):
        assert "pool" not in text and "hread" not in text


def test_build_files_with_a_pool() -> None:
    _, module = planned("first")
    op = find_program(module)
    op.threads, op.worker_scratch_bytes = IntegerAttr(8, i64), IntegerAttr(64, i64)
    program = read_program(module)
    made = makefile(program, [])
    library = next(line for line in made.splitlines() if line.startswith("LIBRARY = "))
    assert library.endswith(" halide_runtime.c autodeploy_pool.c")
    # The program, that with checks, the shared library and the self-test.
    assert made.count(" -lm -pthread -o $@") == 4
    assert all(header in made for header in POOL_HEADERS)
    cmake = cmake_lists(program, [])
    assert "\nfind_package(Threads REQUIRED)\n" in cmake and "autodeploy_pool.c" in cmake
    assert "\n  target_link_libraries(${library} PUBLIC Threads::Threads)\n" in cmake


def test_the_most_threads_are_those_of_the_runtime() -> None:
    assert f"AUTODEPLOY_POOL_MAX_THREADS = {MAX_THREADS}\n" in runtime_file("autodeploy_pool.h")
