"""The rewrite half of a ``pdl.pattern`` as a flat list of steps.

The steps go on with the bindings of the match (``matcher``). Ops are created before the root of
the match, with the location of a matched op of the same name if there is one, of the root if not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptionalDef, VariadicDef
from xdsl.utils.exceptions import VerifyException

from autodeploy.passes.fusion.natives import COPY_ATTRIBUTES, REWRITES, PatternContext, kind_of
from autodeploy.passes.fusion.pdl.match_steps import Bindings, literal, results_of, segment_of
from autodeploy.passes.fusion.pdl.matcher import (
    Matcher,
    Slots,
    bound_slot,
    op_class_of,
    result_segment,
)
from autodeploy.passes.fusion.pdl.rewrite_steps import (
    Creation,
    NamedSlot,
    RewriteStep,
    Sizes,
    call_native,
    concatenate,
    create,
    erase,
    only_value_of,
    replace,
    result_of,
    types_of_replaced,
)
from autodeploy.passes.fusion.pdl.segments import (
    SegmentError,
    What,
    Width,
    distribute,
    is_range,
    segments_of,
    sizes_names,
    sizes_option,
)
from autodeploy.passes.fusion.pdl.source import PatternSource


@dataclass(frozen=True, eq=False)
class Rewriter:
    """A compiled rewrite."""

    steps: tuple[RewriteStep, ...]
    created: tuple[int, ...]
    """The slots of the ops that the rewrite creates by ``pdl.operation``."""
    source: PatternSource

    def __call__(self, env: Bindings, ctx: PatternContext) -> None:
        """Change the IR; raises ``PatternError`` if the result would not be valid."""
        for step in self.steps:
            step(env, ctx)
        for slot in self.created:
            op: Operation = env[slot]
            if op.parent is None:  # a later step of this rewrite took it away again
                continue
            try:
                op.verify(verify_nested_ops=False)
            except VerifyException as error:
                raise self.source.error(f"creates an invalid '{op.name}': {error}") from None


def compile_rewrite(
    source: PatternSource, ctx: Context, slots: Slots, matcher: Matcher
) -> Rewriter:
    """Compile the rewrite half of a pattern whose match is compiled.

    Raises ``PatternError`` for an unknown op, attribute or native rewrite, a list that the op
    cannot have, an attribute or result type that is missing, or a value that nothing binds.
    """
    return _Compiler(source, ctx, slots, matcher).compile()


class _Compiler:
    def __init__(self, source: PatternSource, ctx: Context, slots: Slots, matcher: Matcher):
        self.source, self.ctx, self.slots, self.matcher = source, ctx, slots, matcher
        self.steps: list[RewriteStep] = []
        self.created: list[int] = []
        rewrite = source.op.body.block.last_op
        assert isinstance(rewrite, pdl.RewriteOp)
        self.rewrite = rewrite

    def compile(self) -> Rewriter:
        if self.rewrite.name_ is not None:
            root = [] if self.rewrite.root is None else [self.rewrite.root]
            arguments = [*root, *self.rewrite.external_args]
            self._native(self.rewrite, self.rewrite.name_.data, arguments, ())
        else:
            for op in self.rewrite.body.ops if self.rewrite.body.blocks else ():
                self._step(op)
        return Rewriter(tuple(self.steps), tuple(self.created), self.source)

    def _slot(self, key: SSAValue, at: Operation) -> int:
        return bound_slot(self.source, self.slots, key, at)

    def _slots(self, keys: Sequence[SSAValue], at: Operation) -> tuple[int, ...]:
        return tuple(self._slot(key, at) for key in keys)

    def _new(self, key: SSAValue) -> int:
        slot = self.slots.new()
        self.slots.bind(key, slot)
        return slot

    def _step(self, op: Operation) -> None:
        match op:
            case pdl.OperationOp():
                self._create(op)
            case pdl.AttributeOp(value=value) if value is not None:
                self.steps.append(literal(value, self._new(op.output)))
            case pdl.TypeOp(constantType=type_) if type_ is not None:
                self.steps.append(literal(type_, self._new(op.result)))
            case pdl.TypesOp(constantTypes=types) if types is not None:
                self.steps.append(literal(tuple(types), self._new(op.result)))
            case pdl.RangeOp():
                parts = self._slots(op.arguments, op)
                self.steps.append(concatenate(parts, self._new(op.result)))
            case pdl.ResultOp():
                parent = self._slot(op.parent_, op)
                index = op.index.value.data
                self.steps.append(
                    result_of(parent, index, self._new(op.val), self.source.fail_at(op))
                )
            case pdl.ResultsOp():
                self._results(op)
            case pdl.EraseOp():
                self.steps.append(erase(self._slot(op.op_value, op), self.source.fail_at(op)))
            case pdl.ReplaceOp():
                new_op = None if op.repl_operation is None else self._slot(op.repl_operation, op)
                values = self._slots(op.repl_values, op)
                old = self._slot(op.op_value, op)
                self.steps.append(replace(old, new_op, values, self.source.fail_at(op)))
            case pdl.ApplyNativeRewriteOp():
                self._native(op, op.constraint_name.data, op.args, op.res)
            case pdl.TypeOp() | pdl.TypesOp():
                raise self.source.error(f"{op.name} in pdl.rewrite needs a constant", op)
            case _:
                raise self.source.error(f"{op.name} has no meaning in pdl.rewrite", op)

    def _results(self, op: pdl.ResultsOp) -> None:
        parent = self._slot(op.parent_, op)
        owner = op.parent_.owner
        op_class = (
            op_class_of(self.source, self.ctx, owner)
            if isinstance(owner, pdl.OperationOp)
            else None
        )
        segment = result_segment(self.source, op, op_class)
        into = self._new(op.val)
        if segment is None:
            self.steps.append(results_of(parent, into))
        elif kind_of(op.val) == "range":
            self.steps.append(segment_of(parent, segment, into))
        else:
            held = self.slots.new()
            self.steps.append(segment_of(parent, segment, held))
            self.steps.append(only_value_of(held, into, self.source.fail_at(op)))

    def _native(
        self, op: Operation, name: str, arguments: Sequence[SSAValue], results: Sequence[SSAValue]
    ) -> None:
        native = REWRITES.get(name)
        if native is None:
            raise self.source.unknown("native rewrite", name, REWRITES, op)
        slots = self._slots(arguments, op)
        misfit = native.misfit(arguments)
        if misfit is not None:
            raise self.source.error(f"native rewrite '{name}': {misfit}", op)
        if name == COPY_ATTRIBUTES:
            if not isinstance(arguments[1].owner, pdl.OperationOp) or slots[1] not in self.created:
                raise self.source.error(f"'{name}' needs an operation that is created here", op)
            return
        into = tuple((self._new(key), kind_of(key)) for key in results)
        self.steps.append(call_native(native, slots, into, self.source.fail_at(op)))

    def _create(self, op: pdl.OperationOp) -> None:
        op_class = op_class_of(self.source, self.ctx, op)
        assert op_class is not None and op.opName is not None
        copied_from = _copied_from(op)
        like = None if copied_from is None else self._slot(copied_from, op)
        self._check_complete(op, op_class, like is not None)
        name = op.opName.data
        given = {attribute.data for attribute in op.attributeValueNames}
        operands = self._slots(op.operand_values, op)
        types, type_entries = self._types(op, op_class)
        sizes: list[Sizes] = []
        lists: tuple[tuple[What, Sequence[SSAValue] | None], ...] = (
            ("operands", op.operand_values),
            ("results", type_entries),
        )
        for what, entries in lists:
            option = sizes_option(op_class, what)
            by_hand = option is not None and option.attribute_name in given
            groups = None
            # Without stored sizes, a list with ranges is right or wrong only once they are known.
            settled = option is not None or not any(map(is_range, entries or ()))
            if entries is not None and not by_hand and settled:
                groups = self._deal(op, entries, what)
            if option is not None and not by_hand:
                if groups is None:
                    raise self.source.error(
                        f"operation '{name}': give one entry for each of its groups of {what}", op
                    )
                sizes.append(Sizes(option.attribute_name, option.as_property, groups))
        attributes = [
            NamedSlot(attribute.data, self._slot(value, op), _is_property(op_class, attribute.data))
            for attribute, value in zip(op.attributeValueNames, op.attribute_values, strict=True)
        ]
        location = self._location(name)
        into = self._new(op.op)
        self.created.append(into)
        creation = Creation(op_class, operands, attributes, types, sizes, location, like)
        self.steps.append(create(creation, into))

    def _deal(
        self, op: pdl.OperationOp, entries: Sequence[SSAValue], what: What
    ) -> tuple[tuple[int, ...], ...] | None:
        op_class = op_class_of(self.source, self.ctx, op)
        assert op_class is not None
        try:
            groups = distribute(entries, segments_of(op_class, what), what)
        except SegmentError as error:
            raise self.source.error(f"operation '{op_class.name}': {error}", op) from None
        return None if groups is None else tuple(self._slots(group, op) for group in groups)

    def _check_complete(self, op: pdl.OperationOp, op_class: type[Operation], copied: bool) -> None:
        """Refuse what could never make a valid op."""
        if not issubclass(op_class, IRDLOperation):
            return
        definition = op_class.get_irdl_definition()
        if any(not isinstance(region, VariadicDef) for _, region in definition.regions):
            raise self.source.error(
                f"operation '{op_class.name}' has a region, which only a native rewrite can make",
                op,
            )
        given = {attribute.data for attribute in op.attributeValueNames}
        given |= sizes_names(op_class)
        for name, declared in [*definition.properties.items(), *definition.attributes.items()]:
            optional = isinstance(declared, OptionalDef) or declared.default_value is not None
            if not optional and not copied and name not in given:
                raise self.source.error(
                    f"operation '{op_class.name}' is created without its attribute '{name}'", op
                )

    def _location(self, name: str) -> int:
        """Return the slot of the matched op whose location a created op takes on."""
        for op in self.source.op.body.block.ops:
            if isinstance(op, pdl.OperationOp) and op.opName is not None and op.opName.data == name:
                slot = self.slots.get(op.op)
                assert slot is not None
                return slot
        return self._slot(self.matcher.root.op, self.rewrite)

    def _types(
        self, op: pdl.OperationOp, op_class: type[Operation]
    ) -> tuple[tuple[int, ...], Sequence[SSAValue] | None]:
        """Return the slots of the result types, and the entries where the pattern gives them."""
        if op.type_values:
            return self._slots(op.type_values, op), op.type_values
        segments = segments_of(op_class, "results")
        if segments == ():
            return (), ()
        sources = self._replaced(op)
        count = None
        if segments is not None and all(s.width is Width.SINGLE for s in segments):
            count = len(segments)
        if not sources or (sources[0][1] is not None and len(sources) != count):
            raise self.source.error(
                f"the result types of operation '{op_class.name}' are neither given nor those of "
                "an operation that it replaces",
                op,
            )
        into = self.slots.new()
        self.steps.append(types_of_replaced(sources, into))
        return (into,), None

    def _replaced(self, op: pdl.OperationOp) -> tuple[tuple[int, int | None], ...]:
        """Return what the results of a created op replace, in their order."""
        by_index: dict[int, tuple[int, int | None]] = {}
        for use in op.op.uses:
            user = use.operation
            if isinstance(user, pdl.ReplaceOp) and user.repl_operation is op.op:
                return ((self._slot(user.op_value, user), None),)
            if not isinstance(user, pdl.ResultOp):
                continue
            for result_use in user.val.uses:
                replace = result_use.operation
                if isinstance(replace, pdl.ReplaceOp) and not any(
                    map(is_range, replace.repl_values)
                ):
                    place = list(replace.repl_values).index(user.val)
                    replaced = self._slot(replace.op_value, replace)
                    by_index[user.index.value.data] = (replaced, place)
        return tuple(by_index[index] for index in sorted(by_index))


def _copied_from(op: pdl.OperationOp) -> SSAValue | None:
    """Return the op whose attributes a created op takes over."""
    for use in op.op.uses:
        user = use.operation
        if (
            isinstance(user, pdl.ApplyNativeRewriteOp)
            and user.constraint_name.data == COPY_ATTRIBUTES
            and use.index == 1
        ):
            return user.args[0]
    return None


def _is_property(op_class: type[Operation], name: str) -> bool:
    return issubclass(op_class, IRDLOperation) and name in op_class.get_irdl_definition().properties
