"""Operators that ONNX lacks, as functions in the text of ``onnx.parser``.

The file ``com.example.Fold.onnxtxt`` defines the operator Fold of the domain com.example. A file of
the domain ai.onnx defines an operator that models have without a domain, in the opsets in which
ONNX lacks it. The first comment says what the operator computes. An input, an output or an
attribute without a default that a node may leave out has ``?`` after its name. The last input may
be any number of inputs, with ``...`` after its name; such an operator needs a converter.

Lines between ``#if CONDITION``, ``#elif CONDITION``, ``#else`` and ``#endif`` are part of the body
where the condition holds, and ``#error REASON`` there refuses the node. A condition is an
expression of Python: the name of an attribute is its value (``None`` if there is neither a value
nor a default), the name of an input or an output tells whether the node has it, ``rank(name)`` is
the number of axes of an input, and ``type(name)`` its element type, such as ``"uint8"``.
"""

from __future__ import annotations

import ast
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from onnx import AttributeProto, FunctionProto, NodeProto, TensorProto, defs, parser
from xdsl.context import Context

from autodeploy.diagnostics import UserError

if TYPE_CHECKING:
    from autodeploy.dialects.onnx.op import OnnxOp

SUFFIX = ".onnxtxt"

CONTRIB = Path(__file__).parents[2] / "frontend" / "onnx" / "contrib"
"""The texts that come with autodeploy, which belong to the frontend."""

Name: TypeAlias = tuple[str, str]
"""A domain, empty for ai.onnx, and an operator."""

_DIRECTIVE = re.compile(r"\s*#(if|elif|else|endif|error)\b(.*)")
_MARKS = re.compile(r"(?<=\w)(\?|\.\.\.)")
_HEADER = re.compile(r"^[^{]*")
_POSITION = re.compile(r"line: (\d+) column: (\d+)")
_EXPRESSIONS = (
    *(ast.Expression, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Name, ast.Constant, ast.Call),
    *(ast.boolop, ast.Not, ast.USub, ast.cmpop, ast.Load, ast.Tuple),
)
_ASKED = {"rank", "type"}
_KINDS = ("INT", "FLOAT", "STRING", "INTS", "FLOATS", "STRINGS", "TENSOR")


class RefusedError(Exception):
    """The definition of an operator does not cover a node: why, and the line that says so."""

    def __init__(self, reason: str, line: int = 0):
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True)
class _Step:
    """A directive: its word, and a condition or a reason."""

    word: str
    condition: CodeType | None = None
    reason: str = ""


class _Branches(NamedTuple):
    """Whether the branch that is open is part of the body, and whether one of its #if was."""

    is_taken: bool
    is_decided: bool


@dataclass(frozen=True)
class Node:
    """The facts about a node that the conditions of a text may ask for."""

    settings: Mapping[str, object]
    """The value of each attribute that has one."""
    present: frozenset[str]
    """The inputs and outputs that the node has."""
    rank: Callable[[str], int]
    """The number of axes of an input; raises ``RefusedError`` if it is not known."""
    type: Callable[[str], str]
    """The name of the element type of an input; raises ``RefusedError`` if it is not known."""


@dataclass(frozen=True)
class OperatorText:
    """A file that defines an operator."""

    path: Path
    text: str = field(repr=False)

    @cached_property
    def name(self) -> Name:
        """The domain and the operator, by the name of the file."""
        domain, _, op_type = self.path.name.removesuffix(SUFFIX).rpartition(".")
        if not (domain and op_type.isidentifier()):
            raise UserError(
                f"{self.path}: a file that defines an operator is called DOMAIN.OPERATOR{SUFFIX}"
            )
        return "" if domain == "ai.onnx" else domain, op_type

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without the marks of optional parts."""
        header = _HEADER.search(self.text)
        end = header.end() if header else 0
        return (_MARKS.sub(" ", self.text[:end]) + self.text[end:]).splitlines()

    @cached_property
    def function(self) -> FunctionProto:
        """The function with the nodes of all conditions; raises ``UserError`` for wrong text."""
        function = self._parsed(self.lines)
        domain, op_type = self.name
        if function.name != op_type:
            raise self.error(1, f"the function is called {function.name}, expected {op_type}")
        if function.domain and function.domain != domain:
            raise self.error(1, f"the domain is {function.domain}, expected {domain or 'ai.onnx'}")
        declared = [*function.input, *function.output, *function.attribute]
        declared += [attribute.name for attribute in function.attribute_proto]
        if twice := [name for name in declared if declared.count(name) > 1]:
            raise self.error(1, f"'{twice[0]}' is declared twice")
        if function.attribute:
            raise self.error(1, f"attribute '{function.attribute[0]}' has no type, as in ': int'")
        for attribute in function.attribute_proto:
            if AttributeProto.AttributeType.Name(attribute.type) not in _KINDS:
                raise self.error(
                    1, f"attribute '{attribute.name}' has a type that is not supported"
                )
        for node in function.node:
            for name in filter(None, (attribute.ref_attr_name for attribute in node.attribute)):
                if name not in declared:
                    raise self.error(self.line_of(node), f"no attribute is called '{name}'")
        return function

    @property
    def has_body(self) -> bool:
        """Whether nodes say what the operator computes; else a converter does."""
        return bool(self.function.node)

    @cached_property
    def marks(self) -> dict[str, str]:
        """The marks of attributes, inputs and outputs by their names."""
        header = _HEADER.search(self.text)
        return dict(re.findall(r"(\w+)(\?|\.\.\.)", header.group() if header else ""))

    @cached_property
    def schema(self) -> defs.OpSchema:
        """The operator's schema; any tensor is taken, as the body says which are possible."""
        function, (domain, op_type) = self.function, self.name
        tensors = [
            f"tensor({_element(number)})" for number in TensorProto.DataType.values() if number
        ]

        def parameter(name: str) -> defs.OpSchema.FormalParameter:
            kinds = defs.OpSchema.FormalParameterOption
            kind = {"?": kinds.Optional, "...": kinds.Variadic}.get(self.marks.get(name, ""))
            return defs.OpSchema.FormalParameter(
                name, f"T_{name}", param_option=kind or kinds.Single, is_homogeneous=False
            )

        return defs.OpSchema(
            op_type,
            domain,
            1,
            self.doc,
            inputs=[*map(parameter, function.input)],
            outputs=[*map(parameter, function.output)],
            type_constraints=[
                (f"T_{name}", tensors, "")
                for name in dict.fromkeys((*function.input, *function.output))
            ],
            attributes=[
                _attribute(attribute, attribute.name not in self.marks)
                for attribute in function.attribute_proto
            ],
        )

    @cached_property
    def doc(self) -> str:
        """The comment at the beginning."""
        found: list[str] = []
        for line in self.text.splitlines():
            if not line.startswith("# "):
                break
            found.append(line[2:].strip())
        return " ".join(found)

    def check(self, class_of: Callable[[NodeProto, int], type[OnnxOp] | None]) -> None:
        """Raise ``UserError`` if the text is wrong whatever a node is.

        ``class_of`` returns the class of the operator of a node in an opset of its domain.
        """
        assert len(self._steps) == len(self.lines)
        made = {"", *self.function.input}
        imports = {entry.domain: entry.version for entry in self.function.opset_import}
        for node in self.function.node:
            line, opset = self.line_of(node), imports.get(node.domain, 0)
            if (found := class_of(node, opset)) is None:
                name = f"{node.domain}.{node.op_type}".removeprefix(".")
                raise self.error(line, f"opset {opset} has no operator {name}")
            for name in (name for name in node.input if name not in made):
                raise self.error(line, f"nothing before makes '{name}'")
            for name in (a.name for a in node.attribute if a.name not in found.schema.attributes):
                raise self.error(line, f"{node.op_type} has no attribute '{name}'")
            made.update(node.output)

    def body(self, node: Node) -> FunctionProto:
        """Return the function for a node; raises ``RefusedError`` if the text refuses it."""
        body = FunctionProto()
        body.CopyFrom(self._parsed(self.lines_for(node)))
        del body.attribute_proto[:]  # their defaults are those of the schema
        return body

    def lines_for(self, node: Node) -> list[str]:
        """Return the lines that make the function for a node, with empty ones for all others.

        Raises ``RefusedError`` if the text refuses the node.
        """
        values: dict[str, object] = {a.name: None for a in self.function.attribute_proto}
        values |= {**node.settings, "rank": node.rank, "type": node.type}
        for name in (*self.function.input, *self.function.output):
            values[name] = name if name in node.present else ""
        kept: list[str] = []
        open_: list[_Branches] = []
        for number, (line, step) in enumerate(zip(self.lines, self._steps, strict=True), 1):
            if step is not None and step.word in ("elif", "else", "endif"):
                before = open_.pop().is_decided
            else:
                before = False
            within = all(branches.is_taken for branches in open_)
            if step is None or step.word == "error":
                kept.append(line if step is None and within else "")
                if step is not None and within:
                    raise RefusedError(step.reason, number)
                continue
            kept.append("")
            if step.word != "endif":
                taken = within and not before and self._holds(step.condition, values)
                open_.append(_Branches(taken, before or taken))
        return kept

    def error(self, line: int, what: str) -> UserError:
        """Return the error for a line of the file."""
        return UserError(f"{self.path}:{line}: {what}")

    def line_of(self, node: NodeProto) -> int:
        """Return the line of a node, the first that has its outputs."""
        outputs = r"\s*,\s*".join(map(re.escape, node.output))
        found = re.compile(rf"\s*{outputs}\s*=[^=]*\b{re.escape(node.op_type)}\b")
        return next((n for n, line in enumerate(self.lines, 1) if found.match(line)), 1)

    @cached_property
    def _steps(self) -> list[_Step | None]:
        """The directive of each line; raises ``UserError`` for wrong ones."""
        steps: list[_Step | None] = []
        open_: list[tuple[int, str]] = []
        for number, line in enumerate(self.lines, 1):
            found = _DIRECTIVE.match(line)
            word, rest = (found[1], found[2].strip()) if found else ("", "")
            if word in ("elif", "else", "endif"):
                before = open_.pop()[1] if open_ else ""
                if not before or (before == "else" and word != "endif"):
                    raise self.error(number, f"#{word} without #if")
            if word in ("if", "elif", "else"):
                open_.append((number, word))
            condition = self._condition(number, rest) if word in ("if", "elif") else None
            steps.append(_Step(word, condition, rest) if word else None)
        if open_:
            raise self.error(open_[-1][0], f"#{open_[-1][1]} without #endif")
        return steps

    def _condition(self, number: int, text: str) -> CodeType:
        try:
            tree = ast.parse(text, mode="eval")
        except (SyntaxError, ValueError, RecursionError):
            raise self.error(number, f"'{text}' is no condition") from None
        function = self.function
        known = {*function.input, *function.output, *(a.name for a in function.attribute_proto)}
        for part in ast.walk(tree):
            if not isinstance(part, _EXPRESSIONS):
                raise self.error(number, f"'{text}' holds more than names, numbers and comparisons")
            if isinstance(part, ast.Call):
                asked = {f"{word}({name})" for word in _ASKED for name in function.input}
                if (text := ast.unparse(part)) not in asked:
                    raise self.error(number, f"'{text}' is not 'rank' or 'type' of an input")
            elif isinstance(part, ast.Name) and part.id not in known | _ASKED:
                raise self.error(number, f"nothing is called '{part.id}'")
        return compile(tree, str(self.path), "eval")

    def _holds(self, condition: CodeType | None, values: Mapping[str, object]) -> bool:
        """Return whether a condition holds; there is none after #else."""
        if condition is None:
            return True
        try:
            return bool(eval(condition, {"__builtins__": {}}, dict(values)))
        except TypeError:  # a comparison with an attribute that has no value
            return False

    def _parsed(self, lines: list[str]) -> FunctionProto:
        try:
            return _parse("\n".join(lines))
        except parser.ParseError as error:
            text = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
            place = _POSITION.search(text)
            line = int(place[1]) if place else 1
            what = text.strip().splitlines()[-1].rstrip(".")
            raise self.error(line, f"not in ONNX's text: {what}") from None


def read_texts(folder: Path) -> Iterator[OperatorText]:
    """Yield the texts of a folder by their names; raises ``UserError`` for an unreadable one."""
    try:
        for path in sorted(folder.iterdir()):
            if path.name.endswith(SUFFIX):
                yield OperatorText(path, path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise UserError(f"{folder} holds a text that is not UTF-8") from None
    except OSError as error:
        raise UserError(f"folder of operators '{folder}': {error.strerror}") from None


@cache
def contrib_texts() -> Mapping[Name, OperatorText]:
    """Return the texts that come with autodeploy."""
    return {text.name: text for text in read_texts(CONTRIB)}


_given: dict[int, dict[Name, OperatorText]] = {}


def give_texts(ctx: Context, texts: Iterable[OperatorText]) -> None:
    """Let the operators of texts be known in a context."""
    if id(ctx) not in _given:
        _given[id(ctx)] = {}
        weakref.finalize(ctx, _given.pop, id(ctx), None)
    _given[id(ctx)].update((text.name, text) for text in texts)


def given_texts(ctx: Context) -> Mapping[Name, OperatorText]:
    """Return the texts that were given to a context."""
    return _given.get(id(ctx), {})


@cache
def _parse(text: str) -> FunctionProto:
    return parser.parse_function(text)


def _element(number: int) -> str:
    return TensorProto.DataType.Name(number).lower()


def _attribute(declared: AttributeProto, is_required: bool) -> defs.OpSchema.Attribute:
    """Return an attribute of a schema; an empty list is no default."""
    lists = (declared.ints, declared.floats, declared.strings)
    if any(lists) or any(declared.HasField(name) for name in ("i", "f", "s", "t")):
        return defs.OpSchema.Attribute(declared.name, declared, "")
    kind = AttributeProto.AttributeType.Name(declared.type)
    kinds = defs.OpSchema.AttrType
    return defs.OpSchema.Attribute(declared.name, getattr(kinds, kind), required=is_required)
