from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from compiled_cases import each_operator
from contrib_cases import CONTRIB_CASES
from imported_models import import_model_proto
from nn_numpy import evaluate
from onnx import defs, helper, numpy_helper
from onnx_case import Const, case, f32, i64s, integers
from onnx_cases import CASES
from quick import QUICK
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, FunctionType, ModuleOp, NameLoc, TensorType, f64
from xdsl.dialects.func import Func, FuncOp

from autodeploy.diagnostics import ModelError, UnsupportedError
from autodeploy.dialects.nn import NN
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.dialects.onnx import op_class
from autodeploy.lowering.onnx_to_nn.context import converted_operators, converter_of
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import ConvertOnnxToNnPass
from autodeploy.passes.onnx.inline_onnx_functions import InlineOnnxFunctionsPass
from autodeploy.weights import numpy_dtype


def context() -> Context:
    ctx = Context()
    for dialect in (Builtin, Func, NN):
        ctx.load_dialect(dialect)
    return ctx


def convert(model) -> tuple[Context, ModuleOp]:
    ctx = context()
    module = import_model_proto(ctx, model)
    InlineOnnxFunctionsPass(keep=converted_operators()).apply(ctx, module)
    ConvertOnnxToNnPass().apply(ctx, module)
    module.verify()
    return ctx, module


def forms(example) -> frozenset[tuple[str, ...]]:
    """Return the operators of a case with their attributes and the types of its inputs."""
    types = sorted({array.dtype.kind for array in example.inputs.values()})
    nodes = example.build(None).graph.node
    return frozenset((n.op_type, *types, *sorted(a.name for a in n.attribute)) for n in nodes)


@pytest.mark.every_case
@pytest.mark.parametrize(
    "example", each_operator(forms) if QUICK else CASES, ids=lambda example: example.name
)
def test_result_types_and_numbers_are_those_of_the_oracle(example):
    model = example.model()
    ctx, module = convert(model)
    function = next(op for op in module.walk() if isinstance(op, FuncOp))
    types = list(function.function_type.outputs)
    assert [shape_of(t) for t in types] == [value.shape for value in example.expected]
    declared = [
        helper.tensor_dtype_to_np_dtype(output.type.tensor_type.elem_type)
        for output in model.graph.output
    ]
    assert [numpy_dtype(element_of(t)) for t in types] == declared
    found = evaluate(ctx, module, list(example.inputs.values()))
    for ours, theirs in zip(found, example.expected, strict=True):
        tolerance = 2e-3 if ours.dtype.itemsize == 2 else 2e-5
        if ours.dtype.kind in "biu":
            np.testing.assert_array_equal(ours, theirs)
        else:
            a, b = (array.astype(np.float64) for array in (ours, theirs))
            # The oracle sums in 32 bits.
            size = np.abs(b[np.isfinite(b)]).max(initial=1)
            np.testing.assert_allclose(a, b, tolerance, tolerance * size)


_EXECUTE = Path(__file__).parents[2] / "execute"


def test_names_of_cases_differ():
    names = [example.name for example in CASES]
    assert sorted(set(names)) == sorted(names)


def test_every_converted_operator_has_a_case():
    examples = (*CASES, *CONTRIB_CASES)
    nodes = [node for example in examples for node in example.build(None).graph.node]
    covered = {f"{node.domain}.{node.op_type}".lstrip(".") for node in nodes}
    # NumPy has no strings of a bounded size and no maps, so that these have files of their own.
    strings = (_EXECUTE / "test_strings.py").read_text(encoding="utf-8")
    maps = (_EXECUTE / "test_maps.py").read_text(encoding="utf-8")
    # A check of runs is no operator of models; test_states.py has it.
    others = set(converted_operators()) - covered - {"autodeploy.Expect"}
    assert [
        name
        for name in others
        if f" {name}(" not in strings
        and f" {name}<" not in strings
        and f'"{name.rpartition(".")[2]}"' not in maps
    ] == []


@pytest.mark.parametrize("op_type", converted_operators())
def test_every_version_of_a_converted_operator_converts(op_type):
    domain, _, kind = op_type.rpartition(".")
    newest = defs.onnx_opset_version()
    classes = {op_class(kind, opset, domain) for opset in range(1, newest + 1)} - {None}
    assert classes
    own = [made for made in classes if made.text is None or not made.text.has_body]
    assert [made.name for made in own if converter_of(made) is None] == []


def model_of(nodes, inputs, outputs, constants=(), opset=17):
    """Make an f32 model; inputs and outputs are names with shapes, ``None`` an open extent."""
    infos = [
        [helper.make_tensor_value_info(name, 1, shape) for name, shape in named.items()]
        for named in (inputs, outputs)
    ]
    graph = helper.make_graph(nodes, "g", *infos, list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def test_nothing_of_onnx_and_no_unused_constant_remains():
    nodes = [
        helper.make_node("Reshape", ["x", "shape"], ["a"]),
        helper.make_node("Relu", ["a"], ["y"]),
    ]
    shape = numpy_helper.from_array(np.array([6]), "shape")
    _, module = convert(model_of(nodes, {"x": [2, 3]}, {"y": [6]}, [shape]))
    names = [op.name for op in module.walk()]
    assert names == ["builtin.module", "func.func", "nn.reshape", "nn.relu", "func.return"]


def test_ops_keep_the_name_of_their_node():
    node = helper.make_node("HardSwish", ["x"], ["y"], name="block/act:0")
    _, module = convert(model_of([node], {"x": [2]}, {"y": [2]}))
    found = [op.location for op in module.walk() if op.name.startswith("nn.")]
    assert len(found) > 1
    assert all(isinstance(loc, NameLoc) and loc.desc.data == "block/act:0" for loc in found)


def test_all_that_is_unsupported_is_listed_and_nothing_changes():
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="fine"),
        helper.make_node("Fold", ["a"], ["b"], name="zeros", domain="com.example"),
        helper.make_node("Gather", ["a", "b"], ["c"], name="after an unsupported one"),
        helper.make_node("Pad", ["a", "pads"], ["d"], name="pad it", mode="mirror"),
        helper.make_node("Bend", ["d"], ["e"], name="second", domain="com.example"),
        helper.make_node("Bend", ["d"], ["y"], name="first", domain="com.example"),
    ]
    pads = numpy_helper.from_array(np.array([1, 1, 1, 1]), "pads")
    model = model_of(nodes, {"x": [2, 2]}, {"y": []}, [pads])
    model.opset_import.add(domain="com.example", version=1)
    ctx = context()
    module = import_model_proto(ctx, model)
    with pytest.raises(UnsupportedError) as caught:
        ConvertOnnxToNnPass().apply(ctx, module)
    assert str(caught.value).splitlines() == [
        "the model has 4 nodes that cannot be converted",
        "  Pad-13 node 'pad it' on f32: mode 'mirror' is unknown, "
        "expected constant, reflect, edge, wrap",
        "  com.example.Bend 2 nodes ('second', 'first') on f32: this operator is not supported",
        "  com.example.Fold node 'zeros' on f32: this operator is not supported",
    ]


def test_a_dynamic_input_is_an_error_with_a_remedy():
    node = helper.make_node("Relu", ["x"], ["y"], name="first")
    with pytest.raises(UnsupportedError, match=r"'first' .*tensor<\?x3xf32>.*--shape"):
        convert(model_of([node], {"x": [None, 3]}, {"y": [None, 3]}))


def test_open_extents_of_outputs_are_computed():
    node = helper.make_node("Relu", ["x"], ["y"])
    _, module = convert(model_of([node], {"x": [4, 3]}, {"y": [None, 3]}))
    assert "-> (tensor<4x3xf32>" in str(module)


def test_subgraphs_of_an_unsupported_operator_are_listed_too():
    branch = [
        helper.make_graph(
            [helper.make_node("Fold", ["x"], [out], name=out, domain="com.example")], out, [],
            [helper.make_tensor_value_info(out, 1, [])],
        )
        for out in ("t", "e")
    ]  # fmt: skip
    node = helper.make_node("If", ["c"], ["y"], name="if", then_branch=branch[0],
                            else_branch=branch[1])  # fmt: skip
    condition = numpy_helper.from_array(np.array(True), "c")
    model = model_of([node], {"x": [2, 2]}, {"y": []}, [condition])
    model.opset_import.add(domain="com.example", version=1)
    with pytest.raises(UnsupportedError) as caught:
        convert(model)
    named = [line.split()[0] for line in str(caught.value).splitlines()[1:]]
    assert named == ["com.example.Fold"]


REJECTED = {
    "dropout_v6_trains": (case("d", "Dropout", f32(2), opset=6), "Dropout in training mode"),
    "batch_norm_v6_trains": (
        case("b", "BatchNormalization", f32(1, 2, 3), *[f32(2)] * 4, opset=6),
        "BatchNormalization in training mode",
    ),
    "v6_shapes_differ": (case("a", "Add", f32(2, 3), f32(3), opset=6), "without 'broadcast'"),
    "v6_no_part": (
        case("a", "Add", f32(2, 3), f32(2), opset=6, broadcast=1),
        r"shape \[2\] is no part of \[2, 3\] that starts at axis 1",
    ),
    "gather_outside": (case("g", "Gather", f32(4), i64s(4)), "outside of extent 4"),
    "reshape_computed": (case("r", "Reshape", f32(4), integers(np.int64, 1)), "'shape'"),
    "pad_too_much": (case("p", "Pad", f32(2), i64s(-2, -1)), "take away more than extent 2"),
    "clip_of_vectors": (case("c", "Clip", f32(3), Const(f32(3))), "'min' must be a scalar"),
    "clip_of_booleans": (
        case("c", "Clip", np.zeros(3, bool), Const(np.array(True))),
        "it takes numbers, found tensor<3xi1>",
    ),
    "gemm_fraction_of_integers": (
        case("g", "Gemm", integers(np.int32, 2, 2), integers(np.int32, 2, 2), alpha=0.5),
        "a Gemm of integers with alpha 0.5",
    ),
    "slice_step_0": (case("s", "Slice", f32(3), i64s(0), i64s(1), i64s(0), i64s(0)), "not be 0"),
    "gather_elements_outside": (
        case("g", "GatherElements", f32(4), i64s(-5)),
        "outside of extent 4",
    ),
    "gather_nd_too_deep": (
        case("g", "GatherND", f32(4), Const(np.array([[0, 1]]))),
        r"indices tensor<1x2xi64> do not fit tensor<4xf32>",
    ),
    "gather_nd_batch": (
        case("g", "GatherND", f32(2, 3), Const(np.array([[0], [1]])), batch_dims=2),
        "batch_dims 2 does not fit",
    ),
    "one_hot_computed_depth": (
        case("o", "OneHot", integers(np.int64, 2), np.array(3), Const(f32(2)), out=np.float32),
        "input 'depth' must be a constant, found an argument",
    ),
    "one_hot_of_nothing": (
        case(
            "o", "OneHot", integers(np.int64, 2), Const(np.array(0)), Const(f32(2)), out=np.float32
        ),
        "a depth of 0",
    ),
    "resize_computed": (
        case("r", "Resize", f32(1, 1, 2, 2), None, f32(4)),
        "input 'scales' must be a constant",
    ),
    "resize_antialias_integers": (
        case("r", "Resize", integers(np.int8, 4), None, None, i64s(2), antialias=1, mode="linear"),
        "antialiasing is supported on floating-point numbers only",
    ),
    "slice_computed": (
        case("s", "Slice", f32(4, 4), np.array([1, 1]), i64s(3, 3)),
        "input 'starts' must be a constant",
    ),
    "pad_computed_axes": (
        case("p", "Pad", f32(4), np.array([1, 1]), None, i64s(0, 1)),
        "input 'pads' must be a constant",
    ),
    "random_integers": (
        case("r", "RandomUniform", shape=[2], dtype=7, out=np.int64),
        "random numbers are floats, found type 7",
    ),
    "random_seed": (
        case("r", "RandomUniform", shape=[2], seed=1e30, out=np.float32),
        "is no 64-bit integer",
    ),
    "center_crop_pad_negative": (
        case("c", "CenterCropPad", f32(4), i64s(-1)),
        "'shape' must not be negative, found",
    ),
    "resize_cubic_integers": (
        case(
            "r",
            "Resize",
            integers(np.int32, 2, 2),
            None,
            None,
            i64s(4, 4),
            mode="cubic",
            out=np.int32,
        ),
        r"mode 'cubic' is not supported on tensor<2x2xi32>",
    ),
    "resize_linear_truth": (
        case("r", "Resize", np.array([True, False]), None, None, i64s(4), mode="linear", out=bool),
        r"mode 'linear' is not supported on tensor<2xi1>",
    ),
    "resize_unknown_mode": (
        case("r", "Resize", f32(1, 1, 2, 2), None, None, i64s(1, 1, 4, 4), mode="quintic"),
        "mode 'quintic' is unknown",
    ),
    "resize_unknown_coordinates": (
        case(
            "r",
            "Resize",
            f32(1, 1, 2, 2),
            None,
            None,
            i64s(1, 1, 4, 4),
            coordinate_transformation_mode="polar",
        ),
        "coordinate_transformation_mode 'polar' is unknown",
    ),
    "resize_no_roi": (
        case(
            "r",
            "Resize",
            f32(1, 1, 2, 2),
            None,
            None,
            i64s(1, 1, 4, 4),
            coordinate_transformation_mode="tf_crop_and_resize",
        ),
        "'roi' must have 8 entries, found 0",
    ),
    "resize_negative_scale": (
        case("r", "Resize", f32(2, 2), None, Const(np.array([1, -1], np.float32))),
        "'scales' must be positive, found -1.0",
    ),
    "resize_both": (
        case("r", "Resize", f32(2), None, Const(np.array([2], np.float32)), i64s(4)),
        "either 'scales' or 'sizes' must be given",
    ),
    "conv_transpose_groups": (
        case("c", "ConvTranspose", f32(1, 4, 3), Const(f32(4, 2, 3)), group=3),
        "does not fit 3 groups",
    ),
    "conv_transpose_kernel_shape": (
        case("c", "ConvTranspose", f32(1, 2, 3), Const(f32(2, 2, 3)), kernel_shape=[2]),
        r"kernel_shape \[2\] contradicts",
    ),
    "conv_transpose_auto_pad": (
        case("c", "ConvTranspose", f32(1, 2, 3), Const(f32(2, 2, 3)), auto_pad="MOST"),
        "auto_pad 'MOST' is unknown",
    ),
    "einsum_twice": (case("e", "Einsum", f32(3), equation="i->ii"), "names an axis twice"),
    "einsum_no_diagonal": (case("e", "Einsum", f32(3, 2), equation="ii->i"), "extents 3 and 2"),
    "einsum_sign": (case("e", "Einsum", f32(3, 3), equation="i+->i"), "has more than letters"),
    "einsum_ellipses": (
        case("e", "Einsum", f32(3, 2), f32(2), equation="...i,...i->..."),
        r"stand for \[0, 1\] axes",
    ),
    "einsum_of_three": (case("e", "Einsum", f32(2), f32(2), equation="i,i,i->"), "of 2 operands"),
    "lp_normalization_of_3": (case("l", "LpNormalization", f32(2), p=3), "p is 1 or 2"),
    "bit_cast_to_other_bits": (
        case("b", "BitCast", f32(2), out=np.int16, opset=26, to=5),
        "as many bits",
    ),
    "flex_attention_heads": (
        case(
            "f",
            "FlexAttention",
            *[f32(1, n, 3, 4) for n in (3, 2, 2)],
            opset=26,
            domain="ai.onnx.preview",
        ),
        "do not fit together",
    ),
    "range_of_open_extent": (
        case("r", "Range", np.array(0), np.array(2), np.array(1)),
        "'limit' must be a constant",
    ),
    "scatter_elements_other_extents": (
        case("s", "ScatterElements", f32(2, 3), np.zeros((2, 4), np.int64), f32(2, 4)),
        "do not fit",
    ),
    "scatter_nd_other_slices": (
        case("s", "ScatterND", f32(2, 3), np.zeros((1, 1), np.int64), f32(1, 2)),
        "do not fit",
    ),
    "scatter_of_booleans": (
        case(
            "s",
            "ScatterND",
            np.zeros(2, bool),
            np.zeros((1, 1), np.int64),
            np.zeros(1, bool),
            reduction="add",
        ),
        "a reduction 'add' of elements of type i1",
    ),
    "adam_without_states": (
        case(
            "a",
            "Adam",
            np.array(0.1, np.float32),
            np.array(1),
            f32(2),
            f32(2),
            out=[np.float32] * 2,
            domain="ai.onnx.preview.training",
        ),
        "2 tensors are no weights, gradients and states",
    ),
    "dft_of_the_parts": (
        case("d", "DFT", f32(4, 2), None, Const(np.array(1)), opset=20),
        "axis 1 of",
    ),
    "dft_onesided_of_complex": (
        case("d", "DFT", f32(4, 2), onesided=1, opset=20),
        "a one-sided transform",
    ),
    "stft_too_long": (
        case("s", "STFT", f32(1, 8, 1), Const(np.array(2)), f32(9), opset=17),
        "no frames of 9",
    ),
    "grid_sample_other_rank": (
        case("g", "GridSample", f32(1, 1, 3, 3), f32(1, 2, 2, 3)),
        "grid .* does not fit",
    ),
    "affine_grid_other_batch": (
        case("a", "AffineGrid", f32(2, 2, 3), i64s(1, 3, 5, 4)),
        r"size \[1, 3, 5, 4\]",
    ),
    "deform_conv_offsets": (
        case("d", "DeformConv", f32(1, 1, 3, 3), f32(1, 1, 2, 2), f32(1, 8, 3, 3)),
        "do not fit",
    ),
    "col2im_no_blocks": (
        case("c", "Col2Im", f32(1, 8, 5), i64s(4, 4), i64s(2, 2)),
        "does not hold blocks",
    ),
    "reverse_sequence_of_axis_2": (
        case("r", "ReverseSequence", f32(2, 3, 4), np.array([1, 2, 3]), time_axis=2),
        "are no sequences",
    ),
    "tensor_scatter_other_extents": (
        case("t", "TensorScatter", f32(2, 3, 4), f32(2, 3, 3), opset=24),
        "does not fit into",
    ),
    "einsum_wrong_rank": (
        case("e", "Einsum", f32(3, 3), equation="i->i"),
        "term 'i' does not name the axes",
    ),
    "einsum_two_extents": (
        case("e", "Einsum", f32(3), f32(2), out=np.float32, equation="i,i->i"),
        "axis 'i' has extents 3 and 2",
    ),
    "trilu_of_a_vector": (case("t", "Trilu", f32(3)), "Trilu takes rank 2 or more"),
    "mean_of_more_than_elements_count": (
        case("r", "ReduceMean", integers(np.int8, 2, 64)),
        "128 does not fit into i8",
    ),
    "split_uneven_v13": (case("s", "Split", f32(7), outputs=2, opset=13), "2 equal parts"),
}


@pytest.mark.parametrize("name", REJECTED)
def test_an_unsupported_operator_has_a_reason(name):
    example, reason = REJECTED[name]
    with pytest.raises(UnsupportedError, match=reason):
        convert(example.build(None))


def test_an_output_of_another_type_than_declared_is_an_error():
    ctx = context()
    module = import_model_proto(
        ctx, model_of([helper.make_node("Relu", ["x"], ["y"])], {"x": [2]}, {"y": [2]})
    )
    function = next(op for op in module.walk() if isinstance(op, FuncOp))
    function.function_type = FunctionType.from_lists(
        list(function.function_type.inputs), [TensorType(f64, [2])]
    )
    with pytest.raises(ModelError, match=r"output 0 of @main is declared as tensor<2xf64>"):
        ConvertOnnxToNnPass().apply(ctx, module)
