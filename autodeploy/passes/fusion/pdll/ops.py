"""The pdl ops that an expansion is made of.

They are made from their parts at once: the checks of xDSL's constructors would take longer than all
the rest of an expansion, and there are a thousand ops in the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects import pdl
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, IntegerAttr, StringAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue

from autodeploy.passes.fusion.pdll.entities import CORE

_VALUE, _VALUES, _OP = CORE["Value"], CORE["ValueRange"], CORE["Op"]
_NEGATED = {negated: BoolAttr.from_bool(negated) for negated in (False, True)}


def variable(core: str, type_: SSAValue | None = None) -> Operation:
    """Return the op of a variable other than an op: a value, type or attribute, or a range."""
    op_class = _VARIABLES[core]
    return op_class.create(operands=[] if type_ is None else [type_], result_types=[CORE[core]])


_VARIABLES: dict[str, type[Operation]] = {
    "Value": pdl.OperandOp,
    "ValueRange": pdl.OperandsOp,
    "Type": pdl.TypeOp,
    "TypeRange": pdl.TypesOp,
    "Attr": pdl.AttributeOp,
}


def attribute(value: Attribute) -> Operation:
    """Return a ``pdl.attribute`` with a constant."""
    return pdl.AttributeOp.create(properties={"value": value}, result_types=[CORE["Attr"]])


def operation(
    name: str | None,
    operands: Sequence[SSAValue],
    attributes: dict[str, SSAValue],
    types: Sequence[SSAValue],
) -> pdl.OperationOp:
    """Return a ``pdl.operation``."""
    properties: dict[str, Attribute] = {
        "attributeValueNames": ArrayAttr(map(StringAttr, attributes)),
        "operandSegmentSizes": _sizes(len(operands), len(attributes), len(types)),
    }
    if name is not None:
        properties["opName"] = StringAttr(name)
    return pdl.OperationOp.create(
        operands=[*operands, *attributes.values(), *types],
        result_types=[_OP],
        properties=properties,
    )


@cache
def _sizes(*counts: int) -> Attribute:
    return DenseArrayBase.from_list(i32, counts)


@cache
def _index(index: int) -> Attribute:
    return IntegerAttr(index, 32)


def result(op: SSAValue, index: int) -> Operation:
    """Return the op that takes one result of an op."""
    return pdl.ResultOp.create(
        operands=[op], result_types=[_VALUE], properties={"index": _index(index)}
    )


def results(op: SSAValue, index: int | None = None, type_: Attribute = _VALUES) -> Operation:
    """Return the op that takes all results of an op, or a group of them."""
    properties = {} if index is None else {"index": _index(index)}
    return pdl.ResultsOp.create(operands=[op], result_types=[type_], properties=properties)


def native_constraint(
    name: str, arguments: Sequence[SSAValue], types: Sequence[Attribute], negated: bool = False
) -> Operation:
    """Return the call of a native constraint."""
    return pdl.ApplyNativeConstraintOp.create(
        operands=arguments,
        result_types=types,
        properties={"name": StringAttr(name), "isNegated": _NEGATED[negated]},
    )


def native_rewrite(
    name: str, arguments: Sequence[SSAValue], types: Sequence[Attribute]
) -> Operation:
    """Return the call of a native rewrite."""
    return pdl.ApplyNativeRewriteOp.create(
        operands=arguments, result_types=types, properties={"name": StringAttr(name)}
    )
