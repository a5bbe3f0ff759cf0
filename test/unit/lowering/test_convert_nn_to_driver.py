"""Random graphs of calls, run as graphs and as planned programs on one arena: equal outputs.

A kernel is a hash of all bytes that it reads, so a buffer that is overwritten too early, a view of
the wrong bytes or a weight at the wrong place changes an output.
"""

from __future__ import annotations

import hashlib
import math
import random

from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, f32, i32, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from autodeploy.dialects.driver import (
    ALIGNMENT,
    BufferOp,
    CallOp,
    CopyOp,
    ProgramOp,
    ViewOp,
    WeightOp,
    buffer_of,
    memref_bytes,
    memref_of,
)
from autodeploy.dialects.halide import algorithm as h
from autodeploy.dialects.nn import kernel as nn
from autodeploy.dialects.nn.constant import ConstantOp, DenseAttr
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.types import byte_size, tensor
from autodeploy.lowering.convert_nn_to_driver import ConvertNnToDriverPass
from autodeploy.passes.place_weights import PlaceWeightsPass
from autodeploy.passes.plan_memory import PlanMemoryPass

COUNTS = [1, 4, 16, 36]


def kernel(name: str, inputs: list[SSAValue], output_types: list, scratch: int) -> h.PipelineOp:
    """Build a pipeline of this signature; what it computes does not matter here."""
    types = [buffer_of(memref_of(t)) for t in (*(v.type for v in inputs), *output_types)]
    block = Block(arg_types=types)
    for number, output in enumerate(block.args[len(inputs) :]):
        point = Block(arg_types=[i32] * len(output.type.extents))
        load = h.LoadOp(block.args[0], point.args)
        point.add_ops([load, h.YieldOp(load.result)])
        names = [f"v{i}" for i in range(len(output.type.extents))]
        func = h.FuncOp(f"f{number}", names, point, f32)
        block.add_ops([func, h.OutputOp(func.result, output)])
    return h.PipelineOp(name, len(output_types), block, None, scratch)


def result_of(name: str, number: int, inputs: list[bytes], size: int) -> bytes:
    return hashlib.shake_128(repr((name, number, inputs)).encode()).digest(size)


def random_graph(rng: random.Random) -> tuple[ModuleOp, int | None]:
    """Build a module of calls, reshapes and constants; also return its kernels' largest scratch."""
    types = [tensor(f32, [rng.choice(COUNTS)]) for _ in range(rng.randrange(3))]
    block = Block(arg_types=types)
    values: list[SSAValue] = list(block.args)
    pipelines: list[h.PipelineOp] = []
    for number in range(rng.randrange(1, 20)):
        choice = rng.random() if values else 0
        if choice < 0.1:
            data = bytes([rng.randrange(3)] * 4)
            op = ConstantOp(DenseAttr(data, tensor(f32, [rng.choice(COUNTS)])))
        elif choice < 0.3:
            x = some(rng, values)
            count = math.prod(x.type.get_shape())
            op = ReshapeOp(x, rng.choice([[count], [1, count], [count, 1]]))
        else:
            inputs = [some(rng, values) for _ in range(rng.randrange(1, 4))]
            # The stand-in kernels load their first input at the points of the output.
            rank = len(inputs[0].type.get_shape())
            outputs = [
                tensor(f32, [rng.choice(COUNTS)] * rank) for _ in range(rng.choice([1, 1, 2]))
            ]
            name = f"k{number}"
            pipelines.append(kernel(name, inputs, outputs, 16 * rng.randrange(9)))
            op = nn.CallOp(name, inputs, outputs)
        block.add_op(op)
        values += op.results
    results = [values[-1], *(some(rng, values) for _ in range(rng.randrange(4)))]
    block.add_op(ReturnOp(*results))
    func = FuncOp("main", (types, [v.type for v in results]), Region(block))
    scratch = max((p.scratch_bytes.value.data for p in pipelines), default=None)
    return ModuleOp([*pipelines, func], {"nn.model": StringAttr("net")}), scratch


def some(rng: random.Random, values: list[SSAValue]) -> SSAValue:
    """Choose a value, mostly a late one, so that chains form."""
    return rng.choice(values[-4:] if rng.random() < 0.8 else values)


def expand(value: DenseAttr) -> bytes:
    size = byte_size(value.type)
    return bytes(value.data.data) * (size // len(value.data.data))


def run_graph(func: FuncOp, inputs: list[bytes]) -> list[bytes]:
    held: dict[SSAValue, bytes] = dict(zip(func.body.block.args, inputs, strict=True))
    for op in func.body.block.ops:
        match op:
            case ConstantOp():
                held[op.result] = expand(op.value)
            case ReshapeOp():
                held[op.result] = held[op.x]
            case nn.CallOp():
                read = [held[v] for v in op.inputs]
                for number, out in enumerate(op.outputs):
                    name = op.callee.string_value()
                    held[out] = result_of(name, number, read, byte_size(out.type))
    return [held[v] for v in func.body.block.last_op.operands]


def run_program(program: ProgramOp, inputs: list[bytes]) -> list[bytes]:
    """Run a planned program as the C program does: regions of bytes and offsets into them."""
    arena = memoryview(bytearray(b"\xaa" * program.arena_bytes.value.data))
    file = memoryview(bytearray(program.weight_bytes.value.data))
    outputs = [memoryview(bytearray(memref_bytes(v.type))) for v in program.outputs]
    at: dict[SSAValue, memoryview] = {}
    at.update(zip(program.inputs, map(memoryview, inputs), strict=True))
    at.update(zip(program.outputs, outputs, strict=True))
    for op in program.body.block.ops:
        match op:
            case WeightOp() | BufferOp():
                offset, size = op.offset.value.data, memref_bytes(op.result.type)
                region = file if isinstance(op, WeightOp) else arena
                at[op.result] = region[offset : offset + size]
                assert len(at[op.result]) == size
                if isinstance(op, WeightOp):
                    at[op.result][:] = expand(op.value)
            case ViewOp():
                at[op.result] = at[op.source]
    for op in program.body.block.ops:
        match op:
            case CopyOp():
                at[op.target][:] = at[op.source]
            case CallOp():
                # A kernel may write any part of its outputs before it has read all inputs.
                for out in op.outputs:
                    at[out][:] = b"\x55" * len(at[out])
                read = [bytes(at[v]) for v in op.inputs]
                for number, out in enumerate(op.outputs):
                    at[out][:] = result_of(op.callee.string_value(), number, read, len(at[out]))
    return [bytes(output) for output in outputs]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_a_planned_program_computes_what_its_graph_does(seed: int, reuse: bool):
    module, scratch = random_graph(random.Random(seed))
    module.verify()
    func = next(op for op in module.ops if isinstance(op, FuncOp))
    inputs = [
        result_of("input", number, [], byte_size(argument.type))
        for number, argument in enumerate(func.body.block.args)
    ]
    expected = run_graph(func, inputs)
    for step in (ConvertNnToDriverPass(), PlanMemoryPass(reuse=reuse), PlaceWeightsPass()):
        step.apply(Context(), module)
        module.verify()
    program = next(op for op in module.ops if isinstance(op, ProgramOp))
    assert program.scratch_bytes == (None if scratch is None else IntegerAttr(scratch, i64))
    assert program.arena_bytes.value.data % ALIGNMENT == 0
    assert run_program(program, inputs) == expected
