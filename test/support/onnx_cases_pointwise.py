"""Cases of pointwise operators."""

import ml_dtypes
import numpy as np
from onnx import TensorProto
from onnx_case import SPECIAL, Const, booleans, case, f16, f32, f64, integers, positive

SCALAR = np.array(0.25, np.float32)
NAN, INF = np.float32(np.nan), np.float32(np.inf)


def _const(value, dtype=np.float32):
    return Const(np.array(value, dtype))


_ARITHMETIC = (
    case("add_broadcast_both_ways", "Add", f32(3, 1, 5), f32(4, 1)),
    case("add_scalar", "Add", f32(2, 3), SCALAR),
    case("add_rank_0", "Add", SCALAR, SCALAR),
    case("add_empty", "Add", f32(2, 0, 3), f32(1, 3)),
    case("add_empty_by_broadcast", "Add", f32(0, 3), f32(1, 3)),
    case("add_special", "Add", SPECIAL, SPECIAL[::-1].copy()),
    case("add_f64", "Add", f64(3), f64(2, 3)),
    case("add_u8_wraps", "Add", integers(np.uint8, 9, low=200, high=256), _const(77, np.uint8)),
    case(
        "add_v6_axis", "Add", f32(2, 3, 4, 5), f32(3, 4), opset=6, broadcast=1, axis=1,
        oracle=lambda a, b: a + b[:, :, None],
    ),
    case(
        "add_v6_axis_0", "Add", f32(2, 3), f32(2), opset=6, broadcast=1, axis=0,
        oracle=lambda a, b: a + b[:, None],
    ),
    case("add_v1_suffix", "Add", f32(2, 3, 4), f32(3, 4), opset=1, broadcast=1, oracle=np.add),
    case(
        "add_v6_one_element", "Add", f32(2, 3), f32(1, 1), opset=6, broadcast=1, oracle=np.add
    ),
    case("mul_v6_same_shape", "Mul", f32(2, 3), f32(2, 3), opset=6, oracle=np.multiply),
    case("sub_i32", "Sub", integers(np.int32, 4, 1), integers(np.int32, 1, 5)),
    case("sub_v6_axis_negative", "Sub", f32(2, 3, 4), f32(4), opset=6, broadcast=1, axis=-1,
         oracle=np.subtract),
    case("mul_i64_wide", "Mul", np.array([2**40, -(2**40)]), np.array([2**20 + 1])),
    case("div_special", "Div", SPECIAL, np.repeat(SPECIAL[3:5], 7)),
    *(case(f"div_zero_{name}", "Div", SPECIAL.astype(dtype), _const(number, dtype),
           oracle=lambda x, y: (x.astype(np.float32) / y.astype(np.float32)).astype(x.dtype))
      for name, number, dtype in (("f32", 0, np.float32), ("f16", -0.0, np.float16))),
    case("div_zero_i32", "Div", integers(np.int32, 9), _const(0, np.int32),
         oracle=lambda x, y: np.where(y == 0, 0, x / np.where(y == 0, 1, y)).astype(x.dtype)),
    case(
        "div_i32_toward_zero", "Div", np.array([7, -7, 7, -7, 0], np.int32),
        np.array([2, 2, -2, -2, 3], np.int32), oracle="onnxruntime", opset=14,
    ),
    case("div_u8", "Div", integers(np.uint8, 9, low=0, high=256), _const(7, np.uint8)),
    case("pow_f32", "Pow", positive(3, 4), f32(4)),
    case("pow_special", "Pow", SPECIAL, _const(3.0)),
    case("pow_negative_base_square", "Pow", f32(5), _const(2.0), opset=7),
    case("pow_i64_exponent", "Pow", f32(5), _const([2], np.int64), opset=12),
    case("pow_i32", "Pow", integers(np.int32, 6), integers(np.int32, 6, low=0, high=5)),
    case("pow_i64_base_f32_exponent", "Pow", integers(np.int64, 6, low=1, high=9), _const(2.0)),
    case("pow_i32_base_i64_exponent", "Pow", integers(np.int32, 6), _const(3, np.int64)),
    case("mod_i32", "Mod", np.array([7, -7, 7, -7, 6, 0], np.int32),
         np.array([3, 3, -3, -3, -3, 5], np.int32)),
    case("mod_i64_fmod", "Mod", np.array([7, -7, 7, -7]), np.array([3, 3, -3, -3]), fmod=1),
    case("mod_u8", "Mod", integers(np.uint8, 3, 4, low=0, high=256), _const(7, np.uint8)),
)  # fmt: skip

_VARIADIC = (
    case("max_one", "Max", f32(2, 3)),
    case("max_three_broadcast", "Max", f32(2, 1), f32(3), SCALAR),
    case("max_nan", "Max", SPECIAL, np.full_like(SPECIAL, 0.75)),
    case("max_v6", "Max", f32(2, 3), f32(2, 3), f32(2, 3), opset=6),
    case("max_i8", "Max", integers(np.int8, 3, 1), integers(np.int8, 4)),
    case("min_two", "Min", f32(2, 3), f32(3), opset=8),
    case("min_nan", "Min", np.full_like(SPECIAL, 0.75), SPECIAL),
    case("min_u64", "Min", integers(np.uint64, 5, low=0, high=99), _const(50, np.uint64)),
    case("sum_one", "Sum", f32(3)),
    case("sum_four", "Sum", f32(2, 1), f32(3), f32(2, 3), SCALAR),
    case("sum_v1", "Sum", f32(2, 3), f32(2, 3), opset=1),
    case("mean_one", "Mean", f32(3)),
    case("mean_three", "Mean", f32(2, 1), f32(3), f32(1, 1), oracle=lambda *xs: sum(xs) / 3),
)

_FUNCTIONS = (
    *(
        case(f"{name.lower()}_special", name, SPECIAL)
        for name in (
            *("Relu", "Exp", "Log", "Sqrt", "Reciprocal", "Abs", "Neg", "Sign", "Floor", "Ceil"),
            *("Round", "Sin", "Cos", "Tan", "Tanh", "Sigmoid", "Erf", "Softplus", "Softsign"),
            *("Mish", "HardSwish", "Elu", "Selu", "LeakyRelu", "HardSigmoid"),
        )
    ),
    case("round_halves_to_even", "Round", np.arange(-3.5, 4.0, 0.5).astype(np.float32)),
    case("exp_v1", "Exp", f32(3), opset=1),
    case("relu_i32", "Relu", integers(np.int32, 7), opset=14),
    case("relu_v6", "Relu", f32(1, 2, 1), opset=6),
    case("relu_rank_0", "Relu", SCALAR),
    case("sqrt_f64", "Sqrt", f64(5)),
    case("tanh_f16", "Tanh", f16(5)),
    case("abs_i8", "Abs", integers(np.int8, 3, 3)),
    case("abs_u8", "Abs", integers(np.uint8, 5, low=0, high=256)),
    case("neg_i64", "Neg", integers(np.int64, 5)),
    case("sign_i32", "Sign", np.array([-5, 0, 9], np.int32)),
    case("sigmoid_f64", "Sigmoid", f64(2, 5)),
    case("leaky_relu_alpha", "LeakyRelu", SPECIAL, alpha=-0.5),
    case("prelu_scalar", "PRelu", SPECIAL, np.array([0.25], np.float32)),
    case("prelu_per_channel", "PRelu", f32(2, 3, 4, 5), Const(f32(3, 1, 1))),
    case("prelu_full", "PRelu", f32(2, 3), f32(2, 3)),
    case("prelu_i32", "PRelu", integers(np.int32, 4), _const([3], np.int32), opset=9),
    case(
        "prelu_v6_per_channel", "PRelu", f32(2, 3, 4), Const(f32(3)), opset=6,
        oracle=lambda x, s: np.where(x < 0, x * s[:, None], x),
    ),
    case("prelu_v1_shared", "PRelu", f32(2, 3, 4), Const(f32(1)), opset=1),
    case("elu_alpha", "Elu", f32(6), alpha=0.3),
    case("selu_v6_attributes", "Selu", f32(6), opset=6, alpha=2.0, gamma=3.0),
    case("selu_v1_defaults", "Selu", f32(6), opset=1,
         oracle=lambda x: np.where(x > 0, x, 1.6732 * np.exp(x) - 1.6732).astype(np.float32)
         * np.float32(1.0507)),
    case("celu_one", "Celu", f32(6), opset=12),
    case("celu_half", "Celu", f32(6), opset=12, alpha=0.5),
    case("thresholded_relu", "ThresholdedRelu", SPECIAL, alpha=1.0),
    case("hard_sigmoid_attributes", "HardSigmoid", SPECIAL, alpha=0.5, beta=0.25),
    case("softplus_far", "Softplus", np.array([-200, -50, 50, 200], np.float32)),
    case("gelu_exact", "Gelu", f32(2, 9)),
    case("gelu_tanh", "Gelu", f32(2, 9), approximate="tanh"),
    case("swish", "Swish", f32(7), opset=24),
    case("swish_alpha", "Swish", f32(7), opset=24, alpha=1.702),
)  # fmt: skip

_CLIP = (
    case("clip_v1", "Clip", f32(9), opset=1, min=-0.5, max=0.5,
         oracle=lambda x: np.clip(x, -0.5, 0.5)),
    case("clip_v6", "Clip", SPECIAL, opset=6, min=0.0, max=6.0),
    case("clip_v6_defaults_bound_infinity", "Clip", SPECIAL, opset=6),
    case("clip_v6_f16_keeps_infinity", "Clip", SPECIAL.astype(np.float16), opset=6, min=0.0,
         oracle=lambda x: np.maximum(x, np.float16(0))),
    case("clip_v11", "Clip", SPECIAL, _const(-1.0), _const(1.0), opset=11),
    case("clip_no_bounds", "Clip", SPECIAL),
    case("clip_only_max", "Clip", SPECIAL, None, _const(2.0)),
    case("clip_only_min", "Clip", SPECIAL, _const(0.0)),
    case("clip_min_above_max", "Clip", f32(9), _const(2.0), _const(-1.0)),
    case("clip_infinite_bounds", "Clip", SPECIAL, _const(-np.inf), _const(np.inf)),
    case("clip_max_minus_infinity", "Clip", f32(3), None, _const(-np.inf)),
    case("clip_nan_bound", "Clip", f32(3), _const(np.nan), oracle=lambda x, m: x + m),
    case("clip_computed_bounds", "Clip", f32(2, 3), np.array(-0.2, np.float32),
         np.array(0.4, np.float32)),
    case("clip_i8", "Clip", integers(np.int8, 9), _const(-3, np.int8), _const(5, np.int8)),
    case("clip_i8_limits", "Clip", integers(np.int8, 9), _const(-128, np.int8),
         _const(127, np.int8)),
    case("clip_i8_wrong_limit", "Clip", integers(np.int8, 9), _const(127, np.int8)),
    case("clip_i64_wide", "Clip", np.array([2**62, -5, 7]), _const(0, np.int64),
         _const(2**60 + 1, np.int64)),
    case("clip_u8", "Clip", integers(np.uint8, 9, low=0, high=256), None, _const(100, np.uint8)),
)  # fmt: skip

_HANDED_ON = (
    case("identity", "Identity", f32(2, 3)),
    case("dropout_v6", "Dropout", f32(2, 3), opset=6, is_test=1, oracle=lambda x: x),
    case("dropout_v7", "Dropout", f32(2, 3), opset=7, ratio=0.9),
    case("dropout_v7_mask", "Dropout", f32(2, 3), opset=7, out=(np.float32, np.float32),
         oracle=lambda x: (x, np.ones_like(x))),
    case("dropout_v10_mask", "Dropout", f32(2, 3), opset=10, out=(np.float32, np.bool_)),
    case("dropout_v13_mask", "Dropout", f32(2, 3), _const(0.3), opset=13,
         out=(np.float32, np.bool_)),
    case("dropout_v13_not_training", "Dropout", f32(2, 3), _const(0.3), _const(False, np.bool_)),
    case("dropout_v13_drops_nothing", "Dropout", f32(2, 3), _const(0.0), _const(True, np.bool_)),
)  # fmt: skip

_CASTS = (
    case("cast_f32_to_i32", "Cast", np.array([-2.7, -0.5, 0.5, 2.7], np.float32), out=np.int32,
         to=TensorProto.INT32),
    case("cast_f32_to_bool", "Cast", SPECIAL, out=np.bool_, to=TensorProto.BOOL),
    case("cast_bool_to_f32", "Cast", booleans(2, 3), out=np.float32, to=TensorProto.FLOAT),
    case("cast_i64_to_f16", "Cast", integers(np.int64, 5), out=np.float16, to=TensorProto.FLOAT16),
    case("cast_f32_to_bf16", "Cast", f32(5), out=ml_dtypes.bfloat16, to=TensorProto.BFLOAT16),
    case("cast_f64_to_f32", "Cast", f64(5), out=np.float32, to=TensorProto.FLOAT),
    case("cast_u8_to_i8", "Cast", integers(np.uint8, 9, low=0, high=256), out=np.int8,
         to=TensorProto.INT8),
    case("cast_same", "Cast", f32(5), to=TensorProto.FLOAT),
    case("cast_v1_by_name", "Cast", integers(np.int32, 5), out=np.float32, opset=1, to="FLOAT",
         oracle=lambda x: x.astype(np.float32)),
    case("cast_like", "CastLike", f32(2, 3), integers(np.int32, 0), out=np.int32),
)  # fmt: skip

_LOGIC = (
    case("where_broadcast", "Where", booleans(2, 1), f32(3), f32(4, 1, 1), out=np.float32),
    case("where_bool", "Where", booleans(4), booleans(4), booleans(4)),
    case("where_i64", "Where", booleans(4), integers(np.int64, 4), _const(0, np.int64),
         out=np.int64),
    *(
        case(f"{name.lower()}_special", name, SPECIAL, np.roll(SPECIAL, 1), out=np.bool_)
        for name in ("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual")
    ),
    case("equal_nan", "Equal", SPECIAL, SPECIAL, out=np.bool_),
    case("equal_bool", "Equal", booleans(9), booleans(9)),
    case("equal_i64", "Equal", integers(np.int64, 3, 1), integers(np.int64, 1, 4), out=np.bool_),
    case("equal_v1_axis", "Equal", integers(np.int32, 2, 3), integers(np.int32, 2), out=np.bool_,
         opset=1, broadcast=1, axis=0, oracle=lambda a, b: a == b[:, None]),
    case("greater_v7", "Greater", f32(2, 3), f32(3), out=np.bool_, opset=7),
    case("less_u8", "Less", integers(np.uint8, 9, low=0, high=256), _const(128, np.uint8),
         out=np.bool_),
    case("not", "Not", booleans(2, 3)),
    case("and_broadcast", "And", booleans(2, 1), booleans(3)),
    case("or", "Or", booleans(9), booleans(9)),
    case("xor", "Xor", booleans(9), booleans(1)),
    case("and_v1_suffix", "And", booleans(2, 3), booleans(3), opset=1, broadcast=1,
         oracle=np.logical_and),
    *(
        case(f"{name.lower()}_{np.dtype(dtype).name}", name, integers(dtype, 3, 1, 37),
             integers(dtype, 5, 1), opset=18)
        for name, dtype in (
            ("BitwiseAnd", np.int8), ("BitwiseAnd", np.uint64), ("BitwiseOr", np.int64),
            ("BitwiseOr", np.uint8), ("BitwiseXor", np.int32), ("BitwiseXor", np.uint16),
        )
    ),
    case("bitwise_not_i16", "BitwiseNot", integers(np.int16, 37), opset=18),
    case("bitwise_not_u32", "BitwiseNot", integers(np.uint32, 3, 5), opset=18),
    case("bit_cast_f32_i32", "BitCast", SPECIAL, out=np.int32, opset=26,
         to=TensorProto.INT32, oracle=lambda x: x.view(np.int32)),
    case("bit_cast_f16_u16", "BitCast", SPECIAL.astype(np.float16), out=np.uint16, opset=26,
         to=TensorProto.UINT16, oracle=lambda x: x.view(np.uint16)),
    case("bit_cast_i64_f64", "BitCast", f64(3, 17).view(np.int64), out=np.float64, opset=26,
         to=TensorProto.DOUBLE, oracle=lambda x: x.view(np.float64)),
    case("bit_cast_bool", "BitCast", booleans(9), out=np.int8, opset=26,
         to=TensorProto.INT8, oracle=lambda x: x.view(np.int8)),
)  # fmt: skip

POINTWISE_CASES = (
    *_ARITHMETIC, *_VARIADIC, *_FUNCTIONS, *_CLIP, *_HANDED_ON, *_CASTS, *_LOGIC
)  # fmt: skip
