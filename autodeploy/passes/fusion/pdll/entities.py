"""The values of PDLL expressions while a pattern is expanded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import pdl
from xdsl.ir import Attribute, SSAValue


@dataclass(frozen=True)
class Group:
    """Several things: the results of a function, or a tuple. A part may have a name."""

    names: tuple[str | None, ...]
    items: tuple[Entity, ...]


Entity: TypeAlias = SSAValue | Group
"""A pdl value (an op, value, attribute, type or range) or several."""

CORE: Mapping[str, Attribute] = {
    "Attr": pdl.AttributeType(),
    "Op": pdl.OperationType(),
    "Type": pdl.TypeType(),
    "TypeRange": pdl.RangeType(pdl.TypeType()),
    "Value": pdl.ValueType(),
    "ValueRange": pdl.RangeType(pdl.ValueType()),
}
"""The core constraints of PDLL, and their pdl types."""

_KINDS: Mapping[Attribute, str] = {type_: name for name, type_ in CORE.items()}


def kind_name(entity: Entity | Attribute) -> str:
    """Return what a message calls an entity, or a pdl type: the name of its core constraint."""
    if isinstance(entity, Group):
        return "a tuple"
    return _KINDS[entity.type if isinstance(entity, SSAValue) else entity]
