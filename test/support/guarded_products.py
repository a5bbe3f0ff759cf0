"""Matrix products as kernels on guarded memory: a program that ends with a fault, or with 0."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from closeness import assert_close
from guarded_run import check_all, run_guarded

SHAPES = (
    (7, 3, 10),
    (13, 17, 33),
    (29, 9, 70),
    (49, 33, 144),
    (15, 64, 24),
    (9, 256, 520),
    (49, 256, 520),
    (28, 288, 470),
    (21, 272, 500),
    (56, 256, 512),
    (196, 128, 200),
    (196, 288, 1000),
    (169, 512, 512),
    (1, 12, 100),
    (1, 1297, 600),
    (13, 1297, 512),
    (21, 1000, 520),
    (7, 1041, 40),
)
"""Rows, inner extent and columns."""

MACHINE = "host:cores=1:l2=512K"
"""Whatever this machine has, the largest right-hand sides do not stay in the cache."""


def module_text(rows: int, inner: int, columns: int, constant: bool) -> str:
    """A product with a bias and another operand that is added behind, as one kernel."""
    shapes = [f"{rows}x{inner}", f"{inner}x{columns}", f"{columns}", f"{rows}x{columns}"]
    a, b, c, d = (f"tensor<{shape}xf32>" for shape in shapes)
    weights = f"%b = nn.constant #nn.dense<0.5 : {b}>" if constant else ""
    template = "gemv" if rows == 1 else "gemm"
    return f"""
    func.func @main(%a: {a}, {"" if constant else f"%b: {b}, "}%c: {c}, %d: {d}) -> {d} {{
      {weights}
      %y = nn.kernel(%a, %b, %c, %d) {{config = #nn.config<{template}>}}
          : ({a}, {b}, {c}, {d}) -> {d} {{
      ^bb0(%k: {a}, %l: {b}, %m: {c}, %n: {d}):
        %p = nn.matmul %k, %l, %m : ({a}, {b}, {c}) -> {d}
        %s = nn.add %p, %n : ({d}, {d}) -> {d}
        nn.yield %s : {d}
      }}
      func.return %y : {d}
    }}"""


def check(folder: Path, rows: int, inner: int, columns: int, constant: bool) -> None:
    """Compile a product and call it on guarded memory."""
    text = module_text(rows, inner, columns, constant)
    a, b, c, d, result = run_guarded(text, MACHINE, folder)
    assert [x.shape for x in (a, c, d)] == [(rows, inner), (columns,), (rows, columns)]
    plain = b if b.ndim == 2 else b.transpose(1, 0, 2).reshape(inner, -1)[:, :columns]
    assert_close(result, a @ plain + c + d)


def main(arguments: Sequence[str]) -> int:
    """Check all shapes in a folder, with a right-hand side that is ``packed`` or ``plain``."""
    folder, kind = arguments
    check_all(SHAPES, partial(check, constant=kind == "packed"), Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
