"""The generated page of a dialect: its types and attributes, and each op with its syntax."""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from abc import ABC
from collections.abc import Iterator, Sequence
from types import FunctionType

from documents import ROOT
from generated_pages.constraint_text import constraint_text
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, i1
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    OpDef,
    OptionalDef,
    VariadicDef,
)

_SEGMENTS = (AttrSizedOperandSegments.attribute_name, AttrSizedResultSegments.attribute_name)
"""Properties that only say how operands and results are grouped."""


def docstring(item: object) -> str:
    """Return the docstring of a module, class or function without its indentation."""
    return inspect.getdoc(item) or ""


_CONSTRAINT = re.compile(
    r"^(?:- |Check )\((?P<label>\w+_c\d+)\) (?:that )?(?P<text>.*(?:\n  .*)*)", re.MULTILINE
)
"""A constraint in the docstring of a method: an item of a list, or all that it says."""

_TESTS = ROOT / "test" / "dialects"


def constraints(definition: type) -> dict[str, str]:
    """Return what an op or an attribute is held to, by label, its base classes first."""
    names = {name: None for base in definition.__mro__ for name in vars(base)}
    texts = [docstring(method) for name in names for method in _methods(definition, name)]
    return {
        constraint["label"]: " ".join(constraint["text"].split()).rstrip(".")
        for text in reversed(texts)
        for constraint in _CONSTRAINT.finditer(text)
    }


def _methods(definition: type, name: str) -> Iterator[FunctionType]:
    """Yield the method of this name, and as long as it calls the one of a base class, that one."""
    for base in definition.__mro__:
        method = vars(base).get(name)
        if inspect.isfunction(method):
            if name == "verify_":  # IRDL puts a verifier of its own around that of the class
                method = inspect.getclosurevars(method).nonlocals.get("custom_verify", method)
            yield method
            if "super" not in method.__code__.co_names:
                return


def _constraint_list(definition: type) -> str:
    items = constraints(definition).items()
    listed = "\n".join(f"- ({label}) {text}" for label, text in items)
    return f"\nConstraints:\n\n{listed}\n" if listed else ""


def example(name: str) -> tuple[str, str] | None:
    """Return the shortest use of an op in the tests of its dialect, and the file's name."""
    found: list[tuple[int, int, str, str]] = []
    start = re.compile(rf'\s*(?:%[\w:, %]+ = )?"?{re.escape(name)}(?![\w.])')
    for file in sorted((_TESTS / name.partition(".")[0]).glob("*.mlir")):
        if "invalid" in file.name:
            continue
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if "//" not in line]
        for index, line in enumerate(lines):
            if start.match(line):
                text = textwrap.dedent("\n".join(_statement(lines[index:])))
                found.append((text.count("\n"), len(text), file.name, text))
    return min(found)[2:] if found else None


def _statement(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines up to the first at which every bracket is closed and no type is missing."""
    depth = 0
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        yield line
        depth += sum(line.count(mark) for mark in "{([") - sum(line.count(mark) for mark in "})]")
        if depth <= 0 and not following.strip().startswith((":", "{", "->")):
            return


def dialect_parts(dialect: Dialect) -> list[str]:
    """Return the parts of a dialect's page below its title, in the order of the definitions."""
    parts: list[str] = []
    if package := sys.modules.get(f"autodeploy.dialects.{dialect.name}"):
        parts.append(docstring(package) + "\n")
    attributes = sorted(dialect.attributes, key=lambda a: a.name)
    if attributes:
        parts.append("## Attributes and types\n")
        parts += [_attribute(attribute) for attribute in attributes]
    modules = {inspect.getmodule(op): None for op in dialect.operations}
    for module in modules:
        ops = [op for op in dialect.operations if inspect.getmodule(op) is module]
        heading = (module.__name__ if module else "").rpartition(".")[2]
        if len(modules) > 1 and heading != dialect.name:
            title = heading.replace("_", " ").capitalize()
            parts.append(f"## {title}\n")
            parts.append(docstring(module) + "\n")
        parts += [_op(op) for op in ops]
    return parts


def _attribute(attribute: type[Attribute]) -> str:
    sigil = "!" if issubclass(attribute, TypeAttribute) else "#"
    text = f"### `{sigil}{attribute.name}`\n\n{docstring(attribute)}\n"
    enum = getattr(attribute, "enum_type", None)
    if enum is not None:
        text += f"\n{docstring(enum)} Values: {', '.join(f'`{value}`' for value in enum)}.\n"
    elif issubclass(attribute, ParametrizedAttribute):
        fields = ", ".join(f"`{n}`" for n, _ in attribute.get_irdl_definition().parameters)
        text += f"\nParameters: {fields}.\n" if fields else ""
    return text + _constraint_list(attribute)


def _op(op: type[Operation]) -> str:
    text = f"### `{op.name}`\n\n{docstring(op)}\n"
    if family := _family(op):
        text += f"\n*{family}*\n"
    if not issubclass(op, IRDLOperation):
        return text
    definition = op.get_irdl_definition()
    if syntax := _syntax(op, definition):
        text += f"\n```text\n{syntax}\n```\n"
    rows = list(_rows(definition))
    if rows:
        text += "\n| kind | name | type |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    text += _constraint_list(op)
    if shown := example(op.name):
        file, code = shown
        link = f"../../test/dialects/{op.name.partition('.')[0]}/{file}"
        text += f"\nExample, from [{file}]({link}):\n\n```mlir\n{code}\n```\n"
    return text


def _family(op: type[Operation]) -> str:
    """Return the first line on the op's base class, which says what the ops of its kind share.

    The properties that all ops of a dialect share are in its module ``base``.
    """
    package = op.__module__.rpartition(".")[0]
    for base in op.__mro__[1:]:
        folder, _, module = base.__module__.rpartition(".")
        if ABC in base.__bases__ and folder == package and module not in ("base", "structure"):
            return docstring(base).partition("\n")[0]
    return ""


def _rows(definition: OpDef) -> Iterator[str]:
    for kind, entries in (("operand", definition.operands), ("result", definition.results)):
        for name, entry in entries:
            many = " (any number)" if isinstance(entry, VariadicDef) else ""
            many = " (optional)" if isinstance(entry, OptionalDef) else many
            yield f"| {kind} | `{name}`{many} | {constraint_text(entry.constr)} |"
    for name, entry in definition.properties.items():
        if name in _SEGMENTS:
            continue
        note = " (optional)" if isinstance(entry, OptionalDef) else ""
        if not note and entry.default_value is not None:
            note = f" = `{_default(entry.default_value)}`"
        yield f"| property | `{name}`{note} | {constraint_text(entry.constr)} |"
    for name, _ in definition.regions:
        yield f"| region | `{name}` | |"


def _default(value: Attribute) -> str:
    """Return a default value as a reader of the text writes it, numbers without their type."""
    match value:
        case StringAttr():
            return value.data
        case IntegerAttr() if value.type == i1:
            return "true" if value.value.data else "false"
        case IntegerAttr() | FloatAttr():
            return str(value.value.data)
        case _:
            return str(value)


def _syntax(op: type[IRDLOperation], definition: OpDef) -> str:
    """Return one line that shows how the op is written, empty where nothing says so.

    It is made from the declarative format, or from the first code in the docstring of ``parse``.
    """
    results = ", ".join(f"%{name}" for name, _ in definition.results)
    start = f"{results} = {op.name}" if results else op.name
    if definition.assembly_format is None:
        code = re.search(r"``(.+?)``", docstring(op.parse), re.DOTALL)
        own = op.parse.__func__ is not IRDLOperation.parse.__func__
        return f"{start} {' '.join(code[1].split())}" if code and own else ""
    syntax = _declared_syntax(str(definition.assembly_format), definition)
    return f"{start}{'' if syntax.startswith('(') else ' '}{syntax}"


def _declared_syntax(text: str, definition: OpDef) -> str:
    operands = {name: f"%{name}" for name, _ in definition.operands}
    for name, entry in definition.operands:
        if isinstance(entry, VariadicDef):
            operands[name] += "?" if isinstance(entry, OptionalDef) else "…"
    written = set(re.findall(r"\$(\w+)", text))
    hidden = set(definition.properties) - written - set(_SEGMENTS)
    text = re.sub(r"functional-type\([^)]*\)", "(types) -> type", text)
    text = re.sub(r"type\(\$\w+\)", "type", text)
    text = re.sub(r"\boperands\b", ", ".join(operands.values()), text)
    text = re.sub(r"\s*attr-dict-with-keyword", "", text)
    text = re.sub(r"attr-dict", "{…}" if hidden else "", text)
    text = re.sub(r"\(([^()]*)\^([^()]*)\)\?", r"[\1\2]", text)
    text = re.sub(r"\$(\w+)", lambda name: operands.get(name[1], name[1]), text)
    for mark, spelling in _GLUED:
        text = re.sub(mark, spelling, text)
    return " ".join(text.replace("`", "").split())


_GLUED = (
    (r"\s*`,`", ","),
    (r"(?<=\w)\s*`\(`\s*", "("),
    (r"`\(`\s*", "("),
    (r"\s*`\)`", ")"),
    (r"(?<=\w)\s*`\[`\s*", "["),
    (r"\s*`\]`", "]"),
)
"""Punctuation without a space before or after it."""
