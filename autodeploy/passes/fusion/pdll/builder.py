"""The pdl ops of one pattern under construction, with the place in the text of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import Commutative
from xdsl.utils.exceptions import DiagnosticException, ParseError

from autodeploy.dialects.mlir_text import TextParser
from autodeploy.passes.fusion.natives import COMMUTATIVE
from autodeploy.passes.fusion.pdl.matcher import op_class_of
from autodeploy.passes.fusion.pdl.segments import (
    Segment,
    What,
    Width,
    is_range,
    segments_of,
    sizes_option,
)
from autodeploy.passes.fusion.pdl.source import PatternError, PatternSource
from autodeploy.passes.fusion.pdll import ops, syntax
from autodeploy.passes.fusion.pdll.entities import CORE, Entity, Group, kind_name
from autodeploy.passes.fusion.pdll.files import place
from autodeploy.passes.fusion.pdll.parse import string_of

VALUES = CORE["ValueRange"]

_MATCHED = (
    pdl.AttributeOp, pdl.OperandOp, pdl.OperandsOp, pdl.OperationOp, pdl.TypeOp, pdl.TypesOp
)  # fmt: skip


class Builder:
    """Puts pdl ops at the end of ``block``, first that of the pattern, then that of its rewrite."""

    def __init__(self, ctx: Context, pattern: syntax.Pattern, file: str):
        self.ctx, self.file = ctx, file
        name = None if pattern.name is None else str(pattern.name)
        op = pdl.PatternOp(1, name)
        self.places: dict[Operation, str] = {op: place(file, pattern)}
        self.source = PatternSource(op, self.places)
        self.block: Block = op.body.block
        self._results: dict[tuple[SSAValue, int | None], SSAValue] = {}

    def fail(self, at: syntax.Node | syntax.Token, message: str) -> NoReturn:
        """Raise the error that names the place of ``at`` and the pattern."""
        raise self.source.error_at(place(self.file, at), message)

    def add(self, op: Operation, at: syntax.Node | syntax.Token) -> Operation:
        """Put an op at the end; messages about it point to ``at``."""
        self.block.add_op(op)
        self.places[op] = place(self.file, at)
        return op

    def value(self, op: Operation, at: syntax.Node | syntax.Token) -> SSAValue:
        """Put an op at the end and return its result."""
        return self.add(op, at).results[0]

    def check_used(self) -> None:
        """Raise ``PatternError`` if the match has what no operation, constraint or rewrite uses.

        By its making, nothing else of the pattern can be malformed.
        """
        for op in self.source.op.body.block.ops:
            if isinstance(op, _MATCHED) and not pdl.has_binding_use(op):
                what = op.results[0].name_hint
                raise self.source.error(f"'{what}' is not used" if what else "not used", op)

    def attribute(self, text: syntax.Token) -> Attribute:
        """Return the attribute that a string literal spells."""
        return self._parse(text, "attribute")

    def type(self, text: syntax.Token) -> Attribute:
        """Return the type that a string literal spells."""
        return self._parse(text, "type")

    def _parse(self, text: syntax.Token, what: str) -> Attribute:
        spelled = string_of(text)
        try:
            parser = TextParser(self.ctx, spelled, self.file)
            found = parser.parse_attribute() if what == "attribute" else parser.parse_type()
            if parser.pos < len(spelled.rstrip()):
                self.fail(text, f"malformed {what} '{spelled}': it is followed by other text")
        except ParseError as error:
            self.fail(text, f"malformed {what} '{spelled}': {_as_clause(error.msg)}")
        except PatternError:
            raise
        except (DiagnosticException, ValueError, NotImplementedError) as error:
            self.fail(text, f"malformed {what} '{spelled}': {_as_clause(str(error))}")
        return found

    def operation(
        self,
        at: syntax.Node,
        name: str | None,
        operands: Sequence[SSAValue],
        attributes: dict[str, SSAValue],
        types: Sequence[SSAValue],
    ) -> SSAValue:
        """Put a ``pdl.operation`` at the end; its name and attributes must exist."""
        op = ops.operation(name, operands, attributes, types)
        self.add(op, at)
        op_class_of(self.source, self.ctx, op)
        return op.op

    def segments(self, name: str | None, what: What) -> tuple[Segment, ...] | None:
        """Return the segments of the ops of a name, ``None`` if they are not known."""
        op_class = None if name is None else self.ctx.get_optional_op(name)
        if op_class is None or issubclass(op_class, UnregisteredOp):
            return None
        return segments_of(op_class, what)

    def all_operands(self, name: str | None, at: syntax.Node) -> list[SSAValue]:
        """Return the operands of a matched op that lists none: any."""
        segments = self.segments(name, "operands")
        if segments is not None and (not segments or self._stores_sizes(name)):
            return [
                self.value(ops.variable("Value" if s.width is Width.SINGLE else "ValueRange"), at)
                for s in segments
            ]
        return [self.value(ops.variable("ValueRange"), at)]

    def _stores_sizes(self, name: str | None) -> bool:
        """Return whether the ops of a name store how many operands each segment has."""
        op_class = None if name is None else self.ctx.get_optional_op(name)
        return op_class is not None and sizes_option(op_class, "operands") is not None

    def all_types(self, name: str | None, at: syntax.Node) -> list[SSAValue]:
        """Return the result types of a matched op that lists none: any."""
        segments = self.segments(name, "results")
        if segments is None or any(s.width is not Width.SINGLE for s in segments):
            return [self.value(ops.variable("TypeRange"), at)]
        return [self.value(ops.variable("Type"), at) for _ in segments]

    def mark_commutative(self, op: SSAValue, at: syntax.Node) -> None:
        """Say of a matched op with two operands that they match in either order, if so it is."""
        operation = op.owner
        assert isinstance(operation, pdl.OperationOp)
        operands = operation.operand_values
        if len(operands) != 2 or any(map(is_range, operands)) or operands[0] is operands[1]:
            return
        op_class = op_class_of(self.source, self.ctx, operation)
        if op_class is not None and op_class.has_trait(Commutative, value_if_unregistered=False):
            self.add(ops.native_constraint(COMMUTATIVE, [op], []), at)

    def result(self, op: SSAValue, index: int, at: syntax.Node) -> SSAValue:
        """Return a result of an op by its index."""
        key = op, index
        if key not in self._results:
            self._results[key] = self.value(ops.result(op, index), at)
        return self._results[key]

    def results(self, op: SSAValue, at: syntax.Node) -> SSAValue:
        """Return all results of an op: the one that its definition has, or else a range."""
        segments = self.segments(name_of(op), "results")
        if segments is not None and [s.width for s in segments] == [Width.SINGLE]:
            return self.result(op, 0, at)
        key = op, None
        if key not in self._results:
            self._results[key] = self.value(ops.results(op), at)
        return self._results[key]

    def member(self, op: SSAValue, name: syntax.Token, at: syntax.Node) -> SSAValue:
        """Return a group of an op's results by its name or index."""
        segments = self.segments(name_of(op), "results")
        if segments is None:
            if not name.isdecimal():
                self.fail(name, f"result '{name}' of an operation without a name")
            return self.result(op, int(name), at)
        names = [segment.name for segment in segments]
        index = int(name) if name.isdecimal() else names.index(name) if name in names else -1
        if not 0 <= index < len(names):
            self.fail(name, f"'{name_of(op)}' has no result '{name}', it has {', '.join(names)}")
        if all(segment.width is Width.SINGLE for segment in segments):
            return self.result(op, index, at)
        single = segments[index].width is Width.SINGLE
        type_ = CORE["Value"] if single else VALUES
        return self.value(ops.results(op, index, type_), at)

    def convert(self, entity: Entity, wanted: Attribute, at: syntax.Node) -> SSAValue:
        """Return an entity as the wanted kind: an op also stands for its results."""
        if isinstance(entity, SSAValue):
            if entity.type == CORE["Op"] and wanted in (CORE["Value"], VALUES):
                entity = self.results(entity, at)
            if entity.type == wanted:
                return entity
        self.fail(at, f"expected {kind_name(wanted)}, found {kind_name(entity)}")

    def values_of(self, entity: Entity, at: syntax.Node) -> list[SSAValue]:
        """Return an entity as operands: values and ranges of values."""
        if isinstance(entity, Group):
            return [value for item in entity.items for value in self.values_of(item, at)]
        if entity.type == CORE["Op"]:
            entity = self.results(entity, at)
        if entity.type not in (CORE["Value"], VALUES):
            self.fail(at, f"expected a value, found {kind_name(entity)}")
        return [entity]


def _as_clause(message: str) -> str:
    """Return a message of xDSL as this project words them."""
    message = message.strip().rstrip("!.")
    return message[:1].lower() + message[1:]


def name_of(op: SSAValue) -> str | None:
    """Return the name of the ops that a pdl value of an op stands for."""
    owner = op.owner
    if isinstance(owner, pdl.OperationOp) and owner.opName is not None:
        return owner.opName.data
    return None
