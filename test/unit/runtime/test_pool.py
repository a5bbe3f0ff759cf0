"""The thread pool: compiled strictly, and run under the sanitizers, with and without atomics."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

RUNTIME = Path(find_spec("autodeploy").submodule_search_locations[0]) / "runtime"
SOURCES = [RUNTIME / "autodeploy_pool.c", RUNTIME / "halide_runtime.c"]
CC = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
CXX = os.environ.get("CXX") or shutil.which("g++")
STRICT = [
    "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wshadow", "-Wconversion", "-Wcast-qual",
    "-Wwrite-strings", "-Wundef",
]  # fmt: skip
STRICT_C = ["-std=c99", *STRICT, "-Wstrict-prototypes", "-Wmissing-prototypes"]
ATOMICS = ["-UAUTODEPLOY_WITHOUT_ATOMICS", "-DAUTODEPLOY_WITHOUT_ATOMICS"]

pytestmark = pytest.mark.skipif(CC is None, reason="needs a C compiler: gcc, or one named by CC")

PROGRAM = r"""
#define _POSIX_C_SOURCE 200112L
#include "autodeploy_pool.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition) \
    do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); return 1; } } while (0)

enum { MOST = 1000, SCRATCH = 4096, LOOPS = 300 };

/* Threads that the system still starts; below 0 any number. */
static int threads_left = -1;
int limited_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument);
int limited_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    if (threads_left == 0) {
        return 11;
    }
    if (threads_left > 0) {
        --threads_left;
    }
    return pthread_create(thread, attributes, run, argument);
}

static void rest(long nanoseconds)
{
    struct timespec time;
    time.tv_sec = 0;
    time.tv_nsec = nanoseconds;
    (void)nanosleep(&time, NULL);
}

typedef struct {
    int first;
    int failing; /* the iteration that fails; -1: none */
    int seen[MOST];
} loop;

/* Count the iteration; scratch memory of the thread is there and nobody else's. */
static int count_iteration(void *user_context, int index, uint8_t *closure)
{
    loop *const at = (loop *)(void *)closure;
    unsigned char *const memory =
        (unsigned char *)halide_malloc(user_context, SCRATCH - AUTODEPLOY_SCRATCH_OVERHEAD);
    const int i = index - at->first;
    int byte;
    if (memory == NULL) {
        return -1;
    }
    memset(memory, i & 255, 64);
    if (i == at->failing) {
        halide_error(user_context, "the test asks for failure");
        return -5;
    }
    at->seen[i] += 1;
    for (byte = 0; byte < 64; ++byte) {
        if (memory[byte] != (i & 255)) {
            return -2;
        }
    }
    halide_free(user_context, memory);
    return 0;
}

static int run(autodeploy_runtime *runtime, int first, int count, int failing)
{
    loop at;
    int i, code;
    memset(&at, 0, sizeof at);
    at.first = first;
    at.failing = failing;
    code = halide_do_par_for(runtime, count_iteration, first, count, (uint8_t *)&at);
    if (failing >= 0) {
        CHECK(code == -5);
        CHECK(runtime->failed && strcmp(runtime->message, "the test asks for failure") == 0);
        autodeploy_runtime_reset(runtime);
        return 0;
    }
    CHECK(code == 0 && !runtime->failed);
    for (i = 0; i < count; ++i) {
        CHECK(at.seen[i] == 1);
    }
    return 0;
}

/* Inner loops run by the thread of the outer iteration, in order. */
static int append(void *user_context, int index, uint8_t *closure)
{
    (void)user_context;
    *(int *)(void *)closure = *(int *)(void *)closure * 10 + index;
    return 0;
}

static int nest(void *user_context, int index, uint8_t *closure)
{
    int digits = 0;
    (void)closure;
    return index >= 0 && halide_do_par_for(user_context, append, 1, 5, (uint8_t *)&digits) == 0 &&
           digits == 12345 ? 0 : -3;
}

/* Two iterations that wait for each other end only if they run at the same time. */
typedef struct {
    pthread_mutex_t lock;
    int arrived;
} meeting;

static int meet(void *user_context, int index, uint8_t *closure)
{
    meeting *const at = (meeting *)(void *)closure;
    int tries, arrived;
    (void)user_context;
    (void)index;
    (void)pthread_mutex_lock(&at->lock);
    at->arrived += 1;
    (void)pthread_mutex_unlock(&at->lock);
    for (tries = 0; tries < 60000; ++tries) {
        (void)pthread_mutex_lock(&at->lock);
        arrived = at->arrived;
        (void)pthread_mutex_unlock(&at->lock);
        if (arrived == 2) {
            return 0;
        }
        rest(1000000);
    }
    return -4;
}

/* As many iterations as threads, each of which waits for all others: none is helped out. */
typedef struct {
    meeting all;
    int count;
    void *contexts[4];
} assembly;

static int assemble(void *user_context, int index, uint8_t *closure)
{
    assembly *const at = (assembly *)(void *)closure;
    int tries, arrived;
    (void)pthread_mutex_lock(&at->all.lock);
    at->contexts[index] = user_context;
    at->all.arrived += 1;
    (void)pthread_mutex_unlock(&at->all.lock);
    for (tries = 0; tries < 60000; ++tries) {
        (void)pthread_mutex_lock(&at->all.lock);
        arrived = at->all.arrived;
        (void)pthread_mutex_unlock(&at->all.lock);
        if (arrived == at->count) {
            return 0;
        }
        rest(1000000);
    }
    return -4;
}

/* A thread has the same iterations in all loops of so many; the caller has the first ones. */
static int test_shares(autodeploy_runtime *runtime, int threads)
{
    void *before[4];
    int i, n;
    for (n = 0; n < 5; ++n) {
        assembly at;
        at.all.arrived = 0;
        at.count = threads;
        CHECK(pthread_mutex_init(&at.all.lock, NULL) == 0);
        CHECK(halide_do_par_for(runtime, assemble, 0, threads, (uint8_t *)&at) == 0);
        CHECK(pthread_mutex_destroy(&at.all.lock) == 0);
        CHECK(at.contexts[0] == (void *)runtime);
        for (i = 0; i < threads; ++i) {
            CHECK(n == 0 || at.contexts[i] == before[i]);
            before[i] = at.contexts[i];
        }
    }
    return 0;
}

static int test_pool(int threads)
{
    static const int counts[] = {0, 1, 2, 3, 7, 64, MOST};
    const size_t bytes = autodeploy_pool_bytes(threads, SCRATCH);
    unsigned char *const memory = (unsigned char *)malloc(bytes + 3);
    unsigned char *const own = (unsigned char *)malloc(SCRATCH);
    autodeploy_runtime runtime;
    autodeploy_pool *pool;
    int i, n;
    autodeploy_runtime_init(&runtime, own, SCRATCH);
    pool = autodeploy_pool_start(memory + 3, threads, SCRATCH, &runtime);
    CHECK(pool != NULL && runtime.pool == pool && runtime.parallel_for != NULL);
    for (n = 0; n < (int)(sizeof counts / sizeof *counts); ++n) {
        CHECK(run(&runtime, 0, counts[n], -1) == 0);
        CHECK(run(&runtime, -3, counts[n], -1) == 0);
    }
    for (i = 0; i < LOOPS; ++i) {
        CHECK(run(&runtime, i, 1 + i % 40, -1) == 0);
        if (i % 30 == 0) {
            rest(500000); /* they fall asleep */
        }
    }
    for (i = 0; i < 64; ++i) {
        CHECK(run(&runtime, 5, 64, i) == 0);
        CHECK(run(&runtime, 5, 64, -1) == 0);
    }
    CHECK(test_shares(&runtime, threads) == 0);
    CHECK(halide_do_par_for(&runtime, nest, 0, 50, NULL) == 0);
    CHECK(runtime.parallel_for != NULL);
    for (i = 0; i < 3; ++i) {
        meeting at;
        at.arrived = 0;
        CHECK(pthread_mutex_init(&at.lock, NULL) == 0);
        CHECK(halide_do_par_for(&runtime, meet, 0, 2, (uint8_t *)&at) == 0);
        CHECK(pthread_mutex_destroy(&at.lock) == 0);
        rest(500000);
    }
    autodeploy_pool_stop(pool);
    CHECK(runtime.pool == NULL && runtime.parallel_for == NULL);
    CHECK(run(&runtime, 0, 7, -1) == 0);
    free(memory);
    free(own);
    return 0;
}

static int test_start(void)
{
    unsigned char *const memory = (unsigned char *)malloc(autodeploy_pool_bytes(8, 0));
    autodeploy_runtime runtime;
    int i;
    autodeploy_runtime_init(&runtime, NULL, 0);
    CHECK(autodeploy_pool_processors() >= 1);
    CHECK(autodeploy_pool_bytes(1, 64) == 0 && autodeploy_pool_bytes(-1, 64) == 0);
    CHECK(autodeploy_pool_bytes(AUTODEPLOY_POOL_MAX_THREADS, 0) != 0);
    CHECK(autodeploy_pool_bytes(AUTODEPLOY_POOL_MAX_THREADS + 1, 0) == 0);
    CHECK(autodeploy_pool_bytes(3, (size_t)-1) == 0);
    CHECK(autodeploy_pool_bytes(3, (size_t)-1 / 4) == 0);
    CHECK(autodeploy_pool_start(memory, 1, 0, &runtime) == NULL);
    for (i = 0; i < 8; ++i) {
        autodeploy_pool *pool;
        threads_left = i;
        pool = autodeploy_pool_start(memory, 8, 0, &runtime);
        CHECK((pool != NULL) == (i == 7) && (runtime.parallel_for != NULL) == (i == 7));
        autodeploy_pool_stop(pool);
    }
    threads_left = -1;
    autodeploy_pool_stop(NULL);
    free(memory);
    return 0;
}

static void *test_in_thread(void *argument)
{
    return test_pool(2) == 0 ? NULL : argument;
}

int main(void)
{
    pthread_t other;
    int mark;
    void *failed = NULL;
    int code = test_start();
    if (pthread_create(&other, NULL, test_in_thread, &mark) != 0) {
        return 2;
    }
    code |= test_pool(4);
    (void)pthread_join(other, &failed);
    return code != 0 || failed != NULL;
}
"""


@pytest.mark.parametrize("atomics", ATOMICS)
def test_compiles_strictly(atomics: str, tmp_path: Path) -> None:
    output = tmp_path / "pool.o"
    subprocess.run([CC, *STRICT_C, atomics, "-O1", "-c", SOURCES[0], "-o", output], check=True)
    if CXX is not None:
        command = [CXX, "-x", "c++", "-std=c++11", *STRICT, atomics, "-c", SOURCES[0], "-o", output]
        subprocess.run(command, check=True)


def test_has_no_state_and_allocates_nothing(tmp_path: Path) -> None:
    if shutil.which("nm") is None:
        pytest.skip("needs nm")
    output = tmp_path / "pool.o"
    subprocess.run([CC, "-std=c99", "-O1", "-c", SOURCES[0], "-o", output], check=True)
    text = subprocess.run(["nm", output], check=True, capture_output=True, text=True).stdout
    kinds = {line.split()[-1]: line.split()[-2] for line in text.splitlines()}
    assert not [name for name, kind in kinds.items() if kind in "BbDdCc"]
    assert not {"malloc", "calloc", "realloc", "free"} & set(kinds)


@pytest.mark.one_case
@pytest.mark.parametrize("atomics", ATOMICS)
@pytest.mark.parametrize("sanitizers", ["thread", "address,undefined"])
def test_behaviour(sanitizers: str, atomics: str, tmp_path: Path) -> None:
    source, program, pool = tmp_path / "program.c", tmp_path / "program", tmp_path / "pool.o"
    source.write_text(PROGRAM)
    checks = [f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", "-g", "-O1"]
    probe = tmp_path / "probe"
    linked = subprocess.run(
        [CC, *checks, "-x", "c", "-", "-o", probe],
        input=b"int main(void) { return 0; }",
        capture_output=True,
    )
    if linked.returncode or subprocess.run([probe], capture_output=True).returncode:
        pytest.skip(f"the C compiler has no -fsanitize={sanitizers} that works here")
    # What the pool starts its threads by can fail when the test wants it to.
    limited = "-Dpthread_create=limited_create"
    command = [CC, *STRICT_C, *checks, atomics, limited, "-c", SOURCES[0], "-o", pool]
    subprocess.run(command, check=True)
    command = [CC, *STRICT_C, *checks, "-I", RUNTIME, source, pool, SOURCES[1]]
    subprocess.run([*command, "-pthread", "-o", program], check=True)
    result = subprocess.run([program], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
