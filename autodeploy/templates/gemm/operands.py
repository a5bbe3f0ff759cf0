"""How the operands of a matrix product lie in memory, read from the update that sums it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp
from autodeploy.dialects.halide.expression import AddOp, DivOp, MinOp, ModOp
from autodeploy.dialects.halide.types import BufferType


@dataclass(frozen=True)
class ProductOperands:
    """What a schedule wants to know of the two sides of a product.

    ``packed_columns`` are the columns of a packed right-hand side, which is read tile after tile
    ([column % t, k, column / t]), with the zeros that fill up the last tile; 0 of one that is not
    packed. ``transposed_left`` tells that the rows of the left-hand side lie side by side.
    ``packed`` is the buffer of a packed right-hand side.
    """

    packed_columns: int
    transposed_left: bool
    packed: SSAValue | None = None

    @staticmethod
    def of(update: UpdateOp) -> ProductOperands:
        """Read the update of the func over columns, rows and a stack, with one reduction."""
        column, row = update.body.block.args[:2]
        steps = update.body.block.args[len(update.var_names)]
        columns, transposed, packed = 0, False, None
        loads = [op for op in update.body.block.ops if isinstance(op, LoadOp)]
        for load in (load for load in loads if len(load.indices) > 1):
            first, second = _without_dots(load, steps)
            transposed |= first is row and _is_step(second, steps)
            type_, owner = load.source.type, first.owner
            if isinstance(owner, ModOp) and owner.operands[0] is column and _is_step(second, steps):
                source = load.source.owner
                if isinstance(source, FuncOp):
                    columns = source.known_extents[-3] * source.known_extents[-1]
                elif isinstance(type_, BufferType):
                    columns, packed = type_.extents[-3] * type_.extents[-1], load.source
        return ProductOperands(columns, transposed, packed)


def _is_step(value: SSAValue, steps: SSAValue) -> bool:
    """Tell whether an index is a step of the sum, which may be one of a run, clamped or not."""
    if value is steps:
        return True
    owner = value.owner
    if not isinstance(owner, AddOp | MinOp):
        return False
    return any(_is_step(operand, steps) for operand in owner.operands)


def _without_dots(load: LoadOp, steps: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Return the first two indices of a load as if it had one step for the neighbours of a dot."""
    place, first, second, *_ = (*load.indices, *load.indices[-1:])
    is_dot = isinstance(place.owner, ModOp) and place.owner.operands[0] is steps
    if not is_dot:
        return load.indices[0], load.indices[1]
    is_step = isinstance(second.owner, DivOp) and second.owner.operands[0] is steps
    return first, steps if is_step else second
