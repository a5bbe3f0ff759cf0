"""Kernels of a device as Halide writes them: what is read from its text, and what is refused."""

from __future__ import annotations

import pytest

from autodeploy.codegen.halide.device_code import DeviceCode, device_code, program_lines
from autodeploy.codegen.halide.device_starts import Launch
from autodeploy.codegen.halide.opencl_text import PREAMBLE_END
from autodeploy.diagnostics import ToolchainError

SHARED = "inline float nan_f32() { return NAN; }\n"
FIRST = """__kernel void _kernel_k_f(
 __global float *restrict _k_f,
 __global const float *restrict _x)
{
} // kernel _kernel_k_f
"""
SECOND = FIRST.replace("_kernel_k_f", "_kernel_k_y")
SOURCE = f"/*OpenCL C*/\n#pragma OPENCL FP_CONTRACT ON\n{SHARED}{PREAMBLE_END}{FIRST}{SECOND}\0"


def start(entry: str, *buffers: str, counts: str = "4, 1, 1, 32, 2, 1, 0", kinds: str = "") -> str:
    """Return a line of the host that starts a kernel."""
    null = "reinterpret<(void *)>((uint64)0)"
    values = ", ".join((*(f"(void *){name}" for name in buffers), null))
    kinds = kinds or ", ".join(["(uint8)1"] * len(buffers) + ["(uint8)0"])
    widths = ("(int64)0", *("(int64)8" for _ in kinds.split(", ")[1:]))
    sizes = f"(void *)make_struct({', '.join(reversed(widths))})"
    return (
        f' let r = halide_opencl_run(opencl[0], "{entry}", {counts}, {sizes}, '
        f"(void *)make_struct({values}), (void *)make_struct({kinds}))\n"
    )


ARRAY = "allocate k_f$1[float32 * 100 * 2] if (uint1)0\n"
TWO = start("_kernel_k_f", "k_f$1.buffer", "x.buffer") + start(
    "_kernel_k_y", "k_f$1.buffer", "k_y.buffer", counts="2, 3, 1, 64, 1, 1, 256"
)


def lowered(body: str) -> str:
    return f"some other func\n\nexternal func k (__user_context, x, k_y) {{\n{body}}}\n"


def read(body: str, source: str = SOURCE, *, strict: bool = False) -> DeviceCode:
    text, names = source.encode("latin1"), ["x", "k_y"]
    return device_code("opencl", text, lowered(body), "k", "net_k", names, strict=strict)


def test_starts_have_the_order_of_the_host_and_names_of_their_own():
    code = read(ARRAY + TWO)
    assert code.launches == (
        Launch("net_k_part0", (4, 1, 1), (32, 2, 1), 0, (2, 0)),
        Launch("net_k_part1", (2, 3, 1), (64, 1, 1), 256, (2, 1)),
    )
    assert "_kernel_k_f(" not in code.source
    assert code.source.count("__kernel void net_k_part0(") == 1
    assert code.source.count("__kernel void net_k_part1(") == 1
    assert not code.source.endswith("\0")


def test_a_single_start_has_the_name_of_the_kernel():
    source = SOURCE.replace(SECOND, "")
    code = read(start("_kernel_k_f", "k_y.buffer", "x.buffer"), source)
    assert [launch.entry for launch in code.launches] == ["net_k"]
    assert [launch.args for launch in code.launches] == [(1, 0)]
    assert code.arrays == ()


def test_arrays_have_their_bytes_and_follow_the_buffers():
    more = "allocate k_g[uint1 * 7]\nallocate k_h[int16 * 3 * 5]\n"
    assert read(more + ARRAY + TWO).arrays == (7, 30, 800)
    assert read(more + ARRAY + TWO).launches[0].args == (4, 0)


LETS = (
    "let x.extent.1 = _halide_buffer_get_extent((struct halide_buffer_t *)x.buffer, 1)\n"
    " let t1 = (x.extent.1 + 7)/8\n let t2 = min(t1, (int64)4)\n let t3 = 0 < t1\n"
)


def open_start(count: str, *numbers: str, sizes: str = "(int64)4") -> str:
    """Return a line of the host that starts a kernel with numbers of a call."""
    line = start(
        *("_kernel_k_f", "x", *(f"make_struct({n})" for n in numbers)),
        counts=f"{count}, 1, 1, 8, 1, 1, 0",
        kinds=", ".join(["(uint8)1", *["(uint8)0"] * (1 + len(numbers))]),
    )
    return line.replace("(int64)8, " + "(int64)8, " * len(numbers), f"(int64)8, {sizes}, ")


def test_numbers_of_a_call_are_expressions_of_extents():
    source = SOURCE.replace(SECOND, "")
    line = open_start(
        "t1", *("t2", "k_y$1.extent.0 % 3", "t3", "float32(t1)"),
        sizes="(int64)8, (int64)4, (int64)1, (int64)4",
    )  # fmt: skip
    (launch,) = read(LETS + line, source).launches
    assert launch.grid == ("((extent(0, 1) + 7)/8)", 1, 1)
    assert launch.args == (
        0,
        "(min(((extent(0, 1) + 7)/8), int64(4)))",
        "extent(1, 0) % 3",
        "(0 < ((extent(0, 1) + 7)/8))",
        "float32(((extent(0, 1) + 7)/8))",
    )


def test_a_start_under_a_condition_has_no_blocks_otherwise():
    line = open_start("t1", "t2", sizes="(int64)8")
    body = f"if (0 < x.extent.1) {{\n produce k_f {{\n  if (t3) {{\n{line}  }}\n }}\n}}\n"
    (launch,) = read(LETS + body, SOURCE.replace(SECOND, "")).launches
    bound = "((extent(0, 1) + 7)/8)"
    inner = f"select(0 < extent(0, 1), {bound}, 0)"
    assert launch.grid == (f"select((0 < {bound}), {inner}, 0)", 1, 1)


@pytest.mark.parametrize(("strict", "contract"), [(True, "OFF"), (False, "ON")])
def test_sums_of_products_are_rounded_once_unless_floats_are_strict(strict, contract):
    pragmas = [
        line for line in read(ARRAY + TWO, strict=strict).source.splitlines() if "#pragma" in line
    ]
    assert pragmas == [f"#pragma OPENCL FP_CONTRACT {contract}"]


def test_a_program_has_the_shared_part_once():
    codes = [read(ARRAY + TWO), read(ARRAY + TWO, strict=True)]
    lines = program_lines(codes)
    assert lines.count(SHARED.rstrip("\n")) == 1
    assert lines.index(SHARED.rstrip("\n")) == 0
    assert sum("__kernel void net_k_part0(" in line for line in lines) == 2


@pytest.mark.parametrize(
    ("body", "source", "what"),
    [
        (TWO, SOURCE.replace(PREAMBLE_END, ""), "the text has no kernels"),
        (TWO, SOURCE.replace("#pragma", "//"), "the text has no kernels"),
        (TWO, "line\n" + SOURCE, "the text has no kernels"),
        ("for (i, 0, 4) {\n" + TWO + "}\n", SOURCE, "the host starts kernels in a loop"),
        ("parallel (i, 0, 4) {\n" + TWO + "}\n", SOURCE, "the host starts kernels in a loop"),
        (
            f"if (0 < x.extent.0) {{\n{TWO}}} else {{\n{TWO}}}\n",
            SOURCE,
            "the host starts kernels in a loop",
        ),
        (f"if (x[0] < 4) {{\n{TWO}}}\n", SOURCE, "'x' is no number of a start"),
        (ARRAY + TWO + "k_y[0] = sqrt(x[0])\n", SOURCE, "the host computes elements"),
        (
            ARRAY + " produce k_f {\n  k_f$1[0] = x[0]\n }\n" + TWO,
            SOURCE,
            "the host computes elements",
        ),
        ("allocate k_f[float32 * x.extent.0]\n" + TWO, SOURCE, "an array has no constant size"),
        (ARRAY + ARRAY + TWO, SOURCE, "an array has no constant size"),
        (TWO, SOURCE, "'k_f' is no buffer"),
        (
            start("_kernel_k_f", "x", counts="n, 1, 1, 32, 1, 1, 0"),
            SOURCE,
            "'n' is no number of a start",
        ),
        (start("_kernel_k_f", "x", counts="-4, 1, 1, 32, 1, 1, 0"), SOURCE, "'-4' is no constant"),
        (start("_kernel_k_f", "x", counts="1, 32, 1"), SOURCE, "a start has other arguments"),
        (
            start("_kernel_k_f", "x", kinds="(uint8)0, (uint8)0"),
            SOURCE,
            "a kernel takes a number",
        ),
        (LETS + open_start("t9"), SOURCE, "'t9' is no number of a start"),
        (LETS + open_start("1 + 2"), SOURCE, "'1 + 2' is no constant"),
        (LETS + open_start("1", "8"), SOURCE, "a kernel takes a number"),
        (LETS + open_start("1", "t3"), SOURCE, "a kernel takes a number"),
        (LETS + open_start("1", "1.5f*t1"), SOURCE, "'f' is no number of a start"),
        (
            LETS + open_start("1", "t1*float32(4)"),
            SOURCE,
            "'float32(4)' is no number of a start",
        ),
        (start("_kernel_k_z", "x"), SOURCE, "'_kernel_k_z' is not there once"),
        (start("_kernel_k_f", "x") * 2, SOURCE, "'_kernel_k_f' is not there once"),
        (start("_kernel_k_f", "x"), SOURCE + FIRST, "'_kernel_k_f' is not there once"),
    ],
)
def test_another_text_than_that_of_halide_21_is_refused(body, source, what):
    with pytest.raises(ToolchainError) as error:
        read(body, source)
    assert str(error.value) == f"kernel 'k' cannot be compiled for a device: {what}"


def test_a_text_without_the_half_of_the_host_is_refused():
    with pytest.raises(ToolchainError, match="the text has no kernels"):
        device_code("opencl", SOURCE.encode(), "nothing", "k", "net_k", ["x", "k_y"], strict=True)
