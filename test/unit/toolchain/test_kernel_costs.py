"""What a kernel has to do, counted from its IR."""

from __future__ import annotations

from pathlib import Path

import pytest
from fetching_kernel import FETCHING

from autodeploy.diagnostics import UserError
from autodeploy.toolchain.kernel_costs import KernelCost, read_costs

CONV = """
halide.pipeline @conv(%x: !halide.buffer<f32, [4, 10]>, %w: !halide.buffer<f32, [4, 3, 8]>)
    to (%y: !halide.buffer<f32, [8, 8]>) {
  %f = halide.func "f"(c %c, x %x0) in [8, 8] : f32 {
    %0 = halide.const 0.0 : f32
    halide.yield %0 : f32
  }
  halide.update %f(c %c1, x %x1) over (i %i in 0 to 4, k %k in 1 to 4) : !halide.func<f32, 2> {
    %1 = halide.load %f[%c1, %x1] : !halide.func<f32, 2> to f32
    %2 = halide.add %x1, %k : i32
    %3 = halide.load %x[%i, %2] : !halide.buffer<f32, [4, 10]> to f32
    %4 = halide.load %w[%i, %k, %c1] : !halide.buffer<f32, [4, 3, 8]> to f32
    %5 = halide.mul %3, %4 : f32
    %6 = halide.add %1, %5 : f32
    halide.yield %6 : f32
  }
  %out = halide.func "out"(c %c2, x %x2) : f32 {
    %7 = halide.load %f[%c2, %x2] : !halide.func<f32, 2> to f32
    %8 = halide.const 0.0 : f32
    %9 = halide.max %7, %8 : f32
    %10 = halide.strict %9 : f32
    halide.yield %10 : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 8]>
}
"""

COPY = """
halide.pipeline @copy(%x: !halide.buffer<i8, [5, 2], [1, 8]>)
    to (%y: !halide.buffer<i8, [5, 2]>) {
  %out = halide.func "out"(x %x0, y %y0) in [5, 2] : i8 {
    %0 = halide.load %x[%x0, %y0] : !halide.buffer<i8, [5, 2], [1, 8]> to i8
    %1 = halide.add %0, %0 : i8
    halide.yield %1 : i8
  }
  halide.output %out in %y : !halide.func<i8, 2> in !halide.buffer<i8, [5, 2]>
}
"""


SUMS = """
halide.pipeline @sums(%x: !halide.buffer<ui8, [4, 5]>, %s: !halide.buffer<f32, [5]>)
    to (%y: !halide.buffer<f32, [5]>) {
  %sum = halide.func "sum"(n %n) in [5] : i32 {
    %0 = halide.const 0 : i32
    halide.yield %0 : i32
  }
  halide.update %sum(n %n1) over (k %k in 0 to 4) : !halide.func<i32, 1> {
    %1 = halide.load %sum[%n1] : !halide.func<i32, 1> to i32
    %2 = halide.load %x[%k, %n1] : !halide.buffer<ui8, [4, 5]> to ui8
    %3 = halide.cast %2 : ui8 to i32
    %4 = halide.add %1, %3 : i32
    halide.yield %4 : i32
  }
  %out = halide.func "out"(n %n2) in [5] : f32 {
    %5 = halide.load %sum[%n2] : !halide.func<i32, 1> to i32
    %6 = halide.cast %5 : i32 to f32
    %7 = halide.load %s[%n2] : !halide.buffer<f32, [5]> to f32
    %8 = halide.mul %6, %7 : f32
    halide.yield %8 : f32
  }
  halide.output %out in %y : !halide.func<f32, 1> in !halide.buffer<f32, [5]>
}
"""

ROWS = """
halide.pipeline @rows(%x: !halide.buffer<f32, [3, 10]>) to (%y: !halide.buffer<f32, [3, 10]>) {
  %out = halide.func "out"(i %i, n %n) in [3, 10] : f32 {
    %0 = halide.load %x[%i, %n] : !halide.buffer<f32, [3, 10]> to f32
    %1 = halide.add %0, %0 : f32
    %2 = halide.mul %1, %0 : f32
    %3 = halide.sub %2, %0 : f32
    %c0 = halide.const 0 : i32
    %c1 = halide.const 1 : i32
    %4 = halide.eq %i, %c1 : i32
    %5 = halide.select %4, %2, %3 : f32
    %6 = halide.eq %i, %c0 : i32
    %7 = halide.select %6, %1, %5 : f32
    halide.yield %7 : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [3, 10]>
}
"""
"""A matrix written out: its rows take one operation, two and three."""


def costs(folder: Path, text: str) -> dict[str, KernelCost]:
    path = folder / "model.mlir"
    path.write_text(f"builtin.module {{{text}}}")
    return read_costs(path)


def test_multiply_adds_count_over_the_reduction_and_coordinates_are_free(tmp_path: Path) -> None:
    found = costs(tmp_path, CONV)["conv"]
    updates, epilogue = 8 * 8 * 4 * 3 * 2, 8 * 8
    assert found == KernelCost(3, updates + epilogue, 4 * (4 * 10 + 4 * 3 * 8 + 8 * 8))


def test_arithmetic_on_coordinates_is_free_and_gaps_of_a_buffer_are_no_bytes(
    tmp_path: Path,
) -> None:
    assert costs(tmp_path, COPY) == {"copy": KernelCost(2, 0, 20)}


def test_sums_of_integers_count_but_not_against_the_peak_of_floats(tmp_path: Path) -> None:
    found = costs(tmp_path, SUMS)["sums"]
    assert found == KernelCost(3, 5 * 4 + 5, 20 + 20 + 20, in_float32=False)
    product = "%9 = halide.mul %3, %3 : i32 %4 = halide.add %1, %9 : i32"
    squares = SUMS.replace("%4 = halide.add %1, %3 : i32", product)
    assert costs(tmp_path, squares)["sums"].operations == 5 * 4 * 2 + 5


def test_a_point_takes_one_arm_of_selects_of_a_coordinate(tmp_path: Path) -> None:
    assert costs(tmp_path, ROWS)["rows"].operations == 10 * (1 + 2 + 3)


def test_a_point_may_take_both_sides_of_a_select_that_tests_anything_else(tmp_path: Path) -> None:
    text = ROWS.replace("halide.eq %i, %c0", "halide.lt %i, %c0")
    assert costs(tmp_path, text)["rows"].operations == 30 * (1 + 1 + 1 / 2)


def test_each_pipeline_has_its_own_costs(tmp_path: Path) -> None:
    assert list(costs(tmp_path, CONV + COPY)) == ["conv", "copy"]


def test_a_func_inside_its_readers_counts_as_nothing(tmp_path: Path) -> None:
    inlined = """
      %g = halide.func "g"(x %a, y %b) : i8 {
        %2 = halide.const 1 : i8
        halide.yield %2 : i8
      }
      %h = halide.func "h"(x %a1) : f32 {
        %3 = halide.const 1.0 : f32
        %4 = halide.mul %3, %3 : f32
        halide.yield %4 : f32
      }
    """
    text = COPY.replace("  %out = ", f"{inlined}  %out = ")
    assert costs(tmp_path, text)["copy"].operations == 0


LOOK_UP = """
halide.pipeline @rows(%t: !halide.buffer<f64, [8, 5000]>, %i: !halide.buffer<i32, [3]>)
    to (%y: !halide.buffer<f64, [8, 3]>) {
  %g = halide.func "g"(c %a, n %b) : f64 {
    %0 = halide.load %i[%b] : !halide.buffer<i32, [3]> to i32
    %1 = halide.load %t[%a, %0] : !halide.buffer<f64, [8, 5000]> to f64
    halide.yield %1 : f64
  }
  %out = halide.func "out"(c %c, n %n) in [8, 3] : f64 {
    %2 = halide.load %g[%c, %n] : !halide.func<f64, 2> to f64
    %3 = halide.add %2, %2 : f64
    halide.yield %3 : f64
  }
  halide.output %out in %y : !halide.func<f64, 2> in !halide.buffer<f64, [8, 3]>
}
"""
"""Three rows of a table of 5000, read by a func that is part of its reader."""


def test_a_lookup_reads_its_loads(tmp_path: Path) -> None:
    bytes_ = 8 * (8 * 3) + 4 * 3 + 8 * (8 * 3)
    assert costs(tmp_path, LOOK_UP)["rows"] == KernelCost(3, 8 * 3, bytes_, in_float32=False)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.mlir' does not exist"):
        read_costs(tmp_path / "none.mlir")


def test_a_malformed_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"model\.mlir' is not valid"):
        costs(tmp_path, "halide.pipeline @")


def test_a_file_of_bytes_that_are_no_text_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="cannot be read"):
        read_costs(path)


def test_prefetches_count_once_and_their_loads_not(tmp_path: Path) -> None:
    assert costs(tmp_path, FETCHING)["ahead"] == KernelCost(3, 8 * 64, (8 * 64 + 8) * 4)
