"""A network with kernels of each template, and the samples that they compute apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from threaded_models import ThreadedModel

Array = np.ndarray


@dataclass(frozen=True)
class Samples:
    """Equal parts of inputs along an axis, each of which one part of a result is computed from.

    Where a window reads neighbours, parts of the result within ``reach`` depend on a part, too.
    """

    inputs: tuple[str, ...]
    axis: int
    result: str
    result_axis: int
    count: int
    reach: int = 0

    def spoil(self, inputs: dict[str, Array], part: int, value: float) -> None:
        """Make a part of the inputs a value, or ``TIMES`` as large."""
        for name in self.inputs:
            array = np.moveaxis(inputs[name].copy(), self.axis, 0)
            width = len(array) // self.count
            chosen = array[part * width : (part + 1) * width]
            chosen[...] = chosen * value if value == TIMES else value
            inputs[name] = np.moveaxis(array, 0, self.axis)

    def others(self, result: Array, part: int) -> Array:
        """Return the parts of a result that do not depend on a part, a row each."""
        whole = np.moveaxis(result, self.result_axis, 0)
        rows = whole.reshape(self.count, -1).astype(np.float64)
        first = max(part - self.reach, 0)
        return np.concatenate([rows[:first], rows[part + self.reach + 1 :]])

    @property
    def parts(self) -> tuple[int, ...]:
        """Parts that are spoiled: at both ends, and where rows are paired in one way or another."""
        return tuple(sorted({0, 1, self.count // 2, self.count - 1} & {*range(self.count)}))


TIMES = 1e4
"""How many times as large a sample becomes where it is an ordinary one."""

VALUES = (np.nan, np.inf, 1e30, TIMES)


@dataclass
class Independent:
    """A network, and the samples of its kernels by the template that computes them."""

    model: ThreadedModel = field(default_factory=lambda: ThreadedModel(3))
    samples: dict[str, list[Samples]] = field(default_factory=dict)

    def add(
        self,
        template: str,
        result: str,
        inputs: str | tuple[str, ...],
        axis: int,
        result_axis: int | None = None,
        count: int | None = None,
        reach: int = 0,
    ) -> None:
        """Say that a result has samples along an axis: as many as the input is long, or fewer."""
        names = (inputs,) if isinstance(inputs, str) else inputs
        extent = self.model.inputs[names[0]].shape[axis]
        of_result = axis if result_axis is None else result_axis
        one = Samples(names, axis, result, of_result, count or extent, reach)
        self.samples.setdefault(template, []).append(one)

    def rounds(self) -> Iterator[Sequence[tuple[str, Samples, int]]]:
        """Yield samples with parts, and their templates: no input or result is twice in a round."""
        waiting = [
            (template, samples, part)
            for template, listed in self.samples.items()
            for samples in listed
            for part in samples.parts
        ]
        while waiting:
            taken: set[str] = set()
            chosen: list[tuple[str, Samples, int]] = []
            for one in waiting:
                names = {*one[1].inputs, one[1].result}
                if taken.isdisjoint(names):
                    taken |= names
                    chosen.append(one)
            waiting = [one for one in waiting if one not in chosen]
            yield chosen


def products(net: Independent) -> None:
    """Rows, columns of a computed matrix, matrices of a stack."""
    m = net.model
    for rows, inner, columns in ((97, 256, 512), (5, 512, 40), (50, 65, 21)):
        x = m.input(rows, inner)
        y = m.node("MatMul", x, m.weight(inner, columns))
        net.add("gemm", y, x, 0)
    x, w = m.input(13, 30), m.input(30, 37)
    y = m.node("MatMul", x, w)
    net.add("gemm", y, x, 0)
    net.add("gemm", y, w, 1)
    x = m.input(18, 48)
    y = m.node("MatMul", m.node("Sigmoid", x), m.weight(48, 70))
    net.add("gemm", m.node("Mul", y, m.node("Sigmoid", y)), x, 0)
    x = m.input(2, 5, 7, 32)
    y = m.node("Conv", m.node("Transpose", x, perm=[0, 3, 1, 2]), m.weight(48, 32, 1, 1))
    net.add("gemm", y, x, 1, 2)
    net.add("gemm", y, x, 0)
    x, w = m.input(1, 65), m.input(65, 43)
    net.add("gemv", m.node("MatMul", x, w), w, 1)
    x = m.input(5, 1, 40)
    net.add("gemv", m.node("MatMul", x, m.input(5, 40, 24)), x, 0)
    x, codes = m.input(11, 64), m.constant()
    m.weights[codes] = np.random.default_rng(1).integers(0, 256, (70, 2, 16), np.uint8)
    given = {"K": 64, "N": 70, "block_size": 32, "domain": "com.microsoft"}
    net.add("scaled", m.node("MatMulNBits", x, codes, m.weight(70, 2), **given), x, 0)


def convolutions(net: Independent) -> None:
    """Images, groups, channels that are computed apart, rows beyond the window."""
    m = net.model
    same = {"pads": [2] * 4}
    x = m.input(2, 8, 14, 11)
    y = m.node("Conv", x, m.weight(24, 8, 5, 5), **same)
    net.add("direct_conv", y, x, 0)
    net.add("direct_conv", y, x, 2, reach=2)
    net.add("direct_conv", y, x, 3, reach=2)
    x = m.input(3, 1, 9, 13)
    y = m.node("Conv", x, m.weight(4, 1, 3, 3), strides=[2, 2])
    net.add("direct_conv", y, x, 0)
    x = m.input(2, 12, 9, 7)
    y = m.node("ConvTranspose", x, m.weight(12, 10, 2, 2), strides=[2, 2])
    net.add("direct_conv", y, x, 0)
    net.add("direct_conv", y, x, 2)
    x = m.input(2, 32, 9, 10)
    y = m.node("Conv", x, m.weight(64, 8, 5, 5), group=4, **same)
    net.add("grouped_conv", y, x, 0)
    net.add("grouped_conv", y, x, 1, count=4)
    net.add("grouped_conv", y, x, 2, reach=2)
    x = m.input(3, 20, 11, 9)
    y = m.node("Conv", x, m.weight(20, 1, 3, 3), group=20, pads=[1] * 4)
    net.add("depthwise", y, x, 0)
    net.add("depthwise", y, x, 1)
    net.add("depthwise", y, x, 2, reach=1)
    x = m.input(3, 32, 14, 14)
    net.add("winograd", m.node("Conv", x, m.weight(32, 32, 3, 3), pads=[1] * 4), x, 0)


def windows(net: Independent) -> None:
    """Pools, a convolution with the pool behind it in bands, responses of neighbours."""
    m = net.model
    for kind in ("MaxPool", "AveragePool"):
        x = m.input(2, 19, 13, 12)
        y = m.node(kind, x, kernel_shape=[3, 3], pads=[1] * 4)
        net.add("window", y, x, 0)
        net.add("window", y, x, 1)
        net.add("window", y, x, 2, reach=1)
    x = m.input(2, 24, 7, 6)
    y = m.node("LRN", x, size=3)
    net.add("lrn", y, x, 0)
    net.add("lrn", y, x, 2)
    net.add("lrn", y, x, 1, reach=1)
    x = m.input(2, 3, 64, 64)
    y = m.node("Relu", m.node("Conv", x, m.weight(32, 3, 3, 3), pads=[1] * 4))
    y = m.node("MaxPool", y, kernel_shape=[2, 2], strides=[2, 2])
    net.add("row_bands", y, x, 0)
    net.add("row_bands", y, x, 2, count=32, reach=1)


def rows(net: Independent) -> None:
    """Rows and columns that are folded, normalised, or one of a softmax."""
    m = net.model
    last, first = m.constant(1, integer=True), m.constant(0, integer=True)
    for kind in ("ReduceSum", "ReduceMax", "ReduceL2"):
        x = m.input(9, 83)
        net.add("row", m.node(kind, x, last), x, 0)
        net.add("row", m.node(kind, x, first), x, 1)
    x = m.input(11, 75)
    net.add("row", m.node("Softmax", x), x, 0)
    net.add("row", m.node("Softmax", x, axis=0), x, 1)
    net.add("row", m.node("LayerNormalization", x, m.weight(75)), x, 0)
    x = m.input(4, 12, 5, 7)
    net.add("row", m.node("InstanceNormalization", x, m.weight(12), m.weight(12)), x, 1)
    net.add("row", m.node("GlobalAveragePool", x), x, 0)
    query, key, value = m.input(4, 33, 16), m.input(4, 16, 40), m.input(4, 40, 24)
    y = m.node("MatMul", m.node("Softmax", m.node("MatMul", query, key)), value)
    net.add("attention", y, query, 1)
    net.add("attention", y, (query, key, value), 0)
    net.add("attention", y, value, 2)


def others(net: Independent) -> None:
    """Copies, loops over elements, resized images, batches of a recurrent layer."""
    m = net.model
    x = m.input(6, 17, 40)
    net.add("copy", m.node("Transpose", x, perm=[0, 2, 1]), x, 1, 2)
    net.add("copy", m.node("Concat", x, x, axis=2), x, 1)
    x = m.input(9, 35)
    net.add("plain", m.node("Erf", m.node("Add", x, m.weight(35))), x, 1)
    net.add("plain", m.node("CumSum", x, m.constant(1, integer=True)), x, 0)
    x = m.input(2, 5, 6, 7)
    y = m.node("Resize", x, "", m.constant(1, 1, 2, 2), mode="linear")
    net.add("plain", y, x, 0)
    net.add("plain", y, x, 1)
    x = m.input(3, 4, 10)
    y = m.node("GRU", x, m.weight(1, 36, 10), m.weight(1, 36, 12), hidden_size=12)
    net.add("plain", y, x, 1, 2)


FAMILIES = (products, convolutions, windows, rows, others)


def independent() -> Independent:
    """Return all of them in one network."""
    net = Independent()
    for family in FAMILIES:
        family(net)
    return net


def independent_codes() -> Independent:
    """Return quantised convolutions and products, whose sums are those of integers."""
    net = Independent()
    m = net.model
    zero, signed, draw = "zero", "signed", np.random.default_rng(1)
    m.weights |= {zero: np.array(120, np.uint8), signed: np.array(0, np.int8)}

    def rounded(x: str) -> str:
        scale = m.constant(0.01)
        codes = m.node("QuantizeLinear", x, m.node("Squeeze", scale), zero)
        return m.node("DequantizeLinear", codes, m.node("Squeeze", scale), zero)

    def weight(*shape: int) -> str:
        name = m.constant()
        m.weights[name] = draw.integers(-127, 128, shape).astype(np.int8)
        return m.node("DequantizeLinear", name, m.node("Squeeze", m.constant(0.002)), signed)

    for image, filters, axes in (
        ((3, 16, 9, 11), (48, 16, 3, 3), {0: (3, 0), 2: (9, 1), 3: (11, 1)}),
        ((2, 64, 5, 7), (160, 64, 1, 1), {0: (2, 0), 2: (5, 0), 3: (7, 0)}),
        ((1, 24, 8, 8), (36, 8, 3, 3), {1: (3, 0)}),
        ((1, 20, 9, 9), (20, 1, 3, 3), {1: (20, 0)}),
    ):
        x, group, pads = m.input(*image), image[1] // filters[1], [filters[2] // 2] * 4
        y = rounded(m.node("Conv", rounded(x), weight(*filters), group=group, pads=pads))
        for axis, (count, reach) in axes.items():
            net.add("conv", y, x, axis, count=count, reach=reach)
    for rows, columns in (((19, 64), 100), ((3, 17, 32), 40), ((2, 1, 128), 200)):
        x = m.input(*rows)
        y = rounded(m.node("MatMul", rounded(x), weight(rows[-1], columns)))
        for axis in range(len(rows) - 1):
            if rows[axis] > 1:
                net.add("product", y, x, axis)
    return net
