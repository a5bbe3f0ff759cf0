"""Products of matrices of parts by fewer products of parts: Strassen's algorithm and its kind.

Y = C [(A x) ⊙ (B w)]: a row of ``left`` times the parts of the left-hand side, and the same row of
``right`` times those of the right-hand side, are the operands of a product; a row of ``result``
times the products is a part of the result. The left-hand side has 2 rows of parts. Parts are
numbered row after row: 11, 12, 21, 22.

- 2 x 2 by 2 x 2 parts: 7 products in place of 8 (Strassen, "Gaussian Elimination is not Optimal",
  1969)
- 2 x 3 by 3 x 3: 15 in place of 18; 2 x 4 by 4 x 4: 26 in place of 32. These numbers are Hopcroft
  and Kerr's ("On Minimizing the Number of Multiplications Necessary for Matrix Multiplication",
  1971). The sums below come from random walks through the flip graph (Kauers and Moosbauer, "Flip
  Graphs for Matrix Multiplication", 2022), first to so few products, and then to few sums of the
  left-hand side and the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from autodeploy.dialects.constraints import broken
from autodeploy.dialects.nn.winograd import ROUNDING, Matrix

ROW_PARTS = 2
"""Rows of parts of the left-hand side and of the result."""


class Strassen(NamedTuple):
    """The matrices of an algorithm: factors of 0, 1 and -1."""

    steps: int
    """Parts of the inner axis."""
    columns: int
    """Parts of the columns."""
    left: Matrix
    """A, a row for each product, a column for each part of the left-hand side."""
    right: Matrix
    """B, a row for each product, a column for each part of the right-hand side."""
    result: Matrix
    """C, a row for each part of the result, a column for each product."""

    @property
    def parts(self) -> tuple[int, int]:
        """Return the parts of the inner axis and of the columns, which tell algorithms apart."""
        return self.steps, self.columns

    @property
    def products(self) -> int:
        """Return how many products there are."""
        return len(self.left)

    @property
    def error(self) -> float:
        """Return the error that rounding to 32 bits can make, relative to the largest product.

        As of Winograd's transforms, see ``Winograd.error``.
        """
        largest = [
            sum(map(abs, left)) * sum(map(abs, right))
            for left, right in zip(self.left, self.right, strict=True)
        ]
        return ROUNDING * max(
            sum(abs(factor) * product for factor, product in zip(row, largest, strict=True))
            for row in self.result
        )


def _algorithm(steps: int, columns: int, products: str) -> Strassen:
    """Return an algorithm; lines have the terms of ``left | right``, and where a product goes."""
    lines = [line.split("|") for line in products.strip().splitlines()]
    extents = (ROW_PARTS, steps), (steps, columns), (ROW_PARTS, columns)
    left, right, by_product = (
        tuple(_factors(line[place], *extent) for line in lines)
        for place, extent in enumerate(extents)
    )
    return Strassen(steps, columns, left, right, tuple(zip(*by_product, strict=True)))


def _factors(terms: str, rows: int, columns: int) -> tuple[float, ...]:
    """Return the factors of all parts in terms as ``+11 -22``."""
    factors = [0.0] * (rows * columns)
    for sign, row, column in re.findall(r"([+-])(\d)(\d)", terms):
        factors[(int(row) - 1) * columns + int(column) - 1] = float(sign + "1")
    return tuple(factors)


_ALGORITHMS = (
    _algorithm(
        2,
        2,
        """
    +11 +22 | +11 +22 | +11 +22
    +21 +22 | +11 | +21 -22
    +11 | +12 -22 | +12 +22
    +22 | -11 +21 | +11 +21
    +11 +12 | +22 | -11 +12
    -11 +21 | +11 +12 | +22
    +12 -22 | +21 +22 | +11
""",
    ),
    _algorithm(
        3,
        3,
        """
    +22 -23 | +21 | -11 -12 +21 +22
    +12 +22 -23 | +21 +32 | +11 +12 -22
    +12 -13 +22 -23 | -32 | +11 +12
    +11 -13 | +11 | +11 +13 -21 -23
    +13 | +11 +31 -32 | +11
    +11 +12 | +12 | +12 -13
    +12 | +12 +21 -22 | -12 +22
    +11 -13 +21 | +11 +33 | -13 +21 +23
    +12 -21 | +12 +23 | +13 -22
    +21 | +11 -13 +23 | +13 -23
    +11 +21 | +12 +13 +33 | +13
    +11 -13 +21 -23 | -33 | +21 +23
    +23 | +21 +31 -33 | +21
    +21 +22 | +23 | -22 +23
    +12 +22 | +22 +23 +32 | +22
""",
    ),
    _algorithm(
        4,
        4,
        """
    +12 | +21 -23 -41 +43 | +11 -12
    +11 +12 -13 +14 | +11 +24 -43 | +11 +13 +14
    +22 -23 | -11 -31 | +11 +13 +21 +23
    +13 +22 -23 | +11 +23 +31 -43 | +11 +13 +22 +23
    +11 +14 +22 -23 | +24 -43 | -11 -13 +24
    +12 -13 -22 +23 | +23 -24 | +11 +13
    +12 +14 | -11 +41 | +11 +21
    +11 | -13 +14 +43 -44 | +12 +14
    +12 +14 -24 | +21 +22 -23 -41 +43 | +12 +21
    +24 | +42 | +12 +22
    +13 | +32 | +12 +22
    +11 +14 -24 | +12 +13 -14 -43 +44 | +12 -24
    +14 -24 | -12 -13 +14 -21 -22 +23 +41 +42 -44 | +12
    +12 +14 +21 -23 | +11 -43 | -13 -14 +21
    +13 +21 -23 | +13 +24 +34 -43 | +13 +14 -22 +23
    +21 -23 | -24 -34 | +13 +14 +23 +24
    +11 -13 -21 +23 | -11 +13 | +13 +14
    +13 | -11 -24 -31 +33 -34 +43 | +13 +23
    +11 +14 | -24 +44 | +14 +24
    +22 | +11 -22 +23 +31 -43 | +21 -22
    +21 +22 -23 +24 | +43 | +21 +23 +24
    +12 +14 -22 -24 | -21 -22 +23 | +21
    +21 | +12 +13 +24 +34 -43 | +22 +24
    +13 -23 | -11 +13 -23 +24 -31 -32 +34 | +22
    +13 -23 | -13 -23 -33 +43 | +23
    +11 +14 -21 -24 | +12 +13 -14 | +24
""",
    ),
)

STRASSEN: Mapping[tuple[int, ...], Strassen] = {
    algorithm.parts: algorithm for algorithm in _ALGORITHMS
}
"""The algorithms by the parts of the inner axis and of the columns."""


def algorithm_of(parts: tuple[int, ...]) -> Strassen:
    """Return the algorithm for some parts of the inner axis and of the columns.

    - (matmul_c6) there is one
    """
    if parts not in STRASSEN:
        known = ", ".join(map(str, map(list, STRASSEN)))
        raise broken("matmul_c6", f"no algorithm is for parts {list(parts)}, only for {known}")
    return STRASSEN[parts]
