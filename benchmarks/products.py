"""Matrix products to be timed: the grid of points, and networks of nothing but one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from benchmarks.models import Model, read_model

ROWS = (1, 4, 16, 49, 50, 64, 77, 128, 196, 197, 256, 257, 384, 512)
"""Rows of the left-hand side: images of 7x7, 14x14 and 16x16 pixels, tokens of today's networks
with those of their classes, texts, powers of two."""

SIDES = (64, 96, 160, 192, 320, 384, 512, 576, 768, 960, 1024, 1152, 1536, 2048, 2304, 3072, 4096)
"""Inner axis and columns."""

EPILOGUES = ("none", "bias", "gelu", "residual")
"""What is computed behind a product: nothing; a bias; a bias and GELU; a bias and another
matrix."""

COLD_CACHES = 16
"""Cold weights take as many times the second-level cache: those of a copy have gone when its turn
comes again."""

MOST_COPIES = 64
"""Copies of a product to a network, at most."""

LEAST_COLD_CACHES = 2
"""How many times the second-level cache the copies take at least; fewer bytes are not cold."""

NEAR_SHARE = 2
"""Near weights are copies that take 1/n of the second-level cache together, or a single one."""

MOST_NEAR_COPIES = 16

_OPSET = 18
_ELEMENT_BYTES = 4


@dataclass(frozen=True)
class Point:
    """A product of ``rows`` x ``inner`` by ``inner`` x ``columns``, its weights, its epilogue."""

    rows: int
    inner: int
    columns: int
    cold: bool
    epilogue: str

    @property
    def name(self) -> str:
        """The point as one word."""
        sizes = f"{self.rows}x{self.inner}x{self.columns}"
        return f"{sizes}-{'cold' if self.cold else 'near'}-{self.epilogue}"

    @property
    def operations(self) -> int:
        """Multiplications and additions of the product alone."""
        return 2 * self.rows * self.inner * self.columns

    @property
    def weight_bytes(self) -> int:
        """Bytes of the right-hand side."""
        return self.inner * self.columns * _ELEMENT_BYTES

    def copies(self, l2_bytes: int) -> int:
        """Return how many products, each with weights of its own, a network of the point has.

        0 of cold weights of which ``MOST_COPIES`` would still be near.
        """
        if not self.cold:
            most = l2_bytes // NEAR_SHARE // self.weight_bytes
            return max(1, min(most, MOST_NEAR_COPIES))
        if self.weight_bytes * MOST_COPIES < l2_bytes * LEAST_COLD_CACHES:
            return 0
        wanted = -(-l2_bytes * COLD_CACHES // self.weight_bytes)
        return min(max(wanted, 2), MOST_COPIES)

    @staticmethod
    def parse(text: str) -> Point:
        """Read what ``name`` writes; raises ``ValueError`` where it is none."""
        try:
            sizes, weights, epilogue = text.split("-")
            rows, inner, columns = map(int, sizes.split("x"))
        except ValueError:
            raise ValueError(f"a point such as 49x768x3072-cold-none, found '{text}'") from None
        if weights not in ("cold", "near") or epilogue not in EPILOGUES:
            raise ValueError(
                f"weights are cold or near, epilogues {', '.join(EPILOGUES)}: '{text}'"
            )
        if min(rows, inner, columns) < 1:
            raise ValueError(f"sizes are 1 or more: '{text}'")
        return Point(rows, inner, columns, weights == "cold", epilogue)


def grid(count: int, l2_bytes: int, seed: int = 0) -> list[Point]:
    """Return ``count`` points, each size drawn with equal chance; a short grid begins a long one.

    Half of the weights are cold, if they are not too small for that, and a quarter of the points
    has each epilogue.
    """
    return list(islice(_draw(l2_bytes, np.random.default_rng(seed)), count))


def _draw(l2_bytes: int, random: np.random.Generator) -> Iterator[Point]:
    seen: set[Point] = set()
    while True:
        sizes = (int(random.choice(values)) for values in (ROWS, SIDES, SIDES))
        epilogue = EPILOGUES[len(seen) // 2 % len(EPILOGUES)]
        point = Point(*sizes, len(seen) % 2 == 0, epilogue)
        if point not in seen and point.copies(l2_bytes):
            seen.add(point)
            yield point


def product_network(point: Point, copies: int, folder: Path) -> Model:
    """Make a network of as many products of the same left-hand side, each with its own weights.

    All results are written to the same memory. They are checked by a network of a single product.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path, checked = folder / f"{point.name}.onnx", folder / f"{point.name}-checked.onnx"
    onnx.save(_network(point, copies), path)
    onnx.save(_network(point, 1), checked)
    model = read_model(point.name, path)
    return Model(model.name, path, model.inputs, model.outputs, (), checked, one_output=True)


def empty_network(folder: Path) -> Model:
    """Make a network of one number: its time is that of a call."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "empty.onnx"
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    onnx.save(_model(helper.make_graph(nodes, "empty", values[:1], values[1:])), path)
    return read_model("empty", path)


def _network(point: Point, copies: int) -> onnx.ModelProto:
    random = np.random.default_rng(1)
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [point.rows, point.inner])]
    shape = [point.rows, point.columns]
    if point.epilogue == "residual":
        inputs.append(helper.make_tensor_value_info("r", TensorProto.FLOAT, shape))
    constants = {"half": 0.5, "one": 1.0, "root": 2.0**0.5}
    weights = [
        numpy_helper.from_array(np.float32(value), name)
        for name, value in constants.items()
        if point.epilogue == "gelu"
    ]
    nodes: list[onnx.NodeProto] = []
    for i in range(copies):
        scale = point.inner**-0.5
        matrix = random.standard_normal((point.inner, point.columns), np.float32) * np.float32(
            scale
        )
        weights.append(numpy_helper.from_array(matrix, f"w{i}"))
        bias = random.standard_normal(point.columns, np.float32)
        if point.epilogue != "none":
            weights.append(numpy_helper.from_array(bias, f"b{i}"))
        nodes += _nodes(point.epilogue, i)
    outputs = [
        helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, shape) for i in range(copies)
    ]
    return _model(helper.make_graph(nodes, "products", inputs, outputs, weights))


def _nodes(epilogue: str, i: int) -> list[onnx.NodeProto]:
    """Return the nodes of one product, as PyTorch exports them; the result is ``y<i>``."""
    result = f"y{i}"
    steps: list[tuple[str, str | None]] = [("MatMul", f"w{i}")]
    if epilogue != "none":
        steps.append(("Add", f"b{i}"))
    if epilogue == "residual":
        steps.append(("Add", "r"))
    nodes: list[onnx.NodeProto] = []
    value = "x"
    for number, (op, operand) in enumerate(steps):
        last = number == len(steps) - 1 and epilogue != "gelu"
        made = result if last else f"t{i}_{number}"
        nodes.append(helper.make_node(op, [value, operand], [made]))
        value = made
    if epilogue == "gelu":
        parts = [f"{value}_{part}" for part in ("scaled", "erf", "sum", "product")]
        nodes += [
            helper.make_node("Div", [value, "root"], parts[:1]),
            helper.make_node("Erf", parts[:1], parts[1:2]),
            helper.make_node("Add", [parts[1], "one"], parts[2:3]),
            helper.make_node("Mul", [value, parts[2]], parts[3:]),
            helper.make_node("Mul", [parts[3], "half"], [result]),
        ]
    return nodes


def _model(graph: onnx.GraphProto) -> onnx.ModelProto:
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=9)
