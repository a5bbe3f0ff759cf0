"""The text of an IRDL constraint, in the words of the textual form, for the generated documents."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayOfConstraint,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import (
    AllOf,
    AnyOf,
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    ParamAttrConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    VarConstraint,
)

_NAMES: dict[type[Attribute], str] = {
    DenseArrayBase: "array of integers",
    FloatAttr: "floating-point number",
    IntegerAttr: "integer",
    IntegerType: "integer type",
    MemRefType: "memref",
    StringAttr: "string",
    SymbolRefAttr: "symbol",
    TensorType: "tensor",
    TypeAttribute: "type",
}
"""Builtin attributes by their names for a reader."""

_NUMBERS = (IntegerAttr, FloatAttr)


def constraint_text(constraint: AttrConstraint | RangeConstraint) -> str:
    """Return what a constraint of an operand, result or property allows; empty for anything.

    Own types and attributes go by the names of the text (``!halide.func``, ``#nn.layout``), a
    constraint that several places of an op share by its variable (``T``).
    """
    match constraint:
        case RangeLengthConstraint():
            return constraint_text(constraint.constraint)
        case RangeOf():
            return constraint_text(constraint.constr)
        case ArrayOfConstraint():
            return f"array of {constraint_text(constraint.elem_range_constraint)}s"
        case VarConstraint():
            return f"`{constraint.name}`"
        case SymbolNameConstraint():
            return "symbol name"
        case EqAttrConstraint():
            return f"`{constraint.attr}`"
        case BaseAttr():
            return _attribute_text(constraint.attr)
        case ParamAttrConstraint():
            return _parametrised_text(constraint.base_attr, constraint.param_constrs)
        case AnyOf():
            parts = (constraint_text(part) for part in constraint.attr_constrs)
            return " or ".join(part for part in parts if part)
        case _:
            return ""


def _attribute_text(attribute: type[Attribute]) -> str:
    if attribute in _NAMES:
        return _NAMES[attribute]
    return f"`{'!' if issubclass(attribute, TypeAttribute) else '#'}{attribute.name}`"


def _parametrised_text(attribute: type[Attribute], constraints: Sequence[AttrConstraint]) -> str:
    """Return the text of an attribute with constrained parameters: the type says all of numbers."""
    parameters = [_exact_text(parameter) for parameter in constraints]
    exact = next((text for text in parameters if text), "")
    if attribute in _NUMBERS and exact:
        return "`bool`" if exact == "i1" else f"`{exact}`"
    if attribute is DenseArrayBase and exact:
        return f"`array<{exact}>`"
    return _attribute_text(attribute)


def _exact_text(constraint: AttrConstraint) -> str:
    """Return the one attribute that a constraint allows, empty where there may be others."""
    if isinstance(constraint, EqAttrConstraint):
        return str(constraint.attr)
    if isinstance(constraint, AllOf):
        return next((text for part in constraint.attr_constrs if (text := _exact_text(part))), "")
    return ""
