"""Ops of which ONNX's inference has another shape than ONNX's definition of the operator.

A pool with ``ceil_mode`` leaves out a last window that begins in the padding, which inference
counts. The output of a transposed convolution with ``auto_pad`` is as long as its input times the
stride; inference adds ``output_padding``. A loop may hand on a sequence whose elements have other
shapes than those that it begins with; inference takes the shape of these for that of all.
"""

from __future__ import annotations

from autodeploy.dialects.onnx import OnnxOp, OptionalType, SequenceType
from autodeploy.passes.onnx.infer_onnx_shapes import is_ranked

POOLS = frozenset(("AveragePool", "LpPool", "MaxPool"))
OPERATORS = POOLS | {"ConvTranspose"}


def is_misjudged(op: OnnxOp) -> bool:
    """Tell whether inference, whose type the result has, and the definition differ."""
    if hands_on_other_shapes(op):
        return True
    if op.domain or op.op_type not in OPERATORS:
        return False
    if op.op_type == "ConvTranspose":
        same = op.setting("auto_pad") in ("SAME_UPPER", "SAME_LOWER")
        return same and any(_integers(op, "output_padding"))
    types = op.operands[0].type, op.results[0].type
    if "ceil_mode" not in op.schema.attributes or not op.setting("ceil_mode"):
        return False
    if not all(map(is_ranked, types)):
        return False
    before, after = (type_.get_shape()[2:] for type_ in types if is_ranked(type_))
    strides = _integers(op, "strides") or (1,) * len(before)
    pads = _integers(op, "pads") or (0,) * len(before)
    return any(
        n >= 0 and m >= 0 and (m - 1) * stride - pad >= n
        for n, m, stride, pad in zip(before, after, strides, pads, strict=False)
    )


def hands_on_other_shapes(op: OnnxOp) -> bool:
    """Tell whether the body of a loop makes a sequence of another type than inference has for it.

    Inference knows the type that the loop begins with, in the body and behind it.
    """
    if op.domain or op.op_type != "Loop" or not op.regions:
        return False
    last = op.regions[0].block.last_op
    made = () if last is None else tuple(value.type for value in last.operands[1:])
    taken = [argument.type for argument in op.regions[0].block.args[2:]]
    found = [None if result is None else result.type for result in op.outputs_by_position()]
    return any(
        isinstance(type_, SequenceType | OptionalType) and {begun, result} - {None} != {type_}
        for type_, begun, result in zip(made, taken, found, strict=False)
    )


def _integers(op: OnnxOp, name: str) -> tuple[int, ...]:
    value = op.setting(name)
    return tuple(n for n in value if isinstance(n, int)) if isinstance(value, tuple) else ()
