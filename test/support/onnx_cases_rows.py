"""Cases of rows that fill no vector, one, several, or several and a part, with special numbers."""

import numpy as np
from onnx_case import Const, case, f16, f32, f64, i64s, integers

_LENGTHS = (1, 2, 5, 7, 16, 17, 31, 65, 128, 255, 256, 300)


def _rows(length):
    """Return rows of numbers, of numbers far apart, and of those that are none at either end."""
    rows = np.concatenate([f32(3, length), 40 * f32(2, length), f32(6, length)])
    for row, (place, value) in enumerate(
        [(0, np.nan), (-1, np.nan), (0, np.inf), (-1, -np.inf), (slice(None), -np.inf)], 5
    ):
        rows[row, place] = value
    return rows


def _softmax(x, axis=-1):
    power = np.exp(x - x.max(axis, keepdims=True))
    return power / power.sum(axis, keepdims=True)


def _extreme_place(x, last=False):
    """Return where the largest number of each row stands, which is nan where there is one."""
    top = np.where(np.isnan(x).any(1, keepdims=True), np.nan, x.max(1, keepdims=True))
    hits = (x == top) | np.isnan(x)
    return x.shape[1] - 1 - hits[:, ::-1].argmax(1) if last else hits.argmax(1)


_MASK = np.where(np.arange(128) < 90, 0, -np.inf).astype(np.float32).reshape(1, 1, 1, 128)

ROW_CASES = (
    *(case(f"row_softmax_{n}", "Softmax", _rows(n), oracle=_softmax) for n in _LENGTHS),
    *(case(f"row_max_{n}", "ReduceMax", _rows(n), i64s(1), keepdims=0,
           oracle=lambda x, _: x.max(1)) for n in _LENGTHS),
    *(case(f"row_sum_{n}", "ReduceSum", _rows(n), i64s(1), keepdims=0) for n in _LENGTHS),
    *(case(f"row_place_{n}", "ArgMax", _rows(n), axis=1, keepdims=0, out=np.int64,
           oracle=_extreme_place) for n in (7, 17, 300)),
    case("row_last_place", "ArgMax", integers(np.int32, 5, 37), axis=1, keepdims=0,
         select_last_index=1, out=np.int64, oracle=lambda x: _extreme_place(x, last=True)),
    case("row_min_f64", "ReduceMin", f64(3, 41), i64s(1)),
    case("row_max_i8", "ReduceMax", integers(np.int8, 3, 150), i64s(1)),
    case("row_prod_i64", "ReduceProd", integers(np.int64, 3, 19), i64s(1)),
    case("row_mean_f16", "ReduceMean", f16(3, 40), i64s(1)),
    case("row_l2", "ReduceL2", f32(3, 100), i64s(1)),
    case("row_of_two_axes", "ReduceSum", f32(3, 7, 50), i64s(1, 2)),
    case("row_of_outer_axes", "ReduceMean", f32(5, 3, 29), i64s(0, 2), keepdims=0),
    case("row_of_all_axes", "ReduceMax", f32(5, 3, 29), i64s(0, 1, 2), keepdims=0),
    case("row_before_extents_of_1", "ReduceMean", f32(3, 50, 1, 1), i64s(1)),
    case("row_softmax_before_extents_of_1", "Softmax", f32(2, 50, 1, 1), axis=1),
    case("row_softmax_whole", "Softmax", f32(1000), axis=0),
    case("column_softmax", "Softmax", f32(2, 37, 19), axis=1),
    case("column_softmax_narrow", "Softmax", f32(2, 37, 3), axis=1),
    case("row_layer_norm", "LayerNormalization", f32(5, 100), Const(f32(100)), Const(f32(100))),
    case("row_layer_norm_long", "LayerNormalization", f32(2, 301) + 3, Const(f32(301))),
    case("row_layer_norm_axes", "LayerNormalization", f32(3, 5, 21), Const(f32(5, 21)), axis=1),
    case("row_softmax_f64", "Softmax", f64(3, 21)),
    case("row_softmax_f16", "Softmax", f16(3, 21)),
    case("row_softmax_masked", "Softmax", f32(1, 2, 9, 128) + _MASK),
)  # fmt: skip
