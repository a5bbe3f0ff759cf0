"""What may come out of a model: ONNX's reference, computed again and again a little differently.

A sample of the results computes each node with the reference, in single or in double precision, and
moves each number within the error that ``fuzz_rules`` allows. So a small error counts for as much
at the end of a chain as the chain makes of it, whatever comes behind it.

In place of ``onnx.reference``:

* 16-bit floats are computed in 32 bits and rounded to their type, an operator at a time, as
  ml_dtypes' functions do not exist for all operators, and those of float16 round within a sum;
* ReduceLogSumExp and LogSoftmax, whose sums of powers overflow or vanish there;
* pools, which lose a nan there; here it is the result of its windows, as it is that of other sums
  and largest numbers;
* Erf, which rounds to 32 bits;
* MatMul and Gemm of infinities, whose products with zero it may leave out;
* Pow of -inf by 0.5, which is the nan of a square root there;
* PRelu, which multiplies zeros by the slope, so that an infinite one gives nan;
* OneHot, which adds the difference of its values to one of them, and the nearest elements of a
  resized image, which it sums with others that weigh nothing;
* Cast, to round once, and to leave open what ONNX leaves open: numbers outside of an integer type.
  Half of the samples take the nearest integer, as programs do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache, partial

import numpy as np
from fuzz_case import OPSET, OTHER_OPSETS, FuzzCase, Oracle, Value
from fuzz_definitions import DEFINITIONS, VARIED
from fuzz_numbers import Array, is_float
from fuzz_regions import REGIONS, run_region
from fuzz_rules import ULP, ZERO_OF_ANY_SIGN, attributes, bound, bound_of_other, is_exact
from fuzz_structures import STRUCTURES, run_structure
from onnx import GraphProto, NodeProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)


def sample(case: FuzzCase, level: int = 2, number: int = 0) -> Mapping[str, Value]:
    """Return all values of a case: of sample 0 those of the reference, else some that may be."""
    with np.errstate(all="ignore"):
        return _Sample(case.opset(), level, number).values(
            case.nodes, {**case.constants, **case.inputs}, case.oracles
        )


class _Sample:
    """One of the ways in which a graph and its subgraphs may be computed."""

    def __init__(self, opset: int, level: int, number: int):
        self.opset, self.level, self.number = opset, level, number
        self.random = np.random.default_rng(number)

    def values(
        self,
        nodes: Sequence[NodeProto],
        known: Mapping[str, Value],
        oracles: Mapping[int, Oracle] = {},
    ) -> Mapping[str, Value]:
        """Return all values of nodes that follow each other, and those that were known."""
        values = dict(known)
        for index, node in enumerate(nodes):
            results = self._results(node, values, oracles.get(index))
            values.update((n, a) for n, a in zip(node.output, results, strict=False) if n)
        return values

    def _results(
        self, node: NodeProto, values: Mapping[str, Value], oracle: Oracle | None
    ) -> Sequence[Value]:
        inputs = [values[name] if name else None for name in node.input]
        if oracle is None and node.op_type in REGIONS:
            return run_region(node, inputs, partial(self._subgraph, values))
        if node.op_type in STRUCTURES:
            return run_structure(node, inputs)
        node_ = _Node(node, self.opset, oracle)
        if self.number:
            return node_.vary(inputs, self.level, self.random, self.number)
        return node_.compute(inputs)

    def _subgraph(
        self, outside: Mapping[str, Value], graph: GraphProto, given: Sequence[Value]
    ) -> Sequence[Value]:
        held = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        named = dict(zip((value.name for value in graph.input), given, strict=True))
        values = self.values(graph.node, {**outside, **held, **named})
        return [values[value.name] for value in graph.output]


class _Node:
    """A node and what computes it."""

    def __init__(self, node: NodeProto, opset: int, oracle: Oracle | None):
        self.node, self.opset = node, opset
        self.oracle = oracle or _ORACLES.get(node.op_type) or DEFINITIONS.get(node.op_type)

    def compute(self, inputs: Sequence[Array | None]) -> Sequence[Array]:
        """Compute in single precision, or in double where that is the type of the inputs."""
        if self.node.op_type in ("Cast", "CastLike"):
            return [self._cast(inputs, None)]
        if self.node.op_type == "BitCast":
            return self._run(inputs)
        return self._rounded(self._run([_widened(x, _F32) for x in inputs]), inputs, _F32)

    def vary(
        self,
        inputs: Sequence[Array | None],
        level: int,
        random: np.random.Generator,
        number: int,
    ) -> Sequence[Array]:
        """Compute something that the result may be."""
        if self.node.op_type in ("Cast", "CastLike"):
            return [self._cast(inputs, random)]
        if self.node.op_type in VARIED and self.oracle is DEFINITIONS[self.node.op_type]:
            return [np.asarray(y) for y in VARIED[self.node.op_type](self.node, inputs, random)]
        results = self.compute(inputs)
        first = results[0].dtype
        if not is_float(first):
            return results
        if not is_exact(self.node, first):
            wide = [_widened(x, _F64) for x in inputs]
            exact = self._run(wide)
            types = [y.dtype for y in results]
            if random.random() < 0.5:
                results = exact
            error = bound(self.node, self._run, wide, exact[0].astype(_F64), first, level)
            others = [bound_of_other(self.node, wide, y.astype(_F64), first) for y in results[1:]]
            moved = [
                _moved(y, bound_, random, number)
                for y, bound_ in zip(results, [error, *others], strict=True)
            ]
            results = self._rounded(moved, inputs, _F64)
            if not any(x is not None and is_float(x.dtype) for x in inputs):
                results = [y.astype(t) for y, t in zip(results, types, strict=True)]
        if self.node.op_type in ZERO_OF_ANY_SIGN:
            results = [_signed(y, random) for y in results]
        return results

    def _rounded(
        self, results: Sequence[Array], inputs: Sequence[Array | None], wide: np.dtype
    ) -> Sequence[Array]:
        """Return floats in the type of the inputs, which were computed in a wider one."""
        floats = [x.dtype for x in inputs if x is not None and is_float(x.dtype)]
        narrow = [dtype for dtype in floats if dtype in ULP] or (floats if wide == _F64 else [])
        # The statistics of a normalisation are numbers of 32 bits.
        stash = self.node.op_type == "LayerNormalization"
        types = [
            _F32 if stash and i and narrow[:1] != [_F64] else d
            for i, d in enumerate(narrow[:1] * len(results))
        ]
        if not types:
            return results
        return [
            y.astype(t) if is_float(y.dtype) else y for y, t in zip(results, types, strict=True)
        ]

    def _run(self, inputs: Sequence[Array | None]) -> Sequence[Array]:
        if self.oracle is not None:
            found = self.oracle(self.node, *inputs) if self._is_named() else self.oracle(*inputs)
            return [_tensor(y) for y in (found if isinstance(found, tuple) else (found,))]
        names = [name for name in self.node.input if name]
        fed = {n: x for n, x in zip(self.node.input, inputs, strict=True) if n and x is not None}
        assert set(names) == set(fed)
        evaluator = _evaluator(self.node.SerializeToString(), self.opset)
        if self._only_moves() and not self._is_finite(inputs[0]):
            places = np.arange(inputs[0].size, dtype=_F64).reshape(inputs[0].shape) + _FIRST
            found = np.asarray(evaluator.run(None, fed | {self.node.input[0]: places})[0])
            inside = found >= _FIRST  # other numbers are the value outside of the image
            nearest = inputs[0].ravel()[np.where(inside, found - _FIRST, 0).astype(np.int64)]
            return [np.where(inside, nearest, found).astype(inputs[0].dtype)]
        return [_tensor(y) for y in evaluator.run(None, fed)]

    def _only_moves(self) -> bool:
        return self.node.op_type in ("Resize", "Upsample") and is_exact(self.node, _F32)

    @staticmethod
    def _is_finite(x: Array) -> bool:
        return x.dtype.kind != "f" or bool(np.isfinite(x).all())

    def _is_named(self) -> bool:
        kind = self.node.op_type
        return self.oracle is (_ORACLES.get(kind) or DEFINITIONS.get(kind))

    def _cast(self, inputs: Sequence[Array | None], random: np.random.Generator | None) -> Array:
        x = inputs[0]
        if self.node.op_type == "Cast":
            number = attributes(self.node)["to"]
            dtype = np.dtype(helper.tensor_dtype_to_np_dtype(number))
        else:
            dtype = inputs[1].dtype
        if dtype.kind not in "iu" or not is_float(x.dtype):
            return x.astype(dtype)
        info, wide = np.iinfo(dtype), np.trunc(x.astype(_F64))
        fits = (wide >= float(info.min)) & (wide < float(info.max))
        kept = np.where(fits, wide, 0).astype(dtype)
        if random is None:
            return kept
        anything = random.integers(info.min, info.max, x.shape, dtype, endpoint=True)
        # The least and the largest are among few samples, too: what follows lies between them.
        part, ends = random.random(x.shape), [dtype.type(info.min), dtype.type(info.max)]
        anything = np.select([part < 0.25, part > 0.75], ends, anything)
        if random.random() < 0.5:  # the nearest one, and 0 for nan: a loop may go on from these
            outside = [wide < float(info.min), wide >= float(info.max)]
            anything = np.select(outside, ends, dtype.type(0))
        return np.where(fits, kept, anything)


@cache
def _evaluator(node: bytes, opset: int) -> ReferenceEvaluator:
    proto = NodeProto.FromString(node)
    graph = helper.make_graph(
        [proto],
        "node",
        [helper.make_empty_tensor_value_info(n) for n in dict.fromkeys(proto.input) if n],
        [helper.make_empty_tensor_value_info(n) for n in proto.output if n],
    )
    imports = [helper.make_opsetid("", opset)]
    if proto.domain:
        imports.append(helper.make_opsetid(proto.domain, OTHER_OPSETS[proto.domain]))
    return ReferenceEvaluator(helper.make_model(graph, opset_imports=imports))


def _tensor(y: object) -> Array:
    """Return a tensor, whose strings are Python's."""
    array = np.asarray(y)
    return array.astype(object) if array.dtype.kind == "U" else array


def _widened(x: Array | None, dtype: np.dtype) -> Array | None:
    """Return floats that are narrower than a type in that type."""
    narrow = x is not None and is_float(x.dtype) and x.dtype.itemsize < dtype.itemsize
    return x.astype(dtype) if narrow else x


_FIRST = 2.0**40
"""Marks the places of an image: above any value that is put outside of it."""

_ANYTHING = np.array([np.nan, np.inf, -np.inf, 0.0, 1.0, -1e30, 1e30])


def _moved(y: Array, error: Array, random: np.random.Generator, number: int) -> Array:
    """Return numbers within an error of others, in double precision.

    Where the error is infinite, they are each in turn of some.
    """
    if not is_float(y.dtype):
        return y
    wide = y.astype(_F64)
    error = np.broadcast_to(error, y.shape)
    sign = np.clip(2 * random.standard_normal(y.shape), -1, 1)
    moves = np.isfinite(wide) & np.isfinite(error) & (error > 0)
    moved = np.where(moves, wide + sign * np.where(moves, error, 0), wide)
    if number % 4 == 0:  # no random move meets the one number that others are divided by in vain
        moved = np.where(moves & (np.abs(wide) <= error), 0.0, moved)
    # In every second sample all are the same: what sums them is no nan in each of the samples.
    places = random.integers(_ANYTHING.size, size=y.shape) if number % 2 else np.zeros(y.shape, int)
    anything = _ANYTHING[(places + number // 2) % _ANYTHING.size]
    return np.where(np.isinf(error), anything, moved)


def _signed(y: Array, random: np.random.Generator) -> Array:
    """Return numbers whose zeros have any sign."""
    if not is_float(y.dtype):
        return y
    flipped = (y == 0) & (random.random(y.shape) < 0.5)
    return np.where(flipped, -y, y).astype(y.dtype)


def _log_sum_exp(node: NodeProto, x: Array, axes: Array | None = None) -> Array:
    given = attributes(node)
    chosen = given.get("axes") if axes is None else axes.tolist()
    if not chosen and given.get("noop_with_empty_axes", 0):
        return x
    over = tuple(chosen) if chosen else tuple(range(x.ndim))
    return np.logaddexp.reduce(x, axis=over, keepdims=bool(given.get("keepdims", 1)))


def _log_softmax(node: NodeProto, x: Array) -> Array:
    axis = attributes(node).get("axis", -1)
    shifted = x - x.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def _pool(node: NodeProto, x: Array) -> tuple[Array, ...]:
    """Return the results of windows, nan where there is one, and the other outputs."""
    evaluator = _evaluator(node.SerializeToString(), OPSET)
    nans = np.isnan(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool)
    known = np.where(nans, -np.inf, x).astype(x.dtype) if nans.any() else x
    numbers = [np.asarray(y) for y in evaluator.run(None, {node.input[0]: known})]
    if nans.any():
        (hits, *_) = evaluator.run(None, {node.input[0]: nans.astype(x.dtype)})
        numbers[0] = np.where(np.asarray(hits) > 0, np.nan, numbers[0]).astype(x.dtype)
    return tuple(numbers)


def _max_pool(node: NodeProto, x: Array) -> tuple[Array, ...]:
    """Pad as ONNX says, begins before ends; its reference takes them axis by axis."""
    given = attributes(node)
    rank = x.ndim - 2
    pads = list(given.get("pads", ()))
    if len(set(pads)) < 2 or given.get("ceil_mode") or len(node.output) > 1:
        return _pool(node, x)
    width = [(0, 0), (0, 0), *zip(pads[:rank], pads[rank:], strict=True)]
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    plain = NodeProto()
    plain.CopyFrom(node)
    del plain.attribute[:]
    plain.attribute.extend(a for a in node.attribute if a.name != "pads")
    return _pool(plain, np.pad(x, width, constant_values=lowest))


def _global_max_pool(node: NodeProto, x: Array) -> Array:
    return x.max(tuple(range(2, x.ndim)), keepdims=True)


def _erf(node: NodeProto, x: Array) -> Array:
    return np.vectorize(math.erf, otypes=[x.dtype])(x)


def _one_hot(node: NodeProto, indices: Array, depth: Array, values: Array) -> Array:
    evaluator = _evaluator(node.SerializeToString(), OPSET)
    fed = dict(zip(node.input, (indices, depth, np.array([0, 1])), strict=True))
    chosen = np.asarray(evaluator.run(None, fed)[0])
    return np.where(chosen == 1, values[1], values[0])


def _pow(node: NodeProto, x: Array, y: Array) -> Array:
    """NumPy takes a square root for a power of 0.5, which gives nan for -inf."""
    if x.dtype.kind != "f":
        return np.power(x, y).astype(x.dtype)
    return np.float_power(x, y).astype(x.dtype)


def _prelu(node: NodeProto, x: Array, slope: Array) -> Array:
    return np.where(x < 0, x * slope, x)


def _matmul(node: NodeProto, a: Array, b: Array) -> Array:
    """Of libraries of linear algebra some leave out products by zero, also those with infinity."""
    if a.dtype.kind != "f" or (np.isfinite(a).all() and np.isfinite(b).all()):
        return np.matmul(a, b)
    rows, columns = a.ndim > 1, b.ndim > 1
    left, right = np.atleast_2d(a), b if columns else b[:, None]
    product = np.einsum("...mk,...kn->...mn", left, right)
    product = product if columns else product[..., 0]
    return product if rows else product[..., 0, :] if columns else product[..., 0]


def _gemm(node: NodeProto, a: Array, b: Array, c: Array | None = None) -> Array:
    given = attributes(node)
    left, right = a.T if given.get("transA") else a, b.T if given.get("transB") else b
    product = _matmul(node, left, right) * np.asarray(given.get("alpha", 1.0), a.dtype)
    return product if c is None else product + c * np.asarray(given.get("beta", 1.0), a.dtype)


_ORACLES = {
    "MatMul": _matmul,
    "Gemm": _gemm,
    "Pow": _pow,
    "PRelu": _prelu,
    "ReduceLogSumExp": _log_sum_exp,
    "LogSoftmax": _log_softmax,
    "MaxPool": _max_pool,
    "AveragePool": _pool,
    "LpPool": _pool,
    "Erf": _erf,
    "OneHot": _one_hot,
    "GlobalMaxPool": _global_max_pool,
}
