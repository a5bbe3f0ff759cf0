"""All pointwise ops of the nn dialect, and ops of each made from what its constructor takes."""

from __future__ import annotations

from typing import get_type_hints

from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn import NN
from autodeploy.dialects.nn.pointwise import PointwiseOp

KINDS = [kind for kind in NN.operations if issubclass(kind, PointwiseOp)]


def build(kind, operand, number, element):
    """Return an op of a kind; its operands are ``operand(name)``, its settings by their types."""
    make = {SSAValue: operand, SSAValue | None: operand, Attribute: lambda _: element()}
    hints = get_type_hints(kind.__init__)
    return kind(*(make.get(hint, lambda _: number())(name) for name, hint in hints.items()))
