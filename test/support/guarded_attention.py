"""Attention in bands of rows as kernels on guarded memory: ends with a fault, or with 0."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from closeness import assert_close
from configured import Write
from guarded_run import call_guarded, check_all, fused
from merged import attention

SHAPES = (
    (2, 16, 32, 16, 16, 8),
    (3, 13, 21, 7, 5, 4),
    (1, 31, 50, 33, 20, 14),
    (2, 1, 19, 9, 17, 3),
    (1, 23, 3, 4, 33, 5),
    (2, 9, 275, 3, 70, 9),
    (1, 47, 64, 12, 1, 13),
)
"""Heads, queries, keys, channels, channels of the result; rows of a band."""

MACHINE = "host:cores=1"


def module_text(
    heads: int, queries: int, keys: int, channels: int, results: int, constant: bool
) -> str:
    """Scores with a mask, their softmax, and its product with values, which may be weights."""
    q, k, s, y = (
        f"tensor<{heads}x{extents}xf32>"
        for extents in (
            f"{queries}x{channels}",
            f"{channels}x{keys}",
            f"{queries}x{keys}",
            f"{queries}x{results}",
        )
    )
    v = f"tensor<{'' if constant else f'{heads}x'}{keys}x{results}xf32>"
    m = f"tensor<{heads}x1x{keys}xf32>"
    weights = f"%v = nn.constant #nn.dense<0.5 : {v}>" if constant else ""
    return f"""
    func.func @main(%q: {q}, %k: {k}, %m: {m}{"" if constant else f", %v: {v}"}) -> {y} {{
      {weights}
      %s = nn.kernel(%q, %k, %m) : ({q}, {k}, {m}) -> {s} {{
      ^bb0(%a: {q}, %b: {k}, %c: {m}):
        %p = nn.matmul %a, %b : ({q}, {k}) -> {s}
        %r = nn.add %p, %c : ({s}, {m}) -> {s}
        nn.yield %r : {s}
      }}
      %w = nn.softmax %s {{axis = 2 : i64}} : ({s}) -> {s}
      %y = nn.matmul %w, %v : ({s}, {v}) -> {y}
      func.return %y : {y}
    }}"""


def check(folder: Path, *shape: int) -> None:
    """Compile a chain and call it on guarded memory, with values and with weights."""
    *extents, rows = shape
    random = np.random.default_rng(3)
    for constant in (False, True):
        step = Write(attention(rows))
        module = fused(module_text(*extents, constant), step, MACHINE)
        place = folder / ("packed" if constant else "plain")
        q, k, m, v, result = call_guarded(module, MACHINE, place, random.standard_normal)
        if constant:
            v = v.transpose(1, 0, 2).reshape(extents[2], -1)[:, : extents[4]]
        scores = q @ k + m
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        assert_close(result, powers / powers.sum(axis=-1, keepdims=True) @ v)


def main(arguments: Sequence[str]) -> int:
    """Check all shapes in a folder."""
    (folder,) = arguments
    check_all(SHAPES, check, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
