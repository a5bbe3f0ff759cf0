"""``--apply-patterns="file=my.pdll"``: a user's own patterns."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.diagnostics import PatternWarning
from autodeploy.passes.fusion.pdl.executor import apply_patterns, load_patterns


@dataclass(frozen=True)
class ApplyPatternsPass(ModulePass):
    """Rewrite with the patterns of a file until none matches.

    ``file`` is relative to the current folder. It is in PDLL where its name ends in ``.pdll``, and
    otherwise in PDL; ``docs/pdll.md`` and ``docs/pdl.md`` describe the languages.
    """

    name = "apply-patterns"

    file: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module, with a warning if no pattern matches.

        Raises ``PatternError`` for a missing or malformed file.
        """
        if not apply_patterns(ctx, op, load_patterns(ctx, Path(self.file))):
            warnings.warn(f"no pattern of '{self.file}' matches", PatternWarning, stacklevel=2)
