"""A decoder with weights of few bits, node for node as onnxruntime-genai's builder writes it."""

from __future__ import annotations

from functools import partial

import numpy as np
from onnx import ModelProto, TensorProto, helper
from open_decoders import I64, LAYERS, SIZE, WIDTH, WORDS
from open_inner import Inner

HEADS, INNER, PLACES = 2, 48, 64
TOTAL, PAST = "total_sequence_length", "past_sequence_length"


class _Packed(Inner):
    """A graph whose weights are codes; each ``block`` of a column has a scale."""

    def __init__(self, bits: int, block: int, zeros: bool, level: int, half: bool) -> None:
        super().__init__()
        self.bits, self.block, self.zeros, self.level = bits, block, zeros, level
        self.float = np.float16 if half else np.float32

    def ms(self, op_type: str, *inputs: str, **attributes: object) -> str:
        return self.add(op_type, *inputs, domain="com.microsoft", **attributes)

    def codes(self, columns: int, inner: int, size: float) -> list[str]:
        """Return codes, scales and zero points."""
        blocks = -(-inner // self.block)
        scales = self.random.uniform(0.5, 1, (columns, blocks)) * size / 2**self.bits
        packed = (columns, blocks, self.block * self.bits // 8)
        found = [self.constant(self.random.integers(0, 256, packed), np.uint8)]
        found.append(self.constant(scales, self.float))
        if self.zeros:
            row = -(-blocks * self.bits // 8)
            found.append(self.constant(self.random.integers(96, 160, (columns, row)), np.uint8))
        return found

    def product(self, x: str, inner: int, columns: int, codes: list[str] | None = None) -> str:
        codes = codes or self.codes(columns, inner, 20 / inner**0.5)
        given = {"K": inner, "N": columns, "bits": self.bits, "block_size": self.block}
        return self.ms("MatMulNBits", x, *codes, **given, accuracy_level=self.level)

    def ones(self) -> str:
        return self.constant(np.ones(WIDTH), self.float)

    def joined(self, x: str, skip: str) -> tuple[str, str]:
        """Return what a sum of two is normalised to, and the sum."""
        y = self.ms("SkipSimplifiedLayerNormalization", x, skip, self.ones(), epsilon=1e-6)
        self.nodes[-1].output.extend(["", "", f"{y}_sum"])
        return y, f"{y}_sum"


def packed_decoder(
    bits: int = 4,
    block: int = 16,
    zeros: bool = False,
    level: int = 0,
    half: bool = False,
    words: int = WORDS,
    places: int = PLACES,
) -> ModelProto:
    """Head and words share their codes. ``level`` is the accuracy level of products."""
    net = _Packed(bits, block, zeros, level, half)
    float_ = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    ids = net.takes("input_ids", "batch_size", "sequence_length", element=I64)
    mask = net.takes("attention_mask", "batch_size", TOTAL, element=I64)
    count = net.add("ReduceSum", mask, net.integers(1), keepdims=0)
    lasts = net.add("Cast", net.add("Sub", count, net.integers(1)), to=TensorProto.INT32)
    total = net.add("Gather", net.add("Shape", mask), net.constant(1, np.int64), axis=0)
    total = net.add("Cast", total, to=TensorProto.INT32)
    angles = np.arange(places)[:, None] * 100.0 ** -(np.arange(SIZE // 2) / (SIZE // 2))
    turns = [net.constant(table, net.float) for table in (np.cos(angles), np.sin(angles))]
    codes = net.codes(words, WIDTH, 2.0)
    table = net.add("Reshape", codes[0], net.integers(words, -1))
    given = {"bits": bits, "block_size": block, "gather_axis": 0, "quantize_axis": 1}
    x = net.ms("GatherBlockQuantized", table, ids, *codes[1:], **given)
    y = net.add("SimplifiedLayerNormalization", x, net.ones(), axis=-1, epsilon=1e-6, stash_type=1)
    cache = partial(net.takes, element=float_)
    for layer in range(LAYERS):
        names = [f"{layer}.{kind}" for kind in ("key", "value")]
        past = [cache(f"past_key_values.{n}", "batch_size", 1, PAST, SIZE) for n in names]
        q = net.product(y, WIDTH, (HEADS + 2) * SIZE)
        a = net.ms("GroupQueryAttention", q, "", "", *past, lasts, total, *turns,
                   num_heads=HEADS, kv_num_heads=1, scale=SIZE**-0.5, do_rotary=1,
                   rotary_interleaved=0, softcap=0.0, local_window_size=-1)  # fmt: skip
        net.nodes[-1].output.extend(f"present.{name}" for name in names)
        for name in names:
            net.gives(f"present.{name}", "batch_size", 1, TOTAL, SIZE, element=float_)
        y, x = net.joined(x, net.product(a, HEADS * SIZE, WIDTH))
        gate, up = net.product(y, WIDTH, INNER), net.product(y, WIDTH, INNER)
        gate = net.add("Mul", gate, net.add("Sigmoid", gate))
        y, x = net.joined(x, net.product(net.add("Mul", gate, up), INNER, WIDTH))
    logits = net.product(y, WIDTH, words, codes)
    net.gives(logits, "batch_size", "sequence_length", words, element=float_)
    model = net.model("packed")
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return model
