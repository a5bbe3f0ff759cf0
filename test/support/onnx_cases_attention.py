"""Cases of attention with states or subgraphs, of ranges, and of steps of training."""

import numpy as np
from onnx import TensorProto, helper
from onnx_case import case, f16, f32, f64, positive


def _subgraph(nodes, *initializers):
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, list("BHLS")) for name in "xy"]
    return helper.make_graph(nodes, "changed", values[:1], values[1:], initializers)


_SHIFTED = _subgraph(
    [
        helper.make_node("Add", ["x", "bias"], ["shifted"]),
        helper.make_node("Tanh", ["shifted"], ["y"]),
    ],
    helper.make_tensor("bias", TensorProto.FLOAT, [], [0.5]),
)
_HALVED = _subgraph(
    [helper.make_node("Mul", ["x", "half"], ["y"])],
    helper.make_tensor("half", TensorProto.FLOAT, [], [0.5]),
)


def _flex(name, *inputs, **attributes):
    return case(name, "FlexAttention", *inputs, opset=26, domain="ai.onnx.preview", **attributes)


def _flex_attention(q, k, v, factor=1.0):
    scores = np.tanh(np.einsum("bhle,bhse->bhls", q, k) / np.sqrt(q.shape[-1]) + 0.5)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    return (factor * weights @ v).astype(q.dtype)


def _training(name, op_type, count, groups, tensors, dtype=np.float32, **attributes):
    """Return a step on several tensors; the last group of them has squares."""
    values = [positive(3, 2 + i).astype(dtype) for _ in range(groups) for i in range(tensors)]
    return case(name, op_type, np.array(0.1, np.float32), np.array(count), *values,
                out=[dtype] * (groups - 1) * tensors, domain="ai.onnx.preview.training",
                **attributes)  # fmt: skip


def _numbers(*values, dtype=np.float32):
    return [np.array(value, dtype) for value in values]


ATTENTION_CASES = (
    _flex("flex_attention", f32(2, 3, 5, 8), f32(2, 3, 7, 8), f32(2, 3, 7, 4)),
    _flex("flex_attention_groups", f32(1, 6, 5, 4), f32(1, 2, 3, 4), f32(1, 2, 3, 4), scale=0.3),
    _flex("flex_attention_f16", f16(1, 2, 4, 8), f16(1, 2, 4, 8), f16(1, 2, 4, 8)),
    _flex("flex_attention_f64", f64(1, 2, 4, 8), f64(1, 2, 4, 8), f64(1, 2, 4, 8)),
    _flex("flex_attention_scores", f32(1, 2, 3, 4), f32(1, 2, 5, 4), f32(1, 2, 5, 4),
          score_mod=_SHIFTED, oracle=_flex_attention),
    _flex("flex_attention_weights", f32(1, 2, 3, 4), f32(1, 2, 5, 4), f32(1, 2, 5, 4),
          score_mod=_SHIFTED, prob_mod=_HALVED,
          oracle=lambda q, k, v: _flex_attention(q, k, v, 0.5)),
    case("linear_attention", "LinearAttention", f32(2, 5, 16), f32(2, 5, 16), f32(2, 5, 12),
         opset=27, out=[np.float32] * 2, q_num_heads=2, kv_num_heads=2, update_rule="linear"),
    case("linear_attention_gated_delta", "LinearAttention", f32(1, 4, 16), f32(1, 4, 16) / 4,
         f32(1, 4, 8), f32(1, 2, 8, 4), -np.abs(f32(1, 4, 16)), np.abs(f32(1, 4, 2)) / 4,
         opset=27, out=[np.float32] * 2, q_num_heads=2, kv_num_heads=2),
    _training("momentum", "Momentum", 3, 3, 1, alpha=0.9, beta=0.3, norm_coefficient=0.01,
              mode="standard"),
    _training("momentum_first", "Momentum", 0, 3, 2, alpha=0.9, beta=0.3, norm_coefficient=0.01,
              mode="nesterov"),
    _training("adagrad", "Adagrad", 2, 3, 2, decay_factor=0.1, norm_coefficient=0.01),
    _training("adam", "Adam", 3, 4, 2, norm_coefficient=0.01, norm_coefficient_post=0.02),
    _training("adam_first", "Adam", 0, 4, 1),
    case("range_computed", "Range", *_numbers(1, 9.9, 2.5)),
    case("range_computed_down", "Range", *_numbers(7, -6, -3, dtype=np.int32)),
    case("range_computed_whole", "Range", *_numbers(-4, 8, 3, dtype=np.int64)),
    case("range_computed_none", "Range", *_numbers(5, 2, 1, dtype=np.int16)),
    case("hann_window_computed", "HannWindow", np.array(11, np.int32), out=np.float32),
    case("blackman_window_computed", "BlackmanWindow", np.array(8, np.int64), out=np.float32,
         periodic=0),
)  # fmt: skip
