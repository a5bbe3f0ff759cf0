from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from imported_models import import_model_proto
from nn_numpy import evaluate
from onnx.reference import ReferenceEvaluator

from autodeploy.diagnostics import ModelError, UnsupportedError, UserError
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.onnx.foreign_operators import give_operators
from autodeploy.frontend.onnx.inlined_texts import inline_texts
from autodeploy.lowering.onnx_to_nn.context import converted_operators
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import ConvertOnnxToNnPass
from autodeploy.passes.onnx.inline_onnx_functions import InlineOnnxFunctionsPass

HEAD = '<opset_import: ["": 18, "com.acme": 1]>'


def folder(tmp_path: Path, **texts: str) -> Path:
    """Write texts by the names of the operators of com.acme."""
    for op_type, text in texts.items():
        (tmp_path / f"com.acme.{op_type}.onnxtxt").write_text(f"{HEAD}\n{text}", encoding="utf-8")
    return tmp_path


def model_of(node: str, *arrays: np.ndarray, opset: int = 17) -> onnx.ModelProto:
    """Return a model of a node on x0, x1, …"""
    inputs = ", ".join(
        f"float[{','.join(map(str, array.shape))}] x{i}" for i, array in enumerate(arrays)
    )
    model = onnx.parser.parse_model(
        f'<ir_version: 8, opset_import: ["": {opset}, "com.acme": 1, "com.microsoft": 1]>'
        f"main ({inputs}) => (float y) {{ y = {node} }}"
    )
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return model


def inlined(path: Path, node: str, *arrays: np.ndarray, opset: int = 17) -> np.ndarray:
    """Return what ONNX's reference computes, once texts of a folder replace the node."""
    ctx, model = new_context(), model_of(node, *arrays, opset=opset)
    give_operators(ctx, path)
    inline_texts(ctx, model)
    assert not any(inner.domain for inner in model.graph.node)
    inputs = {f"x{i}": array for i, array in enumerate(arrays)}
    return np.asarray(ReferenceEvaluator(model).run(None, inputs)[0])


def run(path: Path, node: str, *arrays: np.ndarray, opset: int = 17) -> list[np.ndarray]:
    """Return what a node on x0, x1, … computes with the texts of a folder."""
    model = model_of(node, *arrays, opset=opset)
    ctx = new_context()
    give_operators(ctx, path)
    module = import_model_proto(ctx, model)
    InlineOnnxFunctionsPass(keep=converted_operators()).apply(ctx, module)
    ConvertOnnxToNnPass().apply(ctx, module)
    return evaluate(ctx, module, list(arrays))


X = np.array([[1, -2, 3]], np.float32)

CHOICE = """Choice <mode: string = "plain", factor?: float> (X, Y?) => (Z)
{
    #if mode == "plain" and not Y
    Z = Identity (X)
    #elif rank(X) == 1
    Z = Neg (X)
    #elif mode in ("sum", "twice")
        #if mode == "twice"
        T = Add (X, X)
        #else
        T = Identity (X)
        #endif
        #if Y
        Z = Add (T, Y)
        #else
        Z = Identity (T)
        #endif
    #elif factor and factor > 1
    F = Constant <value_float: float = @factor> ()
    Z = Mul (X, F)
    #else
    #error this mode is not known
    #endif
}"""


@pytest.mark.parametrize(
    ("node", "arrays", "expected"),
    [
        ("com.acme.Choice (x0)", [X], X),
        ('com.acme.Choice <mode = "odd"> (x0)', [X[0]], -X[0]),
        ('com.acme.Choice <mode = "sum"> (x0)', [X], X),
        ('com.acme.Choice <mode = "sum"> (x0, x1)', [X, X], 2 * X),
        ('com.acme.Choice <mode = "twice"> (x0, x1)', [X, X], 3 * X),
        ('com.acme.Choice <mode = "twice"> (x0)', [X], 2 * X),
        ("com.acme.Choice <factor = 1.5> (x0, x1)", [X, X], 1.5 * X),
    ],
)
def test_conditions_choose_lines(tmp_path, node, arrays, expected):
    found = run(folder(tmp_path, Choice=CHOICE), node, *arrays)
    np.testing.assert_array_equal(found[0], expected)
    np.testing.assert_array_equal(inlined(tmp_path, node, *arrays), expected)


@pytest.mark.parametrize("factor", ["", "factor = 0.5, "])
def test_no_branch_is_a_refusal_with_its_reason(tmp_path, factor):
    with pytest.raises(UnsupportedError, match=r"com\.acme\.Choice-1 .*: this mode is not known$"):
        run(folder(tmp_path, Choice=CHOICE), f'com.acme.Choice <{factor}mode = "odd"> (x0)', X)
    with pytest.raises(ModelError, match=r"node '' \(Choice\): this mode is not known$"):
        inlined(tmp_path, f'com.acme.Choice <{factor}mode = "odd"> (x0)', X)


def test_texts_use_each_other_and_those_of_autodeploy(tmp_path):
    path = folder(
        tmp_path,
        Outer="Outer (X) => (Y)\n{\n    T = com.acme.Inner <by = 2.0> (X)\n    Y = Neg (T)\n}",
        Inner="Inner <by: float> (X) => (Y)\n{\n    By = Constant <value_float: float = @by> ()\n"
        "    Y = Mul (X, By)\n}",
    )
    np.testing.assert_array_equal(run(path, "com.acme.Outer (x0)", X)[0], -2 * X)
    np.testing.assert_array_equal(inlined(path, "com.acme.Outer (x0)", X), -2 * X)
    text = "Outer (X) => (Y)\n{\n    Y = com.microsoft.FusedMatMul <transB = 1> (X, X)\n}"
    path = folder(tmp_path, Outer=text)
    outer = path / "com.acme.Outer.onnxtxt"
    outer.write_text(outer.read_text().replace("com.acme", "com.microsoft", 1))
    np.testing.assert_array_equal(run(path, "com.acme.Outer (x0)", X)[0], [[14]])


def test_a_given_text_goes_before_that_of_autodeploy(tmp_path):
    text = f"{HEAD}\nGelu (X) => (Y)\n{{\n    Y = Neg (X)\n}}"
    (tmp_path / "com.microsoft.Gelu.onnxtxt").write_text(text)
    np.testing.assert_array_equal(run(tmp_path, "com.microsoft.Gelu (x0)", X)[0], -X)


def test_without_a_domain_the_opset_decides(tmp_path):
    text = f"{HEAD}\nGelu (X) => (Y)\n{{\n    Y = Neg (X)\n}}"
    (tmp_path / "ai.onnx.Gelu.onnxtxt").write_text(text)
    np.testing.assert_array_equal(run(tmp_path, "Gelu (x0)", X, opset=19)[0], -X)
    np.testing.assert_array_equal(inlined(tmp_path, "Gelu (x0)", X, opset=19), -X)
    assert (run(tmp_path, "Gelu (x0)", X, opset=20)[0] > -1).all()


def test_ranks_are_known_once_others_are_inlined(tmp_path):
    text = """Row (X) => (Y)
{
    #if rank(X) == 2 and type(X) == "float32"
    T = Neg (X)
    Y = com.acme.Choice <mode = "odd"> (T)
    #else
    Y = Identity (X)
    #endif
}"""
    twice = "Twice (X) => (Y)\n{\n    T = com.acme.Row (X)\n    Y = com.acme.Row (T)\n}"
    choice = CHOICE.replace('== "plain" and', '== "odd" and')
    path = folder(tmp_path, Choice=choice, Row=text, Twice=twice)
    np.testing.assert_array_equal(inlined(path, "com.acme.Twice (x0)", X), X)


def test_an_operator_that_has_changed_is_not_inlined(tmp_path):
    text = "Cut (X) => (Y)\n{\n    Y = Softmax (X)\n}"
    path = folder(tmp_path, Cut=text)
    file = path / "com.acme.Cut.onnxtxt"
    file.write_text(file.read_text().replace(": 18", ": 12"))
    with pytest.raises(ModelError, match=r"\(Cut\): Softmax of opset 12 is not that of 17$"):
        inlined(path, "com.acme.Cut (x0)", X)


RELU = "    Y = Relu (X)\n}"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("Foo (X) => (Y)\n{\n    Y = Relu (X\n}", 5, "not in ONNX's text: "),
        (f"Bar (X) => (Y)\n{{\n{RELU}", 1, "the function is called Bar, expected Foo"),
        ("Foo (X) => (Y)\n{\n    Y = Nope (X)\n}", 4, "opset 18 has no operator Nope"),
        ("Foo (X) => (Y)\n{\n    Y = com.acme.Foo (X)\n}", 1, "Foo is defined by itself"),
        ("Foo (X) => (Y)\n{\n    Y = Relu <a = 1> (X)\n}", 4, "Relu has no attribute 'a'"),
        ("Foo (X) => (Y)\n{\n    Y = Relu (T)\n}", 4, "nothing before makes 'T'"),
        (
            "Foo (X) => (Y)\n{\n    Y = Elu <alpha: float = @b> (X)\n}",
            *(4, "no attribute is called 'b'"),
        ),
        (f"Foo <a> (X) => (Y)\n{{\n{RELU}", 1, "attribute 'a' has no type, as in ': int'"),
        (f"Foo <X: int> (X) => (Y)\n{{\n{RELU}", 1, "'X' is declared twice"),
        (
            f"Foo <a: graph> (X) => (Y)\n{{\n{RELU}",
            *(1, "attribute 'a' has a type that is not supported"),
        ),
        *(
            (f"Foo <a: int> (X) => (Y)\n{{\n#if {condition}\n#endif\n{RELU}", 4, what)
            for condition, what in (
                ("a ==", "'a ==' is no condition"),
                ("b", "nothing is called 'b'"),
                ("rank(Y)", "'rank(Y)' is not 'rank' or 'type' of an input"),
                ("rank(X, X)", "'rank(X, X)' is not 'rank' or 'type' of an input"),
                ("type()", "'type()' is not 'rank' or 'type' of an input"),
                ("__import__('os')", "'__import__('os')' is not 'rank' or 'type' of an input"),
                ("a.real", "'a.real' holds more than names, numbers and comparisons"),
                ("a ** a", "'a ** a' holds more than names, numbers and comparisons"),
            )
        ),
        (f"Foo (X) => (Y)\n{{\n#if X\n{RELU}", 4, "#if without #endif"),
        *(
            (f"Foo (X) => (Y)\n{{\n#{word} X\n{RELU}", 4, f"#{word} without #if")
            for word in ("elif", "else", "endif")
        ),
        (f"Foo (X) => (Y)\n{{\n#if X\n#else\n#elif X\n#endif\n{RELU}", 6, "#elif without #if"),
    ],
)
def test_a_mistake_is_reported_with_its_line(tmp_path, text, line, what):
    with pytest.raises(UserError) as error:
        give_operators(new_context(), folder(tmp_path, Foo=text))
    place, found = str(error.value).split(": ", 1)
    assert place == f"{tmp_path / 'com.acme.Foo.onnxtxt'}:{line}"
    assert found.startswith(what)


def test_texts_that_use_each_other_in_a_circle_are_a_mistake(tmp_path):
    path = folder(
        tmp_path,
        One="One (X) => (Y)\n{\n    Y = com.acme.Two (X)\n}",
        Two="Two (X) => (Y)\n{\n    Y = com.acme.One (X)\n}",
    )
    with pytest.raises(UserError, match="One is defined by itself"):
        give_operators(new_context(), path)


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("Foo.onnxtxt", "", "a file that defines an operator is called DOMAIN.OPERATOR.onnxtxt"),
        (
            "ai.onnx.Relu.onnxtxt",
            "Relu (X) => (Y)\n{\n    Y = Neg (X)\n}",
            "ONNX defines Relu itself",
        ),
        (
            "com.acme.Foo.onnxtxt",
            '<domain: "com.other">\nFoo (X) => (Y) { }',
            "the domain is com.other, expected com.acme",
        ),
        ("readme.txt", "", "holds no file that ends in .onnxtxt"),
    ],
)
def test_files_of_another_name(tmp_path, name, text, what):
    head = "" if text.startswith("<") else HEAD
    (tmp_path / name).write_text(f"{head}\n{text}")
    with pytest.raises(UserError, match=what):
        give_operators(new_context(), tmp_path)


def test_a_folder_that_cannot_be_read(tmp_path):
    with pytest.raises(UserError, match=r"folder of operators .*: No such file or directory"):
        give_operators(new_context(), tmp_path / "none")
    (tmp_path / "com.acme.Foo.onnxtxt").write_bytes(b"\xff")
    with pytest.raises(UserError, match="holds a text that is not UTF-8"):
        give_operators(new_context(), tmp_path)
