"""The loops that a schedule may name: of every stage of every func, pure ones and reductions.

Halide keeps pure variables (``Var``) and reduction variables (``RVar``) apart; the dialect names
loops only. This says which name is of which kind, and refuses names that no loop has.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from autodeploy.diagnostics import did_you_mean
from autodeploy.dialects.halide.algorithm import FuncOp, UpdateOp
from autodeploy.dialects.halide.pipeline import PipelineOp


class _Stage:
    """The loops of one stage: those that exist now, and all that ever did, with their kind."""

    def __init__(self, kinds: dict[str, bool]):
        self.kinds = kinds
        self.now = set(kinds)


class Loops:
    """The loops of all stages of a pipeline; schedule ops change them one after another.

    A kind is True for a reduction loop. The pure definition of a func is stage 0, update k is
    stage k.
    """

    def __init__(self, pipeline: PipelineOp):
        self._stages: dict[SSAValue, list[_Stage]] = {}
        self._names: dict[SSAValue, str] = {}
        for op in pipeline.body.block.ops:
            if isinstance(op, FuncOp):
                self._names[op.result] = op.func_name.data
                self._stages[op.result] = [_Stage(dict.fromkeys(op.var_names, False))]
            elif isinstance(op, UpdateOp):
                kinds = dict.fromkeys(op.var_names, False)
                kinds |= dict.fromkeys((name for name, _, _ in op.rdom), True)
                self._stages[op.func].append(_Stage(kinds))

    def is_reduction(self, func: SSAValue, stage: int, name: str) -> bool:
        """Tell whether a loop that exists now or did before is one over a reduction variable."""
        return self._stages[func][stage].kinds[name]

    def stage_of(self, func: SSAValue, name: str) -> int:
        """Return the first stage of ``func`` that ever has a loop ``name``.

        Raises ``VerifyException`` where none has.
        """
        for index, stage in enumerate(self._stages[func]):
            if name in stage.kinds:
                return index
        everything = [name for stage in self._stages[func] for name in stage.kinds]
        raise VerifyException(self._unknown(f"func '{self._names[func]}'", name, everything))

    def check(self, func: SSAValue, stage: int, names: Sequence[str]) -> None:
        """Raise ``VerifyException`` unless all ``names`` are loops of the stage now."""
        now = self._stages[func][stage].now
        for name in names:
            if name not in now:
                where = f"stage {stage} of func '{self._names[func]}'"
                raise VerifyException(self._unknown(where, name, sorted(now)))

    def replace(
        self, func: SSAValue, stage: int, old: Sequence[str], new: Sequence[str], note: str
    ) -> None:
        """Replace loops by others, which are reductions where one of the old ones is.

        Raises ``VerifyException`` where an old one does not exist, or where a new one has a name
        that the stage had before; ``note`` says what the names are for. A new loop may have the
        name of an old one.
        """
        self.check(func, stage, old)
        loops = self._stages[func][stage]
        kind = any(loops.kinds[name] for name in old)
        for name in new:
            taken = name in loops.kinds and (name not in old or loops.kinds[name] != kind)
            if taken or new.count(name) > 1:
                raise VerifyException(
                    f"{note} '{name}' is already a loop of stage {stage} of func "
                    f"'{self._names[func]}'"
                )
        loops.now = (loops.now - set(old)) | set(new)
        loops.kinds |= dict.fromkeys(new, kind)

    @staticmethod
    def _unknown(where: str, name: str, known: Sequence[str]) -> str:
        loops = ", ".join(dict.fromkeys(known)) or "none"
        return f"{where} has no loop '{name}'{did_you_mean(name, known)}; its loops are {loops}"
