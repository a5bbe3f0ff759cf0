"""Records of what ops compute from extents, made as they fold to constants.

A module that is compared with the same model for other extents must not depend on its own ones in
ways that the comparison does not see. What is recorded here tells of all numbers; see
``computed_sizes``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from onnx import helper
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.analysis.computed_sizes import (
    ASKED_ATTRIBUTE,
    Computed,
    SizeRecords,
    note_read,
    read_records,
    record_of,
    set_record,
)
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.padding_by_rest import COMPARED_ATTRIBUTE
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.onnx.nodes import location_name, node_proto
from autodeploy.passes.onnx.infer_onnx_shapes import ValueNames, is_ranked
from autodeploy.passes.onnx.kept_extents import FIRST_DATA
from autodeploy.weights import Array, WeightStore, constant_array

_WHERE = 16
"""An opset that has Where for all types."""


def record_folded(
    ctx: Context, op: OnnxOp, constants: Sequence[ConstantOp], *, is_kept: bool
) -> None:
    """Record the constants that an op folds to, if it asks for extents or reads what follows.

    Where the op ``is_kept``, a run computes the elements, and only the shape is of these numbers.
    """
    if op.op_type in ("Shape", "Size") and not isinstance(op.operands[0].owner, ConstantOp):
        module = _module_of(op)
        if COMPARED_ATTRIBUTE in module.attributes:
            array = constant_array(ctx, constants[0].result)
            assert array is not None
            shape = _asked(op, array.reshape(-1).tolist())
            number = SizeRecords.of(ctx).ask(
                module,
                location_name(op),
                shape,
                is_count=op.op_type == "Size",
                is_read=_is_read(op.operands[0]),
            )
            set_record(constants[0].result, number)
        return
    read = list(dict.fromkeys(op.operands))
    known = {value: number for value in read if (number := record_of(value)) is not None}
    if not known:
        return
    names = ValueNames()
    operands: list[int | Array] = []
    node = node_proto(ctx, op, names)
    order = {name: value for value, name in names.names.items()}
    for name in dict.fromkeys(name for name in (() if node is None else node.input) if name):
        value = order[name]
        array = None if value in known else constant_array(ctx, value)
        operands.append(known[value] if array is None else array)
    for index, constant in enumerate(constants):
        whole = constant_array(ctx, constant.result)
        assert whole is not None
        record = Computed(node, op.version, location_name(op), tuple(operands), index, whole)
        number = SizeRecords.of(ctx).compute(record)
        set_record(constant.result, number)
        if is_kept and op.op_type in ("Range", "Slice"):
            note_read(_module_of(op), [-1 - number])
    if is_kept and op.op_type not in ("Range", "Slice"):
        # What says shapes, places or axes is that of these numbers.
        sizes = [known[value] for value in op.operands[1:] if value in known]
        note_read(_module_of(op), sizes if op.op_type in FIRST_DATA else [])


def record_made(ctx: Context, op: OnnxOp, value: SSAValue) -> SSAValue:
    """Return the constant that an op became by its conversion, which records if it may follow from
    extents; it is not known how.
    """
    array = constant_array(ctx, value)
    follows = any(
        record_of(operand) is not None or not isinstance(operand.owner, ConstantOp)
        for operand in op.operands
    )
    if array is None or not follows or (record_of(value) is not None and not op.regions):
        return value
    new = ConstantOp(WeightStore.of(ctx).attribute(array))
    Rewriter.insert_op(new, InsertPoint.before(op))
    record = Computed(None, op.version, location_name(op), (), 0, array)
    set_record(new.result, SizeRecords.of(ctx).compute(record))
    return new.result


def record_choice(ctx: Context, op: OnnxOp, branch: Region) -> list[SSAValue]:
    """Record that what follows from extents chooses a branch, and the constants that it yields.

    Returns the values of the branch, before which these constants are.
    """
    values, number = [*_yielded(branch)], record_of(op.operands[0])
    if number is None:
        return values
    note_read(_module_of(op), [number])
    both = [op.subgraph_named(name) for name in ("then_branch", "else_branch")]
    for index, pair in enumerate(zip(*map(_yielded, both), strict=False)):
        array = constant_array(ctx, values[index])
        if array is None:
            continue
        operands: list[int | Array] = [number]
        shapes: set[tuple[int, ...]] = set()
        for value in pair:
            other = constant_array(ctx, value)
            found = record_of(value)
            operands += [] if other is None else [other if found is None else found]
            shapes |= set() if other is None else {other.shape}
        node = helper.make_node("Where", ["condition", "then", "else"], ["chosen"])
        is_known = len(operands) == 3 and shapes == {array.shape}
        record = Computed(
            node if is_known else None, _WHERE, location_name(op), tuple(operands), 0, array
        )
        new = ConstantOp(WeightStore.of(ctx).attribute(array))
        Rewriter.insert_op(new, InsertPoint.before(op))
        values[index] = new.result
        set_record(new.result, SizeRecords.of(ctx).compute(record))
    return values


def _yielded(branch: Region | None) -> Sequence[SSAValue]:
    end = None if branch is None else branch.block.last_op
    return () if end is None else end.operands


def record_read(ctx: Context, module: ModuleOp) -> None:
    """Record which constants ops read that are computed from extents.

    Places that a slice or a gather takes of data are clipped to its extents, or counted from there.
    """
    if COMPARED_ATTRIBUTE not in module.attributes:
        return
    for op in module.walk():
        if isinstance(op, OnnxOp) and _clips(op):
            _record_clipped(ctx, op, module)
        elif isinstance(op, ConstantOp) and (number := record_of(op.result)) is not None:
            users = (use.operation for use in op.result.uses)
            if not all(isinstance(user, OnnxOp) and _clips(user) for user in users):
                note_read(module, [number])


def _clips(op: OnnxOp) -> bool:
    """Tell whether an op takes places of data that follow from extents."""
    return (
        op.op_type in ("Slice", "Gather")
        and not op.domain
        and is_ranked(op.operands[0].type)
        and record_of(op.operands[0]) is None
        and any(record_of(operand) is not None for operand in op.operands[1:])
    )


def _record_clipped(ctx: Context, op: OnnxOp, module: ModuleOp) -> None:
    names, name, records = ValueNames(), location_name(op), SizeRecords.of(ctx)
    node, extents = node_proto(ctx, op, names), op.operands[0].type
    assert is_ranked(extents)
    shape = extents.get_shape()
    operands: list[int | Array] = [records.ask(module, name, shape, is_count=False, is_read=True)]
    for operand in dict.fromkeys(op.operands[1:]):
        found = record_of(operand)
        array = constant_array(ctx, operand) if found is None else found
        if array is None:
            node, array = None, np.zeros(0)
        operands.append(array)
    whole = np.array(shape)
    record = Computed(node, op.version, name, tuple(operands), 0, whole, clips=True)
    note_read(module, [records.compute(record)])


def record_converted(ctx: Context, converted: ModuleOp, module: ModuleOp, first: int) -> None:
    """Record in a module what the conversion of its copy has asked for and computed.

    ``first`` is the number of the first record that the conversion may have made.
    """
    if COMPARED_ATTRIBUTE not in module.attributes:
        return
    made = range(first, len(SizeRecords.of(ctx).records))
    note_read(module, [*read_records(converted), *made])
    if (asked := converted.attributes.get(ASKED_ATTRIBUTE)) is not None:
        module.attributes[ASKED_ATTRIBUTE] = asked


def _asked(op: OnnxOp, values: Sequence[int]) -> Sequence[int]:
    """Return the extents that an op asks for."""
    if op.op_type == "Shape":
        return values
    type_ = op.operands[0].type
    return type_.get_shape() if is_ranked(type_) else ()


def _is_read(value: SSAValue) -> bool:
    """Tell whether something else reads a value than its extents."""
    users = (use.operation for use in value.uses)
    return isinstance(value, BlockArgument) or any(
        not isinstance(user, OnnxOp) or user.op_type not in ("Shape", "Size") for user in users
    )


def _module_of(op: Operation) -> Operation:
    while (parent := op.parent_op()) is not None:
        op = parent
    return op
