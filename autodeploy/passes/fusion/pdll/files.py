"""Reading PDLL files: their declarations, with the included ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autodeploy.passes.fusion.pdl.source import PatternError, read_text
from autodeploy.passes.fusion.pdll import syntax
from autodeploy.passes.fusion.pdll.parse import parse_pdll, string_of

INCLUDE_FOLDER = Path(__file__).parents[1] / "include"
"""The folder of included files that are not next to the file that includes them."""


@dataclass(frozen=True, eq=False)
class Declared:
    """A constraint or rewrite, and the file that declares it."""

    function: syntax.Function
    file: str


@dataclass(frozen=True, eq=False)
class Source:
    """The patterns of a file, and all constraints and rewrites that they may call."""

    file: str
    patterns: tuple[syntax.Pattern, ...]
    functions: Mapping[str, Declared]


def load_pdll(text: str, file: str, folder: Path | None = None) -> Source:
    """Parse PDLL text and the included files, which are looked for in ``folder`` first.

    Raises ``PatternError`` for a text or an included file that is malformed, for a name that is
    declared twice, and where there is no pattern.
    """
    loader = _Loader()
    tree = parse_pdll(text, file)
    loader.declare(tree, file, folder)
    patterns = tuple(part for part in tree.parts if isinstance(part, syntax.Pattern))
    return Source(file, patterns, loader.functions)


@cache
def _parsed(text: str, file: str) -> syntax.File:
    """Parse a file that is included: rules of a folder share it."""
    return parse_pdll(text, file)


class _Loader:
    def __init__(self) -> None:
        self.functions: dict[str, Declared] = {}
        self.seen: set[Path] = set()

    def declare(self, tree: syntax.File, file: str, folder: Path | None) -> None:
        """Take in the functions of a file and of the files that it includes."""
        for part in tree.parts:
            if isinstance(part, syntax.Include):
                self._include(part, file, folder)
            elif isinstance(part, syntax.Function):
                self._function(part, file)

    def _function(self, function: syntax.Function, file: str) -> None:
        name = function.name
        if name in self.functions:
            other = self.functions[name]
            first = f"{other.file}:{other.function.meta.line}"
            raise PatternError(f"{place(file, name)}: '{name}' is declared twice, first in {first}")
        self.functions[str(name)] = Declared(function, file)

    def _include(self, include: syntax.Include, file: str, folder: Path | None) -> None:
        name = string_of(include.file)
        folders = [INCLUDE_FOLDER] if folder is None else [folder, INCLUDE_FOLDER]
        path = next((f / name for f in folders if (f / name).is_file()), None)
        if path is None:
            raise PatternError(f"{place(file, include.file)}: there is no file '{name}' to include")
        if path.resolve() in self.seen:
            return
        self.seen.add(path.resolve())
        tree = _parsed(read_text(path), str(path))
        for part in tree.parts:
            if isinstance(part, syntax.Pattern):
                raise PatternError(
                    f"{path}:{part.meta.line}:{part.meta.column}: a file that is included "
                    "declares constraints and rewrites, found a pattern"
                )
        self.declare(tree, str(path), path.parent)


def place(file: str, at: syntax.Token | syntax.Node) -> str:
    """Return file, line and column of a token or node, as messages begin."""
    where = at if isinstance(at, syntax.Token) else at.meta
    return f"{file}:{where.line}:{where.column}"
