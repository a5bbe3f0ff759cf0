"""Cases of what the library's functions compute, or check."""

import numpy as np
from onnx_case import SPECIAL, case, f16, f32, f64, i64s, integers


def _k(value: int) -> np.ndarray:
    return np.array([value], np.int64)


LIBRARY_CASES = (
    case("top_k", "TopK", f32(3, 7), i64s(3), out=[np.float32, np.int64]),
    case("top_k_smallest", "TopK", f64(2, 9, 4), i64s(5), out=[np.float64, np.int64], axis=1,
         largest=0),
    case("top_k_ties", "TopK", integers(np.int8, 5, 40, low=-2, high=3), i64s(40),
         out=[np.int8, np.int64], opset=24,
         oracle=lambda x, k: _ordered(-x.astype(int), x)),
    case("top_k_unsigned", "TopK", np.array([2**64 - 1, 2**63, 0, 7], np.uint64), i64s(2),
         out=[np.uint64, np.int64]),
    case("top_k_f16", "TopK", f16(6, 1, 5), i64s(2), out=[np.float16, np.int64], axis=0),
    case("top_k_special", "TopK", SPECIAL, i64s(14), out=[np.float32, np.int64],
         oracle=lambda x, k: _ordered(-np.nan_to_num(x, nan=np.inf) - 2 * np.isnan(x), x)),
    case("top_k_none", "TopK", f32(3, 7), i64s(0), out=[np.float32, np.int64]),
    case("top_k_computed", "TopK", f32(3, 7), _k(4), out=[np.float32, np.int64]),
)  # fmt: skip


def _ordered(keys: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    indices = np.argsort(keys, axis=-1, kind="stable")
    return np.take_along_axis(x, indices, -1), indices
