"""``--use-integers``: the rules that let codes be computed with as the integers that they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.dialects.registry import new_context
from autodeploy.passes.fusion.pdl.executor import CompiledPattern, apply_patterns, load_patterns
from autodeploy.passes.fusion.registry import CODES_FOLDER, pattern_files


@dataclass(frozen=True)
class UseIntegersPass(ModulePass):
    """Sum products of codes in 32-bit integers, and move and bound codes instead of numbers.

    The rules for codes enable each other, so all of them run together until none matches. Values
    that no rule takes are computed as the numbers that the codes stand for.
    """

    name = "use-integers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module."""
        apply_patterns(ctx, op, _patterns())


@cache
def _patterns() -> tuple[CompiledPattern, ...]:
    context = new_context()
    files = pattern_files(CODES_FOLDER).values()
    return tuple(pattern for path in files for pattern in load_patterns(context, path))
