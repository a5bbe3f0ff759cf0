"""The conversion of a function as far as it is: the place of each tensor, and the ops so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from autodeploy.analysis.least_shapes import least_for_one
from autodeploy.dialects.driver import (
    BufferOp,
    CopyOp,
    JoinOp,
    RowOp,
    ViewOp,
    elements_of,
    storage_of,
    view_axes,
)
from autodeploy.dialects.memref import MemRef, is_dense, memref_of, strided_memref
from autodeploy.dialects.nn.base import Tensor
from autodeploy.dialects.nn.constant import ConstantValue
from autodeploy.dialects.nn.extent_attr import axes_of_type, is_tensor
from autodeploy.dialects.nn.open_extent import Axes, Least
from autodeploy.dialects.strides import Region as Elements
from autodeploy.dialects.strides import reshape
from autodeploy.lowering.nn_to_driver.program_interface import fail
from autodeploy.lowering.nn_to_driver.states import Held


@dataclass
class Conversion:
    """The state of the conversion of one function."""

    block: Block
    program: Block
    """The block of the program, which has all weights."""
    memory: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The place of each tensor."""
    weights: dict[ConstantValue, SSAValue] = field(default_factory=dict[ConstantValue, SSAValue])
    least: Least = least_for_one
    """Returns the least extent that grows so."""
    open_memory: dict[SSAValue, Axes] = field(default_factory=dict[SSAValue, Axes])
    """The coefficients of the axes of arguments and buffers that an open extent concerns."""
    targets: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The places of results of ops that are outputs of the program or of a region."""

    def add(self, op: Operation, origin: Operation) -> None:
        """Append an op that comes from another one."""
        op.location = origin.location
        self.block.add_op(op)

    def region(self) -> Conversion:
        """Return what is known at the start of a region."""
        return replace(self, block=Block())

    def open_axes(self, value: SSAValue) -> Axes:
        """Return how the axes of a tensor grow, none where no axis is open."""
        axes = axes_of_type(value.type)
        return axes if any(axes) else ()

    def buffer(self, type_: Attribute, origin: Operation, open: Axes = ()) -> SSAValue:
        """Return a new buffer."""
        op = BufferOp(type_, open=open)
        self.add(op, origin)
        if any(open):
            self.open_memory[op.result] = open
        return op.result

    def place(self, value: SSAValue, memory: SSAValue) -> None:
        """State where a tensor is stored."""
        memory.name_hint = memory.name_hint or value.name_hint
        self.memory[value] = memory

    def view(
        self, memory: SSAValue, elements: Elements, type_: MemRef, origin: Operation
    ) -> SSAValue:
        """Return a view of elements of a value's storage, or a value that is these elements."""
        if elements == elements_of(memory):
            return memory
        storage = storage_of(memory)
        strided = strided_memref(type_.element_type, elements.shape, elements.strides)
        if storage.type == strided and not elements.offset:
            return storage
        view = ViewOp(storage, strided, elements.offset)
        self.add(view, origin)
        return view.result

    def opened(self, value: SSAValue, origin: Operation) -> SSAValue:
        """Return the place of a tensor, as a value whose axes grow as those of the tensor."""
        return self.grown(self.memory[value], self.open_axes(value), origin)

    def grown(self, memory: SSAValue, axes: Axes, origin: Operation) -> SSAValue:
        """Return a value, or a view of it whose axes grow so."""
        storage = storage_of(memory)
        shape = cast(MemRef, storage.type).get_shape()
        known = view_axes(elements_of(memory), shape, self.open_memory.get(storage, ()), self.least)
        if not axes or known == axes:
            return memory
        elements = elements_of(memory)
        element = cast(MemRef, memory.type).element_type
        type_ = strided_memref(element, elements.shape, elements.strides)
        view = ViewOp(storage, type_, elements.offset, open=axes)
        self.add(view, origin)
        return view.result

    def row(
        self, memory: SSAValue, backwards: bool, origin: Operation, open: Axes = ()
    ) -> SSAValue:
        """Return the row of a value that a step of a loop is about."""
        row = RowOp(memory, backwards=backwards)
        self.add(row, origin)
        if any(open):
            self.open_memory[row.result] = open
        return row.result

    def reshaped(self, memory: SSAValue, type_: MemRef, origin: Operation) -> SSAValue:
        """Return the same elements under another shape: a view, or a dense copy of them."""
        elements = reshape(elements_of(memory), type_.get_shape())
        if elements is not None:
            return self.view(memory, elements, type_, origin)
        return self.reshaped(self.copied(memory, origin), type_, origin)

    def copied(self, memory: SSAValue, origin: Operation) -> SSAValue:
        """Return a dense copy of a value."""
        elements = elements_of(memory)
        element = cast(MemRef, memory.type).element_type
        storage = storage_of(memory)
        shape = cast(MemRef, storage.type).get_shape()
        opened = self.open_memory.get(storage, ())
        axes = view_axes(elements, shape, opened, self.least)
        if axes is None:
            fail(origin, "reads a part along an open axis")
        buffer = self.buffer(MemRefType(element, elements.shape), origin, axes)
        self.add(CopyOp(memory, buffer), origin)
        return buffer

    def held(self, one: Held, value: SSAValue, origin: Operation) -> SSAValue:
        """Return the place of the argument or of the result of a state."""
        memory = one.memory.found if value is one.argument else one.memory.left
        type_ = memref_of(tensor_of(value, origin))
        if one.rows is None:
            return memory
        elements = replace(elements_of(memory), shape=tuple(type_.get_shape()))
        strided = strided_memref(type_.element_type, elements.shape, elements.strides)
        view = ViewOp(memory, strided, open=self.open_axes(value))
        self.add(view, origin)
        return view.result

    def keep(self, one: Held, memory: SSAValue, origin: Operation) -> None:
        """Copy what a run leaves of a state to its memory."""
        if one.rows is None:
            if not is_empty(memory):
                self.add(CopyOp(memory, one.memory.left), origin)
        else:
            place = self.held(one, one.result, origin)
            self.add(JoinOp(memory, place, one.rows.axis, 0), origin)

    def dense(self, memory: SSAValue, origin: Operation) -> SSAValue:
        """Return a value whose elements follow each other: this one, or a copy."""
        return memory if is_dense(memory) else self.copied(memory, origin)

    def new(self, value: SSAValue, type_: MemRef, origin: Operation) -> SSAValue:
        """Return the memory for a new value: the output that it is, or a buffer."""
        target = self.targets.get(value)
        if target is None:
            memory = self.buffer(type_, origin, self.open_axes(value))
        else:
            memory = self.reshaped(target, type_, origin)
        self.place(value, memory)
        return memory


def is_empty(value: SSAValue) -> bool:
    """Return whether a memref has no elements."""
    return 0 in cast(MemRef, value.type).get_shape()


def tensor_of(value: SSAValue, where: Operation) -> Tensor:
    """Return the type of a value that is a tensor; raises ``PassFailedException`` if it is none."""
    type_ = value.type
    if not is_tensor(type_):
        fail(where, f"expected tensors, found a value of type {type_}")
    return type_
