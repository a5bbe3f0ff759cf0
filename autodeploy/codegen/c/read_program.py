"""Reads a planned ``driver.program`` into what the emitters of C work from, and checks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ArrayAttr, FusedLoc, IntegerAttr, MemRefType, ModuleOp, NameLoc
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from autodeploy.analysis.live_ranges import scratch_blocks
from autodeploy.codegen.c.names import kernel_symbols, model_prefix, unique_names
from autodeploy.codegen.c.program import (
    Alias,
    Buffer,
    Call,
    Choice,
    Copy,
    Loop,
    Program,
    Region,
    Row,
    Scratch,
    Step,
    Tensor,
    Threads,
    Weight,
    all_steps,
    function_symbol,
)
from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    CopyOp,
    ForOp,
    IfOp,
    LibraryCallOp,
    ProgramOp,
    RowOp,
    ViewOp,
    WeightOp,
)
from autodeploy.dialects.memref import aligned, is_dense, memref_bytes, memref_strides
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    MAX_ELEMENTS,
    is_addressable,
)
from autodeploy.dialects.strides import is_row_major


def find_program(module: ModuleOp) -> ProgramOp:
    """Return the only ``driver.program`` of a module; raises ``UserError`` where it has not one."""
    programs = [op for op in module.ops if isinstance(op, ProgramOp)]
    if len(programs) != 1:
        found = ", ".join(op.name for op in module.ops if not isinstance(op, ProgramOp))
        raise UserError(
            f"expected one driver.program in the module, found {len(programs)}"
            + (f" (and {found})" if found and not programs else "")
        )
    return programs[0]


def read_program(module: ModuleOp) -> Program:
    """Read the program of a module; raises ``UserError`` where its memory is not planned."""
    op = find_program(module)
    if not op.output_names:
        raise UserError(f"driver.program '{op.sym_name.data}' has no outputs")
    return _Reader(op).read()


class _Reader:
    """Walks one program and collects what is in it."""

    def __init__(self, op: ProgramOp):
        self.op = op
        self.name = op.sym_name.data
        self.symbols = kernel_symbols(self.name, list(op.pipelines()))
        self.scratch = {call: block.bytes for call, block in scratch_blocks(op).items()}
        self.arities: dict[str, int] = {}
        self.functions: set[str] = set()
        self.buffers: dict[SSAValue, Buffer] = {}
        self.weights: dict[int, Weight] = {}
        self.labels = self._choose_labels()
        self.moving: set[SSAValue] = {*op.body.block.args}
        """What lies elsewhere from run to run, or from step to step."""
        for inner in op.body.walk():
            if isinstance(inner, ForOp):
                self.moving |= {*inner.current, *inner.next}

    def read(self) -> Program:
        arena = self._size(self.op.arena_bytes, "arena")
        weight = self._size(self.op.weight_bytes, "weight")
        inputs = self._arguments(self.op.inputs, [n.data for n in self.op.input_names])
        outputs = self._arguments(self.op.outputs, [n.data for n in self.op.output_names])
        steps = self._read_block(self.op.body.block, 0)
        weights = tuple(self.weights[offset] for offset in sorted(self.weights))
        self._check_weights(weights, weight)
        for buffer in self.buffers.values():
            end = buffer.offset + buffer.tensor.bytes
            if buffer.region == "arena" and end > arena and is_row_major(*buffer.layout):
                raise UserError(f"a driver.buffer ends at byte {end} of an arena of {arena} bytes")
        for step in all_steps(steps):
            if isinstance(step, Call) and step.scratch is not None and step.scratch.end > arena:
                end = step.scratch.end
                raise UserError(f"scratch ends at byte {end} of an arena of {arena} bytes")
        return Program(
            self.name,
            model_prefix(self.name),
            inputs,
            outputs,
            tuple(self.buffers.values()),
            steps,
            weights,
            self.symbols,
            self.arities,
            tuple(sorted(self.functions)),
            arena,
            weight,
            self._threads(),
            self.op.embedded is not None,
            self.op.flush_subnormals is not None,
            tuple(name.data for name in self.op.x86_sets or ()),
        )

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
        for value in values:
            self._add(value, "caller", 0)
        return tuple(
            Tensor(name, *_described(value.type)) for value, name in zip(values, names, strict=True)
        )

    def _add(self, value: SSAValue, region: Region, offset: int) -> None:
        tensor = Tensor(self.labels[value], *_described(value.type))
        self.buffers[value] = Buffer(tensor, region, offset, memref_strides(value.type))

    def _read_block(self, block: Block, depth: int) -> tuple[Step, ...]:
        """Return what the ops of a block do, within ``depth`` loops."""
        steps = (self._read_op(op, depth) for op in block.ops)
        return tuple(step for step in steps if step is not None)

    def _read_op(self, op: Operation, depth: int) -> Step | None:
        match op:
            case WeightOp():
                offset = self._offset(op, op.offset)
                self._add(op.result, "weights", offset)
                weight = Weight(op.value, offset)
                if weight.bytes == 0:  # no data, and so the offset may be that of another one
                    return None
                other = self.weights.setdefault(offset, weight)
                if other.content != weight.content:
                    raise UserError(f"two driver.weights lie at offset {offset}")
                return None
            case BufferOp():
                self._add(op.result, "arena", self._offset(op, op.offset))
                return None
            case ViewOp():
                source = self.buffers[op.source]
                bytes_ = ELEMENT_BYTES[source.tensor.element] * op.elements_before
                self._add(op.result, source.region, source.offset + bytes_)
                if op.source not in self.moving:
                    return None
                self.moving.add(op.result)
                return Alias(self.labels[op.result], source.label, bytes_)
            case RowOp():
                source = self.buffers[op.source]
                self._add(op.result, source.region, source.offset)
                self.moving.add(op.result)
                rows, bytes_ = source.tensor.shape[0], ELEMENT_BYTES[source.tensor.element]
                return Row(
                    self.labels[op.result],
                    source.label,
                    source.strides[0] * bytes_,
                    depth - 1,
                    rows - 1 if op.backwards else None,
                )
            case ForOp():
                return Loop(
                    self._read_block(op.body.block, depth + 1),
                    depth,
                    None if op.steps is None else op.steps.value.data,
                    self._label(op.trips),
                    self._label(op.condition),
                    self._label(op.counter),
                    tuple((self.labels[a], self.labels[b]) for a, b in op.exchanged),
                )
            case IfOp():
                branches = (op.then.block, op.otherwise.block)
                then, otherwise = (self._read_block(branch, depth) for branch in branches)
                return Choice(self.labels[op.condition], then, otherwise)
            case CopyOp() if not (is_dense(op.source) and is_dense(op.target)):
                raise UserError("a driver.copy is strided; form-copies makes kernels of such")
            case CopyOp():
                source, target = self.labels[op.source], self.labels[op.target]
                size = memref_bytes(op.source.type)
                return Copy(source, target, size, nodes_of(op))
            case CallOp():
                symbol = self.symbols[op.callee.string_value()]
                self.arities[symbol] = len(op.operands)
                operands = tuple(self.labels[value] for value in op.operands)
                return Call(symbol, operands, nodes_of(op), self._scratch(op))
            case LibraryCallOp():
                self.functions.add(op.callee.data)
                operands = tuple(self.labels[value] for value in op.operands)
                parameters = tuple(op.parameters.get_values())
                symbol = function_symbol(op.callee.data)
                return Call(symbol, operands, nodes_of(op), None, parameters)
            case _:
                raise UserError(f"the C program cannot hold '{op.name}'")

    def _label(self, value: SSAValue | None) -> str | None:
        return None if value is None else self.labels[value]

    def _scratch(self, op: CallOp) -> Scratch | None:
        bytes_ = self.scratch.get(op, 0)
        if not bytes_:
            return None
        if op.scratch is None:
            raise UserError("a driver.call has no place for its scratch; plan the memory first")
        return Scratch(op.scratch.value.data, aligned(bytes_))

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
    ViewOp: "VIEW",
    RowOp: "ROW",
}


def nodes_of(op: Operation) -> tuple[str, ...]:
    """Return the names of the ONNX nodes that an operation came from, each once, in order."""
    return tuple(dict.fromkeys(name for name in _location_names(op.location) if name))


def _location_names(location: Attribute) -> Iterator[str]:
    if isinstance(location, NameLoc):
        yield location.desc.data  # what is within names the operator, not a node
    elif isinstance(location, FusedLoc) and isa(location.locations, ArrayAttr[Attribute]):
        for part in location.locations:
            yield from _location_names(part)


def _described(type_: Attribute) -> tuple[Attribute, tuple[int, ...]]:
    memref_strides(type_)
    assert isa(type_, MemRefType[Attribute])
    shape = type_.get_shape()
    if not is_addressable(shape):
        raise UserError(f"a kernel addresses at most {MAX_ELEMENTS} elements, found {type_}")
    return type_.element_type, tuple(shape)
