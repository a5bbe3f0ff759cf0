"""Derived numbers: extents in no known form become further numbers of a run, told by tables.

``max(n, 2)`` and the size of a scaled image are no sums or products of numbers. A program looks
such an extent up when it is told the numbers, and others may grow with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import dce

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.extents import Extent, Numbers, extent_of
from autodeploy.dialects.nn.extent_attr import Extents, ExtentsAttr, encoded_type, encoding_of
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.nn.open_extent import EXTENT_ATTRIBUTE, OpenExtentAttr
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.dialects.open_range import Derived, fewer

MOST_BYTES = 1 << 18
"""The most bytes of the tables of a program."""


def derive_numbers(module: ModuleOp, func: FuncOp, extent: OpenExtentAttr) -> OpenExtentAttr:
    """Return the open extent with the derived numbers that a function needs; types say them.

    Raises ``UnsupportedError`` if their tables have too many bytes.
    """
    if not any(growth_of(own) is None for own in _extents(func)):
        return extent
    dce(module)
    numbers = extent.grid
    for own in _extents(func):
        if growth_of(extent_of(numbers, own.table)) is None and own.least >= 0:
            new = Derived.of(own.table.shape, own.table.reshape(-1).tolist())
            numbers = Numbers(numbers.ranges, (*numbers.derived, new))
            _check_bytes(numbers)
    if not numbers.derived:
        return extent
    renumbered = _Renumbered(numbers)
    for op in module.walk():
        renumbered.change(op)
    for op in tuple(func.walk()):
        if isinstance(op, SliceOp):
            _make_room(op)
    found = module.attributes[EXTENT_ATTRIBUTE] = OpenExtentAttr(numbers)
    return found


def _make_room(op: SliceOp) -> None:
    """Let a slice have an operand of as many elements as its result has for the largest numbers."""
    pairs = zip(bounds_of(op.x.type), bounds_of(op.result.type), strict=True)
    after = [max(0, most - room) for room, most in pairs]
    if any(after):
        pad = PadOp(op.x, [*[0] * len(after), *after])
        pad.location = op.location
        Rewriter.insert_op(pad, InsertPoint.before(op))
        op.operands[0] = pad.result


def _extents(func: FuncOp) -> Iterator[Extent]:
    """Yield the extents of values that vary, in the order of the program."""
    for op in func.walk():
        arguments = (a for region in op.regions for block in region.blocks for a in block.args)
        for value in (*arguments, *op.results):
            if (encoding := encoding_of(value.type)) is not None:
                yield from (own for own in encoding.data.values if isinstance(own, Extent))


def _check_bytes(numbers: Numbers) -> None:
    size = sum(number.table.size * number.element_bytes for number in numbers.derived)
    if size > MOST_BYTES:
        points = numbers.points * MOST_BYTES // size
        labels = " and ".join(f"'{range_.label}'" for range_ in numbers.ranges)
        raise UnsupportedError(
            f"extents that are no sums or products of {labels} are looked up in tables of {size} "
            f"bytes, {MOST_BYTES} at most; {fewer(numbers.ranges, points)} may help"
        )


class _Renumbered:
    """Gives types and properties the numbers that there are now."""

    def __init__(self, numbers: Numbers):
        self._numbers = numbers

    def change(self, op: Operation) -> None:
        """Change all that an op states."""
        for stated in (op.properties, op.attributes):
            stated |= {name: self._attribute(own) for name, own in stated.items()}
        arguments = (a for region in op.regions for block in region.blocks for a in block.args)
        for value in (*op.results, *arguments):
            type_ = self._attribute(value.type)
            if type_ is not value.type:
                Rewriter.replace_value_with_new_type(value, type_)

    def _attribute(self, own: Attribute) -> Attribute:
        match own:
            case ExtentsAttr():
                return ExtentsAttr(Extents(tuple(map(self._extent, own.data.values))))
            case TensorType(encoding=ExtentsAttr() as encoding):
                shape = tuple(map(self._extent, encoding.data.values))
                return encoded_type(own.element_type, shape)
            case IntegerAttr(value=IntAttr(data=value)) if isinstance(value, Extent):
                return IntegerAttr(IntAttr(self._extent(value)), own.type)
            case ArrayAttr():
                return ArrayAttr(map(self._attribute, own.data))
            case ParametrizedAttribute():
                parts = [*map(self._attribute, own.parameters)]
                same = all(map(lambda a, b: a is b, parts, own.parameters))
                return own if same else type(own).new(parts)
            case _:
                return own

    def _extent(self, value: int) -> int:
        return extent_of(self._numbers, value.table) if isinstance(value, Extent) else value
