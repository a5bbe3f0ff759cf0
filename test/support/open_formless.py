"""Networks with extents that have no form which a program evaluates, such as n + n % 5."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper
from open_decisions import Rows


class Formless(Rows):
    """A graph with an input ``x`` of n x 4 numbers, and sizes of it."""

    def rest(self, by: int = 5, least: int = 0) -> str:
        """Return the remainder of n, and some more, as a list of one number."""
        return self.of("Add", self.of("Mod", self.count(), by), least)

    def listed(self, *values: str | int) -> str:
        """Return a list of numbers."""
        parts = [self.one(value) if isinstance(value, int) else value for value in values]
        return self.add("Concat", *parts, axis=0)

    def answers(self, name: str) -> None:
        """Return rows, and what is computed of them."""
        self.gives(self.add("Neg", name), None, 4)
        self.gives(self.add("ReduceMean", name, self.integers(0)), 1, 4)


def padded() -> ModelProto:
    """Rows that are padded before and after, by a number or by those at the edge."""
    net = Formless()
    pads = net.listed(net.rest(), 0, net.of("Min", net.count(), 3), 0)
    net.answers(net.add("Pad", net.x, pads, net.constant(2, np.float32)))
    net.answers(net.add("Pad", net.x, net.listed(0, 0, net.rest(3), 0), mode="edge"))
    return net.model("padded")


def repeated() -> ModelProto:
    """Rows that are repeated, and how many there are then."""
    net = Formless()
    tiled = net.add("Tile", net.x, net.listed(net.rest(3, 1), 1))
    net.answers(tiled)
    size = net.add("Cast", net.number(tiled, 0), to=TensorProto.FLOAT)
    net.gives(net.add("Add", net.x, size), "n", 4)
    row = net.add("ReduceSum", net.x, net.integers(0))
    wide = net.add("Expand", row, net.listed(net.of("Max", net.count(), 7), 4))
    net.gives(net.add("Softmax", wide, axis=0), None, 4)
    thin = net.add("Unsqueeze", net.add("ReduceSum", net.x, net.integers(1)), net.integers(2))
    columns = net.add("Tile", thin, net.listed(1, net.rest(3, 1), 1))
    columns = net.add("Transpose", columns, perm=[1, 2, 0])
    net.gives(net.add("Reshape", columns, net.integers(1, -1)), 1, None)
    return net.model("repeated")


def joined() -> ModelProto:
    """Rows and constants, of which there are as many as a number says; the last of them."""
    net = Formless()
    value = helper.make_tensor("value", TensorProto.FLOAT, [1], [0.5])
    shape = net.listed(net.rest(5, 1), 4)
    filled = net.add("ConstantOfShape", shape, value=value)
    whole = net.add("Concat", net.x, filled, net.add("Neg", net.x), axis=0)
    net.answers(whole)
    net.gives(net.add("Gather", whole, net.integers(-1)), 1, 4)
    net.gives(net.add("Transpose", whole, perm=[1, 0]), 4, None)
    return net.model("joined")


def cut() -> ModelProto:
    """The first rows, and rows with columns in another order."""
    net = Formless()
    net.answers(net.add("Slice", net.x, net.integers(0), net.rest(5, 1)))
    starts, ends = net.listed(net.rest(2), 3), net.integers(100, -5)
    turned = net.add("Slice", net.x, starts, ends, net.integers(0, 1), net.integers(1, -1))
    net.gives(turned, None, 4)
    pads = net.listed(0, 1, net.rest(), -1)
    net.gives(net.add("Pad", net.x, pads), None, 4)
    return net.model("cut")


def padded_to_forms() -> ModelProto:
    """Rows that are padded by amounts in no form, such that there are 3n, n + 1 or 20 of them."""
    net = Formless()
    n, odd = net.count(), net.rest(2)
    even = net.of("Sub", net.of("Mul", n, 2), odd)
    net.answers(net.add("Pad", net.x, net.listed(odd, 0, even, 0), net.constant(2, np.float32)))
    other = net.of("Sub", 1, odd)
    net.gives(net.add("Pad", net.x, net.listed(odd, 0, other, 0), mode="edge"), None, 4)
    net.gives(net.add("Pad", net.x, net.listed(odd, 1, other, 1), mode="wrap"), None, 6)
    net.gives(net.add("Pad", net.x, net.listed(other, 0, odd, 1), mode="reflect"), None, 5)
    places = net.add("Cast", net.x, to=TensorProto.INT32)
    half = net.of("Div", net.of("Sub", 20, n), 2)
    rest = net.of("Sub", net.of("Sub", 20, n), half)
    wide = net.add("Pad", places, net.listed(half, 0, rest, 0), net.constant(-7, np.int32))
    net.gives(net.add("Cast", wide, to=TensorProto.FLOAT), 20, 4)
    away = net.add("Pad", net.x, net.listed(odd, 0, net.of("Sub", 0, odd), 0))
    net.gives(away, None, 4)
    return net.model("padded_to_forms")


def cut_from_places() -> ModelProto:
    """Rows from a place in no form on: n - 1 of them, one, and those back to the first."""
    net = Formless()
    n, odd, first = net.count(), net.rest(2), net.integers(0)
    end = net.of("Sub", net.of("Add", n, odd), 1)
    net.answers(net.add("Slice", net.x, odd, end, first))
    place = net.of("Min", net.of("Div", net.of("Mul", n, n), 16), net.of("Sub", n, 1))
    known = net.constant(np.arange(52).reshape(13, 4), np.float32)
    for rows in (net.x, known):
        net.gives(net.add("Slice", rows, place, net.of("Add", place, 1), first), 1, 4)
    last = net.of("Sub", net.of("Sub", n, odd), 1)
    back = net.add("Slice", net.x, last, net.integers(-1000), first, net.integers(-1))
    net.gives(net.add("Neg", back), None, 4)
    flat = net.add("Reshape", net.x, net.integers(-1))
    start = net.rest(3)
    end = net.of("Add", start, net.of("Mul", n, 3))
    net.gives(net.add("Slice", flat, start, end, first), None)
    return net.model("cut_from_places")


def cut_of_many() -> ModelProto:
    """Rows from a place on, and back from it to the first, as many as no form says."""
    net = Formless()
    start, first = net.rest(3), net.integers(0)
    end = net.of("Add", start, net.rest(5, 1))
    net.answers(net.add("Slice", net.x, start, end, first))
    back = net.add("Slice", net.x, net.rest(7), net.integers(-9999), first, net.integers(-1))
    net.gives(net.add("Neg", back), None, 4)
    net.gives(net.add("Slice", back, net.rest(2), net.integers(99), first), None, 4)
    return net.model("cut_of_many")


def windows_of_padded() -> ModelProto:
    """Windows of images that are padded before or after, by turns."""
    net = Formless()
    odd, image = net.rest(2), net.add("Reshape", net.x, net.integers(1, 1, -1, 4))
    other = net.of("Sub", 1, odd)
    image = net.add("Pad", image, net.listed(0, 0, odd, 0, 0, 0, other, 0))
    weights = net.constant(np.arange(9).reshape(1, 1, 3, 3), np.float32)
    net.gives(net.add("Conv", image, weights), 1, 1, None, 2)
    net.gives(net.add("MaxPool", image, kernel_shape=[2, 2]), 1, 1, None, 3)
    return net.model("windows_of_padded")


def moved_again() -> ModelProto:
    """Padded rows that are padded, repeated and cut, to a form or to none."""
    net = Formless()
    n, odd, first = net.count(), net.rest(2), net.integers(0)
    rows = net.add("Pad", net.x, net.listed(0, 0, net.rest(3), 0))
    net.answers(net.add("Pad", rows, net.listed(odd, 0, 0, 0), net.constant(3, np.float32)))
    net.gives(net.add("Pad", rows, net.integers(1, 0, 1, 0), mode="edge"), None, 4)
    missing = net.of("Sub", net.of("Mul", n, 3), net.number(rows, 0))
    net.answers(net.add("Pad", rows, net.listed(missing, 0, 0, 0)))
    net.answers(net.add("Tile", rows, net.integers(2, 1)))
    net.gives(net.add("Tile", rows, net.listed(net.rest(2, 1), 1)), None, 4)
    net.answers(net.add("Slice", rows, odd, net.integers(1000), first))
    begin = net.add("Slice", net.add("Relu", rows), first, n, first)
    net.gives(net.add("Mul", begin, net.x), "n", 4)
    return net.model("moved_again")


def reshaped() -> ModelProto:
    """Joined rows that are reshaped and repeated by their own size, and taken apart again."""
    net = Formless()
    value = helper.make_tensor("value", TensorProto.FLOAT, [1], [0.5])
    rest = net.rest(5, 1)
    filled = net.add("ConstantOfShape", net.listed(rest, 4), value=value)
    rows = net.add("Concat", net.x, filled, axis=0)
    count = net.number(rows, 0)
    pairs = net.add("Reshape", rows, net.listed(count, -1, 2))
    net.gives(net.add("Neg", pairs), None, 2, 2)
    net.gives(net.add("Reshape", pairs, net.listed(1, net.of("Mul", count, 4))), 1, None)
    wide = net.add("Expand", net.add("Reshape", rows, net.integers(1, -1, 4)),
                   net.listed(3, count, 4))  # fmt: skip
    net.gives(net.add("ReduceMax", wide, net.integers(1)), 3, 1, 4)
    first = net.add("Slice", rows, net.integers(0), net.count(), net.integers(0))
    net.gives(net.add("Mul", first, net.x), "n", 4)
    end = net.of("Sub", net.count(), 1)
    middle = net.add("Slice", net.add("Slice", rows, net.integers(1), count, net.integers(0)),
                     net.integers(0), end, net.integers(0))  # fmt: skip
    net.answers(middle)
    return net.model("reshaped")


def smoothed() -> ModelProto:
    """Rows between which others are interpolated."""
    net = Formless()
    sizes = net.listed(net.of("Max", net.count(), 6), 4)
    return net.returned(net.add("Resize", net.x, "", "", sizes, mode="linear"))


def padded_twice() -> ModelProto:
    """Rows and columns, which are both padded by the number."""
    net = Formless()
    return net.returned(net.add("Pad", net.x, net.listed(0, 0, net.rest(), net.rest(3))))


def flattened() -> ModelProto:
    """Rows and columns that no run has the most of together, as a list that is there before."""
    net = Formless()
    rows, columns = net.rest(3, 1), net.of("Sub", 3, net.rest(3))
    first = net.add("Slice", net.x, net.integers(0), net.integers(1), net.integers(0))
    row = net.add("Reshape", first, net.integers(-1))
    line = net.add("Tile", row, net.of("Mul", net.of("Mul", rows, columns), 2))
    two = net.add("Slice", net.x, net.integers(0), net.integers(2), net.integers(0))
    grid = net.add("Tile", two, net.listed(rows, columns))
    net.gives(net.add("Add", line, net.add("Reshape", grid, net.integers(-1))), None)
    return net.model("flattened")


FORMLESS = (
    padded,
    reshaped,
    repeated,
    joined,
    cut,
    padded_to_forms,
    cut_from_places,
    windows_of_padded,
    moved_again,
    smoothed,
    padded_twice,
    flattened,
)
