"""Networks that compute with the number of a run in ways that few numbers do not show.

What follows from it is alike for many numbers and differs for some: a remainder, a comparison, an
extreme. Each program is right for all numbers of its range, or there is none.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from onnx import ModelProto, TensorProto, helper
from open_inner import Inner

INT64, FLOAT, BOOL = TensorProto.INT64, TensorProto.FLOAT, TensorProto.BOOL

Scalar = Callable[["Plateau", str], str]
"""Adds nodes that compute one number from another one."""


class Plateau(Inner):
    """A graph with an input ``x`` of 3 x n numbers, and nodes on numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.x = self.takes("x", 3, "n")

    def one(self, value: int) -> str:
        return self.constant([value], np.int64)

    def number(self, name: str = "x", axis: int = 1) -> str:
        """Return an extent as a list of one number."""
        return self.add("Gather", self.add("Shape", name), self.one(axis))

    def of(self, op: str, *values: str | int) -> str:
        """Add a node on numbers and values."""
        return self.add(op, *(self.one(v) if isinstance(v, int) else v for v in values))

    def flag(self, op: str, *values: str | int) -> str:
        """Add a comparison, as an integer."""
        return self.add("Cast", self.of(op, *values), to=INT64)


def seldom(net: Plateau, n: str) -> str:
    """1 where the remainder by 8 is 5 or more, else 0."""
    return net.of("Min", net.of("Div", net.of("Mod", n, 8), 5), 1)


def parity(net: Plateau, n: str) -> str:
    return net.of("Mod", n, 2)


def beyond(net: Plateau, n: str) -> str:
    return net.flag("Greater", n, 20)


def once(net: Plateau, n: str) -> str:
    return net.flag("Equal", n, 21)


def missing(net: Plateau, n: str) -> str:
    """How many elements lack to a multiple of 4."""
    return net.of("Mod", net.of("Sub", 4, net.of("Mod", n, 4)), 4)


def bounded(net: Plateau, n: str) -> str:
    """0 up to 16 elements, then as many as there are more, up to 3."""
    return net.of("Min", net.of("Max", net.of("Sub", n, 16), 0), 3)


def rounded(net: Plateau, n: str) -> str:
    """A quotient that floats compute, and a constant less."""
    half = net.add("Mul", net.add("Cast", n, to=FLOAT), net.constant([0.125], "f4"))
    return net.of("Sub", net.add("Cast", net.add("Ceil", half), to=INT64), 1)


def middle(net: Plateau, n: str) -> str:
    """1 for numbers of a band in the middle alone."""
    inside = net.add("And", net.of("Greater", n, 14), net.of("Less", n, 18))
    return net.add("Cast", inside, to=INT64)


SCALARS = (seldom, parity, beyond, once, missing, bounded, rounded, middle)


def padded(scalar: Scalar) -> ModelProto:
    """An axis padded by a number of elements."""
    net = Plateau()
    pads = net.add("Concat", net.integers(0, 0, 0), scalar(net, net.number()), axis=0)
    net.gives(net.add("Pad", net.x, pads), 3, None)
    return net.model("padded")


def padded_window(scalar: Scalar) -> ModelProto:
    """A convolution behind a padding by a number of elements on both sides."""
    net = Plateau()
    image, none = net.add("Unsqueeze", net.x, net.integers(0)), net.integers(0, 0)
    p = scalar(net, net.number())
    pads = net.add("Concat", none, p, none, p, axis=0)
    y = net.add("Conv", net.add("Pad", image, pads), net.weight(4, 3, 3), strides=[2])
    net.gives(y, 1, 4, None)
    return net.model("padded_window")


def begun(scalar: Scalar) -> ModelProto:
    """Elements from a place on."""
    net = Plateau()
    start = scalar(net, net.number())
    net.gives(net.add("Slice", net.x, start, net.integers(1 << 30), net.integers(1)), 3, None)
    return net.model("begun")


def ended(scalar: Scalar) -> ModelProto:
    """Elements up to a place that is as many before the end."""
    net = Plateau()
    n = net.number()
    end = net.of("Sub", n, scalar(net, n))
    y = net.add("Slice", net.x, net.integers(0), end, net.integers(1))
    net.gives(net.add("Relu", y), 3, None)
    return net.model("ended")


def added(scalar: Scalar) -> ModelProto:
    """A number that is added to all elements."""
    net = Plateau()
    value = net.add("Cast", scalar(net, net.number()), to=FLOAT)
    net.gives(net.add("Add", net.x, value), 3, "n")
    return net.model("added")


def repeated(scalar: Scalar) -> ModelProto:
    """A number that is repeated for each element before it is added."""
    net = Plateau()
    n = net.number()
    value = net.add("Expand", net.add("Cast", scalar(net, n), to=FLOAT), n)
    net.gives(net.add("Add", net.x, value), 3, "n")
    return net.model("repeated")


def masked(scalar: Scalar) -> ModelProto:
    """Elements beyond a place are hidden."""
    net = Plateau()
    n, zero = net.number(), net.integers(0)
    first, apart = net.constant(0, np.int64), net.constant(1, np.int64)
    places = net.add("Range", first, net.add("Squeeze", n, zero), apart)
    seen = net.of("GreaterOrEqual", places, scalar(net, n))
    y = net.add("Where", seen, net.x, net.constant(-7.0, "f4"))
    net.gives(net.add("Softmax", y, axis=1), 3, "n")
    return net.model("masked")


def chosen(scalar: Scalar) -> ModelProto:
    """One of two branches."""
    net = Plateau()
    condition = net.add("Squeeze", net.of("Greater", scalar(net, net.number()), 0), net.integers(0))
    branches = [
        helper.make_graph([helper.make_node(op, ["x"], [name], name)], name, [],
                          [helper.make_tensor_value_info(name, FLOAT, None)])
        for name, op in (("sines", "Sin"), ("cosines", "Cos"))
    ]  # fmt: skip
    net.gives(net.add("If", condition, then_branch=branches[0], else_branch=branches[1]), 3, "n")
    return net.model("chosen")


def selected(scalar: Scalar) -> ModelProto:
    """A row of a table, and one of the input."""
    net = Plateau()
    place = net.of("Min", scalar(net, net.number()), 2)
    row = net.add("Gather", net.weight(3, 1), place)
    net.gives(net.add("Mul", net.add("Gather", net.x, place), row), 1, "n")
    return net.model("selected")


def looped(scalar: Scalar) -> ModelProto:
    """A loop that runs so many times."""
    net = Plateau()
    trips = net.add("Squeeze", scalar(net, net.number()), net.integers(0))
    body = helper.make_graph(
        [helper.make_node("Identity", ["more"], ["again"]),
         helper.make_node("Sin", ["value"], ["next"], "next")],
        "body",
        [helper.make_tensor_value_info("turn", INT64, []),
         helper.make_tensor_value_info("more", BOOL, []),
         helper.make_tensor_value_info("value", FLOAT, None)],
        [helper.make_tensor_value_info("again", BOOL, []),
         helper.make_tensor_value_info("next", FLOAT, None)],
    )  # fmt: skip
    net.gives(net.add("Loop", trips, "", net.x, body=body), 3, "n")
    return net.model("looped")


def tiled(scalar: Scalar) -> ModelProto:
    """Rows that are repeated."""
    net = Plateau()
    times = net.add("Concat", net.of("Add", scalar(net, net.number()), 1), net.integers(1), axis=0)
    net.gives(net.add("Tile", net.x, times), None, "n")
    return net.model("tiled")


def resized(scalar: Scalar) -> ModelProto:
    """An axis that is resized to as many elements more."""
    net = Plateau()
    n = net.number()
    sizes = net.add("Concat", net.integers(1, 3), net.of("Add", n, scalar(net, n)), axis=0)
    image = net.add("Unsqueeze", net.x, net.integers(0))
    net.gives(net.add("Resize", image, "", "", sizes, mode="linear"), 1, 3, None)
    return net.model("resized")


def counted(scalar: Scalar) -> ModelProto:
    """The number itself, and as many numbers, as results."""
    net = Plateau()
    value = scalar(net, net.number())
    net.gives(value, 1, element=INT64)
    net.gives(net.add("Relu", net.x), 3, "n")
    return net.model("counted")


CONSTANTS = (added, repeated, masked, selected, looped, counted)
"""Networks whose runs compute what follows from the number."""

MOVED = (padded, padded_window, begun, ended, chosen, tiled, resized)
"""Networks whose shapes, places or nodes follow from the number."""


def stepped(start: int, step: int) -> ModelProto:
    """Elements a step apart, in either direction."""
    net = Plateau()
    end = net.integers(-(1 << 30) if step < 0 else 1 << 30)
    y = net.add("Slice", net.x, net.integers(start), end, net.integers(1), net.integers(step))
    net.gives(y, 3, None)
    return net.model("stepped")


def same_pads(window: int, stride: int) -> ModelProto:
    """Pads that nodes compute so that there are as many windows as strides in the extent."""
    net = Plateau()
    n = net.number()
    reach = net.of("Add", net.of("Mul", net.of("Div", net.of("Sub", n, 1), stride), stride), window)
    total = net.of("Max", net.of("Sub", reach, n), 0)
    before, none = net.of("Div", total, 2), net.integers(0, 0)
    pads = net.add("Concat", none, before, none, net.of("Sub", total, before), axis=0)
    padded = net.add("Pad", net.add("Unsqueeze", net.x, net.integers(0)), pads)
    net.gives(net.add("Conv", padded, net.weight(4, 3, window), strides=[stride]), 1, 4, None)
    return net.model("same_pads")


def two_paths(one: int, other: int, use: str) -> ModelProto:
    """Windows 4 apart of two paddings; what one leaves follows from the extent of the other."""
    net = Plateau()
    image = net.add("Unsqueeze", net.x, net.integers(0))
    first, second = (
        net.add("MaxPool", image, kernel_shape=[4], strides=[4], pads=[pad, 0])
        for pad in (one, other)
    )
    size = net.number(second, 2)
    if use == "cut":
        size = net.of("Sub", size, 1)
        y = net.add("Slice", first, net.integers(0), size, net.integers(2))
    else:
        size = size if use == "resized" else net.of("Mul", size, 4)
        sizes = net.add("Concat", net.integers(1, 3), size, axis=0)
        y = net.add("Resize", first, "", "", sizes, mode="nearest")
    net.gives(y, 1, 3, None)
    if use != "unread":
        net.gives(net.add("Relu", second), 1, 3, None)
    return net.model("two_paths")


class Image(Plateau):
    """A graph with an image of two open extents, and these."""

    def __init__(self) -> None:
        Inner.__init__(self)
        self.x = self.takes("x", 1, 2, "h", "w")
        self.h, self.w = self.number("x", 2), self.number("x", 3)

    def added(self, value: str, name: str) -> ModelProto:
        """Return the model that adds a number to all elements."""
        y = self.add("Add", self.x, self.add("Cast", value, to=FLOAT))
        self.gives(y, 1, 2, "h", "w")
        return self.model(name)


def square() -> ModelProto:
    net = Image()
    return net.added(net.of("Equal", net.h, net.w), "square")


def smaller() -> ModelProto:
    net = Image()
    return net.added(net.of("Min", net.h, net.w), "smaller")


def product_rest() -> ModelProto:
    """One where the number of pixels leaves a certain rest."""
    net = Image()
    rest = net.of("Mod", net.of("Mul", net.h, net.w), 23)
    return net.added(net.of("Equal", rest, 7), "product_rest")


def _single(net: Image) -> str:
    return net.add("And", net.of("Equal", net.h, 12), net.of("Equal", net.w, 17))


def single() -> ModelProto:
    """One for a single pair of extents."""
    net = Image()
    return net.added(_single(net), "single")


def coupled() -> ModelProto:
    """A padding that there is for a single pair of extents."""
    net = Image()
    pad, none = net.add("Cast", _single(net), to=INT64), net.integers(0, 0)
    padded = net.add("Pad", net.x, net.add("Concat", none, pad, pad, none, pad, pad, axis=0))
    net.gives(net.add("Conv", padded, net.weight(2, 2, 3, 3)), 1, 2, None, None)
    return net.model("coupled")


IMAGES = (square, smaller, product_rest, single)
