"""Random chains with If, Loop and Scan, whose bodies are chains that read what is around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

import numpy as np
from fuzz_case import FuzzCase, Value
from fuzz_chains import Chain
from fuzz_numbers import MOODS, QUIET, Array, is_float
from onnx import GraphProto, NodeProto, ValueInfoProto, helper, numpy_helper

DEPTH = 2
"""How deep operators with subgraphs lie in each other."""
TRIPS = (0, 1, 1, 2, 3, 4, 5)
STEPS = 33
"""Places along an axis that a Scan takes at most, as expected results are computed in each."""


def make_control_flow(
    name: str, random: np.random.Generator, moods: Sequence[str] = MOODS
) -> FuzzCase:
    """Return a chain with one operator that has subgraphs, or several."""
    chain = Nest(name, random, moods if random.random() < 0.2 else QUIET)
    for _ in range(int(random.integers(0, 3))):
        chain.step_of_any()
    for _ in range(8):
        chain.region()
        if chain.has_region() and random.random() < 0.6:
            break
    for _ in range(int(random.integers(0, 3))):
        chain.step_of_any()
    return chain.case()


class Nest(Chain):
    """A chain of a graph or of a subgraph; one of a subgraph sees what is known outside of it."""

    def __init__(
        self,
        name: str,
        random: np.random.Generator,
        moods: Sequence[str],
        outer: Nest | None = None,
    ):
        self.outer = outer
        self.held: dict[str, Array] = {}
        if outer is None:
            self.depth, self.numbers = 0, count()
            super().__init__(name, random, moods)
            return
        self.name, self.random, self.moods, self.large = name, random, moods, outer.large
        self.depth, self.numbers = outer.depth + 1, outer.numbers
        self.dtype, self.x = outer.dtype, outer.x
        self.nodes: list[NodeProto] = []
        self.values = dict(outer.values)

    def count(self) -> int:
        return next(self.numbers)

    def known(self, array: Array, constant: bool | None = True) -> str:
        """Return a new tensor: of this graph, or of one around it."""
        if self.outer is None:
            return super().known(array, constant)
        if constant is not True or self.random.random() < 0.4:
            name = self.outer.known(array, constant)
        else:
            name = f"c{self.count()}"
            if self.random.random() < 0.5:
                self.held[name] = array
            else:
                tensor = numpy_helper.from_array(array)
                self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        self.values[name] = array
        return name

    def is_constant(self, name: str) -> bool:
        if self.outer is None:
            return name in self.constants
        made = (node.output[0] for node in self.nodes if node.op_type == "Constant")
        return name in (*self.held, *made) or self.outer.is_constant(name)

    def has_region(self) -> bool:
        return any(node.op_type in ("If", "Loop", "Scan") for node in self.nodes)

    def step_of_any(self) -> None:
        """Add an operator, whatever the tensor is."""
        if self.value.ndim == 0:
            self.unary()
        elif not is_float(self.value.dtype):
            self.cast()
        elif self.depth and self.depth < DEPTH and self.random.random() < 0.15:
            self.region()
        else:
            self.step()

    def steps(self, most: int = 3) -> None:
        for _ in range(int(self.random.integers(0, most + 1))):
            self.step_of_any()

    def region(self) -> None:
        """Add an operator with subgraphs."""
        choices: Sequence[Callable[[], None]] = (self.choice, self.loop, self.loop, self.collect)
        choices[int(self.random.integers(len(choices)))]()

    def inner(self, **given: Value) -> Nest:
        """Return a chain of a subgraph that is given some values."""
        made = Nest(self.name, self.random, self.moods, self)
        made.values |= given
        return made

    def new(self) -> str:
        return f"v{self.count()}"

    def like(self, shape: Sequence[int], dtype: np.dtype) -> str:
        """Make a tensor of a shape and a type of the last one, which it depends on."""
        if self.value.shape != tuple(shape):
            if not is_float(self.value.dtype):
                self.add("Cast", self.x, to=helper.np_dtype_to_tensor_dtype(np.dtype(np.float32)))
            own = self.value.dtype
            if self.value.ndim:
                self.add("ReduceMean", self.x, keepdims=0)
            self.add("Add", self.x, self.tensor(shape, dtype=own, moods=QUIET))
        if self.value.dtype != dtype:
            self.add("Cast", self.x, to=helper.np_dtype_to_tensor_dtype(dtype))
        if self.value.shape != tuple(shape) or self.value.dtype != dtype:
            self.x = self.tensor(shape, constant=True, dtype=dtype)
        return self.x

    def own(self, name: str) -> str:
        """Return a value that a node of this graph makes, as what it hands out must be."""
        if any(name in node.output for node in self.nodes):
            return name
        value, made = self.values[name], self.new()
        self.nodes.append(helper.make_node("Identity", [name], [made]))
        self.values[made] = value
        return made

    def graph(self, inputs: Sequence[str], outputs: Sequence[str], stated: bool) -> GraphProto:
        """Return the subgraph; it states the shapes of what it hands out, or their types alone."""
        return helper.make_graph(
            self.nodes,
            f"body{self.count()}",
            [self._info(name, self.random.random() < 0.5) for name in inputs],
            [self._info(name, stated) for name in outputs],
            [numpy_helper.from_array(array, name) for name, array in self.held.items()],
        )

    def _info(self, name: str, stated: bool) -> ValueInfoProto:
        """Return the type of a value; onnxruntime takes a number of a trip with a shape only."""
        value = self.values[name]
        number = helper.np_dtype_to_tensor_dtype(value.dtype)
        stated = stated or not value.ndim
        return helper.make_tensor_value_info(name, number, value.shape if stated else None)

    def fits(self, value: Value) -> bool:
        return super().fits(value) and (self.outer is None or value.size <= 2000)

    def put(self, node: NodeProto, floats: Sequence[str] = ()) -> bool:
        """Add a node with subgraphs; the next operator reads one of ``floats``."""
        results = self.results(node)
        if results is None or any(results[name].size > 20_000 for name in node.output):
            return False
        self.values |= {name: results[name] for name in node.output}
        self.nodes.append(node)
        full = [name for name in floats or node.output if self.values[name].size]
        self.x = str(self.random.choice(full or [self.x]))
        return True

    def condition(self) -> str:
        """Return one boolean: an input, a constant, or what the tensor says."""
        shape = self.pick((), (), (1,))
        if self.random.random() < 0.6 or not is_float(self.value.dtype):
            truth = np.full(shape, self.random.random() < 0.5)
            return self.known(truth, bool(self.random.random() < 0.2))
        x, mean = self.x, self.new()
        scalar = helper.make_node("ReduceMean", [x], [mean], keepdims=0)
        self.nodes.append(scalar)
        self.values[mean] = self.results(scalar)[mean]
        dtype = self.value.dtype
        self.add("Less", mean, self.known(np.array(self.random.standard_normal(), dtype)))
        found, self.x = self.x, x
        return found

    def choice(self) -> None:
        """Choose by a condition between two chains that hand out the same types."""
        x, condition = self.x, self.condition()
        branches = [self.inner(), self.inner()]
        outputs: list[list[str]] = [[], []]
        for _ in range(int(self.random.choice([1, 1, 2]))):
            first = None
            for chain, names in zip(branches, outputs, strict=True):
                chain.x = x
                chain.steps()
                if first is not None:
                    chain.like(first.shape, first.dtype)
                names.append(chain.own(chain.x))
                first = chain.value
        graphs = [
            chain.graph([], names, bool(self.random.random() < 0.5))
            for chain, names in zip(branches, outputs, strict=True)
        ]
        order = self.random.permutation(2)
        self.put(
            helper.make_node(
                "If",
                [condition],
                [self.new() for _ in outputs[0]],
                then_branch=graphs[order[0]],
                else_branch=graphs[order[1]],
            )
        )

    def loop(self) -> None:
        """Carry values from trip to trip, until a number of trips or a condition ends it."""
        kind = str(self.pick("trips", "trips", "given", "early", "value", "while"))
        trips = "" if kind == "while" else self._trips()
        start = "" if kind in ("trips", "while") and self.random.random() < 0.6 else self._start()
        carried = [self.x, *self._others()]
        i, go = self.new(), self.new()
        given = [self.new() for _ in carried]
        body = self.inner(
            **{i: np.array(0), go: np.array(True)},
            **{p: self.values[name] for p, name in zip(given, carried, strict=True)},
        )
        body.x = given[0]
        if self.random.random() < 0.5:
            body.add("Cast", i, to=helper.np_dtype_to_tensor_dtype(self.value.dtype))
            number, body.x = body.x, given[0]
            body.add(str(self.pick("Add", "Mul")), body.x, number)
        body.steps()
        last = body.x
        ends = [body.like(self.value.shape, self.value.dtype)]
        for p in given[1:]:
            ends.append(body.moved(p, ends[0], given[0]))
        if self.random.random() < 0.3 and len(ends) > 1:
            same = self.values[carried[1]]
            if same.shape == self.value.shape and same.dtype == self.value.dtype:
                ends = [ends[1], ends[0], *ends[2:]]  # what is carried changes places
        ends = [
            name if name in given and self.random.random() < 0.5 else body.own(name)
            for name in ends
        ]
        on = body.own(body.goes_on(kind, i, go, ends[0]))
        fixed = kind == "trips" and all(not n or self.is_constant(n) for n in (trips, start))
        rows: list[str] = []
        if kind in ("trips", "given") and (fixed or self.depth == 0) and self.random.random() < 0.6:
            rows = [body.own(str(self.pick(last, ends[0], i)))]
            if self.random.random() < 0.3:
                rows.append(body.own(last))
        results = [self.new() for _ in (*carried, *rows)]
        node = helper.make_node(
            "Loop",
            [trips, start, *carried],
            results,
            body=body.graph([i, go, *given], [on, *ends, *rows], True),
        )
        floats = [r for r, name in zip(results, carried, strict=False)
                  if is_float(self.values[name].dtype)]  # fmt: skip
        self.put(node, floats + (results[len(carried) :] if fixed else []))

    def _trips(self) -> str:
        number = np.array(int(self.random.choice(TRIPS)) if self.random.random() < 0.95 else -1)
        shaped = number.reshape(self.pick((), (), (1,)))
        return self.known(shaped, bool(self.random.random() < 0.6))

    def _start(self) -> str:
        return self.known(np.array(self.random.random() < 0.85), bool(self.random.random() < 0.5))

    def _others(self) -> list[str]:
        """Return further values to carry: a counter, another tensor, a second one of its kind."""
        found: list[str] = []
        if self.random.random() < 0.3:
            found.append(self.tensor(self.value.shape, dtype=self.value.dtype))
        if self.random.random() < 0.3:
            found.append(self.known(np.array(self.random.integers(-3, 4)), None))
        if self.random.random() < 0.15:
            found.append(self.known(self.random.random(self._shape(2)) < 0.5, None))
        return found

    def moved(self, name: str, changed: str, first: str) -> str:
        """Return what another carried value becomes in a trip: itself, or something else."""
        value, one = self.values[name], self.values[first]
        if value.dtype == np.bool_ and self.random.random() < 0.7:
            self.add("Not", name)
        elif value.dtype.kind == "i" and self.random.random() < 0.8:
            self.add("Add", name, self.known(np.array(self.random.integers(1, 4))))
        elif value.dtype == one.dtype and value.shape == one.shape:
            other = str(self.pick(changed, first, name))
            if other != name:
                return other
            self.add("Mul", name, self.tensor(value.shape, dtype=value.dtype, moods=QUIET))
        else:
            return name
        return self.x

    def goes_on(self, kind: str, i: str, go: str, end: str) -> str:
        """Return whether there is another trip."""
        if kind in ("early", "while"):
            self.add("Less", i, self.known(np.array(self.random.integers(-1, 4))))
            if self.random.random() < 0.3:
                self.add("And", go, self.x)
            return self.x
        if kind == "value" and is_float(self.values[end].dtype):
            self.x = end
            if self.value.ndim:
                self.add("ReduceMax", self.x, keepdims=0)
            limit = np.array(self.random.standard_normal() * 3, self.value.dtype)
            self.add("Less", self.x, self.known(limit, None))
            return self.x
        return go if self.random.random() < 0.6 else self.known(np.array(True))

    def collect(self) -> None:
        """Run a chain for each place along an axis of one tensor or two, with states or none."""
        if self.value.ndim == 0 or not is_float(self.value.dtype):
            return
        rank = self.value.ndim
        axes = [int(self.random.integers(-rank, rank))]
        tensors = [self.x]
        if self.random.random() < 0.4:
            shape = self._shape(int(self.random.integers(1, 4)))
            axes.append(int(self.random.integers(len(shape))))
            shape[axes[1]] = self.value.shape[axes[0]]
            tensors.append(self.tensor(shape, dtype=self.value.dtype))
        rows = [np.take(self.values[n], 0, axis) for n, axis in zip(tensors, axes, strict=True)]
        if self.value.shape[axes[0]] > STEPS or any(row.size > 2000 for row in rows):
            return
        states = [self.tensor(self.pick(rows[0].shape, (), (3,)), dtype=self.value.dtype)
                  for _ in range(int(self.random.choice([0, 1, 1, 2])))]  # fmt: skip
        given = [self.new() for _ in (*states, *tensors)]
        values = [*(self.values[name] for name in states), *rows]
        body = self.inner(**dict(zip(given, values, strict=True)))
        body.x = given[len(states)]
        if len(tensors) > 1 and rows[0].shape == rows[1].shape:
            body.add("Add", *given[-2:])
        body.steps()
        out, ends = body.x, []
        for p in given[: len(states)]:
            value = self.values[states[len(ends)]]
            x = body.like(value.shape, value.dtype)
            body.add(str(self.pick("Add", "Max", "Mul")), p, x)
            ends.append(body.own(body.x))
        made = [body.own(name) for name in ([out] if self.random.random() < 0.6 else [out, *ends])]
        ranks = [body.values[name].ndim + 1 for name in made]
        backwards = self.random.integers(0, 2, (2, 2)).tolist()
        node = helper.make_node(
            "Scan",
            [*states, *tensors],
            [self.new() for _ in (*ends, *made)],
            num_scan_inputs=len(tensors),
            scan_input_axes=axes,
            scan_input_directions=backwards[0][: len(axes)],
            scan_output_axes=[int(self.random.integers(-r, r)) for r in ranks],
            scan_output_directions=[backwards[1][i % 2] for i in range(len(made))],
            body=body.graph(given, [*ends, *made], True),
        )
        self.put(node)
