"""The schedule half of a Halide pipeline: how the values of its funcs are computed.

Schedule ops are in one ``halide.schedule`` at the end of a pipeline and name the loops of a func:
the pure definition is stage 0, update k is stage k. Replacing the region changes speed and never a
result (floating-point sums may be regrouped). Each op is the Halide call of the same name.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, NoTerminator
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.algorithm import FuncOp, updates_of
from autodeploy.dialects.halide.loops import Loops
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import FuncType, Memory, MemoryAttr, Tail, TailAttr
from autodeploy.dialects.properties import properties

_ZERO = IntegerAttr(0, i64)


@irdl_op_definition
class ScheduleOp(IRDLOperation):
    """All schedule ops of the pipeline, in the order in which Halide is told them."""

    name = "halide.schedule"

    body = region_def("single_block")

    traits = traits_def(NoTerminator(), HasParent(PipelineOp))

    def __init__(self, body: Block | Region):
        super().__init__(regions=[body if isinstance(body, Region) else Region(body)])

    @classmethod
    def parse(cls, parser: Parser) -> ScheduleOp:
        """Parse ``{ … }``; braces with nothing between them are an empty schedule."""
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        op = ScheduleOp(body)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        """Check the constraints.

        - (schedule_c1) all ops inside are schedule ops
        - (schedule_c2) they are for funcs of this pipeline
        - (schedule_c3) a loop that an op names exists at that time; that of a consumer, ever
        - (schedule_c4) a new loop has a name that its stage has not had
        - (schedule_c5) a dimension that an op names is one of its func
        - (schedule_c6) no two iterations of a parallel loop write the same element
        - (schedule_c7) a tile whose loop has a known number of iterations has no more of them
        """
        ops = [op for op in self.body.block.ops if isinstance(op, FuncScheduleOp)]
        for op in self.body.block.ops:
            if not isinstance(op, FuncScheduleOp):
                raise invalid("schedule_c1", f"a schedule holds schedule ops only, found {op.name}")
        for op in ops:
            funcs = [operand for operand in op.operands if isinstance(operand.type, FuncType)]
            if any(not isinstance(func.owner, FuncOp) for func in funcs):
                raise invalid("schedule_c2", f"{op.name} is for funcs of this pipeline")
        loops = self.loops()
        for op in ops:
            if isinstance(op, AtOp):
                loops.stage_of(op.consumer, op.var.data)

    def loops(self) -> Loops:
        """Return the loops of all funcs of the pipeline after this schedule.

        Raises ``VerifyException`` if an op names a loop that is not there.
        """
        pipeline = self.parent_op()
        assert isinstance(pipeline, PipelineOp)
        loops = Loops(pipeline)
        for op in self.body.block.ops:
            if isinstance(op, FuncScheduleOp):
                try:
                    op.change_loops(loops)
                except VerifyException as error:
                    raise VerifyException(f"{op.name}: {error}") from None
        return loops


class FuncScheduleOp(IRDLOperation, ABC):
    """One directive for one func."""

    func = operand_def(FuncType)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(HasParent(ScheduleOp))

    def change_loops(self, loops: Loops) -> None:
        """Do to ``loops`` what the directive does to the loops of its func.

        Raises ``VerifyException`` if it names a loop that is not there.
        """


class DimensionOp(FuncScheduleOp, ABC):
    """One directive for one dimension of a func, which is known by its variable's name."""

    var = prop_def(base(StringAttr))

    def change_loops(self, loops: Loops) -> None:
        """Check that the func has the dimension."""
        owner = self.func.owner
        assert isinstance(owner, FuncOp)
        if self.var.data not in owner.var_names:
            raise invalid(
                "schedule_c5",
                f"func '{owner.func_name.data}' has no dimension '{self.var.data}'; its dimensions "
                f"are {', '.join(owner.var_names) or 'none'}",
            )


class StageOp(FuncScheduleOp, ABC):
    """One directive for the loops of one stage of a func."""

    stage = prop_def(IntegerAttr.constr(i64), default_value=_ZERO)

    def verify_(self) -> None:
        """Check (stage_c1) that the func has the stage."""
        last, stage = len(updates_of(self.func)), self.stage_index
        if not 0 <= stage <= last:
            raise invalid("stage_c1", f"the func has stages 0 to {last}, found {stage}")

    @property
    def stage_index(self) -> int:
        """Return 0 for the pure definition, k for update k."""
        return self.stage.value.data


def _check_positive(factor: IntegerAttr | None) -> None:
    if factor is not None and factor.value.data < 1:
        raise invalid("factor_c1", f"a factor is at least 1, found {factor.value.data}")


@irdl_op_definition
class SplitOp(StageOp):
    """``split(old, outer, inner, factor, tail)``: a loop into an outer and an inner one."""

    name = "halide.split"

    old = prop_def(base(StringAttr))
    outer = prop_def(base(StringAttr))
    inner = prop_def(base(StringAttr))
    factor = prop_def(IntegerAttr.constr(i64))
    tail = prop_def(TailAttr, default_value=TailAttr(Tail.AUTO))

    assembly_format = "$func $old `to` $outer `,` $inner `by` $factor attr-dict `:` type($func)"

    def __init__(
        self,
        func: SSAValue,
        old: str,
        outer: str,
        inner: str,
        factor: int,
        tail: Tail = Tail.AUTO,
        stage: int = 0,
    ):
        super().__init__(
            operands=[func],
            properties=properties(
                old=old, outer=outer, inner=inner, factor=factor, tail=TailAttr(tail), stage=stage
            ),
        )

    def verify_(self) -> None:
        """Check (factor_c1) that a factor, an extent or an alignment is at least 1."""
        super().verify_()
        _check_positive(self.factor)

    def change_loops(self, loops: Loops) -> None:
        """Replace the loop by two."""
        loops.split(
            self.func,
            self.stage_index,
            self.old.data,
            (self.outer.data, self.inner.data),
            self.factor.value.data,
            self.tail.data,
        )


@irdl_op_definition
class FuseOp(StageOp):
    """``fuse(inner, outer, fused)``: two neighbouring loops into one."""

    name = "halide.fuse"

    inner = prop_def(base(StringAttr))
    outer = prop_def(base(StringAttr))
    fused = prop_def(base(StringAttr))

    assembly_format = "$func $inner `,` $outer `to` $fused attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, inner: str, outer: str, fused: str, stage: int = 0):
        super().__init__(
            operands=[func],
            properties=properties(inner=inner, outer=outer, fused=fused, stage=stage),
        )

    def verify_(self) -> None:
        """Check (fuse_c1) that the two loops differ."""
        super().verify_()
        if self.inner == self.outer:
            raise invalid("fuse_c1", f"two loops are fused, found '{self.inner.data}' twice")

    def change_loops(self, loops: Loops) -> None:
        """Replace the two loops by one."""
        loops.fuse(self.func, self.stage_index, self.inner.data, self.outer.data, self.fused.data)


class LoopsOp(StageOp, ABC):
    """One directive for several loops, innermost first."""

    vars = prop_def(ArrayAttr[StringAttr])

    assembly_format = "$func $vars attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, vars: Sequence[str], stage: int = 0):
        super().__init__(
            operands=[func],
            properties=properties(vars=ArrayAttr(map(StringAttr, vars)), stage=stage),
        )

    @property
    def loop_names(self) -> list[str]:
        """Return the names of the loops, innermost first."""
        return [name.data for name in self.vars]


@irdl_op_definition
class ReorderOp(LoopsOp):
    """``reorder(vars…)``: the loops from innermost to outermost."""

    name = "halide.reorder"

    def verify_(self) -> None:
        """Check (reorder_c1) that the loops differ from each other."""
        super().verify_()
        names = self.loop_names
        if len(set(names)) != len(names):
            raise invalid("reorder_c1", f"loops differ, found {', '.join(names)}")

    def change_loops(self, loops: Loops) -> None:
        """Check that all loops exist; reordering changes none."""
        loops.check(self.func, self.stage_index, self.loop_names)


class LoopOp(StageOp, ABC):
    """One directive for one loop, with an optional factor that splits it first."""

    var = prop_def(base(StringAttr))
    factor = opt_prop_def(IntegerAttr.constr(i64))

    assembly_format = "$func $var (`by` $factor^)? attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, var: str, factor: int | None = None, stage: int = 0):
        super().__init__(
            operands=[func],
            properties=properties(var=var, factor=factor, stage=stage),
        )

    def verify_(self) -> None:
        """Check (factor_c1) that a factor, an extent or an alignment is at least 1."""
        super().verify_()
        _check_positive(self.factor)

    def change_loops(self, loops: Loops) -> None:
        """Check that the loop exists; a factor splits it and its name stays."""
        loops.check(self.func, self.stage_index, [self.var.data])
        if self.factor is not None:
            loops.split_in_place(self.func, self.stage_index, self.var.data, self.factor.value.data)


@irdl_op_definition
class VectorizeOp(LoopOp):
    """``vectorize(var)`` or ``vectorize(var, factor)``."""

    name = "halide.vectorize"


@irdl_op_definition
class UnrollOp(LoopOp):
    """``unroll(var)`` or ``unroll(var, factor)``."""

    name = "halide.unroll"


@irdl_op_definition
class AtomicOp(StageOp):
    """``atomic()``: iterations of a reduction may be taken in any order, and so in one vector.

    A loop over a reduction that is vectorized after it becomes sums of neighbours, which some
    machines have an instruction for. ``any_order`` says that the order does not change the result
    of an operation for which it may, as sums that saturate where none of them does.
    """

    name = "halide.atomic"

    any_order = opt_prop_def(UnitAttr)

    assembly_format = "$func attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, stage: int = 0, any_order: bool = False):
        super().__init__(operands=[func], properties=properties(stage=stage, any_order=any_order))


@irdl_op_definition
class ParallelOp(LoopOp):
    """``parallel(var)`` or ``parallel(var, factor)``: iterations run on several threads.

    No two iterations write the same element. If the last tile of a split moves inwards over the
    one before, the loop over the tiles does not run in parallel. A loop over groups of tiles may,
    if these two are of one group: it is a further split, with a guard, of the loop over the tiles.
    """

    name = "halide.parallel"

    def change_loops(self, loops: Loops) -> None:
        """Check that the loop exists, and that its iterations write different elements."""
        super().change_loops(loops)
        loops.run_in_parallel(self.func, self.stage_index, self.var.data)


class AtOp(FuncScheduleOp, ABC):
    """One directive that ties a func to a loop of its consumer."""

    func = operand_def(FuncType)  # again, to stand before the consumer
    consumer = operand_def(FuncType)
    var = prop_def(base(StringAttr))

    assembly_format = "$func `at` $consumer $var attr-dict `:` type($func) `at` type($consumer)"

    def __init__(self, func: SSAValue, consumer: SSAValue, var: str):
        super().__init__(operands=[func, consumer], properties=properties(var=var))


@irdl_op_definition
class ComputeAtOp(AtOp):
    """``compute_at(consumer, var)``: compute what one iteration of the consumer's loop needs."""

    name = "halide.compute_at"


@irdl_op_definition
class StoreAtOp(AtOp):
    """``store_at(consumer, var)``: keep the values for one iteration of the consumer's loop."""

    name = "halide.store_at"


@irdl_op_definition
class ComputeRootOp(FuncScheduleOp):
    """``compute_root()``: compute all values before anything that reads them."""

    name = "halide.compute_root"

    assembly_format = "$func attr-dict `:` type($func)"

    def __init__(self, func: SSAValue):
        super().__init__(operands=[func])


@irdl_op_definition
class StoreInOp(FuncScheduleOp):
    """``store_in(memory)``: where the values are kept."""

    name = "halide.store_in"

    memory = prop_def(MemoryAttr)

    assembly_format = "$func `in` $memory attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, memory: Memory):
        super().__init__(operands=[func], properties={"memory": MemoryAttr(memory)})


@irdl_op_definition
class BoundOp(DimensionOp):
    """``bound(var, min, extent)``: the range of coordinates that is asked for, no more, no less."""

    name = "halide.bound"

    min = prop_def(IntegerAttr.constr(i64))
    extent = prop_def(IntegerAttr.constr(i64))

    assembly_format = "$func $var `from` $min `extent` $extent attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, var: str, min: int, extent: int):
        super().__init__(
            operands=[func],
            properties=properties(var=var, min=min, extent=extent),
        )

    def verify_(self) -> None:
        """Check (factor_c1) that a factor, an extent or an alignment is at least 1."""
        _check_positive(self.extent)


class ExtentOp(DimensionOp, ABC):
    """Says how many coordinates there are along a dimension."""

    extent = prop_def(IntegerAttr.constr(i64))

    assembly_format = "$func $var `extent` $extent attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, var: str, extent: int):
        super().__init__(
            operands=[func],
            properties=properties(var=var, extent=extent),
        )

    def verify_(self) -> None:
        """Check (factor_c1) that a factor, an extent or an alignment is at least 1."""
        _check_positive(self.extent)


@irdl_op_definition
class BoundExtentOp(ExtentOp):
    """``bound_extent(var, extent)``: how many coordinates are asked for, from anywhere."""

    name = "halide.bound_extent"


@irdl_op_definition
class BoundStorageOp(ExtentOp):
    """``bound_storage(var, bound)``: how many coordinates there is memory for."""

    name = "halide.bound_storage"


@irdl_op_definition
class FoldStorageOp(ExtentOp):
    """``fold_storage(var, extent)``: keep this many coordinates, each next one replaces the first.

    The next iterations of a loop read what is kept.
    """

    name = "halide.fold_storage"


@irdl_op_definition
class AlignStorageOp(DimensionOp):
    """``align_storage(var, alignment)``: pad the storage along a dimension to a multiple."""

    name = "halide.align_storage"

    alignment = prop_def(IntegerAttr.constr(i64))

    assembly_format = "$func $var `to` $alignment attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, var: str, alignment: int):
        super().__init__(
            operands=[func],
            properties=properties(var=var, alignment=alignment),
        )

    def verify_(self) -> None:
        """Check (factor_c1) that a factor, an extent or an alignment is at least 1."""
        _check_positive(self.alignment)
