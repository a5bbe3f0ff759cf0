"""Ops of which ONNX's inference has another shape than ONNX's definition of the operator.

A pool with ``ceil_mode`` leaves out a last window that begins in the padding, which inference
counts. The output of a transposed convolution with ``auto_pad`` is as long as its input times the
stride; inference adds ``output_padding``. A loop may hand on a sequence whose elements have other
shapes than those that it begins with; inference takes the shape of these for that of all. An axis
of an Einsum is as long as in the operand that does not repeat it; inference takes that of the
first. A STFT has one side by default; inference counts both. The extent times the scale of a
Resize is rounded to single precision, in which onnxruntime and PyTorch compute it; inference rounds
22.9999995 down.
"""

from __future__ import annotations

import numpy as np
from xdsl.context import Context

from autodeploy.dialects.onnx import OnnxOp, OptionalType, SequenceType
from autodeploy.passes.onnx.infer_onnx_shapes import is_ranked
from autodeploy.weights import constant_array

POOLS = frozenset(("AveragePool", "LpPool", "MaxPool"))
OPERATORS = POOLS | {"ConvTranspose", "Einsum", "Resize", "STFT", "Upsample"}


def is_misjudged(ctx: Context, op: OnnxOp) -> bool:
    """Return whether inference, whose type the result has, and the definition differ."""
    if hands_on_other_shapes(op):
        return True
    if op.domain or op.op_type not in OPERATORS:
        return False
    if op.op_type == "ConvTranspose":
        same = op.setting("auto_pad") in ("SAME_UPPER", "SAME_LOWER")
        return same and any(_integers(op, "output_padding"))
    if op.op_type == "Einsum":
        return _repeats(op)
    if op.op_type == "STFT":
        return "onesided" not in op.properties
    types = op.operands[0].type, op.results[0].type
    if op.op_type not in POOLS:
        return _is_rounded(ctx, op)
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
    """Return whether the body of a loop makes a sequence of another type than inference has for it.

    Inference knows the type that the loop begins with, in the body and after it.
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


def _repeats(op: OnnxOp) -> bool:
    """Return whether an Einsum has an axis of extent 1 in one operand and of more in another."""
    equation = op.setting("equation")
    terms = str(equation).replace(" ", "").partition("->")[0].split(",")
    extents: dict[str, set[int]] = {}
    for term, operand in zip(terms, op.operands, strict=False):
        if not is_ranked(operand.type):
            return False
        left, dots, right = term.partition("...")
        shape = operand.type.get_shape()
        named = [*zip(left, shape, strict=False)]
        if dots and right:
            named += zip(right, shape[-len(right) :], strict=False)
        for letter, extent in named:
            extents.setdefault(letter, set()).add(extent)
    return any(1 in found and len(found) > 1 for found in extents.values())


def _is_rounded(ctx: Context, op: OnnxOp) -> bool:
    """Return whether a Resize makes another extent in single precision than inference has."""
    given = op.input_named("scales") if "scales" in (p.name for p in op.input_parameters) else None
    scales = None if given is None else constant_array(ctx, given)
    before, after = op.operands[0].type, op.results[0].type
    if scales is None or not is_ranked(before) or not is_ranked(after):
        return False
    axes = _integers(op, "axes") or range(len(before.get_shape()))
    pairs = [(before.get_shape()[axis], after.get_shape()[axis]) for axis in axes]
    return any(
        n >= 0 and np.floor(np.float32(n) * np.float32(scale)) != m
        for (n, m), scale in zip(pairs, scales.reshape(-1).tolist(), strict=False)
    )


def _integers(op: OnnxOp, name: str) -> tuple[int, ...]:
    value = op.setting(name) if name in op.schema.attributes else None
    return tuple(n for n in value if isinstance(n, int)) if isinstance(value, tuple) else ()
