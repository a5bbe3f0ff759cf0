"""Cases of regions of images, places of maxima, determinants, counted sequences, mel bands."""

import numpy as np
from onnx_case import SPECIAL, Const, case, f16, f32, f64, i64s, integers

_IMAGES = f32(2, 3, 9, 7)
_ROIS = np.array(
    [[0, 0, 6, 8], [1.3, 2.6, 4.1, 7.9], [-3, -2, 2, 3], [5, 6, 5, 6], [20, 20, 30, 30]], np.float32
)
_NUMBERS = np.array([0, 1, 1, 0, 1])
_NUMBERED = np.concatenate([_NUMBERS[:, None].astype(np.float32), np.round(_ROIS)], 1)

_TEXT = np.array([[1, 1, 3, 3, 3, 7], [8, 6, 7, 5, 6, 8], [2, -9, 3, 2, 3, 4]])
_POOL = {
    "ngram_counts": [0, 4, 10],
    "ngram_indexes": [2, 0, 1, 5, 4, 3, 6, 7],
    "pool_int64s": [2, 3, 5, 4, 5, 6, 3, 3, 7, 8, 3, 3, 7],
}


def _places(x: np.ndarray, window: int, stride: int, pad: int, step: int) -> tuple[np.ndarray, ...]:
    """Return maxima of square windows and their places, nan above all."""
    n, c, height, width = x.shape
    rows, columns = ((e + 2 * pad - step * (window - 1) - 1) // stride + 1 for e in (height, width))
    values = np.zeros((n, c, rows, columns), x.dtype)
    places = np.zeros(values.shape, np.int64)
    for at in np.ndindex(values.shape):
        found = [
            (plane_row, plane_column)
            for plane_row in (at[2] * stride - pad + step * i for i in range(window))
            for plane_column in (at[3] * stride - pad + step * i for i in range(window))
            if 0 <= plane_row < height and 0 <= plane_column < width
        ]
        read = np.array([x[at[0], at[1], i, j] for i, j in found])
        best = int(np.argmax(read))  # the first nan, where there is one
        values[at] = read[best]
        i, j = found[best]
        places[at] = ((at[0] * c + at[1]) * height + i) * width + j
    return values, places


_MAXIMA = [np.float32, np.int64]

REGION_CASES = (
    case("max_pool_places", "MaxPool", f32(2, 3, 7, 9), out=_MAXIMA, opset=22,
         oracle="onnxruntime", kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 0, 1]),
    case("max_pool_places_column_major", "MaxPool", f32(1, 2, 5, 6), out=_MAXIMA, opset=12,
         oracle="onnxruntime", kernel_shape=[2, 3], dilations=[2, 1], storage_order=1),
    case("max_pool_places_3d", "MaxPool", f32(2, 1, 4, 3, 5), out=_MAXIMA, opset=12,
         oracle="onnxruntime", kernel_shape=[2, 2, 2], ceil_mode=1, strides=[2, 2, 2],
         storage_order=1),
    case("max_pool_places_1d", "MaxPool", integers(np.int8, 2, 2, 11), out=[np.int8, np.int64],
         opset=12, oracle="onnxruntime", kernel_shape=[3], auto_pad="SAME_UPPER"),
    case("max_pool_places_special", "MaxPool", np.tile(SPECIAL, 2).reshape(1, 2, 2, 7),
         out=_MAXIMA, kernel_shape=[2, 2], oracle=lambda x: _places(x, 2, 1, 0, 1)),
    case("max_unpool", "MaxUnpool", f32(1, 2, 2, 2), np.array([5, 7, 13, 15, 16, 18, 29, 31])
         .reshape(1, 2, 2, 2), kernel_shape=[2, 2], strides=[2, 2]),
    case("max_unpool_wider", "MaxUnpool", f64(1, 1, 2, 2), Const(np.array([5, 7, 13, 15])
         .reshape(1, 1, 2, 2)), i64s(1, 1, 5, 6), kernel_shape=[2, 2], strides=[2, 2]),
    case("max_unpool_computed_shape", "MaxUnpool", f16(1, 1, 3), np.array([[[4, 0, 2]]]),
         np.array([1, 1, 6]), kernel_shape=[3], strides=[2], pads=[1, 1]),
    case("det", "Det", f32(2, 1, 3, 3)),
    case("det_large", "Det", f64(17, 17)),
    case("det_singular", "Det", np.array([[[0, 0], [0, 3]], [[0, 2], [3, 1]], [[1, 2], [2, 4]]],
                                         np.float32)),
    case("det_special", "Det", np.array([[[np.nan, 1], [2, 3]], [[np.inf, 1], [2, 3]]],
                                        np.float32)),
    case("det_one", "Det", f16(4, 1, 1), oracle=lambda x: x.reshape(4)),
    case("roi_align", "RoiAlign", _IMAGES, _ROIS, _NUMBERS, output_height=3, output_width=2,
         oracle="onnxruntime", opset=16),
    case("roi_align_sampled", "RoiAlign", _IMAGES, _ROIS, _NUMBERS, output_height=2,
         output_width=5, sampling_ratio=3, spatial_scale=0.7, opset=16, oracle="onnxruntime",
         coordinate_transformation_mode="output_half_pixel"),
    case("roi_align_old", "RoiAlign", f64(1, 2, 6, 5), np.array([[0.5, 1.5, 3.5, 5.5]]),
         Const(np.zeros(1, np.int64)), output_height=2, output_width=2, opset=10,
         oracle="onnxruntime"),
    case("roi_align_max", "RoiAlign", _IMAGES, _ROIS, _NUMBERS, output_height=2, output_width=2,
         sampling_ratio=2, mode="max", opset=16, oracle="onnxruntime"),
    case("max_roi_pool", "MaxRoiPool", _IMAGES, _NUMBERED, pooled_shape=[3, 2], opset=1,
         oracle="onnxruntime"),
    case("max_roi_pool_scaled", "MaxRoiPool", _IMAGES, _NUMBERED, pooled_shape=[2, 4],
         spatial_scale=0.5, opset=1, oracle="onnxruntime"),
    case("tf_idf_counts", "TfIdfVectorizer", _TEXT, mode="TF", min_gram_length=1,
         max_gram_length=3, max_skip_count=2, out=np.float32, **_POOL),
    case("tf_idf_pairs", "TfIdfVectorizer", _TEXT[1].astype(np.int32), mode="TFIDF",
         min_gram_length=2, max_gram_length=2, max_skip_count=5, out=np.float32,
         weights=[0.5, 2, 3, -1, 7, 1, 4, 2.5], oracle="onnxruntime", **_POOL),
    case("tf_idf_found", "TfIdfVectorizer", _TEXT, mode="IDF", min_gram_length=2,
         max_gram_length=9, max_skip_count=0, out=np.float32,
         weights=[0.5, 0.5, 0.5, 3, 7, 3, 4, 2.5], **_POOL),
    case("tf_idf_weights", "TfIdfVectorizer", _TEXT, mode="IDF", min_gram_length=1,
         max_gram_length=3, max_skip_count=0, out=np.float32,
         weights=[0.5, 2, 3, -1, 7, 1, 4, 2.5], oracle="onnxruntime", **_POOL),
    case("mel_weights", "MelWeightMatrix", *(np.array(n, np.int64) for n in (10, 64, 16000)),
         *(np.array(n, np.float64) for n in (20, 7600)), out=np.float64, output_datatype=11),
    case("mel_weights_narrow", "MelWeightMatrix", *(np.array(n, np.int32) for n in (8, 16, 8192)),
         *(np.array(n, np.float32) for n in (0, 4096)), out=np.float32),
    case("add_old_broadcast_of_ones", "Add", f32(3, 4, 2), f32(1, 4), opset=6, broadcast=1,
         axis=0, oracle=lambda x, y: x + y[:, :, None]),
)  # fmt: skip
