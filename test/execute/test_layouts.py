"""Each operator behind a convolution: whatever the layout inside, results lie as ONNX says.

All are outputs of one network, in which the convolution's result is read in both orders.
"""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import helper, numpy_helper
from own_numbers import OwnNumbers

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

pytestmark = pytest.mark.xdist_group("layouts")
"""All tests share what one worker has compiled."""

RANDOM = OwnNumbers(11)


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


INPUTS = {
    "x": normal(2, 3, 8, 9),
    "line": normal(2, 3, 9),
    "solid": normal(1, 2, 5, 6, 7),
    "image": normal(2, 4, 6, 7),
    "row": normal(7),
    "batch": normal(3, 2, 4, 6, 7),
    "matrix": normal(168, 5),
    "filter": normal(5, 4, 2, 2),
}

CONSTANTS = {
    "w": normal(4, 3, 3, 3),
    "b": normal(4),
    "w_line": normal(4, 3, 2),
    "w_solid": normal(3, 2, 2, 2, 3),
    "w_next": normal(5, 4, 3, 3),
    "w_groups": normal(6, 2, 3, 3),
    "w_each": normal(4, 1, 3, 3),
    "w_one": normal(1, 4, 1, 1),
    "w_mixed": normal(5, 4, 1, 1),
    "w_up": normal(4, 3, 2, 2),
    "w_large": normal(2, 4, 6, 7),
    "weights": normal(168, 5),
    "weights_turned": normal(5, 168),
    "weights_last": normal(7, 3),
    "bias": normal(5),
    "scalar": np.array(0.5, np.float32),
    "one": np.array([0.25], np.float32),
    "ones": np.full((1, 1, 1, 1), 2, np.float32),
    "per_channel": normal(4, 1, 1),
    "per_channel_full": normal(1, 4, 1, 1),
    "per_row": normal(6, 1),
    "per_image": normal(2, 1, 1, 1),
    "per_pixel": normal(6, 7),
    "holds": RANDOM.random((6, 7)) < 0.5,
    "positive": np.abs(normal(4)) + np.float32(0.5),
    "channel": np.array(2),
    "channels": np.array([3, 1, 0]),
    "rows": np.array([4, 2]),
    **{f"n{axes}": np.array(list(map(int, axes))) for axes in ("0", "1", "3", "12", "13", "23")},
    "n01": np.array([0, 1]),
    "n023": np.array([0, 2, 3]),
    "flat": np.array([2, -1]),
    "merged": np.array([8, 42]),
    "pixels": np.array([2, 4, 42]),
    "groups": np.array([2, 2, 2, 6, 7]),
    "back": np.array([2, 4, 6, 7]),
    "wide": np.array([3, 2, 4, 6, 7]),
    "times": np.array([1, 2, 1, 3]),
    "pads": np.array([0, 1, 0, 2, 1, 0, 1, 0]),
    "pads_inside": np.array([0, 0, 2, 1, 0, 0, 1, 2]),
    "starts": np.array([1, 4, -1]),
    "ends": np.array([4, 0, -8]),
    "axes": np.array([1, 2, 3]),
    "steps": np.array([2, -2, -3]),
    "sizes": np.array([1, 3]),
    "scales": np.array([1, 1, 2, 1.5], np.float32),
    "no_roi": np.zeros(0, np.float32),
}

NODES: list = []


def add(op_type: str, inputs: str, output: str = "", **attributes: object) -> str:
    """Add a node; the names of inputs are words, ``-`` is one that is left out."""
    name = output or f"t{len(NODES)}"
    names = ["" if word == "-" else word for word in inputs.split()]
    NODES.append(helper.make_node(op_type, names, name.split(), **attributes))
    return name


def _build() -> None:
    """C is the convolution's result, 2x4x6x7."""
    add("Conv", "x w b", "c")
    add("Relu", "c", "relu")
    for operand in ("scalar", "one", "ones", "per_channel", "per_channel_full", "per_row",
                    "per_image", "per_pixel", "row", "image", "batch", "c"):  # fmt: skip
        add("Sub", f"{operand} c", f"sub_{operand}")
    add("Where", "holds c per_channel", "where")
    add("Where", f"{add('Less', 'c image')} scalar c", "where_less")
    add("Add", f"{add('GlobalMaxPool', 'c')} per_pixel", "add_wider")
    add("Mul", f"c {add('GlobalAveragePool', 'c')}", "squeeze_and_excite")
    add("PRelu", "c per_channel", "prelu")
    add("Concat", "c image", "concat_1", axis=1)
    add("Concat", f"image {add('Relu', 'c')} c", "concat_0", axis=0)
    add("Concat", "c c", "concat_3", axis=-1)
    add("Concat", f"{add('Concat', 'c image', axis=1)} {add('Concat', 'image c', axis=1)}",
        "concat_twice", axis=2)  # fmt: skip
    add("Slice", "c starts ends axes steps", "slice")
    add("Split", "c sizes", "split_a split_b", axis=1)
    add("Pad", "c pads scalar", "pad")
    add("Pad", "c pads_inside", "pad_reflect", mode="reflect")
    for axis in (1, 2, 3):
        add("Softmax", "c", f"softmax_{axis}", axis=axis)
        add("ArgMax", "c", f"argmax_{axis}", axis=axis, keepdims=axis % 2)
    add("LogSoftmax", "c", "log_softmax", axis=1)
    for axes in ("0", "1", "3", "01", "12", "13", "23", "023"):
        add("ReduceSum", f"c n{axes}", f"sum_{axes}", keepdims=0)
    add("ReduceMax", "c", "max_kept", axes=[1, 3])
    add("ReduceMean", "c", "mean_all", keepdims=0)
    add("CumSum", "c n1", "cumsum")
    for order in ((0, 2, 3, 1), (0, 3, 1, 2), (1, 0, 2, 3), (3, 2, 1, 0), (0, 1, 3, 2)):
        add("Transpose", "c", "transpose_" + "".join(map(str, order)), perm=order)
    add("Relu", add("Transpose", add("Neg", "c"), perm=[0, 2, 3, 1]), "transpose_later")
    add("Reshape", "c flat", "flat_out")
    add("Reshape", "c merged", "merge")
    add("Reshape", "c pixels", "pixels_out")
    shuffled = add("Transpose", add("Reshape", "c groups"), perm=[0, 2, 1, 3, 4])
    add("Relu", add("Reshape", f"{shuffled} back"), "channel_shuffle")
    flat = add("Flatten", add("Relu", "c"))
    add("Gemm", f"{flat} weights bias", "gemm")
    add("Gemm", f"{flat} weights_turned bias", "gemm_turned", transB=1)
    add("MatMul", f"{add('Flatten', add('Abs', 'c'))} matrix", "product_of_inputs")
    shared = add("Flatten", add("Neg", "c"))
    add("MatMul", f"{shared} weights", "product_and_more")
    add("Relu", shared, "more")
    add("Gemm", f"{add('Flatten', add('Exp', 'c'))} weights {add('MatMul', f'{shared} weights')}",
        "product_as_bias")  # fmt: skip
    add("MatMul", "c weights_last", "product_of_rows")
    add("MatMul", f"per_pixel {add('Transpose', 'c', perm=[0, 1, 3, 2])}", "product_of_images")
    add("Flatten", "c", "flatten_2", axis=2)
    add("Flatten", add("Conv", "c w_one"), "one_channel")
    add("PRelu", f"{add('Conv', 'c w_mixed')} ones", "one_slope")
    add("Flatten", add("Conv", "c w_large"), "one_place")
    add("Squeeze", f"{add('Conv', 'c w_large')} n23", "squeeze")
    add("Unsqueeze", "c n0", "unsqueeze")
    add("Expand", "c wide", "expand")
    add("Tile", "c times", "tile")
    add("Gather", "c channel", "gather_one", axis=1)
    add("Gather", "c channels", "gather_channels", axis=1)
    add("Gather", "c rows", "gather_rows", axis=2)
    add("DepthToSpace", "c", "depth_to_space", blocksize=2)
    add("SpaceToDepth", add("Pad", "c pads_inside"), "space_to_depth", blocksize=1)
    add("Resize", "c no_roi scales", "resize", mode="linear")
    add("BatchNormalization", "c b b b positive", "batch_norm")
    add("InstanceNormalization", "c b b", "instance_norm")
    add("LayerNormalization", "c row", "layer_norm")
    add("LRN", "c", "lrn", size=3)
    add("Conv", "c filter", "computed_filter")
    add("Conv", f"{add('Relu', 'c')} w_next", "conv_of_relu", strides=[2, 1], pads=[1, 0, 2, 1])
    add("Conv", "c w_groups", "conv_groups", group=2)
    add("Conv", "c w_each", "conv_each", group=4, dilations=[2, 1])
    add("Conv", "c c", "conv_with_itself")
    add("ConvTranspose", "c w_up", "conv_transpose", strides=[2, 1])
    add("MaxPool", "c", "max_pool", kernel_shape=[3, 2], strides=[2, 2], pads=[1, 1, 1, 0])
    add("AveragePool", "c", "average_pool", kernel_shape=[2, 3], pads=[1, 1, 0, 1])
    add("Conv", "line w_line", "conv_1d")
    add("Softmax", add("MaxPool", "conv_1d", kernel_shape=[2]), "softmax_1d", axis=1)
    add("Conv", "solid w_solid", "conv_3d")
    add("ReduceSum", f"{add('Relu', 'conv_3d')} n13", "sum_3d", keepdims=0)
    add("Add", f"{add('Transpose', 'conv_3d', perm=[0, 2, 3, 4, 1])} one", "transpose_3d")


_build()
OUTPUTS = [
    name for node in NODES for name in node.output if not (name[0] == "t" and name[1:].isdigit())
]


def model(outputs: list) -> bytes:
    graph = helper.make_graph(
        NODES,
        "layouts",
        [_info(name, array) for name, array in INPUTS.items()],
        outputs,
        [numpy_helper.from_array(array, name) for name, array in CONSTANTS.items()],
    )
    imports = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()


def _info(name: str, array: np.ndarray):
    number = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_value_info(name, number, array.shape)


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return what the compiled network and onnxruntime find for each output."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    open_outputs = [helper.make_empty_tensor_value_info(name) for name in OUTPUTS]
    session = onnxruntime.InferenceSession(model(open_outputs), options)
    expected = session.run(OUTPUTS, INPUTS)
    known = [_info(name, array) for name, array in zip(OUTPUTS, expected, strict=True)]
    bundle = tmp_path_factory.mktemp("layouts") / "bundle"
    compile_model(model(known), bundle, CompileOptions(level=2))
    with load_bundle(bundle) as session:
        found = session.run(INPUTS)
    return {name: (found[name], numbers) for name, numbers in zip(OUTPUTS, expected, strict=True)}


@pytest.mark.exhaustive
@pytest.mark.parametrize("output", OUTPUTS)
def test_an_operator_after_a_convolution(results, output):
    assert_close(*results[output])
