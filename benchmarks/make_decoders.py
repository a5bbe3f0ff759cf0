"""Decoders as onnxruntime-genai's builder writes them, with random weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

MS = "com.microsoft"
BITS, BLOCK, PLACES = 4, 32, 2048
_NORM = {"axis": -1, "epsilon": 1e-6}
FORMS = ("u4", "f32", "int8")
"""Codes of 4 bits in blocks, 32-bit floats, and what onnxruntime's ``quantize_dynamic`` makes of
floats: the sums of products with codes of 8 bits, whose rows a run quantises."""


@dataclass(frozen=True)
class Shape:
    """The extents of a decoder.

    ``turned`` of the ``size`` elements of a head are rotated; 0 rotates all. With a ``window``
    each layer but every sixth reads as many rows of the cache, and norms are those of Gemma: also
    of heads of queries and keys, and of what attention and feed-forward layers add.
    """

    layers: int
    width: int
    inner: int
    heads: int
    shared: int
    size: int
    words: int
    turned: int = 0
    window: int = 0


SHAPES = {
    "qwen2.5-0.5b": Shape(24, 896, 4864, 14, 2, 64, 151936),
    "llama-3.2-1b": Shape(16, 2048, 8192, 32, 8, 64, 128256),
    "gemma-3-270m": Shape(18, 640, 2048, 4, 1, 256, 262144, window=512),
    "phi-4-mini": Shape(32, 3072, 8192, 24, 8, 128, 200064, turned=96),
    "small": Shape(2, 128, 256, 4, 2, 32, 512),
}
"""``inner`` is that of the feed-forward layers, ``shared`` are heads of keys and values."""


@dataclass
class _Graph:
    """The nodes and tensors so far; the elements of tensors follow each other in a file."""

    data: Path
    accuracy: int
    form: str = "u4"
    rows: set[str] = field(default_factory=set[str])
    """The values that are quantised already."""
    nodes: list[onnx.NodeProto] = field(default_factory=list[onnx.NodeProto])
    tensors: list[onnx.TensorProto] = field(default_factory=list[onnx.TensorProto])
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def tensor(self, name: str, array: npt.NDArray[Any]) -> str:
        """Add a tensor, whose elements are appended to the file unless there are few."""
        if array.size <= 4:
            self.tensors.append(numpy_helper.from_array(array, name))
            return name
        with self.data.open("ab") as file:
            file.write(b"\0" * (-file.tell() % 64))
            place = file.tell()
            file.write(array.tobytes())
        tensor = onnx.TensorProto(name=name, dims=array.shape)
        tensor.data_type = helper.np_dtype_to_tensor_dtype(array.dtype)
        tensor.data_location = TensorProto.EXTERNAL
        where = {"location": self.data.name, "offset": place, "length": array.nbytes}
        for key, value in where.items():
            tensor.external_data.add(key=key, value=str(value))
        self.tensors.append(tensor)
        return name

    def add(self, kind: str, inputs: Sequence[str], output: str, *more: str, **given: Any) -> str:
        """Add a node, of ONNX or of onnxruntime; ``more`` are further outputs."""
        is_standard = onnx.defs.has(kind) or kind == "SimplifiedLayerNormalization"
        domain = "" if is_standard else MS
        self.nodes.append(helper.make_node(kind, inputs, [output, *more], domain=domain, **given))
        return output

    def codes(self, name: str, inner: int, columns: int) -> list[str]:
        """Add the codes and scales of a matrix."""
        blocks = inner // BLOCK
        packed = (columns, blocks, BLOCK * BITS // 8)
        scales = self.random.uniform(0.5, 1, (columns, blocks)) / (4 * inner**0.5)
        return [
            self.tensor(f"{name}.codes", self.random.integers(0, 256, packed, np.uint8)),
            self.tensor(f"{name}.scales", scales.astype(np.float32)),
        ]

    def floats(self, name: str, rows: int, columns: int) -> str:
        """Add a matrix, whose elements have the spread of weights of that many rows."""
        array = self.random.standard_normal((rows, columns), np.float32)
        return self.tensor(name, array * np.float32(0.3 / rows**0.5))

    def product(self, x: str, name: str, inner: int, columns: int, *codes: str) -> str:
        """Add a product with a matrix, of codes that are there or new ones."""
        if self.form == "f32":
            weights = codes or (self.floats(f"{name}.weights", inner, columns),)
            return self.add("MatMul", [x, *weights], name)
        if self.form == "int8":
            return self._of_quantised_rows(x, name, inner, columns)
        given = {"K": inner, "N": columns, "bits": BITS, "block_size": BLOCK}
        inputs = [x, *(codes or self.codes(name, inner, columns))]
        return self.add("MatMulNBits", inputs, name, **given, accuracy_level=self.accuracy)

    def _of_quantised_rows(self, x: str, name: str, inner: int, columns: int) -> str:
        """Add a product of codes; values that several products read are quantised once."""
        rows = [f"{x}.codes", f"{x}.scale", f"{x}.zero"]
        if x not in self.rows:
            self.rows.add(x)
            self.add("DynamicQuantizeLinear", [x], *rows)
        codes = self.random.integers(-127, 128, (inner, columns), np.int8)
        scale = np.array(0.3 / 64 / inner**0.5, np.float32)
        names = [
            self.tensor(f"{name}.{kind}", array)
            for kind, array in (("w", codes), ("s", scale), ("z", np.array(0, np.int8)))
        ]
        factor = self.add("Mul", [rows[1], names[1]], f"{name}.factor")
        sums = self.add("MatMulInteger", [rows[0], names[0], rows[2], names[2]], f"{name}.sums")
        return self.add("Mul", [self.add("Cast", [sums], f"{name}.cast", to=1), factor], name)


def write_decoder(path: Path, shape: Shape, accuracy: int = 0, form: str = "u4") -> None:
    """Write a decoder of one of the ``FORMS``, and its weights to a file next to it."""
    data = path.with_suffix(".onnx.data")
    data.unlink(missing_ok=True)
    graph = _Graph(data, accuracy, form)
    outputs = _nodes(graph, shape)
    cache = ["batch_size", shape.shared, "past_sequence_length", shape.size]
    inputs = [
        helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch_size", "sequence"]),
        helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch_size", "total"]),
    ]
    kept = [f"{n}.{kind}" for n in range(shape.layers) for kind in ("key", "value")]
    for name in kept:
        inputs.append(helper.make_tensor_value_info(f"past_key_values.{name}", 1, cache))
        outputs.append(helper.make_tensor_value_info(f"present.{name}", 1, None))
    made = helper.make_graph(graph.nodes, "decoder", inputs, outputs, graph.tensors)
    opsets = [helper.make_opsetid("", 22), helper.make_opsetid(MS, 1)]
    onnx.save(helper.make_model(made, opset_imports=opsets, ir_version=10), path)


def _words(graph: _Graph, shape: Shape) -> list[str]:
    """Add the rows of words, ``x``; returns the matrix of the head, if it is theirs."""
    words, width = shape.words, shape.width
    if graph.form == "f32":
        table = graph.floats("table", words, width)
        graph.add("Gather", [table, "input_ids"], "x")
        return [graph.add("Transpose", [table], "head", perm=[1, 0])]
    if graph.form == "int8":
        table = graph.tensor("table", graph.random.integers(0, 256, (words, width), np.uint8))
        found = graph.add("Gather", [table, "input_ids"], "x.words")
        scale = graph.tensor("x.table_scale", np.array(0.02, np.float32))
        zero = graph.tensor("x.table_zero", np.array(128, np.uint8))
        graph.add("DequantizeLinear", [found, scale, zero], "x")
        return []
    codes, scales = graph.codes("head", width, words)
    flat = graph.tensor("flat", np.array([words, width * BITS // 8], np.int64))
    table = graph.add("Reshape", [codes, flat], "table")
    given = {"bits": BITS, "block_size": BLOCK, "gather_axis": 0, "quantize_axis": 1}
    graph.add("GatherBlockQuantized", [table, "input_ids", scales], "x", **given)
    return [codes, scales]


def _nodes(graph: _Graph, shape: Shape) -> list[onnx.ValueInfoProto]:
    width, inner = shape.width, shape.inner
    one = graph.tensor("one", np.array([1], np.int64))
    place = graph.tensor("place", np.array(1, np.int64))
    rows = graph.add("ReduceSum", ["attention_mask", one], "rows", keepdims=0)
    last = graph.add("Cast", [graph.add("Sub", [rows, one], "last64")], "last", to=6)
    extent = graph.add("Gather", [graph.add("Shape", ["attention_mask"], "s"), place], "t", axis=0)
    total = graph.add("Cast", [extent], "total32", to=6)
    turned = (shape.turned or shape.size) // 2
    angles = np.arange(PLACES)[:, None] * 1e6 ** (-np.arange(turned) / turned)
    turns = [
        graph.tensor(name, function(angles).astype(np.float32))
        for name, function in (("cos", np.cos), ("sin", np.sin))
    ]
    head = _words(graph, shape)
    ones = graph.tensor("ones", np.ones(width, np.float32))
    y, x = graph.add("SimplifiedLayerNormalization", ["x", ones], "norm", **_NORM), "x"
    heads = {"num_heads": shape.heads, "kv_num_heads": shape.shared, "do_rotary": 1}

    def joined(x: str, y: str, name: str) -> tuple[str, str]:
        if shape.window:
            y = graph.add("SimplifiedLayerNormalization", [y, ones], f"{name}_norm", **_NORM)
        kind = "SkipSimplifiedLayerNormalization"
        graph.add(kind, [x, y, ones], name, "", "", f"{name}_sum", epsilon=1e-6)
        return f"{name}_sum", name

    for n in range(shape.layers):
        past = [f"past_key_values.{n}.{kind}" for kind in ("key", "value")]
        present = [f"present.{n}.{kind}" for kind in ("key", "value")]
        inputs = [*_queries(graph, shape, y, n), *past, last, total, *turns]
        window = shape.window if shape.window and (n + 1) % 6 else -1
        graph.add(
            "GroupQueryAttention", inputs, f"a{n}", *present, local_window_size=window, **heads
        )
        output = graph.product(f"a{n}", f"o{n}", shape.heads * shape.size, width)
        x, y = joined(x, output, f"post{n}")
        gate = graph.product(y, f"gate{n}", width, inner)
        if shape.window:
            gate = graph.add("FastGelu", [gate], f"gelu{n}")
        else:
            gate = graph.add("Mul", [gate, graph.add("Sigmoid", [gate], f"g{n}")], f"swish{n}")
        up = graph.add("Mul", [gate, graph.product(y, f"up{n}", width, inner)], f"m{n}")
        x, y = joined(x, graph.product(up, f"down{n}", inner, width), f"next{n}")
    graph.product(y, "logits", width, shape.words, *head)
    return [helper.make_tensor_value_info("logits", 1, None)]


def _queries(graph: _Graph, shape: Shape, y: str, n: int) -> list[str]:
    """Add queries, keys and values of a layer, in one product unless heads are normalised."""
    wide, narrow = shape.heads * shape.size, shape.shared * shape.size
    if not shape.window:
        return [graph.product(y, f"qkv{n}", shape.width, wide + 2 * narrow), "", ""]
    made = [
        graph.product(y, f"{name}{n}", shape.width, columns)
        for name, columns in (("q", wide), ("k", narrow), ("v", narrow))
    ]
    ones = graph.tensor(f"ones{n}", np.ones(shape.size, np.float32))
    for index, count in enumerate((shape.heads, shape.shared)):
        x = made[index]
        apart = graph.tensor(f"{x}.apart", np.array([0, 0, count, shape.size], np.int64))
        joined = graph.tensor(f"{x}.joined", np.array([0, 0, count * shape.size], np.int64))
        x = graph.add("Reshape", [x, apart], f"{x}.heads")
        x = graph.add("SimplifiedLayerNormalization", [x, ones], f"{x}.norm", **_NORM)
        made[index] = graph.add("Reshape", [x, joined], f"{x}.flat")
    return made
