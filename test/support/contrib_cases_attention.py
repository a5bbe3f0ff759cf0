"""Cases of attention and embeddings by operators of com.microsoft."""

from __future__ import annotations

import numpy as np
from contrib_cases_quantised import ms
from onnx_case import Array, Const, OnnxCase, f32, i64s, integers


def ints(*values: object) -> Array:
    return np.array(values, np.int32)


def attention(
    name: str, *rest: Array | Const | None, batch: int = 2, **attributes: object
) -> OnnxCase:
    """Make a case of Attention of two heads: three words, six features, heads of four."""
    inputs = f32(batch, 3, 6), Const(f32(6, 24)), *rest
    return ms(f"attention_{name}", "Attention", *inputs, **{"num_heads": 2, **attributes})


def heads(name: str, *rest: Array | Const | None, keys: int = 4, **attributes: object) -> OnnxCase:
    """Make a case of MultiHeadAttention of two heads: three queries."""
    inputs = f32(2, 3, 8), f32(2, keys, 8), f32(2, keys, 8), *rest
    return ms(f"heads_{name}", "MultiHeadAttention", *inputs, **{"num_heads": 2, **attributes})


RAW = ints([1, 1, 0], [0, 1, 1])
TABLES = f32(9, 8), f32(7, 8), f32(2, 8), f32(8), f32(8)
IDS, SEGMENTS = integers(np.int32, 2, 5, low=0, high=9), integers(np.int32, 2, 5, low=0, high=2)
MARKS = ints([1, 1, 1, 0, 0], [1, 1, 1, 1, 1])

PLACES = np.array([[0, 1, 2], [3, 1, 0]])
CACHES = f32(6, 2), f32(6, 2)

ATTENTION_CASES = (
    attention("plain", f32(24)),
    attention("no_bias", scale=0.3),
    attention("raw_mask", f32(24), RAW),
    attention("ends", f32(24), ints(2, 3)),
    attention("ends_and_starts", f32(24), ints(3, 2, 1, 0)),
    attention("mask_3d", f32(24), np.tril(np.ones((2, 3, 3), np.int32)), mask_filter_value=-50.0),
    attention("causal", f32(24), RAW, unidirectional=1),
    attention("bias", f32(24), None, None, f32(2, 2, 3, 3)),
    attention("past", f32(24), None, f32(2, 2, 2, 5, 4), outputs=2, unidirectional=1),
    ms(
        "attention_sizes",
        *("Attention", f32(1, 3, 6), Const(f32(6, 22)), f32(22)),
        num_heads=2,
        qkv_hidden_sizes=[8, 8, 6],
    ),
    heads("plain"),
    heads("bias", f32(24), scale=0.2),
    heads("mask", None, ints([1, 1, 0, 0], [1, 1, 1, 0])),
    heads("lengths", None, ints(2, 4), mask_filter_value=-20.0),
    heads("attention_bias", None, None, f32(1, 2, 3, 4)),
    heads("causal", keys=3, unidirectional=1),
    heads("past", None, None, None, f32(2, 2, 5, 4), f32(2, 2, 5, 4), outputs=3),
    ms(
        "heads_by_heads",
        *("MultiHeadAttention", f32(2, 3, 8), f32(2, 2, 4, 4), f32(2, 2, 4, 4)),
        num_heads=2,
    ),
    ms(
        "embed",
        *("EmbedLayerNormalization", IDS, SEGMENTS, *TABLES, MARKS),
        out=[np.float32, np.int32],
    ),
    ms(
        "embed_places",
        *("EmbedLayerNormalization", IDS, None, *TABLES[:2], None, *TABLES[3:], None),
        integers(np.int32, 2, 5, low=0, high=7),
        out=[np.float32, np.int32, np.float32],
        epsilon=0.1,
    ),
    ms("rotary", "RotaryEmbedding", f32(2, 2, 3, 4), PLACES, *CACHES),
    ms("rotary_heads", "RotaryEmbedding", f32(2, 3, 8), PLACES, *CACHES, num_heads=2),
    ms("rotary_from", "RotaryEmbedding", f32(2, 2, 3, 4), np.array([2]), *CACHES, interleaved=1),
    ms("rotary_heads_from", "RotaryEmbedding", f32(2, 3, 8), np.array([1]), *CACHES, num_heads=2),
    ms(
        "rotary_part",
        *("RotaryEmbedding", f32(2, 3, 12), PLACES, *CACHES),
        num_heads=2,
        rotary_embedding_dim=4,
    ),
    ms(
        "nhwc_max_pool",
        *("NhwcMaxPool", integers(np.uint8, 1, 5, 6, 3, low=0, high=256)),
        kernel_shape=[3, 2],
        pads=[1, 0, 1, 0],
        strides=[2, 2],
    ),
    ms("nhwc_max_pool_1d", "NhwcMaxPool", integers(np.uint8, 2, 4, 2), kernel_shape=[2]),
    ms("nhwc_max_pool_i8", "NhwcMaxPool", integers(np.int8, 2, 4, 4, 2), kernel_shape=[2, 2]),
    ms("trilu", "Trilu", f32(2, 4, 5)),
    ms("trilu_below", "Trilu", f32(4, 5), Const(np.array(1)), upper=0),
    ms("pad", "Pad", f32(3, 4), i64s(0, 1, 2, 0), Const(np.float32(2))),
    ms("pad_reflect", "Pad", f32(3, 4), i64s(0, 1, 2, 0), mode="reflect"),
)
"""A case or more of each text."""

ATTENTION_REFUSED_CASES = (
    (
        ms("rotary_scale", "RotaryEmbedding", f32(2, 2, 3, 4), PLACES, *CACHES, scale=2.0),
        "is_packed_batching and scale are not supported",
    ),
    (
        ms("rotary_no_heads", "RotaryEmbedding", f32(2, 3, 8), PLACES, *CACHES),
        "three axes are supported with num_heads",
    ),
    (
        attention("rotary", f32(24), do_rotary=1),
        "do_rotary and a buffer that past and present share are not supported",
    ),
    (
        attention("mask_4d", f32(24), np.ones((2, 1, 3, 3), np.int32)),
        "a mask of this number of axes is not supported",
    ),
    (
        attention("packed_mask", f32(24), ints(3, 0, 3, 0, 3), batch=1),
        "tensor<5xi32> does not reshape to [2, 1]",
    ),
    (attention("no_heads", f32(24), num_heads=0), "num_heads is at least 1"),
    (heads("no_heads", num_heads=0), "num_heads is at least 1"),
    (
        heads("shared", *[None] * 3, f32(2, 2, 5, 4), f32(2, 2, 5, 4), ints(2), num_heads=2),
        "a buffer that past and present share is not supported",
    ),
    (
        ms(
            "heads_by_heads_bias",
            *("MultiHeadAttention", f32(2, 3, 8), f32(2, 2, 4, 4), f32(2, 2, 4, 4), f32(24)),
            num_heads=2,
        ),
        "packed keys and values, and those by heads, are supported without bias and past",
    ),
)
"""Cases that are refused, with the reason."""
