"""Which patterns match part of the ops that another one matches, read from their PDL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import ConstantLike

from autodeploy.passes.fusion.pdl.executor import CompiledPattern
from autodeploy.passes.fusion.pdl.matcher import op_class_of
from autodeploy.passes.fusion.pdl.segments import is_range

_Bound: TypeAlias = Mapping[Operation | SSAValue, Operation | SSAValue]


class Match:
    """The ops of a pattern's match, without constants, and their constraints."""

    def __init__(self, ctx: Context, pattern: CompiledPattern):
        self.commutes: set[Operation] = set()
        self.singles: set[Operation] = set()
        self.numbers: dict[SSAValue, Attribute] = {}
        self.constant: dict[SSAValue, bool] = {}
        self.ops: list[pdl.OperationOp] = []
        self._constants: set[Operation] = set()
        for op in pattern.op.body.block.ops:
            if isinstance(op, pdl.OperationOp):
                kind = op_class_of(pattern.source, ctx, op)
                is_constant = kind is not None and kind.has_trait(ConstantLike)
                (self._constants.add if is_constant else self.ops.append)(op)
            elif isinstance(op, pdl.ApplyNativeConstraintOp) and op.args:
                self._constraint(op)
        reads = ((_maker(value), op) for op in self.ops for value in op.operand_values)
        self.users = {made: op for made, op in reads if made is not None}

    def _constraint(self, op: pdl.ApplyNativeConstraintOp) -> None:
        value, made = op.args[0], _maker(op.args[0])
        match op.constraint_name.data:
            case "commutative" if isinstance(value.owner, Operation):
                self.commutes.add(value.owner)
            case "has_one_use" if made is not None:
                self.singles.add(made)
            case "is_constant":
                self.constant[value] = not op.is_negated
            case "is_number" if isinstance(owner := op.args[1].owner, pdl.AttributeOp):
                self.constant[value] = True
                if owner.value is not None:
                    self.numbers[value] = owner.value
            case _:
                pass

    def is_constant(self, value: SSAValue) -> bool | None:
        """Return whether a value is a constant; ``None`` if the pattern leaves it open."""
        made = _maker(value)
        return self.constant.get(value) if made is None else made in self._constants

    def contains(self, other: Match) -> bool:
        """Return whether wherever this pattern matches, the ops of ``other`` are among its ops."""
        fits = _Fits(other, self, meets=False)
        return bool(other.ops) and any(
            all(op in bound for op in other.ops)
            for own in self.ops
            for bound in fits.ops(other.ops[-1], own, {})
        )

    def overlaps(self, other: Match) -> bool:
        """Return whether an op may be matched by both patterns at once."""
        fits = _Fits(self, other, meets=True)
        return any(fits.share(one, two) for one in self.ops for two in other.ops)


class _Fits:
    """How the values of one match are bound to those of another one.

    With ``meets``, either may leave open what the other one names.
    """

    def __init__(self, one: Match, other: Match, *, meets: bool):
        self._one, self._other, self._meets = one, other, meets

    def share(self, one: pdl.OperationOp, other: pdl.OperationOp) -> bool:
        """Return whether two ops may be equal; then the only user of one is that of the other."""
        top, other_top = one, other
        while (
            (top in self._one.singles or other_top in self._other.singles)
            and top in self._one.users
            and other_top in self._other.users
        ):
            top, other_top = self._one.users[top], self._other.users[other_top]
        return any(bound.get(one) is other for bound in self.ops(top, other_top, {}))

    def ops(self, one: pdl.OperationOp, other: pdl.OperationOp, bound: _Bound) -> Iterator[_Bound]:
        """Return how one op and all that it reads are bound to another one."""
        if one in bound:
            yield from [bound] if bound[one] is other else ()
            return
        if one.opName is None or one.opName != other.opName:
            return
        settings, others = _settings(one), _settings(other)
        for name, value in settings.items():
            own = others.get(name)
            if value is not None and value != own and (own is not None or not self._meets):
                return
        read, orders = other.operand_values, [tuple(other.operand_values)]
        if one in self._one.commutes or other in self._other.commutes:
            orders.append(tuple(reversed(read)))
        is_open = any(map(is_range, chain(one.operand_values, read)))
        if len(one.operand_values) != len(read) and not is_open:
            return
        for order in orders:
            pairs = list(zip(one.operand_values, order, strict=False))
            yield from self._values(pairs, {**bound, one: other})

    def _values(self, pairs: list[tuple[SSAValue, SSAValue]], bound: _Bound) -> Iterator[_Bound]:
        if not pairs:
            yield bound
            return
        (one, other), *rest = pairs
        for found in self._value(one, other, bound):
            yield from self._values(rest, found)

    def _value(self, one: SSAValue, other: SSAValue, bound: _Bound) -> Iterator[_Bound]:
        made, other_made = _maker(one), _maker(other)
        if is_range(one) or is_range(other):
            yield bound
        elif made is not None and other_made is not None:
            yield from self.ops(made, other_made, bound)
        elif made is None:
            value = other if other_made is None else other_made
            if bound.get(one, value) is value and self._agree(one, other):
                yield {**bound, one: value}
        elif self._meets and self._agree(one, other):
            yield bound

    def _agree(self, one: SSAValue, other: SSAValue) -> bool:
        """Return whether what is known of one value holds for another one, or may hold."""
        known = (
            (self._one.numbers.get(one), self._other.numbers.get(other)),
            (self._one.is_constant(one), self._other.is_constant(other)),
        )
        return all(a is None or a == b or (b is None and self._meets) for a, b in known)


def _maker(value: SSAValue) -> pdl.OperationOp | None:
    """Return the op whose result a value is, if the pattern names it."""
    owner = value.owner
    made = owner.parent_.owner if isinstance(owner, pdl.ResultOp) else None
    return made if isinstance(made, pdl.OperationOp) else None


def _settings(op: pdl.OperationOp) -> dict[str, Attribute | None]:
    """Return the constants that attributes must be, ``None`` if any will do."""
    return {
        name.data: value.owner.value if isinstance(value.owner, pdl.AttributeOp) else None
        for name, value in zip(op.attributeValueNames, op.attribute_values, strict=True)
    }
