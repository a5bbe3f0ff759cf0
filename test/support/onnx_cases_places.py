"""Cases of slices, pads and resizes by computed numbers, antialiasing, and random numbers."""

import numpy as np
from onnx_case import Const, case, f16, f32, f64, i64s, integers


def _n(*values: int) -> np.ndarray:
    """Return integers that are an input of the model."""
    return np.array(values, np.int64)


def _floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def _constant(*values: float) -> Const:
    return Const(_floats(*values))


def _drawn(seed: int, *shape: int) -> np.ndarray:
    """Return the numbers that MT19937 makes of a seed."""
    return np.random.RandomState(seed).random_sample(shape)


def _multinomial(x: np.ndarray) -> np.ndarray:
    scaled = np.exp(x - x.max(1, keepdims=True))
    shares = scaled / scaled.sum(1, keepdims=True)
    reached = np.cumsum(shares, 1)[:, None, :-1]
    return (reached <= _drawn(7, x.shape[0], 5)[..., None]).sum(-1).astype(np.int64)


_LAST = 2**63 - 1

PLACES_CASES = (
    case("slice_computed", "Slice", f32(5, 6, 4), _n(1, -5), _n(_LAST, -1), i64s(0, -2),
         _n(2, 1)),
    case("slice_computed_axes", "Slice", f16(3, 7, 1), _n(-1), _n(-_LAST - 1), _n(-2), _n(-2)),
    case("slice_computed_nothing", "Slice", integers(np.int8, 4, 3), _n(9), _n(-9), i64s(1)),
    case("slice_computed_all", "Slice", np.array([np.nan, np.inf, -0.0, 1e-40], np.float32),
         _n(-_LAST), _n(_LAST)),
    case("pad_computed", "Pad", f32(3, 4), _n(1, -1, 0, 2), np.array(np.nan, np.float32),
         oracle="onnxruntime"),
    case("pad_computed_bytes", "Pad", integers(np.uint8, 2, 1, 3, low=0), _n(2, 0), None, _n(-1)),
    case("pad_computed_empty", "Pad", f32(0, 2), _n(2, 0, 1, 1), np.array(3, np.float32)),
    case("pad_computed_value", "Pad", f64(2, 3), i64s(-1, 1, 2, 0), np.array(-np.inf),
         oracle="onnxruntime"),
    case("pad_computed_reflect", "Pad", f32(2, 4), _n(1, 3, 1, 2), mode="reflect"),
    case("pad_computed_edge", "Pad", f32(3, 1), _n(2, 2, -1, 3), mode="edge",
         oracle="onnxruntime"),
    case("pad_computed_wrap", "Pad", f32(2, 3), _n(1, 2, 2, 3), mode="wrap"),
    case("center_crop_pad", "CenterCropPad", f32(5, 2, 3), i64s(2, 5, 3)),
    case("center_crop_pad_computed", "CenterCropPad", integers(np.int16, 4, 7), _n(4), axes=[-1]),
    case("resize_computed_linear", "Resize", f32(1, 2, 3, 5), None, _floats(1, 1, 2.5, 0.7),
         mode="linear"),
    case("resize_computed_half", "Resize", f16(1, 1, 4, 3), None, None, _n(3, 7), axes=[2, 3],
         mode="cubic", coordinate_transformation_mode="align_corners"),
    case("resize_computed_nearest", "Resize", integers(np.int8, 3, 1, 5), None, None, _n(4, 3, 9),
         coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    case("resize_computed_bytes", "Resize", integers(np.uint8, 3, 4, low=0, high=256), None,
         _floats(2, 4), mode="linear", oracle="onnxruntime"),
    case("resize_computed_by_a_float", "Resize", f32(1, 34), None, _floats(1, 0.3),
         coordinate_transformation_mode="asymmetric", nearest_mode="floor", oracle="onnxruntime"),
    case("resize_computed_align", "Resize", f32(1, 8), None, _floats(1, 1.7), mode="linear",
         coordinate_transformation_mode="align_corners", oracle="onnxruntime"),
    case("resize_computed_up", "Resize", f64(7, 2), None, _floats(0.6, 3), nearest_mode="ceil",
         coordinate_transformation_mode="half_pixel_symmetric"),
    case("resize_computed_crop", "Resize", f32(4, 6), _floats(-0.2, 0.25, 1.1, 0.5), None,
         i64s(5, 3), mode="linear", coordinate_transformation_mode="tf_crop_and_resize",
         extrapolation_value=7.5),
    case("resize_computed_less", "Resize", f32(1, 1, 8, 5), None, None, _n(6, 6), axes=[2, 3],
         keep_aspect_ratio_policy="not_larger", mode="linear"),
    case("resize_computed_antialias", "Resize", f32(1, 1, 9, 7), None, None, _n(4, 9),
         axes=[2, 3], mode="cubic", antialias=1, exclude_outside=1),
    case("resize_computed_one", "Resize", f32(1, 4, 1), None, None, _n(1, 1, 3), mode="linear",
         coordinate_transformation_mode="pytorch_half_pixel"),
    case("resize_computed_none", "Resize", f32(2, 3), None, None, _n(0, 3), mode="linear"),
    case("resize_antialias", "Resize", f32(1, 2, 9, 7), None, _constant(1, 1, 0.4, 1.5),
         mode="linear", antialias=1),
    case("resize_antialias_cubic", "Resize", f64(11, 8), None, None, i64s(4, 3), mode="cubic",
         antialias=1, cubic_coeff_a=-0.5),
    case("resize_antialias_half", "Resize", f16(12), None, _constant(0.3), mode="linear",
         antialias=1, exclude_outside=1),
    case("upsample_computed", "Upsample", f32(1, 2, 3), _floats(1, 2, 2), opset=9),
    case("resize_10_computed_both", "Resize", f32(1, 4, 5), _floats(1, 2, 0.4), opset=10,
         oracle="onnxruntime"),
    case("resize_10_computed", "Resize", f32(1, 4, 5), _floats(1, 0.5, 0.8), opset=10,
         mode="linear", oracle="onnxruntime"),
    case("dropout_training", "Dropout", f32(3, 50), Const(np.float32(0.3)), np.array(True),
         out=[np.float32, np.bool_], seed=3),
    case("dropout_computed", "Dropout", f16(3, 5), np.array(0.25, np.float16), np.array(False),
         out=[np.float16, np.bool_]),
    case("dropout_zero", "Dropout", f64(7), np.array(0, np.float32), Const(np.array(True)), seed=1),
    case("random_uniform", "RandomUniform", shape=[3, 700], seed=5.0, low=-1.0, high=3.0,
         out=np.float32, oracle=lambda: _drawn(5, 3, 700).astype(np.float32) * 4 - 1),
    case("random_uniform_like", "RandomUniformLike", integers(np.int32, 2, 0, 3), dtype=11,
         seed=-1.0, out=np.float64, oracle=lambda x: _drawn(2**32 - 1, 2, 0, 3)),
    case("random_normal", "RandomNormal", shape=[41], seed=9.0, mean=2.0, scale=0.5, dtype=11,
         out=np.float64, oracle=lambda: np.random.RandomState(9).standard_normal(41) * 0.5 + 2),
    case("random_normal_like", "RandomNormalLike", f16(5, 3), seed=0.0,
         oracle=lambda x: np.random.RandomState(0).standard_normal((5, 3)).astype(np.float16)),
    case("multinomial", "Multinomial", f32(3, 4), sample_size=5, dtype=7, seed=7.0, out=np.int64,
         oracle=_multinomial),
    case("bernoulli", "Bernoulli", np.linspace(0, 1, 60, dtype=np.float32), seed=4.0,
         oracle=lambda x: (_drawn(4, 60) < x).astype(np.float32)),
)  # fmt: skip
