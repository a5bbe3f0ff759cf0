"""Sums of products of four neighbours: which lines become a call, and what it computes."""

from __future__ import annotations

import shutil
import subprocess
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from autodeploy.codegen.c.template import runtime_file
from autodeploy.codegen.halide.dot_calls import dot_calls
from autodeploy.codegen.halide.opencl_text import PREAMBLE_END, opencl_text
from autodeploy.machine import Machine
from autodeploy.toolchain.board import board_options


def reduced(
    types: tuple[str, str] = ("int8_t", "int8_t"), steps: tuple[int, int] = (1, 1), last: str = "+"
) -> list[str]:
    """Return the lines of a sum of products of factors whose elements are ``steps`` apart."""
    lines, total = ["// Vector reduce: add"], ""
    for n in range(4):
        at = 10 * (n + 1)
        lines += [
            f"int32_t _{at} = _7 + {steps[0] * n - 1};",
            f"{types[0]} _{at + 1} = (({types[0]} *)_in0)[_{at}];",
            f"int16_t _{at + 2} = (int16_t)(_{at + 1});",
            f"{types[1]} _{at + 3} = _packed[{steps[1] * n}];",
            f"int16_t _{at + 4} = (int16_t)(_{at + 3});",
            f"int16_t _{at + 5} = _{at + 2} * _{at + 4};",
            f"int32_t _{at + 6} = (int32_t)(_{at + 5});",
        ]
        if n:
            sign = last if n == 3 else "+"
            lines.append(f"int32_t _{at + 7} = {total} {sign} _{at + 6};")
        total = f"_{at + 7}" if n else f"_{at + 6}"
    return [*lines, "int32_t _80 = _sum[0];", f"int32_t _81 = {total} + _80;", "_sum[0] = _81;"]


def test_neighbours_are_summed_by_a_call() -> None:
    call = "dot_int8(&((int8_t *)_in0)[_10], &_packed[0], _80)"
    assert dot_calls(reduced()) == [
        "// Vector reduce: add",
        "int32_t _10 = _7 + -1;",
        "int32_t _80 = _sum[0];",
        f"int32_t _81 = {call};",
        "_sum[0] = _81;",
    ]


@pytest.mark.parametrize("types", [("uint8_t", "int8_t"), ("int8_t", "uint8_t")])
def test_the_factor_without_a_sign_comes_first(types: tuple[str, str]) -> None:
    places = ["&((uint8_t *)_in0)[_10]", "&_packed[0]"]
    if types[1] == "uint8_t":
        places = [places[1], places[0].replace("uint8_t", "int8_t")]
    assert f"int32_t _81 = dot_uint8({', '.join(places)}, _80);" in dot_calls(reduced(types))


@pytest.mark.parametrize(
    "lines",
    [
        reduced()[1:],
        reduced(steps=(2, 1)),
        reduced(steps=(1, 0)),
        reduced(last="-"),
        reduced(("int16_t", "int8_t")),
        reduced(("uint8_t", "uint8_t")),
        [line.replace("_sum[0];", "_sum[0] + _9;") for line in reduced()[:-5]] + ["}"],
    ],
    ids=["no sum", "apart", "the same", "a difference", "wide", "unsigned", "three"],
)
def test_other_lines_stay(lines: list[str]) -> None:
    assert dot_calls(lines) == lines


def opencl(lines: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return what kernels share, and the lines of a kernel in OpenCL C."""
    for name, new in (("int8_t", "char"), ("int16_t", "short"), ("int32_t", "int")):
        lines = [line.replace(name, new) for line in lines]
    head = f"/*OpenCL C*/\n#pragma OPENCL FP_CONTRACT ON\nshared\n{PREAMBLE_END}"
    shared, text = opencl_text(head + "\n".join(lines), "k", strict=False)
    return shared, text.splitlines()[1:]


@pytest.mark.parametrize("chosen", ["select(_8, _{}, _9)", "select(_{}, _8, _9)"])
def test_words_of_neighbours_are_the_operands_in_opencl(chosen: str) -> None:
    """A padded image has another number where a mask says so."""
    lines = reduced(("uint8_t", "int8_t"))
    for at in (40, 30, 20, 10):
        place = lines.index(f"int16_t _{at + 2} = (int16_t)(_{at + 1});")
        lines[place] = f"int16_t _{at + 2} = (int16_t)(_{at + 8});"
        lines.insert(place, f"uint8_t _{at + 8} = {chosen.format(at + 1)};")
    (_, functions), text = opencl(lines)
    mask = "_9" if chosen.startswith("select(_8") else "!_9"
    word = "as_uint(vload4(0, &((uchar *)_in0)[_10]))"
    image = f"select(as_uint((uchar4)(_8)), {word}, (int)({mask}))"
    weights = "as_uint(vload4(0, &_packed[0]))"
    assert f"int _81 = dot_uchar({image}, {weights}, _80);" in text
    assert not any("short" in line for line in text)
    assert "int dot_uchar(uint a, uint b, int sum)" in functions


def test_kernels_without_dots_in_opencl_share_no_function() -> None:
    lines = reduced(steps=(2, 1))
    shared, text = opencl(lines)
    assert shared == ("shared\n",)
    assert len(text) == len(lines)


PROGRAM = """
#include "halide_kernel.h"
#ifdef BOARD
#include "semihosting.h"
#endif

int main(void)
{
    static const int values[] = {-128, -127, -1, 0, 1, 127, 128, 255};
    int8_t a[5] = {0}, b[6] = {0}; /* from odd addresses on */
    uint8_t c[5] = {0};
    int wrong = 0, n, i;
    for (n = 0; n < 8 * 8 * 8 * 8; ++n) {
        int32_t sums[] = {n - 2048, n - 2048};
        for (i = 0; i < 4; ++i) {
            const int digit = n >> (3 * i);
            a[i + 1] = (int8_t)values[digit & 7];
            c[i + 1] = (uint8_t)values[digit & 7];
            b[i + 2] = (int8_t)values[(digit + n + i) & 7];
            sums[0] += a[i + 1] * b[i + 2];
            sums[1] += c[i + 1] * b[i + 2];
        }
        wrong += dot_int8(a + 1, b + 2, n - 2048) != sums[0];
        wrong += dot_uint8(c + 1, b + 2, n - 2048) != sums[1];
    }
    return wrong != 0;
}
"""

STRICT = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror")


def _program(folder: Path) -> Path:
    (folder / "halide_kernel.h").write_text(runtime_file("halide_kernel.h"))
    (folder / "main.c").write_text(PROGRAM)
    return folder / "main.c"


@pytest.mark.one_case
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_results_of_the_call_in_plain_c(tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not on the path")
    program = tmp_path / "main"
    subprocess.run([compiler, *STRICT, str(_program(tmp_path)), "-o", str(program)], check=True)
    subprocess.run([program], check=True)


@pytest.mark.parametrize("cpu", ["cortex-m4", "cortex-m7"])
def test_the_results_of_the_call_by_instructions(tmp_path: Path, cpu: str) -> None:
    machine = Machine.named(cpu)
    assert machine.compiler is not None
    command = machine.compiler.command
    if shutil.which(command) is None or shutil.which("qemu-system-arm") is None:
        pytest.skip(f"{command} or qemu-system-arm is not on the path")
    options, source = [command, *machine.compiler_flags, *STRICT], str(_program(tmp_path))
    listed = subprocess.run(
        [*options, "-S", source, "-o", "-"], check=True, capture_output=True, text=True
    ).stdout
    assert listed.count("smlad") == 4 and listed.count("sxtb16") == 4  # b is widened once
    with as_file(files("autodeploy.toolchain").joinpath("board")) as board:
        program = str(tmp_path / "program.elf")
        rest = ["-nostartfiles", "--specs=nano.specs", "-T", str(board / "mps2.ld")]
        rest += [str(board / "startup.c"), f"-I{board}", "-std=gnu99", "-o", program]
        subprocess.run([*options, "-DBOARD", source, *rest], check=True)
    subprocess.run(["qemu-system-arm", *board_options(machine), program], check=True, timeout=60)
