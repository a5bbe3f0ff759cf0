from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as onnxruntime_state
import pytest
from contrib_cases import CONTRIB_CASES, REFUSED_CASES
from imported_models import import_model_proto
from nn_numpy import evaluate
from onnx import TensorProto, numpy_helper
from packed_decoder import packed_decoder

from autodeploy.diagnostics import ModelError, UnsupportedError
from autodeploy.dialects.onnx.op import enum_name
from autodeploy.dialects.onnx.texts import Node, OperatorText, RefusedError, contrib_texts
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.onnx.foreign_operators import check_texts
from autodeploy.frontend.states import append_caches, mark_states
from autodeploy.lowering.onnx_to_nn.context import converted_operators
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import ConvertOnnxToNnPass
from autodeploy.passes.onnx.inline_onnx_functions import InlineOnnxFunctionsPass

TEXTS = contrib_texts()


def converted(model):
    ctx = new_context()
    module = import_model_proto(ctx, model)
    InlineOnnxFunctionsPass(keep=converted_operators()).apply(ctx, module)
    ConvertOnnxToNnPass().apply(ctx, module)
    return ctx, module


@pytest.mark.parametrize("example", CONTRIB_CASES, ids=lambda example: example.name)
def test_numbers_are_those_of_onnxruntime(example):
    ctx, module = converted(example.build(None))
    found = evaluate(ctx, module, list(example.inputs.values()))
    for ours, theirs in zip(found, example.expected, strict=True):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        tolerance = 2e-3 if ours.dtype == np.float16 else 2e-5
        np.testing.assert_allclose(ours, theirs, tolerance, tolerance)


@pytest.mark.parametrize(
    ("example", "why"), REFUSED_CASES, ids=lambda one: getattr(one, "name", "")
)
def test_a_refusal_has_a_reason(example, why):
    with pytest.raises(UnsupportedError) as error:
        converted(example.build(None))
    assert str(error.value).endswith(f": {why}")


def test_names_of_cases_differ():
    names = [example.name for example in (*CONTRIB_CASES, *(one for one, _ in REFUSED_CASES))]
    assert sorted(set(names)) == sorted(names)


DECODER = {
    "batch_size": 1,
    "sequence_length": 1,
    "past_sequence_length": 3,
    "total_sequence_length": 4,
}
"""A decoder whose attention appends to its caches, as no model says."""


@pytest.mark.exhaustive
def test_every_line_of_a_text_has_a_case(monkeypatch: pytest.MonkeyPatch):
    taken: set[tuple[OperatorText, int]] = set()
    lines_for = OperatorText.lines_for

    def seen(text: OperatorText, node: Node) -> list[str]:
        try:
            lines = lines_for(text, node)
        except RefusedError as error:
            taken.add((text, error.line))
            raise
        taken.update((text, number) for number, line in enumerate(lines, 1) if line.strip())
        return lines

    monkeypatch.setattr(OperatorText, "lines_for", seen)
    for example in (*CONTRIB_CASES, *(one for one, _ in REFUSED_CASES)):
        ctx = new_context()
        module = import_model_proto(ctx, example.build(None))
        InlineOnnxFunctionsPass().apply(ctx, module)
    ctx = new_context()
    module = import_model_proto(ctx, packed_decoder(), dims=DECODER)
    mark_states(module, "auto")
    append_caches(module)
    InlineOnnxFunctionsPass().apply(ctx, module)
    missing = [
        f"{text.path.name}:{number}: {line}"
        for text in TEXTS.values()
        for number, line in enumerate(text.lines, 1)
        if line.startswith(" ") and (" = " in line or "#error" in line)
        if (text, number) not in taken
    ]
    assert missing == []


def test_every_text_is_right_whatever_a_node_is():
    check_texts(new_context(), TEXTS.values())
    assert all(text.doc.endswith(".") for text in TEXTS.values())


def _declared(schema) -> tuple[list, list, dict[str, object]]:
    """Return the parameters of a schema, and its attributes by their names, with defaults."""
    attributes: dict[str, object] = {}
    for name, attribute in schema.attributes.items():
        default = getattr(attribute, "_default_value", None)
        if default is None:
            value = attribute.default_value
        else:
            value = onnx.AttributeProto.FromString(default)
        known = onnx.helper.get_attribute_value(value) if value.name else None
        attributes[name] = (enum_name(attribute.type), known)
    attributes.pop("block", None)  # the size that the importer states
    attributes.pop("append", None)  # whether the importer keeps a cache from run to run
    parameters = [
        [(one.name, enum_name(one.option)) for one in ones]
        for ones in (schema.inputs, schema.outputs)
    ]
    return (*parameters, attributes)


@pytest.mark.parametrize(
    "text",
    [text for text in TEXTS.values() if text.name[0] != "autodeploy"],
    ids=lambda text: text.path.name,
)
def test_declarations_are_those_of_onnxruntime(text):
    known = {
        (schema.domain, schema.name): schema
        for schema in onnxruntime_state.get_all_operator_schema()
        if schema.since_version == 1
    }
    assert _declared(text.schema) == _declared(known[text.name])


def test_a_domain_that_is_not_imported_is_known():
    model = _model("y = com.microsoft.FusedMatMul (a, b)")
    del model.opset_import[1:]
    _, module = converted(model)
    assert [op.name for op in module.walk() if op.name.startswith("nn.")] == ["nn.matmul"]


def test_a_function_of_the_model_goes_before_a_text():
    model = onnx.parser.parse_model("""
        <ir_version: 8, opset_import: ["": 18, "com.microsoft": 1]>
        main (float[2] x) => (float[2] y) { y = com.microsoft.Gelu (x) }
        <opset_import: ["": 18], domain: "com.microsoft"> Gelu (X) => (Y) { Y = Neg (X) }
    """)
    _, module = converted(model)
    assert [op.name for op in module.walk() if op.name.startswith("nn.")] == ["nn.neg"]


def _model(*nodes: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f"""
        <ir_version: 8, opset_import: ["": 17, "com.microsoft": 1]>
        main (float[2,3] a, float[3,2] b) => (float[2,2] y) {{ {" ".join(nodes)} }}
    """)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ("<alpha = 1> (a, b)", "attribute 'alpha' expects a number of type f32, found 1 : i64"),
        ("<odd = 1> (a, b)", "attribute 'odd' is not known"),
        ("(a)", "input 'B' is required but left out"),
        ("(a, b, b)", "input: expected at most 2, found 3"),
    ],
)
def test_a_node_that_does_not_fit_its_declaration_is_an_error_of_the_model(node, message):
    with pytest.raises(ModelError, match=rf"node '' \(FusedMatMul\): .*{message}"):
        converted(_model(f"y = com.microsoft.FusedMatMul {node}"))


def test_all_that_no_text_defines_is_listed_with_its_domain():
    nodes = ("c = com.microsoft.Nope (a, b)", "y = com.microsoft.Never (c)")
    with pytest.raises(UnsupportedError) as error:
        converted(_model(*nodes))
    assert "2 nodes that cannot be converted" in str(error.value)
    for op_type in ("Nope", "Never"):
        assert f"com.microsoft.{op_type} node" in str(error.value)


def test_states_of_a_quantised_lstm_are_quantised_sample_by_sample():
    x = np.random.default_rng(7).standard_normal((4, 2, 3)).astype(np.float32)
    example = next(one for one in CONTRIB_CASES if one.name == "ms_dynamic_lstm_forward")
    model = example.build(None)
    for dim, extent in zip(model.graph.input[0].type.tensor_type.shape.dim, x.shape, strict=True):
        dim.dim_value = extent
    for weights in model.graph.initializer:
        if weights.data_type == TensorProto.INT8:  # pairs of products that 16 bits hold
            halves = numpy_helper.to_array(weights) // 2
            weights.CopyFrom(numpy_helper.from_array(halves, weights.name))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2  # a thread computes one sample
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    ctx, module = converted(model)
    found = evaluate(ctx, module, [x])
    for ours, theirs in zip(found, session.run(None, {"x0": x}), strict=True):
        np.testing.assert_allclose(ours, theirs, 2e-5, 2e-5)
