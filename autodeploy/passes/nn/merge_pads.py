"""Pads that become a part of the windows that read them.

An exporter that computes padding from an extent writes an operator for it, where it may be absent
for some numbers. As a part of the windows it can be compared.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.nn.base import i64_array, ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.layout import input_layout
from autodeploy.dialects.nn.padding import CONSTANT_PAD, PadOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.passes.nn.state_open_rules import state_pads


def merge_pads(module: ModuleOp) -> None:
    """Let convolutions and largest elements of windows pad what ops before them pad, by a rule."""
    for op in [op for op in module.walk() if isinstance(op, ConvOp | PoolOp)]:
        pad = op.x.owner
        if not isinstance(pad, PadOp) or not _changes_nothing(pad, op):
            continue
        added = pad.spatial_pads(input_layout(op.layout))
        if added is None:
            continue
        own = op.pads
        op.properties["pads"] = i64_array([a + b for a, b in zip(added, ints(own), strict=True)])
        op.operands[0] = pad.x
        if state_pads(op) is not None:
            op.operands[0], op.properties["pads"] = pad.result, own
        elif not pad.result.uses:
            Rewriter.erase_op(pad)


def _changes_nothing(pad: PadOp, op: ConvOp | PoolOp) -> bool:
    """Return whether windows find the same where they pad themselves."""
    if pad.mode != CONSTANT_PAD or op.pads_by_remainder is not None:
        return False
    if any(growth_of(extent) is None for extent in shape_of(pad.x.type)):
        return False
    wanted = 0 if isinstance(op, ConvOp) else op.padding_value
    return pad.value.value.data == wanted
