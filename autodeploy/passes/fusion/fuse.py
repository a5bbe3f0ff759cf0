"""``--fuse``: all fusion rules in the order that their patterns ask for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.dialects.registry import new_context
from autodeploy.passes.fusion.order import pass_order
from autodeploy.passes.fusion.pdl.executor import apply_patterns, load_patterns
from autodeploy.passes.fusion.registry import pattern_files


@dataclass(frozen=True)
class FusePass(ModulePass):
    """Run every pattern pass once, each to its fixpoint, in the order derived from the patterns."""

    name = "fuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module; raises ``PatternError`` if the rules have no order."""
        own = _own_context()
        files = pattern_files()
        for rule in pass_order(own):
            apply_patterns(ctx, op, load_patterns(own, files[rule]))


@cache
def _own_context() -> Context:
    """Return the context in which the rules of the package are read.

    They name no dialects but those of the package, so that reading and sorting them once does for
    the modules of all contexts.
    """
    return new_context()
