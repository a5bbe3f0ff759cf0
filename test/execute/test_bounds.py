"""Kernels touch nothing outside of their buffers: none is compiled with checks of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from compiled_cases import cases_and_levels, compiled
from guarded_kernels import BufferShape, Call, end_of_calls, library_faults

from autodeploy.codegen.c.template import runtime_file
from autodeploy.toolchain.compiler import find_c_compiler, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pages are guarded by mmap")


@pytest.mark.parametrize(("example", "level"), cases_and_levels())
def test_kernels_stay_within_their_buffers(example, level):
    case = compiled(example, level)
    manifest = case.manifest
    text = (case.bundle / f"{manifest.prefix}.mlir").read_text()
    assert library_faults(case.library, manifest, text) == {}


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
    shapes = [BufferShape("f", 32, (7,), (1,)), BufferShape("f", 32, (1,), (1,))]
    for place, expected in ((inside, ""), (outside, "SIGSEGV")):
        library = _build_reader(tmp_path, place)
        assert end_of_calls(library, [Call("reader", shapes, side)] * 2) == expected


def test_the_call_that_ends_is_named(tmp_path):
    """All calls are made in one process; one that ends it is found and named."""
    kernels = {"long": "[7]", "short": "[5]"}
    manifest = SimpleNamespace(
        kernels=[SimpleNamespace(name=name, symbol="reader") for name in kernels]
    )
    text = "".join(
        f"halide.pipeline @{name}(%in: !halide.buffer<f32, {extents}>) to "
        "(%out: !halide.buffer<f32, [1]>)\n"
        for name, extents in kernels.items()
    )
    faults = library_faults(_build_reader(tmp_path, 6), manifest, text)
    assert faults == {("short", "before"): "SIGSEGV"}


def _build_reader(folder: Path, place: int) -> Path:
    for name in ("halide_runtime.c", "halide_runtime.h", "halide_buffer.h"):
        (folder / name).write_text(runtime_file(name))
    (folder / "reader.c").write_text(_READER)
    library = folder / f"reader{place}.so"
    flags = ("-shared", "-fPIC", f"-DPLACE={place}", "-o", str(library))
    run([*find_c_compiler(), "reader.c", "halide_runtime.c", *flags], folder)
    return library
