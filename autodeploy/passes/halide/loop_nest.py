"""The loops of a func as its schedule orders them, and which dimensions each one walks."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from autodeploy.dialects.halide import schedule as h
from autodeploy.dialects.halide.algorithm import FuncOp


class LoopNest:
    """The loops of the definition of a func, innermost first, after the ops of a schedule."""

    def __init__(self, func: FuncOp, schedule: Iterable[Operation]):
        self._loops = list(func.var_names)
        self._walks = {name: {axis} for axis, name in enumerate(self._loops)}
        for op in schedule:
            if isinstance(op, h.StageOp) and op.func.owner is func and op.stage_index == 0:
                self._change(op)

    def _change(self, op: h.StageOp) -> None:
        match op:
            case h.SplitOp():
                place, walked = self._loops.index(op.old.data), self._walks[op.old.data]
                self._loops[place : place + 1] = [op.inner.data, op.outer.data]
                self._walks |= {op.inner.data: walked, op.outer.data: walked}
            case h.FuseOp():
                inner, outer = op.inner.data, op.outer.data
                self._loops[self._loops.index(inner)] = op.fused.data
                self._loops.remove(outer)
                self._walks[op.fused.data] = self._walks[inner] | self._walks[outer]
            case h.ReorderOp():
                names = [name.data for name in op.vars]
                places = sorted(map(self._loops.index, names))
                for place, name in zip(places, names, strict=True):
                    self._loops[place] = name
            case _:
                return

    def whole_within(self, loop: str) -> set[int]:
        """Return the dimensions that one iteration of a loop walks from end to end."""
        place = self._loops.index(loop)
        outside = {axis for name in self._loops[place:] for axis in self._walks[name]}
        inside = {axis for name in self._loops[:place] for axis in self._walks[name]}
        return inside - outside
