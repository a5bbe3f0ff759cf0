"""``convert-nn-to-driver``: the graph of calls becomes the program that the C driver runs.

Movements outside of kernels become views where strides can express them: reshapes, slices, and
transposes that leave the innermost axis where it is. The others become copies: a concat is a buffer
into which each part is copied. ``elide-copies`` removes the copies that are not needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.analysis.least_shapes import least_of
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
    ViewOp,
    WeightOp,
    elements_of,
    shares_memory,
    starts_aligned,
    storage_of,
)
from autodeploy.dialects.driver.part import PART_ATTRIBUTE, find_part
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.machine import find_machine
from autodeploy.dialects.memref import MemRef, is_dense, memref_bytes, memref_of
from autodeploy.dialects.nn import control_flow
from autodeploy.dialects.nn.base import MovementOp, UnfilledOp, ints
from autodeploy.dialects.nn.constant import ConstantOp, with_type
from autodeploy.dialects.nn.kernel import CallLikeOp
from autodeploy.dialects.nn.movement import ReshapeOp, joins_rows
from autodeploy.dialects.nn.open_extent import (
    EXTENT_ATTRIBUTE,
    axes_list,
    constant_axes,
    find_open_extent,
)
from autodeploy.lowering.nn_to_driver.conversion import Conversion, is_empty, tensor_of
from autodeploy.lowering.nn_to_driver.joins import (
    has_rows,
    is_joined_in_place,
    is_packed,
    is_read_in_place,
    join_starts,
)
from autodeploy.lowering.nn_to_driver.program_interface import (
    all_keys,
    callers_of,
    defaults_of,
    fail,
    names_of,
    program_name,
    shapes_of,
    stored_types,
)
from autodeploy.lowering.nn_to_driver.states import held_states
from autodeploy.passes.driver.kernel_variants import specialise


@dataclass(frozen=True)
class ConvertNnToDriverPass(ModulePass):
    """Turn the function of nn.call ops into a driver.program on buffers.

    A result of a call or concat that is an output of the program is written into that output
    (through a view, where reshapes are between), and later calls read it there. An output that is
    an input, a constant, a part of another value or the same bytes as an earlier output is a copy.
    Results of the regions of loops and choices are treated in the same way. A value that a loop
    carries has two buffers, one that a step reads and one that it writes, which are exchanged
    after each step. The program may be asked to use as many threads as the machine of the module
    has cores, one where it names none; where that machine has no operating system, the program is
    freestanding. With ``flush_subnormals`` it takes subnormal numbers for zero unless it is told
    otherwise. ``variant`` is the name of a program that is one of several: of its machine, or of
    the part of open extents that ``driver.part`` of the module says.
    """

    name = "convert-nn-to-driver"

    flush_subnormals: bool = False
    variant: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module in place.

        Raises ``PassFailedException`` if the module has several functions, or the function is
        not one block of calls, movements and constants on tensors that ends in ``func.return``.
        """
        functions = [f for f in op.body.block.ops if isinstance(f, FuncOp)]
        if len(functions) > 1:
            names = ", ".join(f"'{f.sym_name.data}'" for f in functions)
            fail(functions[1], f"is one function too many: expected one network, found {names}")
        machine = find_machine(op)
        threads = machine.cores if machine is not None and machine.has_threads else 1
        pipelines = {p.sym_name.data: p for p in op.body.block.ops if isinstance(p, PipelineOp)}
        for func in functions:
            program = _convert(op, func)
            program.threads = None if threads == 1 else IntegerAttr(threads, i64)
            is_alone = machine is not None and not machine.has_system
            program.freestanding = UnitAttr() if is_alone else None
            program.flush_subnormals = UnitAttr() if self.flush_subnormals else None
            program.variant = None if self.variant is None else StringAttr(self.variant)
            Rewriter.replace_op(func, program, [])
            # A view may have other strides than the kernel was made for.
            specialise(program, pipelines)


def _convert(module: ModuleOp, func: FuncOp) -> ProgramOp:
    blocks = func.body.blocks
    if len(blocks) != 1:
        fail(func, f"expected a body of one block, found {len(blocks)} blocks")
    body = blocks[0]
    returned = body.last_op
    if not isinstance(returned, ReturnOp):
        fail(func, "does not end in func.return")
    given: list[SSAValue] = list(returned.operands)
    names = (
        names_of(func.arg_attrs, len(body.args), "input"),
        names_of(func.res_attrs, len(given), "output"),
    )
    pipelines = {p.sym_name.data: p for p in module.body.block.ops if isinstance(p, PipelineOp)}
    held = held_states(func, names, given, pipelines)
    callers = callers_of(func)
    arguments, results = [body.args[i] for i in callers[0]], [given[i] for i in callers[1]]
    types = [memref_of(tensor_of(v, func)) for v in (*arguments, *results)]
    block = Block(arg_types=types)
    extent = find_open_extent(module.attributes)
    state = Conversion(block, block, least=least_of(module))
    opened = [state.open_axes(value) for value in (*arguments, *results)]
    state.open_memory |= {a: e for a, e in zip(block.args, opened, strict=True) if e}
    for one in held:
        state.add(one.memory, func)
        state.place(one.argument, state.held(one, one.argument, func))
    outputs = [
        memory if is_joined_in_place(value) else _spread(value, memory, state)
        for value, memory in zip(results, state.block.args[len(arguments) :], strict=True)
    ]
    for argument, memory in zip(arguments, state.block.args, strict=False):
        in_place = is_read_in_place(argument, pipelines)
        spread = memory if in_place else _spread(argument, memory, state)
        if spread is not memory:
            state.add(CopyOp(memory, spread), func)
        state.place(argument, spread)
    left = [
        state.held(one, one.result, func)
        if one.appended
        else state.buffer(memref_of(tensor_of(one.result, func)), func, state.open_axes(one.result))
        for one in held
    ]
    ends = [*zip(results, outputs, strict=True), *zip([s.result for s in held], left, strict=True)]
    _convert_block(body, ends, state)
    for spread, memory in zip(outputs, state.block.args[len(arguments) :], strict=True):
        if spread is not memory:
            state.add(CopyOp(spread, memory), returned)
    for one, memory in zip(held, left, strict=True):
        if not one.appended:
            state.keep(one, memory, returned)
    for op in list(state.block.walk())[::-1]:
        if isinstance(op, ViewOp | RowOp | WeightOp) and not op.result.uses:
            Rewriter.erase_op(op)
    program = ProgramOp(
        program_name(module, func),
        [names[0][i] for i in callers[0]],
        [names[1][i] for i in callers[1]],
        state.block,
    )
    program.stored = stored_types(func)
    program.shapes_of = shapes_of(func)
    program.keys = all_keys(func)
    program.defaults = defaults_of(func)
    if extent is not None:
        program.open_extent = extent
        program.open_arguments = axes_list(
            [
                entry or constant_axes(len(cast(MemRef, argument.type).get_shape()))
                for argument, entry in zip(block.args, opened, strict=True)
            ]
        )
        module.attributes.pop(EXTENT_ATTRIBUTE)
    program.part = find_part(module.attributes)
    module.attributes.pop(PART_ATTRIBUTE, None)
    return program


def _convert_block(
    block: Block, ends: Sequence[tuple[SSAValue, SSAValue]], state: Conversion
) -> None:
    """Convert the ops of a block; ``ends`` are its results, and the place of each."""
    _choose_targets(ends, state)
    *ops, end = block.ops
    for op in ops:
        _convert_op(op, state)
    for value, target in ends:
        source, place = map(_whole, (state.memory[value], target))
        if source is not place and not is_empty(target):
            state.add(CopyOp(source, target), end)


def _spread(value: SSAValue, memory: SSAValue, state: Conversion) -> SSAValue:
    """Return a buffer for an input or output that has an open axis inside of others.

    Kernels find its elements at the places that they have for the largest number. The same holds
    for one that may have no elements: kernels read some all the same.
    """
    if not is_packed(value):
        return memory
    spread = BufferOp(memory.type, open=state.open_axes(value))
    state.block.add_op(spread)
    state.open_memory[spread.result] = spread.open_axes
    return spread.result


def _whole(value: SSAValue) -> SSAValue:
    """Return the storage of a value that is all of it, in the same order; of others the value."""
    storage = storage_of(value)
    is_all = is_dense(value) and memref_bytes(value.type) == memref_bytes(storage.type)
    return storage if is_all else value


def _convert_op(op: Operation, state: Conversion) -> None:
    match op:
        case ConstantOp():
            type_ = op.value.type
            value = with_type(op.value, TensorType(type_.element_type, type_.get_shape()))
            memory = state.weights.get(value)
            if memory is None:
                weight = WeightOp(value)
                weight.location = op.location
                state.program.add_op(weight)
                memory = state.weights[value] = weight.result
            state.place(op.result, memory)
        case UnfilledOp():
            memory = state.buffer(memref_of(op.result.type), op, state.open_axes(op.result))
            state.place(op.result, memory)
        case MovementOp() if op.is_view or op.is_copy:
            _convert_movement(op, state)
        case _ if joins_rows(op):
            _convert_join(op, state)
        case CallLikeOp():
            _convert_call(op, state)
        case control_flow.ForOp():
            _convert_for(op, state)
        case control_flow.IfOp():
            _convert_if(op, state)
        case _:
            fail(
                op,
                "has no form in the driver: expected nn.call, nn.library_call, nn.constant, a view "
                "or a copy, which form-kernels and convert-nn-to-halide leave",
            )


def _convert_call(op: CallLikeOp, state: Conversion) -> None:
    """A call writes its results; functions of the library take dense operands."""
    outputs = [state.new(result, memref_of(tensor_of(result, op)), op) for result in op.outputs]
    inputs = [state.opened(value, op) for value in op.inputs]
    match op.properties["callee"]:
        case SymbolRefAttr() as kernel:
            state.add(CallOp(kernel.string_value(), inputs, outputs), op)
        case function:
            inputs = [state.dense(value, op) for value in inputs]
            call = LibraryCallOp(function, op.properties["parameters"], inputs, outputs)
            state.add(call, op)


def _convert_for(op: control_flow.ForOp, state: Conversion) -> None:
    """A loop: carried values have two buffers, unless each step hands out what it was given."""
    body, inner = op.body.block, state.region()
    arguments, handed = op.arguments, control_flow.yielded(body)
    ends: list[tuple[SSAValue, SSAValue]] = []
    exchanged: list[tuple[SSAValue, SSAValue]] = []
    for init, argument, end, result in zip(
        op.inits, arguments.carried, handed, op.outputs, strict=False
    ):
        memory = state.memory[init]
        if end is not argument:
            type_, opened = memref_of(tensor_of(init, op)), state.open_axes(argument)
            current, computed = (state.buffer(type_, op, opened) for _ in range(2))
            if not is_empty(current):
                state.add(CopyOp(memory, current), op)
            memory = current
            exchanged.append((memory, computed))
            ends.append((end, computed))
        state.place(argument, memory)
        state.place(result, memory)
    flags = [flag != 0 for flag in ints(op.backwards)]
    for value, argument, flag in zip(op.tensors, arguments.rows, flags, strict=False):
        opened = state.open_axes(argument)
        inner.place(argument, inner.row(state.memory[value], flag, op, opened))
    for value, argument in zip(op.captured, arguments.captured, strict=True):
        state.place(argument, state.memory[value])
    for result, end, flag in zip(
        op.stacked, handed[len(op.inits) :], flags[len(op.tensors) :], strict=True
    ):
        memory = state.new(result, memref_of(tensor_of(result, op)), op)
        ends.append((end, inner.row(memory, flag, op, state.open_axes(result)[1:])))
    counter = None
    if arguments.step.uses:
        counter = BufferOp(memref_of(tensor_of(arguments.step, op)))
        state.add(counter, op)
        state.place(arguments.step, counter.result)
    _convert_block(body, ends, inner)
    loop = ForOp(
        inner.block,
        steps=None if op.steps is None else op.steps.value.data,
        open=op.open,
        trips=None if op.trips is None else state.memory[op.trips],
        condition=None if op.conditional is None else state.memory[arguments.carried[0]],
        counter=None if counter is None else counter.result,
        exchanged=exchanged,
    )
    state.add(loop, op)


def _convert_if(op: control_flow.IfOp, state: Conversion) -> None:
    """A choice: both regions write the same results."""
    results = [state.new(result, memref_of(tensor_of(result, op)), op) for result in op.outputs]
    blocks: list[Block] = []
    for region in op.regions:
        inner = state.region()
        for value, argument in zip(op.captured, region.block.args, strict=True):
            inner.place(argument, state.memory[value])
        ends = zip(control_flow.yielded(region.block), results, strict=True)
        _convert_block(region.block, list(ends), inner)
        blocks.append(inner.block)
    state.add(IfOp(state.memory[op.condition], *blocks), op)


def _convert_movement(op: MovementOp, state: Conversion) -> None:
    """A view of the operand, or a copy of the parts of the result."""
    type_ = memref_of(tensor_of(op.result, op))
    sources = [_elements(op, state.memory[value], type_, state) for value in op.operands]
    if op.is_view and op.result not in state.targets:
        state.place(op.result, sources[0])
        return
    memory = state.new(op.result, type_, op)
    for source, part in zip(sources, op.parts(elements_of(memory)), strict=True):
        if 0 not in part.shape:
            state.add(CopyOp(source, state.view(memory, part, type_, op)), op)


def _convert_join(op: MovementOp, state: Conversion) -> None:
    """Copies of the rows of each operand to where a run has the end of those before."""
    memory, axis = state.new(op.result, memref_of(tensor_of(op.result, op)), op), op.joined_axis
    assert axis is not None
    for value, (start, first) in zip(op.operands, join_starts(op), strict=True):
        source = state.memory[value]
        # Rows of a state that new ones are appended to stay where they are.
        is_there = shares_memory(storage_of(source), storage_of(memory))
        if not is_empty(source) and not is_there:
            source = source if has_rows(source, axis) else state.copied(source, op)
            source = state.grown(source, state.open_axes(value), op)
            state.add(JoinOp(source, memory, axis, start, first), op)


def _elements(op: MovementOp, memory: SSAValue, type_: MemRef, state: Conversion) -> SSAValue:
    """Return a view of the operand of a movement, a dense copy if it has gaps."""
    elements = op.elements(elements_of(memory))
    if elements is None:
        memory = state.copied(memory, op)
        elements = op.elements(elements_of(memory))
        assert elements is not None
    return state.view(memory, elements, type_, op)


def _choose_targets(ends: Sequence[tuple[SSAValue, SSAValue]], state: Conversion) -> None:
    """Give each value that is handed out, reshaped or not, the memory of the first such output."""
    for value, output in ends:
        while isinstance(value.owner, ReshapeOp):
            value = value.owner.x
        owner = value.owner
        if (
            isinstance(owner, CallLikeOp | control_flow.IfOp)
            or (isinstance(owner, MovementOp) and (owner.is_copy or joins_rows(owner)))
            or (isinstance(owner, control_flow.ForOp) and value in owner.stacked)
        ) and starts_aligned(output):
            state.targets.setdefault(value, output)
