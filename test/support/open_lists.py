"""Networks whose sizes follow from lists of integers, which are longer for some numbers."""

from __future__ import annotations

import numpy as np
from onnx import GraphProto, ModelProto, TensorProto, helper
from open_decisions import Rows

INT64 = TensorProto.INT64


class Lists(Rows):
    """A graph with an input ``x`` of n x 4 numbers, and nodes on lists."""

    def counted(self) -> str:
        """Return the numbers from 0 to before n."""
        limit = self.add("Squeeze", self.count(), self.integers(0))
        first, apart = self.constant(0, np.int64), self.constant(1, np.int64)
        return self.add("Range", first, limit, apart)

    def even(self) -> str:
        """Return which of these numbers are even."""
        return self.of("Equal", self.of("Mod", self.counted(), 2), 0)

    def element(self, values: str, place: int) -> str:
        return self.add("Gather", values, self.integers(place))

    def chosen(self, condition: str, one: str, other: str) -> str:
        """Return one of two lists."""
        flag = self.add("Squeeze", condition, self.integers(0))
        branches = [_identity(name) for name in (one, other)]
        return self.add("If", flag, then_branch=branches[0], else_branch=branches[1])


def _identity(name: str) -> GraphProto:
    made = helper.make_node("Identity", [name], [f"same_{name}"])
    info = helper.make_tensor_value_info(f"same_{name}", INT64, None)
    return helper.make_graph([made], "branch", [], [info])


def sizes_of_lists() -> ModelProto:
    """A row as often as a count and a sum say, and rows at the last and the largest element."""
    net = Lists()
    n, even = net.count(), net.even()
    row = net.add("ReduceSum", net.x, net.integers(0))
    half = net.element(net.add("Shape", net.add("NonZero", even)), 1)
    net.gives(net.add("Expand", row, net.add("Concat", half, net.integers(4), axis=0)), None, 4)
    total = net.add("ReduceSum", net.add("Cast", even, to=INT64), net.integers(0))
    net.gives(net.add("Tile", row, net.add("Concat", total, net.integers(1), axis=0)), None, 4)
    last = net.element(net.counted(), -1)
    net.gives(net.add("Gather", net.x, last), 1, 4)
    joined = net.add("Concat", net.of("Mul", net.counted(), 2), net.integers(5), axis=0)
    most = net.add("ReduceMax", joined, net.integers(0))
    net.gives(net.add("Gather", net.weight(40, 4), most), 1, 4)
    part = net.add("Slice", net.constant(np.arange(40) % 7, np.int64), net.integers(0), n)
    net.gives(net.add("Gather", net.weight(7, 4), net.element(part, -1)), 1, 4)
    return net.model("sizes_of_lists")


def lists_as_data() -> ModelProto:
    """Places of even rows, and the list that a branch yields."""
    net = Lists()
    places = net.add("Squeeze", net.add("NonZero", net.even()), net.integers(0))
    net.gives(net.add("Gather", net.x, places), None, 4)
    few = net.of("Less", net.count(), 10)
    values = net.chosen(few, net.integers(3), net.integers(5))
    net.gives(net.add("Gather", net.weight(9, 4), values), 1, 4)
    return net.model("lists_as_data")


LISTS = (sizes_of_lists, lists_as_data)


def beyond_list() -> ModelProto:
    """An element of a list that is too short for some numbers."""
    net = Lists()
    place = net.element(net.counted(), 2)
    return net.returned(net.add("Concat", net.x, net.add("Gather", net.x, place), axis=0))
