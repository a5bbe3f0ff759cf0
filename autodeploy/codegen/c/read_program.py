"""Reads from a planned ``driver.program`` what C has to know of its values, and checks it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue

from autodeploy.analysis.live_ranges import scratch_blocks
from autodeploy.codegen.c.check_places import check_places
from autodeploy.codegen.c.device import read_device
from autodeploy.codegen.c.names import kernel_symbols, model_prefix, unique_names
from autodeploy.codegen.c.open_numbers import open_numbers
from autodeploy.codegen.c.program import (
    Buffer,
    Program,
    Region,
    StateTensor,
    Tensor,
    Threads,
    Weight,
)
from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    CopyOp,
    ForOp,
    IfOp,
    JoinOp,
    LibraryCallOp,
    ProgramOp,
    RowOp,
    StateOp,
    TransferOp,
    ViewOp,
    WeightOp,
    is_on_device,
)
from autodeploy.dialects.growth import CONSTANT
from autodeploy.dialects.memref import MemRef, aligned, is_dense, memref_strides
from autodeploy.dialects.nn.marks import values_of
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    MAX_ELEMENTS,
    is_addressable,
)
from autodeploy.dialects.strides import is_row_major


def find_program(module: ModuleOp) -> ProgramOp:
    """Return the only ``driver.program`` of a module; raises ``UserError`` if it has not one."""
    programs = [op for op in module.ops if isinstance(op, ProgramOp)]
    if len(programs) != 1:
        found = ", ".join(op.name for op in module.ops if not isinstance(op, ProgramOp))
        raise UserError(
            f"expected one driver.program in the module, found {len(programs)}"
            + (f" (and {found})" if found and not programs else "")
        )
    return programs[0]


def read_program(module: ModuleOp) -> Program:
    """Read the program of a module; raises ``UserError`` if its memory is not planned."""
    op = find_program(module)
    if not op.output_names:
        raise UserError(f"driver.program '{op.sym_name.data}' has no outputs")
    return _Reader(op).read()


def symbols_of(program: ProgramOp) -> dict[str, str]:
    """Return the C function name of each kernel in the module of a program."""
    variant = None if program.variant is None else program.variant.data
    return kernel_symbols(program.sym_name.data, list(program.pipelines()), variant)


class _Reader:
    """Walks one program and collects what is in it."""

    def __init__(self, op: ProgramOp):
        self.op = op
        self.name = op.sym_name.data
        self.symbols = symbols_of(op)
        self.pipelines = op.pipelines()
        self.scratch = {call: aligned(block.bytes) for call, block in scratch_blocks(op).items()}
        self.arities: dict[str, int] = {}
        self.functions: set[str] = set()
        self.buffers: dict[SSAValue, Buffer] = {}
        self.weights: dict[int, Weight] = {}
        self.labels = self._choose_labels()
        self.moving: set[SSAValue] = {*op.body.block.args}
        for inner in op.body.walk():
            if isinstance(inner, ForOp):
                self.moving |= {*inner.current, *inner.next}

    def read(self) -> Program:
        arena = self._size(self.op.arena_bytes, "arena")
        weight = self._size(self.op.weight_bytes, "weight")
        state = self._size(self.op.state_bytes, "state") if self.op.states else 0
        inputs = self._arguments(self.op.inputs, [n.data for n in self.op.input_names])
        names = [n.data for n in self.op.output_names]
        outputs = self._arguments(self.op.returned, names[: len(self.op.returned)])
        extents = dict(
            zip(self.op.described, self.op.outputs[len(self.op.returned) :], strict=True)
        )
        for value in extents.values():
            self._add(value, "caller", 0)
        for op in self.op.body.walk():
            self._read_op(op)
        weights = tuple(self.weights[offset] for offset in sorted(self.weights))
        self._check_weights(weights, weight)
        for buffer in self.buffers.values():
            end = buffer.offset + buffer.tensor.bytes
            if buffer.region == "arena" and end > arena and is_row_major(*buffer.layout):
                raise UserError(f"a driver.buffer ends at byte {end} of an arena of {arena} bytes")
            if buffer.region == "state" and end > state and is_row_major(*buffer.layout):
                raise UserError(f"a driver.state ends at byte {end} of {state} bytes")
        for call, size in self.scratch.items():
            if call.scratch is None:
                raise UserError("a driver.call has no place for its scratch; plan the memory first")
            if call.scratch_output is None and (end := call.scratch.value.data + size) > arena:
                raise UserError(f"scratch ends at byte {end} of an arena of {arena} bytes")
        check_places(self.op)
        return Program(
            self.op,
            model_prefix(self.name),
            inputs,
            outputs,
            self.buffers,
            self.moving,
            weights,
            self.symbols,
            self.arities,
            tuple(sorted(self.functions)),
            self.scratch,
            arena,
            weight,
            self._threads(),
            tuple(name.data for name in self.op.x86_sets or ()),
            extents,
            open_numbers(self.op),
            states=tuple(map(self._state, self.op.states)),
            state_bytes=state,
            device=read_device(self.op, self.labels),
            derived_count=len(self.op.derived),
        )

    def _state(self, op: StateOp) -> StateTensor:
        element, shape = _described(op.found.type)
        rows, axis = op.found_and_left, None if op.axis is None else op.axis.value.data
        tensor, place = Tensor(op.output.data, element, shape), None
        if rows is not None and axis is not None and self.op.open_extent is not None:
            place, left = self.op.told(rows[0]).place, self.op.told(rows[1])
            most = self.op.open_extent.most(rows[1])
            own = (*shape[:axis], most, *shape[axis + 1 :])
            tensor = Tensor(op.output.data, element, own, (axis,), growths=(left,))
        assert op.offset is not None  # _read_op
        return StateTensor(op.input.data, tensor, shape, op.offset.value.data, axis, place)

    def _threads(self) -> Threads:
        count, scratch = self.op.threads, self.op.worker_scratch_bytes
        # An attribute of 0 is false: workers may well compute without any scratch memory.
        return Threads(
            1 if count is None else count.value.data,
            None if scratch is None else scratch.value.data,
        )

    def _size(self, value: IntegerAttr | None, what: str) -> int:
        if value is None:
            raise UserError(
                f"driver.program '{self.name}' has no {what} size; plan the memory first"
            )
        return value.value.data

    def _choose_labels(self) -> dict[SSAValue, str]:
        values: list[SSAValue] = []
        names: list[str] = []
        for kind, arguments, given in (
            ("INPUT", self.op.inputs, self.op.input_names),
            ("OUTPUT", self.op.outputs, self.op.output_names),
        ):
            values += arguments
            names += [f"{kind}_{name.data}" for name in given]
        counts: dict[str, int] = {}
        for op in self.op.body.walk():
            kind = _KINDS.get(type(op))
            for result in op.results if kind else ():
                number = counts[str(kind)] = counts.get(str(kind), -1) + 1
                values.append(result)
                names.append(f"{kind}_{result.name_hint or number}")
        labels = unique_names((name.upper() for name in names), ["BUFFER_COUNT"])
        return dict(zip(values, labels, strict=True))

    def _arguments(self, values: Sequence[SSAValue], names: Sequence[str]) -> tuple[Tensor, ...]:
        arguments: tuple[SSAValue, ...] = (*self.op.inputs, *self.op.outputs)
        types = dict(zip(arguments, self.op.stored or (), strict=False))
        found: list[Tensor] = []
        for value, name in zip(values, names, strict=True):
            self._add(value, "caller", 0)
            stored = types.get(value)
            described = _described(value.type)
            if stored is not None:
                described = stored.element_type, stored.get_shape()
            grown, axes = self.op.growths(value), self._open_axes(value)
            growths = [self.op.told(grown.get(axis, CONSTANT)) for axis in axes]
            told = tuple(growths) if open_numbers(self.op) else ()
            found.append(
                Tensor(name, *described, axes, self._keys(value), told, self._default(value))
            )
        return tuple(found)

    def _keys(self, value: SSAValue) -> tuple[str | int, ...]:
        """Return the keys of the columns of an input or an output."""
        arguments = (*self.op.inputs, *self.op.outputs)
        given = dict(zip(arguments, self.op.keys or (), strict=False)).get(value)
        return () if given is None else values_of(given)

    def _default(self, value: SSAValue) -> bytes | None:
        """Return the bytes of an input that a run leaves out, ``None`` if none may."""
        given = dict(zip(self.op.inputs, self.op.defaults or (), strict=False)).get(value)
        if given is None or isinstance(given, UnitAttr):
            return None
        return given.data.data * (given.count if given.is_splat else 1)

    def _open_axes(self, value: SSAValue) -> tuple[int, ...]:
        """Return the axes of an input or output whose extents only a run knows."""
        outputs, grown = self.op.outputs, self.op.growths(value)
        found = self.op.open_axes(outputs.index(value)) if value in outputs else ()
        return tuple(sorted({*grown, *found}))

    def _add(self, value: SSAValue, region: Region, offset: int) -> None:
        tensor = Tensor(self.labels[value], *_described(value.type))
        self.buffers[value] = Buffer(tensor, region, offset, memref_strides(value.type))

    def _read_op(self, op: Operation) -> None:
        match op:
            case WeightOp():
                offset = self._offset(op, op.offset)
                if op.on_device is None:
                    self._add(op.result, "weights", offset)
                weight = Weight(op.value, offset)
                if weight.bytes == 0:  # no data, and so the offset may be that of another one
                    return
                if self.weights.setdefault(offset, weight).content != weight.content:
                    raise UserError(f"two driver.weights are at offset {offset}")
            case BufferOp() | ViewOp() if is_on_device(op.result):
                pass  # kernels of the device are given whole blocks
            case BufferOp():
                offset = self._offset(op, op.offset)
                if op.output is None:
                    self._add(op.result, "arena", offset)
                else:
                    self._add(op.result, "caller", 0)
                    self.moving.add(op.result)
            case StateOp():
                for value in op.results:
                    self._add(value, "state", self._offset(op, op.offset))
            case ViewOp():
                source = self.buffers[op.source]
                bytes_ = ELEMENT_BYTES[source.tensor.element] * op.elements_before
                self._add(op.result, source.region, source.offset + bytes_)
                if op.source in self.moving:
                    self.moving.add(op.result)
            case RowOp():
                source = self.buffers[op.source]
                self._add(op.result, source.region, source.offset)
                self.moving.add(op.result)
            case CopyOp() if is_on_device(op.target):
                raise UserError("a driver.copy on the device; form-copies makes kernels of such")
            case CopyOp():
                if not (is_dense(op.source) and is_dense(op.target)):
                    raise UserError("a driver.copy is strided; form-copies makes kernels of such")
            case CallOp() if self.pipelines[op.callee.string_value()].on_device is not None:
                pass
            case CallOp():
                self.arities[self.symbols[op.callee.string_value()]] = len(op.operands)
            case LibraryCallOp():
                self.functions.add(op.callee.data)
            case ForOp() | IfOp() | JoinOp() | TransferOp():
                pass
            case _:
                raise UserError(f"the C program cannot hold '{op.name}'")

    def _offset(self, op: Operation, value: IntegerAttr | None) -> int:
        if value is None:
            raise UserError(f"{op.name} has no offset; plan the memory first")
        return value.value.data

    def _check_weights(self, weights: Sequence[Weight], size: int) -> None:
        end = 0
        for weight in weights:
            if weight.offset < end:
                raise UserError(f"the driver.weight at offset {weight.offset} overlaps another one")
            end = weight.offset + weight.bytes
        if end > size:
            raise UserError(f"the driver.weights end at byte {end} of {size}")


_KINDS: dict[type[Operation], str] = {
    WeightOp: "WEIGHT",
    BufferOp: "ARENA",
    StateOp: "STATE",
    ViewOp: "VIEW",
    RowOp: "ROW",
}


def _described(type_: Attribute) -> tuple[Attribute, tuple[int, ...]]:
    memref_strides(type_)
    memref = cast(MemRef, type_)
    shape = memref.get_shape()
    if not is_addressable(shape):
        raise UserError(f"a kernel addresses at most {MAX_ELEMENTS} elements, found {type_}")
    return memref.element_type, shape
