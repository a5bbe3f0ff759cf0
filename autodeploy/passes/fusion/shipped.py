"""The rules that ship with autodeploy: expanded and sorted once, then read from the user's cache.

An entry is JSON: the rules of a folder in the order in which they run. A pattern is its
PDL text, with the places of its ops, which errors name, and the names of the ops that its match
names. If a module lacks one of these, the pattern cannot match, and a rule without another pattern
is not even parsed. The text was verified before it was stored. An entry of another form is
replaced.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from io import StringIO
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from autodeploy.cache.entries import Entries, default_folder, digest_of_files
from autodeploy.diagnostics import UserError
from autodeploy.dialects.mlir_text import TextParser
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.registry import new_context
from autodeploy.json_values import from_json, to_json
from autodeploy.passes.fusion.pdl.executor import CompiledPattern, compile_sources, load_patterns
from autodeploy.passes.fusion.pdl.source import PatternSource
from autodeploy.passes.fusion.registry import PATTERN_FOLDER, pattern_files

_KIND = "rules"
_LIMIT = 4 << 20
"""Bytes of all entries; one has some hundred kilobytes."""


@dataclass(frozen=True)
class StoredPattern:
    """A pattern as text."""

    text: str
    places: str
    """The places of its ops, a line each, in the order of a walk."""
    needs: tuple[str, ...]
    """The names of ops without which it cannot match."""
    makes: tuple[str, ...]
    """The names of the ops, constants aside, that its rewrite makes."""


@dataclass(frozen=True)
class Rule:
    """A rule that ships with autodeploy."""

    name: str
    stored: tuple[StoredPattern, ...]

    def may_match(self, names: AbstractSet[str]) -> bool:
        """Return whether a pattern may match in a module whose ops have these names."""
        return any(set(pattern.needs) <= names for pattern in self.stored)

    @cached_property
    def patterns(self) -> Sequence[CompiledPattern]:
        """Return the compiled patterns."""
        context = _context()
        return compile_sources(context, [_source(context, pattern) for pattern in self.stored])


def names_of_ops(module: ModuleOp) -> set[str]:
    """Return the names of all ops of a module."""
    return {op.name for op in module.walk()}


def rules_together(rules: Sequence[Rule], module: ModuleOp) -> list[Rule]:
    """Return the rules that may match in a module, or after some of them have changed it."""
    names = {ConstantOp.name, *names_of_ops(module)}
    chosen: set[str] = set()
    while new := [r for r in rules if r.name not in chosen and r.may_match(names)]:
        chosen |= {rule.name for rule in new}
        names |= {name for rule in new for pattern in rule.stored for name in pattern.makes}
    return [rule for rule in rules if rule.name in chosen]


@cache
def shipped_rules(folder: Path) -> tuple[Rule, ...]:
    """Return the rules of a folder of the package, in the order in which they run.

    Raises ``PatternError`` if one is malformed, or if they have no order.
    """
    cached, key = Entries(default_folder(), _KIND, _LIMIT), _digest(folder)
    content = cached.get(key)
    if content is not None:
        try:
            return from_json(tuple[Rule, ...], json.loads(content), "the rules")
        except (ValueError, RecursionError, UserError):
            cached.remove(key)
    made = _derive(folder)
    cached.put(key, json.dumps(to_json(made)).encode())
    return made


@cache
def _context() -> Context:
    """Return the context in which the rules are read: they name no dialects but the package's."""
    return new_context()


def _digest(folder: Path) -> str:
    """Return the digest of all that an entry depends on; places are paths of this installation."""
    return hashlib.sha256(f"{folder}\n{_digest_of_package()}".encode()).hexdigest()


@cache
def _digest_of_package() -> str:
    package = Path(__file__).parents[2]
    sources = [
        file
        for part in (package / "dialects", package / "passes" / "fusion")
        for file in part.rglob("*")
        if file.suffix in (".py", ".pdll", ".mlir", ".lark")
    ]
    versions = (f"{name} {version(name)}" for name in ("xdsl", "lark"))
    return "\n".join([*versions, digest_of_files(sources)])


def _derive(folder: Path) -> tuple[Rule, ...]:
    from autodeploy.passes.fusion.order import derive_order
    from autodeploy.passes.fusion.pdl.features import features_of

    context = _context()
    rules = {name: load_patterns(context, path) for name, path in pattern_files(folder).items()}
    # The rules for codes run together.
    order = derive_order(context, rules).names if folder == PATTERN_FOLDER else rules

    def store(pattern: CompiledPattern) -> StoredPattern:
        stream, features = StringIO(), features_of(context, pattern)
        Printer(stream).print_op(pattern.op)
        places = "\n".join(pattern.source.places[op] for op in pattern.op.walk())
        needs, makes = (tuple(sorted(names)) for names in (features.matched, features.created))
        return StoredPattern(stream.getvalue(), places, needs, makes)

    return tuple(Rule(name, tuple(map(store, rules[name]))) for name in order)


def _source(context: Context, stored: StoredPattern) -> PatternSource:
    op = TextParser(context, stored.text).parse_op()
    assert isinstance(op, pdl.PatternOp)
    return PatternSource(op, dict(zip(op.walk(), stored.places.split("\n"), strict=True)))
