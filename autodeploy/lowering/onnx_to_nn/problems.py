"""Onnx ops that cannot be converted."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from autodeploy.dialects.onnx import CustomOp, OnnxOp, python_value
from autodeploy.frontend.onnx.nodes import function_name, location_name, operator_name
from autodeploy.frontend.problems import Problem


def problem_of(
    op: OnnxOp | CustomOp, reason: str, stored: Mapping[SSAValue, Attribute] | None = None
) -> Problem:
    """Describe an op that cannot be converted for a reason; ``stored`` are the types of codes.

    An op that stands for a part of an operator is reported as the operator that the model has.
    """
    operator = operator_of(op)
    reason = " ".join(reason.split())
    if function := function_name(op):
        operator, reason = function, f"{operator}, which is a part of it: {reason}"
    return Problem(operator, _node(op), _element(op, stored or {}), reason)


def operator_of(op: OnnxOp | CustomOp) -> str:
    """Return the operator of an op, with its opset where that is known: ``Conv-11``."""
    if isinstance(op, OnnxOp):
        return operator_name(op)
    operator, domain = (str(python_value(text)) for text in (op.op_type, op.domain))
    return f"{domain}.{operator}" if domain else operator


def size_of(op: OnnxOp | CustomOp) -> str:
    """Return what messages call a size of an op that a run finds."""
    return f"a size of {what_is(op)}"


def what_is(op: OnnxOp | CustomOp) -> str:
    """Return what messages call an op: ``Conv-11 node 'a'``."""
    return f"{operator_of(op)} node {_node(op)}"


def _node(op: Operation) -> str:
    """Return the node's name; a nameless one is known by its first output."""
    if name := location_name(op):
        return repr(name)
    hint = next((result.name_hint for result in op.results if result.name_hint), None)
    return f"without a name, with output '{hint}'" if hint else "without a name"


def _element(op: Operation, stored: Mapping[SSAValue, Attribute]) -> str:
    for value in (*op.operands, *op.results):
        if isa(value.type, TensorType[Attribute] | UnrankedTensorType[Attribute]):
            return str(stored.get(value, value.type.element_type))
    return ""
