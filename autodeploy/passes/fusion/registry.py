"""Pattern files as passes: ``rules/fuse_conv_add.pdll`` is ``--fuse-conv-add``.

Listing reads only the folder; a file is opened when its pass is asked for, and parsed when it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

PATTERN_FOLDER = Path(__file__).parent / "rules"
"""The folder of the pattern files that ship with autodeploy."""

CODES_FOLDER = PATTERN_FOLDER / "codes"
"""The folder of those for codes, integers that stand for floats; they run together and earlier."""

PDLL_SUFFIX = ".pdll"
"""How the name of a file in PDLL ends; one in PDL ends in ``.pdl.mlir``."""

_SUFFIXES = (PDLL_SUFFIX, ".pdl.mlir")


class PatternFilePass(ModulePass):
    """Apply the patterns of one file to a fixpoint; subclasses say which."""

    file: ClassVar[Path]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module; raises ``PatternError`` for a malformed file."""
        from autodeploy.passes.fusion.pdl.executor import apply_patterns, load_patterns

        apply_patterns(ctx, op, load_patterns(ctx, self.file))


def pattern_files(folder: Path = PATTERN_FOLDER) -> dict[str, Path]:
    """Return the pattern files of a folder by the names of their passes, sorted."""
    files = {
        path.name.removesuffix(suffix).replace("_", "-"): path
        for suffix in _SUFFIXES
        for path in folder.glob(f"*{suffix}")
    }
    return dict(sorted(files.items()))


def pattern_passes(*folders: Path) -> dict[str, Callable[[], type[ModulePass]]]:
    """Return, by name, functions that make the pass classes of the pattern files of folders.

    Without a folder, of those that ship with autodeploy.
    """
    files = [pattern_files(folder) for folder in folders or (PATTERN_FOLDER, CODES_FOLDER)]
    return {name: _maker(name, path) for of in files for name, path in of.items()}


def _maker(name: str, path: Path) -> Callable[[], type[ModulePass]]:
    def make() -> type[ModulePass]:
        class_name = "".join(part.capitalize() for part in name.split("-")) + "Pass"
        members = {"__doc__": _first_comment(path), "__module__": __name__, "name": name}
        made = type(class_name, (PatternFilePass,), {**members, "file": path})
        return dataclass(frozen=True)(made)

    return make


def _first_comment(path: Path) -> str:
    """Return the first ``//`` comment line of a file, without the slashes."""
    with path.open(encoding="utf-8") as lines:
        comments = (line.strip() for line in lines)
        first = next((line for line in comments if line.startswith("//")), "")
    return first.lstrip("/").strip() or f"Apply the patterns of {path.name}."
