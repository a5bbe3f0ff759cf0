"""Operators on tensors that depend on the numbers of a run, and ONNX's reference at each number."""

from __future__ import annotations

from itertools import product

import numpy as np
from imported_models import import_model_proto
from onnx import helper
from xdsl.context import Context
from xdsl.dialects.func import FuncOp

from autodeploy.analysis.reference import Reference
from autodeploy.dialects.extents import Numbers, OpenRange
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.lowering.onnx_to_nn.size_evaluation import Evaluation
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable

ONE = Numbers((OpenRange("n", 1, 20),))
STEP = Numbers((OpenRange("n", 1, 8, 8),))
PAIR = Numbers((OpenRange("n", 1, 5), OpenRange("m", 2, 6)))
GRIDS = {"one": ONE, "step": STEP, "pair": PAIR}


def points(numbers):
    """Yield counts of steps, and the numbers that these are; the second one is 3 if not given."""
    for counts in product(*(range(r.least, r.most + 1) for r in numbers.ranges)):
        given = [r.number(count) for r, count in zip(numbers.ranges, counts, strict=True)]
        yield counts, (*given, 3)[:2]


def table(numbers, operand):
    """Return a table of an array, or of a function of the numbers."""
    if not callable(operand):
        return SizeTable.of_array(numbers, operand)
    found = [operand(*given) for _, given in points(numbers)]
    return SizeTable.of_arrays(numbers, found, np.arange(len(found)).reshape(numbers.shape))


def array(operand, given):
    return operand(*given) if callable(operand) else operand


class Case:
    """An operator with operands, each an array, a function of the numbers, or left out."""

    def __init__(self, op_type, *operands, opset=18, outputs=1, **attributes):
        self.given = [operand for operand in operands if operand is not None]
        # Operands of one object are one value.
        self.names = {id(operand): f"x{place}" for place, operand in enumerate(self.given)}
        inputs = ["" if operand is None else self.names[id(operand)] for operand in operands]
        self.node = helper.make_node(
            op_type, inputs, [f"y{place}" for place in range(outputs)], **attributes
        )
        self.opset = opset

    def inputs(self, given):
        return {self.names[id(operand)]: array(operand, given) for operand in self.given}

    def reference(self, given):
        inputs = self.inputs(given)
        reference = Reference.of(self.node, tuple(inputs), self.opset)
        return None if reference is None else reference(inputs)

    def imported(self, numbers, dtypes=None):
        """Return the op, where no extent of its results is known."""
        (_, first), *_, (_, last) = points(numbers)
        dtypes = dtypes or [result.dtype for result in self.reference(first)]
        inputs = [
            helper.make_tensor_value_info(name, kind_of(found.dtype), found.shape)
            for name, found in self.inputs(last).items()
        ]
        outputs = [
            helper.make_tensor_value_info(name, kind_of(dtype), None)
            for name, dtype in zip(self.node.output, dtypes, strict=True)
        ]
        graph = helper.make_graph([self.node], "model", inputs, outputs)
        opsets = [helper.make_opsetid("", self.opset)]
        ctx = Context()
        module = import_model_proto(
            ctx, helper.make_model(graph, opset_imports=opsets, ir_version=10)
        )
        (main,) = (op for op in module.ops if isinstance(op, FuncOp))
        return ctx, next(op for op in main.body.block.ops if isinstance(op, OnnxOp))

    def evaluate(self, numbers, dtypes=None, ragged=False):
        operands = [table(numbers, operand) for operand in self.given]
        return evaluate(*self.imported(numbers, dtypes), operands, ragged=ragged)


def evaluate(ctx, op, operands, *, ragged=False):
    evaluation = Evaluation.of(ctx, op, {})
    return evaluation and evaluation(operands, ragged=ragged)


def kind_of(dtype):
    return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def i64(*values):
    return np.array(values, np.int64)


def scalar(value, dtype=np.int64):
    return np.array(value, dtype)


def grown(seed, *shape, dtype=np.int64, least=-9, most=9):
    """Return a function of the numbers: random polynomials with values of both signs."""
    weights = np.random.default_rng(seed).integers(least, most, (4, *shape))

    def at(n, m):
        a, b, c, d = weights
        return np.asarray(a + b * n + c * m + d * (n * m % 5)).astype(dtype)

    return at


def positive(seed, *shape, dtype=np.int64):
    return grown(seed, *shape, dtype=dtype, least=1, most=9)


def size(n, m):
    """Return a shape as Shape does."""
    return i64(n, 3, m)


def rest(by, *shape):
    """Return indices from 0 on that are below a number."""
    spread = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    return lambda n, m: (spread + n * 2 + m) % by


def floats(seed, *shape, dtype=np.float32):
    whole = grown(seed, *shape)
    return lambda n, m: np.asarray(whole(n, m) / 4).astype(dtype)


def mask(seed, *shape):
    whole = grown(seed, *shape)
    return lambda n, m: whole(n, m) % 2 == 0
