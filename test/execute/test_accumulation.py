"""Ops that accumulate and have no lowering of their own, against formulas in NumPy.

They are defined here, and converters of this test make them of ONNX operators.
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

import numpy as np
import pytest
from closeness import assert_close
from onnx import parser
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, operand_def

import autodeploy
from autodeploy.dialects.nn.base import TENSOR, AnchorOp
from autodeploy.dialects.nn.structure import AccumulatingOp, Iterator, IteratorKind, parallel
from autodeploy.dialects.nn.types import element_of, lowest, shape_of, tensor
from autodeploy.lowering.onnx_to_nn import context

D = AffineExpr.dimension


@irdl_op_definition
class DistanceOp(AnchorOp, AccumulatingOp):
    """The squared distance of each row of x from each row of y, plus a bias of each row of y."""

    name = "nn.test_distance"
    ACCUMULATED: ClassVar[int] = 2

    x = operand_def(TENSOR)
    y = operand_def(TENSOR)
    bias = operand_def(TENSOR)

    def __init__(self, x, y, bias):
        self.init_inferred([x, y, bias])

    def infer_result_type(self):
        shape = shape_of(self.x.type)[0], shape_of(self.y.type)[0]
        return tensor(element_of(self.x.type), shape)

    @property
    def iterators(self):
        depth = Iterator("k", shape_of(self.x.type)[1], IteratorKind.REDUCTION)
        return (*parallel(shape_of(self.result.type)), depth)

    @property
    def indexing_maps(self):
        places = (D(0), D(2)), (D(1), D(2)), (D(1),), (D(0), D(1))
        return tuple(AffineMap(3, 0, own) for own in places)

    def start(self, element):
        return 0

    def body(self, s, total, x, y):
        return total + (x - y) * (x - y)

    def combine(self, s, total, other):
        return total + other

    def finish(self, s, total, count, bias):
        return total + bias


class RowsOp(AnchorOp, AccumulatingOp, ABC):
    """An op of rows alone."""

    x = operand_def(TENSOR)

    def __init__(self, x):
        self.init_inferred([x])


@irdl_op_definition
class NearbyOp(RowsOp):
    """The mean of those of five elements of a row that there are, the second of them its own."""

    name = "nn.test_nearby"

    def infer_result_type(self):
        return self.x.type

    @property
    def iterators(self):
        return (*parallel(shape_of(self.x.type)), Iterator("k", 5, IteratorKind.WINDOW))

    @property
    def indexing_maps(self):
        return AffineMap(3, 0, (D(0), D(1) + D(2) - 1)), AffineMap(3, 0, (D(0), D(1)))

    def start(self, element):
        return 0

    def body(self, s, total, x):
        return total + x

    def finish(self, s, total, count):
        return s.mean(total, count)


@irdl_op_definition
class PairsOp(RowsOp):
    """The largest of the elements of all rows in the pair of columns that a column is of."""

    name = "nn.test_pairs"

    def infer_result_type(self):
        return tensor(element_of(self.x.type), shape_of(self.x.type)[1:])

    @property
    def iterators(self):
        rows, columns = shape_of(self.x.type)
        folded = (Iterator(n, e, IteratorKind.REDUCTION) for n, e in (("r", rows), ("k", 2)))
        return (*parallel([columns]), *folded)

    @property
    def indexing_maps(self):
        return AffineMap(3, 0, (D(1), D(0) // 2 * 2 + D(2))), AffineMap(3, 0, (D(0),))

    def start(self, element):
        return lowest(element)

    def body(self, s, total, x):
        return s.larger(total, x)


CONVERTED = {"Gemm": DistanceOp, "Softsign": NearbyOp, "ReduceL1": PairsOp}


def of_neighbours(x):
    """Return the mean of the elements that there are from one before to three after each."""
    columns = range(x.shape[1])
    return np.stack([x[:, max(i - 1, 0) : i + 4].mean(1) for i in columns], 1)


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("element", ["float", "float16"])
def test_ops_without_a_lowering_of_their_own(monkeypatch, level, element):
    for name, op in CONVERTED.items():
        entry = context._Entry(1, None, lambda b, op, kind=op: [b.emit(kind(*op.operands))])
        monkeypatch.setitem(context._ENTRIES, name, [entry])
    model = parser.parse_model(
        f"""<ir_version: 9, opset_import: ["" : 17]>
        g ({element}[5, 70] x, {element}[7, 70] y, {element}[7] bias)
            => ({element}[5, 7] d, {element}[5, 70] n, {element}[70] p) {{
          d = Gemm<transB = 1>(x, y, bias) n = Softsign(x) p = ReduceL1<axes = [0], keepdims = 0>(x)
        }}"""
    )
    shapes = {"x": (5, 70), "y": (7, 70), "bias": (7,)}
    random = np.random.default_rng(7)
    dtype = np.float16 if element == "float16" else np.float32
    inputs = {name: random.standard_normal(own).astype(dtype) for name, own in shapes.items()}
    x, y, bias = (value.astype(np.float64) for value in inputs.values())
    with autodeploy.compile(model.SerializeToString(), level=level) as session:
        found = session.run(inputs)
    assert_close(found["d"], (((x[:, None] - y) ** 2).sum(2) + bias).astype(dtype))
    assert_close(found["n"], of_neighbours(x).astype(dtype))
    assert_close(found["p"], x.max(0).reshape(-1, 2).max(1).repeat(2).astype(dtype))
