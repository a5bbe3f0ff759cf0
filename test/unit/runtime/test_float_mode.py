"""The floating-point mode: compiled strictly for each machine that has one, and for one without."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

RUNTIME = Path(find_spec("autodeploy").submodule_search_locations[0]) / "runtime"
CC = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
CXX = os.environ.get("CXX") or shutil.which("g++")
STRICT = [
    "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wshadow", "-Wconversion", "-Wcast-qual",
    "-Wundef",
]  # fmt: skip
POOL = [RUNTIME / "autodeploy_pool.c", RUNTIME / "halide_runtime.c"]

pytestmark = pytest.mark.skipif(CC is None, reason="needs a C compiler: gcc, or one named by CC")

# Returns the line of the first mistake. With NO_MODES the machine keeps subnormal numbers always.
PROGRAM = r"""
#include "autodeploy_float_mode.h"
#include <fenv.h>
#include <float.h>
#define EXPECT(condition) do { if (!(condition)) return __LINE__; } while (0)

static volatile float smallest = FLT_MIN;
static volatile float subnormal = FLT_MIN / 4;
static volatile double double_subnormal = DBL_MIN / 4;

static int flushes(void)
{
    volatile float result = smallest / 2;
    volatile float operand = subnormal * 8;
    volatile double doubled = double_subnormal * 8;
    volatile float negative = -smallest / 2;
    const int zeros = (result == 0) + (operand == 0) + (doubled == 0) + (negative == 0);
    return zeros == 4 ? 1 : zeros == 0 ? 0 : -1;
}

/* fegetround may look at another unit than the one that computes. */
static int rounds_up(void)
{
    volatile float one = 1;
    volatile float sum = one + FLT_EPSILON / 8;
    return sum > one;
}

int main(void)
{
    autodeploy_float_mode before;
#ifdef NO_MODES
    const int can_flush = 0;
#else
    const int can_flush = 1;
#endif
    EXPECT(flushes() == 0);
    EXPECT(fesetround(FE_UPWARD) == 0);
    EXPECT(feclearexcept(FE_ALL_EXCEPT) == 0);
    EXPECT(feraiseexcept(FE_DIVBYZERO) == 0);
    before = autodeploy_float_mode_read();
    autodeploy_float_mode_write(autodeploy_float_mode_of_runs(1));
    EXPECT(flushes() == can_flush);
    EXPECT(rounds_up() == !can_flush);
    EXPECT(feraiseexcept(FE_INVALID) == 0);
    autodeploy_float_mode_write(autodeploy_float_mode_of_runs(0));
    EXPECT(flushes() == 0);
    autodeploy_float_mode_write(before);
    EXPECT(autodeploy_float_mode_read() == before);
    EXPECT(!can_flush || fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
    EXPECT(rounds_up());
    EXPECT(flushes() == 0);
    return 0;
}
"""

# Every thread of a loop computes in the mode that its caller has then.
POOL_PROGRAM = r"""
#define _POSIX_C_SOURCE 200112L
#include "autodeploy_float_mode.h"
#include "autodeploy_pool.h"
#include <float.h>
#include <fenv.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#define EXPECT(condition) do { if (!(condition)) return __LINE__; } while (0)
enum { THREADS = 3 };

typedef struct {
    pthread_mutex_t lock;
    int arrived;
    int flushed;
    int rounded_up;
    int fails;
} meeting;

/* Wait for the other threads, so that each of them has one iteration. */
static int look(void *context, int index, uint8_t *closure)
{
    meeting *const at = (meeting *)(void *)closure;
    volatile float smallest = FLT_MIN;
    volatile float half = smallest / 2;
    volatile float one = 1;
    volatile float sum = one + FLT_EPSILON / 8;
    int arrived;
    (void)context;
    (void)pthread_mutex_lock(&at->lock);
    at->arrived += 1;
    at->flushed += half == 0;
    at->rounded_up += sum > one;
    (void)pthread_mutex_unlock(&at->lock);
    do {
        struct timespec time = {0, 100000};
        (void)nanosleep(&time, NULL);
        (void)pthread_mutex_lock(&at->lock);
        arrived = at->arrived;
        (void)pthread_mutex_unlock(&at->lock);
    } while (arrived < THREADS);
    return at->fails ? -1 - index : 0;
}

int main(void)
{
    static const int kinds[] = {0, 1, 1, 0, 1, 0, 0};
    void *const memory = malloc(autodeploy_pool_bytes(THREADS, 0));
    autodeploy_runtime runtime;
    autodeploy_pool *pool;
    meeting at;
    size_t i;
    EXPECT(pthread_mutex_init(&at.lock, NULL) == 0);
    /* Threads inherit the mode of the one that starts them. */
    EXPECT(fesetround(FE_UPWARD) == 0);
    autodeploy_runtime_init(&runtime, NULL, 0);
    pool = autodeploy_pool_start(memory, THREADS, 0, &runtime);
    EXPECT(pool != NULL);
    for (i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        at.arrived = at.flushed = at.rounded_up = 0;
        at.fails = i == 2;
        autodeploy_float_mode_write(autodeploy_float_mode_of_runs(kinds[i]));
        EXPECT((halide_do_par_for(&runtime, look, 0, THREADS, (uint8_t *)&at) != 0) == at.fails);
        EXPECT(at.flushed == (kinds[i] ? THREADS : 0) && at.rounded_up == 0);
        autodeploy_runtime_reset(&runtime);
    }
    autodeploy_pool_stop(pool);
    free(memory);
    return 0;
}
"""

# A compiler, its flags, and what runs its programs: this machine, others by QEMU.
MACHINES = {
    "here": ([CC], []),
    "aarch64": (["aarch64-linux-gnu-gcc", "-static"], ["qemu-aarch64"]),
    "arm": (
        ["arm-linux-gnueabihf-gcc", "-static", "-mfpu=vfpv3-d16"],
        ["qemu-arm", "-cpu", "cortex-a15"],
    ),
}


def build(machine: str, source: str, folder: Path, *flags: str | Path) -> list[str]:
    """Compile a program for a machine and return the command that runs it."""
    compiler, emulator = MACHINES[machine]
    missing = [tool for tool in (compiler[0], *emulator[:1]) if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"needs {' and '.join(missing)}")
    (folder / "program.c").write_text(source)
    command = [*compiler, "-std=c99", *STRICT, "-O1", "-frounding-math", "-I", RUNTIME]
    output = folder / "program"
    subprocess.run(
        [*command, folder / "program.c", *flags, "-lm", "-pthread", "-o", output], check=True
    )
    return [*emulator, str(output)]


def has_modes() -> bool:
    return platform.machine() in ("x86_64", "AMD64", "aarch64", "arm64")


@pytest.mark.parametrize("machine", MACHINES)
def test_modes(machine: str, tmp_path: Path) -> None:
    flags = [] if machine != "here" or has_modes() else ["-DNO_MODES"]
    result = subprocess.run(build(machine, PROGRAM, tmp_path, *flags))
    assert result.returncode == 0, f"line {result.returncode}"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="takes the macros of x86-64 away")
def test_a_machine_without_modes(tmp_path: Path) -> None:
    source = f"#include <fenv.h>\n#undef __x86_64__\n{PROGRAM}"
    result = subprocess.run(build("here", source, tmp_path, "-DNO_MODES"))
    assert result.returncode == 0, f"line {result.returncode}"


@pytest.mark.parametrize("machine", MACHINES)
def test_workers_compute_in_the_mode_of_the_caller(machine: str, tmp_path: Path) -> None:
    if machine == "here" and not has_modes():
        pytest.skip("this machine has no floating-point modes")
    result = subprocess.run(build(machine, POOL_PROGRAM, tmp_path, *POOL))
    assert result.returncode == 0, f"line {result.returncode}"


@pytest.mark.skipif(CXX is None, reason="needs a C++ compiler: g++, or one named by CXX")
def test_compiles_as_cxx(tmp_path: Path) -> None:
    source = tmp_path / "program.cpp"
    source.write_text(PROGRAM)
    command = [CXX, "-std=c++11", *STRICT, "-I", RUNTIME, "-c", source]
    subprocess.run([*command, "-o", tmp_path / "program.o"], check=True)
