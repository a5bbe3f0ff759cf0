"""Random chains of two to six operators, in awkward shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from fuzz_case import FuzzCase, Value, build_model, reads
from fuzz_numbers import FLOATS, MOODS, QUIET, Array, draw, is_float
from fuzz_reference import sample
from onnx import NodeProto, helper

LARGEST = 20_000
"""Elements of a tensor of a chain, unless it begins with more, for loops that are parallel."""
EXTENTS = (1, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 24, 31, 33)

UNARY = [
    "Abs",
    "Ceil",
    "Erf",
    "Exp",
    "Floor",
    "HardSwish",
    "Log",
    "Mish",
    "Neg",
    "Reciprocal",
    "Relu",
    "Round",
    "Sigmoid",
    "Sign",
    "Sin",
    "Cos",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Tanh",
    "Elu",
    "Selu",
    "Celu",
    "LeakyRelu",
    "HardSigmoid",
    "ThresholdedRelu",
    "Gelu",
    "Identity",
]
BINARY = ["Add", "Sub", "Mul", "Div", "Max", "Min", "Pow", "PRelu", "Add", "Mul", "Sub"]
COMPARISONS = ["Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"]
REDUCTIONS = [
    "ReduceSum",
    "ReduceMean",
    "ReduceMax",
    "ReduceMin",
    "ReduceL1",
    "ReduceL2",
    "ReduceSumSquare",
    "ReduceLogSumExp",
]


def make_chain(name: str, random: np.random.Generator, moods: Sequence[str] = MOODS) -> FuzzCase:
    """Return a chain whose every tensor the reference can compute."""
    chain = Chain(name, random, moods)
    steps = int(random.integers(2, 7))
    if random.random() < 0.05:
        chain.attention()
        steps = int(random.integers(0, 3))
    for _ in range(20):
        if len(chain.nodes) >= steps:
            break
        if chain.value.ndim == 0:
            chain.unary()
        elif not is_float(chain.value.dtype):
            chain.cast()
        else:
            chain.step()
    return chain.case()


class Chain:
    """A chain under construction; ``x`` is the tensor that the next operator reads."""

    def __init__(self, name: str, random: np.random.Generator, moods: Sequence[str]):
        self.name, self.random, self.moods = name, random, moods
        self.dtype = FLOATS[random.choice(4, p=[0.6, 0.15, 0.1, 0.15])]
        self.nodes: list[NodeProto] = []
        self.inputs: dict[str, Array] = {}
        self.constants: dict[str, Array] = {}
        self.values: dict[str, Array] = {}
        self.large = random.random() < 0.06
        rank = int(random.choice([1, 2, 3, 4, 4, 4, 5]))
        self.x = self.tensor(self._shape(rank), constant=False)

    @property
    def value(self) -> Array:
        return self.values[self.x]

    def case(self) -> FuzzCase:
        read = {name for node in self.nodes for name in reads(node)}
        made = (name for node in self.nodes for name in node.output)
        last = {name: self.values[name] for name in made if name in self.values}
        outputs = {name: a for name, a in last.items() if name not in read}
        if self.random.random() < 0.15 and len(self.nodes) > 1:
            # What is computed on the way is a result, too.
            outputs |= dict([list(last.items())[int(self.random.integers(len(last)))]])
        inputs = {name: a for name, a in self.inputs.items() if name in read}
        constants = {name: a for name, a in self.constants.items() if name in read}
        model = build_model(self.name, self.nodes, inputs, constants, outputs)
        return FuzzCase(self.name, model, inputs)

    def step(self) -> None:
        """Add an operator that fits the tensor, which is no scalar, or none."""
        rank = self.value.ndim
        choices: list[tuple[float, Callable[[], None]]] = [
            (3, self.unary), (4, self.binary), (1.5, self.select), (0.7, self.clip),
            (0.5, self.cast), (0.8, self.reduce), (0.7, self.softmax), (1.5, self.move),
            (0.4, self.join), (0.3, self.scan),
        ]  # fmt: skip
        if rank >= 2:
            choices += [(1.2, self.matmul), (0.4, self.layer_norm)]
        if rank in (3, 4) and not self.large:
            choices += [
                (2.5, self.conv),
                (1, self.pool),
                (0.6, self.batch_norm),
                (0.4, self.resize),
            ]
        weights = np.array([weight for weight, _ in choices])
        chosen = self.random.choice(len(choices), p=weights / weights.sum())
        choices[int(chosen)][1]()

    def add(self, kind: str, *inputs: str, outputs: int = 1, **attributes: object) -> bool:
        """Add a node after the last one, unless the reference cannot compute it or it is large."""
        count = self.count()
        names = [f"t{count}_{i}" for i in range(outputs)]
        node = helper.make_node(kind, inputs, names, **attributes)
        results = self.results(node)
        if results is None or not all(self.fits(results[name]) for name in names):
            return False
        self.values |= {name: results[name] for name in names}
        self.nodes.append(node)
        self.x = names[int(self.random.integers(outputs))]
        return True

    def results(self, node: NodeProto) -> Mapping[str, Value] | None:
        """Return all values of a node, or ``None`` where the reference cannot compute it."""
        known = {name: self.values[name] for name in reads(node)}
        try:
            return sample(FuzzCase("draft", build_model("draft", [node], {}, {}, {}), known))
        except Exception:  # a shape or a type that the operator does not take
            return None

    def fits(self, value: Value) -> bool:
        return 0 < value.size <= (40 * LARGEST if self.large else LARGEST)

    def count(self) -> int:
        """Return a number that is part of new names."""
        return len(self.values)

    def axis(self) -> int:
        """Return an axis along which the tensor may be changed."""
        return int(self.random.integers(self.value.ndim))

    def tensor(
        self,
        shape: Sequence[int],
        constant: bool | None = None,
        dtype: np.dtype | None = None,
        moods: Sequence[str] = MOODS,
    ) -> str:
        """Return a new tensor of drawn numbers, an input or a constant."""
        chosen = [mood for mood in moods if mood in self.moods]
        return self.known(draw(self.random, shape, dtype or self.dtype, chosen), constant)

    def known(self, array: Array, constant: bool | None = True) -> str:
        name = f"c{self.count()}"
        if constant is None:
            constant = bool(self.random.random() < 0.5)
        (self.constants if constant else self.inputs)[name] = array
        self.values[name] = array
        return name

    def integers(self, *values: int) -> str:
        return self.known(np.array(values, np.int64))

    def number(self, *choices: float) -> str:
        """Return a constant that is one of some numbers, or an ordinary one.

        An integer is one of the finite numbers, and 1 if there is none.
        """
        if np.issubdtype(self.value.dtype, np.integer):
            choices = tuple(number for number in choices if np.isfinite(number)) or (1.0,)
        value = self.pick(*choices) if len(self.moods) > len(QUIET) else self.pick(1.0, 0.5, -2.0)
        return self.known(np.array(value, self.value.dtype))

    def pick(self, *choices: object) -> object:
        return choices[int(self.random.integers(len(choices)))]

    def unary(self) -> None:
        kind = str(self.random.choice(UNARY))
        attributes = {"approximate": self.pick("none", "tanh")} if kind == "Gelu" else {}
        self.add(kind, self.x, **attributes)

    def binary(self) -> None:
        kind = str(self.random.choice(BINARY))
        earlier = [
            n
            for n, a in self.values.items()
            if a.dtype == self.value.dtype and a.shape == self.value.shape
        ]
        other = str(self.random.choice(earlier)) if self.random.random() < 0.25 else ""
        other = other or self.tensor(self._broadcast(), dtype=self.value.dtype)
        pair = (
            (self.x, other) if kind in ("PRelu",) or self.random.random() < 0.6 else (other, self.x)
        )
        self.add(kind, *pair)

    def select(self) -> None:
        """Choose by a mask between the tensor and another one, often by an attention mask."""
        shape = self._broadcast()
        if self.random.random() < 0.5:
            mask = self.known(self.random.random(shape) < 0.5, None)
        else:
            kind, x = str(self.random.choice(COMPARISONS)), self.x
            if not self.add(kind, x, self.tensor(shape, dtype=self.value.dtype)):
                return
            mask, self.x = self.x, x
            if self.random.random() < 0.3 and self.add("Not", mask):
                mask, self.x = self.x, x
        dtype = self.value.dtype
        if self.random.random() < 0.5:
            zero, least = self.number(0.0), self.number(-np.inf)
            x = self.x
            if self.add("Where", mask, *self.random.permutation([zero, least])):
                self.add("Add", *map(str, self.random.permutation([x, self.x])))
            return
        number = self.number(0.0, -np.inf, np.inf, np.nan, 1.0)
        other = (
            number if self.random.random() < 0.5 else self.tensor(self._broadcast(), dtype=dtype)
        )
        self.add("Where", mask, *map(str, self.random.permutation([self.x, other])))

    def clip(self) -> None:
        low, high = sorted(self.random.standard_normal(2) * 2)
        bounds = [self.known(np.array(v, self.value.dtype)) for v in (low, high)]
        bounds = list(self.pick(bounds, [bounds[0], ""], ["", bounds[1]]))
        self.add("Clip", self.x, *bounds)

    def cast(self) -> None:
        types = (*FLOATS, np.dtype(np.int32), np.dtype(np.uint8), np.dtype(np.bool_))
        to = types[int(self.random.integers(len(types)))]
        if not is_float(self.value.dtype):
            to = self.dtype
        self.add("Cast", self.x, to=helper.np_dtype_to_tensor_dtype(to))
        self.dtype = to if is_float(to) else self.dtype

    def reduce(self) -> None:
        if self.random.random() < 0.12:
            kind, axis = str(self.pick("ArgMax", "ArgMin")), self.axis()
            self.add(kind, self.x, axis=axis, select_last_index=int(self.random.integers(2)))
            return
        axes = self.integers(*self._axes())
        self.add(
            str(self.random.choice(REDUCTIONS)), self.x, axes, keepdims=int(self.random.integers(2))
        )

    def softmax(self) -> None:
        axis = self.axis()
        self.add(str(self.pick("Softmax", "Softmax", "LogSoftmax")), self.x, axis=axis)

    def scan(self) -> None:
        axis = self.known(np.array(self.axis()))
        self.add(
            "CumSum",
            self.x,
            axis,
            exclusive=int(self.random.integers(2)),
            reverse=int(self.random.integers(2)),
        )

    def layer_norm(self) -> None:
        axis = int(self.random.integers(1, self.value.ndim))
        shape = self.value.shape[axis:]
        weights = [
            self.tensor(shape, dtype=self.value.dtype, moods=("ordinary",)) for _ in range(2)
        ]
        self.add("LayerNormalization", self.x, *weights, axis=axis)

    def move(self) -> None:
        """Add an operator that only moves numbers."""
        x, shape, random = self.x, self.value.shape, self.random
        rank = len(shape)
        match int(random.integers(10)):
            case 0 | 1:
                self.add("Transpose", x, perm=random.permutation(rank).tolist())
            case 2:
                cut = int(random.integers(rank))
                to = self.pick((*shape[:cut], -1), (*shape, 1), (1, *shape), (-1,), shape[::-1])
                self.add("Reshape", x, self.integers(*to))
            case 3 | 4:
                axis = int(random.integers(rank))
                start, step = int(random.integers(shape[axis])), int(random.choice([1, 1, 2, -1]))
                end = -(2**62) if step < 0 else 2**62
                self.add("Slice", x, *(self.integers(n) for n in (start, end, axis, step)))
            case 5 | 6:
                pads = random.integers(0, 3, 2 * rank).tolist()
                mode = str(random.choice(["constant", "constant", "edge", "wrap"]))
                number = self.number(0.0, -np.inf, np.nan, 1.5, -0.0)
                more = [number] if mode == "constant" else []
                self.add("Pad", x, self.integers(*pads), *more, mode=mode)
            case 7:
                self.add("Expand", x, self.integers(2, *(1 for _ in shape)))
            case 8:
                axis = int(random.integers(rank))
                wanted = random.integers(-shape[axis], shape[axis], 4)
                self.add("Gather", x, self.known(wanted, None), axis=axis)
            case _ if rank > 1:
                self.add("Trilu", x, upper=int(random.integers(2)))
            case _:
                pass

    def join(self) -> None:
        axis = self.axis()
        shape = list(self.value.shape)
        if self.random.random() < 0.6:
            shape[axis] = int(self.random.choice(EXTENTS))
            other = self.tensor(shape, dtype=self.value.dtype)
            self.add("Concat", *map(str, self.random.permutation([self.x, other])), axis=axis)
        elif shape[axis] > 1:
            self.add("Split", self.x, outputs=2, axis=axis, num_outputs=2)

    def matmul(self) -> None:
        rows, inner = self.value.shape[-2:]
        columns = int(self.random.choice(EXTENTS))
        if self.random.random() < 0.3 and self.value.ndim == 2:
            transposed = int(self.random.integers(2))
            shape = (columns, inner) if transposed else (inner, columns)
            weights = self.tensor(shape, dtype=self.value.dtype)
            bias = self.tensor((columns,), dtype=self.value.dtype)
            scales = {"alpha": float(self.pick(1.0, 0.5)), "beta": float(self.pick(1.0, -2.0))}
            self.add("Gemm", self.x, weights, bias, transB=transposed, **scales)
        elif self.random.random() < 0.8:
            self.add("MatMul", self.x, self.tensor((inner, columns), dtype=self.value.dtype))
        else:
            self.add("MatMul", self.tensor((columns, rows), dtype=self.value.dtype), self.x)

    def conv(self) -> None:
        channels, *places = self.value.shape[1:]
        window = [int(self.random.choice([1, 2, 3, 3])) for _ in places]
        outputs = int(self.random.choice([1, 3, 4, 8, 16]))
        attributes: dict[str, object] = {
            "strides": self.random.choice([1, 1, 2], len(places)).tolist(),
            "pads": self.random.choice([0, 1], 2 * len(places)).tolist(),
        }
        moods = ("ordinary", "ordinary", "ordinary", "large", "small", "sprinkled")
        constant = bool(self.random.random() < 0.85)
        shape = (outputs, channels, *window)
        kind = "Conv"
        if self.random.random() < 0.25:
            shape, attributes["group"] = (channels, 1, *window), channels
        elif self.random.random() < 0.2:
            kind, shape = "ConvTranspose", (channels, outputs, *window)
        weights = self.tensor(shape, constant, self.value.dtype, moods)
        count = channels if "group" in attributes else outputs
        bias = [self.tensor((count,), dtype=self.value.dtype)] if self.random.random() < 0.6 else []
        self.add(kind, self.x, weights, *bias, **attributes)

    def pool(self) -> None:
        rank = self.value.ndim - 2
        if self.random.random() < 0.3:
            self.add(str(self.pick("GlobalAveragePool", "GlobalMaxPool")), self.x)
            return
        window = self.random.choice([1, 2, 3], rank).tolist()
        attributes: dict[str, object] = {
            "kernel_shape": window,
            "strides": self.random.choice([1, 2], rank).tolist(),
            "pads": [int(self.random.integers(w)) for w in window * 2],
        }
        kind = str(self.pick("MaxPool", "AveragePool"))
        if kind == "AveragePool":
            attributes["count_include_pad"] = int(self.random.integers(2))
        self.add(kind, self.x, **attributes)

    def batch_norm(self) -> None:
        channels = self.value.shape[1]
        dtype = self.value.dtype
        three = [self.tensor((channels,), True, dtype, ("ordinary",)) for _ in range(3)]
        variance = self.known(
            np.abs(draw(self.random, (channels,), dtype, ("ordinary",))) + dtype.type(0.1)
        )
        self.add("BatchNormalization", self.x, *three, variance)

    def resize(self) -> None:
        scales = [1.0, 1.0, *self.random.choice([0.5, 1.0, 2.0, 3.0], self.value.ndim - 2)]
        mode = str(self.pick("nearest", "nearest", "linear"))
        self.add("Resize", self.x, "", self.known(np.array(scales, np.float32)), mode=mode)

    def attention(self) -> None:
        """Begin with scores, a mask of 0 and -inf, their softmax and its product with values."""
        heads, rows, inner, width = (int(self.random.choice(EXTENTS)) for _ in range(4))
        keys = int(self.random.choice(EXTENTS))
        moods = ("ordinary", "ordinary", "sprinkled")
        query = self.tensor((1, heads, rows, inner), False, moods=moods)
        key = self.tensor((1, heads, inner, keys), False, moods=moods)
        self.add("MatMul", query, key)
        scale = np.array(1 / np.sqrt(inner)).astype(self.dtype)
        self.add("Mul", self.x, self.known(scale))
        scores = self.x
        mask = self.known(self.random.random((rows, keys)) < 0.7, None)
        zero, least = self.number(0.0), self.number(-np.inf)
        if self.add("Where", mask, zero, least):
            self.add("Add", scores, self.x)
        self.add("Softmax", self.x, axis=-1)
        self.add("MatMul", self.x, self.tensor((1, heads, keys, width), False, moods=moods))

    def _shape(self, rank: int) -> list[int]:
        shape = [int(self.random.choice(EXTENTS)) for _ in range(rank)]
        if self.large:
            return [*([1] * (rank - 2)), int(self.random.integers(200, 420)), 257][-max(rank, 2) :]
        while np.prod(shape) > LARGEST / 8:
            shape[int(np.argmax(shape))] //= 2
        return shape

    def _broadcast(self) -> list[int]:
        """Return a shape that broadcasts to that of the tensor."""
        shape = list(self.value.shape)
        if self.random.random() < 0.5:
            return shape
        shape = [1 if self.random.random() < 0.5 else n for n in shape]
        return shape[int(self.random.integers(len(shape) + 1)) :]

    def _axes(self) -> list[int]:
        rank = self.value.ndim
        count = int(self.random.integers(1, rank + 1))
        return sorted(int(a) for a in self.random.choice(rank, count, replace=False))
