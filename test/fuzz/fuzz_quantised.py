"""Random chains with numbers that are quantised, computed with as integers, and brought back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from fuzz_case import FuzzCase
from fuzz_chains import Chain
from fuzz_numbers import MOODS, QUIET
from onnx import helper

BYTES = (np.uint8, np.int8)


def make_quantised(
    name: str, random: np.random.Generator, moods: Sequence[str] = MOODS
) -> FuzzCase:
    """Return a chain. A part of it is quantised."""
    while True:
        chain = QuantisedChain(name, random)
        if random.random() < 0.3:
            chain.step()
        for _ in range(8):
            chain.part()
            if chain.has_integers and random.random() < 0.6:
                break
        if chain.has_integers:
            return chain.case()


@dataclass(frozen=True)
class Codes:
    """A tensor of integers, and what they stand for."""

    name: str
    scale: str
    zero: str


class QuantisedChain(Chain):
    """A chain of 32-bit floats of an ordinary size."""

    def __init__(self, name: str, random: np.random.Generator):
        super().__init__(name, random, QUIET)
        self.dtype = np.dtype(np.float32)
        self.large = self.has_integers = False
        self.x = self.tensor(self._shape(int(random.choice([2, 3, 4, 4]))), False)

    def part(self) -> None:
        """Add an operator on floats, or quantise, compute with integers and come back."""
        if self.value.dtype != np.float32 or self.value.ndim < 2:
            if not self.add("Cast", self.x, to=helper.np_dtype_to_tensor_dtype(self.dtype)):
                return
            if self.value.ndim < 2:
                self.add("Reshape", self.x, self.integers(1, -1))
        match int(self.random.integers(4)):
            case 0:
                self.step()
            case 1:
                self.dynamic()
            case _:
                self.static()

    def quantises(self, kind: str, *inputs: str, **given: object) -> bool:
        """Add an operator that makes codes, of finite numbers that are not all 0.

        There is no code for nan; of zeros alone the scale is 0 by ONNX's formula, 1/255 in its
        reference and 1 in onnxruntime.
        """
        known = self.value.any() and np.isfinite(self.value).all()
        return bool(known) and self.add(kind, self.x, *inputs, **given)

    def static(self) -> None:
        """Quantise by known parameters."""
        random, per_axis = self.random, self.random.random() < 0.2
        dtype = np.dtype(self.pick(*BYTES, *BYTES, np.int16, np.uint16))
        axis = int(random.integers(self.value.ndim))
        count = (self.value.shape[axis],) if per_axis else ()
        scale, zero = self.scale(count), self.zero(dtype, count)
        if not self.quantises("QuantizeLinear", scale, zero, axis=axis):
            return
        if not per_axis and dtype.itemsize == 1:
            codes = Codes(self.x, scale, zero)
            for _ in range(int(random.integers(0, 4))):
                codes = self.integer_step(codes)
            self.x, scale, zero = codes.name, codes.scale, codes.zero
        if self.add("DequantizeLinear", self.x, scale, zero, axis=axis):
            self.has_integers = True

    def scale(self, shape: Sequence[int] = (), most: float = 0.1) -> str:
        """Return a scale: a power of two, so that quotients are halves, or any number."""
        exact = 2.0 ** -self.random.integers(2, 6, shape)
        found = exact if self.random.random() < 0.3 else 0.003 + self.random.random(shape) * most
        return self.known(np.asarray(found, np.float32), bool(self.random.random() < 0.8))

    def zero(self, dtype: np.dtype, shape: Sequence[int] = ()) -> str:
        info = np.iinfo(dtype)
        low, high = max(info.min, -300), min(info.max, 300)
        found = self.random.integers(low, high + 1, shape)
        if self.random.random() < 0.3:
            found = np.zeros(shape)
        return self.known(np.asarray(found).astype(dtype), bool(self.random.random() < 0.8))

    def integers_of(self, shape: Sequence[int], dtype: np.dtype) -> str:
        info = np.iinfo(dtype)
        array = self.random.integers(info.min, info.max + 1, shape).astype(dtype)
        return self.known(array, bool(self.random.random() < 0.85))

    def integer_step(self, codes: Codes) -> Codes:
        """Add an operator on integers; returns what they are then."""
        rank = self.values[codes.name].ndim
        self.x = codes.name
        choices: list[Callable[[Codes], Codes]] = [self.shift, self.product]
        if rank in (3, 4):
            choices += [self.conv_of, self.conv_of, self.largest]
        return choices[int(self.random.integers(len(choices)))](codes)

    def shift(self, codes: Codes) -> Codes:
        """Move integers as they are."""
        rank, axis = self.value.ndim, self.axis()
        match int(self.random.integers(4)):
            case 0:
                self.add("Transpose", self.x, perm=self.random.permutation(rank).tolist())
            case 1:
                self.add("Slice", self.x, *(self.integers(n) for n in (0, 2**62, axis, 2)))
            case 2:
                self.add("Concat", self.x, self.x, axis=axis)
            case _:
                extent = self.value.shape[0]
                self.add("Reshape", self.x, self.integers(extent, -1, *[1] * (rank - 2)))
        return Codes(self.x, codes.scale, codes.zero)

    def largest(self, codes: Codes) -> Codes:
        window = self.random.choice([1, 2, 3], self.value.ndim - 2).tolist()
        self.add("MaxPool", self.x, kernel_shape=window, strides=[1] * len(window))
        return Codes(self.x, codes.scale, codes.zero)

    def product(self, codes: Codes) -> Codes:
        """Multiply by a matrix of integers."""
        inner, columns = self.value.shape[-1], int(self.random.choice([1, 3, 8, 16, 17]))
        dtype = self.value.dtype
        other = np.dtype(self.pick(*BYTES)) if dtype == np.uint8 else dtype
        per_column = (columns,) if self.random.random() < 0.3 else ()
        weights = self.integers_of((inner, columns), other)
        scale, zero = self.scale(per_column, 0.02), self.zero(other, per_column)
        out = self.scale((), 0.2), self.zero(dtype)
        if self.add("QLinearMatMul", codes.name, codes.scale, codes.zero, weights, scale, zero,
                    *out):  # fmt: skip
            return Codes(self.x, *out)
        return codes

    def conv_of(self, codes: Codes) -> Codes:
        """Convolve with a filter of integers."""
        channels, *places = self.value.shape[1:]
        dtype = self.value.dtype
        other = np.dtype(self.pick(*BYTES)) if dtype == np.uint8 else dtype
        window = [int(self.random.choice([1, 2, 3])) for _ in places]
        outputs, group = int(self.random.choice([1, 3, 4, 8, 16])), 1
        if self.random.random() < 0.25:
            outputs = group = channels
        filter_ = self.integers_of((outputs, channels // group, *window), other)
        per_channel = (outputs,) if self.random.random() < 0.3 else ()
        scale, zero = self.scale(per_channel, 0.02), self.zero(other, per_channel)
        out = self.scale((), 0.2), self.zero(dtype)
        more: list[str] = []
        if self.random.random() < 0.4:
            more = [self.known(self.random.integers(-5000, 5000, outputs).astype(np.int32))]
        if self.add("QLinearConv", codes.name, codes.scale, codes.zero, filter_, scale, zero, *out,
                    *more, group=group, **self._window(window)):  # fmt: skip
            return Codes(self.x, *out)
        return codes

    def _window(self, window: Sequence[int]) -> dict[str, object]:
        return {
            "kernel_shape": list(window),
            "strides": self.random.choice([1, 1, 2], len(window)).tolist(),
            "pads": self.random.choice([0, 1], 2 * len(window)).tolist(),
        }

    def dynamic(self) -> None:
        """Quantise by what the numbers are, and multiply or convolve in 32 bits."""
        if not self.quantises("DynamicQuantizeLinear", outputs=3):
            return
        codes, scale, zero = self.nodes[-1].output
        other = np.dtype(self.pick(*BYTES))
        shape, rank = self.values[codes].shape, self.values[codes].ndim
        weight_zero = self.zero(other)
        if rank in (3, 4) and self.random.random() < 0.6:
            window = [int(self.random.choice([1, 2, 3])) for _ in shape[2:]]
            filter_ = self.integers_of((4, shape[1], *window), other)
            done = self.add("ConvInteger", codes, filter_, zero, weight_zero,
                            **self._window(window))  # fmt: skip
        else:
            weights = self.integers_of((shape[-1], int(self.random.choice([1, 3, 8, 17]))), other)
            done = self.add("MatMulInteger", codes, weights, zero, weight_zero)
        if done:
            self.has_integers = True
            self.add("Cast", self.x, to=helper.np_dtype_to_tensor_dtype(self.dtype))
            self.add("Mul", self.x, scale)
