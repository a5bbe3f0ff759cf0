"""Tmfiles as modules: names, shapes, layouts, types, and what is told of what does not convert."""

from pathlib import Path

import numpy as np
import pytest
from nn_numpy import evaluate
from own_numbers import OwnNumbers
from tmfile_cases import imported, refused, run, run_all
from tmfile_writer import TmfileWriter
from xdsl.parser import Parser

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import ModelError, ModelWarning, UnsupportedError, UserError
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.tmfile.converters.registry import converted_operators
from autodeploy.frontend.tmfile.file import operator_names
from autodeploy.frontend.tmfile.importer import import_tmfile
from autodeploy.tools import opt

RANDOM = OwnNumbers(2)


def relu_of(shape, **options) -> TmfileWriter:
    file = TmfileWriter(**options)
    file.out = file.node(20, [file.input("image", shape)], "f", 0.0, name="act")
    return file


def test_text():
    _, module = imported((file := relu_of([1, 3])), file.out)
    assert str(module) == (
        'builtin.module attributes {nn.model = "model", tmfile.origin = "onnx"} {\n'
        '  func.func @main(%image: tensor<1x3xf32> {nn.name = "image"})'
        ' -> (tensor<1x3xf32> {nn.name = "act"}) {\n'
        "    %act = nn.relu %image : (tensor<1x3xf32>) -> tensor<1x3xf32>\n"
        "    func.return %act : tensor<1x3xf32>\n"
        "  }\n"
        "}"
    )


def test_equal_names_become_different():
    file = TmfileWriter()
    x, y = file.input("x", [2]), file.input("x", [2])
    _, module = imported(file, file.node(46, [x, y]))
    names = [a.data["nn.name"].data for a in module.body.block.first_op.arg_attrs.data]
    assert names == ["x", "x_1"]


def test_several_outputs_in_their_order():
    file = TmfileWriter()
    x = file.input("x", [4])
    one, two = file.node(68, [x]), file.node(21, [x])
    found = evaluate(*imported(file, two, one), [np.array([-1, 2, 7, 0], np.float32)])
    assert [array.tolist() for array in found] == [[0, 2, 6, 0], [1, 2, 7, 0]]


def test_given_shape():
    file = relu_of([1, 3])
    _, module = imported(file, file.out, shapes={"image": (2, 5)})
    assert "%image: tensor<2x5xf32>" in str(module)
    _, module = imported(file, file.out, axes={"image": {0: 4}})
    assert "%image: tensor<4x3xf32>" in str(module)


@pytest.mark.parametrize(
    ("dims", "shapes", "text"),
    [
        ([1, 3], {"imag": (1, 3)}, "no input; the model's inputs are 'image'; did you mean"),
        ([1, 3], {"image": (1, 3, 3)}, r"has 3 extents, the model's \[1, 3\] has 2"),
        ([0, 3], {}, r"input 'image' has shape \[0, 3\], expected positive extents; give it"),
        ([1 << 20, 1 << 20], {}, "has the impossible shape"),
    ],
)
def test_wrong_shapes(dims, shapes, text):
    file = relu_of(dims)
    with pytest.raises(ModelError, match=text):
        imported(file, file.out, shapes=shapes)


def test_no_such_axis():
    file = relu_of([1, 3])
    with pytest.raises(UserError, match="'image' has 2 axes, found axis 2"):
        imported(file, file.out, axes={"image": {2: 4}})


def test_all_that_is_missing_is_listed():
    """Also what needs the results of a node that does not convert."""
    file = TmfileWriter()
    x = file.input("x", [1, 4])
    first = file.node(34, [x], name="memory")
    second = file.node(36, [first], name="bend")
    third = file.node(104, [second], name="boxes")
    file.node(28, [x], "i", 9, name="scores")
    text = refused(file, file.node(120, [third], name="new"))
    assert text == (
        "the model has 4 nodes that cannot be converted\n"
        "  LSTM node 'memory' on f32: this operator is not supported\n"
        "  NMS node 'boxes': this operator is not supported\n"
        "  Softmax node 'scores' on f32: axis 9 is outside of rank 2\n"
        "  operator 120 node 'new': this operator is not supported"
    )


def test_an_output_that_a_converter_lacks():
    file = TmfileWriter()
    x = file.input("x", [1, 4])
    assert "it has 2 outputs, 1 are supported" in refused(file, file.node(36, [x], outputs=2))


def test_nothing_makes_a_tensor():
    file = TmfileWriter()
    file.input("x", [4])
    orphan = file._tensor("orphan", 1, [4], 0, ())
    with pytest.raises(ModelError, match="tensor 'orphan' is used before any node makes it"):
        imported(file, file.node(36, [orphan]))


def test_a_tensor_is_made_twice():
    file = TmfileWriter()
    x = file.input("x", [4])
    file._node("twice", 36, None, [x], [x])
    with pytest.raises(ModelError, match="tensor 'x' is made twice"):
        imported(file, file.node(36, [x]))


def test_sizes_of_constants():
    file = TmfileWriter()
    x = file.input("x", [4])
    file.constant("w", np.ones(4, np.float32))
    wrong = file._tensor("wrong", 2, [5], 0, ())
    with pytest.raises(
        ModelError, match=r"'wrong' takes 20 bytes by its shape \[5\], the file has"
    ):
        imported(file, file.node(46, [x, wrong]))


def test_unknown_data_type():
    file = TmfileWriter()
    file.input("x", [4])
    file.nodes.pop()
    x = file._tensor("y", 3, [4], 9, ())
    file._node("y", 12, None, [], [x])
    with pytest.raises(ModelError, match="tensor 'y' has the unknown data type 9"):
        imported(file, file.node(36, [x]))


# Types


Q = RANDOM.integers(-100, 100, (3, 4)).astype(np.int8)
SCALES = [(0.5, 1), (0.25, -2), (1.5, 0)]
MEANT = (Q - np.array([[1], [-2], [0]])) * np.array([[0.5], [0.25], [1.5]])


def test_quantised_tensors_are_the_floats_that_they_stand_for():
    file = TmfileWriter()
    x = file.input("x", [2, 4], "int8", [(0.1, 0)])
    bias = np.array([10, 20, 30], np.int32)
    weights = [file.constant("w", Q, SCALES), file.constant("b", bias, [(0.01, 0)])]
    out = file.node(11, [x, *weights], "i", 3, dtype="int8", quant=[(0.2, 0)])
    with pytest.warns(ModelWarning, match="4 tensors of the model are quantised; they are"):
        ctx, module = imported(file, out)
    values = RANDOM.standard_normal((2, 4)).astype(np.float32)
    (found,) = evaluate(ctx, module, [values])
    np.testing.assert_allclose(found, values @ MEANT.T + bias * 0.01, rtol=1e-5, atol=1e-5)
    text = str(module)
    assert "tmfile.scales = array<f32: 5.000000e-01, 2.500000e-01, 1.500000e+00>" in text
    assert "tmfile.zero_points = array<i32: 1, -2, 0>" in text
    # The text reads back.
    assert str(Parser(ctx, text).parse_module()) == text


def test_a_bias_without_scales():
    """It has those of the products to which it is added."""
    file = TmfileWriter()
    x = file.input("x", [2, 4], "uint8", [(0.1, 0)])
    bias = np.array([10, 20, 30], np.int32)
    inputs = [x, file.constant("w", Q, SCALES), file.constant("b", bias)]
    values = np.zeros((2, 4), np.float32)
    with pytest.warns(ModelWarning):
        found = run(file, file.node(11, inputs, "i", 3), values)
    np.testing.assert_allclose(found[0], bias * 0.1 * np.array([0.5, 0.25, 1.5]), rtol=1e-5)


def test_scales_that_do_not_fit():
    file = TmfileWriter()
    x = file.input("x", [2, 4])
    w = file.constant("w", Q, SCALES[:2])
    with pytest.raises(ModelError, match=r"'w' of shape \[3, 4\] has 2 scales, expected 1 or one"):
        imported(file, file.node(11, [x, w], "i", 3))


def test_scale_that_is_no_number():
    file = TmfileWriter()
    x = file.input("x", [2, 4])
    w = file.constant("w", Q, [(float("nan"), 0)])
    with pytest.raises(ModelError, match="tensor 'w' has a scale that is no number"):
        imported(file, file.node(11, [x, w], "i", 3))


HALVES = np.array([0.1, 0.2, 0.3], np.float16)


@pytest.mark.parametrize(("widen", "dtype"), [(False, np.float16), (True, np.float32)])
def test_halves(widen, dtype):
    file = TmfileWriter()
    x = file.input("x", [3], "float16")
    out = file.node(9, [x, file.constant("h", HALVES)], "Ii", 2, 1, dtype="float16")
    found = run(file, out, np.ones(3, dtype), widen=widen)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, HALVES.astype(dtype) + dtype(1))


def test_weights_take_the_type_of_the_other_operand():
    file = TmfileWriter()
    x = file.input("x", [3])
    found = run(
        file, file.node(9, [x, file.constant("h", HALVES)], "Ii", 2, 1), np.ones(3, np.float32)
    )
    np.testing.assert_array_equal(found, HALVES.astype(np.float32) + 1)


def test_weights_that_are_left_out():
    file = TmfileWriter()
    x = file.input("x", [1, 4])
    w = file.constant("w", np.ones((2, 4), np.float32), left_out=True)
    with pytest.warns(ModelWarning, match="the file has no weights, as files for benchmarks"):
        found = run(file, file.node(11, [x, w], "i", 2), np.ones((1, 4), np.float32))
    assert found.tolist() == [[0, 0]]


# Channels last


IMAGE = RANDOM.standard_normal((1, 5, 6, 4)).astype(np.float32)
FIRST = IMAGE.transpose(0, 3, 1, 2)


def test_images_come_with_channels_first():
    file = relu_of([1, 5, 6, 4], nhwc=True)
    _, module = imported(file, file.out)
    assert "%image: tensor<1x4x5x6xf32>" in str(module)
    np.testing.assert_array_equal(run(file, file.out, FIRST), np.maximum(FIRST, 0))


def test_filters_of_channels_last():
    w = RANDOM.standard_normal((3, 2, 2, 4)).astype(np.float32)
    file = TmfileWriter(nhwc=True)
    inputs = [file.input("x", IMAGE.shape), file.constant("w", w)]
    values = (2, 2, 1, 1, 1, 1, 4, 3, 1, -1, 0, 0, 0, 0)
    found = run(file, file.node(5, inputs, "14i", *values), FIRST)
    place = IMAGE[0, 1:3, 2:4]
    np.testing.assert_allclose(found[0, :, 1, 2], np.einsum("hwc,ohwc->o", place, w), rtol=1e-4)


def test_depthwise_filters_of_channels_last():
    """Their numbers lie as rows, columns, channels."""
    w = RANDOM.standard_normal((4, 2, 2, 1)).astype(np.float32)
    file = TmfileWriter(nhwc=True)
    inputs = [file.input("x", IMAGE.shape), file.constant("w", w)]
    values = (2, 2, 1, 1, 1, 1, 4, 4, 4, -1, 0, 0, 0, 0)
    found = run(file, file.node(5, inputs, "14i", *values), FIRST)
    expected = (IMAGE[0, 1:3, 2:4] * w.reshape(2, 2, 4)).sum((0, 1))
    np.testing.assert_allclose(found[0, :, 1, 2], expected, rtol=1e-4)


@pytest.mark.parametrize(
    ("operator", "letters", "values", "expected"),
    [
        (28, "i", (3,), lambda x: np.exp(x) / np.exp(x).sum(3, keepdims=True)),
        (23, "iiVi", (0, 0, [1, 120], 1), lambda x: x.reshape(1, 120)),
        (10, "ii", (1, 3), lambda x: x.reshape(1, 120)),
        (45, "6i", (1, -2, -2, -2, 1, 0), lambda x: x.mean(1)),
        (77, "V", ([0, 2, 1, 3],), lambda x: x.transpose(0, 2, 1, 3)),
        (40, "9if", (0, 0, 1, 0, 0, 2, 0, 0, 0, 0.0),
         lambda x: np.pad(x, ((0, 0), (1, 0), (0, 2), (0, 0)))),
        (41, "12i", (0, 0, 1, 1, 4, 1, 0, 0, 2, 0, 3, 1), lambda x: x[:, 1:4, ::2, :3]),
    ],
)  # fmt: skip
def test_axes_are_those_of_the_file(operator, letters, values, expected):
    file = TmfileWriter(nhwc=True)
    x = file.input("x", IMAGE.shape)
    found = run(file, file.node(operator, [x], letters, *values), FIRST)
    meant = expected(IMAGE)
    meant = meant.transpose(0, 3, 1, 2) if meant.ndim == 4 else meant
    np.testing.assert_allclose(found, meant, rtol=1e-5, atol=1e-6)


def test_rows_of_a_fully_connected_layer_have_channels_last():
    w = RANDOM.standard_normal((2, 120)).astype(np.float32)
    file = TmfileWriter(nhwc=True)
    inputs = [file.input("x", IMAGE.shape), file.constant("w", w)]
    found = run(file, file.node(11, inputs, "i", 2), FIRST)
    np.testing.assert_allclose(found, IMAGE.reshape(1, 120) @ w.T, rtol=1e-4, atol=1e-5)


def test_two_results_of_channels_last():
    file = TmfileWriter(nhwc=True)
    x = file.input("x", IMAGE.shape)
    out = file.node(29, [x], "iiBBxxV", 3, 2, 0, 1, [1, 3], outputs=2)
    one, other = run_all(file, out, FIRST)
    np.testing.assert_array_equal(np.concatenate([one, other], 1), FIRST)


# The passes of Tengine


def stage(file: TmfileWriter, output: int, name: str, tmp_path: Path) -> str:
    """Return the text after a stage of the compiler."""
    options = CompileOptions(level=2, machine="x86-64-avx2", dump_ir=tmp_path / "ir", cache=False)
    compile_model(file.bytes(output), tmp_path / "out", options)
    (found,) = (tmp_path / "ir").glob(f"*-{name}.mlir")
    return found.read_text()


def test_normalisation_scale_and_activation_go_into_a_convolution(tmp_path: Path):
    """BNScale, ConvBN and ConvReLU6 of Tengine, in one chain."""
    file = TmfileWriter()
    w = RANDOM.standard_normal((4, 2, 3, 3)).astype(np.float32)
    channels = [
        file.constant(f"c{i}", RANDOM.uniform(1, 2, 4).astype(np.float32)) for i in range(6)
    ]
    x = file.input("x", [1, 2, 8, 8])
    values = (3, 3, 1, 1, 1, 1, 2, 4, 1, -1, 1, 1, 1, 1)
    y = file.node(5, [x, file.constant("w", w)], "14i", *values)
    y = file.node(1, [y, *channels[:4]], "ffi", 1.0, 1e-5, 1)
    y = file.node(26, [y, *channels[4:]], "iii", 1, 1, 1)
    text = stage(file, file.node(21, [y]), "fused", tmp_path)
    kernels = [line for line in text.splitlines() if "nn.kernel" in line]
    assert len(kernels) == 1
    assert text.count("nn.conv ") == 1
    assert "nn.clip" in text
    assert "batch_norm" not in text
    assert "nn.mul" not in text


def test_normalisation_goes_into_a_fully_connected_layer(tmp_path: Path):
    """FcBn of Tengine."""
    file = TmfileWriter()
    w = RANDOM.standard_normal((4, 8)).astype(np.float32)
    channels = [
        file.constant(f"c{i}", RANDOM.uniform(1, 2, 4).astype(np.float32)) for i in range(4)
    ]
    y = file.node(11, [file.input("x", [1, 8]), file.constant("w", w)], "i", 4)
    y = file.node(1, [y, *channels], "ffi", 1.0, 1e-5, 0)
    text = stage(file, y, "fused", tmp_path)
    assert text.count("nn.matmul ") == 1
    assert "batch_norm" not in text


# The tools


def test_opt(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = relu_of([1, 3])
    for name in ("a.tmfile", "a.onnx", "a.bin"):
        path = tmp_path / name
        path.write_bytes(file.bytes(file.out))
        assert opt.main([str(path), "--shape", "image=2,3"]) in (0, None)
        assert "%act = nn.relu %image : (tensor<2x3xf32>)" in capsys.readouterr().out


def test_opt_reports_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.tmfile"
    path.write_bytes(b"\2\0\0\0\0\0\0\0\xff\0\0\0")
    assert opt.main([str(path)]) == 1
    assert capsys.readouterr().err == (
        f"autodeploy-opt: error: '{path}' is not a valid tmfile: bytes 255 to 271 of the model are "
        "beyond its 12 bytes\n"
    )


def test_nothing_is_written_if_the_conversion_fails(tmp_path: Path):
    file = TmfileWriter()
    out = file.node(34, [file.input("x", [1, 4])])
    with pytest.raises(UnsupportedError, match="LSTM node 'node1'"):
        compile_model(file.bytes(out), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_operators_have_names():
    assert operator_names()["Convolution"] == 5
    assert import_tmfile(new_context(), (f := relu_of([1])).bytes(f.out)).verify() is None


def test_the_page_lists_all_operators():
    page = (Path(__file__).parents[4] / "docs" / "tmfile.md").read_text(encoding="utf-8")
    lists = page.split("## Operators")[1].split("## Passes")[0]
    supported, others = (
        {name.strip() for name in part.replace("\n", " ").split(",")}
        for part in (
            lists.split("supported:\n\n")[1].split("\n\nThese")[0],
            lists.split("not:\n\n")[1],
        )
    )
    assert supported == set(converted_operators())
    assert others == set(operator_names()) - supported - {"Const", "InputOp"}
    assert f"\n{len(supported)} operators are supported:" in lists
