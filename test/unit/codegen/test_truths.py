"""Comparisons of vectors in the header of kernels in C++: what may be done with their results."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from kernel_calls import CXX

from autodeploy.codegen.c.template import runtime_file
from autodeploy.codegen.halide.kernel_code import HEADERS

HEADER = HEADERS["c++"]

_PROGRAM = """
#include "halide_kernel.hpp"
#include <cstdio>

template<typename V>
static int differs(const char *what, const V &found, const V &expected, size_t lanes) {
    int wrong = 0;
    for (size_t i = 0; i < lanes; i++) {
        auto a = found[i], b = expected[i];
        wrong += memcmp(&a, &b, sizeof a) != 0;
    }
    if (wrong) {
        printf("%s: %d of %d lanes of %d bytes\\n", what, wrong, (int)lanes, (int)sizeof found);
    }
    return wrong;
}

/* Of lanes of T and of lanes of U, by the same comparisons of single numbers. */
template<typename T, typename U, size_t N>
static int check(void) {
    using F = VectorOps<T, N>;
    using G = VectorOps<U, N>;
    using B = VectorOps<uint8_t, N>;
    const T nan = std::is_floating_point<T>::value ? (T)NAN : (T)0;
    Vector<T, N> x = {}, y = {}, more = {}, less = {};
    Vector<U, N> u = {}, v = {};
    Vector<uint8_t, N> bits = {}, both = {}, one = {}, not_a = {}, mixed = {};
    Vector<T, N> chosen = {}, number = {};
    Vector<U, N> other = {};
    Vector<uint8_t, 2 * N> joined = {};
    const T zero = (T)0;
    for (size_t i = 0; i < N; i++) {
        x.data[i] = i % 5 == 3 ? nan : i % 4 == 1 ? (T)(zero * -1) : (T)(i % 3);
        y.data[i] = i % 7 == 5 ? nan : (T)(i % 2);
        u.data[i] = (U)(i % 2);
        v.data[i] = (U)(i % 3);
        bits.data[i] = i % 3 == 0;
        const bool a = x.data[i] > y.data[i], b = u.data[i] == v.data[i];
        both.data[i] = a && b;
        one.data[i] = a || b;
        not_a.data[i] = !a;
        mixed.data[i] = (a != b) && bits.data[i];
        chosen.data[i] = b ? x.data[i] : y.data[i];
        other.data[i] = a ? u.data[i] : v.data[i];
        number.data[i] = (T)(a ? 1 : 0);
        joined.data[i] = a;
        joined.data[N + i] = b;
        more.data[i] = x.data[i] > y.data[i] ? x.data[i] : y.data[i];
        less.data[i] = x.data[i] < y.data[i] ? x.data[i] : y.data[i];
    }
    auto a = F::gt(x, y);
    auto b = G::eq(u, v);
    static_assert(sizeof a.data == sizeof x.data, "truths are as wide as what was compared");
    uint8_t kept[N];
    B::store(a & b, kept, 0);
    int wrong = memcmp(kept, &both.data, N) != 0;
    wrong += differs<Vector<uint8_t, N>>("logical_and", F::logical_and(a, b), both, N);
    wrong += differs<Vector<uint8_t, N>>("or", a | b, one, N);
    wrong += differs<Vector<uint8_t, N>>("logical_or", F::logical_or(a, b), one, N);
    wrong += differs<Vector<uint8_t, N>>("not", !a, not_a, N);
    wrong += differs<Vector<uint8_t, N>>("mixed", (a ^ b) & bits, mixed, N);
    wrong += differs<Vector<uint8_t, N>>("mixed, the other way", bits & (a ^ b), mixed, N);
    wrong += differs("select by another size", F::select(b, x, y), chosen, N);
    wrong += differs("select by another size", G::select(a, u, v), other, N);
    wrong += differs("convert", F::convert_from(a), number, N);
    wrong += differs("concat", halide_kernel_concat(a, b), joined, 2 * N);
    wrong += differs("max", F::max(x, y), more, N);
    wrong += differs("min", F::min(x, y), less, N);
    for (size_t i = 0; i < N; i++) {
        wrong += a[i] != (x.data[i] > y.data[i]);
    }
    return wrong;
}

template<size_t N>
static int of_all_types(void) {
    return check<float, double, N>() + check<double, float, N>() + check<float, uint8_t, N>() +
           check<int64_t, int16_t, N>() + check<uint8_t, int32_t, N>() + check<float, float, N>();
}

int main(void) {
    const Vector<float, 4> low = VectorOps<float, 4>::ramp(0, 1), high = {{1, 1, 3, 3}};
    const Vector<uint8_t, 4> expected = {{0, 1, 0, 1}};
    auto a = VectorOps<float, 4>::lt(low, high);
    Vector<uint8_t, 4> turned = VectorOps<uint8_t, 4>::shuffle<3, 2, 1, 0>(a);
    int wrong = differs("shuffle", turned, expected, 4);
    wrong += of_all_types<2>() + of_all_types<3>() + of_all_types<6>() + of_all_types<8>() +
             of_all_types<16>();
    return wrong != 0;
}
"""

_COMPILERS = {
    "the least": [CXX],
    "native": [CXX, "-march=native"],
    "clang": ["clang++", "-march=native"],
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", _COMPILERS)
def test_truths(name: str, tmp_path: Path) -> None:
    compiler, *flags = _COMPILERS[name]
    if compiler is None or shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not on the path")
    (tmp_path / HEADER).write_text(runtime_file(HEADER), encoding="utf-8")
    (tmp_path / "truths.cpp").write_text(_PROGRAM, encoding="utf-8")
    standard = ["-std=c++17", "-O1", "-fwrapv", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    program = tmp_path / "truths"
    command = [compiler, *standard, *flags, tmp_path / "truths.cpp", "-o", program, "-lm"]
    subprocess.run(command, check=True)
    found = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "")
