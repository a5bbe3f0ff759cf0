"""Data of the program: weights, buffers, and views of both."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import OpTrait
from xdsl.utils.hints import isa

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.memref import (
    ALIGNMENT,
    MEMREF,
    MemRef,
    memref_bytes,
    memref_of,
    memref_strides,
    strided_memref,
)
from autodeploy.dialects.nn.constant import ConstantValue, DenseAttr, WeightAttr
from autodeploy.dialects.nn.open_extent import AXES, Axes, Least, axes_attr, axes_of, constant_axes
from autodeploy.dialects.nn.types import ELEMENT_BYTES
from autodeploy.dialects.strides import Region as Elements


class InProgram(OpTrait):
    """The op is in a program, or in a region of it."""

    parents: ClassVar[tuple[str, ...]] = ("driver.program", "driver.for", "driver.if")

    def verify(self, op: Operation) -> None:
        """Check the parent of an op that has one."""
        parent = op.parent_op()
        if parent is not None and parent.name not in self.parents:
            raise invalid(
                "parent_c1", f"expected {' or '.join(self.parents)} around, found {parent.name}"
            )


class InNoRegion(InProgram):
    """The op is in a program, and in no region of it."""

    parents: ClassVar[tuple[str, ...]] = ("driver.program",)


def check_offset(offset: IntegerAttr | None, output: IntegerAttr | None = None) -> None:
    """Raise ``VerifyException`` for an offset that is not aligned, or none in an output."""
    if output is not None and offset is None:
        raise invalid("buffer_c2", f"no offset in output {output.value.data}")
    if offset is not None and (offset.value.data < 0 or offset.value.data % ALIGNMENT):
        raise invalid(
            "offset_c1",
            f"an offset is a multiple of {ALIGNMENT} and not negative, found {offset.value.data}",
        )


def offset_property(offset: int | None) -> dict[str, Attribute]:
    """Return the property ``offset``, where there is one."""
    return {} if offset is None else {"offset": IntegerAttr(offset, i64)}


@irdl_op_definition
class WeightOp(IRDLOperation):
    """Constant data in the weight file, ``offset`` bytes after the start of its data.

    With ``on_device`` it is copied to the device once, when the program starts, and read there.
    """

    name = "driver.weight"

    value = prop_def(
        ParamAttrConstraint(DenseAttr, (AnyAttr(), AnyAttr()))
        | ParamAttrConstraint(WeightAttr, (AnyAttr(), AnyAttr()))
    )
    offset = opt_prop_def(IntegerAttr.constr(i64))
    on_device = opt_prop_def(UnitAttr)
    result = result_def(MEMREF)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(InNoRegion())
    assembly_format = "$value (`on_device` $on_device^)? attr-dict `:` type($result)"

    def __init__(self, value: ConstantValue, offset: int | None = None):
        super().__init__(
            properties={"value": value, **offset_property(offset)},
            result_types=[memref_of(value.type)],
        )

    def verify_(self) -> None:
        """Check (weight_c1) that the result is the dense memref of the value's type."""
        check_offset(self.offset)
        if self.result.type != memref_of(self.value.type):
            raise invalid("weight_c1", f"{self.value.type} is not in a {self.result.type}")


@irdl_op_definition
class BufferOp(IRDLOperation):
    """A block of the arena, ``offset`` bytes after its start; its content is not defined yet.

    With ``output`` it is a block of the memory of this output of the program instead, ``offset``
    bytes after the first aligned byte there, and dead before the first call that names the output.

    ``open`` has a coefficient for each axis where the open extent of the program says how many
    elements a run has along some of them: the first ones, this times the extent. If some are no
    multiple of it, a map has them all.

    With ``on_device`` it is a block of the device's arena.
    """

    name = "driver.buffer"

    offset = opt_prop_def(IntegerAttr.constr(i64))
    output = opt_prop_def(IntegerAttr.constr(i64))
    open = opt_prop_def(AXES)
    on_device = opt_prop_def(UnitAttr)
    result = result_def(MEMREF)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(InProgram())
    assembly_format = "(`open` $open^)? (`on_device` $on_device^)? attr-dict `:` type($result)"

    def __init__(
        self,
        type_: Attribute,
        offset: int | None = None,
        *,
        open: Axes = (),
        on_device: bool = False,
    ):
        opened = {"open": axes_attr(open)} if any(open) else {}
        placed = {"on_device": UnitAttr()} if on_device else {}
        super().__init__(
            properties={**offset_property(offset), **opened, **placed}, result_types=[type_]
        )

    @property
    def open_axes(self) -> Axes:
        """Return how the axes grow, outermost first; none where no axis is open."""
        return () if self.open is None else axes_of(self.open)

    def verify_(self) -> None:
        """Check the constraints.

        - (buffer_c1) ``open`` says of each axis how it grows
        - (buffer_c2) a buffer in an output has an offset there
        - (buffer_c3) a buffer on the device is in no output
        """
        check_offset(self.offset, self.output)
        if self.on_device is not None and self.output is not None:
            raise invalid("buffer_c3", "a buffer on the device is a block of its arena")
        memref_bytes(self.result.type)
        rank = len(memref_strides(self.result.type))
        if self.open is not None and len(self.open_axes) != rank:
            raise invalid(
                "buffer_c1",
                f"open says how {len(self.open_axes)} axes of {self.result.type} grow",
            )


@irdl_op_definition
class ViewOp(IRDLOperation):
    """Elements of ``source`` under another shape: nothing moves.

    The result's strides count elements of the memory of ``source``, and so does ``offset``, where
    its first element is. Without either it is a reshape of all elements. With ``open`` a run has
    the first elements of some axes, as many as it says; of these the source has all in each run.
    """

    name = "driver.view"

    source = operand_def(MEMREF)
    offset = opt_prop_def(IntegerAttr.constr(i64))
    open = opt_prop_def(AXES)
    result = result_def(MEMREF)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(InProgram())
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, type_: Attribute, offset: int = 0, *, open: Axes = ()):
        opened = {"open": axes_attr(open)} if any(open) else {}
        super().__init__(
            operands=[source],
            properties={**offset_property(offset or None), **opened},
            result_types=[type_],
        )

    @property
    def open_axes(self) -> Axes:
        """Return how the axes grow, outermost first; none where the source says so."""
        return () if self.open is None else axes_of(self.open)

    @property
    def elements_before(self) -> int:
        """Return the number of elements of the source before the first one."""
        return 0 if self.offset is None else self.offset.value.data

    def verify_(self) -> None:
        """Check the constraints.

        - (view_c1) the result has the element type of the source
        - (view_c2) the result is inside of the source
        - (view_c3) ``open`` says of each axis how it grows
        """
        source, result = elements_of(self.source), elements_of(self.result)
        found, expected = self.result.type, cast(MemRef, self.source.type)
        if found.element_type != expected.element_type:
            raise invalid("view_c1", f"{self.source.type} holds no {found.element_type}")
        if self.elements_before < 0 or result.end > source.end:
            raise invalid("view_c2", f"{self.result.type} is not inside of {self.source.type}")
        if self.open is not None and len(self.open_axes) != len(result.shape):
            raise invalid("view_c3", f"open says how {len(self.open_axes)} axes of {found} grow")


@irdl_op_definition
class RowOp(IRDLOperation):
    """Row ``i`` of ``source`` in step ``i`` of the loop around: nothing moves.

    A row is an element of the outermost axis. With ``backwards`` the first step has the last row,
    of as many as the loop has steps in a run.
    """

    name = "driver.row"

    source = operand_def(MEMREF)
    backwards = opt_prop_def(UnitAttr)
    result = result_def(MEMREF)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$source (`backwards` $backwards^)? attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(self, source: SSAValue, *, backwards: bool = False):
        super().__init__(
            operands=[source],
            properties={"backwards": UnitAttr()} if backwards else {},
            result_types=[row_type(source.type)],
        )

    def verify_(self) -> None:
        """Check the constraints.

        - (row_c1) the source has an axis, and the result is an element of the outermost one
        - (row_c2) the loop around has as many steps as the source has rows
        """
        strides = memref_strides(self.source.type)
        if not strides or self.result.type != row_type(self.source.type):
            raise invalid("row_c1", f"{self.result.type} is no row of {self.source.type}")
        loop = self.parent_op()
        steps = None if loop is None else loop.properties.get("steps")
        rows = cast(MemRef, self.source.type).get_shape()[0]
        if loop is not None and (not isinstance(steps, IntegerAttr) or steps.value.data != rows):
            raise invalid("row_c2", f"expected a driver.for of {rows} steps around")


def row_type(type_: Attribute) -> MemRef:
    """Return the type of one element of the outermost axis of a memref."""
    memref, strides = cast(MemRef, type_), memref_strides(type_)
    return strided_memref(memref.element_type, memref.get_shape()[1:], strides[1:])


def storage_of(value: SSAValue) -> SSAValue:
    """Return what a chain of views starts from; a row of a loop is a value of its own."""
    while isinstance(value.owner, ViewOp):
        value = value.owner.source
    return value


def root_of(value: SSAValue) -> SSAValue:
    """Return the value that owns the bytes: what a chain of views and rows starts from."""
    while isinstance(value.owner, ViewOp | RowOp):
        value = value.owner.source
    return value


def is_on_device(value: SSAValue) -> bool:
    """Return whether a value is in the memory of the device: a buffer or a weight, or a part."""
    owner = root_of(value).owner
    return isinstance(owner, BufferOp | WeightOp) and owner.on_device is not None


def elements_of(value: SSAValue) -> Elements:
    """Return the places of the elements of a value in its storage."""
    strides = memref_strides(value.type)
    offset, view = 0, value.owner
    while isinstance(view, ViewOp):
        offset += view.elements_before
        view = view.source.owner
    return Elements(tuple(cast(MemRef, value.type).get_shape()), strides, offset)


def view_axes(elements: Elements, shape: Sequence[int], axes: Axes, least: Least) -> Axes | None:
    """Return how the axes of a view grow, of a dense tensor that has a shape and axes.

    ``None`` if an open axis of the tensor is no axis of the view, and the view has more of it
    than there is for the ``least`` numbers.
    """
    found = list(constant_axes(len(elements.shape)))
    for axis, growth in enumerate(axes):
        if not growth:
            continue
        # A run has the first ``taken`` of each ``span`` elements.
        span, taken = prod(shape[axis:]), growth.scaled(prod(shape[axis + 1 :]))
        for place, (extent, stride) in enumerate(
            zip(elements.shape, elements.strides, strict=True)
        ):
            part = taken.divided(stride) if extent > 1 and extent * stride == span else None
            if part is not None:
                found[place] = part
                break
        else:
            if not _lies_within(elements, least(taken), span):
                return None
    return tuple(found)


def _lies_within(elements: Elements, first: int, span: int) -> bool:
    """Return whether all elements of a view are among the first ones of each ``span`` elements."""
    last = elements.offset % span
    for extent, stride in zip(elements.shape, elements.strides, strict=True):
        if extent > 1 and stride % span:
            last += (extent - 1) * stride
    return last < first


def starts_aligned(storage: SSAValue) -> bool:
    """Return whether a value that is no view starts at an aligned byte, in each step for a row."""
    row = storage.owner
    if not isinstance(row, RowOp):
        return True
    source = elements_of(row.source)
    element = ELEMENT_BYTES[cast(MemRef, row.source.type).element_type]
    places = source.offset * element, source.strides[0] * element
    return not any(p % ALIGNMENT for p in places) and starts_aligned(storage_of(row.source))


def shares_memory(one: SSAValue, other: SSAValue) -> bool:
    """Return whether two values that are no views begin at the same byte."""
    return one is other or (
        isinstance(one.owner, Operation)
        and one.owner is other.owner
        and one.owner.name == "driver.state"
    )


def may_overlap(one: SSAValue, other: SSAValue) -> bool:
    """Return whether two values may have a byte in common; True where in doubt."""
    if not shares_memory(storage_of(one), storage_of(other)):
        return False
    return elements_of(one).meets(elements_of(other))


def check_writable(value: SSAValue) -> None:
    """Raise ``VerifyException`` for bytes that are only read.

    They are those of weights, of inputs, and of states as a run finds them.
    """
    storage = root_of(value)
    if isinstance(storage.owner, WeightOp):
        raise invalid("memref_c5", "a driver.weight is only read")
    if isinstance(storage, OpResult) and storage.op.name == "driver.state" and not storage.index:
        raise invalid("memref_c7", "what a run finds of a state is only read")
    if isinstance(storage, BlockArgument) and (program := storage.owner.parent_op()) is not None:
        names = program.properties.get("input_names")
        if isa(names, ArrayAttr[StringAttr]) and storage.index < len(names):
            name = names.data[storage.index].data
            raise invalid("memref_c6", f"input '{name}' of the program is only read")
