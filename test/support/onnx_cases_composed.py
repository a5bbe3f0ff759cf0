"""Cases of operators that are composed of others: shifts, inverse functions, quantisation."""

import numpy as np
from onnx_case import SPECIAL, Const, case, f32, integers

_NEAR = np.array([0, -0.0, 1e-12, -3e-5, 0.0499, -0.11, 0.5, -0.99, 0.9999, 1, -1], np.float32)
_FAR = np.array(
    [1e-9, -0.2, 1, -1.0001, 3, -80, 2e10, np.inf, -np.inf, np.nan, 0, -0.0], np.float64
)


def _shift(direction: str, dtype: type) -> list:
    bits = 8 * np.dtype(dtype).itemsize
    x = integers(dtype, 3, 7, low=-100 if np.dtype(dtype).kind == "i" else 0, high=100)
    counts = np.array([0, 1, 3, bits - 2, bits - 1, bits, bits + 3], dtype)
    name = f"bit_shift_{direction.lower()}_{np.dtype(dtype).name}"

    def shifted(x: np.ndarray, counts: np.ndarray) -> np.ndarray:
        left = direction == "LEFT"
        pairs = np.nditer([x.astype(object), counts.astype(object)[None, :]], ["refs_ok"])
        numbers = [int(a[()]) << int(n[()]) if left else int(a[()]) >> int(n[()]) for a, n in pairs]
        wrapped = [(number + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1) for number in numbers]
        return np.array(wrapped, np.int64).astype(dtype).reshape(x.shape)

    return [case(name, "BitShift", x, counts, opset=28, oracle=shifted, direction=direction)]


COMPOSED_CASES = (
    *(made for direction in ("LEFT", "RIGHT") for dtype in (np.int8, np.int32, np.uint16, np.uint64)
      for made in _shift(direction, dtype)),
    case("sinh_near", "Sinh", _NEAR, oracle=np.sinh),
    case("sinh_far", "Sinh", _FAR, oracle=np.sinh),
    case("cosh", "Cosh", _FAR, oracle=np.cosh),
    case("asinh_near", "Asinh", _NEAR, oracle=np.arcsinh),
    case("asinh_far", "Asinh", _FAR, oracle=np.arcsinh),
    case("acosh", "Acosh", np.abs(_FAR) + 1, oracle=np.arccosh),
    case("atanh", "Atanh", _NEAR, oracle=np.arctanh),
    case("atan", "Atan", SPECIAL, oracle=np.arctan),
    case("atan_far", "Atan", _FAR, oracle=np.arctan),
    case("asin", "Asin", _NEAR, oracle=np.arcsin),
    case("acos", "Acos", _NEAR, oracle=np.arccos),
    case("hardmax", "Hardmax", integers(np.float32, 3, 4, 2, low=0, high=3), axis=1,
         oracle=lambda x: (x.argmax(1)[:, None] == np.arange(4)[:, None]).astype(np.float32)),
    case("hardmax_v11", "Hardmax", f32(2, 3, 4), axis=1, opset=11,
         oracle=lambda x: np.eye(12, dtype=x.dtype)[x.reshape(2, 12).argmax(1)].reshape(x.shape)),
    case("eye_like", "EyeLike", integers(np.int16, 3, 5), k=-1),
    case("quantize_u8", "QuantizeLinear", 200 * f32(5, 7), Const(np.float32(1.5)),
         Const(np.uint8(128)), out=np.uint8),
    case("quantize_halves", "QuantizeLinear", np.array([1, 3, 5, -1, -3, 1e9, -np.inf], np.float32),
         np.float32(2) * np.ones(1, np.float32), out=np.uint8),
    case("quantize_axis", "QuantizeLinear", 9 * f32(2, 3, 4), np.abs(f32(3)) + np.float32(0.1),
         integers(np.int8, 3), out=np.int8, axis=-2),
    case("quantize_blocks", "QuantizeLinear", f32(2, 6), np.abs(f32(2, 3)) + np.float32(0.1),
         integers(np.int16, 2, 3), out=np.int16, axis=1, block_size=2),
    case("dequantize_axis", "DequantizeLinear", integers(np.uint8, 2, 3, 4, low=0, high=255),
         f32(3), integers(np.uint8, 3, low=0, high=255), out=np.float32, axis=1),
    case("dequantize_i32", "DequantizeLinear", integers(np.int32, 5), f32(), out=np.float32),
    case("matmul_integer", "MatMulInteger", integers(np.uint8, 3, 9, low=0, high=255),
         integers(np.int8, 9, 4, low=-128, high=127), np.array(12, np.uint8),
         integers(np.int8, 4), out=np.int32),
    case("qlinear_matmul", "QLinearMatMul", integers(np.uint8, 3, 9, low=0, high=255),
         Const(np.float32([0.02])), Const(np.uint8([113])),
         integers(np.uint8, 9, 4, low=0, high=255), Const(np.float32([0.03])),
         Const(np.uint8([101])), Const(np.float32([0.4])),
         Const(np.uint8([120])), opset=21),
    case("conv_integer", "ConvInteger", integers(np.uint8, 1, 2, 5, 5, low=0, high=255),
         integers(np.uint8, 3, 2, 3, 3, low=0, high=255), np.array(100, np.uint8), out=np.int32,
         pads=[1, 1, 1, 1]),
    case("qlinear_conv", "QLinearConv", integers(np.uint8, 1, 2, 5, 6, low=0, high=255),
         Const(np.float32(0.02)), Const(np.uint8(113)),
         integers(np.int8, 3, 2, 3, 3, low=-128, high=127), Const(np.float32([0.03, 0.01, 0.5])),
         Const(np.int8([0, 3, -7])), Const(np.float32(0.4)), Const(np.uint8(120)),
         integers(np.int32, 3), strides=[2, 1]),
)  # fmt: skip
