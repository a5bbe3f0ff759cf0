"""Cases of convolutions, matrix products and pools."""

import numpy as np
from onnx_case import Const, case, f32, f64, integers

ORT = "onnxruntime"


def _weights(*shape):
    return Const(f32(*shape))


_CONV = (
    case("conv_2d", "Conv", f32(1, 3, 7, 9), _weights(4, 3, 3, 3), _weights(4)),
    case("conv_no_bias", "Conv", f32(2, 3, 5, 5), _weights(2, 3, 2, 2), None),
    case("conv_1x1", "Conv", f32(1, 5, 3, 3), _weights(7, 5, 1, 1), _weights(7)),
    case("conv_1d", "Conv", f32(2, 3, 11), _weights(4, 3, 4), strides=[3], pads=[1, 2]),
    case("conv_3d", "Conv", f32(1, 2, 4, 5, 6), _weights(3, 2, 2, 3, 1), strides=[1, 2, 3]),
    case("conv_long_sum", "Conv", f32(1, 131, 4, 5), _weights(3, 131, 3, 2), _weights(3)),
    case("conv_long_sum_of_groups", "Conv", f32(1, 1042, 3), _weights(6, 521, 1), group=2),
    case("conv_rectangular", "Conv", f32(1, 2, 9, 4), _weights(3, 2, 5, 1), kernel_shape=[5, 1]),
    case("conv_pads_differ", "Conv", f32(1, 2, 5, 5), _weights(3, 2, 3, 3), pads=[0, 2, 1, 3]),
    case("conv_large_pads", "Conv", f32(1, 1, 2, 2), _weights(1, 1, 3, 3), pads=[4, 4, 4, 4]),
    case("conv_strides", "Conv", f32(1, 2, 8, 9), _weights(3, 2, 3, 3), strides=[2, 3]),
    case("conv_stride_above_window", "Conv", f32(1, 2, 9, 9), _weights(3, 2, 2, 2), strides=[4, 5]),
    case("conv_dilations", "Conv", f32(1, 2, 9, 9), _weights(3, 2, 3, 2), dilations=[2, 3]),
    case("conv_groups", "Conv", f32(1, 6, 5, 5), _weights(4, 3, 3, 3), _weights(4), group=2),
    case("conv_depthwise", "Conv", f32(1, 5, 6, 6), _weights(5, 1, 3, 3), group=5, pads=[1] * 4),
    case("conv_depthwise_multiplier", "Conv", f32(1, 3, 6, 6), _weights(6, 1, 3, 3), group=3),
    case("conv_window_is_image", "Conv", f32(1, 2, 4, 3), _weights(5, 2, 4, 3)),
    case("conv_computed_filter", "Conv", f32(1, 2, 5, 5), f32(3, 2, 3, 3), f32(3)),
    case("conv_f64", "Conv", f64(1, 2, 5, 5), Const(f64(3, 2, 3, 3))),
    case("conv_v1", "Conv", f32(1, 2, 5, 5), _weights(3, 2, 3, 3), opset=6, auto_pad="VALID"),
    *(
        case(f"conv_{mode.lower()}_{extent}_by_{stride}_window_{size}", "Conv",
             f32(1, 2, extent, extent + 1), _weights(3, 2, size, size), strides=[stride, stride],
             auto_pad=mode, opset=11, oracle=ORT)
        for mode in ("SAME_UPPER", "SAME_LOWER")
        for extent, stride, size in ((5, 1, 3), (6, 2, 3), (7, 2, 4), (5, 3, 2), (9, 4, 1))
    ),
    case("conv_same_upper_dilated", "Conv", f32(1, 2, 8, 8), _weights(3, 2, 3, 3),
         auto_pad="SAME_UPPER", dilations=[2, 2]),
    case("conv_valid", "Conv", f32(1, 2, 5, 5), _weights(3, 2, 2, 2), auto_pad="VALID"),
)  # fmt: skip

_MATMUL = (
    case("matmul", "MatMul", f32(3, 5), f32(5, 4)),
    case("matmul_long_sum", "MatMul", f32(3, 1297), _weights(1297, 5)),
    case("matmul_long_sum_of_a_vector", "MatMul", f32(1, 1100), _weights(1100, 7)),
    case("matmul_vectors", "MatMul", f32(5), f32(5)),
    case("matmul_vector_matrix", "MatMul", f32(5), f32(5, 4)),
    case("matmul_matrix_vector", "MatMul", f32(3, 5), f32(5)),
    case("matmul_vector_batch", "MatMul", f32(5), f32(2, 5, 4)),
    case("matmul_batch_vector", "MatMul", f32(2, 3, 5), f32(5)),
    case("matmul_batch_matrix", "MatMul", f32(2, 3, 4, 5), _weights(5, 6)),
    case("matmul_batches_broadcast", "MatMul", f32(2, 1, 3, 5), f32(4, 5, 2)),
    case("matmul_one_by_one", "MatMul", f32(1, 1), f32(1, 1)),
    case("matmul_no_inner", "MatMul", f32(2, 0), f32(0, 3)),
    case("matmul_i32", "MatMul", integers(np.int32, 2, 3), integers(np.int32, 3, 4)),
    case("gemm", "Gemm", f32(3, 5), _weights(5, 4), _weights(4)),
    case("gemm_trans_a", "Gemm", f32(5, 3), f32(5, 4), f32(3, 4), transA=1),
    case("gemm_trans_b", "Gemm", f32(3, 5), _weights(4, 5), _weights(1, 4), transB=1),
    case("gemm_trans_both", "Gemm", f32(5, 3), f32(4, 5), f32(3, 1), transA=1, transB=1),
    case("gemm_scalar_bias", "Gemm", f32(3, 5), f32(5, 4), np.array(0.5, np.float32)),
    case("gemm_no_bias", "Gemm", f32(3, 5), f32(5, 4), opset=11),
    case("gemm_alpha", "Gemm", f32(3, 5), f32(5, 4), f32(4), alpha=0.5),
    case("gemm_alpha_no_bias", "Gemm", f32(3, 5), f32(5, 4), alpha=-2.0),
    case("gemm_beta", "Gemm", f32(3, 5), f32(5, 4), _weights(4), beta=0.25),
    case("gemm_beta_0", "Gemm", f32(3, 5), f32(5, 4), f32(4), beta=0.0),
    case("gemm_alpha_beta", "Gemm", f32(3, 5), f32(5, 4), f32(3, 4), alpha=1.5, beta=-0.5),
    case("gemm_f16_far", "Gemm", np.full((2, 3), 200, np.float16), np.full((3, 4), 150, np.float16),
         np.full(4, -4e4, np.float16), alpha=0.5, beta=-0.5,
         oracle=lambda a, b, c: (0.5 * np.float32(a) @ np.float32(b) - 0.5 * c).astype(np.float16)),
    case("gemm_v6_broadcast", "Gemm", f32(3, 5), f32(5, 4), f32(4), opset=6, broadcast=1,
         oracle=lambda a, b, c: a @ b + c),
    case("gemm_i32", "Gemm", integers(np.int32, 2, 3), integers(np.int32, 3, 2),
         integers(np.int32, 2), alpha=2.0, oracle=lambda a, b, c: 2 * (a @ b) + c),
)  # fmt: skip

_PRODUCT_TAILS = tuple(
    case(f"gemm_{rows}x{inner}x{columns}", "Gemm", f32(rows, inner), _weights(inner, columns),
         _weights(columns))
    for rows, inner, columns in (
        (1, 7, 3), (1, 40, 1000), (1, 130, 65), (2, 1, 1), (7, 3, 10), (13, 17, 33), (15, 5, 24),
        (29, 9, 70), (49, 33, 144), (65, 16, 17), (3, 1024, 31), (9, 256, 520),
    )
)  # fmt: skip
"""Rows and columns that leave tiles over, long rows that are 4096 bytes apart."""

_POOLS = (
    case("max_pool", "MaxPool", f32(1, 2, 6, 7), kernel_shape=[2, 3]),
    case("max_pool_strides_pads", "MaxPool", f32(1, 2, 7, 7), kernel_shape=[3, 3], strides=[2, 2],
         pads=[1, 1, 1, 1]),
    case("max_pool_pads_differ", "MaxPool", f32(1, 2, 5, 6), kernel_shape=[3, 3],
         pads=[0, 1, 2, 1], oracle=ORT),
    case("max_pool_ceil", "MaxPool", f32(1, 2, 6, 7), kernel_shape=[3, 3], strides=[2, 2],
         ceil_mode=1),
    case("max_pool_ceil_drops_window", "MaxPool", f32(1, 1, 2, 2), kernel_shape=[1, 1],
         strides=[2, 2], ceil_mode=1),
    case("max_pool_ceil_pads", "MaxPool", f32(1, 1, 5, 5), kernel_shape=[2, 2], strides=[3, 3],
         pads=[1, 1, 1, 1], ceil_mode=1),
    case("max_pool_dilations", "MaxPool", f32(1, 2, 7, 8), kernel_shape=[2, 2], dilations=[3, 2]),
    case("max_pool_1d", "MaxPool", f32(2, 3, 9), kernel_shape=[2], strides=[2]),
    case("max_pool_3d", "MaxPool", f32(1, 2, 4, 5, 6), kernel_shape=[2, 2, 2], strides=[2, 1, 2]),
    case("max_pool_negative", "MaxPool", -1 - np.abs(f32(1, 2, 4, 4)), kernel_shape=[2, 2],
         pads=[1, 1, 1, 1]),
    case("max_pool_i8", "MaxPool", integers(np.int8, 1, 2, 5, 5), kernel_shape=[2, 2], opset=12,
         oracle=ORT),
    case("max_pool_u8", "MaxPool", integers(np.uint8, 1, 1, 4, 4, low=0, high=256),
         kernel_shape=[3, 3], opset=12, oracle=ORT, pads=[1, 1, 1, 1]),
    case("max_pool_v1", "MaxPool", f32(1, 2, 5, 5), kernel_shape=[2, 2], opset=7),
    case("max_pool_same_upper", "MaxPool", f32(1, 2, 5, 6), kernel_shape=[2, 2], strides=[2, 2],
         auto_pad="SAME_UPPER", oracle=ORT),
    case("max_pool_same_lower", "MaxPool", f32(1, 2, 5, 6), kernel_shape=[2, 2], strides=[2, 2],
         auto_pad="SAME_LOWER", oracle=ORT),
    case("max_pool_valid_ceil", "MaxPool", f32(1, 2, 6, 6), kernel_shape=[3, 3],
         strides=[2, 2], auto_pad="VALID", ceil_mode=1, oracle=ORT),
    case("average_pool_same_ceil", "AveragePool", f32(1, 2, 7, 8), kernel_shape=[3, 3],
         strides=[2, 3], auto_pad="SAME_UPPER", ceil_mode=1, oracle=ORT),
    case("average_pool", "AveragePool", f32(1, 2, 6, 7), kernel_shape=[2, 3]),
    case("average_pool_pads", "AveragePool", f32(1, 2, 5, 5), kernel_shape=[3, 3],
         pads=[1, 0, 2, 1]),
    case("average_pool_include_pad", "AveragePool", f32(1, 2, 5, 5), kernel_shape=[3, 3],
         pads=[1, 1, 1, 1], strides=[2, 2], count_include_pad=1),
    case("average_pool_ceil", "AveragePool", f32(1, 2, 6, 6), kernel_shape=[3, 3], strides=[2, 2],
         ceil_mode=1, oracle=ORT),
    case("average_pool_ceil_include_pad", "AveragePool", f32(1, 1, 6, 6), kernel_shape=[3, 3],
         strides=[2, 2], pads=[1, 1, 1, 1], ceil_mode=1, count_include_pad=1, oracle=ORT),
    case("average_pool_dilations", "AveragePool", f32(1, 2, 7, 7), kernel_shape=[2, 2],
         dilations=[2, 2], opset=19),
    case("average_pool_1d_v7", "AveragePool", f32(2, 3, 9), kernel_shape=[4], strides=[2], opset=7),
    case("average_pool_v1", "AveragePool", f32(1, 2, 4, 4), kernel_shape=[2, 2], opset=1,
         strides=[2, 2], oracle=lambda x: x.reshape(1, 2, 2, 2, 2, 2).mean((3, 5))),
    case("average_pool_same_upper", "AveragePool", f32(1, 2, 5, 5), kernel_shape=[2, 2],
         auto_pad="SAME_UPPER"),
    case("global_average_pool", "GlobalAveragePool", f32(2, 3, 5, 4)),
    case("global_average_pool_1d", "GlobalAveragePool", f32(2, 3, 5)),
    case("global_average_pool_3d", "GlobalAveragePool", f32(1, 2, 3, 4, 5)),
    case("global_average_pool_no_axes", "GlobalAveragePool", f32(2, 3), oracle=lambda x: x),
    case("global_max_pool", "GlobalMaxPool", f32(2, 3, 5, 4)),
)  # fmt: skip

LINEAR_CASES = (*_CONV, *_MATMUL, *_PRODUCT_TAILS, *_POOLS)
