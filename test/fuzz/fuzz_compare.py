"""Whether a result is one of those that may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from fuzz_case import FuzzCase
from fuzz_numbers import BF16, Array, is_float
from fuzz_reference import sample

FEW, MANY = 5, 48
"""Samples of what may be: for all results, and for those that these do not cover."""


@dataclass(frozen=True)
class Difference:
    """The first wrong element of a result."""

    output: str
    place: tuple[int, ...]
    found: str
    expected: str
    count: int
    size: int

    def __str__(self) -> str:
        where = "x".join(map(str, self.place)) or "scalar"
        return (
            f"{self.output}[{where}] is {self.found}, expected {self.expected}; "
            f"{self.count} of {self.size} are wrong"
        )


class Expectation:
    """Samples of the results of a case at a level."""

    def __init__(self, case: FuzzCase, level: int):
        self._case, self._level = case, level
        self._overflows = False
        self._samples = [self._sample(i) for i in range(FEW)]

    def _sample(self, number: int) -> Sequence[Array]:
        tensors = sample(self._case, self._level, number)
        results = (tensors.get(name) for node in self._case.nodes for name in node.output)
        # Level 3 keeps 32 bits between operators, in which such a number is finite.
        self._overflows |= self._level >= 3 and any(
            isinstance(x, np.ndarray) and x.dtype == np.float16 and np.isinf(x).any()
            for x in results
        )
        return [np.asarray(tensors[name]) for name in self._case.outputs]

    def differences(self, found: Sequence[Array]) -> list[Difference]:
        """Return the results of which an element is not what may be."""
        if not self._wrong(found):
            return []
        while len(self._samples) < MANY:
            self._samples.append(self._sample(len(self._samples)))
        return self._wrong(found)

    def open_share(self) -> float:
        """Return the share of elements of which nothing is known, in all results."""
        total = unknown = 0
        for stack in self._stacks():
            wide = _wide(stack)
            same = (wide == wide[0]).all(0)
            if is_float(stack.dtype):
                same |= np.isfinite(wide).all(0) | np.isnan(wide).all(0)
            total, unknown = total + same.size, unknown + int((~same).sum())
        return unknown / max(total, 1)

    def _stacks(self) -> list[Array]:
        return [np.stack(arrays) for arrays in zip(*self._samples, strict=True)]

    def _wrong(self, found: Sequence[Array]) -> list[Difference]:
        result: list[Difference] = []
        for name, ours, stack in zip(self._case.outputs, found, self._stacks(), strict=True):
            if ours.shape != stack.shape[1:] or ours.dtype != stack.dtype:
                text = f"{ours.dtype} {ours.shape}"
                wanted = f"{stack.dtype} {stack.shape[1:]}"
                result.append(Difference(name, (), text, wanted, ours.size, ours.size))
                continue
            wrong = ~allowed(ours, stack)
            if self._overflows and is_float(stack.dtype):
                wrong &= np.isfinite(_wide(stack)).all(0)
            if wrong.any():
                place = tuple(int(i) for i in np.argwhere(wrong)[0])
                few = sorted({str(v) for v in stack[(slice(None), *place)]})[:6]
                count = int(wrong.sum())
                text = _shown(ours, place)
                result.append(Difference(name, place, text, " or ".join(few), count, ours.size))
        return result


def allowed(found: Array, samples: Array) -> Array:
    """Tell for each element whether it may be; ``samples`` are results along the first axis.

    A float lies between those of the samples, or half as far beyond as these lie apart, and is
    infinite or nan only where a sample is the same. A zero has the sign of a sample's zero, unless
    the samples lie on both sides. Where some are numbers and some nan, nothing is known, as a sum
    of two infinities may be one of them; nor where both infinities are among them.
    """
    if not is_float(found.dtype):
        if found.dtype == np.bool_:
            found, samples = found.view(np.uint8), samples.view(np.uint8)
        return (samples == found).any(0) | (samples != samples[0]).any(0)
    ours, theirs = _wide(found), _wide(samples)
    finite = np.isfinite(theirs)
    low = np.where(finite, theirs, np.inf).min(0)
    high = np.where(finite, theirs, -np.inf).max(0)
    with np.errstate(all="ignore"):
        pad = np.where(high > low, (high - low) / 2, 0)
    within = (ours >= low - pad) & (ours <= high + pad)
    mixed = finite.any(0) & ~finite.all(0)
    others = [np.isnan(theirs), theirs == np.inf, theirs == -np.inf]
    open_ = mixed & others[0].any(0) | others[1].any(0) & others[2].any(0)
    zeros = (theirs == 0) & finite
    signs = zeros & (np.signbit(theirs) == np.signbit(ours))
    signed = (ours != 0) | signs.any(0) | (high > low) | ~zeros.any(0)
    numbers = np.isfinite(ours) & (within | mixed) & signed
    nans = np.isnan(ours) & np.isnan(theirs).any(0)
    infinite = np.isinf(ours) & (theirs == ours).any(0)
    return numbers | nans | infinite | open_


def _wide(x: Array) -> Array:
    return x.astype(np.float64) if is_float(x.dtype) else x


def _shown(array: Array, place: tuple[int, ...]) -> str:
    if array.dtype == np.bool_:
        return f"byte {array.view(np.uint8)[place]}"
    x = array[place]
    return str(np.float32(x)) if array.dtype == BF16 else str(x)
