"""Inputs that have a default: those that a caller may give, and those that are constants."""

from __future__ import annotations

import numpy as np
import pytest
from imported_models import import_model_proto
from onnx import helper

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.marks import DEFAULT_ATTRIBUTE
from autodeploy.frontend.onnx.defaults import _optional

from .onnx_models import context, floats, main_of, model, weight


def product(default: np.ndarray, version: int = 8):
    """Return the product of an input and one with a default."""
    node = helper.make_node("Mul", ["x", "k é"], ["y"])
    kind = helper.np_dtype_to_tensor_dtype(default.dtype)
    inputs = [
        helper.make_tensor_value_info("x", kind, [3]),
        helper.make_tensor_value_info("k é", kind, default.shape),
    ]
    outputs = [helper.make_tensor_value_info("y", kind, [3])]
    proto = model([node], inputs, outputs, [weight("k é", default)])
    proto.ir_version = version
    return proto


def defaults(proto, **options) -> list[bytes | None]:
    """Return the default of each argument."""
    main = main_of(import_model_proto(context(), proto, **options))
    given = [marks.data.get(DEFAULT_ATTRIBUTE) for marks in main.arg_attrs]
    assert len(given) == len(main.body.block.args)
    return [None if value is None else value.data.data for value in given]


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
@pytest.mark.parametrize("shape", [(), (1,), (3,)])
def test_small_floats_are_inputs(dtype, shape):
    value = np.full(shape, 2.5, dtype)
    assert defaults(product(value)) == [None, value.reshape(-1)[:1].tobytes()]


@pytest.mark.parametrize(
    ("value", "version"),
    [
        (np.arange(3, dtype=np.float32), 3),  # the format asks for an input
        (np.arange(3, dtype=np.int64), 8),  # may decide shapes
    ],
)
def test_others_are_constants(value, version):
    assert defaults(product(value, version)) == [None]


def test_what_another_operator_reads_is_constant():
    proto = product(np.float32([2, 3, 4]))
    proto.graph.node[0].op_type = "MatMul"
    assert defaults(proto) == [None]
    inner = helper.make_graph([helper.make_node("Gemm", ["x", "k é"], ["z"])], "inner", [], [])
    proto = product(np.float32([2, 3, 4]))
    proto.graph.node.append(helper.make_node("If", ["x"], ["z"], then_branch=inner))
    assert "k é" not in _optional(proto)


def test_all_are_constants_beside_a_large_one():
    proto = product(np.arange(3, dtype=np.float32))
    proto.graph.input.append(floats("w", [3, 6]))
    proto.graph.initializer.append(weight("w", np.arange(18, dtype=np.float32).reshape(3, 6)))
    assert defaults(proto) == [None]


@pytest.mark.parametrize("name", ["k é", "k \\xe9"])
def test_one_with_a_shape_has_no_default(name):
    assert defaults(product(np.arange(3, dtype=np.float32)), shapes={name: (3,)}) == [None, None]


def test_a_default_of_another_type_than_its_input_is_an_error():
    proto = product(np.float32([2]))
    proto.graph.initializer[0].CopyFrom(weight("k é", np.float16([2])))
    text = "has elements of type float32, and its default has elements of type float16"
    with pytest.raises(ModelError, match=text):
        import_model_proto(context(), proto)
