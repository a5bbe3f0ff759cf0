"""The rules that ship with autodeploy: their size, what they declare, what they expand to."""

import inspect
from io import StringIO

import pytest
from xdsl.printer import Printer

from autodeploy.dialects.registry import new_context
from autodeploy.passes.fusion.natives import (
    COMMUTATIVE,
    CONSTRAINTS,
    COPY_ATTRIBUTES,
    REWRITES,
    import_native_modules,
)
from autodeploy.passes.fusion.order import derive_order
from autodeploy.passes.fusion.pdl.executor import load_patterns
from autodeploy.passes.fusion.pdll import syntax
from autodeploy.passes.fusion.pdll.expand import native_name
from autodeploy.passes.fusion.pdll.files import INCLUDE_FOLDER
from autodeploy.passes.fusion.pdll.parse import parse_pdll
from autodeploy.passes.fusion.registry import pattern_files

RULES = pattern_files()
MARKS = {COMMUTATIVE, COPY_ATTRIBUTES}
"""What the expansion puts in by itself."""


def code_lines(text: str) -> int:
    lines = [line.strip() for line in text.splitlines()]
    return sum(bool(line) and not line.startswith("//") for line in lines)


def test_rules_are_short():
    sizes = {name: code_lines(path.read_text()) for name, path in RULES.items()}
    assert max(sizes.values()) <= 40
    assert sum(sizes.values()) <= 500


def declared() -> dict[str, syntax.Function]:
    path = INCLUDE_FOLDER / "nn.pdll"
    tree = parse_pdll(path.read_text(), str(path))
    functions = [part for part in tree.parts if isinstance(part, syntax.Function)]
    return {native_name(f.name): f for f in functions if f.body is None}


def test_every_native_function_is_declared():
    import_native_modules()
    functions = declared()
    package = "autodeploy.passes.fusion"
    for section, table in (("Constraint", CONSTRAINTS), ("Rewrite", REWRITES)):
        names = {name for name, f in functions.items() if f.section == section}
        ours = {
            name for name, native in table.items() if native.function.__module__.startswith(package)
        }
        assert names == ours - MARKS


@pytest.mark.parametrize("name", sorted(declared()))
def test_declarations_fit_their_functions(name):
    import_native_modules()
    function = declared()[name]
    native = (CONSTRAINTS if function.section == "Constraint" else REWRITES)[name]
    _, *parameters = inspect.signature(native.function).parameters.values()
    given = [] if function.parameters is None else function.parameters.parts
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        return
    assert len(given) == len(parameters)


CTX = new_context()
LOADED = {name: load_patterns(CTX, path) for name, path in RULES.items()}
ORDER = derive_order(CTX, LOADED).names


@pytest.mark.parametrize("rule", sorted(RULES))
def test_the_expansion_is_pdl_text(rule):
    """Printed and read again, an expansion is the same, and takes the same place in the order."""
    stream = StringIO()
    for pattern in LOADED[rule]:
        Printer(stream).print_op(pattern.op)
        stream.write("\n")
    again = load_patterns(CTX, stream.getvalue())
    second = StringIO()
    for pattern in again:
        Printer(second).print_op(pattern.op)
        second.write("\n")
    assert second.getvalue() == stream.getvalue()
    assert derive_order(CTX, {**LOADED, rule: again}).names == ORDER
