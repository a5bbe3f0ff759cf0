"""Cases of quantised operators that ONNX lacks and a text defines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from onnx import ModelProto, helper
from onnx_case import Array, Const, OnnxCase, case, f32, integers

MS = "com.microsoft"


def ms(name: str, op_type: str, *inputs: Array | Const | None, **rest: object) -> OnnxCase:
    """Make a case of an operator of com.microsoft."""
    rest = {"opset": 17, "domain": MS, "oracle": "onnxruntime", **rest}
    return case(f"ms_{name}", op_type, *inputs, **rest)


def u8(*shape: int) -> Array:
    return integers(np.uint8, *shape, low=0, high=256)


def i8(*shape: int) -> Array:
    # Two products with other bytes fit in 16 bits, where onnxruntime sums them without VNNI.
    return integers(np.int8, *shape, low=-64, high=64)


def scale(number: float) -> Const:
    return Const(np.float32(number))


def zero(number: int, kind: type = np.uint8) -> Const:
    return Const(kind(number))


def _codes_of(numbers: Array, scale: Array, kind: np.dtype) -> Array:
    """Return numbers as codes whose zero point is 0."""
    limits = np.iinfo(kind)
    return np.clip(np.round(numbers / scale), limits.min, limits.max).astype(kind)


def _without_zeros(
    name: str, op_type: str, codes: Array, meaning: Callable[..., Array], **attributes: object
) -> OnnxCase:
    """Make a case without zero points, with which onnxruntime breaks off."""
    return ms(
        f"{name}_no_zeros",
        *(op_type, codes, scale(0.0517), None, scale(0.0437)),
        oracle=lambda x, s, _, t: _codes_of(meaning(x * s), t, x.dtype),
        **attributes,
    )


def _means(x: Array) -> Array:
    """Return the means of windows of three."""
    return (x[..., :-2] + x[..., 1:-1] + x[..., 2:]) / 3


def _pairs() -> Iterator[OnnxCase]:
    s = scale
    for kind in ("QLinearAdd", "QLinearMul"):
        name = kind.lower()
        a, b = (u8(2, 3, 4), s(0.0517), zero(120)), (u8(3, 1), s(0.0313), zero(7))
        yield ms(name, kind, *a, *b, s(0.0629), zero(100))
        a, b = (i8(2, 5), s(0.0517), zero(-3, np.int8)), (i8(2, 5), s(0.0313), zero(9, np.int8))
        yield ms(f"{name}_i8", kind, *a, *b, s(0.1003), zero(-20, np.int8))
        for codes in (u8, i8):
            yield ms(
                f"{name}_{codes.__name__}_no_zeros",
                *(kind, codes(7), s(0.05), None, codes(7), s(0.1), None, s(0.2)),
                oracle=lambda a, x, _, b, y, __, z, kind=kind: _codes_of(
                    a * x + b * y if kind == "QLinearAdd" else (a * x) * (b * y), z, a.dtype
                ),
            )


def _lstm(name: str, directions: int = 1, *, kind: type = np.int8, **rest: object) -> OnnxCase:
    inputs, hidden, batch = 3, 4, 1
    codes = i8 if kind is np.int8 else u8
    given = {"B": None, "h": None, "c": None, "columns": False, **rest}
    shape = (directions, 4 * hidden) if given.pop("columns") else (directions,)
    parameters = [
        Const((np.abs(f32(*shape)) + 1).astype(np.float32) / 200),
        Const(integers(kind, *shape, low=0, high=1 if len(shape) > 1 else 9)),
    ]
    states = [given.pop(key) for key in ("h", "c")]
    weights = [Const(codes(directions, columns, 4 * hidden)) for columns in (inputs, hidden)]
    return ms(
        f"dynamic_lstm_{name}",
        *("DynamicQuantizeLSTM", f32(5, batch, inputs) * 2, *weights, given.pop("B")),
        *(None, *states, None, *parameters, *parameters),
        hidden_size=hidden,
        outputs=3,
        **given,
    )


def _weights(n: int, blocks: int, block: int, bits: int) -> Const:
    return Const(u8(n, blocks, block * bits // 8))


def _of_opset(number: int, example: OnnxCase) -> OnnxCase:
    """Give the node of a case the attribute ``opset``."""

    def build(shapes: Sequence[Sequence[int]] | None) -> ModelProto:
        model = example.build(shapes)
        model.graph.node[0].attribute.append(helper.make_attribute("opset", number))
        return model

    return replace(example, build=build)


S, U = scale, Const(np.uint8(120))
NEAR_0 = (zero(3, np.int8),)
OF_SHARES = scale(1 / 256), zero(0)
QUANTISED_CASES = (
    *_pairs(),
    ms("qlinear_sigmoid", "QLinearSigmoid", u8(4, 9), S(0.05), U, S(1 / 256), zero(0)),
    _without_zeros("qlinear_sigmoid", "QLinearSigmoid", i8(9), lambda x: 1 / (1 + np.exp(-x))),
    ms(
        "qlinear_leaky_relu", "QLinearLeakyRelu", u8(4, 9), S(0.05), U, S(0.04), zero(50), alpha=0.2
    ),
    _without_zeros("qlinear_pool", "QLinearAveragePool", i8(1, 2, 7), _means, kernel_shape=[3]),
    _without_zeros(
        "qlinear_leaky_relu",
        *("QLinearLeakyRelu", i8(9), lambda x: np.where(x < 0, np.float32(0.01) * x, x)),
    ),
    *(
        _of_opset(
            number,
            ms(
                f"softmax_{number}",
                "QLinearSoftmax",
                u8(2, 3, 4),
                *(S(0.1), U, *OF_SHARES),
                axis=axis,
            ),
        )
        for number, axis in ((11, 1), (12, -1), (13, 1))
    ),
    ms(
        "qlinear_where",
        *("QLinearWhere", np.arange(8).reshape(2, 4) % 3 == 0),
        *(u8(2, 4), S(0.05), U, u8(4), S(0.03), zero(3), S(0.06), zero(90)),
        out=np.uint8,
    ),
    ms(
        "qlinear_reduce_mean",
        *("QLinearReduceMean", u8(2, 5, 6), S(0.05), U, S(0.03), zero(99)),
        axes=[1],
        keepdims=0,
        oracle=lambda x, s, z, t, y: np.clip(
            np.round((x.astype(np.float32) - z).mean(1) * s / t) + y, 0, 255
        ).astype(np.uint8),
    ),
    ms(
        "qlinear_reduce_mean_no_zeros",
        *("QLinearReduceMean", i8(2, 5, 6), S(0.05), None, S(0.03)),
        axes=[-1, 0],
        keepdims=1,
        oracle=lambda x, s, _, t: np.clip(
            np.round(x.astype(np.float32).mean((0, 2), keepdims=True) * s / t), -128, 127
        ).astype(np.int8),
    ),
    ms(
        "qlinear_mean", "QLinearGlobalAveragePool", u8(2, 3, 4, 5), S(0.05), U, S(0.0213), zero(100)
    ),
    ms(
        "qlinear_mean_last",
        *("QLinearGlobalAveragePool", u8(2, 4, 5, 3), S(0.05), U, S(0.0213), zero(100)),
        channels_last=1,
    ),
    ms(
        "qlinear_pool",
        *("QLinearAveragePool", u8(1, 3, 6, 6), S(0.05), U, S(0.0437), zero(100)),
        kernel_shape=[3, 2],
        pads=[1, 0, 1, 0],
        strides=[2, 2],
        count_include_pad=1,
    ),
    ms(
        "qlinear_pool_last",
        *("QLinearAveragePool", i8(1, 6, 6, 3), S(0.05), *NEAR_0, S(0.0437), *NEAR_0),
        kernel_shape=[2, 2],
        channels_last=1,
    ),
    ms(
        "qlinear_concat",
        *("QLinearConcat", S(0.06), U, u8(2, 3), S(0.05), zero(9), u8(2, 4), S(0.03), zero(99)),
        axis=1,
        out=np.uint8,
    ),
    ms(
        "qlinear_concat_i8",
        *("QLinearConcat", S(0.06), zero(-7, np.int8), i8(2, 3), S(0.06), zero(-7, np.int8)),
        *(i8(1, 3), S(0.1), zero(4, np.int8)),
        axis=-2,
        out=np.int8,
    ),
    ms(
        "qgemm",
        *("QGemm", u8(3, 8), S(0.05), U, Const(i8(8, 5)), S(0.02), zero(3, np.int8)),
        *(None, S(0.5), zero(100)),
    ),
    ms(
        "qgemm_columns",
        *("QGemm", u8(8, 3), S(0.05), U, Const(i8(5, 8)), Const(np.abs(f32(5)) / 50)),
        *(Const(np.zeros(5, np.int8)), Const(integers(np.int32, 5) * 100), S(0.5), zero(100)),
        alpha=0.5,
        transA=1,
        transB=1,
    ),
    ms(
        "qgemm_floats",
        *("QGemm", u8(3, 8), S(0.05), U, Const(i8(8, 5)), S(0.02), zero(0, np.int8)),
        out=np.float32,
    ),
    ms(
        "matmul_integer_to_float",
        *("MatMulIntegerToFloat", u8(2, 3, 8), Const(i8(8, 5)), S(0.05), S(0.02)),
        out=np.float32,
    ),
    ms(
        "matmul_integer_to_float_columns",
        *("MatMulIntegerToFloat", u8(3, 8), Const(u8(8, 5)), S(0.05), Const(np.abs(f32(5)) / 50)),
        *(U, Const(u8(5)), f32(5)),
        out=np.float32,
    ),
    ms("dynamic_matmul", "DynamicQuantizeMatMul", f32(2, 3, 8), Const(i8(8, 5)), S(0.02)),
    ms(
        "dynamic_matmul_columns",
        *("DynamicQuantizeMatMul", f32(3, 8), Const(u8(8, 5)), Const(np.abs(f32(5)) / 50)),
        *(Const(u8(5)), f32(5)),
    ),
    _lstm("forward"),
    _lstm("reverse", direction="reverse", B=f32(1, 32), kind=np.uint8),
    _lstm(
        "bidirectional",
        *(2,),
        direction="bidirectional",
        B=f32(2, 32),
        h=f32(2, 1, 4),
        c=f32(2, 1, 4),
    ),
    _lstm("columns", columns=True),
    *(
        ms(
            f"matmul_{bits}_bits{'_zeros' * has_zeros}",
            *("MatMulNBits", f32(3, 40), _weights(5, 3, 16, bits), Const(np.abs(f32(15)))),
            *([Const(u8(5 * -(-3 * bits // 8)))] if has_zeros else []),
            K=40,
            N=5,
            bits=bits,
            block_size=16,
        )
        for bits in (2, 4, 8)
        for has_zeros in (False, True)
    ),
    *(
        ms(
            f"matmul_{bits}_bits_of_{inner}",
            *("MatMulNBits", f32(2, inner), _weights(7, -(-inner // block), block, bits)),
            *(
                Const(np.abs(f32(7, -(-inner // block)))),
                zeros and Const(zeros(-(-inner // block))),
            ),
            K=inner,
            N=7,
            bits=bits,
            block_size=block,
            accuracy_level=level,
        )
        for bits, inner, block, level, zeros in (
            (4, 33, 16, 1, lambda blocks: u8(7, -(-blocks // 2))),
            (4, 130, 128, 0, lambda blocks: f32(7, blocks) + 8),
            (4, 300, 256, 2, None),
            (8, 70, 64, 3, lambda blocks: u8(7, blocks)),
        )
    ),
    ms(
        "matmul_4_bits_bias",
        *("MatMulNBits", f32(2, 3, 32), _weights(6, 1, 32, 4), Const(np.abs(f32(6, 1)))),
        *(None, None, f32(6)),
        K=32,
        N=6,
        block_size=32,
    ),
)
"""A case or more of each text."""

QUANTISED_REFUSED_CASES = (
    (
        _lstm("clip", clip=1.0),
        "sequence_lens, P, activations, clip and input_forget are not supported",
    ),
    (_lstm("backward", direction="back"), "direction is forward, reverse or bidirectional"),
    *(
        (
            ms(
                f"matmul_bits_refused_{number}",
                *("MatMulNBits", f32(3, 40), _weights(5, 3, 16, 4), Const(np.abs(f32(15)))),
                *inputs,
                **{"K": 40, "N": 5, "bits": 4, "block_size": 16, **attributes},
            ),
            why,
        )
        for number, (inputs, attributes, why) in enumerate(
            (
                ((None, Const(np.zeros(40, np.int32))), {}, "g_idx is not supported"),
                (
                    (),
                    {"weight_prepacked": 1},
                    "weights that are packed for one processor are not supported",
                ),
                ((), {"block_size": 0}, "K, N and block_size are at least 1"),
                ((), {"bits": 3}, "bits are 2, 4 or 8"),
            )
        )
    ),
)
"""Cases that are refused, with the reason."""
