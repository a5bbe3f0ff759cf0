"""Values that ops compute from open extents: known for the largest numbers, and not constant.

Inference needs such values for the types of their readers. An op that computes one keeps it in
``onnx.largest``, and is folded when the op is converted, if all numbers of a run agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, OpResult, SSAValue

from autodeploy.dialects.nn.constant import ConstantOp, ConstantValue, DenseAttr, WeightAttr
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.weights import constant_value

LARGEST_ATTRIBUTE = "onnx.largest"
"""Attribute of an op: its results for the largest numbers of a run."""


def largest_value(value: SSAValue) -> ConstantValue | None:
    """Return what a value is for the largest numbers, of a constant what it is for all."""
    if isinstance(value, OpResult):
        found = value.op.attributes.get(LARGEST_ATTRIBUTE)
        if isinstance(found, ArrayAttr):
            own = cast("ArrayAttr[Attribute]", found).data[value.index]
            assert isinstance(own, DenseAttr | WeightAttr)
            return own
    return constant_value(value)


def follows_numbers(op: OnnxOp, *, is_open: bool) -> bool:
    """Return whether an op computes something from the extents of a value that is no constant.

    Unless extents of the model stay open, these are constants.
    """
    if op.op_type in ("Shape", "Size") and not op.domain:
        return is_open and not isinstance(op.operands[0].owner, ConstantOp)
    owners = (value.owner for value in op.operands)
    return any(
        LARGEST_ATTRIBUTE in owner.attributes for owner in owners if isinstance(owner, OnnxOp)
    )


def keep_largest(op: OnnxOp, values: Sequence[ConstantValue]) -> None:
    """Let an op keep its results for the largest numbers."""
    op.attributes[LARGEST_ATTRIBUTE] = ArrayAttr(values)
