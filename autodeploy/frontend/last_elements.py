"""Outputs of which the caller wants the last elements along an axis alone."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from autodeploy.diagnostics import ModelError, UnsupportedError, did_you_mean
from autodeploy.dialects.extents import Extent
from autodeploy.dialects.nn.base import Tensor
from autodeploy.dialects.nn.marks import states_of
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.nn.open_extent import SHAPE_ATTRIBUTE
from autodeploy.dialects.nn.stored import STORED_ATTRIBUTE
from autodeploy.dialects.nn.types import shape_of
from autodeploy.frontend.names import ascii_text, original_text
from autodeploy.frontend.states import names_of_values


def keep_last(module: ModuleOp, axes: Mapping[str, int]) -> None:
    """Let outputs of a module in the nn dialect have their last element along an axis alone.

    Raises ``ModelError`` for a name that is no output and for an axis that it lacks, and
    ``UnsupportedError`` for an output of which that cannot be said.
    """
    func = next(op for op in module.body.block.ops if isinstance(op, FuncOp))
    returned = func.body.block.last_op
    assert isinstance(returned, ReturnOp)
    names = names_of_values(func.res_attrs)
    for label, axis in axes.items():
        name = ascii_text(label)
        if name not in names:
            listed = ", ".join(f"'{original_text(known)}'" for known in names)
            raise ModelError(
                f"'{label}' is no output; the model's outputs are {listed}"
                f"{did_you_mean(name, names)}"
            )
        _keep(func, returned, names.index(name), axis, label)
    types: list[Attribute] = [value.type for value in returned.operands]
    func.function_type = FunctionType.from_lists(list(func.function_type.inputs), types)


def _keep(func: FuncOp, returned: ReturnOp, index: int, axis: int, label: str) -> None:
    value = returned.operands[index]
    attributes = () if func.res_attrs is None else func.res_attrs.data
    if (
        any(state.result == index for state in states_of(func))
        or any(SHAPE_ATTRIBUTE in entry.data for entry in attributes)
        or STORED_ATTRIBUTE in attributes[index].data
        or not isa(value.type, Tensor)
    ):
        raise UnsupportedError(f"output '{label}' has no last elements that are known in each run")
    shape = list(shape_of(value.type))
    if axis >= len(shape):
        raise ModelError(f"output '{label}' has {len(shape)} axes, found axis {axis}")
    extent = shape[axis]
    if (extent.least if isinstance(extent, Extent) else extent) < 1:
        raise UnsupportedError(f"output '{label}' may have no elements along axis {axis}")
    starts, steps = [0] * len(shape), [1] * len(shape)
    starts[axis], shape[axis] = extent - 1, 1
    last = SliceOp(value, starts, shape, steps)
    last.result.name_hint = value.name_hint
    Rewriter.insert_op(last, InsertPoint.before(returned))
    returned.operands[index] = last.result
