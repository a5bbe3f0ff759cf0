"""Bounds of values: the largest that integers can be from which sizes are computed.

A value with a bound is read through an Identity that has it as an attribute.
"""

from __future__ import annotations

from collections.abc import Mapping

from onnx import GraphProto
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import SSAValue

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.marks import BOUND_ATTRIBUTE, NAME_ATTRIBUTE
from autodeploy.dialects.nn.types import MAX_ELEMENTS
from autodeploy.dialects.onnx import OnnxOp, op_class
from autodeploy.frontend.names import ascii_text, value_hint
from autodeploy.frontend.onnx.file import graphs_of
from autodeploy.frontend.onnx.shapes import graph_inputs

EACH = "*"
"""Stands for every value from which a size is computed."""


def fit_bounds(graph: GraphProto, bounds: Mapping[str, int]) -> dict[str, int]:
    """Return bounds by the names that a model has for its values, those of subgraphs among them.

    A value may be named as messages have it. Raises ``ModelError`` if a name is not that of a
    value, and for a number that no tensor has as many elements as.
    """
    names: dict[str, None] = {}
    for inner in graphs_of(graph):
        names |= dict.fromkeys(info.name for info in graph_inputs(inner))
        names |= dict.fromkeys(name for node in inner.node for name in node.output)
    fitted: dict[str, int] = {}
    for given, number in bounds.items():
        if not 0 <= number <= MAX_ELEMENTS:
            raise ModelError(f"bounds are 0 to {MAX_ELEMENTS}, found {number} for '{given}'")
        found = [given] if given in names else [
            name for name in names if given in (ascii_text(name), value_hint(name))
        ]  # fmt: skip
        if not found and given != EACH:
            raise ModelError(f"a bound is given for '{given}', which is no value of the model")
        fitted |= dict.fromkeys(found, number)
    return fitted


def bounded_identity(value: SSAValue, name: str, bound: int, opset: int) -> OnnxOp:
    """Return the op through which a value with a bound is read."""
    made = op_class("Identity", opset)
    assert made is not None
    op = made.from_positions([value], [value.type], {}, {})
    op.attributes[BOUND_ATTRIBUTE] = IntegerAttr(bound, i64)
    op.attributes[NAME_ATTRIBUTE] = StringAttr(ascii_text(name))
    return op
