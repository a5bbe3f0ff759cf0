"""The onnx dialect: op classes from schemas, their text, their accessors and effects."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import defs
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    Builtin,
    BytesAttr,
    DenseArrayBase,
    Float8E4M3FNType,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnrankedTensorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.dialects.func import Func
from xdsl.dialects.test import TestOp as SourceOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.parser import Parser
from xdsl.traits import is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.nn import NN
from autodeploy.dialects.nn.constant import DenseAttr
from autodeploy.dialects.onnx import (
    CustomOp,
    MapType,
    OnnxOp,
    OptionalType,
    RawAttr,
    SequenceType,
    SparseType,
    StringsAttr,
    StringType,
    UnknownType,
    YieldOp,
    get_onnx,
    op_class,
    python_value,
    text_attr,
    text_bytes,
)
from autodeploy.dialects.onnx.op import enum_name

CLASSES = sorted(
    (op for op in get_onnx().operations if issubclass(op, OnnxOp)), key=lambda op: op.name
)
F = TensorType(f32, [4])


def context() -> Context:
    ctx = Context()
    for dialect in (Builtin, Func, NN, get_onnx()):
        ctx.load_dialect(dialect)
    ctx.load_op(SourceOp)
    return ctx


def named(op_type: str, opset: int = 17, domain: str = "") -> type[OnnxOp]:
    found = op_class(op_type, opset, domain)
    assert found is not None
    return found


def values(count: int, type_: Attribute = F) -> list[SSAValue]:
    return list(SourceOp(result_types=[type_] * count).results)


elements = st.sampled_from([f32, i1, i32, i64, StringType()])
extents = st.lists(st.integers(0, 9) | st.just(DYNAMIC_INDEX), max_size=4)
tensors = st.builds(TensorType, elements, extents) | st.builds(UnrankedTensorType, elements)
types = st.recursive(
    tensors | st.just(UnknownType()),
    lambda inner: (
        st.builds(SequenceType, inner)
        | st.builds(OptionalType, inner)
        | st.builds(MapType, st.sampled_from([i64, StringType()]), inner)
        | st.builds(SparseType, tensors)
    ),
    max_leaves=3,
)
texts = st.binary(max_size=8).map(text_attr) | st.text(max_size=8).map(text_attr)
floats = st.floats(width=32).map(lambda value: FloatAttr(value, f32))
integers = st.integers(-(2**63), 2**63 - 1)
dense = st.lists(st.floats(width=32), min_size=2, max_size=20).map(
    lambda numbers: DenseAttr(
        b"".join(FloatAttr(n, f32).type.pack([n]) for n in numbers), TensorType(f32, [len(numbers)])
    )
)
raw = st.binary(max_size=9).map(
    lambda data: RawAttr(data, TensorType(Float8E4M3FNType(), [len(data)]))
)
strings = st.lists(st.binary(max_size=4), max_size=3).map(lambda v: StringsAttr(v, [len(v)]))

SETTINGS: dict[str, st.SearchStrategy[Attribute]] = {
    "INT": integers.map(lambda value: IntegerAttr(value, i64)),
    "FLOAT": floats,
    "STRING": texts,
    "INTS": st.lists(integers, max_size=4).map(lambda v: DenseArrayBase.from_list(i64, v)),
    "FLOATS": st.lists(floats, max_size=4).map(ArrayAttr),
    "STRINGS": st.lists(texts, max_size=3).map(ArrayAttr),
    "TENSOR": dense | raw | strings,
    "SPARSE_TENSOR": dense,
    "TYPE_PROTO": types,
}


@st.composite
def ops(draw: Callable[..., object], choice: st.SearchStrategy[type[OnnxOp]]) -> ModuleOp:
    """A module with one op of a random class, any of its optional parts there or not."""
    made = draw(choice)
    source = SourceOp(result_types=draw(st.lists(types, min_size=1, max_size=3)))

    def fill(parameters, item):
        listed = []
        for parameter in parameters:
            if parameter.kind == "Single" or draw(st.booleans()):
                count = draw(st.integers(1, 3)) if parameter.kind == "Variadic" else 1
                listed += [draw(item) for _ in range(count)]
            elif parameter.kind == "Optional":
                listed.append(None)
        return listed

    regions = {
        parameter.name: Region(block)
        for parameter in made.subgraph_parameters
        if parameter.kind == "Single" or draw(st.booleans())
        for block in [Block(arg_types=draw(st.lists(types, max_size=2)))]
    }
    for region in regions.values():
        region.block.add_op(YieldOp([*region.block.args, *source.results[:1]]))
    properties = {
        name: draw(SETTINGS[enum_name(attribute.type)])
        for name, attribute in made.schema.attributes.items()
        if enum_name(attribute.type) != "GRAPH" and (attribute.required or draw(st.booleans()))
    }
    op = made.from_positions(
        fill(made.input_parameters, st.sampled_from(source.results)),
        fill(made.output_parameters, types),
        properties,
        regions,
    )
    return ModuleOp([source, op])


@settings(max_examples=200)
@given(ops(st.sampled_from(CLASSES)))
def test_every_op_prints_and_parses_back(module: ModuleOp):
    module.verify()
    text = str(module)
    again = Parser(context(), text).parse_module()
    again.verify()
    assert str(again) == text
    assert module.is_structurally_equivalent(again)
    before, after = (next(op for op in m.walk() if isinstance(op, OnnxOp)) for m in (module, again))
    for positions in (OnnxOp.inputs_by_position, OnnxOp.outputs_by_position):
        one, other = positions(before), positions(after)
        assert [v and v.type for v in one] == [v and v.type for v in other]


@settings(max_examples=100)
@given(types)
def test_every_type_prints_and_parses_back(type_: Attribute):
    assert Parser(context(), str(type_)).parse_attribute() == type_


@given(texts)
def test_every_text_prints_and_parses_back(text: StringAttr | BytesAttr):
    assert Parser(context(), str(text)).parse_attribute() == text
    assert text_attr(text_bytes(text)) == text


@pytest.mark.parametrize("around", [SequenceType, OptionalType, SparseType])
def test_types_around_others_differ_as_these_do(around: Callable[[Attribute], Attribute]):
    one, same, other = (around(TensorType(f32, [n])) for n in (2, 2, 3))
    assert one == same and hash(one) == hash(same)
    assert one != other and one != around(UnrankedTensorType(f32))


def test_every_schema_has_a_class_in_its_opset():
    for schema in defs.get_all_schemas_with_history():
        found = op_class(schema.name, schema.since_version, schema.domain)
        if schema.deprecated:
            assert found is None
        else:
            assert found is not None
            assert (found.op_type, found.domain) == (schema.name, schema.domain)
            assert found.version == schema.since_version


def test_names_are_unique():
    names = [op.name for op in get_onnx().operations]
    assert len(names) == len({*names}) > 600


@pytest.mark.parametrize(
    ("op_type", "opset", "domain", "name"),
    [
        ("Conv", 1, "", "onnx.Conv.v1"),
        ("Conv", 10, "", "onnx.Conv.v1"),
        ("Conv", 11, "", "onnx.Conv.v11"),
        ("Conv", 99, "", "onnx.Conv"),
        ("Upsample", 9, "", "onnx.Upsample"),
        ("Scaler", 3, "ai.onnx.ml", "onnx.ml.Scaler"),
        ("Adam", 1, "ai.onnx.preview.training", "onnx.preview.training.Adam"),
    ],
)
def test_names(op_type: str, opset: int, domain: str, name: str):
    assert named(op_type, opset, domain).name == name


@pytest.mark.parametrize(
    ("op_type", "opset", "domain"),
    [
        ("Conv", 0, ""),
        ("Nope", 17, ""),
        ("Gelu", 19, ""),
        ("Upsample", 10, ""),
        ("Conv", 17, "com.example"),
        ("Scaler", 17, ""),
    ],
)
def test_no_such_operator(op_type: str, opset: int, domain: str):
    assert op_class(op_type, opset, domain) is None


def test_positions():
    x, top = values(2)
    clip = named("Clip").from_positions([x, None, top], [F])
    assert clip.inputs_by_position() == [x, None, top]
    assert (clip.input_named("input"), clip.input_named("min")) == (x, None)
    assert clip.input_named("max") is top
    assert clip.output_named("output") is clip.results[0]
    assert named("Clip").from_positions([x, None, None], [F]).inputs_by_position() == [x]


def test_positions_of_lists():
    x, y = values(2)
    concat = named("Concat").from_positions([x, y], [F], {"axis": IntegerAttr(0, i64)})
    assert concat.inputs_by_position() == [x, y]
    assert concat.input_named("inputs") is x
    (trips,) = values(1, TensorType(i64, []))
    body = Region(Block([YieldOp([])]))
    loop = named("Loop").from_positions([trips, None, x, y], [F, F], {}, {"body": body})
    assert loop.inputs_by_position() == [trips, None, x, y]
    assert loop.subgraph_named("body") is body


def test_outputs_by_position():
    lstm = named("LSTM").from_positions(values(3), [None, F])
    assert lstm.outputs_by_position() == [None, lstm.results[0]]
    assert lstm.output_named("Y") is None


def test_foreign_names():
    clip = named("Clip").from_positions(values(1), [F])
    for look in (clip.input_named, clip.output_named, clip.subgraph_named, clip.setting):
        with pytest.raises(KeyError, match="nope"):
            look("nope")


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [
        (1, 1, r"onnx\.MatMul: input 'B' is required but left out"),
        (2, 0, r"onnx\.MatMul: output 'Y' is required but left out"),
        (3, 1, r"onnx\.MatMul: input: expected at most 2, found 3"),
        (2, 2, r"onnx\.MatMul: output: expected at most 1, found 2"),
    ],
)
def test_positions_that_do_not_fit(inputs: int, outputs: int, message: str):
    with pytest.raises(VerifyException, match=message):
        named("MatMul").from_positions(values(inputs), [F] * outputs)


def test_a_list_with_a_gap():
    with pytest.raises(VerifyException, match="input 'inputs' has an empty name in its list"):
        named("Concat").from_positions([*values(1), None], [F], {"axis": IntegerAttr(0, i64)})


def test_a_subgraph_that_is_left_out():
    with pytest.raises(VerifyException, match="subgraph 'else_branch' is required but left out"):
        named("If").from_positions(values(1), [F])


def test_settings():
    conv = named("Conv").from_positions(
        values(2),
        [F],
        {"group": IntegerAttr(2, i64), "strides": DenseArrayBase.from_list(i64, [1])},
    )
    assert (conv.setting("group"), conv.setting("strides")) == (2, (1,))
    assert (conv.setting("auto_pad"), conv.setting("pads")) == ("NOTSET", None)
    assert named("Selu").from_positions(values(1), [F]).setting("gamma") == pytest.approx(1.0507)
    rnn = named("RNN").from_positions(values(3), [F])
    assert rnn.setting("activations") == ("Tanh", "Tanh")
    pool = named("MaxPool").from_positions(values(1), [F])
    assert pool.setting("kernel_shape") is None


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        (IntegerAttr(3, i64), 3),
        (FloatAttr(0.5, f32), 0.5),
        (StringAttr("a"), "a"),
        (BytesAttr("é".encode()), "é"),
        (BytesAttr(b"\xff"), "\udcff"),
        (ArrayAttr([FloatAttr(0.5, f32), StringAttr("a")]), (0.5, "a")),
        (F, F),
    ],
)
def test_python_values(attribute: Attribute, value: object):
    assert python_value(attribute) == value


@pytest.mark.parametrize(
    ("op_type", "opset", "inputs", "properties", "pure"),
    [
        ("Relu", 17, 1, {}, True),
        ("RandomNormalLike", 17, 1, {}, False),
        ("RandomUniformLike", 17, 1, {}, False),
        ("Multinomial", 17, 1, {}, False),
        ("Bernoulli", 17, 1, {}, False),
        ("Dropout", 17, 2, {}, True),
        ("Dropout", 17, 3, {}, False),
        ("Dropout", 10, 1, {}, True),
        ("Dropout", 6, 1, {}, False),
        ("Dropout", 6, 1, {"is_test": IntegerAttr(1, i64)}, True),
    ],
)
def test_effects(
    op_type: str, opset: int, inputs: int, properties: dict[str, Attribute], pure: bool
):
    op = named(op_type, opset).from_positions(values(inputs), [F], properties)
    assert is_side_effect_free(op) == pure


def test_effects_of_subgraphs_are_those_of_their_ops():
    for inner, pure in (("Relu", True), ("Bernoulli", False)):
        op = named(inner).from_positions(values(1), [F])
        bodies = {
            "then_branch": Region(Block([op, YieldOp(op.results)])),
            "else_branch": Region(Block([YieldOp(op.operands)])),
        }
        choice = named("If").from_positions(values(1, TensorType(i1, [])), [F], {}, bodies)
        assert is_side_effect_free(choice) == pure


def test_custom_op():
    x, y = values(2)
    body = Region(Block([YieldOp([])]))
    op = CustomOp(
        text_attr("com.é"), text_attr("Magic"), {"a": IntegerAttr(1, i64)},
        [None, x, None, y], [F, None, F], [("body", body)],
    )  # fmt: skip
    op.verify()
    assert op.inputs_by_position() == [None, x, None, y]
    assert op.outputs_by_position() == [op.results[0], None, op.results[1]]
    assert not is_side_effect_free(op)
