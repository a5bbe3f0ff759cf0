"""``place-weights``: every weight of the program gets its offset in the weight file."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr, i64
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.driver import (
    CALLS,
    ForOp,
    IfOp,
    ProgramOp,
    RowOp,
    ViewOp,
    WeightOp,
    root_of,
)
from autodeploy.dialects.memref import is_large_weight, memref_bytes, weight_bytes
from autodeploy.dialects.nn.constant import WeightAttr


@dataclass(frozen=True)
class PlaceWeightsPass(ModulePass):
    """Lay out the weights of each driver.program in the order in which the calls read them.

    Large ones are stored before the others, so that each begins where it is aligned. Weights with
    the same bytes are stored once, and weights that nothing reads are removed. With ``embed`` the
    program has its weights linked in, in the same order, and no file; so has a freestanding one.
    """

    name = "place-weights"

    embed: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``offset`` on every weight, ``weights`` and ``embedded`` on the program."""
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            _remove_unread(program)
            end, places = 0, dict[object, IntegerAttr]()
            weights = _read_order(program)
            for weight in sorted(weights, key=lambda weight: not is_large(weight)):
                place = places.setdefault(content(weight), IntegerAttr(end, i64))
                weight.offset = place
                if place.value.data == end:
                    end += weight_bytes(memref_bytes(weight.result.type))
            program.weight_bytes = IntegerAttr(end, i64)
            embeds = self.embed or program.freestanding is not None
            program.embedded = UnitAttr() if embeds else None


def content(weight: WeightOp) -> object:
    """Return what is equal for weights with the same bytes, which may differ in shape."""
    value = weight.value
    return value.key.data if isinstance(value, WeightAttr) else value


def is_large(weight: WeightOp) -> bool:
    """Return whether a weight is stored before the others."""
    return is_large_weight(memref_bytes(weight.result.type))


def _remove_unread(program: ProgramOp) -> None:
    """Remove weights that no call reads, and the views that lead to none, last one first."""
    for op in list(program.body.walk())[::-1]:
        if isinstance(op, ViewOp | RowOp | WeightOp) and not op.result.uses:
            Rewriter.erase_op(op)


def _read_order(program: ProgramOp) -> list[WeightOp]:
    """Return the weights by the first call, loop or branch that reads them, then by their place."""
    readers = (op for op in program.body.walk() if isinstance(op, (*CALLS, ForOp, IfOp)))
    owners = (root_of(operand).owner for op in readers for operand in op.operands)
    return list(dict.fromkeys(owner for owner in owners if isinstance(owner, WeightOp)))
