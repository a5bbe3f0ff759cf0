"""Cases of operators that resample, look up, scan, or normalise, and of rarer ones."""

import numpy as np
from onnx import helper
from onnx_case import SPECIAL, Const, booleans, case, f16, f32, f64, i64s, integers, positive

ORT = "onnxruntime"


def _const(*shape):
    return Const(f32(*shape))


def _scales(*values):
    return Const(np.array(values, np.float32))


_RESIZE_MODES = (
    "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric",
)  # fmt: skip
_ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")

_RESIZE = (
    *(case(f"resize_nearest_{mode}_{rounding}_{before}_to_{after}", "Resize", f32(1, 2, before, 3),
           None, None, i64s(1, 2, after, 3), coordinate_transformation_mode=mode,
           nearest_mode=rounding, oracle=ORT if mode != "half_pixel_symmetric" else "reference")
      for mode in _RESIZE_MODES for rounding in _ROUNDINGS
      for before, after in ((4, 8), (8, 4), (5, 7))),
    *(case(f"resize_{kind}_{mode}_{before}_to_{after}", "Resize", f32(1, 2, before, 4), None, None,
           i64s(1, 2, after, 6), mode=kind, coordinate_transformation_mode=mode)
      for kind in ("linear", "cubic") for mode in _RESIZE_MODES
      for before, after in ((4, 8), (7, 5))),
    case("resize_nearest_2x", "Resize", f32(1, 3, 4, 5), None, _scales(1, 1, 2, 2), mode="nearest",
         coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    case("resize_nearest_batch_and_channels", "Resize", f32(2, 3, 2), None, _scales(1.5, 2, 3)),
    case("resize_nearest_scales_down", "Resize", f32(1, 1, 7, 9), None, _scales(1, 1, 0.6, 0.6),
         oracle=ORT),
    case("resize_nearest_u8", "Resize", integers(np.uint8, 1, 1, 3, 3, low=0, high=256), None,
         _scales(1, 1, 2, 2), oracle=ORT),
    case("resize_nearest_one", "Resize", f32(1, 2, 1, 1), None, None, i64s(1, 2, 3, 4)),
    case("resize_nothing", "Resize", f32(1, 2, 3, 3), None, _scales(1, 1, 1, 1)),
    case("resize_v11", "Resize", f32(1, 2, 4, 4), _scales(), _scales(1, 1, 2, 2), opset=11,
         mode="linear", oracle=ORT),
    case("resize_v11_sizes", "Resize", f32(1, 2, 4, 4), _scales(), _scales(), i64s(1, 2, 7, 3),
         opset=11, mode="cubic", cubic_coeff_a=-0.5, oracle=ORT),
    case("resize_v11_tf_half_pixel", "Resize", f32(1, 2, 4, 4), _scales(), _scales(1, 1, 2, 3),
         opset=11, coordinate_transformation_mode="tf_half_pixel_for_nn", nearest_mode="floor",
         oracle=ORT),
    case("resize_v13", "Resize", f32(1, 2, 4, 4), None, _scales(1, 1, 2, 1.5), opset=13,
         mode="linear", coordinate_transformation_mode="align_corners", oracle=ORT),
    case("resize_v10", "Resize", f32(1, 2, 3, 4), _scales(1, 1, 2, 3), opset=10, oracle=ORT),
    case("resize_v10_down", "Resize", f32(1, 2, 7, 8), _scales(1, 1, 0.5, 0.4), opset=10,
         oracle=ORT),
    case("resize_v10_linear", "Resize", f32(1, 2, 3, 4), _scales(1, 1, 2, 3), opset=10,
         mode="linear", oracle=ORT),
    case("resize_linear_1d", "Resize", f32(2, 3, 5), None, _scales(1, 1, 2.5), mode="linear"),
    case("resize_linear_3d", "Resize", f32(1, 2, 3, 4, 5), None, None, i64s(1, 2, 5, 2, 7),
         mode="linear"),
    case("resize_linear_f16", "Resize", f16(1, 2, 3, 4), None, _scales(1, 1, 2, 2), mode="linear"),
    case("resize_linear_f64", "Resize", f64(1, 2, 3, 4), None, _scales(1, 1, 2, 2), mode="linear"),
    *(case(f"resize_linear_{np.dtype(kind)}", "Resize", integers(kind, 2, 5, 6, low=low, high=high),
           None, _scales(1, 2, 0.5), mode="linear", oracle=ORT)
      for kind, low, high in ((np.uint8, 0, 256), (np.int8, -128, 128), (np.int32, -9999, 9999))),
    case("resize_linear_integers_stay", "Resize", np.full((3, 7), -77, np.int16), None, None,
         i64s(5, 12), mode="linear", oracle=lambda x, *_: np.full((5, 12), -77, np.int16)),
    case("resize_linear_one_result", "Resize", f32(1, 2, 3, 4), None, None, i64s(1, 2, 1, 1),
         mode="linear", coordinate_transformation_mode="pytorch_half_pixel", oracle=ORT),
    case("resize_linear_fractional_align", "Resize", f32(1, 2, 8, 9), None, _scales(1, 1, 1.7, 0.6),
         mode="linear", coordinate_transformation_mode="align_corners", oracle=ORT),
    case("resize_nearest_by_a_float", "Resize", f32(1, 1, 34), None, _scales(1, 1, 0.3), oracle=ORT,
         coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    case("resize_rounded_extent", "Resize", f32(10, 3), None, _scales(2.3), axes=[0], oracle=ORT,
         mode="linear"),
    case("resize_nearest_by_floats", "Resize", f32(2, 34, 7), None, _scales(1, 0.3, 1.7),
         coordinate_transformation_mode="half_pixel", nearest_mode="floor", oracle=ORT),
    case("resize_v10_up_and_down", "Resize", f32(1, 1, 5, 8), _scales(1, 1, 2, 0.4), opset=10,
         oracle=ORT),
    case("resize_linear_symmetric_fraction", "Resize", f32(1, 1, 4, 5), None,
         _scales(1, 1, 2.3, 0.7), mode="linear",
         coordinate_transformation_mode="half_pixel_symmetric"),
    case("resize_cubic_exclude_outside", "Resize", f32(1, 1, 4, 5), None, _scales(1, 1, 2, 1.6),
         mode="cubic", exclude_outside=1),
    case("resize_cubic_down_exclude_outside", "Resize", f32(1, 1, 9, 9), None, None,
         i64s(1, 1, 4, 4), mode="cubic", exclude_outside=1, cubic_coeff_a=-0.5),
    case("resize_crop", "Resize", f32(1, 1, 6, 7), _scales(0, 0, 0.2, 0.3, 1, 1, 0.8, 0.9), None,
         i64s(1, 1, 5, 4), mode="linear", coordinate_transformation_mode="tf_crop_and_resize"),
    case("resize_crop_extrapolated", "Resize", f32(1, 1, 4, 4),
         _scales(0, 0, 0.4, 0.6, 1, 1, 1.2, 1.7), None, i64s(1, 1, 3, 3), mode="linear",
         coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=10.0),
    case("resize_crop_nearest_axes", "Resize", f32(1, 2, 4, 4), _scales(0.45, -0.2, 0.7, 1.1), None,
         i64s(3, 5), axes=[2, 3], coordinate_transformation_mode="tf_crop_and_resize",
         extrapolation_value=-1.0),
    case("resize_axes", "Resize", f32(1, 2, 3, 4), None, _scales(2, 3), axes=[3, 2],
         mode="linear"),
    case("resize_not_larger", "Resize", f32(1, 1, 4, 6), None, None, i64s(7, 8), axes=[2, 3],
         keep_aspect_ratio_policy="not_larger", mode="linear"),
    case("resize_not_smaller", "Resize", f32(1, 1, 4, 6), None, None, i64s(7, 8), axes=[2, 3],
         keep_aspect_ratio_policy="not_smaller"),
    case("resize_antialias_up", "Resize", f32(1, 1, 3, 4), None, _scales(1, 1, 2, 2), antialias=1,
         mode="linear"),
    case("upsample_v9", "Upsample", f32(1, 2, 3, 4), _scales(1, 1, 2, 3), opset=9),
    case("upsample_v9_linear", "Upsample", f32(1, 2, 3, 4), _scales(1, 1, 2, 2), opset=9,
         mode="linear", oracle=ORT),
    case("upsample_v7", "Upsample", f32(1, 2, 3, 4), opset=7, scales=[1.0, 1.0, 2.0, 2.0],
         oracle=ORT),
    case("upsample_v1", "Upsample", f32(1, 2, 3, 4), opset=1, height_scale=2.0, width_scale=3.0,
         oracle=lambda x: x.repeat(2, 2).repeat(3, 3)),
)  # fmt: skip


_CONV_TRANSPOSE = (
    case("conv_transpose", "ConvTranspose", f32(1, 3, 4, 5), _const(3, 4, 3, 3), _const(4)),
    case("conv_transpose_no_bias", "ConvTranspose", f32(2, 3, 4, 4), _const(3, 2, 2, 2)),
    case("conv_transpose_2x", "ConvTranspose", f32(1, 3, 4, 5), _const(3, 4, 2, 2), _const(4),
         strides=[2, 2]),
    case("conv_transpose_4x4_by_2", "ConvTranspose", f32(1, 3, 4, 5), _const(3, 4, 4, 4),
         strides=[2, 2], pads=[1, 1, 1, 1]),
    case("conv_transpose_3x3_by_2", "ConvTranspose", f32(1, 3, 4, 5), _const(3, 4, 3, 3),
         strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 1]),
    case("conv_transpose_stride_above_window", "ConvTranspose", f32(1, 2, 3, 3),
         _const(2, 3, 2, 1), _const(3), strides=[3, 4]),
    case("conv_transpose_pads_differ", "ConvTranspose", f32(1, 2, 5, 4), _const(2, 3, 4, 3),
         strides=[2, 3], pads=[0, 2, 1, 0]),
    case("conv_transpose_output_padding", "ConvTranspose", f32(1, 2, 3, 3), _const(2, 3, 3, 3),
         _const(3), strides=[3, 2], output_padding=[2, 1], oracle=ORT),
    case("conv_transpose_dilations", "ConvTranspose", f32(1, 2, 4, 4), _const(2, 3, 2, 3),
         dilations=[2, 3], strides=[1, 2], oracle=ORT),
    case("conv_transpose_dilated_by_2", "ConvTranspose", f32(1, 2, 4, 4), _const(2, 3, 3, 3),
         dilations=[2, 2], strides=[2, 2], pads=[1, 1, 2, 0], oracle=ORT),
    case("conv_transpose_groups", "ConvTranspose", f32(1, 6, 4, 3), _const(6, 2, 3, 3), _const(6),
         group=3, strides=[2, 1], oracle=ORT),
    case("conv_transpose_depthwise", "ConvTranspose", f32(1, 5, 4, 4), _const(5, 1, 4, 4), group=5,
         strides=[2, 2], pads=[1, 1, 1, 1], oracle=ORT),
    case("conv_transpose_1d", "ConvTranspose", f32(2, 3, 5), _const(3, 4, 4), strides=[3],
         pads=[1, 2]),
    case("conv_transpose_3d", "ConvTranspose", f32(1, 2, 3, 2, 4), _const(2, 3, 2, 3, 2),
         strides=[1, 2, 2]),
    case("conv_transpose_computed_filter", "ConvTranspose", f32(1, 2, 3, 3), f32(2, 3, 3, 3),
         f32(3), strides=[2, 2]),
    case("conv_transpose_f64", "ConvTranspose", f64(1, 2, 3, 3), Const(f64(2, 3, 2, 2))),
    *(case(f"conv_transpose_{mode.lower()}", "ConvTranspose", f32(1, 2, 4, 5), _const(2, 3, 4, 3),
           strides=[2, 3], auto_pad=mode, oracle=ORT) for mode in ("SAME_UPPER", "SAME_LOWER")),
    # ONNX's inference leaves the last elements out, which no copy of the filter covers.
    *(case(f"conv_transpose_{mode.lower()}_stride_above_window", "ConvTranspose", f32(1, 2, 4, 5),
           _const(2, 3, 2, 1), strides=[3, 2], auto_pad=mode, oracle=ORT)
      for mode in ("SAME_UPPER", "SAME_LOWER")),
    # Of two columns of infinities no difference is taken.
    case("conv_transpose_to_two_columns", "ConvTranspose",
         np.full((1, 2, 3, 1), -np.inf, np.float32), np.abs(f32(2, 3, 1, 3)), f32(3),
         strides=[1, 2], pads=[0, 1, 0, 0]),
    case("conv_transpose_valid", "ConvTranspose", f32(1, 2, 4, 4), _const(2, 3, 3, 3),
         strides=[2, 2], auto_pad="VALID", oracle=ORT),
    case("conv_transpose_output_shape", "ConvTranspose", f32(1, 2, 3, 3), _const(2, 3, 3, 3),
         strides=[3, 2], output_shape=[8, 6], oracle=ORT),
    case("conv_transpose_output_shape_upper", "ConvTranspose", f32(1, 2, 3, 3), _const(2, 3, 3, 3),
         strides=[3, 2], output_shape=[8, 6], auto_pad="SAME_UPPER", oracle=ORT),
    case("conv_transpose_larger_output_shape", "ConvTranspose", f32(1, 2, 3, 3),
         _const(2, 3, 3, 3), _const(3), strides=[3, 2], output_shape=[10, 8], oracle=ORT),
    case("conv_transpose_v1", "ConvTranspose", f32(1, 2, 3, 3), _const(2, 3, 3, 3), opset=8,
         strides=[2, 2], kernel_shape=[3, 3]),
)  # fmt: skip


def _take(x, indices):
    return np.take(x, indices, 0)


_LOOKUPS = (
    case("gather_any", "Gather", f32(5, 3), i64s(4, 0, 0, 2)),
    case("gather_repeated", "Gather", f32(2, 5), i64s(1, 1, -1), axis=1),
    case("gather_matrix_of_indices", "Gather", f32(3, 5, 2), Const(integers(np.int64, 2, 4, low=-5,
         high=5)), axis=1),
    case("gather_computed", "Gather", f32(7, 3), integers(np.int64, 2, 4, low=-7, high=7)),
    case("gather_computed_scalar", "Gather", f32(4, 3), np.array(-2), axis=1),
    case("gather_computed_i32", "Gather", f32(2, 4, 3), integers(np.int32, 5, low=-4, high=4),
         axis=1),
    case("gather_computed_outside", "Gather", f32(4, 3), np.array([9, -9, 2**40, -(2**40)]),
         oracle=lambda x, i: x[[3, 0, 3, 0]]),
    case("gather_of_constants", "Gather", _const(6, 4), integers(np.int64, 3, low=0, high=6),
         out=np.float32),
    case("gather_v1", "Gather", f32(4, 2), i64s(3, 0), opset=1, oracle=_take),
    case("gather_bool", "Gather", booleans(5), integers(np.int64, 4, low=0, high=5)),
    case("gather_elements", "GatherElements", f32(3, 4), Const(integers(np.int64, 3, 2, low=-4,
         high=4)), axis=1),
    case("gather_elements_computed", "GatherElements", f32(3, 4), integers(np.int64, 5, 4, low=-3,
         high=3)),
    case("gather_elements_v11", "GatherElements", f32(2, 2, 3), integers(np.int32, 2, 2, 1, low=0,
         high=3), axis=-1, opset=11, oracle=ORT),
    case("gather_elements_narrower", "GatherElements", f32(4, 5, 3), integers(np.int64, 2, 5, 3,
         low=0, high=5), axis=1, oracle=ORT),
    case("gather_nd_elements", "GatherND", f32(3, 4), Const(np.array([[0, 1], [2, -1]]))),
    case("gather_nd_rows", "GatherND", f32(3, 4, 2), integers(np.int64, 5, 2, low=0, high=3)),
    case("gather_nd_one", "GatherND", f32(3, 4), integers(np.int64, 2, 1, low=-3, high=3)),
    case("gather_nd_batch", "GatherND", f32(2, 3, 4), integers(np.int64, 2, 5, 1, low=0, high=3),
         batch_dims=1),
    case("gather_nd_v11", "GatherND", f32(2, 3, 4), integers(np.int64, 2, 3, low=0, high=2),
         opset=11),
    case("one_hot", "OneHot", integers(np.int64, 2, 3, low=-6, high=6), Const(np.array(5)),
         Const(np.array([2, 7], np.float32)), out=np.float32),
    case("one_hot_axis", "OneHot", integers(np.int32, 2, 3, low=0, high=4), Const(np.array(4)),
         f32(2), axis=1, out=np.float32),
    case("one_hot_first_axis", "OneHot", integers(np.int64, 3, low=0, high=3),
         Const(np.array(3, np.float32)), Const(np.array([0, 1], np.int32)), axis=0, out=np.int32,
         opset=9),
)  # fmt: skip

_PADS = (
    case("pad_reflect", "Pad", f32(3, 5), i64s(2, 3, 1, 4), mode="reflect"),
    case("pad_reflect_far", "Pad", f32(2, 3), i64s(0, 7, 0, 8), mode="reflect",
         oracle=lambda x, _: np.pad(x, ((0, 0), (7, 8)), "reflect")),
    case("pad_reflect_one", "Pad", f32(1, 2), i64s(2, 0, 1, 0), mode="reflect",
         oracle=lambda x, _: np.pad(x, ((2, 1), (0, 0)), "reflect")),
    case("pad_reflect_image", "Pad", f32(1, 2, 4, 5), i64s(0, 0, 2, 3, 0, 0, 1, 4), mode="reflect"),
    case("pad_edge", "Pad", f32(2, 3), i64s(1, 4, 2, 0), mode="edge"),
    case("pad_edge_v2", "Pad", f32(2, 3), opset=2, pads=[1, 0, 0, 2], mode="edge"),
    case("pad_wrap", "Pad", f32(3, 4), i64s(2, 9, 1, 3), mode="wrap"),
    case("pad_edge_negative", "Pad", f32(4, 5), i64s(-1, 2, 1, -2), mode="edge",
         oracle=lambda x, _: np.pad(x[1:, :3], ((0, 1), (2, 0)), "edge")),
    case("pad_reflect_i32", "Pad", integers(np.int32, 5), i64s(3, 2), mode="reflect"),
    case("trilu_upper", "Trilu", f32(2, 4, 5)),
    case("trilu_upper_k", "Trilu", f32(4, 4), Const(np.array(2))),
    case("trilu_lower", "Trilu", f32(4, 5), upper=0),
    case("trilu_lower_k", "Trilu", integers(np.int64, 3, 4), Const(np.array(-1)), upper=0),
    case("trilu_infinite", "Trilu", np.full((3, 3), -np.inf, np.float32), Const(np.array(1))),
)  # fmt: skip


def _last(find):
    def found(x):
        return x.shape[1] - 1 - find(x[:, ::-1], 1, keepdims=True)

    return found


_TIES = np.array([[1, 3, 3, -1, -1], [2, 2, 2, 2, 2], [0, -5, 4, -5, 4]], np.float32)
_FIRST_NAN = np.array([[1, np.nan, 3], [np.inf, 1, -np.inf]], np.float32)

_SCANS = (
    case("arg_max", "ArgMax", f32(3, 4, 5), axis=1, out=np.int64),
    case("arg_max_default", "ArgMax", f32(3, 4), out=np.int64),
    case("arg_max_no_dims", "ArgMax", f32(3, 4, 5), axis=-1, keepdims=0, out=np.int64),
    case("arg_max_ties", "ArgMax", _TIES, axis=1, out=np.int64),
    case("arg_max_last", "ArgMax", _TIES, axis=1, select_last_index=1, out=np.int64,
         oracle=_last(np.argmax)),
    case("arg_max_nan", "ArgMax", _FIRST_NAN, axis=1, out=np.int64),
    case("arg_max_u8", "ArgMax", integers(np.uint8, 3, 9, low=0, high=256), axis=1, out=np.int64),
    case("arg_max_lowest", "ArgMax", np.full((2, 3), -np.inf, np.float32), axis=1, out=np.int64),
    case("arg_max_v1", "ArgMax", f32(3, 4), axis=1, opset=1, out=np.int64,
         oracle=lambda x: x.argmax(1, keepdims=True)),
    case("arg_max_f16", "ArgMax", f16(3, 4), axis=0, out=np.int64),
    case("arg_min", "ArgMin", f32(3, 4, 5), axis=2, out=np.int64),
    case("arg_min_last", "ArgMin", _TIES, axis=1, select_last_index=1, out=np.int64,
         oracle=_last(np.argmin)),
    case("arg_min_i32", "ArgMin", integers(np.int32, 4, 6), keepdims=0, opset=11, out=np.int64),
    case("cumsum", "CumSum", f32(2, 5), Const(np.array(1))),
    case("cumsum_negative_axis", "CumSum", f32(3, 4, 2), Const(np.array(-2)), opset=11),
    case("cumsum_exclusive", "CumSum", f32(5, 3), Const(np.array(0)), exclusive=1),
    case("cumsum_reverse", "CumSum", f32(2, 5), Const(np.array(1)), reverse=1),
    case("cumsum_reverse_exclusive", "CumSum", f32(2, 5), i64s(1), reverse=1, exclusive=1,
         oracle=ORT),
    case("cumsum_i64", "CumSum", integers(np.int64, 2, 5), Const(np.array(1, np.int32))),
    *(case(f"cumsum_{n}_axis_{axis}{'_reverse' * reverse}", "CumSum",
           f32(*(n, 3) if axis == 0 else (3, n)), Const(np.array(axis)),
           reverse=reverse, exclusive=1 - reverse)
      for n in (33, 100) for axis in (0, 1) for reverse in (0, 1)),
    case("cumsum_f16", "CumSum", f16(2, 5), Const(np.array(1)),
         oracle=lambda x, _: np.cumsum(x.astype(np.float32), 1).astype(np.float16)),
    case("cumprod", "CumProd", f32(2, 5), Const(np.array(1)), opset=26),
    case("cumprod_reverse_exclusive", "CumProd", f32(5, 3), Const(np.array(-2)), reverse=1,
         exclusive=1, opset=26),
    case("cumprod_wraps", "CumProd", integers(np.int32, 2, 40), Const(np.array(1)), opset=26),
    case("cumprod_zero_and_inf", "CumProd", np.array([2, np.inf, -3, 0, 1], np.float32),
         Const(np.array(0)), opset=26),
    *(case(f"cumprod_100_axis_{axis}", "CumProd", 1 + f32(*(100, 3) if axis == 0 else (3, 100)) / 9,
           Const(np.array(axis)), exclusive=axis, opset=26) for axis in (0, 1)),
)  # fmt: skip


def _layer_norm(x, scale, shift):
    wide = x.astype(np.float64)
    normal = (wide - wide.mean(-1, keepdims=True)) / np.sqrt(wide.var(-1, keepdims=True) + 1e-5)
    return (normal * scale + shift).astype(x.dtype)


def _lrn(size, alpha=1e-4, beta=0.75, bias=1.0):
    def normalised(x):
        total = np.zeros_like(x)
        for c in range(x.shape[1]):
            first, last = c - (size - 1) // 2, c + size // 2
            total[:, c] = (x[:, max(first, 0) : last + 1] ** 2).sum(1)
        return x / (bias + alpha / size * total) ** beta

    return normalised


def _lp_pool(x, p, window):
    parts = x.reshape(*x.shape[:2], x.shape[2] // window, window, x.shape[3] // window, window)
    return (np.abs(parts) ** p).sum((3, 5)) ** np.float32(1 / p)


_NORMS = (
    case("layer_norm_two_axes", "LayerNormalization", f32(2, 3, 4, 5), _const(4, 5), _const(4, 5),
         axis=2),
    case("layer_norm_whole", "LayerNormalization", f32(3, 4), _const(3, 4), axis=0, epsilon=0.1),
    case("layer_norm_computed", "LayerNormalization", f32(4, 33), f32(33), f32(33)),
    case("layer_norm_far_from_zero", "LayerNormalization", f32(4, 64) + np.float32(50), _const(64),
         _const(64), oracle=_layer_norm),
    case("layer_norm_scalar_scale", "LayerNormalization", f32(2, 8), _const(1), oracle=ORT),
    case("layer_norm_f64", "LayerNormalization", f64(2, 8), Const(f64(8)),
         oracle=lambda x, scale: _layer_norm(x, scale, 0)),
    case("lrn", "LRN", f32(2, 7, 3, 4), size=5, oracle=ORT),
    case("lrn_even", "LRN", f32(1, 6, 2, 3), size=4, alpha=0.2, beta=0.5, bias=2.0,
         oracle=_lrn(4, 0.2, 0.5, 2.0)),
    case("lrn_one", "LRN", f32(1, 6, 3), size=1, alpha=0.5, beta=1.0,
         oracle=_lrn(1, 0.5, 1.0)),
    case("lrn_wider_than_channels", "LRN", f32(1, 3, 2, 2), size=9, alpha=0.5, beta=0.6,
         oracle=ORT),
    case("lrn_v1", "LRN", 3 * f32(1, 20, 3, 3), size=3, alpha=0.9, opset=9,
         oracle=ORT),
    case("lp_pool", "LpPool", f32(1, 2, 6, 6), kernel_shape=[2, 2], strides=[2, 2]),
    case("lp_pool_pads", "LpPool", f32(1, 2, 5, 5), kernel_shape=[3, 2], pads=[1, 0, 1, 1], p=3,
         oracle=ORT),
    case("lp_pool_ceil", "LpPool", f32(1, 2, 5, 6), kernel_shape=[2, 3], strides=[2, 2],
         pads=[0, 1, 1, 0], ceil_mode=1, opset=18, oracle=ORT),
    case("lp_pool_ceil_dilated", "LpPool", f32(1, 1, 9, 7), kernel_shape=[2, 2], strides=[4, 3],
         dilations=[2, 1], p=3, ceil_mode=1, opset=18, oracle=ORT),
    case("lp_pool_l1", "LpPool", f32(1, 2, 6, 4), kernel_shape=[2, 2], strides=[2, 2], p=1,
         opset=11, oracle=lambda x: _lp_pool(x, 1, 2)),
    case("lp_pool_v1", "LpPool", f32(1, 2, 6, 4), kernel_shape=[2, 2], strides=[2, 2], p=2.0,
         opset=1, oracle=lambda x: _lp_pool(x, 2, 2)),
    case("global_lp_pool", "GlobalLpPool", f32(2, 3, 4, 5), opset=13, oracle=ORT),
    case("global_lp_pool_l1_v1", "GlobalLpPool", f32(2, 3, 4), p=1.0, opset=1,
         oracle=lambda x: np.abs(x).sum(2, keepdims=True)),
)  # fmt: skip

_RARE = (
    case("is_nan", "IsNaN", SPECIAL, out=np.bool_),
    case("is_nan_f16", "IsNaN", SPECIAL.astype(np.float16), out=np.bool_, opset=9),
    case("is_inf", "IsInf", SPECIAL, out=np.bool_),
    case("is_inf_positive", "IsInf", SPECIAL, out=np.bool_, detect_negative=0),
    case("is_inf_negative", "IsInf", SPECIAL, out=np.bool_, detect_positive=0, opset=10),
    case("is_inf_neither", "IsInf", SPECIAL, out=np.bool_, detect_positive=0, detect_negative=0),
    case("mod_fmod_f32", "Mod", 10 * f32(50), 3 * f32(50), fmod=1),
    case("mod_fmod_far", "Mod", np.array([1e6, -7.7e6, 5, -5], np.float32),
         np.array([0.3, 1.1, np.inf, -np.inf], np.float32), fmod=1),
    case("mod_fmod_f16", "Mod", f16(20), f16(20), fmod=1),
    case("mod_fmod_f64", "Mod", 10 * f64(20), f64(20), fmod=1),
    case("mod_floor_f32", "Mod", 10 * f32(50), 3 * f32(50), opset=28),
    case("mod_floor_infinite", "Mod", np.array([2, -2, 0, 3, -3], np.float32),
         np.array([np.inf, np.inf, -np.inf, -np.inf, -np.inf], np.float32), opset=28,
         oracle=np.mod),
    case("mod_floor_zero", "Mod", np.array([2, -2, 0, -0.0, -4, 4], np.float32),
         np.array([2, 2, 3, 3, -2, -2], np.float32), opset=28, oracle=np.mod),
    case("einsum_matmul", "Einsum", f32(3, 4), f32(4, 5), equation="ij,jk->ik"),
    case("einsum_repeats_batch", "Einsum", f32(1, 3, 4), f32(5, 4, 2), equation="bij,bjk->bik"),
    case("einsum_repeats_summed", "Einsum", f32(3, 1), f32(4, 2), equation="ij,jk->ik"),
    case("einsum_repeats_ellipsis", "Einsum", f32(2, 1, 3, 4), f32(1, 5, 4, 2),
         equation="...ij,...jk->...ik"),
    case("einsum_repeats_three", "Einsum", f32(3, 1), f32(1, 4), f32(3), equation="ij,ij,i->i"),
    case("einsum_of_ones", "Einsum", f32(1), f32(1), equation="i,i->i"),
    case("einsum_implicit", "Einsum", f32(3, 4), f32(4, 5), equation="ij,jk"),
    case("einsum_batch", "Einsum", f32(2, 3, 4), f32(2, 4, 5), equation="bij, bjk -> bik"),
    case("einsum_attention", "Einsum", f32(2, 5, 3, 4), f32(2, 6, 3, 4),
         equation="bqhd,bkhd->bhqk"),
    case("einsum_transpose", "Einsum", f32(2, 3, 4), equation="abc->cab"),
    case("einsum_sum", "Einsum", f32(2, 3, 4), equation="abc->b"),
    case("einsum_outer", "Einsum", f32(3), f32(4), equation="i,j->ji"),
    case("einsum_inner", "Einsum", f32(5), f32(5), equation="i,i->"),
    case("einsum_sums_one_side", "Einsum", f32(3, 4, 2), f32(4, 5), equation="ijs,jk->ki"),
    case("einsum_diagonal", "Einsum", f32(2, 5, 5), equation="...ii->...i"),
    case("einsum_trace", "Einsum", f32(3, 5, 3), equation="iji->j"),
    case("einsum_ellipsis", "Einsum", f32(2, 3, 4, 5), f32(2, 3, 5, 2),
         equation="...ij,...jk->...ik"),
    case("einsum_ellipsis_implicit", "Einsum", f32(2, 3, 4), equation="b...a"),
    case("einsum_three", "Einsum", f32(3, 4), f32(4, 5), f32(5, 2), equation="ij,jk,kl->il"),
    case("einsum_three_shared", "Einsum", f32(3, 4), f32(3, 4), f32(3), equation="ij,ij,i->i"),
    case("matmul_one_inner", "MatMul", f32(3, 1), f32(1, 20)),
    case("matmul_one_inner_batch", "MatMul", f32(2, 3, 1), f32(1, 1, 5)),
    case("where_broadcasts", "Where", booleans(3, 1), f32(4), f32(2, 1, 1), out=np.float32),
    case("global_lp_pool_positive", "GlobalLpPool", positive(1, 2, 3, 3), p=3, opset=13,
         oracle=ORT),
)  # fmt: skip

_CASTABLE = (
    np.float64, np.float32, np.float16, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16,
    np.uint32, np.uint64, np.bool_,
)  # fmt: skip
_CASTS = tuple(
    case(f"cast_{np.dtype(source).name}_to_{np.dtype(target).name}", "Cast",
         np.array([0, 1, 2, 3, 100], np.float64).astype(source), out=target,
         to=helper.np_dtype_to_tensor_dtype(np.dtype(target)))
    for source in _CASTABLE for target in _CASTABLE if source != target
)  # fmt: skip

MORE_CASES = (*_RESIZE, *_CONV_TRANSPOSE, *_LOOKUPS, *_PADS, *_SCANS, *_NORMS, *_RARE, *_CASTS)
