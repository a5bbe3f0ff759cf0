"""The match half of a ``pdl.pattern`` as a flat list of steps.

Matching starts at the root and goes up through operands, so each op that a pattern names has to be
reachable from its root that way. The native constraints run last, in the order of the text. The
steps after the operands of a commutative op are tried once more with the two exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation

from autodeploy.diagnostics import did_you_mean
from autodeploy.passes.fusion.natives import (
    COMMUTATIVE,
    CONSTRAINTS,
    PatternContext,
    declared_default,
)
from autodeploy.passes.fusion.pdl.match_steps import (
    Bindings,
    Step,
    attribute_of,
    between,
    constraint,
    equal,
    equals_constant,
    has_length,
    has_length_of_at_least,
    has_name,
    item,
    literal,
    operands_of,
    producer_of,
    producer_of_all,
    results_of,
    segment_of,
    type_of,
    type_of_attribute,
)
from autodeploy.passes.fusion.pdl.segments import (
    SegmentError,
    What,
    Width,
    distribute,
    is_range,
    segments_of,
    sizes_option,
)
from autodeploy.passes.fusion.pdl.source import PatternSource, value_name


class Slots:
    """The slots of one pattern's pdl values, and nameless ones for intermediate values."""

    def __init__(self) -> None:
        self._of: dict[SSAValue, int] = {}
        self.count = 0

    def new(self) -> int:
        """Return a slot that no pdl value has yet."""
        self.count += 1
        return self.count - 1

    def bind(self, key: SSAValue, slot: int) -> None:
        """Make ``slot`` that of a pdl value."""
        self._of[key] = slot

    def get(self, key: SSAValue) -> int | None:
        """Return the slot of a pdl value, ``None`` if it has none yet."""
        return self._of.get(key)


@dataclass(frozen=True, eq=False)
class Matcher:
    """A compiled match: ``root_name`` is ``None`` if the root may be any op."""

    root: pdl.OperationOp
    root_name: str | None
    parts: tuple[tuple[Step, ...], ...]
    """The steps, cut after those that take the operands of a commutative op."""
    swaps: tuple[tuple[int, int], ...]
    """Between two parts: the slots of the two operands, to be tried in either order."""
    ops: tuple[int, ...]
    """The slots of all matched ops; the root is slot 0."""

    def __call__(self, env: Bindings, ctx: PatternContext) -> bool:
        """Fill the bindings of a match whose root is in slot 0; return whether there is one."""
        return self._run(0, env, ctx)

    def _run(self, place: int, env: Bindings, ctx: PatternContext) -> bool:
        for step in self.parts[place]:
            if not step(env, ctx):
                return False
        if place == len(self.swaps):
            return True
        left, right = self.swaps[place]
        if self._run(place + 1, env, ctx):
            return True
        if env[left] is env[right]:
            return False
        env[left], env[right] = env[right], env[left]
        return self._run(place + 1, env, ctx)


def compile_match(source: PatternSource, ctx: Context, slots: Slots) -> Matcher:
    """Compile the match half of a pattern; the slots of its values are bound in ``slots``.

    Raises ``PatternError`` if it has several roots, an op that is not reachable from the root, a
    list that the op cannot have, an unknown op, attribute or constraint, or an unbound value.
    """
    return _Compiler(source, ctx, slots).compile()


class _Compiler:
    def __init__(self, source: PatternSource, ctx: Context, slots: Slots):
        self.source, self.ctx, self.slots = source, ctx, slots
        self.steps: list[Step] = []
        self.parts: list[tuple[Step, ...]] = []
        self.swaps: list[tuple[int, int]] = []
        self.ops: list[int] = []
        body = source.op.body.block
        self.operations = [op for op in body.ops if isinstance(op, pdl.OperationOp)]
        self.classes = {op: op_class_of(source, ctx, op) for op in self.operations}
        self.commutative = {
            op.args[0]: op
            for op in body.ops
            if isinstance(op, pdl.ApplyNativeConstraintOp)
            and op.constraint_name.data == COMMUTATIVE
            and op.args
            and not op.is_negated
        }

    def compile(self) -> Matcher:
        root = find_root(self.source, self.operations)
        self._operation(root.op, self.slots.new())
        for op in self.source.op.body.block.ops:
            match op:
                case pdl.ResultOp() | pdl.ResultsOp():
                    self._loose_result(op)
                case pdl.AttributeOp(value=value) if value is not None:
                    self._loose_literal(op.output, value)
                case pdl.TypeOp(constantType=type_) if type_ is not None:
                    self._loose_literal(op.result, type_)
                case pdl.TypesOp(constantTypes=types) if types is not None:
                    self._loose_literal(op.result, tuple(types))
                case pdl.ApplyNativeConstraintOp():
                    self._constraint(op)
                case _:
                    pass
        root_name = root.opName.data if root.opName else None
        self.parts.append(tuple(self.steps))
        return Matcher(root, root_name, tuple(self.parts), tuple(self.swaps), tuple(self.ops))

    def _bind(self, key: SSAValue, slot: int) -> bool:
        """Give a pdl value its slot; one that has one already must hold the same thing."""
        bound = self.slots.get(key)
        if bound is not None:
            self.steps.append(equal(bound, slot))
            return False
        self.slots.bind(key, slot)
        return True

    def _operation(self, key: SSAValue, slot: int) -> None:
        if not self._bind(key, slot):
            return
        op = key.owner
        if not isinstance(op, pdl.OperationOp):  # a constraint gives it, once it has run
            return
        self.ops.append(slot)
        if op.opName is not None:
            self.steps.append(has_name(slot, op.opName.data))
        for name, value in zip(op.attributeValueNames, op.attribute_values, strict=True):
            into = self.slots.new()
            default = declared_default(self.classes[op], name.data)
            self.steps.append(attribute_of(slot, name.data, default, into))
            self._attribute(value, into)
        operands = self._list(op, slot, op.operand_values, "operands")
        for type_, result in self._list(op, slot, op.type_values, "results"):
            into = self.slots.new()
            self.steps.append(type_of(result, into))
            self._type(type_, into)
        if key in self.commutative:
            self._either_order(self.commutative[key], operands)
        for operand, into in operands:
            self._value(operand, into)

    def _either_order(
        self, at: pdl.ApplyNativeConstraintOp, operands: Sequence[tuple[SSAValue, int]]
    ) -> None:
        """Let the match go on from here once more with the two operands exchanged."""
        if len(operands) != 2 or any(is_range(operand) for operand, _ in operands):
            raise self.source.error(
                f"'{COMMUTATIVE}' needs an operation with two operands, none of them a range", at
            )
        (_, left), (_, right) = operands
        self.parts.append(tuple(self.steps))
        self.steps = []
        self.swaps.append((left, right))

    def _list(
        self, op: pdl.OperationOp, slot: int, entries: Sequence[SSAValue], what: What
    ) -> list[tuple[SSAValue, int]]:
        """Return a slot for each entry of an operand or result list."""
        op_class = self.classes[op]
        segments = segments_of(op_class, what)
        try:
            groups = distribute(entries, segments, what)
        except SegmentError as error:
            raise self.source.error(f"operation '{_op_name(op)}': {error}", op) from None
        if groups is None or segments is None or op_class is None:
            return self._by_position(self._whole_list(slot, what), entries)
        loose = sum(segment.width is not Width.SINGLE for segment in segments)
        by_count = loose <= 1 and sizes_option(op_class, what) is None
        if by_count and not any(map(is_range, entries)):
            return self._by_position(self._whole_list(slot, what), entries)
        pairs: list[tuple[SSAValue, int]] = []
        for segment, group in zip(segments, groups, strict=True):
            held = self.slots.new()
            self.steps.append(segment_of(slot, segment.name, held))
            pairs += self._by_position(held, group)
        return pairs

    def _whole_list(self, slot: int, what: What) -> int:
        held = self.slots.new()
        take = operands_of if what == "operands" else results_of
        self.steps.append(take(slot, held))
        return held

    def _by_position(
        self, sequence: int, entries: Sequence[SSAValue]
    ) -> list[tuple[SSAValue, int]]:
        ranges = [place for place, entry in enumerate(entries) if is_range(entry)]
        if not ranges:
            self.steps.append(has_length(sequence, len(entries)))
        elif len(entries) > 1:
            self.steps.append(has_length_of_at_least(sequence, len(entries) - 1))
        pairs: list[tuple[SSAValue, int]] = []
        for place, entry in enumerate(entries):
            into = self.slots.new()
            after = len(entries) - place - 1
            if is_range(entry):
                self.steps.append(between(sequence, place, after, into))
            else:
                index = -after - 1 if ranges and place > ranges[0] else place
                self.steps.append(item(sequence, index, into))
            pairs.append((entry, into))
        return pairs

    def _value(self, key: SSAValue, slot: int) -> None:
        if not self._bind(key, slot):
            return
        match key.owner:
            case pdl.OperandOp(value_type=type_) | pdl.OperandsOp(value_type=type_):
                if type_ is not None:
                    into = self.slots.new()
                    self.steps.append(type_of(slot, into))
                    self._type(type_, into)
            case pdl.ResultOp() as op:
                into = self.slots.new()
                self.steps.append(producer_of(slot, op.index.value.data, into))
                self._operation(op.parent_, into)
            case pdl.ResultsOp() as op:
                into = self.slots.new()
                self.steps.append(producer_of_all(slot, self._segment(op), into))
                self._operation(op.parent_, into)
            case _:  # the result of a constraint is compared once the constraint has run
                pass

    def _attribute(self, key: SSAValue, slot: int) -> None:
        if not self._bind(key, slot) or not isinstance(key.owner, pdl.AttributeOp):
            return
        if key.owner.value is not None:
            self.steps.append(equals_constant(slot, key.owner.value))
        if key.owner.value_type is not None:
            into = self.slots.new()
            self.steps.append(type_of_attribute(slot, into))
            self._type(key.owner.value_type, into)

    def _type(self, key: SSAValue, slot: int) -> None:
        if not self._bind(key, slot):
            return
        match key.owner:
            case pdl.TypeOp(constantType=type_) if type_ is not None:
                self.steps.append(equals_constant(slot, type_))
            case pdl.TypesOp(constantTypes=types) if types is not None:
                self.steps.append(equals_constant(slot, tuple(types)))
            case _:
                pass

    def _loose_literal(self, key: SSAValue, constant: Any) -> None:
        """Bind a constant that no op of the match holds: it is for constraints and the rewrite."""
        if self.slots.get(key) is None:
            self.slots.bind(key, self.slots.new())
            self.steps.append(literal(constant, self.slots.count - 1))

    def _loose_result(self, op: pdl.ResultOp | pdl.ResultsOp) -> None:
        """Bind a result that no op of the match uses: it is for constraints and the rewrite."""
        if self.slots.get(op.val) is not None:
            return
        parent = bound_slot(self.source, self.slots, op.parent_, op)
        into = self.slots.new()
        self.slots.bind(op.val, into)
        if isinstance(op, pdl.ResultOp):
            held = self._whole_list(parent, "results")
            index = op.index.value.data
            self.steps.append(has_length_of_at_least(held, index + 1))
            self.steps.append(item(held, index, into))
            return
        segment = self._segment(op)
        if segment is None:
            self.steps.append(between(self._whole_list(parent, "results"), 0, 0, into))
        elif is_range(op.val):
            self.steps.append(segment_of(parent, segment, into))
        else:
            held = self.slots.new()
            self.steps.append(segment_of(parent, segment, held))
            self.steps.append(has_length(held, 1))
            self.steps.append(item(held, 0, into))

    def _segment(self, op: pdl.ResultsOp) -> str | None:
        parent = op.parent_.owner
        op_class = self.classes[parent] if isinstance(parent, pdl.OperationOp) else None
        return result_segment(self.source, op, op_class)

    def _constraint(self, op: pdl.ApplyNativeConstraintOp) -> None:
        name, negated = op.constraint_name.data, bool(op.is_negated)
        native = CONSTRAINTS.get(name)
        if native is None:
            raise self.source.unknown("native constraint", name, CONSTRAINTS, op)
        arguments = tuple(bound_slot(self.source, self.slots, arg, op) for arg in op.args)
        misfit = native.misfit(op.args)
        if misfit is not None:
            raise self.source.error(f"native constraint '{name}': {misfit}", op)
        if name == COMMUTATIVE and not negated:
            return
        if negated and op.res:
            raise self.source.error(f"negated native constraint '{name}' has no results", op)
        results = tuple(self.slots.new() for _ in op.res)
        self.steps.append(constraint(native, arguments, results, negated, self.source.fail_at(op)))
        for key, slot in zip(op.res, results, strict=True):
            self._bind(key, slot)


def bound_slot(source: PatternSource, slots: Slots, key: SSAValue, at: Operation) -> int:
    """Return the slot of a pdl value in use; raises ``PatternError`` if nothing binds it."""
    slot = slots.get(key)
    if slot is None:
        raise source.error(
            f"{value_name(key)} is used, but no matched operation or constant binds it", at
        )
    return slot


def result_segment(
    source: PatternSource, op: pdl.ResultsOp, op_class: type[Operation] | None
) -> str | None:
    """Return the name of the segment that ``pdl.results N of`` means, ``None`` for all results."""
    if op.index is None:
        return None
    segments = segments_of(op_class, "results")
    index = op.index.value.data
    if segments is None or index >= len(segments):
        found = "none" if segments is None else str(len(segments))
        raise source.error(f"result group {index} is asked for, known groups: {found}", op)
    return segments[index].name


def find_root(source: PatternSource, operations: Sequence[pdl.OperationOp]) -> pdl.OperationOp:
    """Return the op at which matching starts.

    It is the one that ``pdl.rewrite`` names, or else the one that no other op of the pattern uses.
    Raises ``PatternError`` if there are several, or if it does not lead to all others.
    """
    rewrite = source.op.body.block.last_op
    assert isinstance(rewrite, pdl.RewriteOp)
    producers = {op: _producers(op) for op in operations}
    if rewrite.root is not None:
        root = rewrite.root.owner
        if not isinstance(root, pdl.OperationOp):
            raise source.error("the root is expected to be a pdl.operation", rewrite)
    else:
        used = {producer for found in producers.values() for producer in found}
        root, *others = [op for op in operations if op not in used]
        if others:
            listed = ", ".join(f"'{_op_name(op)}'" for op in (root, *others))
            raise source.error(f"expected one root operation, found several: {listed}", others[0])
    reached = {root}
    frontier = [root]
    while frontier:
        new = producers[frontier.pop()] - reached
        reached |= new
        frontier += new
    for op in operations:
        if op not in reached:
            raise source.error(
                f"operation '{_op_name(op)}' is not reachable from the root '{_op_name(root)}' "
                "through operands",
                op,
            )
    return root


def _producers(op: pdl.OperationOp) -> set[pdl.OperationOp]:
    owners = [value.owner for value in op.operand_values]
    parents = [o.parent_.owner for o in owners if isinstance(o, pdl.ResultOp | pdl.ResultsOp)]
    return {parent for parent in parents if isinstance(parent, pdl.OperationOp)}


def _op_name(op: pdl.OperationOp) -> str:
    return op.opName.data if op.opName else "of any name"


def op_class_of(source: PatternSource, ctx: Context, op: pdl.OperationOp) -> type[Operation] | None:
    """Return the class of the ops that a ``pdl.operation`` names, ``None`` if it names none.

    Raises ``PatternError`` if the name, or that of an attribute, is not known.
    """
    if op.opName is None:
        return None
    name = op.opName.data
    op_class = ctx.get_optional_op(name)
    if op_class is None or issubclass(op_class, UnregisteredOp):
        known = sorted({loaded.name for loaded in ctx.loaded_ops})
        dialect = name.partition(".")[0]
        if ctx.get_optional_dialect(dialect) is None:
            hint = did_you_mean(dialect, ctx.registered_dialect_names)
            raise source.error(f"unknown operation '{name}': no dialect '{dialect}'{hint}", op)
        raise source.unknown("operation", name, known, op)
    if issubclass(op_class, IRDLOperation):
        definition = op_class.get_irdl_definition()
        declared = [*definition.properties, *definition.attributes]
        for attribute in op.attributeValueNames:
            # A name with a dot is an attribute that any op may carry.
            if attribute.data not in declared and "." not in attribute.data:
                raise source.unknown(f"attribute of '{name}'", attribute.data, declared, op)
    return op_class
