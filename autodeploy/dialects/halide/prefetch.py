"""Prefetches of lines of a buffer: the decision, and the form that Halide gets.

Halide's ``prefetch`` fetches only elements that the body of a loop loads. ``halide.prefetch_line``
names another element. The pass ``expand-prefetch-lines`` replaces it by a load of that element that
never runs, and a ``halide.prefetch`` of this load.
"""

from __future__ import annotations

from enum import auto

from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, StringAttr, i32, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.irdl import (
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
)
from xdsl.rewriter import Rewriter
from xdsl.utils.str_enum import StrEnum

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp, updates_of
from autodeploy.dialects.halide.call_values import StrideOp
from autodeploy.dialects.halide.expression import ConstOp
from autodeploy.dialects.halide.loops import Loops
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.schedule import StageOp
from autodeploy.dialects.halide.types import BufferType, FuncType, buffer_type
from autodeploy.dialects.properties import properties


class _BufferLoopOp(StageOp):
    """A directive for a loop over a reduction, and an input buffer of the pipeline."""

    func = operand_def(FuncType)  # again, to stand before the buffer
    buffer = operand_def(BufferType)
    var = prop_def(base(StringAttr))

    @property
    def update(self) -> UpdateOp:
        """Return the update whose loop it is."""
        owner = self.func.owner
        assert isinstance(owner, FuncOp)
        updates, block = updates_of(owner.result), owner.parent
        assert block is not None
        updates.sort(key=block.get_operation_index)
        return updates[self.stage_index - 1]

    @property
    def element(self) -> Attribute:
        """Return the element type of the buffer."""
        return buffer_type(self.buffer).element

    @property
    def prefetch_loads(self) -> list[LoadOp]:
        """Return what the update loads from buffers of the same element type."""
        loads = [op for op in self.update.body.block.ops if isinstance(op, LoadOp)]
        return [
            op
            for op in loads
            if isinstance(op.source.type, BufferType) and op.source.type.element == self.element
        ]

    def verify_(self) -> None:
        """Check the constraints.

        - (fetch_c1) the stage is an update
        - (fetch_c2) the buffer is an input of the pipeline
        - (fetch_c3) the update loads from a buffer with the same type of elements
        - (fetch_c4) the loop runs over a reduction
        """
        super().verify_()
        if not self.stage_index:
            raise invalid("fetch_c1", "lines are fetched in a loop of an update")
        pipeline = self.buffer.owner.parent_op()
        if not isinstance(pipeline, PipelineOp) or self.buffer not in pipeline.inputs:
            raise invalid("fetch_c2", "a prefetched buffer is an input of the pipeline")
        if not self.prefetch_loads:
            raise invalid(
                "fetch_c3", f"the update loads from no other buffer like {self.buffer.type}"
            )

    def change_loops(self, loops: Loops) -> None:
        """Check that the loop exists and runs over a reduction; nothing changes."""
        loops.check(self.func, self.stage_index, [self.var.data])
        if not loops.is_reduction(self.func, self.stage_index, self.var.data):
            raise invalid("fetch_c4", f"loop '{self.var.data}' runs over no reduction")


def _is_known(part: AffineExpr) -> bool:
    """Return whether a part of a map is one that has a Halide expression of the same meaning."""
    match part:
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add | AffineBinaryOpKind.Mul):
            return True
        case AffineBinaryOpExpr(
            AffineBinaryOpKind.FloorDiv | AffineBinaryOpKind.Mod, _, AffineConstantExpr(divisor)
        ):
            return divisor > 0
        case _:
            return not isinstance(part, AffineBinaryOpExpr)


@irdl_op_definition
class PrefetchLineOp(_BufferLoopOp):
    """Each iteration of a loop fetches the line of a buffer that holds one element.

    ``map`` takes the variables of the update, then those of its reduction, to the coordinates of
    the element, dimension 0 first. In one iteration it must be constant. An element that is
    outside of the buffer is no error. The buffer has two dimensions or more: the last stride tells
    whether the element is read, which Halide must not know, and it knows that the first is 1.
    """

    name = "halide.prefetch_line"

    map = prop_def(AffineMapAttr)

    assembly_format = (
        "$func $var `of` $buffer `at` $map attr-dict `:` type($func) `of` type($buffer)"
    )

    def __init__(self, func: SSAValue, var: str, buffer: SSAValue, map: AffineMap, stage: int):
        super().__init__(
            operands=[func, buffer],
            properties=properties(var=var, map=AffineMapAttr(map), stage=stage),
        )

    def verify_(self) -> None:
        """Check the constraints.

        - (prefetch_line_c1) the buffer has at least two dimensions
        - (prefetch_line_c2) the map takes the variables of the stage to coordinates of the buffer
        - (prefetch_line_c3) the map has only ``+``, ``*``, and ``floordiv`` and ``mod`` by numbers
        """
        super().verify_()
        type_, map_ = buffer_type(self.buffer), self.map.data
        variables, rank = len(self.update.body.block.args), len(type_.extents)
        if rank < 2:
            raise invalid(
                "prefetch_line_c1",
                f"a prefetched buffer has two dimensions or more, found {type_}",
            )
        if (map_.num_dims, map_.num_symbols, len(map_.results)) != (variables, 0, rank):
            raise invalid(
                "prefetch_line_c2",
                f"the map takes {variables} variables to {rank} coordinates, found {map_}",
            )
        if not all(_is_known(part) for result in map_.results for part in result.dfs()):
            raise invalid(
                "prefetch_line_c3", f"a map has +, *, and floordiv and mod by numbers, found {map_}"
            )


@irdl_op_definition
class PrefetchOp(_BufferLoopOp):
    """``prefetch(buffer, var, source, offset)``: an iteration of ``var`` fetches from a buffer.

    That is what it would load ``offset`` iterations of the loop ``source`` later.
    """

    name = "halide.prefetch"

    source = prop_def(base(StringAttr))
    offset = prop_def(IntegerAttr.constr(i64))

    assembly_format = (
        "$func $var `of` $buffer `ahead` `by` $offset `of` $source attr-dict "
        "`:` type($func) `of` type($buffer)"
    )

    def __init__(
        self, func: SSAValue, var: str, buffer: SSAValue, source: str, offset: int, stage: int
    ):
        super().__init__(
            operands=[func, buffer],
            properties=properties(var=var, source=source, offset=offset, stage=stage),
        )

    def verify_(self) -> None:
        """Check (prefetch_c1) that the offset is not negative."""
        super().verify_()
        if self.offset.value.data < 0:
            raise invalid("prefetch_c1", f"offset is not negative, found {self.offset.value.data}")

    def change_loops(self, loops: Loops) -> None:
        """Check that both loops exist."""
        super().change_loops(loops)
        loops.check(self.func, self.stage_index, [self.source.data])


class Partition(StrEnum):
    """Whether a loop is partitioned where a likely condition ends to hold (Halide's Partition).

    With ``always``, it is an error where it cannot be; with ``never``, the condition stays in the
    loop.
    """

    ALWAYS = auto()
    NEVER = auto()


@irdl_attr_definition
class PartitionAttr(EnumAttribute[Partition], SpacedOpaqueSyntaxAttribute):
    """Policy of a partition: ``#halide<partition never>``."""

    name = "halide.partition"


@irdl_op_definition
class PartitionOp(StageOp):
    """``partition(var, policy)``: split a loop where a likely condition ends to hold, or do not.

    By itself, Halide partitions every loop but those in the remainder of a partitioned loop.
    """

    name = "halide.partition"

    var = prop_def(base(StringAttr))
    policy = prop_def(PartitionAttr)

    assembly_format = "$func $var $policy attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, var: str, policy: Partition, stage: int = 0):
        super().__init__(
            operands=[func],
            properties=properties(var=var, policy=PartitionAttr(policy), stage=stage),
        )

    def change_loops(self, loops: Loops) -> None:
        """Check that the loop exists; nothing changes."""
        loops.check(self.func, self.stage_index, [self.var.data])


PREFETCHES_ATTRIBUTE = "halide.prefetches"
"""The attribute of a pipeline that says what compiling has made of its prefetches."""


class Prefetches(StrEnum):
    """The result of compiling the prefetches of a kernel, where it differs from Halide's.

    ``second_level``: each fetches to the second-level cache, which Halide's own would pass by.
    ``dropped``: a loop could not be partitioned as a prefetch needs it, or its hint could not be
    set in the object file; so the kernel has none.
    """

    SECOND_LEVEL = auto()
    DROPPED = auto()


@irdl_attr_definition
class PrefetchesAttr(EnumAttribute[Prefetches], SpacedOpaqueSyntaxAttribute):
    """The result for prefetches: ``#halide<prefetches dropped>``."""

    name = "halide.prefetches"


def stop_fetching(pipeline: PipelineOp) -> None:
    """Let a pipeline fetch nothing ahead; its inputs stay the same."""
    for op in list(pipeline.walk()):
        if isinstance(op, PrefetchOp) or (
            isinstance(op, PartitionOp) and op.policy.data is Partition.ALWAYS
        ):
            Rewriter.erase_op(op)
        elif isinstance(op, StrideOp):
            # Reads beyond the end of a loop are then known to never happen.
            strides = buffer_type(op.buffer).strides
            Rewriter.replace_op(op, ConstOp(strides[op.dimension.value.data], i32))
