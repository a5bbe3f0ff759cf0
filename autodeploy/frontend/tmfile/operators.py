"""The operators of tmfiles: their numbers, their names, and the structs of their parameters.

A struct is written as in ``"i axis num_axes; f eps"``: letters of Python's ``struct``, names of
fields. ``V`` is the offset of a list of integers; ``-`` stands for a field that nothing reads.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

CONST = 4
INPUT = 12

_WINDOW = "kernel_h kernel_w stride_h stride_w"

_OPERATORS: Mapping[int, tuple[str, str]] = {
    0: ("Accuracy", ""),
    1: ("BatchNormalization", "f rescale_factor eps; i caffe_flavor"),
    2: ("BilinearResize", "f scale_x scale_y; i type"),
    3: ("Concat", "i axis"),
    CONST: ("Const", ""),
    5: (
        "Convolution",
        f"i {_WINDOW} dilation_h dilation_w input_channel output_channel group activation "
        "pad_h0 pad_w0 pad_h1 pad_w1",
    ),
    6: (
        "Deconvolution",
        f"i num_output {_WINDOW} pad_w0 pad_h0 pad_w1 pad_h1 dilation_h dilation_w group "
        "activation output_pad_h0 output_pad_w0",
    ),
    7: ("DetectionOutput", ""),
    8: ("Dropout", ""),
    9: ("Eltwise", "I type; i caffe_flavor; f shift power scale"),
    10: ("Flatten", "i axis end_axis"),
    11: ("FullyConnected", "i num_output"),
    INPUT: ("InputOp", ""),
    13: ("LRN", "i local_size; f alpha beta; i norm_region; f k bias; B is_onnx"),
    14: ("Normalize", "i across_spatial channel_shared"),
    15: ("Permute", "i flag order0 order1 order2 order3"),
    16: (
        "Pooling",
        f"I alg; i {_WINDOW} global caffe_flavor pad_h0 pad_w0 pad_h1 pad_w1",
    ),
    17: ("PReLU", ""),
    18: ("PriorBox", ""),
    19: ("Region", ""),
    20: ("ReLu", "f negative_slope"),
    21: ("ReLu6", ""),
    22: ("Reorg", "i stride"),
    23: ("Reshape", "i is_mxnet reverse; V shape; i is_onnx"),
    24: ("ROIPooling", ""),
    25: ("RPN", ""),
    26: ("Scale", "i axis num_axes bias_term"),
    27: (
        "Slice",
        "i axis; V slice_points begins sizes; i iscaffe ismxnet isonnx begin end step",
    ),
    28: ("Softmax", "i axis"),
    29: ("Split", "i axis split_dim; B is_caffe is_onnx; x -; x -; V sizes"),
    30: ("DetectionPostProcess", ""),
    31: ("Gemm", "f alpha beta; i transA transB"),
    32: ("Generic", ""),
    33: ("Logistic", ""),
    34: ("LSTM", ""),
    35: ("RNN", ""),
    36: ("Tanh", ""),
    37: ("Sigmoid", ""),
    38: ("Squeeze", "i dim_0 dim_1 dim_2 dim_3"),
    39: ("FusedBNScaleReLu", ""),
    40: (
        "Pad",
        "i pad_n_0 pad_n_1 pad_c_0 pad_c_1 pad_h_0 pad_h_1 pad_w_0 pad_w_1 mode; f value",
    ),
    41: (
        "StridedSlice",
        "i begin_n end_n stride_n begin_c end_c stride_c begin_h end_h stride_h "
        "begin_w end_w stride_w",
    ),
    42: ("ArgMax", "i axis keepdims"),
    43: ("ArgMin", "i axis keepdims"),
    44: ("TopKV2", ""),
    45: ("Reduction", "i dim_0 dim_1 dim_2 dim_3 type keepdim"),
    46: ("Max", ""),
    47: ("Min", ""),
    48: ("GRU", ""),
    49: ("Addn", "i axis"),
    50: ("SwapAxis", "i dim_0 dim_1"),
    51: ("Upsample", "f scale"),
    52: ("SpaceToBatchND", "i dilation_x dilation_y pad_top pad_bottom pad_left pad_right"),
    53: ("BatchToSpaceND", "i dilation_x dilation_y crop_top crop_bottom crop_left crop_right"),
    54: ("Resize", "f scale_x scale_y; i type"),
    55: ("ShuffleChannel", "i group"),
    56: ("Crop", "i num_args offset_c offset_h offset_w crop_h crop_w axis flag"),
    57: ("RoiAlign", ""),
    58: ("PsRoiPool", ""),
    59: ("Unary", "i type"),
    60: ("Expanddims", "i axis"),
    61: ("Bias", "i bias_size"),
    62: ("Noop", ""),
    63: ("Threshold", "f threshold"),
    64: ("Hardsigmoid", "f alpha beta"),
    65: ("Embed", "i num_output input_dim bias_term weight_data_size"),
    66: ("InstanceNorm", "f eps"),
    67: ("MVN", "i across_channels normalize_variance; f eps"),
    68: ("Absval", ""),
    69: ("Cast", "i type_from type_to"),
    70: ("HardSwish", "f alpha beta"),
    71: ("Interp", "i resize_type; f width_scale height_scale; i output_width output_height"),
    72: ("Selu", "f alpha lambda"),
    73: ("Elu", "f alpha"),
    74: ("BroadMul", ""),
    75: ("Gather", "i axis indices_num; B is_onnx"),
    76: ("Logical", "I type"),
    77: ("Transpose", "V shape"),
    78: ("Comparison", "i type"),
    79: ("SpaceToDepth", "i block_size"),
    80: ("DepthToSpace", "i block_size"),
    81: ("Reverse", ""),
    82: ("SparseToDense", ""),
    83: ("Ceil", ""),
    84: ("SquaredDifference", ""),
    85: ("Round", ""),
    86: ("ZerosLike", ""),
    87: ("Clip", "f max min"),
    88: ("Unsqueeze", "V axises"),
    89: ("ReduceL2", "i axis keepdim"),
    90: ("Mean", ""),
    91: ("MatMul", ""),
    92: ("Expand", "V shape; i dim_num"),
    93: ("Scatter", ""),
    94: ("Shape", ""),
    95: ("Where", ""),
    96: ("Tile", "i frame_flag reps_size; V reps"),
    97: ("Mish", ""),
    98: ("L2Pool", "i paddingType kernel_h kernel_w stride_h stride_w"),
    99: ("LogSoftmax", "i axis"),
    100: ("ReLU1", ""),
    101: ("L2Normalization", ""),
    102: ("Softplus", ""),
    103: ("Reciprocal", ""),
    104: ("NMS", ""),
    105: ("SpatialTransformer", ""),
    106: ("Gelu", ""),
    107: ("LayerNorm", "f eps"),
}


class Field(NamedTuple):
    """A field of a struct of parameters: its letter, its name, and the byte at which it starts."""

    letter: str
    name: str
    start: int


def operator_name(number: int) -> str:
    """Return the name of an operator, ``operator 120`` for a number that the format lacks."""
    return _OPERATORS[number][0] if number in _OPERATORS else f"operator {number}"


def operator_names() -> Mapping[str, int]:
    """Return all operators by name."""
    return {name: number for number, (name, _) in _OPERATORS.items()}


@cache
def fields_of(number: int) -> tuple[Field, ...]:
    """Return the parameters of an operator in the order of its struct."""
    found: list[Field] = []
    start = 0
    for group in filter(None, _OPERATORS.get(number, ("", ""))[1].split("; ")):
        letter, *names = group.split(" ")
        for name in names:
            found.append(Field(letter, name, start))
            start += letter_bytes(letter)
    return tuple(field for field in found if field.letter != "x")


def letter_bytes(letter: str) -> int:
    """Return how many bytes a field of this letter takes; structs have no padding but ``x``."""
    return struct.calcsize("I" if letter == "V" else letter)
