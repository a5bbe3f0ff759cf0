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
    """The first rows."""
    net = Formless()
    net.answers(net.add("Slice", net.x, net.integers(0), net.rest(5, 1)))
    return net.model("cut")


FORMLESS = (padded, repeated, joined, cut)


def reversed_too() -> ModelProto:
    """Rows from a place on, with columns from the last to the first."""
    net = Formless()
    starts = net.listed(net.of("Mod", net.count(), 2), 3)
    ends, steps = net.integers(100, -5), net.integers(1, -1)
    return net.returned(net.add("Slice", net.x, starts, ends, net.integers(0, 1), steps))


def shifted_too() -> ModelProto:
    """Rows that are padded, with columns that are moved by one."""
    net = Formless()
    return net.returned(net.add("Pad", net.x, net.listed(0, 1, net.rest(), -1)))


def smoothed() -> ModelProto:
    """Rows between which others are interpolated."""
    net = Formless()
    sizes = net.listed(net.of("Max", net.count(), 6), 4)
    return net.returned(net.add("Resize", net.x, "", "", sizes, mode="linear"))


def padded_twice() -> ModelProto:
    """Rows and columns, which are both padded by the number."""
    net = Formless()
    return net.returned(net.add("Pad", net.x, net.listed(0, 0, net.rest(), net.rest(3))))


OTHERS = (reversed_too, shifted_too, smoothed, padded_twice)
