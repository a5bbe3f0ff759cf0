"""Candidates that crash, hang, take too much memory or fail are outcomes, with their reason."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import f32

from autodeploy.dialects.halide.types import BufferType
from autodeploy.runner.program import Limits, RunFailedError, costs_of, run_job
from autodeploy.toolchain.compiler import find_c_compiler, run
from autodeploy.tuning.candidate import Description
from autodeploy.tuning.harness import RESULTS, SYMBOL, Buffer, Harness, Role

ROW = BufferType(f32, [4])
BUFFERS = [Buffer(Role.COMPUTED, 16, 0, ROW), Buffer(Role.WEIGHTS, 16, 1, ROW)]
RESULT = Buffer(Role.RESULT, 16, 2, ROW)
ARRAYS = [np.arange(4, dtype=np.float32), np.full(4, 2, np.float32)]

SOURCE = """
#include "halide_buffer.h"
#include "halide_runtime.h"
#include <stdlib.h>
#include <string.h>

int {symbol}(const void *context, halide_buffer_t *x, halide_buffer_t *w, halide_buffer_t *y{more})
{{
    static int calls;
    int i;
    ++calls;
    for (i = 0; i < y->dim[0].extent; ++i) {{
        ((float *)y->host)[i] = ((float *)x->host)[i] * ((float *)w->host)[i];
    }}
    {rest}
    return calls < 0 || context == NULL;
}}
"""


def _program(folder: Path, rest: str) -> None:
    source = folder / "kernel.c"
    source.write_text(SOURCE.format(symbol=SYMBOL, rest=rest, more=""))
    harness = Harness(folder)
    runtime = Path(__file__).resolve().parents[3] / "autodeploy" / "runtime"
    kernel = folder / "kernel.o"
    run([*find_c_compiler(), "-O1", f"-I{runtime}", "-c", str(source), "-o", str(kernel)])
    harness.link(folder, [kernel], [*BUFFERS, RESULT], ARRAYS)


def _run(folder: Path, rest: str, limits: Limits) -> list[float]:
    _program(folder, rest)
    return _times(folder, limits)


def _times(folder: Path, limits: Limits | None = None) -> list[float]:
    job = Description(1024, 0, 1, ()).job(4096, limits or Limits())
    return list(costs_of(run_job(job, folder)))


def test_a_kernel_is_timed_and_its_results_are_kept(tmp_path: Path) -> None:
    _program(tmp_path, "")
    costs = _times(tmp_path)
    assert 1 <= len(costs) <= 40
    assert all(0 < cost < 1 for cost in costs)
    found = np.frombuffer((tmp_path / RESULTS).read_bytes(), np.float32)
    np.testing.assert_array_equal(found, ARRAYS[0] * ARRAYS[1])


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("abort();", "killed by SIGABRT"),
        ("*(volatile int *)16 = 1;", "killed by SIGSEGV"),
        ("exit(7);", "exit status 7"),
        ("exit(0);", "it measured nothing"),
        ("for (;;) {}", "no end after 0.5 s"),
        ("((volatile char *)malloc((size_t)1 << 31))[99] = 1;", "killed by SIGSEGV"),
        ('halide_error((void *)context, "out of luck");', "out of luck"),
        ("return 3;", "the kernel failed"),
    ],
)
def test_a_failure_has_a_reason(rest: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(RunFailedError, match=reason):
        _run(tmp_path, rest, Limits(run=0.5, bytes=1 << 30))


def test_a_slow_candidate_is_left(tmp_path: Path) -> None:
    assert len(_run(tmp_path, "", Limits(call=0.0))) == 1


def test_a_slow_candidate_gets_one_batch(tmp_path: Path) -> None:
    assert len(_run(tmp_path, "", Limits(batch=0.0))) == 1
    assert len(_run(tmp_path, "", Limits(batch=9.0, batches=20.0))) >= 3


def test_a_slow_first_call_alone_is_ignored(tmp_path: Path) -> None:
    first = "if (calls == 1) { volatile long n = 50000000; while (n > 0) { --n; } }"
    assert len(_run(tmp_path, first, Limits(call=0.02, batches=20.0))) > 1


def test_a_buffer_that_is_taken_again_has_the_same_memory(tmp_path: Path) -> None:
    source = tmp_path / "kernel.c"
    text = SOURCE.format(symbol=SYMBOL, rest="", more="")
    text = text.replace("*w, halide_buffer_t *y", "*w, halide_buffer_t *again, halide_buffer_t *y")
    source.write_text(text.replace("++calls;", "if (again->host != w->host) { abort(); }"))
    harness = Harness(tmp_path)
    runtime = Path(__file__).resolve().parents[3] / "autodeploy" / "runtime"
    kernel = tmp_path / "kernel.o"
    run([*find_c_compiler(), f"-I{runtime}", "-c", str(source), "-o", str(kernel)])
    buffers = [*BUFFERS, Buffer(Role.WEIGHTS, 16, 1, ROW), Buffer(Role.RESULT, 16, 3, ROW)]
    harness.link(tmp_path, [kernel], buffers, ARRAYS)
    assert _times(tmp_path)
