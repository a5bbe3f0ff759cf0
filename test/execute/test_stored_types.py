"""Floats of 8 and 4 bits, integers of 4 and 2 bits: casts bit by bit, packing, what only moves."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from program_batch import run_once

import autodeploy
from autodeploy import CompileOptions
from autodeploy.diagnostics import UnsupportedError, UserError

FLOATS = {
    "FLOAT8E4M3FN": ml_dtypes.float8_e4m3fn,
    "FLOAT8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "FLOAT8E5M2": ml_dtypes.float8_e5m2,
    "FLOAT8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "FLOAT8E8M0": ml_dtypes.float8_e8m0fnu,
    "FLOAT4E2M1": ml_dtypes.float4_e2m1fn,
}
INTEGERS = {
    "INT4": ml_dtypes.int4,
    "UINT4": ml_dtypes.uint4,
    "INT2": ml_dtypes.int2,
    "UINT2": ml_dtypes.uint2,
}
BITS = {"FLOAT4E2M1": 4, "INT4": 4, "UINT4": 4, "INT2": 2, "UINT2": 2}


def _model(nodes, inputs, outputs, initializers=()):
    def value(name, number, shape):
        return helper.make_tensor_value_info(name, number, shape)

    graph = helper.make_graph(
        nodes, "stored", [value(*i) for i in inputs], [value(*o) for o in outputs], initializers
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=12)


def _run(model, inputs):
    return run_once(model.SerializeToString(), inputs, CompileOptions(level=1))


def _same_bits(found, expected):
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_array_equal(_bits(found), _bits(expected))


def _bits(array):
    """The bits of each element; all nans count as one."""
    bits = array.reshape(-1).view(f"u{array.dtype.itemsize}").copy()
    if array.dtype.kind == "f" or "float" in array.dtype.name:
        bits[np.isnan(array.astype(np.float32)).reshape(-1)] = 0xFF
    elif array.dtype.itemsize == 1:
        bits = array.reshape(-1).astype(np.int16)
    return bits


def _codes(name):
    every = np.arange(1 << BITS.get(name, 8), dtype=np.uint8)
    return every.view({**FLOATS, **INTEGERS}[name])


def _numbers(dtype):
    """Every representable number, what lies between two, and a step to either side; the special."""
    with np.errstate(all="ignore"):
        known = np.arange(256, dtype=np.uint8).view(dtype).astype(np.float32)
    known = np.unique(known[np.isfinite(known)])
    between = (known[1:].astype(np.float64) + known[:-1]) / 2
    exact = np.concatenate([known, between.astype(np.float32)])
    near = [np.nextafter(exact, np.float32(to)) for to in (-np.inf, np.inf)]
    special = [np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-45, -1e-45, 1e-40, 3e38, -3e38, 1e9, -1e9]
    drawn = np.random.default_rng(0).integers(0, 1 << 32, 2000, np.uint32).view(np.float32)
    return np.concatenate([exact, *near, np.array(special, np.float32), drawn])


def _cast(source, target, shape, **attributes):
    numbers = getattr(TensorProto, source), getattr(TensorProto, target)
    node = helper.make_node("Cast", ["x"], ["y"], to=numbers[1], **attributes)
    return _model([node], [("x", numbers[0], shape)], [("y", numbers[1], shape)])


@pytest.mark.parametrize("target", ["FLOAT", "FLOAT16", "BFLOAT16", "DOUBLE"])
@pytest.mark.parametrize("name", FLOATS)
def test_every_code_becomes_its_number(name, target):
    codes = _codes(name)
    model = _cast(name, target, codes.shape)
    with np.errstate(all="ignore"):
        (expected,) = ReferenceEvaluator(model).run(None, {"x": codes})
    _same_bits(_run(model, {"x": codes})["y"], expected)


@pytest.mark.parametrize("saturate", [0, 1])
@pytest.mark.parametrize("source", ["FLOAT", "FLOAT16", "BFLOAT16"])
@pytest.mark.parametrize("name", [name for name in FLOATS if name != "FLOAT8E8M0"])
def test_numbers_become_the_nearest_code(name, source, saturate):
    dtype = helper.tensor_dtype_to_np_dtype(getattr(TensorProto, source))
    with np.errstate(all="ignore"):
        x = _numbers(FLOATS[name]).astype(dtype)
        if name == "FLOAT4E2M1":  # it has no nan, and ONNX does not say what becomes of its sign
            x = x[~(np.isnan(x) & np.signbit(x))]
        model = _cast(source, name, x.shape, saturate=saturate)
        (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    _same_bits(_run(model, {"x": x})["y"], expected)


@pytest.mark.exhaustive
@pytest.mark.parametrize("saturate", [0, 1])
@pytest.mark.parametrize("rounding", ["up", "down", "nearest"])
def test_exponents_are_rounded_by_the_attribute(rounding, saturate):
    powers = np.arange(1, 255, dtype=np.uint32) << 23
    parts = np.array([0, 1, 0x3FFFFF, 0x400000, 0x400001, 0x7FFFFF], np.uint32)
    bits = np.concatenate([(powers[:, None] | parts).reshape(-1), parts, [0x7F800000, 0x7FC00000]])
    x = bits.astype(np.uint32).view(np.float32)
    model = _cast("FLOAT", "FLOAT8E8M0", x.shape, saturate=saturate, round_mode=rounding)
    (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    _same_bits(_run(model, {"x": x})["y"], expected)


@pytest.mark.exhaustive
@pytest.mark.parametrize("other", ["FLOAT", "FLOAT16", "INT8", "UINT8", "INT32"])
@pytest.mark.parametrize("name", INTEGERS)
def test_small_integers_are_cast_both_ways(name, other):
    codes = _codes(name)[:-1]  # an odd number, so that the last byte is not full
    model = _cast(name, other, codes.shape)
    (expected,) = ReferenceEvaluator(model).run(None, {"x": codes})
    wide = _run(model, {"x": codes})["y"]
    _same_bits(wide, expected)
    back = _cast(other, name, codes.shape)
    (expected,) = ReferenceEvaluator(back).run(None, {"x": wide})
    _same_bits(_run(back, {"x": wide})["y"], expected)


@pytest.mark.parametrize("name", ["INT4", "FLOAT4E2M1", "UINT2", "FLOAT8E5M2"])
def test_movements_keep_the_codes(name):
    number = getattr(TensorProto, name)
    x = np.resize(_codes(name), 15).reshape(3, 5)
    constant = numpy_helper.from_array(np.resize(_codes(name)[::-1], 9).reshape(3, 3), "c")
    nodes = [
        helper.make_node("Transpose", ["x"], ["t"]),
        helper.make_node("Concat", ["t", "c"], ["j"], axis=0),
        helper.make_node("Flatten", ["j"], ["f"], axis=0),
        helper.make_node("Identity", ["x"], ["same"]),
    ]
    outputs = [("f", number, (1, 24)), ("same", number, (3, 5)), ("c", number, (3, 3))]
    found = _run(_model(nodes, [("x", number, (3, 5))], outputs, [constant]), {"x": x})
    c = numpy_helper.to_array(constant)
    _same_bits(found["f"], np.concatenate([x.T, c]).reshape(1, 24))
    _same_bits(found["same"], x)
    _same_bits(found["c"], c)


def test_a_zero_point_of_floats_that_is_not_zero_is_an_error():
    number = TensorProto.FLOAT8E4M3FN
    node = helper.make_node("DequantizeLinear", ["x", "scale", "zero"], ["y"])
    inputs = [("x", number, (4,)), ("scale", TensorProto.FLOAT, ()), ("zero", number, ())]
    model = _model([node], inputs, [("y", TensorProto.FLOAT, (4,))])
    x = np.array([1, -2, 3, 0.5], ml_dtypes.float8_e4m3fn)
    given = {"x": x, "scale": np.float32(2), "zero": np.zeros((), x.dtype)}
    with autodeploy.compile(model.SerializeToString(), level=1) as session:
        np.testing.assert_array_equal(session.run(given)["y"], 2 * x.astype(np.float32))
        with pytest.raises(UserError, match="failed"):
            session.run({**given, "zero": np.ones((), x.dtype)})


def test_arithmetic_on_codes_is_refused():
    number = TensorProto.INT4
    node = helper.make_node("Neg", ["x"], ["y"])
    model = _model([node], [("x", number, (4,))], [("y", number, (4,))])
    with pytest.raises(UnsupportedError, match="elements of type i4"):
        autodeploy.compile(model.SerializeToString())


def test_an_interface_is_packed(tmp_path):
    model = _model(
        [helper.make_node("Transpose", ["x"], ["y"])],
        [("x", TensorProto.INT4, (3, 3))],
        [("y", TensorProto.INT4, (3, 3))],
    )
    with autodeploy.compile(model.SerializeToString(), tmp_path / "out", level=0) as session:
        (entry,) = session.inputs
        assert (entry.dtype, entry.shape, entry.bytes) == ("int4", (3, 3), 5)
        text = (tmp_path / "out" / "stored.h").read_text()
        assert "0: x: int4 3x3" in text
        assert "const uint8_t *in_x" in text


@pytest.mark.parametrize("extent", [12, 40, 64])
def test_an_integer_of_a_float_wraps_when_it_is_narrowed(extent):
    """In one kernel both casts must not become one, from the float to the narrow integer."""
    x = np.linspace(-600, 600, 5 * extent, dtype=np.float32).reshape(5, extent)
    nodes, ends = [], []
    narrow = {"UINT8": np.uint8, "INT8": np.int8, "UINT16": np.uint16, "UINT32": np.uint32}
    for most, name in enumerate(narrow, 601):  # no two chains have an op in common
        ends += [numpy_helper.from_array(np.array(n, np.float32), f"end{n}") for n in (-most, most)]
        nodes += [
            helper.make_node("Clip", ["x", f"end{-most}", f"end{most}"], [f"bounded {name}"]),
            helper.make_node("Cast", [f"bounded {name}"], [f"whole {name}"], to=TensorProto.INT32),
            helper.make_node(
                "Cast", [f"whole {name}"], [name], to=TensorProto.DataType.Value(name)
            ),
        ]
    outputs = [(name, TensorProto.DataType.Value(name), x.shape) for name in narrow]
    made = _model(nodes, [("x", TensorProto.FLOAT, x.shape)], outputs, ends)
    found = run_once(made, {"x": x}, CompileOptions(level=2))
    for name, dtype in narrow.items():
        assert np.array_equal(found[name], x.astype(np.int32).astype(dtype)), name
