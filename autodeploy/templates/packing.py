"""How a template lays out constant weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, BlockArgument, SSAValue

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.weights import Array


def is_own_constant(kernel: KernelOp, value: SSAValue) -> bool:
    """Return whether a value in a kernel is a constant that nothing else there reads."""
    return (
        isinstance(value, BlockArgument)
        and value.has_one_use()
        and isinstance(kernel.inputs[value.index].owner, ConstantOp)
    )


@dataclass(frozen=True)
class Packing:
    """Axes of ``weights`` are split, which gives the extents ``split``, and then reordered.

    Where ``split`` has more elements, the last axis is filled up with zeros first. With ``compute``
    the weights are replaced by what that makes of them before, of type ``element`` if they change
    it. The anchor that reads them takes ``properties`` with them. A kernel that reads them with
    other extents, the ``stored`` ones, gives them those of the anchor.
    """

    weights: SSAValue
    split: Sequence[int]
    order: Sequence[int]
    properties: Mapping[str, Attribute]
    compute: Callable[[Array], Array] | None = None
    element: Attribute | None = None
    stored: Sequence[int] | None = None
