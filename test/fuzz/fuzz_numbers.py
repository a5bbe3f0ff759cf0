"""Numbers at which programs break, among ordinary ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import ml_dtypes
import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray

BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = (np.dtype(np.float32), np.dtype(np.float16), np.dtype(np.float64), BF16)
MOODS = ("ordinary", "ordinary", "ordinary", "sprinkled", "sprinkled", "special", "mask", "large",
         "small", "ties", "finite")  # fmt: skip
"""What the numbers of an array are like; ``draw`` takes one of these at random."""
QUIET = ("ordinary", "ordinary", "ties")
"""Moods of operators that are checked with numbers of an ordinary size only."""
NORMAL = ("ordinary", "ordinary", "odd", "odd", "mask", "large", "ties")
"""Moods for devices on which subnormal numbers may count as 0: none is one."""


def is_float(dtype: npt.DTypeLike) -> bool:
    """Tell whether a type is one of the four that networks compute with."""
    return np.dtype(dtype) in FLOATS


def limits(dtype: npt.DTypeLike) -> ml_dtypes.finfo:
    return ml_dtypes.finfo(np.dtype(dtype))


def special(dtype: npt.DTypeLike) -> Array:
    """Return the numbers of a type that are none, zeros of either sign, and those at its ends."""
    info = limits(dtype)
    ends = [float(info.max), float(info.tiny), float(info.smallest_subnormal)]
    ends += [ends[0] / 2, ends[1] / 2, ends[1] * 3, ends[2] * 5]
    values = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, *ends, *(-end for end in ends)]
    return np.array(values).astype(np.dtype(dtype))


def draw(
    random: np.random.Generator,
    shape: Sequence[int],
    dtype: npt.DTypeLike,
    moods: Sequence[str] = MOODS,
) -> Array:
    """Return an array; one of floats is in a mood that is drawn, too."""
    dtype, mood = np.dtype(dtype), str(random.choice(list(moods)))
    if dtype == np.bool_:
        return random.random(shape) < 0.5
    if dtype.kind in "iu":
        return draw_integers(random, shape, dtype)
    ordinary = random.standard_normal(shape)
    exponent = np.log10(float(limits(dtype).max))
    match mood:
        case "sprinkled" | "special" | "odd":
            share = 1.0 if mood == "special" else random.choice([0.02, 0.1, 0.4])
            chosen = random.random(shape) < share
            numbers = special(dtype).astype(np.float64)
            if mood == "odd":
                numbers = numbers[~(np.abs(numbers) < 1) | (numbers == 0)]
            values = np.where(chosen, random.choice(numbers, shape), ordinary)
        case "mask":
            values = np.where(random.random(shape) < 0.6, 0.0, -np.inf)
        case "large":
            values = ordinary * 10 ** (random.random(shape) * exponent * 0.99)
        case "small":
            values = ordinary * 10 ** (-random.random(shape) * exponent * 1.1)
        case "ties":
            values = random.integers(-3, 4, shape) / 2
        case "finite":
            values = ordinary * 10 ** ((random.random(shape) - 0.5) * exponent * 1.9)
        case _:
            values = ordinary
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(dtype)


def draw_integers(
    random: np.random.Generator, shape: Sequence[int], dtype: npt.DTypeLike, zeros: bool = True
) -> Array:
    """Return integers, small ones and those at the ends of the type."""
    info = np.iinfo(np.dtype(dtype))
    small = random.integers(max(info.min, -20), 21, shape)
    ends = random.integers(info.min, info.max, shape, np.dtype(dtype), endpoint=True)
    values = np.where(random.random(shape) < 0.7, small.astype(np.dtype(dtype)), ends)
    return values if zeros else np.where(values == 0, np.dtype(dtype).type(1), values)
