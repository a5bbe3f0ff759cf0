"""Cases of reductions, normalisations and softmax."""

from functools import partial

import numpy as np
from onnx_case import SPECIAL, Const, booleans, case, f16, f32, f64, i64s, integers, positive

ORT = "onnxruntime"
_KINDS = ["Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSum", "LogSumExp"]


def _softmax(x, axis):
    power = np.exp(x - x.max(axis, keepdims=True))
    return power / power.sum(axis, keepdims=True)


def _logits(rows):
    return np.array(rows, np.float32)


_REDUCTIONS = (
    *(case(f"reduce_{k.lower()}", f"Reduce{k}", positive(2, 3, 4), i64s(1)) for k in _KINDS),
    *(case(f"reduce_{k.lower()}_v11_negative", f"Reduce{k}", positive(2, 3, 4), axes=[-1, 0],
           keepdims=0, opset=11) for k in _KINDS),
    *(case(f"reduce_{k.lower()}_v1_all", f"Reduce{k}", positive(2, 3), opset=1) for k in _KINDS),
    *(case(f"reduce_{k.lower()}_noop", f"Reduce{k}", positive(2, 3), noop_with_empty_axes=1,
           oracle={"L2": np.abs, "L1": np.abs, "SumSquare": np.square, "LogSum": np.log}.get(
               k, lambda x: x)) for k in _KINDS),
    case("reduce_sum_v13_input", "ReduceSum", f32(2, 3, 4), i64s(-2), opset=13, keepdims=0),
    case("reduce_sum_empty_axes", "ReduceSum", f32(2, 3), i64s()),
    case("reduce_sum_all_no_dims", "ReduceSum", f32(2, 3), keepdims=0),
    case("reduce_sum_rank_0", "ReduceSum", np.array(2.5, np.float32)),
    case("reduce_sum_extent_1", "ReduceSum", f32(2, 1, 3), i64s(1), keepdims=0),
    case("reduce_sum_nothing", "ReduceSum", f32(2, 0, 3), i64s(1)),
    case("reduce_prod_nothing", "ReduceProd", f32(2, 0, 3), i64s(1), keepdims=0),
    case("reduce_sum_i64", "ReduceSum", integers(np.int64, 3, 4), i64s(0)),
    case("reduce_mean_i32", "ReduceMean", np.array([[-3, -4], [1, 2]], np.int32), i64s(1)),
    case("reduce_max_i8", "ReduceMax", integers(np.int8, 3, 4), i64s(0)),
    case("reduce_max_bool", "ReduceMax", booleans(3, 4), i64s(1)),
    case("reduce_min_bool", "ReduceMin", booleans(3, 4), i64s(1), keepdims=0),
    case("reduce_min_f64", "ReduceMin", f64(3, 4), i64s(0, 1)),
    case("reduce_l1_u32", "ReduceL1", integers(np.uint32, 3, 4, low=0, high=9), i64s(0)),
    case("reduce_l2_i32", "ReduceL2", integers(np.int32, 3, 4), i64s(0)),
    case("reduce_l2_noop_of_tiny_numbers", "ReduceL2", np.array([[-1e-35, 1e30]], np.float32),
         noop_with_empty_axes=1, oracle=np.abs),
    case("reduce_l2_f16_far", "ReduceL2", np.array([[300, -400], [250, 1]], np.float16), i64s(1),
         oracle=lambda x, _: np.hypot(*x.T.astype(np.float64)).astype(np.float16)[:, None]),
    case("reduce_log_sum_f16_far", "ReduceLogSum", np.full((3, 5), 2e4, np.float16), i64s(1),
         keepdims=0, oracle=lambda x, _: np.log(x.sum(1, dtype=np.float32)).astype(np.float16)),
    case("reduce_max_nan", "ReduceMax", SPECIAL.reshape(2, 7), i64s(1)),
    case("reduce_log_sum_exp_far", "ReduceLogSumExp", _logits([[1000, 999], [-1000, -1001]]),
         i64s(1)),
    case("reduce_log_sum_exp_infinite", "ReduceLogSumExp",
         _logits([[-np.inf, -np.inf], [np.inf, 1], [np.nan, 1], [-np.inf, 2]]), i64s(1),
         keepdims=0, oracle=lambda x, _: np.logaddexp(x[:, 0], x[:, 1])),
)  # fmt: skip


def _softmax_flat(x, axis):
    flat = x.reshape(int(np.prod(x.shape[:axis])), -1)
    return _softmax(flat, 1).reshape(x.shape)


_SOFTMAX = (
    case("softmax", "Softmax", f32(2, 3, 4)),
    case("softmax_axis_0", "Softmax", f32(3, 4), axis=0),
    case("softmax_axis_0_wide", "Softmax", f32(5, 28), axis=0),
    case("softmax_far", "Softmax", _logits([[1000, 999, 0], [-1000, -1000, -1e30]])),
    case("softmax_one_class", "Softmax", f32(3, 1)),
    case("softmax_f64", "Softmax", f64(2, 3)),
    case("softmax_v11_flattens", "Softmax", f32(2, 3, 4), opset=11,
         oracle=lambda x: _softmax_flat(x, 1)),
    case("softmax_v11_negative_axis", "Softmax", f32(2, 3, 4), opset=11, axis=-2,
         oracle=lambda x: _softmax_flat(x, 1)),
    case("softmax_v1_axis_0", "Softmax", f32(2, 3), opset=1, axis=0,
         oracle=lambda x: _softmax_flat(x, 0)),
    case("softmax_v1_last_axis", "Softmax", f32(2, 3, 4), opset=1, axis=2,
         oracle=lambda x: _softmax(x, 2)),
    case("softmax_v1_pixels_of_one", "Softmax", f32(2, 3, 1, 1), opset=1,
         oracle=lambda x: _softmax(x, 1)),
    case("log_softmax", "LogSoftmax", f32(2, 3, 4), axis=1),
    case("log_softmax_far", "LogSoftmax", _logits([[1000, 999, 0]]),
         oracle=lambda x: x - x.max() - np.log(np.exp(x - x.max()).sum())),
    case("log_softmax_v11_flattens", "LogSoftmax", f32(2, 3, 4), opset=11, axis=1,
         oracle=lambda x: np.log(_softmax_flat(x, 1))),
)  # fmt: skip


def _parameters(channels):
    return [Const(a) for a in (f32(channels), f32(channels), f32(channels), positive(channels))]


def _normalised(x, p, axis):
    wide = x.astype(np.float64)
    norm = np.sum(np.abs(wide) ** p, axis, keepdims=True) ** (1 / p)
    return np.where(norm == 0, 0, wide / norm).astype(x.dtype)


def _batch_norm(x, scale, shift, mean, variance):
    return (x - mean) / np.sqrt(variance + 1e-5) * scale + shift


_BATCH_NORM = (
    case("batch_norm", "BatchNormalization", f32(2, 3, 4, 5), *_parameters(3)),
    case("batch_norm_rank_2", "BatchNormalization", f32(4, 3), *_parameters(3), epsilon=0.1),
    case("batch_norm_rank_1", "BatchNormalization", f32(4), *_parameters(1), oracle=_batch_norm),
    case("batch_norm_v6", "BatchNormalization", f32(2, 3, 4), *_parameters(3), opset=6, is_test=1),
    case("batch_norm_v7", "BatchNormalization", f32(2, 3, 4), *_parameters(3), opset=7, oracle=ORT),
    case("batch_norm_v7_per_element", "BatchNormalization", f32(2, 3, 4),
         *(Const(a) for a in (f32(3, 4), f32(3, 4), f32(3, 4), positive(3, 4))), opset=7,
         spatial=0, oracle=_batch_norm),
    case("batch_norm_v9", "BatchNormalization", f32(2, 3, 4), *_parameters(3), opset=9, oracle=ORT),
    case("batch_norm_v14", "BatchNormalization", f32(2, 3, 4), *_parameters(3), opset=14),
    case("batch_norm_training", "BatchNormalization", f32(2, 3, 4, 5), *_parameters(3), opset=15,
         outputs=3, training_mode=1, momentum=0.7),
    case("batch_norm_training_rank_2", "BatchNormalization", f32(7, 3), *_parameters(3), opset=15,
         outputs=3, training_mode=1),
    *(
        case(f"l{p}_normalization_{x.shape[0]}_{axis % 3}", "LpNormalization", x, p=p, axis=axis,
             oracle=lambda x, p=p, axis=axis: _normalised(x, p, axis))
        for p, axis, x in (
            (1, 0, f32(3, 37)), (2, -1, f32(3, 37)), (2, 1, f16(2, 5, 3)),
            (1, -1, np.array([[0, 0, -0.0], [1, -3, np.inf]], np.float32)),
        )
    ),
    case("batch_norm_mixed_types", "BatchNormalization", f16(2, 3, 4), *_parameters(3)),
    case("batch_norm_computed", "BatchNormalization", f32(1, 2, 3), f32(2), f32(2), f32(2),
         positive(2)),
)  # fmt: skip


def _mean_variance(x, axes):
    centred = x.astype(np.float64) - x.mean(axes, np.float64, keepdims=True)
    deviation = np.sqrt(np.mean(centred**2, axes, keepdims=True))
    return (centred / (deviation + 1e-9)).astype(x.dtype)


def _instance_norm(x, scale, shift):
    axes = tuple(range(2, x.ndim))
    normal = (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-5)
    shape = (-1, *[1] * (x.ndim - 2))
    return normal * scale.reshape(shape) + shift.reshape(shape)


def _rms(x, scale):
    return x / np.sqrt(np.mean(x * x, -1, keepdims=True) + np.float32(1e-5)) * scale


_NORMS = (
    case("instance_norm", "InstanceNormalization", f32(2, 3, 4, 5), Const(f32(3)), Const(f32(3)),
         oracle=_instance_norm),
    case("mean_variance_norm", "MeanVarianceNormalization", f32(2, 3, 5, 7), axes=[0, -2, -1],
         oracle=partial(_mean_variance, axes=(0, 2, 3))),
    case("mean_variance_norm_v9", "MeanVarianceNormalization", f32(2, 3, 5, 7), opset=9,
         oracle=partial(_mean_variance, axes=(0, 2, 3))),
    # The mean of the squares less the square of the mean has too few digits here.
    case("mean_variance_norm_far_away", "MeanVarianceNormalization", f32(2, 3, 5, 7) + 30,
         oracle=partial(_mean_variance, axes=(0, 2, 3))),
    case("mean_variance_norm_f16", "MeanVarianceNormalization", f16(4, 30), axes=[1],
         oracle=partial(_mean_variance, axes=1)),
    case("instance_norm_v1_1d", "InstanceNormalization", f32(2, 3, 7), f32(3), f32(3), opset=1,
         oracle=_instance_norm),
    case("layer_norm", "LayerNormalization", f32(2, 3, 8), Const(f32(8)), Const(f32(8))),
    case("layer_norm_no_bias", "LayerNormalization", f32(2, 3, 8), Const(f32(8)), opset=17),
    case("layer_norm_axis_1", "LayerNormalization", f32(2, 3, 4), Const(f32(3, 4)), axis=1),
    case("layer_norm_three_outputs", "LayerNormalization", f32(2, 3, 4), Const(f32(4)),
         Const(f32(4)), outputs=3),
    case("layer_norm_f16", "LayerNormalization", f16(2, 8), Const(f16(8)), Const(f16(8))),
    case("group_norm", "GroupNormalization", f32(2, 6, 3, 5), Const(f32(6)), Const(f32(6)),
         num_groups=2),
    case("group_norm_f16", "GroupNormalization", f16(1, 4, 5), Const(f16(4)), Const(f16(4)),
         num_groups=4),
    case("rms_norm", "RMSNormalization", f32(2, 3, 8), Const(f32(8)), oracle=_rms),
)  # fmt: skip

REDUCTION_CASES = (*_REDUCTIONS, *_SOFTMAX, *_BATCH_NORM, *_NORMS)
