"""Kernels touch nothing outside of their buffers: none is compiled with checks of its own."""

from __future__ import annotations

import sys

import pytest
from compiled_cases import cases_and_levels, compiled
from guarded_kernels import SIDES, BufferShape, call_guarded, kernel_buffers

from autodeploy.codegen.c.template import runtime_file
from autodeploy.toolchain.compiler import find_c_compiler, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pages are guarded by mmap")


@pytest.mark.parametrize(("example", "level"), cases_and_levels())
def test_kernels_stay_within_their_buffers(example, level):
    case = compiled(example, level)
    manifest = case.manifest
    symbols = {kernel.name: kernel.symbol for kernel in manifest.kernels}
    text = (case.bundle / f"{manifest.prefix}.mlir").read_text()
    for name, buffers in kernel_buffers(text):
        for side in SIDES:
            assert call_guarded(case.library, symbols[name], buffers, side) == "", (name, side)


_READER = """
#include "halide_buffer.h"

int reader(void *user, halide_buffer_t *in, halide_buffer_t *out)
{
    const volatile float *numbers = (const float *)in->host;
    ((float *)out->host)[0] = numbers[PLACE];
    return user == 0;
}
"""


@pytest.mark.parametrize(("side", "inside", "outside"), [("before", 6, 7), ("behind", 0, -1)])
def test_a_touch_outside_is_found(tmp_path, side, inside, outside):
    """The guard itself: a kernel that reads one element too far is ended."""
    for name in ("halide_runtime.c", "halide_runtime.h", "halide_buffer.h"):
        (tmp_path / name).write_text(runtime_file(name))
    (tmp_path / "reader.c").write_text(_READER)
    shapes = [BufferShape("f", 32, (7,), (1,)), BufferShape("f", 32, (1,), (1,))]
    for place, expected in ((inside, ""), (outside, "SIGSEGV")):
        library = tmp_path / f"reader{place}.so"
        sources = ("reader.c", "halide_runtime.c")
        flags = ("-shared", "-fPIC", f"-DPLACE={place}", "-o", str(library))
        run([*find_c_compiler(), *sources, *flags], tmp_path)
        assert call_guarded(library, "reader", shapes, side) == expected
