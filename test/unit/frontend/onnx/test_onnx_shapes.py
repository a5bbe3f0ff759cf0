"""Shapes given to inputs, the types that follow, and inputs that stay open."""

import re
import warnings

import numpy as np
import pytest
from imported_models import import_model_proto
from onnx import ModelProto, TensorProto, ValueInfoProto, helper
from onnx.shape_inference import infer_shapes
from xdsl.dialects.builtin import ModuleOp

from autodeploy.diagnostics import ModelError, ModelWarning
from autodeploy.frontend.onnx import shapes as onnx_shapes
from autodeploy.frontend.onnx.open_inputs import open_inputs
from autodeploy.frontend.onnx.shapes import DIMS_ATTRIBUTE

from .onnx_models import context, floats, main_of, model, ops_of, relu, reparsed, weight


def declared(shape: list[int | str] | None, dtype: int = TensorProto.FLOAT) -> ModelProto:
    """Return a model whose output of 2 x 3 floats is declared as something else."""
    output = helper.make_tensor_value_info("y", dtype, shape)
    return model([helper.make_node("Relu", ["x"], ["y"])], [floats("x", ("N", 3))], [output])


@pytest.mark.parametrize("shape", [[2, 4], [2], [2, 3, 1], [], [5, "M"]])
def test_an_output_of_another_shape_than_is_declared_is_as_it_is_computed(shape: list[int | str]):
    said = (
        f"output 'y' is declared as [{', '.join(map(str, shape))}], but the model computes [2, 3]"
    )
    with pytest.warns(ModelWarning, match=re.escape(said)) as found:
        module = import_model_proto(context(), declared(shape), shapes={"x": (2, 3)})
    assert len(found) == 1
    assert signature(module) == "(tensor<2x3xf32>) -> tensor<2x3xf32>"


@pytest.mark.parametrize("shape", [[2, 3], ["N", 3], [None, "M"], None])
def test_an_output_that_may_be_as_it_is_declared_is_nothing_to_warn_of(
    shape: list[int | str] | None,
):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module = import_model_proto(context(), declared(shape), shapes={"x": (2, 3)})
    assert signature(module) == "(tensor<2x3xf32>) -> tensor<2x3xf32>"


def test_an_output_of_other_elements_than_are_declared():
    said = "output 'y' is declared with elements of type int64, but the model computes float"
    with pytest.raises(ModelError, match=said):
        import_model_proto(context(), declared([2, 3], TensorProto.INT64))


def test_an_output_of_elements_that_onnx_lacks():
    said = "output 'y' is declared with elements of type 999, but the model computes float"
    with pytest.raises(ModelError, match=said):
        import_model_proto(context(), declared([2, 3], 999))


@pytest.mark.parametrize("shape", [["N", 3], [2, "M"], None])
def test_an_input_that_is_an_output_keeps_its_shape(shape: list[int | str] | None):
    inputs = [floats("x", [2, 3])]
    proto = model([helper.make_node("Relu", ["x"], ["y"])], inputs, [floats("y", None)])
    proto.graph.output.append(floats("x", shape))
    module = import_model_proto(context(), proto)
    assert signature(module) == "(tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)"
    assert open_inputs(module) is None


def test_an_open_input_that_is_an_output_is_fixed_by_its_shape():
    proto = model([], [floats("x", ["N", 3])], [floats("x", [2, 3])])
    module = import_model_proto(context(), proto)
    assert "leaves extents of its inputs open: 'x'" in str(open_inputs(module))
    module = import_model_proto(context(), proto, shapes={"x": (2, 3)})
    assert signature(module) == "(tensor<2x3xf32>) -> tensor<2x3xf32>"


@pytest.mark.parametrize("shape", [["N", 3], None])
def test_a_weight_that_is_an_output_keeps_its_shape(shape: list[int | str] | None):
    nodes = [helper.make_node("Slice", ["w", "first", "last"], ["y"])]
    weights = [weight("w", np.ones((4, 3), np.float32))]
    weights += [weight(n, np.array([v])) for n, v in (("first", 1), ("last", 3))]
    proto = model(nodes, [], [floats("y", None), floats("w", shape)], weights)
    module = import_model_proto(context(), proto)
    assert signature(module) == "() -> (tensor<2x3xf32>, tensor<4x3xf32>)"


def test_a_negative_extent_is_an_open_one_for_inference_too():
    nodes = [helper.make_node("Slice", ["x", "first", "last", "axis"], ["y"])]
    weights = [weight(n, np.array([v])) for n, v in (("first", 0), ("last", 2), ("axis", 0))]
    proto = model(nodes, [floats("x", [-1, 3])], [floats("y", ["n", 3])], weights)
    module = import_model_proto(context(), proto)
    assert "leaves extents of its inputs open: 'x'" in str(open_inputs(module))
    module = import_model_proto(context(), proto, shapes={"x": (5, 3)})
    assert signature(module) == "(tensor<5x3xf32>) -> tensor<2x3xf32>"


def two_inputs(one: list[int | str], other: list[int | str]) -> ModelProto:
    nodes = [helper.make_node("Relu", [x], [f"{x}_out"]) for x in ("image", "mask")]
    inputs = [floats("image", one), floats("mask", other)]
    return model(nodes, inputs, [floats("image_out", None), floats("mask_out", None)])


def signature(module: ModuleOp) -> str:
    return str(main_of(module).function_type)


def test_fixed_shapes_pass():
    ctx = context()
    module = import_model_proto(ctx, relu((2, 3)))
    assert signature(reparsed(ctx, module)) == "(tensor<2x3xf32>) -> tensor<2x3xf32>"
    assert open_inputs(module) is None


@pytest.mark.parametrize("extent", ["N", "2*N", "?", "", -1, None])
def test_an_extent_that_is_open_stays_so(extent: int | str | None):
    ctx = context()
    module = import_model_proto(ctx, relu((extent, 3)))
    assert signature(reparsed(ctx, module)) == "(tensor<?x3xf32>) -> tensor<?x3xf32>"
    assert "leaves extents of its inputs open: 'x'" in str(open_inputs(module))
    fixed = import_model_proto(ctx, relu((extent, 3)), shapes={"x": (2, 3)})
    assert signature(fixed) == "(tensor<2x3xf32>) -> tensor<2x3xf32>"
    assert open_inputs(fixed) is None


def test_open_extents_keep_their_names():
    ctx = context()
    module = import_model_proto(ctx, relu(("N", 3, None, "é")))
    attributes = main_of(reparsed(ctx, module)).arg_attrs
    assert attributes is not None
    assert str(attributes.data[0].data[DIMS_ATTRIBUTE]) == '["N", 3 : i64, "?", "\\\\xe9"]'
    assert open_inputs(module) == (
        "the model leaves extents of its inputs open: 'x' [N, 3, ?, \\xe9]; "
        "give them numbers, such as --shape x=1,3,224,224"
    )


def test_a_fixed_input_has_no_names_of_extents():
    attributes = main_of(import_model_proto(context(), relu((1, 3)))).arg_attrs
    assert attributes is not None
    assert DIMS_ATTRIBUTE not in attributes.data[0].data


def test_all_open_inputs_are_listed():
    module = import_model_proto(context(), two_inputs(["N", 3], ["M"]))
    assert open_inputs(module) == (
        "the model leaves extents of its inputs open: 'image' [N, 3], 'mask' [M]; "
        "give them numbers, such as --shape image=1,3 --shape mask=1"
    )


@pytest.mark.parametrize(
    ("dims", "opened", "option"),
    [
        (["N", "s53"], ["past", "sequence"], "--dynamic N=past+sequence"),
        ([1, "s53"], ["past"], "--dynamic s53=past+1"),
        ([1, None], ["past", "x:0"], "--dynamic mask:1=past+x:0"),
    ],
)
def test_extents_may_follow_from_open_ones(dims, opened, option):
    module = import_model_proto(context(), two_inputs([1, 3], dims))
    text = str(open_inputs(module, opened))
    assert text.endswith(f", or what they are of those that stay open, such as {option}")


@pytest.mark.parametrize("opened", [[], ["my batch"]])
def test_extents_follow_from_none_where_none_with_a_name_stays_open(opened):
    module = import_model_proto(context(), two_inputs([1, 3], ["s53", 3]))
    assert str(open_inputs(module, opened)).endswith("such as --shape mask=1,3")


def test_extents_of_one_name_are_asked_for_once():
    module = import_model_proto(context(), two_inputs(["my batch"], ["my batch", 3]))
    assert str(open_inputs(module)).endswith("such as --dim 'my batch=1'")


def test_an_input_of_unknown_rank():
    ctx = context()
    module = import_model_proto(ctx, relu(None))
    assert signature(reparsed(ctx, module)) == "(tensor<*xf32>) -> tensor<*xf32>"
    message = str(open_inputs(module))
    assert re.search(r"'x' of unknown rank; .* --shape x=1,3,224,224$", message)
    module = import_model_proto(ctx, relu(None), shapes={"x": (2, 3)})
    assert signature(module) == "(tensor<2x3xf32>) -> tensor<2x3xf32>"


@pytest.mark.parametrize("name", ["é", r"\xe9"])
def test_an_input_has_the_name_that_messages_have_of_it(name: str):
    node = helper.make_node("Relu", ["é"], ["y"])
    open_model = model([node], [floats("é", ("N", 3))], [floats("y", ("N", 3))])
    assert r"--shape '\xe9=1,3'" in str(open_inputs(import_model_proto(context(), open_model)))
    module = import_model_proto(context(), open_model, shapes={name: (2, 3)})
    assert signature(module) == "(tensor<2x3xf32>) -> tensor<2x3xf32>"


def test_a_scalar_for_an_input_of_unknown_rank():
    module = import_model_proto(context(), relu(None), shapes={"x": ()})
    assert signature(module) == "(tensor<f32>) -> tensor<f32>"


def test_a_symbol_has_one_value_in_all_inputs():
    module = import_model_proto(
        context(), two_inputs(["N", "H"], ["N", 7]), shapes={"image": (4, 5)}
    )
    assert signature(module).startswith("(tensor<4x5xf32>, tensor<4x7xf32>)")


@pytest.mark.parametrize("placeholder", ["?", "-1", "None"])
def test_a_placeholder_is_no_symbol(placeholder: str):
    module = import_model_proto(
        context(), two_inputs([placeholder], [placeholder]), shapes={"image": (4,)}
    )
    assert signature(module).startswith("(tensor<4xf32>, tensor<?xf32>)")


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (
            {"imgae": (1, 3)},
            "shape given for 'imgae', which is no input; the model's inputs are 'image', 'mask'; "
            "did you mean 'image'?",
        ),
        ({"image": (4,)}, "shape [4] of input 'image' has 1 extents, the model's [N, 3] has 2"),
        ({"image": (-1, 3)}, "shape [-1, 3] of input 'image' has a negative extent"),
        (
            {"image": (4, 3), "mask": (5,)},
            "extent 'N' is 4 by the shape of input 'image' and 5 by the shape of input 'mask'",
        ),
    ],
)
def test_shapes_that_do_not_fit(shapes: dict[str, tuple[int, ...]], message: str):
    with pytest.raises(ModelError, match=f"^{re.escape(message)}$"):
        import_model_proto(context(), two_inputs(["N", 3], ["N"]), shapes=shapes)


@pytest.mark.parametrize("name", ["é", r"\xe9"])
def test_a_number_for_an_extent_that_has_a_name(name: str):
    proto = two_inputs(["é", "H"], ["é", 7])
    module = import_model_proto(context(), proto, shapes={"image": (4, 5)}, dims={name: 4})
    assert signature(module).startswith("(tensor<4x5xf32>, tensor<4x7xf32>)")
    module = import_model_proto(context(), proto, dims={name: 4})
    assert signature(module).startswith("(tensor<4x?xf32>, tensor<4x7xf32>)")


@pytest.mark.parametrize(
    ("dims", "message"),
    [
        (
            {"batsh": 1},
            "a number is given for extent 'batsh', which no input has; the names of open extents "
            "are 'batch', 'H'; did you mean 'batch'?",
        ),
        ({"batch": -1}, "extent 'batch' is given as -1, expected 0 or more"),
        ({"batch": 5}, "extent 'batch' is 5 as given and 4 by the shape of input 'image'"),
    ],
)
def test_numbers_of_extents_that_do_not_fit(dims: dict[str, int], message: str):
    proto = two_inputs(["batch", "H"], ["?"])
    with pytest.raises(ModelError, match=f"^{re.escape(message)}$"):
        import_model_proto(context(), proto, shapes={"image": (4, 3)}, dims=dims)


def two_layers() -> ModelProto:
    """Return a model whose every shape is declared for a batch of 1."""
    nodes = [helper.make_node("Relu", ["x"], ["r"]), helper.make_node("Reshape", ["r", "s"], ["y"])]
    shape = weight("s", np.array([-1, 4]))
    proto = model(nodes, [floats("x", (1, 4))], [floats("y", (1, 4))], [shape])
    proto.graph.value_info.append(floats("r", (1, 4)))
    return proto


def test_a_shape_replaces_extents_that_the_model_has_fixed():
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the output is declared for another batch, as it must be
        module = import_model_proto(context(), two_layers(), shapes={"x": (3, 4)})
    assert signature(module) == "(tensor<3x4xf32>) -> tensor<3x4xf32>"


def test_an_extent_may_be_0():
    module = import_model_proto(context(), relu(("N", 0)), shapes={"x": (2, 0)})
    assert signature(module).startswith("(tensor<2x0xf32>)")
    module = import_model_proto(context(), relu(("N", 3)), dims={"N": 0})
    assert signature(module).startswith("(tensor<0x3xf32>)")


def test_one_symbol_twice_in_an_input():
    with pytest.raises(ModelError, match=r"extent 'N' is 4 .* and 5 by"):
        import_model_proto(context(), relu(("N", "N")), shapes={"x": (4, 5)})


def test_a_shape_for_a_weight():
    node = helper.make_node("Add", ["x", "w"], ["y"])
    inputs = [floats("x", [2])]
    proto = model([node], inputs, [floats("y", [2])], [weight("w", np.ones(2, np.float32))])
    with pytest.raises(ModelError, match="for 'w', which is no input; the model's inputs are 'x'"):
        import_model_proto(context(), proto, shapes={"w": (2,)})


def test_a_shape_for_a_sequence():
    info = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None)
    node = helper.make_node("SequenceLength", ["s"], ["n"])
    output = helper.make_tensor_value_info("n", TensorProto.INT64, [])
    with pytest.raises(ModelError, match="'s' is a sequence: its shape is the number of its elem"):
        import_model_proto(context(), model([node], [info], [output]), shapes={"s": (2, 3)})


def test_a_shape_for_a_map():
    info = ValueInfoProto(name="m")
    info.type.map_type.key_type = TensorProto.INT64
    info.type.map_type.value_type.tensor_type.elem_type = TensorProto.FLOAT
    proto = relu((4, 3))
    proto.graph.input.append(info)
    with pytest.raises(ModelError, match="shape given for input 'm', which is no tensor"):
        import_model_proto(context(), proto, shapes={"m": (2,)})


def test_inferred_types_override_declared_ones():
    proto = relu((4, 3))
    proto.graph.output[0].CopyFrom(floats("y", [1, 3]))
    module = import_model_proto(context(), proto)
    assert signature(module) == "(tensor<4x3xf32>) -> tensor<4x3xf32>"


def declaring_model(extent: int | str) -> ModelProto:
    """Reshape by a shape that is computed, so that only the declaration tells the result's."""
    nodes = [
        helper.make_node("Cast", ["f"], ["s"], to=TensorProto.INT64),
        helper.make_node("Reshape", ["x", "s"], ["r"]),
        helper.make_node("Relu", ["r"], ["y"]),
    ]
    inputs = [floats("x", [extent, 3]), floats("f", [2])]
    proto = model(nodes, inputs, [floats("y", None)])
    proto.graph.value_info.append(floats("r", [3, 4]))
    return proto


def test_a_declared_shape_serves_where_inference_knows_none():
    module = import_model_proto(context(), declaring_model(4))
    assert [str(op.results[0].type) for op in ops_of(module)[1:]] == ["tensor<3x4xf32>"] * 2


def test_a_declared_shape_is_stale_once_an_input_is_resized():
    module = import_model_proto(context(), declaring_model("N"), shapes={"x": (8, 3)})
    assert [str(op.results[0].type) for op in ops_of(module)[1:]] == ["tensor<?x?xf32>"] * 2


def test_a_foreign_operator_keeps_its_declared_type():
    nodes = [
        helper.make_node("Magic", ["x"], ["m"], domain="com.example"),
        helper.make_node("Relu", ["m"], ["y"]),
    ]
    proto = model(nodes, [floats("x", ["N"])], [floats("y", None)], domains=["com.example"])
    proto.graph.value_info.append(floats("m", [5]))
    module = import_model_proto(context(), proto, shapes={"x": (2,)})
    assert [str(op.results[0].type) for op in ops_of(module)] == ["tensor<5xf32>"] * 2


def test_shapes_that_contradict_each_other_stay_visible():
    node = helper.make_node("Add", ["x", "z"], ["y"])
    proto = model([node], [floats("x", [2]), floats("z", [3])], [floats("y", [2])])
    module = import_model_proto(context(), proto)
    assert str(ops_of(module)[0].results[0].type) == "tensor<2xf32>"


def test_inference_takes_no_long_vector_for_a_shape(monkeypatch: pytest.MonkeyPatch):
    """It would hold each of the numbers many times over."""
    follows_numbers: list[bool] = []

    def infer(proto: ModelProto, data_prop: bool = False) -> ModelProto:
        follows_numbers.append(data_prop)
        return infer_shapes(proto, data_prop=data_prop)

    monkeypatch.setattr(onnx_shapes, "infer_shapes", infer)
    for extent, followed in ((1 << 16, True), ((1 << 16) + 1, False)):
        follows_numbers.clear()
        nodes = [
            helper.make_node("ConstantOfShape", ["extent"], ["zeros"]),
            helper.make_node("Add", ["zeros", "x"], ["y"]),
        ]
        proto = model(nodes, [floats("x", [1])], [floats("y", None)], [weight("extent", [extent])])
        module = import_model_proto(context(), proto)
        assert signature(module) == f"(tensor<1xf32>) -> tensor<{extent}xf32>"
        assert (True in follows_numbers) is followed


LENGTHS = (1 << 16, (1 << 16) + 2)


def length_from_numbers(last: str, extent: int) -> ModelProto:
    """A vector as long as the input's two extents make it, which only their product tells."""
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Gather", ["shape", "first"], ["height"]),
        helper.make_node("Gather", ["shape", "second"], ["width"]),
        helper.make_node("Mul", ["height", "width"], ["length"]),
        helper.make_node(last, ["x" if last == "Reshape" else "first", "length"], ["long"]),
        helper.make_node("Add", ["long", "long"], ["y"]),
    ]
    places = [weight("first", [0]), weight("second", [1])]
    x = helper.make_tensor_value_info("x", TensorProto.INT64, [extent // 2, 2])
    y = helper.make_tensor_value_info("y", TensorProto.INT64, None)
    return model(nodes, [x], [y], places)


@pytest.mark.parametrize(
    ("last", "extent", "followed"),
    [
        ("Reshape", LENGTHS[0], True),  # no longer than the input
        ("Reshape", LENGTHS[1], False),
        ("Expand", 8, False),  # as long as the numbers say
    ],
)
def test_inference_follows_no_numbers_to_a_long_vector(
    monkeypatch: pytest.MonkeyPatch, last: str, extent: int, followed: bool
):
    follows_numbers: list[bool] = []

    def infer(proto: ModelProto, data_prop: bool = False) -> ModelProto:
        follows_numbers.append(data_prop)
        return infer_shapes(proto, data_prop=data_prop)

    monkeypatch.setattr(onnx_shapes, "infer_shapes", infer)
    module = import_model_proto(context(), length_from_numbers(last, extent))
    assert (True in follows_numbers) is followed
    if followed:
        assert signature(module) == f"(tensor<{extent // 2}x2xi64>) -> tensor<{extent}xi64>"


@pytest.mark.parametrize(
    ("shapes", "dims"),
    [({}, {"past": 4}), ({"image": (4, 3)}, {}), ({"image": (4, 3), "mask": (5, 9)}, {"new": 1})],
)
def test_an_extent_follows_from_others_by_the_model(
    shapes: dict[str, tuple[int, ...]], dims: dict[str, int]
):
    proto = two_inputs(["past", 3], ["past + 1", "2*past+new"])
    module = import_model_proto(context(), proto, shapes=shapes, dims={"new": 1, **dims})
    assert signature(module).startswith("(tensor<4x3xf32>, tensor<5x9xf32>)")


def test_an_extent_does_not_follow_where_a_number_is_not_known():
    proto = two_inputs(["past", 3], ["past + new", "past-new"])
    module = import_model_proto(context(), proto, dims={"past": 4})
    assert signature(module).startswith("(tensor<4x3xf32>, tensor<?x?xf32>)")
    module = import_model_proto(context(), proto, dims={"past": 4, "new": 2, "past-new": 9})
    assert signature(module).startswith("(tensor<4x3xf32>, tensor<6x9xf32>)")


@pytest.mark.parametrize(
    ("shapes", "dims", "message"),
    [
        (
            {"mask": (6,)},
            {"past": 4},
            "extent 'past - 5' is 6 by the shape of input 'mask' and -1 for past 4",
        ),
        ({}, {"past": 4}, "extent 'past - 5' is -1 for past 4, expected 0 or more"),
    ],
)
def test_extents_that_contradict_the_model(
    shapes: dict[str, tuple[int, ...]], dims: dict[str, int], message: str
):
    proto = two_inputs(["past", 3], ["past - 5"])
    with pytest.raises(ModelError, match=f"^{re.escape(message)}$"):
        import_model_proto(context(), proto, shapes=shapes, dims=dims)


def test_a_message_asks_for_numbers_from_which_others_follow():
    proto = two_inputs(["past", 3], ["past + new"])
    message = open_inputs(import_model_proto(context(), proto))
    assert message is not None
    assert message.endswith("such as --shape image=1,3 --shape mask=2")
