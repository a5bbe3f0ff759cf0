"""Products that are added to sums: which lines of a kernel change, and what the call computes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from kernel_calls import CXX

from autodeploy.codegen.c.template import runtime_file
from autodeploy.codegen.halide.contraction import contracted

SUMS = frozenset({"_k_sum"})
VECTORS = [
    "float8 _1 = float8_ops::load(_k_sum, 0);",
    "float8 _2 = _4 * _5;",
    "float8 _3 = _1 + _2;",
    "float8_ops::store(_3, _k_sum, 0);",
]


def called(*lines: str) -> list[str]:
    """Return the lines of what becomes of some that call the function."""
    return [line for line in contracted(lines, SUMS, "multiply_add") if "multiply_add" in line]


def test_sums_in_vectors() -> None:
    assert contracted(VECTORS, SUMS, "multiply_add") == [
        VECTORS[0],
        "float8 _3 = multiply_add(_4, _5, _1);",
        VECTORS[3],
    ]


def test_the_product_may_come_first() -> None:
    swapped = [VECTORS[0], VECTORS[1], "float8 _3 = _2 + _1;", VECTORS[3]]
    assert called(*swapped) == ["float8 _3 = multiply_add(_4, _5, _1);"]


def test_single_sums_and_sums_that_halide_has_numbered() -> None:
    lines = [line.replace("float8", "float") for line in VECTORS[1:3]]
    assert called(*lines, "_k_sum__2[_7] = _3;") == ["float _3 = multiply_add(_4, _5, _1);"]


@pytest.mark.parametrize(
    "lines",
    [
        [*VECTORS[:3], "float8_ops::store(_3, _k_other, 0);"],
        [*VECTORS, "float8_ops::store(_2, _k_other, 0);"],
        [VECTORS[1], "float8 _3 = _1 - _2;", VECTORS[3]],
        [line.replace("float8", "int32x8_t") for line in VECTORS],
        [VECTORS[0], "float8 _2 = float8_ops::load(_in, 0);", *VECTORS[2:]],
    ],
    ids=["another func", "used twice", "a difference", "integers", "no product"],
)
def test_other_lines_stay(lines: list[str]) -> None:
    assert contracted(lines, SUMS, "multiply_add") == lines


PROGRAM = """
#include "halide_kernel.hpp"
#include <cstdio>

static int wrong = 0;

template<typename T, size_t N>
void check() {
    volatile T one = 1; /* so that no compiler knows the numbers */
    Vector<T, N> a = {}, b = {}, c = {};
    for (size_t i = 0; i < N; i++) {
        a.data[i] = one + (T)(i + 1) / 1000;
        b.data[i] = one - (T)(i + 1) / 1000;
        c.data[i] = -one;
    }
    const Vector<T, N> r = multiply_add(a, b, c);
    for (size_t i = 0; i < N; i++) {
#if FUSED
        wrong += r.data[i] != std::fma(a.data[i], b.data[i], c.data[i]);
#else
        volatile T rounded = a.data[i] * b.data[i];
        wrong += r.data[i] != rounded + c.data[i];
#endif
    }
    wrong += multiply_add(a.data[0], b.data[0], c.data[0]) != r.data[0];
    T memory[N + 1];
    VectorOps<T, N>::store(r, memory, 1);
    const Vector<T, N> again = VectorOps<T, N>::load(memory, 1);
    const Vector<T, 2> back = VectorOps<T, 2>::template shuffle<(int)N - 1, 0>(again);
    wrong += back.data[0] != r.data[N - 1] || back.data[1] != r.data[0];
}

int main() {
    check<float, 4>();
    check<float, 6>();
    check<float, 8>();
    check<float, 16>();
    check<float, 48>();
    check<double, 4>();
    check<double, 14>();
    check<double, 16>();
    printf("%d\\n", wrong);
}
"""


@pytest.mark.one_case
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("flags", [(), ("-mavx2", "-mfma"), ("-mavx512f", "-mfma")])
def test_the_results_of_the_call(tmp_path: Path, compiler: str, flags: tuple[str, ...]) -> None:
    if CXX is None or shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not on the path")
    cpu = Path("/proc/cpuinfo")
    known = cpu.read_text().split() if cpu.exists() else []
    if any(flag.removeprefix("-m") not in known for flag in flags):
        pytest.skip("this processor does not have these instructions")
    (tmp_path / "halide_kernel.hpp").write_text(runtime_file("halide_kernel.hpp"))
    (tmp_path / "main.cpp").write_text(PROGRAM)
    fused = f"-DFUSED={int('-mfma' in flags)}"
    command = [compiler, "-std=c++17", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", fused]
    built = [*command, *flags, str(tmp_path / "main.cpp"), "-o", str(tmp_path / "main")]
    subprocess.run(built, check=True)
    done = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True)
    assert done.stdout == "0\n"
