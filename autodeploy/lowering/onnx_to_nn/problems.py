"""What keeps a model from being converted, as one text that lists it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import NameLoc, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from autodeploy.dialects.onnx import CustomOp, OnnxOp, python_value


@dataclass(frozen=True)
class Problem:
    """One op that cannot be converted."""

    operator: str
    version: int
    """The opset that this version of the operator came with; 0 where that is not known."""
    node: str
    element: str
    """The element type of the first tensor that the op takes or makes; may be empty."""
    reason: str

    def line(self) -> str:
        """Return ``Conv-11 node 'conv1' on f32: reason``."""
        version = f"-{self.version}" if self.version else ""
        element = f" on {self.element}" if self.element else ""
        return f"{self.operator}{version} {self.node}{element}: {self.reason}"


def problem_of(op: OnnxOp | CustomOp, reason: str) -> Problem:
    """Describe an op that cannot be converted for a reason."""
    if isinstance(op, OnnxOp):
        operator, domain, version = op.op_type, op.domain, op.version
    else:
        operator, domain, version = *map(_text, (op.op_type, op.domain)), 0
    return Problem(
        operator=f"{domain}.{operator}" if domain else operator,
        version=version,
        node=_node(op),
        element=_element(op),
        reason=" ".join(reason.split()),
    )


def report(problems: Sequence[Problem]) -> str:
    """Return a headline and one line a problem, by operator, version and reason."""
    ordered = sorted(problems, key=lambda p: (p.operator, p.version, p.reason))
    count = f"{len(ordered)} node" + "s" * (len(ordered) != 1)
    lines = [f"the model has {count} that cannot be converted"]
    return "\n  ".join([*lines, *(problem.line() for problem in ordered)])


def _text(attribute: Attribute) -> str:
    return str(python_value(attribute))


def _node(op: Operation) -> str:
    """Return the node's name; a nameless one is known by its first output."""
    if isinstance(op.location, NameLoc) and op.location.desc.data:
        return f"node {op.location.desc.data!r}"
    hint = next((result.name_hint for result in op.results if result.name_hint), None)
    return f"nameless node with output '{hint}'" if hint else "nameless node"


def _element(op: Operation) -> str:
    for value in (*op.operands, *op.results):
        if isa(value.type, TensorType[Attribute] | UnrankedTensorType[Attribute]):
            return str(value.type.element_type)
    return ""
