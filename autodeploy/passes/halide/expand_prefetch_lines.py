"""``expand-prefetch-lines``: each fetch of a schedule becomes a load that Halide's prefetch sees.

Halide prefetches the loads of a loop's body. The kernel therefore gets the buffer a second time,
and the update reads it if the variable of the loop is beyond the end of its range. That never
happens, but Halide does not know it: a stride of the buffer says where the range ends. (An extent
cannot say so: Halide takes for granted that all reads are within the extents.) When prefetches have
been placed, Halide partitions the loop: one part has all iterations and no test, the other has
none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.driver import CallOp, ProgramOp
from autodeploy.dialects.halide import expression as ex
from autodeploy.dialects.halide.algorithm import LoadOp, UpdateOp
from autodeploy.dialects.halide.call_values import StrideOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.prefetch import Partition, PartitionOp, PrefetchLineOp, PrefetchOp
from autodeploy.dialects.halide.schedule import ScheduleOp, SplitOp
from autodeploy.dialects.halide.types import buffer_type
from autodeploy.dialects.nn.open_extent import axes_list

_Adder: TypeAlias = Callable[[Operation], SSAValue]

_BINARY: dict[AffineBinaryOpKind, type[ex.BinaryOp]] = {
    AffineBinaryOpKind.Add: ex.AddOp,
    AffineBinaryOpKind.Mul: ex.MulOp,
    AffineBinaryOpKind.FloorDiv: ex.DivOp,
    AffineBinaryOpKind.Mod: ex.ModOp,
}
"""The op of each operator of a map; halide.div rounds as floordiv does for a divisor above 0."""


class ExpandPrefetchLinesPass(ModulePass):
    """Replace each halide.prefetch_line by a load that never runs and a halide.prefetch.

    Each adds an input to its pipeline, and an operand to the calls of the pipeline. Nothing is
    fetched of an input that has no gaps in a run, whose strides come with the call.
    """

    name = "expand-prefetch-lines"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        added: dict[str, list[int]] = {}
        for pipeline in [p for p in op.body.block.ops if isinstance(p, PipelineOp)]:
            if again := expand_prefetch_lines(pipeline):
                added[pipeline.sym_name.data] = again
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            for call in [c for c in program.body.walk() if isinstance(c, CallOp)]:
                again = added.get(call.callee.string_value())
                if again:
                    inputs = [*call.inputs, *(call.inputs[index] for index in again)]
                    new = CallOp(call.callee.string_value(), inputs, list(call.outputs))
                    new.attributes |= call.attributes
                    new.location = call.location
                    Rewriter.replace_op(call, new)


def expand_prefetch_lines(pipeline: PipelineOp) -> list[int]:
    """Expand the ops of a pipeline; returns the numbers of the inputs that it takes again, last."""
    groups: dict[tuple[UpdateOp, Attribute], list[PrefetchLineOp]] = {}
    inputs = pipeline.inputs
    for op in [op for op in pipeline.walk() if isinstance(op, PrefetchLineOp)]:
        if inputs.index(op.buffer) in pipeline.packed_inputs:
            # The condition of the load is about a stride that the type says.
            Rewriter.erase_op(op)
        else:
            groups.setdefault((op.update, op.element), []).append(op)
    return [inputs.index(b) for group in groups.values() for b in _expand(pipeline, group)]


def _expand(pipeline: PipelineOp, group: list[PrefetchLineOp]) -> list[SSAValue]:
    """Expand the ops of one update; returns the inputs that the pipeline takes a second time.

    All share one condition: Halide does not compute nested ones right.
    """
    block, update, first = pipeline.body.block, group[0].update, group[0]
    buffers = [op.buffer for op in group]
    again: list[SSAValue] = []
    for buffer in buffers:
        if pipeline.open is not None:
            axes = list(pipeline.open_axes)
            axes.insert(len(pipeline.inputs), axes[pipeline.inputs.index(buffer)])
            pipeline.open = axes_list(axes)
        again.append(block.insert_arg(buffer.type, len(pipeline.inputs)))
        again[-1].name_hint = f"{buffer.name_hint or 'buffer'}_ahead"
    reduction = _reduction(first)
    names = [*update.var_names, *(name for name, _, _ in update.rdom)]
    _, low, extent = update.rdom[names.index(reduction) - len(update.var_names)]
    variable = update.body.block.args[names.index(reduction)]
    maps = [op.map.data for op in group]
    _read_ahead(first.prefetch_loads[0], again, maps, variable, low + extent)
    # A loop that is not partitioned reads both sides, and the second one is beyond the buffer.
    partition = PartitionOp(first.func, first.var.data, Partition.ALWAYS, first.stage_index)
    Rewriter.insert_op(partition, InsertPoint.before(first))
    for op, ahead in zip(group, again, strict=True):
        loop = op.var.data
        Rewriter.replace_op(op, PrefetchOp(op.func, loop, ahead, loop, 0, op.stage_index), [])
    return buffers


def _reduction(op: PrefetchLineOp) -> str:
    """Return the variable of the reduction from which splits have made the loop."""
    origin: dict[str, str] = {}
    schedule = op.parent_op()
    assert isinstance(schedule, ScheduleOp)
    for split in schedule.body.block.ops:
        if isinstance(split, SplitOp) and (split.func, split.stage) == (op.func, op.stage):
            old = origin.get(split.old.data, split.old.data)
            origin |= {split.outer.data: old, split.inner.data: old}
    return origin.get(op.var.data, op.var.data)


def _read_ahead(
    load: LoadOp, again: Sequence[SSAValue], maps: Sequence[AffineMap], variable: SSAValue, end: int
) -> None:
    """Let a load read from ``again`` instead where ``variable`` is beyond ``end``."""
    block = load.parent
    assert block is not None
    made: list[Operation] = []

    def add(new: Operation) -> SSAValue:
        made.append(new)
        return new.results[0]

    strides = buffer_type(again[0]).strides
    stride = add(StrideOp(again[0], len(strides) - 1))
    rest = add(ex.ConstOp(end - strides[-1], i32))
    condition = add(ex.LtOp(variable, add(ex.AddOp(stride, rest))))
    values: list[SSAValue] = []
    for ahead, map_ in zip(again, maps, strict=True):
        point = [_value(result, block, add) for result in map_.results]
        values.append(add(LoadOp(ahead, point)))
    near = add(ex.LikelyOp(load.result))
    far = reduce(lambda x, y: add(ex.AddOp(x, y)), values)
    value = add(ex.SelectOp(condition, near, far))
    Rewriter.insert_op(made, InsertPoint.after(load))
    load.result.replace_uses_with_if(value, lambda use: use.operation is not near.owner)


def _value(expression: AffineExpr, block: Block, add: _Adder) -> SSAValue:
    """Compute a coordinate of a map."""
    match expression:
        case AffineConstantExpr(value):
            return add(ex.ConstOp(value, i32))
        case AffineDimExpr(position):
            return block.args[position]
        case AffineBinaryOpExpr(kind, lhs, rhs):
            return add(_BINARY[kind](_value(lhs, block, add), _value(rhs, block, add)))
        case _:
            raise AssertionError("a verified map has no symbols")
