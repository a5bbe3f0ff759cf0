"""The loops that a schedule may name: of every stage of every func, pure ones and reductions.

Halide keeps pure variables (``Var``) and reduction variables (``RVar``) apart; the dialect names
loops only. This tells the kind of each name, and refuses names that no loop has. It also says
which loops compute an element in two iterations, and refuses to run these in parallel, and tiles
that have more iterations than their loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from autodeploy.diagnostics import did_you_mean
from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.algorithm import FuncOp, UpdateOp
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.types import Tail, buffer_type


def moves_inwards(tail: Tail, stage: int) -> bool:
    """Return whether the last tile of a split, if it is not full, begins within the one before.

    Left to itself, Halide moves the tiles of pure definitions.
    """
    return tail is Tail.SHIFT_INWARDS or (tail is Tail.AUTO and stage == 0)


class Overlap(IntEnum):
    """Which iterations of a loop compute an element that another iteration computes, too."""

    NONE = 0
    LAST = 1
    """The last iteration and the one before."""
    ANY = 2


@dataclass(frozen=True)
class _Loop:
    """A loop of ``count`` iterations; ``None`` if that is not known."""

    count: int | None
    overlap: Overlap = Overlap.NONE


class _Stage:
    """The loops of one stage: those that exist now, and the kinds of all that ever did."""

    def __init__(self, kinds: dict[str, bool], counts: Mapping[str, int]):
        self.kinds = kinds
        self.now = {name: _Loop(counts.get(name)) for name in kinds}
        self.computes_once = True

    def halves(self, name: str, factor: int, tail: Tail, stage: int) -> tuple[_Loop, _Loop]:
        """Return the outer and the inner loop that a split makes of a loop."""
        loop = self.now[name]
        count, overlap = loop.count, loop.overlap
        left = None if count is None else count % factor
        if factor == 1:
            return loop, _Loop(1)
        moves = moves_inwards(tail, stage)
        if count is not None and left and ((moves and factor > count) or tail is Tail.ROUND_UP):
            raise invalid(
                "schedule_c7",
                f"a tile of {factor} iterations exceeds the {count} of loop '{name}'"
                if factor > count
                else f"tiles of {factor} iterations, all full, exceed the {count} of loop '{name}'",
            )
        if moves and left != 0:
            self.computes_once = False
            overlap = Overlap.LAST if overlap is Overlap.NONE else Overlap.ANY
        elif overlap is Overlap.LAST and left not in (None, 1):
            overlap = Overlap.NONE  # the last iteration and the one before are in the same one now
        outer = None if count is None else -(-count // factor)
        inner = Overlap.ANY if overlap or loop.overlap else Overlap.NONE
        return _Loop(outer, overlap), _Loop(factor, inner)


class Loops:
    """The loops of all stages of a pipeline; schedule ops change them one after another.

    A kind is True for a reduction loop. The pure definition of a func is stage 0, update k is
    stage k.
    """

    def __init__(self, pipeline: PipelineOp):
        self._stages: dict[SSAValue, list[_Stage]] = {}
        self._names: dict[SSAValue, str] = {}
        filled = {op.func: op.buffer for op in pipeline.body.block.ops if isinstance(op, OutputOp)}
        for op in pipeline.body.block.ops:
            if not isinstance(op, FuncOp | UpdateOp):
                continue
            func = op.result if isinstance(op, FuncOp) else op.func
            kinds = dict.fromkeys(op.var_names, False)
            # Consumers may ask for any part of a func that fills no buffer.
            counts: dict[str, int] = {}
            if func in filled:
                extents = buffer_type(filled[func]).extents
                counts = {
                    name: extent
                    for axis, (name, extent) in enumerate(zip(op.var_names, extents, strict=True))
                    if not pipeline.is_open(filled[func], axis)
                }
            if isinstance(op, FuncOp):
                self._names[func] = op.func_name.data
                self._stages[func] = []
            else:
                kinds |= dict.fromkeys((name for name, _, _ in op.rdom), True)
                ends = op.ends_by_name
                counts |= {name: extent for name, _, extent in op.rdom if name not in ends}
            self._stages[func].append(_Stage(kinds, counts))

    def is_reduction(self, func: SSAValue, stage: int, name: str) -> bool:
        """Return whether a loop that exists now or did before is one over a reduction variable."""
        return self._stages[func][stage].kinds[name]

    def stage_of(self, func: SSAValue, name: str) -> int:
        """Return the first stage of ``func`` that ever has a loop ``name``.

        Raises ``VerifyException`` if none has.
        """
        for index, stage in enumerate(self._stages[func]):
            if name in stage.kinds:
                return index
        everything = [name for stage in self._stages[func] for name in stage.kinds]
        raise self._unknown(f"func '{self._names[func]}'", name, everything)

    def check(self, func: SSAValue, stage: int, names: Sequence[str]) -> None:
        """Raise ``VerifyException`` unless all ``names`` are loops of the stage now."""
        now = self._stages[func][stage].now
        for name in names:
            if name not in now:
                where = f"stage {stage} of func '{self._names[func]}'"
                raise self._unknown(where, name, sorted(now))

    def split(
        self,
        func: SSAValue,
        stage: int,
        old: str,
        new: tuple[str, str],
        factor: int,
        tail: Tail,
    ) -> None:
        """Replace a loop by an outer and an inner one, of ``factor`` iterations.

        If the last iteration of the outer loop is not full and moves inwards, it computes elements
        of the one before again. Raises as ``check`` does, for names that are taken, and for tiles
        with iterations that the loop has not."""
        self.check(func, stage, [old])
        halves = self._stages[func][stage].halves(old, factor, tail, stage)
        self._replace(func, stage, [old], list(zip(new, halves, strict=True)), "the new loop")

    def split_in_place(self, func: SSAValue, stage: int, name: str, factor: int) -> None:
        """Split a loop into an outer one of the same name, and one that has no name."""
        self.check(func, stage, [name])
        loops = self._stages[func][stage]
        loops.now[name], _ = loops.halves(name, factor, Tail.AUTO, stage)

    def fuse(self, func: SSAValue, stage: int, inner: str, outer: str, fused: str) -> None:
        """Replace two loops by one."""
        self.check(func, stage, [inner, outer])
        both = [self._stages[func][stage].now[name] for name in (inner, outer)]
        counts = [loop.count for loop in both if loop.count is not None]
        overlaps = any(loop.overlap for loop in both)
        loop = _Loop(
            counts[0] * counts[1] if len(counts) == 2 else None,
            Overlap.ANY if overlaps else Overlap.NONE,
        )
        self._replace(func, stage, [inner, outer], [(fused, loop)], "the fused loop")

    def run_in_parallel(self, func: SSAValue, stage: int, name: str) -> None:
        """Raise ``VerifyException`` if two iterations of a loop may write the same element."""
        self.check(func, stage, [name])
        if self._stages[func][stage].now[name].overlap:
            raise invalid(
                "schedule_c6",
                f"loop '{name}' of func '{self._names[func]}' writes elements in two iterations, "
                "as the last tile of a split moves inwards, and must not run in parallel",
            )

    def computes_once(self, func: SSAValue, stage: int) -> bool:
        """Return whether a stage, with the splits that it has now, computes no element twice."""
        return self._stages[func][stage].computes_once

    def _replace(
        self,
        func: SSAValue,
        stage: int,
        old: Sequence[str],
        new: Sequence[tuple[str, _Loop]],
        note: str,
    ) -> None:
        """Replace loops by others, which are reductions where one of the old ones is.

        Raises ``VerifyException`` if a new one has a name that the stage had before; ``note``
        says what the names are for. A new loop may have the name of an old one.
        """
        loops = self._stages[func][stage]
        kind = any(loops.kinds[name] for name in old)
        names = [name for name, _ in new]
        for name in names:
            taken = name in loops.kinds and (name not in old or loops.kinds[name] != kind)
            if taken or names.count(name) > 1:
                raise invalid(
                    "schedule_c4",
                    f"{note} '{name}' is already a loop of stage {stage} of func "
                    f"'{self._names[func]}'",
                )
        loops.now = {name: loop for name, loop in loops.now.items() if name not in old} | dict(new)
        loops.kinds |= dict.fromkeys(names, kind)

    @staticmethod
    def _unknown(where: str, name: str, known: Sequence[str]) -> VerifyException:
        loops = ", ".join(dict.fromkeys(known)) or "none"
        message = f"{where} has no loop '{name}'{did_you_mean(name, known)}; its loops are {loops}"
        return invalid("schedule_c3", message)
