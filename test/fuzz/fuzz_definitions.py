"""Operators that ONNX's reference lacks, or computes in another way than ONNX says.

* RNN, GRU and LSTM: it has their forward direction only. onnxruntime computes them, but does not
  take batches first;
* StringNormalizer, whose reference looks for stop words within a string and drops accents;
* RegexFullMatch, which takes a library, and CategoryMapper, which is not there;
* LabelEncoder, which finds no nan;
* TfIdfVectorizer, which takes the weight of a result for that of a sequence of the pool;
* Unique, which forgets the order of what is not sorted where it has one output;
* QuantizeLinear, which brings numbers to 32 bits before it cuts them; what a nan becomes is open;
* QLinearConv and QLinearMatMul: how their factor is rounded is open, so that a quotient next to
  the middle of two integers may become either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from fuzz_case import OPSET
from fuzz_numbers import Array
from fuzz_onnxruntime import run_node
from onnx import NodeProto, helper
from onnx.reference import ReferenceEvaluator

_OPSET = 21
"""The opset of RNN and its like that onnxruntime is asked for."""


def _attributes(node: NodeProto) -> Mapping[str, object]:
    given = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    return {name: _text(value) for name, value in given.items()}


def _text(value: object) -> object:
    if isinstance(value, bytes):
        return value.decode()
    return [_text(v) for v in value] if isinstance(value, list) else value


def _recurrent(node: NodeProto, *inputs: Array | None) -> tuple[Array, ...]:
    """Let onnxruntime compute it with the steps first."""
    if not _attributes(node).get("layout", 0):
        return run_node(node, _OPSET, inputs)
    plain = NodeProto()
    plain.CopyFrom(node)
    del plain.attribute[:]
    plain.attribute.extend(a for a in node.attribute if a.name != "layout")
    swapped = [
        x.swapaxes(0, 1) if x is not None and place in (0, 5, 6) else x
        for place, x in enumerate(inputs)
    ]
    first, *states = run_node(plain, _OPSET, swapped)
    return first.transpose(2, 0, 1, 3), *(state.swapaxes(0, 1) for state in states)


def normalised(
    words: Sequence[str], stop: Sequence[str], action: str, sensitive: bool
) -> Sequence[str]:
    """Return what StringNormalizer makes of a list of strings."""

    def same(word: str) -> str:
        return word if sensitive else "".join(map(str.lower, word))

    kept = [word for word in words if same(word) not in set(map(same, stop))] or [""]
    change = {"NONE": str, "UPPER": str.upper, "LOWER": str.lower}[action]
    return ["".join(map(change, word)) for word in kept]


def _string_normalizer(node: NodeProto, x: Array) -> Array:
    given = _attributes(node)
    made = normalised(
        x.reshape(-1).tolist(),
        given.get("stopwords", ()),
        given.get("case_change_action", "NONE"),
        bool(given.get("is_case_sensitive", 0)),
    )
    return np.array(made, object).reshape((*x.shape[:-1], -1))


def _regex_full_match(node: NodeProto, x: Array) -> Array:
    pattern = re.compile(_attributes(node)["pattern"], re.ASCII)
    found = [pattern.fullmatch(word) is not None for word in x.reshape(-1)]
    return np.array(found, bool).reshape(x.shape)


def _category_mapper(node: NodeProto, x: Array) -> Array:
    given = _attributes(node)
    strings, integers = given["cats_strings"], given["cats_int64s"]
    if x.dtype == object:
        known = dict(zip(strings, integers, strict=True))
        found = [known.get(word, given.get("default_int64", -1)) for word in x.reshape(-1)]
        return np.array(found, np.int64).reshape(x.shape)
    names = dict(zip(integers, strings, strict=True))
    texts = [names.get(n, given.get("default_string", "_Unused")) for n in x.reshape(-1).tolist()]
    return np.array(texts, object).reshape(x.shape)


def _label_encoder(node: NodeProto, x: Array) -> Array:
    given = _attributes(node)
    (keys,) = (v for name, v in given.items() if name.startswith("keys_"))
    kind, values = next((n, v) for n, v in given.items() if n.startswith("values_"))
    dtype, default = {
        "values_strings": (object, given.get("default_string", "_Unused")),
        "values_int64s": (np.int64, given.get("default_int64", -1)),
        "values_floats": (np.float32, given.get("default_float", -0.0)),
    }[kind]
    known = {_key(key): value for key, value in zip(keys, values, strict=True)}
    found = [known.get(_key(element), default) for element in x.reshape(-1).tolist()]
    return np.array(found, dtype).reshape(x.shape)


def _tf_idf(node: NodeProto, x: Array) -> Array:
    given = _attributes(node)
    plain = NodeProto()
    plain.CopyFrom(node)
    del plain.attribute[:]
    plain.attribute.extend(a for a in node.attribute if a.name not in ("mode", "weights"))
    plain.attribute.append(helper.make_attribute("mode", "TF"))
    counts = _of_reference(plain, {node.input[0]: x})
    if given["mode"] == "IDF":
        counts = (counts > 0).astype(np.float32)
    factors = np.ones(counts.shape[-1], np.float32)
    if given["mode"] != "TF" and "weights" in given:
        factors[given["ngram_indexes"]] = given["weights"]
    return counts * factors


def _of_reference(node: NodeProto, inputs: Mapping[str, Array]) -> Array:
    return _all_of_reference(node, inputs)[0]


def _all_of_reference(node: NodeProto, inputs: Mapping[str, Array]) -> Sequence[Array]:
    graph = helper.make_graph(
        [node],
        "node",
        [helper.make_empty_tensor_value_info(name) for name in inputs],
        [helper.make_empty_tensor_value_info(name) for name in node.output],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    return [np.asarray(y) for y in ReferenceEvaluator(model).run(None, dict(inputs))]


def _key(element: object) -> object:
    return "nan" if element != element else (element,)


def _qlinear_matmul(node: NodeProto, *inputs: Array) -> Array:
    return _requantised(*_product(inputs))


def _qlinear_conv(node: NodeProto, *inputs: Array) -> Array:
    return _requantised(*_convolution(node, inputs))


def _product(inputs: Sequence[Array]) -> tuple[Array, Array]:
    a, a_scale, a_zero, b, b_scale, b_zero, scale, zero = inputs
    rows = (..., None) if a_zero.ndim else ...
    total = (_wide(a) - _wide(a_zero)[rows]) @ (_wide(b) - _wide(b_zero))
    return total * (_exact(a_scale)[rows] * _exact(b_scale) / _exact(scale)), zero


def _convolution(node: NodeProto, inputs: Sequence[Array]) -> tuple[Array, Array]:
    x, x_scale, x_zero, w, w_scale, w_zero, scale, zero, *bias = inputs
    channels = (slice(None), *[None] * (w.ndim - 1)) if w_zero.ndim else ...
    fed = {"x": _exact(x) - _exact(x_zero), "w": _exact(w) - _exact(w_zero)[channels]}
    if bias and bias[0] is not None:
        fed["b"] = _exact(bias[0])
    conv = helper.make_node("Conv", list(fed), ["y"])
    conv.attribute.extend(node.attribute)
    total = _of_reference(conv, fed)
    columns = (slice(None), *[None] * (x.ndim - 2)) if w_scale.ndim else ...
    return total * (_exact(x_scale) * _exact(w_scale)[columns] / _exact(scale)), zero


def _requantised(places: Array, zero: Array, factor: float | Array = 1.0) -> Array:
    info = np.iinfo(zero.dtype)
    return np.clip(np.rint(places * factor + _exact(zero)), info.min, info.max).astype(zero.dtype)


def _unique(node: NodeProto, x: Array) -> tuple[Array, ...]:
    whole = NodeProto()
    whole.CopyFrom(node)
    whole.output[:] = ["values", "first", "inverse", "counts"]
    return tuple(_all_of_reference(whole, {node.input[0]: x}))


def _quantize(node: NodeProto, x: Array, scale: Array, *zero: Array) -> Array:
    most = np.abs(scale).min() * 2.0**29
    fed = dict(zip(node.input, (np.clip(x, -most, most), scale, *zero), strict=True))
    return _of_reference(node, {name: value for name, value in fed.items() if name})


def _dynamic_quantize(node: NodeProto, x: Array) -> tuple[Array, ...]:
    return tuple(_all_of_reference(node, {node.input[0]: x}))


def _vary_quantized(
    node: NodeProto, inputs: Sequence[Array], random: np.random.Generator
) -> Sequence[Array]:
    """Return the integers, anything for a nan; that decides all of a dynamic quantisation."""
    nans = np.isnan(inputs[0])
    if node.op_type == "DynamicQuantizeLinear":
        results = _all_of_reference(node, {node.input[0]: inputs[0]})
        if np.isfinite(inputs[0]).all():
            return results
        number = random.choice([np.nan, np.inf, random.standard_normal()])
        scale = np.full_like(results[1], number)
        return [_integers(results[0], random), scale, _integers(results[2], random)]
    found = _quantize(node, *inputs)
    return [np.where(nans, _integers(found, random), found) if nans.any() else found]


def _integers(like: Array, random: np.random.Generator) -> Array:
    if like.dtype.kind not in "iu":
        return like
    info = np.iinfo(like.dtype)
    return random.integers(info.min, info.max, like.shape, like.dtype, endpoint=True)


def _wide(x: Array) -> Array:
    return x.astype(np.int64)


def _exact(x: Array) -> Array:
    return x.astype(np.float64)


def _vary_requantised(
    node: NodeProto, inputs: Sequence[Array], random: np.random.Generator
) -> Sequence[Array]:
    """Return the integers for factors that are off by some rounding."""
    found = _product(inputs) if node.op_type == "QLinearMatMul" else _convolution(node, inputs)
    factor = 1 + 2.0**-21 * (2 * random.random(found[0].shape) - 1)
    return [_requantised(*found, factor)]


DEFINITIONS: Mapping[str, Callable[..., object]] = {
    "RNN": _recurrent,
    "GRU": _recurrent,
    "LSTM": _recurrent,
    "StringNormalizer": _string_normalizer,
    "RegexFullMatch": _regex_full_match,
    "CategoryMapper": _category_mapper,
    "LabelEncoder": _label_encoder,
    "TfIdfVectorizer": _tf_idf,
    "Unique": _unique,
    "QuantizeLinear": _quantize,
    "DynamicQuantizeLinear": _dynamic_quantize,
    "QLinearConv": _qlinear_conv,
    "QLinearMatMul": _qlinear_matmul,
}
"""Functions of the node and its inputs."""

VARIED: Mapping[
    str, Callable[[NodeProto, Sequence[Array], np.random.Generator], Sequence[Array]]
] = {
    "QuantizeLinear": _vary_quantized,
    "DynamicQuantizeLinear": _vary_quantized,
    "QLinearConv": _vary_requantised,
    "QLinearMatMul": _vary_requantised,
}
"""Functions that return one of the results that may be."""
