"""``--use-integers``: the rules that let codes be computed with as the integers that they are."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.passes.fusion.pdl.executor import apply_patterns
from autodeploy.passes.fusion.registry import CODES_FOLDER
from autodeploy.passes.fusion.shipped import rules_together, shipped_rules


class UseIntegersPass(ModulePass):
    """Sum products of codes in 32-bit integers, and move and bound codes instead of numbers.

    The rules for codes enable each other, so all of them run together until none matches. Values
    that no rule takes are computed as the numbers that the codes stand for.
    """

    name = "use-integers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rules = rules_together(shipped_rules(CODES_FOLDER), op)
        apply_patterns(ctx, op, [pattern for rule in rules for pattern in rule.patterns])
