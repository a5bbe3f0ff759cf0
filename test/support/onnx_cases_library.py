"""Cases of what the library's functions compute, or check."""

import numpy as np
from onnx_case import SPECIAL, case, f16, f32, f64, i64s, integers


def _n(*values: int) -> np.ndarray:
    """Return integers that are an input of the model."""
    return np.array(values, np.int64)


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
         oracle=lambda x, k: _ordered(_falling(x), x)),
    case("top_k_none", "TopK", f32(3, 7), i64s(0), out=[np.float32, np.int64]),
    case("reduce_sum_computed_axes", "ReduceSum", f32(3, 4, 3), _n(-3), keepdims=0),
    case("reduce_max_computed_axes", "ReduceMax", integers(np.int32, 2, 2, 5, 2), _n(3, 0),
         keepdims=0),
    case("reduce_mean_no_axes", "ReduceMean", f32(3, 4), _n(), keepdims=0),
    case("reduce_l2_computed_axis", "ReduceL2", f64(3, 1, 4), _n(-1)),
    case("cumsum_computed_axis", "CumSum", f32(3, 4, 3), np.array(-2), exclusive=1),
    case("cumprod_computed_axis", "CumProd", integers(np.int32, 3, 3), np.array(0), opset=26),
    case("squeeze_computed", "Squeeze", f32(1, 3, 1, 1), _n(0, -2)),
    case("unsqueeze_computed", "Unsqueeze", f32(3, 2), _n(-1, 0, 2)),
    case("reshape_computed", "Reshape", f32(2, 3, 4), _n(2, -1, 6)),
    case("reshape_computed_keeps", "Reshape", f32(2, 3, 4), _n(0, 0, -1, 2)),
    case("expand_computed", "Expand", f32(3, 1), _n(2, 1, 4)),
    case("expand_computed_less", "Expand", f32(2, 1, 1, 3), _n(5, 1)),
    case("tile_computed", "Tile", f32(2, 3), _n(1, 3)),
    case("constant_of_shape_computed", "ConstantOfShape", _n(2, 0, 3), out=np.float32),
    case("split_computed", "Split", f32(2, 7), _n(3, 0, 4), outputs=3, axis=-1),
    case("one_hot_computed_depth", "OneHot", integers(np.int64, 3, 2), np.array(5), f32(2),
         out=np.float32, axis=1),
    case("triu_computed", "Trilu", f32(2, 4, 5), np.array(-1), upper=1),
    case("tril_computed", "Trilu", integers(np.int8, 4, 3), np.array(9**9), upper=0),
    case("top_k_computed", "TopK", f32(3, 7), _n(4), out=[np.float32, np.int64]),
)  # fmt: skip


def _falling(x):
    """Return keys that sort numbers from large to small, nan before infinity."""
    return np.where(np.isnan(x), -np.inf, -np.clip(x.astype(np.float64), -1e300, 1e300))


def _ordered(keys: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    indices = np.argsort(keys, axis=-1, kind="stable")
    return np.take_along_axis(x, indices, -1), indices
