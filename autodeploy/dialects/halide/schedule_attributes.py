"""Attributes of schedule ops: tails of splits, and where values are kept."""

from __future__ import annotations

from enum import auto

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum


class Tail(StrEnum):
    """The tail of a split whose factor does not divide the extent (Halide's TailStrategy)."""

    AUTO = auto()
    ROUND_UP = auto()
    GUARD_WITH_IF = auto()
    SHIFT_INWARDS = auto()
    PREDICATE = auto()


@irdl_attr_definition
class TailAttr(EnumAttribute[Tail], SpacedOpaqueSyntaxAttribute):
    """Tail strategy of a split: ``#halide<tail shift_inwards>``."""

    name = "halide.tail"


class Memory(StrEnum):
    """The memory of a func's values (Halide's MemoryType)."""

    HEAP = auto()
    STACK = auto()
    REGISTER = auto()
    AMX_TILE = auto()
    GPU_SHARED = auto()


@irdl_attr_definition
class MemoryAttr(EnumAttribute[Memory], SpacedOpaqueSyntaxAttribute):
    """Storage of a func: ``#halide<memory stack>``."""

    name = "halide.memory"
