"""Cases of ops that select elements by values, with as many as the model states."""

import numpy as np
from onnx_case import SPECIAL, Const, case, f16, f32, integers


def _boxes(*boxes: tuple[float, float, float, float]) -> np.ndarray:
    return np.array([boxes], np.float32)


_BOXES = _boxes((0, 0, 1, 1), (0, 0.1, 1, 1.1), (0, -0.1, 1, 0.9), (1, 1.4, 0, 0.4),
                (0, 10, 1, 11), (np.nan, 0, 1, 1), (0, 100, 0, 100))  # fmt: skip
_SCORES = np.array([[[0.9, 0.75, 0.6, 0.95, 0.5, 0.3, 0.3], [0.2] * 7]], np.float32)


def _unique(x: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the different elements in the order in which they occur."""
    _, first, inverse, counts = np.unique(x, True, True, True)
    order = np.argsort(first)
    return (
        x.reshape(-1)[first[order]],
        first[order],
        np.argsort(order)[inverse.reshape(-1)],
        counts[order],
    )


SELECTION_CASES = (
    case("nonzero_special", "NonZero", SPECIAL.reshape(2, 1, 7), out=np.int64),
    case("nonzero_none", "NonZero", integers(np.int8, 3, 2, low=0, high=1), out=np.int64),
    case("nonzero_bool", "NonZero", np.arange(7) % 3 == 1, out=np.int64),
    case("compress", "Compress", f16(4, 5, 2), np.array([0, 1, 0, 1], bool), axis=-2),
    case("compress_flat", "Compress", integers(np.int64, 2, 3), Const(np.array([0, 1, 1], bool))),
    case("unique", "Unique", SPECIAL[[0, 3, 4, 7, 0, 1, 2, 7, 13, 1]],
         out=[np.float32, *[np.int64] * 3]),
    case("unique_unsorted", "Unique", integers(np.int16, 4, 9, low=-3, high=3), sorted=0,
         out=[np.int16, *[np.int64] * 3], oracle=_unique),
    case("unique_axis", "Unique", integers(np.uint8, 3, 6, 2, low=0, high=2), axis=-2,
         out=[np.uint8, *[np.int64] * 3]),
    case("unique_one", "Unique", f32(1)),
    case("nms", "NonMaxSuppression", _BOXES, _SCORES, np.array([4]), np.array([0.5], np.float32),
         np.array([0.25], np.float32), out=np.int64, oracle="onnxruntime"),
    case("nms_all", "NonMaxSuppression", f32(2, 9, 4), f32(2, 3, 9), Const(np.array([2])),
         Const(np.array([0.1], np.float32)), out=np.int64, oracle="onnxruntime"),
    case("nms_centre", "NonMaxSuppression", np.abs(f32(1, 11, 4)), f32(1, 2, 11),
         Const(np.array(5)), Const(np.array(0.2, np.float32)), center_point_box=1, out=np.int64,
         oracle="onnxruntime"),
    case("nms_none", "NonMaxSuppression", f32(1, 3, 4), f32(1, 1, 3), out=np.int64,
         oracle=lambda boxes, scores: np.zeros((0, 3), np.int64)),
)  # fmt: skip
