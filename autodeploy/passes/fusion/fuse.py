"""``--fuse``: all fusion rules in the order that their patterns ask for."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.passes.fusion.pdl.executor import apply_patterns
from autodeploy.passes.fusion.registry import PATTERN_FOLDER
from autodeploy.passes.fusion.shipped import names_of_ops, shipped_rules


class FusePass(ModulePass):
    """Run every pattern pass once, each to its fixpoint, in the order derived from the patterns."""

    name = "fuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module; raises ``PatternError`` if the rules have no order."""
        names = names_of_ops(op)
        for rule in shipped_rules(PATTERN_FOLDER):
            if rule.may_match(names) and apply_patterns(ctx, op, rule.patterns):
                names = names_of_ops(op)
