"""Decoders with a cache of keys and values, node for node as exporters write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from onnx import ModelProto, TensorProto, helper
from open_inner import Inner

LAYERS, WIDTH, HEADS, WORDS, PLACES = 2, 32, 2, 23, 64
SIZE = WIDTH // HEADS
I64 = TensorProto.INT64
LOWEST = np.finfo(np.float32).min

TOTAL = "past_sequence_length + sequence_length"
"""The text that exporters write for the extent of what is joined."""


class Decoder(Inner):
    """A graph of a decoder with ``heads`` of keys and values; ``total`` names their extent."""

    def __init__(self, heads: int = HEADS, total: str = TOTAL) -> None:
        super().__init__()
        self.heads, self.total = heads, total
        self.ids = self.takes("input_ids", "batch_size", "sequence_length", element=I64)
        self.mask = self.takes("attention_mask", "batch_size", total, element=I64)
        shape = ("batch_size", heads, "past_sequence_length", SIZE)
        kinds = ("key", "value")
        self.cache = [
            [self.takes(f"past_key_values.{n}.{kind}", *shape) for kind in kinds]
            for n in range(LAYERS)
        ]
        self.batch, self.length = self.extent(self.ids, 0), self.extent(self.ids, 1)
        self.past = self.extent(self.cache[0][0], 2)
        self.end = self.add("Add", self.past, self.length)

    def extent(self, name: str, axis: int) -> str:
        """Return an extent as torch writes it: Shape, then Gather."""
        return self.add("Gather", self.add("Shape", name), self.constant(axis, np.int64), axis=0)

    def listed(self, *parts: str | int) -> str:
        """Return a shape of computed extents and of numbers."""
        zero = self.integers(0)
        named = [
            self.add("Unsqueeze", part, zero) if isinstance(part, str) else self.integers(part)
            for part in parts
        ]
        return self.add("Concat", *named, axis=0)

    def joined(self, new: str, layer: int, kind: int) -> str:
        """Return the cache with what is new behind it, which is an output, too."""
        self.add("Concat", self.cache[layer][kind], new, axis=-2)
        label = f"present.{layer}.{('key', 'value')[kind]}"
        self.nodes[-1].output[0] = label
        self.gives(label, "batch_size", self.heads, self.total, SIZE)
        return label

    def heads_of(self, x: str, heads: int) -> str:
        shape = self.listed(self.batch, self.length, heads, SIZE)
        return self.add("Transpose", self.add("Reshape", x, shape), perm=[0, 2, 1, 3])

    def merged(self, x: str) -> str:
        shape = self.listed(self.batch, self.length, WIDTH)
        return self.add("Reshape", self.add("Transpose", x, perm=[0, 2, 1, 3]), shape)

    def hidden(self) -> str:
        """Return what is added to scores of tokens that the attention mask has not."""
        mask = self.add("Unsqueeze", self.mask, self.integers(1, 2))
        mask = self.add("Cast", mask, to=TensorProto.FLOAT)
        return self.add("Mul", self.add("Sub", self.constant(1.0, "f4"), mask),
                        self.constant(LOWEST, "f4"))  # fmt: skip


def gpt2() -> ModelProto:
    """Places of tokens from the cache, a causal mask that is cut from a table."""
    net = Decoder()
    words = net.weight(WORDS, WIDTH)
    places = net.add("Range", net.past, net.end, net.constant(1, np.int64))
    places = net.add("Unsqueeze", places, net.integers(0))
    x = net.add("Add", net.add("Gather", words, net.ids),
                net.add("Gather", net.weight(PLACES, WIDTH), places))  # fmt: skip
    hidden = net.hidden()
    table = net.constant(np.tril(np.ones((1, 1, PLACES, PLACES), bool)))
    for layer in range(LAYERS):
        y = net.add("LayerNormalization", x, net.weight(WIDTH), net.weight(WIDTH), axis=-1)
        y = net.linear(y, WIDTH, 3 * WIDTH)
        q, k, v = (f"{name}{layer}" for name in "qkv")
        parts = net.integers(WIDTH, WIDTH, WIDTH)
        net.nodes.append(helper.make_node("Split", [y, parts], [q, k, v], f"s{layer}", axis=2))
        q, k, v = (net.heads_of(part, HEADS) for part in (q, k, v))
        k, v = net.joined(k, layer, 0), net.joined(v, layer, 1)
        scores = net.add("MatMul", q, net.add("Transpose", k, perm=[0, 1, 3, 2]))
        scores = net.add("Div", scores, net.constant(np.sqrt(SIZE), "f4"))
        rows, columns = net.extent(q, 2), net.extent(k, 2)
        first = net.add("Sub", columns, rows)
        zero = net.integers(0)
        first, end = (net.add("Unsqueeze", n, zero) for n in (first, columns))
        seen = net.add("Slice", table, first, end, net.integers(2), net.integers(1))
        seen = net.add("Slice", seen, zero, end, net.integers(3), net.integers(1))
        scores = net.add("Where", seen, scores, net.constant(LOWEST, "f4"))
        shares = net.add("Softmax", net.add("Add", scores, hidden), axis=-1)
        x = net.add("Add", x, net.linear(net.merged(net.add("MatMul", shares, v)), WIDTH, WIDTH))
        y = net.add("LayerNormalization", x, net.weight(WIDTH), net.weight(WIDTH), axis=-1)
        y = net.linear(net.add("Tanh", net.linear(y, WIDTH, 2 * WIDTH)), 2 * WIDTH, WIDTH)
        x = net.add("Add", x, y)
    net.gives(net.linear(x, WIDTH, WORDS), "batch_size", "sequence_length", WORDS)
    return net.model("gpt2")


def drawn(
    model: ModelProto, numbers: Mapping[str, int], seed: int = 0, masked: int = 0
) -> dict[str, np.ndarray]:
    """Return inputs for numbers of the past and of the sequence; some first tokens are masked."""
    random, found = np.random.default_rng(seed), {}
    past, length = (numbers.get(n, 1) for n in ("past_sequence_length", "sequence_length"))
    known = {"batch_size": 1, **numbers, TOTAL: past + length, "past_sequence_length + 1": past + 1}
    known["total"] = past + length
    for value in model.graph.input:
        tensor = value.type.tensor_type
        shape = [dim.dim_value or known[dim.dim_param] for dim in tensor.shape.dim]
        if value.name == "attention_mask":
            found[value.name] = np.ones(shape, np.int64)
            found[value.name][:, : min(masked, past)] = 0
        elif tensor.elem_type == I64:
            found[value.name] = random.integers(0, WORDS, shape)
        else:
            found[value.name] = random.standard_normal(shape).astype(np.float32)
    return found


def greedy(run, model: ModelProto, words: Sequence[int], count: int) -> list[int]:
    """Decode tokens one by one, with what is present as the past of the next one.

    The first run has all words and a cache of no rows, where ``words`` are several or one.
    """
    past = {
        value.name: np.zeros(
            (1, value.type.tensor_type.shape.dim[1].dim_value, 0, SIZE),
            helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type),
        )
        for value in model.graph.input
        if value.name.startswith("past")
    }
    ids, found = np.array([words], np.int64), list(words)
    for _ in range(count):
        rows = next(iter(past.values())).shape[2]
        mask = np.ones((1, rows + ids.shape[1]), np.int64)
        made = run({"input_ids": ids, "attention_mask": mask, **past})
        past = {name: made[name.replace("past_key_values", "present")] for name in past}
        (logits,) = (value for name, value in made.items() if not name.startswith("present"))
        found.append(int(logits[0, -1].argmax()))
        ids = np.array([found[-1:]], np.int64)
    return found


def kept_greedy(session, words: Sequence[int], count: int, rows: int = 0) -> list[int]:
    """Decode as ``greedy`` does by a session that keeps the cache, which has ``rows`` already."""
    ids, found = np.array([words], np.int64), list(words)
    for _ in range(count):
        rows += ids.shape[1]
        given = {"input_ids": ids, "attention_mask": np.ones((1, rows), np.int64)}
        (logits,) = session.run(given).values()
        found.append(int(logits[0, -1].argmax()))
        ids = np.array([found[-1:]], np.int64)
    return found


def llama() -> ModelProto:
    """Rotated keys, fewer heads of keys than of queries, a causal mask that is computed."""
    net, groups = Decoder(1), HEADS
    x = net.add("Gather", net.weight(WORDS, WIDTH), net.ids)
    places = net.add("Range", net.past, net.end, net.constant(1, np.int64))
    columns = net.add("Range", net.constant(0, np.int64), net.end, net.constant(1, np.int64))
    shape = net.listed(net.length, net.end)
    value = helper.make_tensor("value", TensorProto.FLOAT, [1], [LOWEST])
    mask = net.add("Trilu", net.add("ConstantOfShape", shape, value=value),
                   net.constant(1, np.int64), upper=1)  # fmt: skip
    behind = net.add("Greater", columns, net.add("Reshape", places, net.integers(-1, 1)))
    mask = net.add("Mul", mask, net.add("Cast", behind, to=TensorProto.FLOAT))
    mask = net.add("Add", net.add("Unsqueeze", mask, net.integers(0, 1)), net.hidden())
    shares = net.constant(10000.0 ** (-np.arange(0, SIZE, 2) / SIZE), np.float32)
    angles = net.add("Cast", net.add("Unsqueeze", places, net.integers(0, 2)), to=1)
    angles = net.add("Mul", angles, shares)
    angles = net.add("Unsqueeze", net.add("Concat", angles, angles, axis=-1), net.integers(1))
    cos, sin = net.add("Cos", angles), net.add("Sin", angles)

    def rotated(y: str) -> str:
        half, whole, last = net.integers(SIZE // 2), net.integers(9**9), net.integers(-1)
        left = net.add("Slice", y, net.integers(0), half, last)
        right = net.add("Neg", net.add("Slice", y, half, whole, last))
        moved = net.add("Concat", right, left, axis=-1)
        return net.add("Add", net.add("Mul", y, cos), net.add("Mul", moved, sin))

    def norm(y: str) -> str:
        mean = net.add("ReduceMean", net.add("Pow", y, net.constant(2.0, "f4")), net.integers(-1))
        root = net.add("Sqrt", net.add("Add", mean, net.constant(1e-6, "f4")))
        return net.add("Mul", net.weight(WIDTH), net.add("Div", y, root))

    def repeated(y: str) -> str:
        wide = net.listed(net.batch, 1, groups, net.end, SIZE)
        y = net.add("Expand", net.add("Unsqueeze", y, net.integers(2)), wide)
        return net.add("Reshape", y, net.listed(net.batch, groups, net.end, SIZE))

    for layer in range(LAYERS):
        y = norm(x)
        q, k, v = (net.add("MatMul", y, net.weight(WIDTH, n)) for n in (WIDTH, SIZE, SIZE))
        q = rotated(net.heads_of(q, HEADS))
        k = net.joined(rotated(net.heads_of(k, 1)), layer, 0)
        v = net.joined(net.heads_of(v, 1), layer, 1)
        scores = net.add("MatMul", q, net.add("Transpose", repeated(k), perm=[0, 1, 3, 2]))
        scores = net.add("Mul", scores, net.constant(SIZE**-0.5, "f4"))
        seen = net.add("MatMul", net.add("Softmax", net.add("Add", scores, mask), axis=-1),
                       repeated(v))  # fmt: skip
        x = net.add("Add", x, net.add("MatMul", net.merged(seen), net.weight(WIDTH, WIDTH)))
        y = norm(x)
        gate, up = (net.add("MatMul", y, net.weight(WIDTH, 2 * WIDTH)) for _ in range(2))
        y = net.add("Mul", net.add("Mul", gate, net.add("Sigmoid", gate)), up)
        x = net.add("Add", x, net.add("MatMul", y, net.weight(2 * WIDTH, WIDTH)))
    net.gives(net.linear(norm(x), WIDTH, WORDS), "batch_size", "sequence_length", WORDS)
    return net.model("llama")


def attention() -> ModelProto:
    """The operator Attention, which has the cache as inputs and what is present as outputs."""
    net = Decoder(1)
    x = net.add("Gather", net.weight(WORDS, WIDTH), net.ids)
    for layer in range(LAYERS):
        q, k, v = (net.linear(x, WIDTH, n) for n in (WIDTH, SIZE, SIZE))
        inputs = [q, k, v, "", *net.cache[layer]]
        present = [f"present.{layer}.{kind}" for kind in ("key", "value")]
        net.nodes.append(
            helper.make_node("Attention", inputs, [f"y{layer}", *present], f"attention{layer}",
                             is_causal=1, q_num_heads=HEADS, kv_num_heads=1)
        )  # fmt: skip
        for label in present:
            net.gives(label, "batch_size", 1, net.total, SIZE)
        x = net.add("Add", x, net.linear(f"y{layer}", WIDTH, WIDTH))
    net.gives(net.linear(x, WIDTH, WORDS), "batch_size", "sequence_length", WORDS)
    model = net.model("attention")
    del model.opset_import[:]
    model.opset_import.append(helper.make_opsetid("", 24))
    model.ir_version = 11
    return model


def stored() -> ModelProto:
    """A cache that is kept in other types and orders, which each run changes before it joins it."""
    net = Inner()
    past = net.takes("past", "n", 3, 24)
    new = net.takes("new", "m", 24, 3)
    halves = net.takes("halves", 1, "n", 5, element=TensorProto.FLOAT16)
    y = net.add("Transpose", net.add("Tanh", past), perm=[0, 2, 1])
    y = net.add("Concat", y, net.add("Neg", new), axis=0)
    net.gives(net.add("Mul", y, net.weight(24, 1)), "n + m", 24, 3)
    wide = net.add("Concat", net.add("Cast", halves, to=1), net.takes("tail", 1, 2, 5), axis=1)
    net.gives(net.add("Softmax", wide, axis=1), 1, "n + 2", 5)
    net.gives(net.add("MatMul", net.add("Reshape", past, net.integers(-1, 72)), net.weight(72, 9)),
              "n", 9)  # fmt: skip
    return net.model("stored")
