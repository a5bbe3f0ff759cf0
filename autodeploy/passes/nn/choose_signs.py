"""``choose-signs``: codes are signed or not, as the machine multiplies them faster."""

from __future__ import annotations

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i8
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.machine import find_machine
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.quantised import DequantizeOp, QuantizeOp
from autodeploy.dialects.nn.types import element_of, ui8
from autodeploy.weights import WeightStore, constant_array, numpy_dtype

_MOVED = 128
"""A code of 8 bits without a sign less the one with a sign that stands for the same number."""


class ChooseSignsPass(ModulePass):
    """Make codes of 8 bits signed or unsigned, whichever the machine sums more products of.

    The other factors are signed weights. Only codes that are quantised and dequantised within the
    module change, with their constant zero points; they stand for the same numbers. A module that
    names no machine stays as it is.
    """

    name = "choose-signs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        machine = find_machine(op)
        if machine is None:
            return
        dots = {element: machine.dot(str(element), str(i8)) for element in (ui8, i8)}
        for element, other in ((ui8, i8), (i8, ui8)):
            if dots[element] > dots[other]:
                for quantize in [o for o in op.walk() if isinstance(o, QuantizeOp)]:
                    if element_of(quantize.result.type) == other:
                        _change(ctx, quantize, element)


def _change(ctx: Context, quantize: QuantizeOp, element: Attribute) -> None:
    """Give codes another element type, unless something reads them that takes them as they are."""
    readers = [use.operation for use in quantize.result.uses]
    if not all(isinstance(reader, DequantizeOp) and reader.zero for reader in readers):
        return
    ops = [quantize, *(reader for reader in readers if isinstance(reader, DequantizeOp))]
    zeros = [zero for op in ops if (zero := op.zero) is not None]
    if any(constant_array(ctx, zero) is None for zero in zeros):
        return
    new = QuantizeOp(quantize.x, quantize.scale, _moved(ctx, quantize, quantize.zero, element))
    new.location = quantize.location
    for reader in ops[1:]:
        zero = reader.operands[2]
        reader.operands[2] = _moved(ctx, reader, zero, element)
    new.result.name_hint = quantize.result.name_hint
    Rewriter.replace_op(quantize, new)


def _moved(
    ctx: Context, user: QuantizeOp | DequantizeOp, zero: SSAValue, element: Attribute
) -> SSAValue:
    array = constant_array(ctx, zero)
    assert array is not None
    moved = array.astype(np.int16) + (_MOVED if element == ui8 else -_MOVED)
    constant = ConstantOp(WeightStore.of(ctx).attribute(moved.astype(numpy_dtype(element))))
    Rewriter.insert_op(constant, InsertPoint.before(user))
    return constant.result
