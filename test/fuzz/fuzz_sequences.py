"""Random chains with sequences and optionals, also such as subgraphs are given and hand out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from fuzz_case import FuzzCase, Value, reads
from fuzz_control_flow import Nest
from fuzz_numbers import MOODS, QUIET, Array, is_float
from onnx import GraphProto, NodeProto, helper

LONGEST = 9
"""Elements of a sequence."""


def make_sequences(
    name: str, random: np.random.Generator, moods: Sequence[str] = MOODS
) -> FuzzCase:
    """Return a chain that makes sequences and takes tensors from them."""
    chain = SequenceChain(name, random, moods if random.random() < 0.2 else QUIET)
    steps = int(random.integers(4, 10))
    for _ in range(30):
        if len(chain.nodes) >= steps and chain.read_any:
            break
        chain.step_of_any()
    return chain.case()


class SequenceChain(Nest):
    """A chain that knows sequences besides tensors."""

    def __init__(self, name: str, random: np.random.Generator, moods: Sequence[str]):
        super().__init__(name, random, moods)
        self.lists: dict[str, list[Array]] = {}
        self.read_any = False

    def case(self) -> FuzzCase:
        """Return the case without sequences that nothing reads, as these are no outputs."""
        while True:
            read = {name for node in self.nodes for name in reads(node)}
            unread = set(self.lists) - read
            left = [node for node in self.nodes if not unread & set(node.output)]
            if len(left) == len(self.nodes):
                return super().case()
            self.nodes = left

    def step_of_any(self) -> None:
        if self.value.ndim == 0 or not is_float(self.value.dtype) or self.random.random() < 0.3:
            super().step_of_any()
            return
        choices: list[Callable[[], None]] = [self.split, self.construct, self.grow, self.hold]
        if self.known_lists():
            choices += [self.insert, self.erase, self.at, self.at, self.length, self.concat,
                        self.concat, self.map, self.chosen, self.grown]  # fmt: skip
        choices[int(self.random.integers(len(choices)))]()

    def known_lists(self) -> list[str]:
        return [name for name, value in self.lists.items() if value]

    def any_list(self) -> str:
        return str(self.random.choice(self.known_lists()))

    def results(self, node: NodeProto) -> dict[str, Value] | None:
        tensors = self.values
        self.values = {**tensors, **self.lists}
        try:
            return super().results(node)
        finally:
            self.values = tensors

    def make(self, kind: str, *inputs: str, **attributes: object) -> str:
        """Add a node whose result is a sequence; returns the empty name where there is none."""
        name = self.new()
        node = helper.make_node(kind, inputs, [name], **attributes)
        found = (self.results(node) or {}).get(name)
        if not isinstance(found, list) or len(found) > LONGEST or not all(map(self.fits, found)):
            return ""
        self.lists[name] = found
        self.nodes.append(node)
        return name

    def split(self) -> None:
        axis = self.axis()
        extent = self.value.shape[axis]
        if self.random.random() < 0.4:
            self.make("SplitToSequence", self.x, axis=axis, keepdims=int(self.random.integers(2)))
        elif self.random.random() < 0.5:
            size = self.known(np.array(self.random.integers(1, extent + 1)))
            self.make("SplitToSequence", self.x, size, axis=axis - self.pick(0, self.value.ndim))
        else:
            cut = int(self.random.integers(0, extent + 1))
            self.make("SplitToSequence", self.x, self.integers(cut, extent - cut), axis=axis)

    def construct(self) -> None:
        same = [n for n, a in self.values.items()
                if a.dtype == self.value.dtype and a.ndim == self.value.ndim]  # fmt: skip
        chosen = [str(self.random.choice(same)) for _ in range(int(self.random.integers(0, 3)))]
        self.make("SequenceConstruct", self.x, *chosen)

    def grow(self) -> None:
        number = helper.np_dtype_to_tensor_dtype(self.value.dtype)
        empty = self.make("SequenceEmpty", dtype=number)
        self.make("SequenceInsert", empty, self.x)

    def insert(self) -> None:
        name = self.any_list()
        if self.lists[name][0].dtype != self.value.dtype:
            return
        place = self.random.integers(-len(self.lists[name]), len(self.lists[name]) + 1)
        more = [self.known(np.array(place))] if self.random.random() < 0.6 else []
        self.make("SequenceInsert", name, self.x, *more)

    def erase(self) -> None:
        name = self.any_list()
        self.make(
            "SequenceErase", name, *([self.place(name)] if self.random.random() < 0.6 else [])
        )

    def place(self, name: str, constant: bool | None = True) -> str:
        count = len(self.lists[name])
        dtype = np.dtype(self.pick(np.int64, np.int64, np.int32))
        return self.known(np.array(self.random.integers(-count, count), dtype), constant)

    def taken(self, kind: str, *inputs: str, **attributes: object) -> bool:
        """Add a node that takes a tensor from a sequence."""
        x, name = self.x, self.new()
        node = helper.make_node(kind, inputs, [name], **attributes)
        found = (self.results(node) or {}).get(name)
        if not isinstance(found, np.ndarray) or not self.fits(found):
            self.x = x
            return False
        self.values[name] = found
        self.nodes.append(node)
        self.x, self.read_any = name, True
        return True

    def at(self) -> None:
        name = self.any_list()
        same = len({a.shape for a in self.lists[name]}) == 1
        self.taken("SequenceAt", name, self.place(name, None if same else True))

    def length(self) -> None:
        x = self.x
        if self.taken("SequenceLength", self.any_list()):
            number = helper.np_dtype_to_tensor_dtype(self.values[x].dtype)
            self.add("Cast", self.x, to=number)
            self.add(str(self.pick("Add", "Mul")), x, self.x)

    def concat(self) -> None:
        name = self.any_list()
        rank, new = self.lists[name][0].ndim, int(self.random.integers(2))
        if rank + new:
            axis = int(self.random.integers(-rank - new, rank + new))
            self.taken("ConcatFromSequence", name, axis=axis, new_axis=new)

    def hold(self) -> None:
        """Put the tensor into an optional and take it out again, or ask whether there is one."""
        x, optional = self.x, self.new()
        self.nodes.append(helper.make_node("Optional", [x], [optional]))
        self.lists[optional] = []
        if self.random.random() < 0.6:
            name = self.new()
            self.nodes.append(helper.make_node("OptionalGetElement", [optional], [name]))
            self.values[name], self.x = self.values[x], name
        else:
            name = self.new()
            self.nodes.append(helper.make_node("OptionalHasElement", [optional], [name]))
            self.values[name] = np.array(True)
            self.add("Where", name, x, self.number(0.0, 1.0))

    def map(self) -> None:
        """Compute something of each element of a sequence."""
        name = self.any_list()
        elements, p = self.lists[name], self.new()
        if not is_float(elements[0].dtype) or elements[0].ndim == 0:
            return
        body = self.inner(**{p: elements[0]})
        body.x = p
        body.unary()
        if len({a.shape for a in elements}) == 1:
            body.steps(2)
        graph = body.graph([p], [body.own(body.x)], False)
        self.make("SequenceMap", name, body=graph)

    def chosen(self) -> None:
        """Choose between two sequences of the same types."""
        name = self.any_list()
        elements = self.lists[name]
        dtypes = {a.dtype for a in elements}
        condition = self.condition()
        bodies = [self.inner(), self.inner()]
        place, first = int(self.random.integers(len(elements))), elements[0].dtype
        if dtypes != {first} or not is_float(first):
            return
        made = [self.new(), self.new()]
        for body in bodies:
            body.x = self.x
            body.like(elements[place].shape, first)
        erased, at = self.new(), bodies[0].known(np.array(place))
        bodies[0].nodes.append(helper.make_node("SequenceErase", [name, at], [erased]))
        bodies[0].nodes.append(
            helper.make_node("SequenceInsert", [erased, bodies[0].x, at], [made[0]])
        )
        bodies[1].nodes.append(helper.make_node("Identity", [name], [made[1]]))
        graphs = [self._of_list(*pair, first, []) for pair in zip(bodies, made, strict=True)]
        self.make("If", condition, then_branch=graphs[0], else_branch=graphs[1])

    def grown(self) -> None:
        """Add to a sequence in each trip of a loop."""
        name = self.any_list()
        first = self.lists[name][0]
        trips = self.known(np.array(self.random.integers(0, 4)))
        i, go, given, made = (self.new() for _ in range(4))
        body = self.inner(**{i: np.array(0), go: np.array(True)})
        body.x = self.x
        if not is_float(first.dtype):
            return
        body.add("Cast", i, to=helper.np_dtype_to_tensor_dtype(first.dtype))
        body.add("Add", body.x, body.tensor(first.shape, dtype=first.dtype, moods=QUIET))
        body.nodes.append(helper.make_node("SequenceInsert", [given, body.x], [made]))
        on = body.own(go)
        graph = self._of_list(body, made, first.dtype, [i, go], given, on)
        self.make("Loop", trips, "", name, body=graph)

    def _of_list(
        self,
        body: Nest,
        made: str,
        dtype: np.dtype,
        inputs: Sequence[str],
        given: str = "",
        on: str = "",
    ) -> GraphProto:
        """Return a subgraph that hands out a sequence, and with ``given`` takes one."""
        graph = body.graph(inputs, [on] if on else [], False)
        number = helper.np_dtype_to_tensor_dtype(dtype)
        for name, values in ((given, graph.input), (made, graph.output)):
            if name:
                values.append(helper.make_tensor_sequence_value_info(name, number, None))
        return graph
