"""Cases at the edges of the types: each width, nothing at all, what overflows or is infinite."""

import math

import ml_dtypes
import numpy as np
from onnx_case import SPECIAL, Const, case, f16, f32, f64, i64s, integers

_LOWEST = np.array([-128, -128, -128, 127, -7, 7], np.int8)

_SIGNLESS = np.delete(SPECIAL, [2, 4])
"""Without -inf, whose powers to a fraction are nan here, and -0, which counts as 0."""


def _const(value, dtype=np.float32):
    return Const(np.array(value, dtype))


def bf16(*shape):
    return f32(*shape).astype(ml_dtypes.bfloat16)


def _softmax_in_steps(x):
    """Round each step of the function that ONNX defines Softmax by, as the reference does not."""

    def rounded(array):
        return array.astype(x.dtype).astype(np.float32)

    wide = x.astype(np.float32)
    power = rounded(np.exp(rounded(wide - wide.max(1, keepdims=True))))
    return (power / rounded(power.sum(1, keepdims=True))).astype(x.dtype)


def _gelu(x):
    return x / 2 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


_NOTHING = (
    *(
        case(f"reduce_{kind}_{name}_nothing", f"Reduce{kind.title()}", np.zeros((2, 0, 3), dtype),
             i64s(1), oracle=lambda x, _, value=value: np.full((2, 1, 3), value))
        for kind, name, dtype, value in (
            ("max", "f32", np.float32, -np.inf), ("min", "f32", np.float32, np.inf),
            ("max", "i32", np.int32, -2**31), ("min", "u8", np.uint8, 255),
        )
    ),
    case("reduce_mean_nothing", "ReduceMean", f32(2, 0), i64s(1),
         oracle=lambda x, _: np.full((2, 1), np.nan)),
    case("conv_no_image", "Conv", f32(0, 3, 5, 5), Const(f32(2, 3, 3, 3)),
         oracle=lambda x, w: np.zeros((0, 2, 3, 3))),
    case("max_pool_no_image", "MaxPool", f32(0, 3, 5, 5), kernel_shape=[2, 2],
         oracle=lambda x: np.zeros((0, 3, 4, 4))),
    case("matmul_no_rows", "MatMul", f32(0, 4), Const(f32(4, 3))),
    case("matmul_no_rows_computed", "MatMul", f32(0, 4), f32(4, 3)),
    case("matmul_no_columns", "MatMul", f32(2, 4), f32(4, 0)),
    case("gemm_no_inner", "Gemm", f32(2, 0), f32(0, 3), Const(f32(3)),
         oracle=lambda a, b, c: a @ b + c),
    case("softmax_no_rows", "Softmax", f32(0, 4)),
    case("transpose_no_rows", "Transpose", f32(0, 4, 2), perm=[2, 0, 1]),
    case("layer_norm_no_rows", "LayerNormalization", f32(0, 8), Const(f32(8)), Const(f32(8)),
         oracle=lambda x, *_: x),
)  # fmt: skip

_WIDTHS = (
    *(
        case(f"matmul_{name}", "MatMul", make(2, 5), make(5, 3))
        for name, make in (("f64", f64), ("f16", f16),
                           ("i64", lambda *s: integers(np.int64, *s)),
                           ("u32", lambda *s: integers(np.uint32, *s, low=0)))
    ),
    case("matmul_bf16", "MatMul", bf16(2, 4), bf16(4, 3),
         oracle=lambda a, b: (a.astype(np.float32) @ b.astype(np.float32)).astype(a.dtype)),
    case("conv_f16", "Conv", f16(1, 3, 6, 6), Const(f16(4, 3, 3, 3)), Const(f16(4))),
    case("max_pool_f16", "MaxPool", f16(1, 2, 5, 5), kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    case("max_pool_f64", "MaxPool", f64(1, 2, 5, 5), kernel_shape=[2, 2]),
    case("average_pool_f16", "AveragePool", f16(1, 2, 5, 5), kernel_shape=[3, 3]),
    case("softmax_f16", "Softmax", f16(3, 7)),
    case("softmax_bf16", "Softmax", bf16(3, 7), oracle=_softmax_in_steps),
    case("erf_f64", "Erf", np.concatenate([SPECIAL.astype(np.float64), 3 * f64(40)])),
    case("erf_f16", "Erf", f16(20)),
    case("gelu_f64", "Gelu", 2 * f64(20), oracle=_gelu),
    case("exp_f64", "Exp", SPECIAL.astype(np.float64)),
    case("log_f64", "Log", SPECIAL.astype(np.float64)),
    case("relu_f16_special", "Relu", SPECIAL.astype(np.float16)),
    case("max_f16_special", "Max", SPECIAL.astype(np.float16), np.roll(SPECIAL, 3).astype(
        np.float16), oracle=np.maximum),
    case("reduce_sum_f16", "ReduceSum", f16(4, 40), i64s(1)),
    case("reduce_max_u64", "ReduceMax", np.array([[2**64 - 1, 3], [0, 2**63]], np.uint64), i64s(1)),
    case("reduce_min_u64", "ReduceMin", np.array([[2**64 - 1, 2**63]], np.uint64), i64s(1)),
    case("pad_i64_wide", "Pad", np.array([2**62 + 1, -5]), i64s(1, 1), _const(-3, np.int64)),
    case("pad_u8", "Pad", integers(np.uint8, 2, 3, low=0, high=256), i64s(0, 1, 1, 0),
         _const(255, np.uint8)),
    case("where_f16", "Where", np.array([True, False] * 7), SPECIAL.astype(np.float16),
         np.roll(SPECIAL, 2).astype(np.float16), out=np.float16),
)  # fmt: skip

_OVERFLOW = (
    case(
        "div_i8_lowest",
        "Div",
        _LOWEST,
        np.array([2, 3, -128, -128, 2, -2], np.int8),
        oracle=lambda a, b: np.trunc(a / b.astype(np.float64)),
    ),
    case(
        "div_i32_lowest",
        "Div",
        np.array([-(2**31), -(2**31), 7], np.int32),
        np.array([2, -(2**31), -(2**31)], np.int32),
        oracle=lambda a, b: np.trunc(a / b.astype(np.float64)),
    ),
    case("abs_i8_lowest", "Abs", _LOWEST),
    case("neg_i8_lowest", "Neg", _LOWEST),
    case(
        "add_u8_carries",
        "Add",
        np.array([200, 255], np.uint8),
        np.array([100, 1], np.uint8),
    ),
    case("mul_i16_wraps", "Mul", np.array([300, -300], np.int16), np.array([300, 300], np.int16)),
    case("mul_i64_over_32_bits", "Mul", np.array([2**31 + 1]), np.array([2**31 - 1])),
)

_POWERS = (
    *(
        case(f"pow_special_{name}", "Pow", bases, _const(exponent))
        for name, exponent, bases in (
            ("0", 0.0, SPECIAL), ("1", 1.0, SPECIAL), ("2", 2.0, SPECIAL), ("3", 3.0, SPECIAL),
            ("4", 4.0, SPECIAL), ("5", 5.0, SPECIAL), ("minus_1", -1.0, SPECIAL),
            ("minus_2", -2.0, SPECIAL), ("minus_3", -3.0, _SIGNLESS), ("half", 0.5, _SIGNLESS),
            ("minus_half", -0.5, _SIGNLESS), ("two_and_a_half", 2.5, _SIGNLESS),
        )
    ),
    case("pow_special_bases_and_exponents", "Pow",
         np.array([0, 0, 0, -2, -2, -2, np.inf, np.inf, -np.inf, np.nan, np.nan, 1, 3], np.float32),
         np.array([2, -2, 0, 3, 2, 0.5, 2, -1, 3, 0, 2, np.nan, -2], np.float32)),
    case("pow_large", "Pow", np.array([1.5, 10, 1e-3, 2], np.float32),
         np.array([100, 30, 10, -126], np.float32)),
    case("pow_i64_exact", "Pow", np.array([3, -3, 10, 1, -1, 0]),
         np.array([39, 39, 18, 99, 99, 5])),
    case("pow_i32_negative", "Pow", np.array([2, 1, -1, -1, -5], np.int32),
         np.array([-1, -4, -3, -2, -3], np.int32), oracle=lambda a, b: [0, 1, -1, 1, 0]),
    case("pow_u8_wraps", "Pow", np.array([3, 2, 15], np.uint8), np.array([6, 7, 2], np.uint8)),
)  # fmt: skip

EDGE_CASES = (*_NOTHING, *_WIDTHS, *_OVERFLOW, *_POWERS)
