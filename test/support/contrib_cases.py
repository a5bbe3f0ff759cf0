"""Cases of the operators that ONNX lacks and a text defines; onnxruntime says what is right."""

from __future__ import annotations

from collections.abc import Iterator
from math import erf

import numpy as np
from contrib_cases_attention import ATTENTION_CASES, ATTENTION_REFUSED_CASES
from contrib_cases_blocked import BLOCKED_CASES
from contrib_cases_optimised import OPTIMISED_CASES, OPTIMISED_REFUSED_CASES
from contrib_cases_quantised import QUANTISED_CASES, QUANTISED_REFUSED_CASES, ms
from onnx_case import Array, Const, OnnxCase, f32


def _activations() -> Iterator[OnnxCase]:
    """Yield products and convolutions with each activation."""
    image, weights = f32(1, 4, 5, 6), Const(f32(6, 2, 3, 3))
    for activation, *parameters in (
        *(("Relu",), ("Tanh",), ("Sigmoid",), ("HardSwish",), ("LeakyRelu", 0.2)),
        *(("Clip", -0.5, 0.75), ("HardSigmoid", 0.3, 0.4)),
    ):
        given = {"activation_params": parameters} if parameters else {}
        yield ms(
            f"fused_conv_{activation}",
            *("FusedConv", image, weights),
            **{
                "activation": activation,
                "group": 2,
                "kernel_shape": [3, 3],
                "pads": [1] * 4,
                **given,
            },
        )
    for activation, given in {
        **{name: {} for name in ("Relu", "Tanh", "Sigmoid", "Softplus", "Softsign")},
        **{name: {"activation_alpha": 0.3} for name in ("LeakyRelu", "Elu")},
        "ThresholdedRelu": {"activation_alpha": 0.3},
        "HardSigmoid": {"activation_alpha": 0.3, "activation_beta": 0.4},
        "Selu": {"activation_alpha": 1.6, "activation_gamma": 1.1},
    }.items():
        name = f"fused_gemm_{activation}"
        yield ms(name, "FusedGemm", f32(3, 4), f32(4, 5), activation=activation, **given)


def _split_gelu(x: Array, bias: Array) -> Array:
    linear, gate = np.split(x + bias, 2, axis=-1)
    return linear * gate * (np.vectorize(erf, [np.float32])(gate / np.sqrt(np.float32(2))) + 1) / 2


CONTRIB_CASES = (
    *ATTENTION_CASES,
    *QUANTISED_CASES,
    *OPTIMISED_CASES,
    *_activations(),
    ms("fused_conv_plain", "FusedConv", f32(1, 2, 5), Const(f32(3, 2, 2))),
    ms(
        "fused_conv_sum",
        *("FusedConv", f32(1, 2, 6, 6), Const(f32(3, 2, 3, 3)), f32(3), f32(1, 3, 3, 3)),
        activation="Relu",
        auto_pad="SAME_UPPER",
        strides=[2, 2],
    ),
    ms(
        "fused_conv_dilated",
        "FusedConv",
        f32(1, 1, 9),
        f32(2, 1, 3),
        activation="Relu",
        dilations=[2],
    ),
    ms(
        "fused_gemm_factors",
        *("FusedGemm", f32(4, 3), f32(5, 4), f32(3, 1)),
        activation="Relu",
        alpha=0.5,
        beta=2.0,
        transA=1,
        transB=1,
    ),
    ms("fused_matmul", "FusedMatMul", f32(3, 4), f32(4, 5)),
    ms(
        "fused_matmul_trans",
        "FusedMatMul",
        f32(2, 1, 4, 3),
        f32(3, 5, 4),
        alpha=0.5,
        transA=1,
        transB=1,
    ),
    ms("fused_matmul_vector", "FusedMatMul", f32(4), f32(4, 5), transA=1),
    ms("fused_matmul_vectors", "FusedMatMul", f32(2, 3, 4), f32(4), alpha=-3.0, transB=1),
    ms("transpose_matmul", "TransposeMatMul", f32(4, 3), f32(4, 5), transA=1),
    ms("transpose_matmul_b", "TransposeMatMul", f32(2, 3, 4), f32(2, 5, 4), alpha=2.0, transB=1),
    ms("gelu", "Gelu", f32(2, 9) * 3),
    ms("bias_gelu", "BiasGelu", f32(2, 3, 8), f32(8)),
    ms("fast_gelu", "FastGelu", f32(2, 3, 8) * 3),
    ms("fast_gelu_bias", "FastGelu", f32(2, 8), f32(8)),
    ms("quick_gelu", "QuickGelu", f32(2, 9)),
    ms("quick_gelu_alpha", "QuickGelu", f32(2, 9), alpha=-0.7),
    ms("layer_norm_before_17", "LayerNormalization", f32(2, 8), f32(8), domain="", opset=14),
    ms(
        "layer_norm_before_17_outputs",
        *("LayerNormalization", f32(2, 3, 8), f32(3, 8), f32(3, 8)),
        domain="",
        opset=9,
        axis=1,
        epsilon=0.1,
        outputs=3,
    ),
    ms("simplified_layer_norm", "SimplifiedLayerNormalization", f32(2, 8), f32(8), domain=""),
    ms(
        "simplified_layer_norm_axis",
        *("SimplifiedLayerNormalization", f32(2, 3, 8), f32(3, 8)),
        domain="",
        opset=10,
        axis=-2,
        epsilon=0.1,
        stash_type=1,
    ),
    ms("skip_layer_norm", "SkipLayerNormalization", f32(2, 3, 8), f32(2, 3, 8), f32(8)),
    ms(
        "skip_layer_norm_all",
        *("SkipLayerNormalization", f32(2, 3, 8), f32(3, 8), f32(8), f32(8), f32(8)),
        epsilon=0.1,
    ),
    ms("skip_rms_norm", "SkipSimplifiedLayerNormalization", f32(2, 3, 8), f32(2, 3, 8), f32(8)),
    ms(
        "skip_rms_norm_bias",
        *("SkipSimplifiedLayerNormalization", f32(2, 3, 8), f32(2, 3, 8), f32(8), f32(8)),
        epsilon=0.1,
    ),
    ms("bias_split_gelu", "BiasSplitGelu", f32(2, 3, 8), f32(8), oracle=_split_gelu),
    *BLOCKED_CASES,
    ms("bias_add", "BiasAdd", f32(2, 3, 4), f32(4), f32(2, 3, 4), oracle=lambda x, b, s: x + b + s),
)
"""A case or more of each text."""

REFUSED_CASES = (
    *ATTENTION_REFUSED_CASES,
    *QUANTISED_REFUSED_CASES,
    *OPTIMISED_REFUSED_CASES,
    (
        ms("fused_conv_odd", "FusedConv", f32(1, 1, 3), f32(1, 1, 1), activation="Odd"),
        "this activation is not supported",
    ),
    (
        ms("fused_gemm_none", "FusedGemm", f32(3, 4), f32(4, 5)),
        "this activation is not supported",
    ),
    (
        ms(
            "skip_layer_norm_mean",
            "SkipLayerNormalization",
            f32(1, 2),
            f32(1, 2),
            f32(2),
            outputs=2,
        ),
        "output 'mean' is not supported",
    ),
)
"""Cases that are refused, with the reason; those of all that texts refuse are here."""
