"""Ops of which ONNX's inference has another shape than ONNX's definition of the operator.

A pool with ``ceil_mode`` leaves out a last window that begins in the padding, which inference
counts. The output of a transposed convolution with ``auto_pad`` is as long as its input times the
stride; inference adds ``output_padding``.
"""

from __future__ import annotations

from autodeploy.dialects.onnx import OnnxOp
from autodeploy.passes.onnx.infer_onnx_shapes import is_ranked

POOLS = frozenset(("AveragePool", "LpPool", "MaxPool"))
OPERATORS = POOLS | {"ConvTranspose"}


def is_misjudged(op: OnnxOp) -> bool:
    """Tell whether inference, whose type the result has, and the definition differ."""
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


def _integers(op: OnnxOp, name: str) -> tuple[int, ...]:
    value = op.setting(name)
    return tuple(n for n in value if isinstance(n, int)) if isinstance(value, tuple) else ()
