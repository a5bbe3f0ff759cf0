"""Networks that decide by their open extent at an end of its range, or for few numbers."""

from __future__ import annotations

import numpy as np
from onnx import GraphProto, ModelProto, TensorProto, helper
from open_plateaus import Plateau


class Rows(Plateau):
    """A graph with an input ``x`` of n x 4 numbers."""

    def __init__(self, *shape: int | str) -> None:
        super().__init__()
        self.inputs = []
        self.shape = shape or ("n", 4)
        self.x = self.takes("x", *self.shape)

    def count(self) -> str:
        """Return the open extent as a list of one number."""
        return self.number("x", self.shape.index("n"))

    def choice(self, condition: str, then: str, other: str, *then_inputs: str) -> str:
        """Add an If between two operators on the input."""
        flag = self.add("Squeeze", condition, self.integers(0))
        branches = [_branch(then, *then_inputs), _branch(other)]
        return self.add("If", flag, then_branch=branches[0], else_branch=branches[1])

    def returned(self, name: str) -> ModelProto:
        self.gives(name, *(None for _ in self.shape))
        return self.model("rows")


def _branch(op: str, *inputs: str) -> GraphProto:
    made = helper.make_node(op, ["x", *inputs], [op], op)
    info = helper.make_tensor_value_info(op, TensorProto.FLOAT, None)
    return helper.make_graph([made], op, [], [info])


def squeezed() -> ModelProto:
    """An axis that is taken away where it has one element, as PyTorch exports ``x.squeeze(0)``."""
    net = Rows()
    y = net.choice(net.of("Equal", net.count(), 1), "Squeeze", "Identity", net.integers(0))
    net.outputs.append(helper.make_tensor_value_info(y, TensorProto.FLOAT, None))
    return net.model("rows")


def squeezed_anywhere() -> ModelProto:
    """All axes of one element are taken away."""
    net = Rows()
    y = net.add("Relu", net.add("Squeeze", net.x))
    net.outputs.append(helper.make_tensor_value_info(y, TensorProto.FLOAT, None))
    return net.model("rows")


def negated_once() -> ModelProto:
    """Another operator for one row."""
    net = Rows()
    return net.returned(net.choice(net.of("Equal", net.count(), 1), "Neg", "Identity"))


def at_least_two() -> ModelProto:
    """Rows that are padded to two, and their mean."""
    net = Rows()
    pad = net.of("Max", net.of("Sub", 2, net.count()), 0)
    pads = net.add("Concat", net.integers(0, 0), pad, net.integers(0), axis=0)
    mean = net.add("ReduceMean", net.add("Pad", net.x, pads), net.integers(0))
    return net.returned(mean)


def least_step() -> ModelProto:
    """An image that is padded to 128 rows, of which the least step has 64."""
    net = Rows(1, 2, "n", 3)
    pad = net.of("Max", net.of("Sub", 128, net.count()), 0)
    pads = net.add("Concat", net.integers(*[0] * 6), pad, net.integers(0), axis=0)
    mean = net.add("ReduceMean", net.add("Pad", net.x, pads), net.integers(2))
    return net.returned(mean)


def last_of_table() -> ModelProto:
    """Columns that are padded by the last of the first n elements of a table."""
    net, table = Rows(), np.full(64, 3)
    table[20] = 5
    part = net.add("Slice", net.constant(table, np.int64), net.integers(0), net.count())
    last = net.add("Gather", part, net.integers(-1))
    pads = net.add("Concat", net.integers(0, 0, 0), last, axis=0)
    return net.returned(net.add("Pad", net.x, pads))


def polynomial() -> ModelProto:
    """A sum of elements up to a place that few numbers have below the end of three."""
    net = Rows()
    n = net.count()
    place = net.of("Add", net.of("Mul", net.of("Sub", n, 20), net.of("Sub", n, 30)), 1)
    part = net.add("Slice", net.takes("b", 3), net.integers(0), place)
    return net.returned(net.add("Add", net.x, net.add("ReduceSum", part, keepdims=0)))


def band() -> ModelProto:
    """Elements of a band that both ends of the range miss."""
    net = Rows()
    n = net.count()
    start, end = net.of("Sub", n, 20), net.of("Sub", n, 10)
    image = net.add("Concat", net.weight(1, 4), net.add("Slice", net.takes("b", 5, 4), start, end),
                    axis=0)  # fmt: skip
    total = net.add("ReduceSum", image, net.integers(0))
    return net.returned(net.add("Add", net.x, total))


def wrapped() -> ModelProto:
    """A row that is counted from the end for some numbers alone."""
    net = Rows()
    n = net.count()
    place = net.of("Sub", net.of("Mul", n, n), 20)
    row = net.add("Gather", net.takes("b", 2000, 4), place)
    return net.returned(net.add("Add", net.x, row))


def chosen_number() -> ModelProto:
    """A number that a choice yields decides about two elements alone, of up to nine."""
    net = Rows()
    n = net.count()
    flag = net.add("Squeeze", net.of("Less", n, 10), net.integers(0))
    branches = [
        helper.make_graph([helper.make_node("Identity", [net.one(value)], [name])], name, [],
                          [helper.make_tensor_value_info(name, TensorProto.INT64, None)])
        for name, value in (("few", 3), ("many", 5))
    ]  # fmt: skip
    least = net.add("If", flag, then_branch=branches[0], else_branch=branches[1])
    return net.returned(net.choice(net.of("LessOrEqual", least, n), "Relu", "Identity"))


def asked_of_loop() -> ModelProto:
    """An extent of the result of a loop, which is known late, decides."""
    net = Rows()
    body = helper.make_graph(
        [helper.make_node("Identity", ["more"], ["again"]),
         helper.make_node("Sin", ["value"], ["next"])],
        "body",
        [helper.make_tensor_value_info("turn", TensorProto.INT64, []),
         helper.make_tensor_value_info("more", TensorProto.BOOL, []),
         helper.make_tensor_value_info("value", TensorProto.FLOAT, None)],
        [helper.make_tensor_value_info("again", TensorProto.BOOL, []),
         helper.make_tensor_value_info("next", TensorProto.FLOAT, None)],
    )  # fmt: skip
    waves = net.add("Loop", net.constant(2, np.int64), "", net.x, body=body)
    few = net.of("Less", net.number(waves, 0), 3)
    return net.returned(net.add("Add", net.choice(few, "Sin", "Identity"), waves))


def places_of_pixels() -> ModelProto:
    """Pixels in one row, and the place of each in its row of an image of an open height and width.

    So do detectors whose exporters leave the size of images open.
    """
    net = Rows(1, 1, "n", "m")
    height, width = net.number("x", 2), net.number("x", 3)
    first, apart = net.constant(0, np.int64), net.constant(1, np.int64)
    row = net.add("Range", first, net.add("Squeeze", width, net.integers(0)), apart)
    places = net.add("Expand", row, net.add("Concat", height, width, axis=0))
    places = net.add("Reshape", net.add("Cast", places, to=TensorProto.FLOAT), net.integers(-1))
    net.gives(net.add("Add", net.add("Reshape", net.x, net.integers(-1)), places), None)
    return net.model("places_of_pixels")


DECISIONS = (
    (squeezed, (1, 9), "node 'Squeeze' on f32: 1..9 == 1 holds for 1, not for 2", "n=1,2..9"),
    (squeezed_anywhere, (1, 9), "node 't0' on f32: 1..9 == 1 holds for 1, not for 2", "n=1,2..9"),
)
"""Networks, a range, the node and the question of the error, and the beginning of its option."""

CHOICES = (
    (at_least_two, (1, 9)),
    (negated_once, (1, 9)),
    (negated_once, (1, 2)),
    (chosen_number, (1, 40)),
    (asked_of_loop, (1, 40)),
    (last_of_table, (1, 40)),
    (polynomial, (1, 64)),
    (band, (1, 40)),
)
"""Networks whose choice a run makes, and a range."""
