"""``store-booleans``: booleans between kernels of a page are words, as its device has no others."""

from __future__ import annotations

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import is_left_to_driver
from autodeploy.dialects.nn.types import element_of, is_bool, shape_of, tensor
from autodeploy.passes.kernels.stored_values import cast_before, read_as
from autodeploy.weights import WeightStore, constant_array


class StoreBooleansPass(ModulePass):
    """Let booleans that kernels pass to each other have 32 bits: 1 is true, 0 is false.

    Constants and movements outside of kernels follow. If other ops have booleans, as functions of
    the library do, all stay: such a program is no page.
    """

    name = "store-booleans"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.body.block.ops if isinstance(f, FuncOp)]:
            results = (value for one in function.body.block.ops for value in one.results)
            booleans = [value for value in results if is_bool(element_of(value.type))]
            if all(map(_may_change, booleans)):
                for value in booleans:
                    _store(ctx, value)


def _may_change(value: SSAValue) -> bool:
    """Return whether kernels, constants and movements alone have a value."""
    ops = (value.owner, *(use.operation for use in value.uses))
    return all(
        isinstance(op, KernelOp | ConstantOp)
        or (isinstance(op, Operation) and is_left_to_driver(op))
        for op in ops
    )


def _store(ctx: Context, value: SSAValue) -> None:
    before, owner = element_of(value.type), value.owner
    if isinstance(owner, ConstantOp):
        array = constant_array(ctx, value)
        assert array is not None
        words = ConstantOp(WeightStore.of(ctx).attribute(array.astype(np.int32)))
        Rewriter.replace_op(owner, words)
        value = words.result
    else:
        if isinstance(owner, KernelOp):
            end, index = owner.body.block.last_op, owner.results.index(value)
            assert end is not None
            end.operands[index] = cast_before(end, end.operands[index], i32)
        stored = tensor(i32, shape_of(value.type))
        value = Rewriter.replace_value_with_new_type(value, stored)
    for use in list(value.uses):
        if isinstance(reader := use.operation, KernelOp):
            read_as(reader, reader.body.block.args[use.index], i32, before, lambda use: False)
