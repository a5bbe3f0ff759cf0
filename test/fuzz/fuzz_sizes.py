"""Random sizes that a model computes from its open extents, and data of these sizes.

Each value is known for each number of a range as a graph is drawn, so that all runs are valid.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from fuzz_case import OPSET, FuzzCase, build_model, reads
from fuzz_numbers import Array
from onnx import GraphProto, NodeProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator

MOST = {1: 64, 2: 12}
"""The largest number of a graph with one open extent, and with two; the least is 1."""
_LARGEST = 4000
"""Elements of a tensor."""
_INT64 = TensorProto.INT64

Runs = list[Array]
"""A value for each number, the least first."""


def make_sizes(name: str, random: np.random.Generator, moods: Sequence[str] = ()) -> FuzzCase:
    """Return a graph whose sizes follow from a number, or two; it is run with all of them."""
    while True:
        shape = [int(random.integers(1, 4)) for _ in range(int(random.integers(2, 4)))]
        extents = [range(n, n + 1) for n in shape]
        count = 2 if random.random() < 0.25 else 1
        for axis in random.choice(len(shape), count, replace=False):
            extents[axis] = range(1, int(random.integers(2, MOST[count] + 1)) + 1)
        shapes = list(itertools.product(*extents))
        case = Sizes(random, shapes).drawn(name)
        if case is not None:
            return case


class Sizes:
    """A graph under construction: lists of integers, and data, ``x``, that the next node reads.

    Its input has one of the ``shapes`` in each run, the largest in the last one.
    """

    def __init__(self, random: np.random.Generator, shapes: Sequence[tuple[int, ...]]):
        self.random = random
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, Array] = {}
        self.x, self.count = "x", len(shapes)
        self.runs: dict[str, Runs] = {
            "x": [random.standard_normal(shape).astype(np.float32) for shape in shapes]
        }
        self.sizes: list[str] = []
        """Lists of one integer."""
        self.lists: list[str] = []
        """Lists whose lengths may follow from the number."""
        for axis, extents in enumerate(zip(*shapes, strict=True)):
            if len(set(extents)) > 1:
                self.extent("x", axis)

    def drawn(self, name: str) -> FuzzCase | None:
        """Return the case; ``None`` where no size is read."""
        random = self.random
        steps = (self.number, self.number, self.number, self.listed, self.taken, self.asked)
        uses = (
            self.pad, self.cut, self.pick, self.spread, self.tile, self.fill, self.resize,
            self.reshape, self.choose, self.added, self.masked, self.loop, self.squeeze, self.first,
        )  # fmt: skip
        for _ in range(int(random.integers(1, 3))):
            for _ in range(int(random.integers(1, 6))):
                steps[int(random.integers(len(steps)))]()
            for _ in range(int(random.integers(1, 3))):
                uses[int(random.integers(len(uses)))]()
            self.plain()
        if self.x == "x":
            return None
        nodes, needed = [], {self.x}
        for node in reversed(self.nodes):
            if needed & set(node.output):
                nodes.insert(0, node)
                needed |= set(reads(node))
        if not needed & {*self.sizes, *self.lists}:
            return None
        constants = {key: array for key, array in self.constants.items() if key in needed}
        results = [
            {"x": self.runs["x"][n], self.x: self.runs[self.x][n]} for n in range(self.count)
        ]
        if len({run[self.x].ndim for run in results}) > 1:
            return None
        *further, most = results
        model = build_model(
            name, nodes, {"x": most["x"]}, constants, {self.x: most[self.x]}, further=further
        )
        return FuzzCase(name, model, {"x": most["x"]}, further=[{"x": run["x"]} for run in further])

    def constant(self, *values: int | float | bool, dtype: type = np.int64) -> str:
        return self.known(np.array(values, dtype))

    def scalar(self, value: float, dtype: type = np.int64) -> str:
        return self.known(np.array(value, dtype))

    def known(self, array: Array) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = array
        return name

    def add(self, kind: str, *inputs: str, **attributes: object) -> str | None:
        """Add a node; ``None`` where it cannot be computed for a number, or is too large."""
        name = f"t{len(self.nodes)}"
        names = [name, f"{name}_places"] if kind == "TopK" else [name]
        node = helper.make_node(kind, inputs, names, **attributes)
        read = reads(node)
        graph = helper.make_graph(
            [node], "node",
            [helper.make_tensor_value_info(n, TensorProto.UNDEFINED, None) for n in read],
            [helper.make_tensor_value_info(n, TensorProto.UNDEFINED, None) for n in names],
        )  # fmt: skip
        imports = [helper.make_opsetid("", OPSET)]
        evaluator = ReferenceEvaluator(helper.make_model(graph, opset_imports=imports))
        found: Runs = []
        for index in range(self.count):
            fed = {
                n: self.constants.get(n, self.runs.get(n, [None] * self.count)[index]) for n in read
            }
            try:
                with np.errstate(all="raise"):
                    result, *_ = evaluator.run(None, fed)
            except Exception:  # the reference has no common base of errors
                return None
            found.append(np.asarray(result))
            if found[-1].size > _LARGEST or not np.isfinite(found[-1]).all():
                return None
        self.nodes.append(node)
        self.runs[name] = found
        return name

    def move(self, name: str | None) -> bool:
        """Go on with a tensor of data, if it has elements for each number."""
        if name is None or min(run.size for run in self.runs[name]) == 0:
            return False
        if len({run.ndim for run in self.runs[name]}) > 1 or self.runs[name][0].ndim == 0:
            return False
        self.x = name
        return True

    def keep(self, name: str | None) -> None:
        """Keep a list of integers that is not too large."""
        if name is None or max(abs(run).max(initial=0) for run in self.runs[name]) > 1 << 20:
            return
        is_single = all(run.shape == (1,) for run in self.runs[name])
        (self.sizes if is_single else self.lists).append(name)

    def flag(self, name: str | None) -> None:
        self.keep(name and self.add("Cast", name, to=_INT64))

    def extent(self, name: str, axis: int) -> None:
        if (shape := self.add("Shape", name)) is not None:
            self.keep(self.add("Gather", shape, self.constant(axis), axis=0))

    def size(self) -> str:
        """Return one of the last lists of one integer."""
        return self.sizes[-1 - min(int(self.random.geometric(0.5)) - 1, len(self.sizes) - 1)]

    def other(self) -> str:
        """Return a list of one integer, mostly a small constant."""
        if self.random.random() < 0.25:
            return self.sizes[int(self.random.integers(len(self.sizes)))]
        return self.constant(int(self.random.choice([1, 2, 2, 3, 4, 5, 7, 8, 10, 16, 20, 32, 39])))

    def comparison(self) -> str | None:
        kind = str(self.random.choice(["Equal", "Less", "Greater", "LessOrEqual"]))
        return self.add(kind, self.size(), self.other())

    def within(self, least: int, most: int) -> str:
        """Return a size that is brought between two numbers, one of them included."""
        size, random = self.size(), self.random
        if all(least <= int(run[0]) <= most for run in self.runs[size]) and random.random() < 0.7:
            return size
        if random.random() < 0.5:
            low = self.add("Max", size, self.constant(least))
            return (low and self.add("Min", low, self.constant(most))) or self.constant(least)
        rest = self.add("Mod", size, self.constant(most - least + 1))
        return (rest and self.add("Add", rest, self.constant(least))) or self.constant(least)

    # Nodes on integers.

    def number(self) -> None:
        """Compute one integer from others."""
        random, size = self.random, self.size()
        match int(random.integers(7)):
            case 0 | 1 | 2:
                kind = str(random.choice(["Add", "Sub", "Mul", "Div", "Mod", "Min", "Max"]))
                pair = [size, self.other()]
                if random.random() < 0.25 and kind not in ("Div", "Mod"):
                    pair.reverse()
                self.keep(self.add(kind, *pair))
            case 3:
                self.flag(self.comparison())
            case 4:
                chosen = self.comparison()
                if chosen is not None:
                    self.keep(self.add("Where", chosen, self.size(), self.other()))
            case 5:
                # The sum is not close to where it is rounded another way.
                factor, more = float(random.choice([0.125, 0.5, 1.5, 0.75])), 0.05
                scaled = self.add("Cast", size, to=TensorProto.FLOAT)
                scaled = scaled and self.add("Mul", scaled, self.constant(factor, dtype=np.float32))
                scaled = scaled and self.add("Add", scaled, self.constant(more, dtype=np.float32))
                scaled = scaled and self.add(str(random.choice(["Floor", "Ceil", "Round"])), scaled)
                self.flag(scaled)
            case _:
                self.keep(self.branched(self.constant(3), self.constant(5)))

    def listed(self) -> None:
        """Make a list whose length follows from a number."""
        random = self.random
        limit = self.add("Squeeze", self.within(1, 64), self.constant(0))
        if limit is None:
            return
        if random.random() < 0.4:
            table = self.known(random.integers(0, 4, 64))
            ends = self.add("Unsqueeze", limit, self.constant(0))
            made = ends and self.add("Slice", table, self.constant(0), ends)
        else:
            made = self.add("Range", self.scalar(0), limit, self.scalar(1))
        if made is not None and random.random() < 0.6:
            kind = str(random.choice(["Mod", "Mul", "Sub", "Equal", "Greater"]))
            made = self.add(kind, made, self.other())
            if made is not None and kind in ("Equal", "Greater"):
                made = self.add("Cast", made, to=_INT64)
        if made is not None and random.random() < 0.3:
            made = self.add("Concat", made, self.other(), axis=0)
        self.keep(made)

    def taken(self) -> None:
        """Compute one integer from a list, or take one of its elements."""
        random = self.random
        if not self.lists:
            self.listed()
        if not self.lists:
            return
        values = self.lists[int(random.integers(len(self.lists)))]
        match int(random.integers(5)):
            case 0 | 1:
                place = self.size() if random.random() < 0.3 else self.constant(
                    int(random.choice([-1, -1, 0, 1, -2])))  # fmt: skip
                self.keep(self.add("Gather", values, place, axis=0))
            case 2:
                kind = str(random.choice(["ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd"]))
                self.keep(self.add(kind, values, self.constant(0), keepdims=1))
            case 3:
                bounds = [self.size(), self.other()]
                cut = self.add(
                    "Slice", values, *(bounds if random.random() < 0.5 else bounds[::-1])
                )
                self.keep(cut)
            case _:
                places = self.add("NonZero", values)
                places = places and self.add("Shape", places)
                self.keep(places and self.add("Gather", places, self.constant(1), axis=0))

    def asked(self) -> None:
        """Ask for an extent of the data."""
        self.extent(self.x, int(self.random.integers(self.runs[self.x][0].ndim)))

    def branched(self, one: str, other: str) -> str | None:
        """Choose between two values."""
        flag = self.comparison()
        flag = flag and self.add("Squeeze", flag, self.constant(0))
        return flag and self.add(
            "If", flag, then_branch=_branch("Identity", one), else_branch=_branch("Identity", other)
        )

    # Nodes on data.

    def axis(self) -> int:
        return int(self.random.integers(self.runs[self.x][0].ndim))

    def plain(self) -> None:
        """Compute with the data without a size."""
        random, rank, axis = self.random, self.runs[self.x][0].ndim, self.axis()
        match int(random.integers(8)):
            case 0:
                self.move(self.add("Relu", self.x))
            case 1:
                self.move(self.add("Transpose", self.x, perm=random.permutation(rank).tolist()))
            case 2:
                kind = str(random.choice(["ReduceMean", "ReduceSum", "ReduceMax"]))
                self.move(self.add(kind, self.x, self.constant(axis), keepdims=1))
            case 3:
                self.move(self.add("Concat", self.x, self.x, axis=axis))
            case 4:
                self.move(self.add("Softmax", self.x, axis=axis))
            case 5:
                start, step = int(random.integers(-3, 3)), int(random.choice([1, 2, 3]))
                bounds = (self.constant(n) for n in (start, 1 << 40, axis, step))
                self.move(self.add("Slice", self.x, *bounds))
            case 6:
                last = {run.shape[-1] for run in self.runs[self.x]}
                if len(last) == 1:
                    weight = random.standard_normal((last.pop(), 3)).astype(np.float32)
                    self.move(self.add("MatMul", self.x, self.known(weight)))
            case _:
                self.move(self.add("Unsqueeze", self.x, self.constant(axis)))

    def pad(self) -> None:
        rank, axis = self.runs[self.x][0].ndim, self.axis()
        before, after = ([self.constant(0)] * rank for _ in range(2))
        ends = (before, after) if self.random.random() < 0.3 else (after,)
        for pads in ends:
            pads[axis] = self.within(0, 4)
        pads = self.add("Concat", *before, *after, axis=0)
        mode = str(self.random.choice(["constant", "constant", "edge"]))
        self.move(pads and self.add("Pad", self.x, pads, mode=mode))

    def cut(self) -> None:
        axis = self.constant(self.axis())
        ends = [self.size(), self.size(), self.constant(0), self.constant(1 << 40), self.other()]
        start, end = self.random.choice(ends, 2, replace=False)
        self.move(self.add("Slice", self.x, str(start), str(end), axis))

    def pick(self) -> None:
        self.move(self.add("Gather", self.x, self.size(), axis=self.axis()))

    def spread(self) -> None:
        rank = self.runs[self.x][0].ndim
        one = [self.constant(1)] * rank
        axis = self.axis()
        one[axis] = self.within(1, 50)
        shape = self.add("Concat", *one, axis=0)
        self.move(shape and self.add("Expand", self.x, shape))

    def tile(self) -> None:
        times = [self.constant(1)] * self.runs[self.x][0].ndim
        times[self.axis()] = self.within(1, 3)
        times = self.add("Concat", *times, axis=0)
        self.move(times and self.add("Tile", self.x, times))

    def fill(self) -> None:
        """Join elements of which there are as many as a number says."""
        axis = self.axis()
        shape = self.add("Shape", self.x)
        if shape is None:
            return
        parts = [
            self.add("Slice", shape, self.constant(start), self.constant(end))
            for start, end in ((0, axis), (axis + 1, 1 << 40))
        ]
        if None in parts:
            return
        shape = self.add("Concat", str(parts[0]), self.within(0, 40), str(parts[1]), axis=0)
        value = helper.make_tensor("value", TensorProto.FLOAT, [1], [0.5])
        filled = shape and self.add("ConstantOfShape", shape, value=value)
        self.move(filled and self.add("Concat", self.x, filled, axis=axis))

    def resize(self) -> None:
        rank = self.runs[self.x][0].ndim
        sizes = [self.constant(run) for run in self.runs[self.x][0].shape]
        axis = self.axis()
        if any(
            len({run.shape[a] for run in self.runs[self.x]}) > 1 for a in range(rank) if a != axis
        ):
            return
        sizes[axis] = self.within(1, 60)
        listed = self.add("Concat", *sizes, axis=0)
        how = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        resized = listed and self.add("Resize", self.x, "", "", listed, mode="nearest", **how)
        self.move(resized if resized and self.is_exact(resized, axis) else None)

    def is_exact(self, resized: str, axis: int) -> bool:
        """Tell whether ONNX's reference rounds no place of a resize to the element before it."""
        return all(
            np.array_equal(found, x.take(np.arange(k) * x.shape[axis] // k, axis))
            for x, found in zip(self.runs[self.x], self.runs[resized], strict=True)
            for k in (found.shape[axis],)
        )

    def reshape(self) -> None:
        rest = self.constant(-1)
        parts = [[rest], [self.size(), rest], [rest, self.size()], [self.constant(1), rest]]
        shape = self.add("Concat", *parts[int(self.random.integers(len(parts)))], axis=0)
        self.move(shape and self.add("Reshape", self.x, shape))

    def choose(self) -> None:
        """Choose between two operators, of which one may do nothing."""
        flag = self.comparison()
        flag = flag and self.add("Squeeze", flag, self.constant(0))
        kinds = self.random.choice(["Neg", "Identity", "Relu", "Softsign"], 2, replace=False)
        one, other = (_branch(str(kind), self.x) for kind in kinds)
        self.move(flag and self.add("If", flag, then_branch=one, else_branch=other))

    def added(self) -> None:
        """Compute with a size as a number."""
        value = self.add("Cast", self.size(), to=TensorProto.FLOAT)
        self.move(value and self.add("Add", self.x, value))

    def masked(self) -> None:
        """Hide elements along the last axis behind a place."""
        shape = self.add("Shape", self.x, start=-1)
        count = shape and self.add("Squeeze", shape, self.constant(0))
        places = count and self.add("Range", self.scalar(0), count, self.scalar(1))
        seen = places and self.add("Less", places, self.size())
        self.move(seen and self.add("Where", seen, self.x, self.scalar(-1, np.float32)))

    def loop(self) -> None:
        trips = self.add("Squeeze", self.within(0, 4), self.constant(0))
        body = helper.make_graph(
            [helper.make_node("Identity", ["more"], ["again"]),
             helper.make_node("Softsign", ["value"], ["next"])],
            "body",
            [helper.make_tensor_value_info("turn", _INT64, []),
             helper.make_tensor_value_info("more", TensorProto.BOOL, []),
             helper.make_tensor_value_info("value", TensorProto.FLOAT, None)],
            [helper.make_tensor_value_info("again", TensorProto.BOOL, []),
             helper.make_tensor_value_info("next", TensorProto.FLOAT, None)],
        )  # fmt: skip
        self.move(trips and self.add("Loop", trips, "", self.x, body=body))

    def squeeze(self) -> None:
        """Take away an axis where it has one element, as exporters write it."""
        axis = self.axis()
        size = self.add("Shape", self.x, start=axis, end=axis + 1)
        flag = size and self.add("Equal", size, self.constant(1))
        flag = flag and self.add("Squeeze", flag, self.constant(0))
        if flag is None:
            return
        axes = self.constant(axis)
        one, other = _branch("Squeeze", self.x, axes), _branch("Identity", self.x)
        self.move(self.add("If", flag, then_branch=one, else_branch=other))

    def first(self) -> None:
        """Take the largest elements, of which there are as many as a number says."""
        taken = self.add("TopK", self.x, self.within(1, 40), axis=self.axis())
        self.move(taken)


def _branch(kind: str, *inputs: str) -> GraphProto:
    result = f"{kind}_{inputs[0]}"
    element = TensorProto.INT64 if inputs[0].startswith("c") else TensorProto.FLOAT
    return helper.make_graph(
        [helper.make_node(kind, inputs, [result])], kind, [],
        [helper.make_tensor_value_info(result, element, None)],
    )  # fmt: skip
