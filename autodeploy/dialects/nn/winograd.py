"""The transforms of Winograd's minimal filtering for 3x3 convolutions.

F(m x m, 3 x 3) computes m x m outputs of a convolution from (m + 2) x (m + 2) inputs with (m + 2)²
products instead of 9 m²: Y = Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A (Lavin and Gray, "Fast Algorithms for
Convolutional Neural Networks", 2015). The matrices follow from interpolation at 0, ±1 (, ±2), ∞.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

_ROUNDING = 2.0**-24

Matrix: TypeAlias = tuple[tuple[float, ...], ...]


class Winograd(NamedTuple):
    """The matrices of F(m x m, 3 x 3)."""

    outputs: int
    """m, the outputs of a tile along an axis."""
    input_transform: Matrix
    """Bᵀ, (m + 2) x (m + 2)."""
    filter_transform: Matrix
    """G, (m + 2) x 3."""
    output_transform: Matrix
    """Aᵀ, m x (m + 2)."""
    denominator: int
    """The least factor that makes integers of G."""

    @property
    def points(self) -> int:
        """Return m + 2, the inputs of a tile along an axis."""
        return self.outputs + 2

    @property
    def error(self) -> float:
        """Return the error that rounding to 32 bits can make, relative to the largest product.

        The largest product is that of the largest elements of image and filter. Transforms enlarge
        it; each of the transformed products is taken to be rounded once.
        """
        largest = [
            sum(map(abs, image)) * sum(map(abs, weights))
            for image, weights in zip(self.input_transform, self.filter_transform, strict=True)
        ]
        along_axis = max(
            sum(abs(factor) * element for factor, element in zip(row, largest, strict=True))
            for row in self.output_transform
        )
        return along_axis**2 * _ROUNDING


WINOGRAD_2 = Winograd(
    2,
    ((1, 0, -1, 0), (0, 1, 1, 0), (0, -1, 1, 0), (0, 1, 0, -1)),
    ((1, 0, 0), (0.5, 0.5, 0.5), (0.5, -0.5, 0.5), (0, 0, 1)),
    ((1, 1, 1, 0), (0, 1, -1, -1)),
    2,
)
"""F(2 x 2, 3 x 3): 2.25 times fewer products, errors as of the direct sum."""

WINOGRAD_4 = Winograd(
    4,
    (
        (4, 0, -5, 0, 1, 0),
        (0, -4, -4, 1, 1, 0),
        (0, 4, -4, -1, 1, 0),
        (0, -2, -1, 2, 1, 0),
        (0, 2, -1, -2, 1, 0),
        (0, 4, 0, -5, 0, 1),
    ),
    (
        (1 / 4, 0, 0),
        (-1 / 6, -1 / 6, -1 / 6),
        (-1 / 6, 1 / 6, -1 / 6),
        (1 / 24, 1 / 12, 1 / 6),
        (1 / 24, -1 / 12, 1 / 6),
        (0, 0, 1),
    ),
    (
        (1, 1, 1, 1, 1, 0),
        (0, 1, -1, 2, -2, 0),
        (0, 1, 1, 4, 4, 0),
        (0, 1, -1, 8, -8, 1),
    ),
    24,
)
"""F(4 x 4, 3 x 3): 4 times fewer products, errors about ten times those of the direct sum."""

WINOGRAD = {transform.outputs: transform for transform in (WINOGRAD_2, WINOGRAD_4)}
"""The transforms by m."""
