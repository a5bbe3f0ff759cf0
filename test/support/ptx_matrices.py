"""Products on tensor cores as ``mma.sync`` computes them, and the rounding of their factors.

The places of elements in registers are those of NVIDIA's description of PTX: thread t of the group
g of four threads of a warp holds elements of rows g and g + 8.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WARP = 32


def rounded_bits(x: np.ndarray, element: str) -> np.ndarray:
    """Return the bits of floats of 32 bits as tf32 (in 32 bits), f16 or bf16 (in 16 bits)."""
    bits = x.astype(np.float32).view(np.uint32)
    if element == "f16":
        return x.astype(np.float16).view(np.uint16)
    if element == "tf32":
        # To the nearest one, and away from zero in the middle.
        up = np.where(np.isfinite(x), bits + np.uint32(0x1000), bits)
        return up & np.uint32(0xFFFFE000)
    even = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    return (np.where(np.isnan(x), bits | np.uint32(1 << 22), even) >> np.uint32(16)).astype("u2")


def rounded(x: np.ndarray, element: str) -> np.ndarray:
    """Return floats rounded to a type of factors."""
    return _floats(rounded_bits(x, element), element)


def multiplied(
    element: str,
    left: Sequence[np.ndarray],
    right: Sequence[np.ndarray],
    sums: Sequence[np.ndarray],
) -> list[np.ndarray]:
    """Return the sums after an ``mma.sync`` of m16n8k8 (tf32) or m16n8k16 (f16, bf16).

    Each array is a register of all threads of whole warps, those of factors as 32 bits.
    """
    pack = 1 if element == "tf32" else 2
    lane = np.arange(WARP)
    group, thread = lane // 4, lane % 4
    warps = len(sums[0]) // WARP
    a = np.zeros((warps, 16, 8 * pack), np.float32)
    b = np.zeros((warps, 8 * pack, 8), np.float32)
    c = np.zeros((warps, 16, 8), np.float32)
    for number, register in enumerate(left):
        for half, values in enumerate(_halves(register, element, warps)):
            word = thread + 4 * (number // 2)
            a[:, group + 8 * (number % 2), word * pack + half] = values
    for number, register in enumerate(right):
        for half, values in enumerate(_halves(register, element, warps)):
            b[:, (thread + 4 * number) * pack + half, group] = values
    places = [(group + 8 * (n // 2), 2 * thread + n % 2) for n in range(4)]
    for (row, column), register in zip(places, sums, strict=True):
        c[:, row, column] = register.reshape(warps, WARP)
    c = c + a @ b
    return [c[:, row, column].reshape(-1) for row, column in places]


def _halves(register: np.ndarray, element: str, warps: int) -> list[np.ndarray]:
    """Return the factors that a register has, the lower half first."""
    bits = register.reshape(warps, WARP)
    if element == "tf32":
        # The lower bits of a word are not looked at.
        return [_floats(bits & np.uint32(0xFFFFE000), element)]
    halves = ((bits >> np.uint32(16 * n)).astype(np.uint16) for n in range(2))
    return [_floats(half, element) for half in halves]


def _floats(bits: np.ndarray, element: str) -> np.ndarray:
    if element == "f16":
        return bits.view(np.float16).astype(np.float32)
    wide = bits if element == "tf32" else bits.astype(np.uint32) << np.uint32(16)
    return wide.view(np.float32)
