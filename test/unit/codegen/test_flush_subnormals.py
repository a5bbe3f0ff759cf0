"""Flushed subnormal numbers, from the side of a C program that calls a network."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest
from c_program import CHECKS, Folder, execute, new_folder, planned
from xdsl.dialects.builtin import UnitAttr

from autodeploy.codegen.c.header import header_text
from autodeploy.codegen.c.read_program import find_program, read_program

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64", "aarch64", "arm64"),
    reason="this machine always keeps subnormal numbers, or always flushes them",
)

# Weights of 0 to 3.5 times 2^-149 are subnormal: added to zeros twice, or to x.
SCALE = 2.0**-148

# Returns the line of the first mistake. As compiled, subnormal numbers are flushed or kept.
RUN = r"""
#include "first.h"
#include <fenv.h>
#include <float.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif
#define EXPECT(condition) do { if (!(condition)) return __LINE__; } while (0)

/* The control bits of this thread and the exceptions that it has met. */
static unsigned long mode(void)
{
#if defined(__x86_64__)
    return _mm_getcsr();
#else
    fenv_t now;
    unsigned long word;
    (void)fegetenv(&now);
    memcpy(&word, &now, sizeof word);
    return word;
#endif
}

static int flushes(void)
{
    volatile float smallest = FLT_MIN;
    volatile float half = smallest / 2;
    return half == 0;
}

/* Run a network whose result is subnormal; the floating-point environment stays. */
static int run(first_options *options, int flush_subnormals, int flushed)
{
    static const float x[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    static const float bad[8] = {-2000, 0, 0, 0, 0, 0, 0, 0};
    const int before_flushes = flushes();
    unsigned long before;
    first_context *context;
    unsigned char zeros[4] = {0, 0, 0, 0};
    float sum[8];
    float copy[8];
    options->flush_subnormals = flush_subnormals;
    EXPECT(first_init(&context, options) == FIRST_OK);
    before = mode();
    EXPECT(first_predict(context, x, sum, copy) == FIRST_OK);
    EXPECT(mode() == before);
    EXPECT((memcmp(&sum[7], zeros, 4) == 0) == flushed);
    EXPECT(first_predict(context, bad, sum, copy) == FIRST_ERROR_KERNEL);
    EXPECT(mode() == before);
    EXPECT(first_predict(context, x, NULL, copy) == FIRST_ERROR_ARGUMENT);
    EXPECT(mode() == before && flushes() == before_flushes);
    first_free(context);
    return 0;
}

static int run_all(first_options *options)
{
    const int compiled = FIRST_FLUSH_SUBNORMALS;
    EXPECT(run(options, 0, compiled) == 0);
    EXPECT(run(options, 1, 1) == 0);
    EXPECT(run(options, -1, 0) == 0);
    return 0;
}

int main(void)
{
    char text[80];
    first_options options;
    first_context *context;
    memset(&options, 0, sizeof options);
    options.weights_path = "first.weights";
    options.message = text;
    options.message_bytes = sizeof text;
    options.flush_subnormals = 2;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_ARGUMENT && context == NULL);
    EXPECT(strcmp(text, "flush_subnormals is -1, 0 or 1") == 0);
    options.flush_subnormals = -2;
    EXPECT(first_init(&context, &options) == FIRST_ERROR_ARGUMENT);
    EXPECT(run_all(&options) == 0);
    /* A caller with an environment of its own: it rounds up, and has met exceptions. */
    EXPECT(fesetround(FE_UPWARD) == 0);
    EXPECT(feraiseexcept(FE_DIVBYZERO | FE_OVERFLOW) == 0);
    EXPECT(run_all(&options) == 0);
    EXPECT(feclearexcept(FE_ALL_EXCEPT) == 0);
    EXPECT(run_all(&options) == 0);
#if defined(__x86_64__)
    /* It flushes subnormal numbers itself, or operands only; invalid operations trap. */
    _mm_setcsr(0x9fc0);
    EXPECT(run_all(&options) == 0);
    _mm_setcsr(0x7f40 & ~0x80U);
    EXPECT(run_all(&options) == 0);
#endif
    return 0;
}
"""


def add(path: Path, *, flush: bool) -> Folder:
    folder = new_folder(path)
    ctx, module = planned("first", SCALE)
    find_program(module).flush_subnormals = UnitAttr() if flush else None
    folder.add_model(ctx, module)
    return folder


@pytest.mark.one_case
@pytest.mark.parametrize("flush", [False, True])
@pytest.mark.parametrize("flags", [CHECKS, ("-O2",)], ids=["checked", "O2"])
def test_run(flags: tuple[str, ...], flush: bool, tmp_path: Path) -> None:
    folder = add(tmp_path, flush=flush)
    program = folder.compile("run", folder.write("run.c", RUN), "-frounding-math", flags=flags)
    result = execute(program)
    assert result.returncode == 0, f"line {result.returncode}: {result.stderr}"


def test_as_cxx(tmp_path: Path) -> None:
    folder = add(tmp_path, flush=True)
    result = execute(folder.compile_cxx("run", folder.write("run.c", RUN), "-frounding-math"))
    assert result.returncode == 0, f"line {result.returncode}: {result.stderr}"


def test_the_header_states_the_compilation() -> None:
    _, module = planned("first")
    assert "#define FIRST_FLUSH_SUBNORMALS 0 " in header_text(read_program(module))
    find_program(module).flush_subnormals = UnitAttr()
    assert "#define FIRST_FLUSH_SUBNORMALS 1 " in header_text(read_program(module))
