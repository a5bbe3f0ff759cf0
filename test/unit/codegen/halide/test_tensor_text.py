"""Products on tensor cores as text: their numbers in the simulator, and what NVIDIA's assembler
says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from own_numbers import OwnNumbers
from ptx_matrices import rounded
from ptx_program import read_ptx
from ptx_run import run_kernel
from ptxas import assembled, knows, needs_ptxas
from xdsl.dialects.builtin import f32
from xdsl.ir import Block

from autodeploy.codegen.halide.tensor_text import THREADS, tensor_text
from autodeploy.dialects.halide.tensor_cores import EDGES, MOST_SUMS, Factor, Product
from autodeploy.dialects.halide.types import BufferType

HEAD = ".version 7.0\n.target sm_80\n.address_size 64\n"
RNG = OwnNumbers(11)
TILES = [(n, m) for n in EDGES for m in EDGES if n * m <= MOST_SUMS]
(SOURCE,) = Block(arg_types=[BufferType(f32, [1])]).args


@dataclass(frozen=True)
class Case:
    """A stack of products of M x K by K x N matrices; each may be stored the other way around."""

    m: int
    n: int
    k: int
    stack: int = 1
    parts: int = 1
    turned: tuple[bool, bool] = (False, False)
    is_shared: bool = False
    """Whether all products have one right factor, and so are one of more rows."""
    before: tuple[int, int] = (0, 0)
    tile: tuple[int, int] = (32, 32)

    def product(self) -> Product:
        """Return the product, of a column, a row, a place in the stack, a part and a step."""
        m, n, k, own = self.m, self.n, self.k, self.k // self.parts
        row, left = (1, m) if self.turned[0] else (k, 1)
        column, right = (k, 1) if self.turned[1] else (1, n)
        several = 0 if self.is_shared else k * n
        return Product(
            (n, m, self.stack, self.parts, own),
            2 if self.is_shared else 1,
            1,
            Factor(SOURCE, 0, (0, row, m * k, own * left, left)),
            Factor(SOURCE, 0, (column, 0, several, own * right, right)),
        )


def run(
    product: Product,
    element: str,
    tile: tuple[int, int],
    factors: list[np.ndarray],
    before: tuple[int, int],
    count: int,
) -> np.ndarray:
    """Return what a kernel writes, whose factors come after ``before`` elements that are nan."""
    text, grid = tensor_text("k", product, element, tile, before)
    cells = [
        np.concatenate([np.full(n, np.nan, np.float32), factor.reshape(-1)])
        for n, factor in zip(before, factors, strict=True)
    ]
    result = np.full(count, 7, np.float32)
    memory = [((n + 1) << 24, x.view(np.uint8)) for n, x in enumerate((*cells, result))]
    places = [place for place, _ in memory]
    run_kernel(read_ptx(HEAD + text), "k", grid, (THREADS, 1, 1), memory, places)
    return result


@pytest.mark.parametrize("element", ["tf32", "f16", "bf16"])
@pytest.mark.parametrize(
    "case",
    [
        Case(64, 32, 64),
        Case(1, 1, 1),
        Case(37, 41, 53),
        Case(37, 41, 53, turned=(True, False)),
        Case(37, 41, 53, turned=(False, True), tile=(64, 32)),
        Case(44, 40, 52, turned=(True, True), tile=(32, 128)),
        Case(34, 42, 62, turned=(True, False)),
        Case(44, 40, 64, stack=3, parts=4),
        Case(44, 40, 64, stack=3, turned=(True, True), parts=2),
        Case(13, 40, 64, stack=5, is_shared=True),
        Case(13, 40, 64, stack=5, is_shared=True, turned=(True, False)),
        Case(44, 40, 64, before=(3, 6)),
        Case(44, 40, 64, before=(2, 4), turned=(True, True)),
        Case(130, 100, 20, tile=(64, 128)),
        Case(100, 130, 33, tile=(128, 64)),
    ],
    ids=str,
)
def test_numbers_of_a_product(case: Case, element: str):
    m, n, k, stack = case.m, case.n, case.k, case.stack
    a = RNG.standard_normal((stack, m, k), np.float32)
    b = RNG.standard_normal((1 if case.is_shared else stack, k, n), np.float32)
    factors = [
        np.ascontiguousarray(x.swapaxes(1, 2)) if turned else x
        for x, turned in zip((a, b), case.turned, strict=True)
    ]
    count = case.parts * stack * m * n
    y = run(case.product(), element, case.tile, factors, case.before, count)
    expected = rounded(a, element).astype(np.float64) @ rounded(b, element)
    found = y.reshape(case.parts, stack, m, n).sum(0)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("channels", [16, 19, 32])
@pytest.mark.parametrize("element", ["tf32", "f16"])
def test_numbers_of_an_image(element: str, channels: int):
    """Rows are pixels, and sums run over a window, in two more loops."""
    height, width, outputs, step = 8, 9, 20, 2
    x = RNG.standard_normal((height, width, channels), np.float32)
    w = RNG.standard_normal((3, 2, channels, outputs), np.float32)
    rows, columns = (height - 3) // step + 1, (width - 2) // step + 1
    line = width * channels
    # The variables are the output, x, y, the part, the channel and the place in the window.
    product = Product(
        (outputs, columns, rows, 1, channels, 2, 3),
        2,
        3,
        Factor(SOURCE, 0, (0, step * channels, step * line, 0, 1, channels, line)),
        Factor(SOURCE, 0, (1, 0, 0, 0, outputs, channels * outputs, 2 * channels * outputs)),
    )
    y = run(product, element, (32, 32), [x, w], (0, 0), rows * columns * outputs)
    a, b = rounded(x, element), rounded(w, element).astype(np.float64)
    expected = np.array(
        [
            [
                np.einsum("yxc,yxco->o", a[i * step : i * step + 3, j * step : j * step + 2], b)
                for j in range(columns)
            ]
            for i in range(rows)
        ]
    )
    found = y.reshape(expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


def test_a_row_does_not_spoil_others():
    case = Case(33, 33, 33)
    a, b = (RNG.standard_normal((33, 33), np.float32) for _ in range(2))
    a[5, 7], b[3, 9] = np.nan, np.inf
    y = run(case.product(), "bf16", case.tile, [a, b], (0, 0), 33 * 33).reshape(33, 33)
    is_spoilt = np.zeros((33, 33), "?")
    is_spoilt[5], is_spoilt[:, 9] = True, True
    np.testing.assert_array_equal(~np.isfinite(y), is_spoilt)


@needs_ptxas
@pytest.mark.parametrize("element", ["tf32", "f16", "bf16"])
@pytest.mark.parametrize("architecture", ["sm_80", "sm_87", "sm_90", "sm_120"])
def test_the_assembler_keeps_all_sums_in_registers(architecture: str, element: str):
    if not knows(architecture):
        pytest.skip(f"this ptxas does not know {architecture}")
    kernels = [
        tensor_text(f"k{number}", case.product(), element, tile, (0, 0))[0]
        for number, (tile, case) in enumerate(
            (tile, case)
            for tile in TILES
            for case in (Case(256, 256, 64), Case(99, 97, 35, stack=3, turned=(True, True)))
        )
    ]
    found = assembled(HEAD + "".join(kernels), architecture)
    assert len(found) == 2 * len(TILES)
    assert {*found.values()} == {(0, 0)}
