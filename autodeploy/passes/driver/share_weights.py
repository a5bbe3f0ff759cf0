"""``share-weights``: programs of one network for several machines have one weight file."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass

from autodeploy.dialects.driver import ProgramOp, WeightOp
from autodeploy.dialects.memref import memref_bytes, weight_bytes
from autodeploy.passes.driver.place_weights import content, is_large


class ShareWeightsPass(ModulePass):
    """Lay out the weights of all driver.programs inside of a module in one weight file.

    Each program has a module of its own in it. A weight that several programs have is stored in the
    file once. Large weights are stored before the others. Both are ordered by the programs that
    read them, then as ``place-weights`` has ordered them: weights that the same programs read are
    contiguous, and each reads few parts of the file.
    """

    name = "share-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``offset`` on every weight, and ``weights`` on each program."""
        programs = [inner for inner in op.walk() if isinstance(inner, ProgramOp)]
        end = 0
        for weights in _in_order(programs):
            for weight in weights:
                weight.offset = IntegerAttr(end, i64)
            end += weight_bytes(memref_bytes(weights[0].result.type))
        for program in programs:
            program.weight_bytes = IntegerAttr(end, i64)


def _in_order(programs: Sequence[ProgramOp]) -> list[list[WeightOp]]:
    """Return the weights in the order of the file, those that are equal together."""
    equal: dict[object, list[WeightOp]] = {}
    readers: dict[object, set[int]] = {}
    for number, program in enumerate(programs):
        weights = [op for op in program.body.walk() if isinstance(op, WeightOp)]
        for weight in sorted(weights, key=_offset):
            equal.setdefault(content(weight), []).append(weight)
            readers.setdefault(content(weight), set()).add(number)
    found = sorted(equal, key=lambda v: (not is_large(equal[v][0]), sorted(readers[v])))
    return [equal[value] for value in found]


def _offset(weight: WeightOp) -> int:
    return 0 if weight.offset is None else weight.offset.value.data
