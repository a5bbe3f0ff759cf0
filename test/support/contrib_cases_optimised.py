"""Cases of operators that the optimisers and quantisers of onnxruntime write."""

from __future__ import annotations

import numpy as np
from contrib_cases_attention import IDS, MARKS, RAW, SEGMENTS, ints
from contrib_cases_quantised import NEAR_0, S, U, i8, ms, u8, zero
from ml_dtypes import int4, uint4
from onnx_case import Array, Const, OnnxCase, f16, f32, integers


def queries(
    name: str,
    *rest: Array | Const | None,
    batch: int = 2,
    steps: int = 3,
    past: int | None = None,
    lasts: tuple[int, ...] = (2, 2),
    total: int = 3,
    packed: bool = False,
    width: int = 8,
    outputs: int = 1,
    **attributes: object,
) -> OnnxCase:
    """Make a case of GroupQueryAttention of four heads, two for each of two keys."""
    given = f32(batch, steps, 4 * width), f32(batch, steps, 2 * width), f32(batch, steps, 2 * width)
    caches = (
        (None, None) if past is None else (f32(batch, 2, past, width), f32(batch, 2, past, width))
    )
    return ms(
        f"queries_{name}",
        "GroupQueryAttention",
        *((f32(batch, steps, 8 * width), None, None) if packed else given),
        *(*caches, ints(*lasts), Const(np.array(total, np.int32)), *rest),
        outputs=outputs,
        **{"num_heads": 4, "kv_num_heads": 2, **attributes},
    )


def _conv(name: str, op_type: str, image: Array, weights: Array, **rest: object) -> OnnxCase:
    """Make a case of a quantised convolution with a scale for each channel."""
    channels = weights.shape[0]
    return ms(
        name,
        *(op_type, image, S(0.05), U, Const(weights), Const(np.abs(f32(channels)) / 50)),
        *(Const(np.zeros(channels, np.int8)), S(0.5), zero(100)),
        Const(integers(np.int32, channels) * 100),
        **rest,
    )


def _quantised(
    name: str, *rest: Array | Const | None, outputs: int = 1, **given: object
) -> OnnxCase:
    """Make a case of QAttention of two heads: three words, six features, heads of four."""
    out = [np.float32] * outputs
    inputs = u8(2, 3, 6), Const(i8(6, 24)), Const(f32(24)), S(0.02)
    return ms(f"qattention_{name}", "QAttention", *inputs, *rest, num_heads=2, out=out, **given)


def _table(*shape: int) -> Const:
    return Const(u8(*shape))


def _nhwc(x: Array, weights: Array, bias: Array) -> Array:
    """Return the sums of windows of 2 x 2 pixels whose channels are the last axis."""
    windows = np.lib.stride_tricks.sliding_window_view(x, (2, 2), (1, 2))
    return np.einsum("nhwcij,oijc->nhwo", windows, weights) + bias


def _heads(q: Array, k: Array, v: Array) -> Array:
    """Return attention of heads (batch, step, head, feature), heads joined."""
    scores = np.einsum("bshf,bthf->bhst", q, k) / np.sqrt(np.float32(q.shape[3]))
    shares = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    return np.einsum("bhst,bthf->bshf", shares, v).reshape(*q.shape[:2], -1)


def _group_norm(x: Array, scale: Array, shift: Array, epsilon: float = 1e-5) -> Array:
    """Return GroupNorm of two groups of channels, the last axis."""
    groups = x.astype(np.float32).reshape(x.shape[0], -1, 2, x.shape[-1] // 2)
    centred = groups - groups.mean((1, 3), keepdims=True)
    normal = centred / np.sqrt((centred**2).mean((1, 3), keepdims=True) + epsilon)
    return (normal.reshape(x.shape) * scale + shift).astype(x.dtype)


def _bent(x: Array) -> Array:
    return x / (1 + np.exp(-x))


def _first(y: Array) -> Array:
    """Return an image whose channels are the axis before its pixels."""
    return np.moveaxis(y, -1, 1)


ROTATION = f32(9, 8), f32(9, 8)

OPTIMISED_CASES = (
    ms(
        "quantize_16",
        "QuantizeLinear",
        f32(3, 5) * 1000,
        S(0.05),
        zero(30000, np.uint16),
        out=np.uint16,
    ),
    ms("quantize_i16", "QuantizeLinear", f32(9) * 9000, S(0.3), zero(-9, np.int16), out=np.int16),
    ms("quantize_plain", "QuantizeLinear", f32(3, 5), S(0.02), out=np.uint8),
    ms(
        "dequantize_16",
        *("DequantizeLinear", integers(np.uint16, 3, 5, low=0, high=65536), S(0.05)),
        zero(30000, np.uint16),
        out=np.float32,
    ),
    ms(
        "dequantize_axis",
        *("DequantizeLinear", i8(2, 3, 4), Const(np.abs(f32(3))), Const(i8(3))),
        axis=1,
        out=np.float32,
    ),
    ms(
        "dequantize_i32",
        "DequantizeLinear",
        integers(np.int32, 9),
        S(0.1),
        zero(0, np.int32),
        out=np.float32,
    ),
    _conv("qlinear_conv", "QLinearConv", u8(1, 3, 6, 7), i8(4, 3, 3, 3), pads=[1, 1, 1, 1]),
    _conv("qlinear_conv_last", "QLinearConv", u8(2, 6, 7, 3), i8(4, 3, 3, 2), channels_last=1),
    _conv("qlinear_conv_1d", "QLinearConv", u8(2, 9, 3), i8(4, 3, 3), channels_last=1, strides=[2]),
    _conv(
        "qlinear_conv_3d",
        *("QLinearConv", u8(1, 4, 4, 4, 2), i8(4, 1, 2, 2, 2)),
        channels_last=1,
        group=2,
    ),
    _quantised("plain", S(0.01)),
    _quantised("zeros", S(0.01), RAW, U, *NEAR_0, unidirectional=1),
    _quantised("columns", Const(np.abs(f32(24)) / 50), None, U, Const(i8(24)), scale=0.4),
    _quantised("past", S(0.01), None, U, *NEAR_0, f32(2, 2, 2, 5, 4), outputs=2),
    ms(
        "qembed",
        *("QEmbedLayerNormalization", IDS, SEGMENTS, _table(9, 8), _table(7, 8), _table(2, 8)),
        *(_table(8), _table(8), MARKS, *[S(0.02)] * 5, *[U] * 5),
        out=[np.float32, np.int32],
    ),
    ms(
        "qembed_without_segments",
        *("QEmbedLayerNormalization", IDS, None, _table(9, 8), _table(7, 8), None),
        *(_table(8), _table(8), None, S(0.02), S(0.03), None, S(0.01), S(0.02), U, U, None, U, U),
        out=[np.float32, np.int32],
        epsilon=0.1,
    ),
    ms("nhwc_conv", "NhwcConv", f32(2, 5, 4, 3), f32(6, 2, 2, 3), f32(6), oracle=_nhwc),
    ms(
        "group_norm",
        *("GroupNorm", f32(2, 4, 3, 6), f32(6), f32(6)),
        groups=2,
        activation=1,
        oracle=lambda *x: _bent(_group_norm(*x)),
    ),
    ms(
        "group_norm_first",
        *("GroupNorm", f32(2, 6, 5), f32(6), f32(6)),
        groups=2,
        activation=0,
        channels_last=0,
        epsilon=0.5,
        oracle=lambda x, *rest: _first(_group_norm(np.moveaxis(x, 1, -1), *rest, epsilon=0.5)),
    ),
    ms(
        "group_norm_f16",
        *("GroupNorm", f16(1, 2, 3, 4), f32(4), f32(4)),
        groups=2,
        activation=0,
        oracle=_group_norm,
    ),
    ms(
        "skip_group_norm",
        *("SkipGroupNorm", f32(2, 4, 3, 6), f32(6), f32(6), f32(2, 6), f32(6)),
        groups=2,
        activation=0,
        outputs=2,
        oracle=lambda x, g, b, s, c: (
            _group_norm(x + s[:, None, None] + c, g, b),
            x + s[:, None, None] + c,
        ),
    ),
    ms(
        "skip_group_norm_image",
        *("SkipGroupNorm", f32(2, 4, 3, 6), f32(6), f32(6), f32(2, 1, 1, 6)),
        groups=2,
        activation=1,
        oracle=lambda x, g, b, s: _bent(_group_norm(x + s, g, b)),
    ),
    ms(
        "heads_packed",
        *("MultiHeadAttention", f32(2, 3, 2, 3, 4)),
        num_heads=2,
        oracle=lambda x: _heads(*(x[:, :, :, i] for i in range(3))),
    ),
    ms(
        "heads_packed_keys",
        *("MultiHeadAttention", f32(2, 3, 8), f32(2, 5, 2, 2, 4)),
        num_heads=2,
        oracle=lambda q, k: _heads(q.reshape(2, 3, 2, 4), k[:, :, :, 0], k[:, :, :, 1]),
    ),
    ms(
        "fused_matmul_batches",
        *("FusedMatMul", f32(3, 2, 5, 4), f32(6, 2, 5, 4)),
        alpha=0.5,
        transB=1,
        transBatchA=1,
        transBatchB=1,
    ),
    *(
        ms(
            f"gather_block_{name}",
            *("GatherBlockQuantized", Const(data), np.array([[4, 0, 2]]), Const(np.abs(f32(5, 2)))),
            *(() if zeros is None else (Const(zeros),)),
            out=np.float32,
            block_size=16,
            **given,
        )
        for name, data, zeros, given in (
            ("i4", i8(5, 32).astype(int4), None, {}),
            ("u4", u8(5, 32).astype(uint4), u8(5, 2).astype(uint4), {"quantize_axis": -1}),
            ("bytes", u8(5, 16), u8(5, 1), {}),
            ("bytes_8", u8(5, 32), None, {"bits": 8}),
        )
    ),
    *(
        ms(
            f"matmul_table_{kind}",
            *("MatMulBnb4", f32(3, 24), Const(u8(60)), Const(np.abs(f32(8)))),
            K=24,
            N=5,
            block_size=16,
            quant_type=kind,
        )
        for kind in (0, 1)
    ),
    ms("cdist", "CDist", f32(3, 5), f32(4, 5)),
    ms("cdist_euclidean", "CDist", f32(3, 5), f32(4, 5), metric="euclidean"),
    queries("prompt", scale=0.3),
    queries("packed", packed=True, outputs=3),
    queries("window", *[None] * 4, steps=7, lasts=(6, 6), total=7, local_window_size=3),
    queries("soft", softcap=0.5),
    queries("step", steps=1, past=5, lasts=(5, 2), total=6, outputs=3),
    queries("chunk", batch=1, steps=3, past=5, lasts=(7,), total=8, outputs=3, local_window_size=4),
    queries("buffer", steps=1, past=8, lasts=(3, 6), total=7, outputs=3),
    queries("rotary", *ROTATION, do_rotary=1, width=16),
    queries(
        "rotary_step",
        *ROTATION,
        steps=1,
        past=4,
        lasts=(4, 2),
        total=5,
        do_rotary=1,
        outputs=3,
        width=16,
    ),
    queries("rotary_part", *ROTATION, do_rotary=1, rotary_interleaved=1, width=32, packed=True),
    queries("bias", *[None] * 3, f32(1, 4, 3, 3)),
    queries("smooth", smooth_softmax=1, softcap=2.0),
    queries("sinks", *[None] * 3, f32(1, 4, 3, 3), f32(4), local_window_size=2),
    queries("sinks_step", *[None] * 4, f32(4), steps=1, past=5, lasts=(5, 2), total=6, outputs=3),
    queries("places", *ROTATION, np.array([[2, 3, 4]] * 2), do_rotary=1, width=16),
)
"""A case or more of each text."""


def _of_table(why: str, **given: object) -> tuple[OnnxCase, str]:
    name = f"matmul_table_{'_'.join(given)}"
    inputs = f32(3, 24), Const(u8(60)), Const(np.abs(f32(8)))
    given = {"K": 24, "N": 5, "block_size": 16, "quant_type": 0, **given}
    return ms(name, "MatMulBnb4", *inputs, **given), why


OPTIMISED_REFUSED_CASES = (
    _of_table("K, N and block_size are at least 1", K=0),
    _of_table("transB = 0 is not supported", transB=0),
    _of_table("quant_type is 0 or 1", quant_type=2),
    (
        ms(
            "gather_block_columns",
            *("GatherBlockQuantized", Const(u8(5, 16)), np.array([4, 0, 2]), Const(f32(5, 2))),
            gather_axis=1,
            out=np.float32,
        ),
        "rows of matrices with blocks along rows are supported",
    ),
    (
        ms(
            "skip_group_norm_first",
            *("SkipGroupNorm", f32(2, 6, 5), f32(6), f32(6), f32(2, 6, 1)),
            groups=2,
            activation=0,
            channels_last=0,
        ),
        "channels are supported as the last axis",
    ),
    (
        _quantised("rotary", S(0.01), do_rotary=1),
        "do_rotary and a buffer that past and present share are not supported",
    ),
    (
        _conv("qlinear_conv_rows", "QLinearConv", u8(6, 3), i8(4, 3), channels_last=1),
        "images of 3 to 5 axes are supported",
    ),
    (
        ms("cdist_odd", "CDist", f32(3, 5), f32(4, 5), metric="odd"),
        "metric is sqeuclidean or euclidean",
    ),
    (queries("no_heads", num_heads=0), "num_heads and kv_num_heads are at least 1"),
    (
        queries("both_ways", causal=0),
        "sliding_window_cache and causal = 0 are not supported",
    ),
    (
        queries("norms", *[None] * 8, f32(4), f32(4)),
        "quantised caches, norms of heads, query_seqlens and output_qk are not supported",
    ),
)
"""Cases that are refused, with the reason."""
