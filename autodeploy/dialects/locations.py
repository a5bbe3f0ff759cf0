"""Locations: the names of the nodes of a model, or the places in a text, that an op came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FusedLoc,
    LocationAttr,
    NameLoc,
    NoneAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa


def nodes_of(op: Operation) -> tuple[str, ...]:
    """Return the names of the nodes that an op came from, each once, in order."""
    names = (p.desc.data for p in _parts(op.location) if isinstance(p, NameLoc))
    return tuple(dict.fromkeys(name for name in names if name))


def node_text(op: Operation) -> str:
    """Return the first node that an op came from as errors have it: `` (node 'x')``."""
    return f" (node '{nodes[0]}')" if (nodes := nodes_of(op)) else ""


def fused_location(ops: Iterable[Operation]) -> LocationAttr:
    """Return the location of the replacement of several ops."""
    parts = tuple(dict.fromkeys(part for op in ops for part in _parts(op.location)))
    match parts:
        case ():
            return UnknownLoc()
        case (part,):
            return part
        case _:
            return FusedLoc(parts, NoneAttr())


def _parts(location: Attribute) -> Iterator[NameLoc | FileLineColLoc]:
    if isinstance(location, NameLoc | FileLineColLoc):
        yield location  # what is within names the operator, not a node
    elif isinstance(location, FusedLoc) and isa(location.locations, ArrayAttr[Attribute]):
        for part in location.locations:
            yield from _parts(part)
