"""The features of the IR that a pattern requires and adds, read from its PDL.

A feature is an op name together with an attribute, ``nn.conv{groups}``, or with an optional
operand, ``nn.conv(bias)``. An op has an attribute where it holds another value than the default of
its definition; one without a default that every op holds is no feature by being there, only by a
constant that it is compared with or set to. Constants are left out of the created ops: they
enable no rule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptionalDef
from xdsl.traits import ConstantLike

from autodeploy.diagnostics import did_you_mean
from autodeploy.passes.fusion.natives import ATTRIBUTE_ABSENT, REWRITES, declared_default
from autodeploy.passes.fusion.pdl.executor import CompiledPattern
from autodeploy.passes.fusion.pdl.matcher import op_class_of
from autodeploy.passes.fusion.pdl.segments import (
    SegmentError,
    Width,
    distribute,
    is_range,
    segments_of,
)
from autodeploy.passes.fusion.pdl.source import PatternError, PatternSource


@dataclass(frozen=True)
class Feature:
    """An attribute or an optional operand of the ops of one name."""

    op: str
    kind: Literal["attribute", "operand"]
    name: str

    def __str__(self) -> str:
        return (
            f"{self.op}{{{self.name}}}" if self.kind == "attribute" else f"{self.op}({self.name})"
        )


@dataclass
class Features:
    """The features that the patterns of a rule (or one of them) match and create."""

    matched: set[str] = field(default_factory=set[str])
    """The names of the ops that the match names."""
    nameless: bool = False
    """Whether the match has an op of any name."""
    needed: dict[Feature, set[Attribute | None]] = field(
        default_factory=dict[Feature, "set[Attribute | None]"]
    )
    """Features that a matched op must have; ``None`` if any value of the attribute matches."""
    refused: set[Feature] = field(default_factory=set[Feature])
    """Features that a matched op must not have (an attribute: not, or only as its default)."""
    created: set[str] = field(default_factory=set[str])
    """The names of the ops that the rewrite creates."""
    added: dict[Feature, set[Attribute | None]] = field(
        default_factory=dict[Feature, "set[Attribute | None]"]
    )
    """Features of a created op that the matched ops of its name lack or have with another value."""

    @property
    def made(self) -> set[str]:
        """Return the names of the ops that are there only after the rewrite."""
        return self.created - self.matched

    @property
    def rebuilt(self) -> set[str]:
        """Return the names of the ops that are matched and created again."""
        return self.created & self.matched

    @property
    def used_up(self) -> set[str]:
        """Return the names of the ops that are matched and not created again."""
        return self.matched - self.created


@dataclass
class _Shape:
    """The attributes and optional operands of one ``pdl.operation``."""

    attributes: dict[str, SSAValue]
    operands: dict[str, SSAValue]
    left_out: set[str]
    """Optional operands without an entry."""


def features_of(ctx: Context, pattern: CompiledPattern) -> Features:
    """Return the features of one pattern.

    Raises ``PatternError`` if a native rewrite is declared to make what does not exist.
    """
    return _Reader(ctx, pattern.source).read()


class _Reader:
    def __init__(self, ctx: Context, source: PatternSource):
        self.ctx, self.source = ctx, source
        self.result = Features()
        self.matches: dict[str, list[_Shape]] = {}

    def read(self) -> Features:
        for op in self.source.op.body.block.ops:
            match op:
                case pdl.OperationOp():
                    self._matched(op)
                case pdl.ApplyNativeConstraintOp():
                    self._constraint(op)
                case pdl.RewriteOp():
                    self._rewrite(op)
                case _:
                    pass
        return self.result

    def _matched(self, op: pdl.OperationOp) -> None:
        if op.opName is None:
            self.result.nameless = True
            return
        name = op.opName.data
        shape = self._shape(op)
        self.result.matched.add(name)
        self.matches.setdefault(name, []).append(shape)
        for attribute, value in shape.attributes.items():
            self._named_attribute(Feature(name, "attribute", attribute), _constant(value))
        for operand, value in shape.operands.items():
            if not is_range(value):
                self._need(Feature(name, "operand", operand), None)
        self.result.refused |= {Feature(name, "operand", operand) for operand in shape.left_out}

    def _named_attribute(self, feature: Feature, constant: Attribute | None) -> None:
        if constant is not None and constant == self._default(feature):
            self.result.refused.add(feature)
        elif constant is not None or self._may_lack(feature):
            self._need(feature, constant)

    def _need(self, feature: Feature, constant: Attribute | None) -> None:
        self.result.needed.setdefault(feature, set()).add(constant)

    def _add(self, feature: Feature, constant: Attribute | None) -> None:
        if constant is None or constant != self._default(feature):
            self.result.added.setdefault(feature, set()).add(constant)

    def _default(self, feature: Feature) -> Attribute | None:
        return declared_default(self.ctx.get_optional_op(feature.op), feature.name)

    def _may_lack(self, feature: Feature) -> bool:
        """Return whether there are ops of the name without the attribute."""
        op_class = self.ctx.get_optional_op(feature.op)
        if op_class is None or not issubclass(op_class, IRDLOperation):
            return True
        definition = op_class.get_irdl_definition()
        declared = definition.properties.get(feature.name)
        declared = declared or definition.attributes.get(feature.name)
        return declared is None or (
            isinstance(declared, OptionalDef) and declared.default_value is None
        )

    def _constraint(self, op: pdl.ApplyNativeConstraintOp) -> None:
        if op.constraint_name.data != ATTRIBUTE_ABSENT:
            return
        target, attribute = op.args[0].owner, _constant(op.args[1])
        if (
            not isinstance(target, pdl.OperationOp)
            or target.opName is None
            or not isinstance(attribute, StringAttr)
        ):
            return
        feature = Feature(target.opName.data, "attribute", attribute.data)
        if op.is_negated:
            self._need(feature, None)
        else:
            self.result.refused.add(feature)

    def _rewrite(self, rewrite: pdl.RewriteOp) -> None:
        if rewrite.name_ is not None:
            self._native(rewrite, rewrite.name_.data)
            return
        for op in rewrite.body.ops if rewrite.body.blocks else ():
            match op:
                case pdl.OperationOp():
                    self._created(op)
                case pdl.ApplyNativeRewriteOp():
                    self._native(op, op.constraint_name.data)
                case _:
                    pass

    def _created(self, op: pdl.OperationOp) -> None:
        assert op.opName is not None
        name = op.opName.data
        if _is_constant(op_class_of(self.source, self.ctx, op)):
            return
        self.result.created.add(name)
        before = self.matches.get(name)
        if before is None:
            return
        shape = self._shape(op)
        for attribute, value in shape.attributes.items():
            if not all(_passes_on(value, old.attributes.get(attribute)) for old in before):
                self._add(Feature(name, "attribute", attribute), _constant(value))
        for operand, value in shape.operands.items():
            if not all(
                value is old.operands.get(operand) or _is_given(old.operands.get(operand))
                for old in before
            ):
                self._add(Feature(name, "operand", operand), None)

    def _native(self, at: Operation, name: str) -> None:
        for text in REWRITES[name].makes:
            made = re.fullmatch(r"([\w.]+)(?:\(([\w, ]*)\))?(?:\{([\w, ]*)\})?", text)
            if made is None:
                raise self._undeclared(
                    name, text, "expected an op name, then (operands), then {attributes}", at
                )
            op_name, operands, attributes = made.groups()
            op_class = self.ctx.get_optional_op(op_name)
            if op_class is None or issubclass(op_class, UnregisteredOp):
                known = [op.name for op in self.ctx.loaded_ops]
                hint = did_you_mean(op_name, known)
                raise self._undeclared(name, text, f"unknown operation{hint}", at)
            if _is_constant(op_class):
                continue
            self.result.created.add(op_name)
            if op_name not in self.matches:
                continue
            features = [Feature(op_name, "operand", part) for part in _words(operands)]
            features += [Feature(op_name, "attribute", part) for part in _words(attributes)]
            for feature in features:
                self._add(feature, None)

    def _undeclared(self, name: str, text: str, why: str, at: Operation) -> PatternError:
        return self.source.error(f"native rewrite '{name}' declares to make '{text}': {why}", at)

    def _shape(self, op: pdl.OperationOp) -> _Shape:
        op_class = op_class_of(self.source, self.ctx, op)
        names = [name.data for name in op.attributeValueNames]
        shape = _Shape(dict(zip(names, op.attribute_values, strict=True)), {}, set())
        segments = segments_of(op_class, "operands")
        try:
            groups = distribute(op.operand_values, segments, "operands")
        except SegmentError as error:  # the executor has compiled the pattern
            raise self.source.error(str(error), op) from None
        if groups is None or segments is None:
            return shape
        for segment, group in zip(segments, groups, strict=True):
            if segment.width is not Width.OPTIONAL:
                continue
            if group:
                shape.operands[segment.name] = group[0]
            else:
                shape.left_out.add(segment.name)
        return shape


def _words(text: str | None) -> list[str]:
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def _constant(value: SSAValue) -> Attribute | None:
    return value.owner.value if isinstance(value.owner, pdl.AttributeOp) else None


def _passes_on(new: SSAValue, old: SSAValue | None) -> bool:
    """Return whether a created op has an attribute just as the matched one had it."""
    if old is None:
        return False
    return new is old or (_constant(new) is not None and _constant(new) == _constant(old))


def _is_given(old: SSAValue | None) -> bool:
    return old is not None and not is_range(old)


def _is_constant(op_class: type[Operation] | None) -> bool:
    return op_class is not None and op_class.has_trait(ConstantLike, value_if_unregistered=False)
