"""Random graphs of calls, run as graphs and as planned programs on one arena: equal outputs.

A kernel is a hash of all elements that it reads, so a buffer that is overwritten too early, a view
of the wrong elements or a weight at the wrong place changes an output.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, f32, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    CopyOp,
    ProgramOp,
    ViewOp,
    WeightOp,
    buffer_of,
)
from autodeploy.dialects.halide import algorithm as h
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.memref import ALIGNMENT, memref_bytes, memref_of, memref_strides
from autodeploy.dialects.nn import kernel as nn
from autodeploy.dialects.nn.constant import ConstantOp, DenseAttr
from autodeploy.dialects.nn.movement import ConcatOp, ReshapeOp, SliceOp, TransposeOp
from autodeploy.dialects.nn.types import tensor
from autodeploy.lowering.nn_to_driver.convert_nn_to_driver import ConvertNnToDriverPass
from autodeploy.passes.driver.elide_copies import ElideCopiesPass
from autodeploy.passes.driver.place_weights import PlaceWeightsPass
from autodeploy.passes.driver.plan_memory import PlanMemoryPass
from autodeploy.passes.kernels.form_copies import FormCopiesPass

Array = np.ndarray
EXTENTS = [1, 2, 3, 4]


def kernel(name: str, inputs: list[SSAValue], output_types: list, scratch: int) -> PipelineOp:
    """Build a pipeline of this signature; what it computes does not matter here."""
    types = [buffer_of(memref_of(t)) for t in (*(v.type for v in inputs), *output_types)]
    block = Block(arg_types=types)
    for number, output in enumerate(block.args[len(inputs) :]):
        point = Block(arg_types=[i32] * len(output.type.extents))
        load = h.LoadOp(block.args[0], point.args)
        point.add_ops([load, h.YieldOp(load.result)])
        names = [f"v{i}" for i in range(len(output.type.extents))]
        func = h.FuncOp(f"f{number}", names, point, f32)
        block.add_ops([func, OutputOp(func.result, output)])
    return PipelineOp(name, len(output_types), block, None, scratch)


def result_of(name: str, number: int, inputs: list[Array], shape: tuple[int, ...]) -> Array:
    read = [(x.shape, x.tobytes()) for x in inputs]
    size = 4 * math.prod(shape)
    data = hashlib.shake_128(repr((name, number, read)).encode()).digest(size)
    return np.frombuffer(data, np.uint32).reshape(shape)


def random_graph(rng: random.Random) -> ModuleOp:
    """Build a module of calls, movements and constants."""
    types = [tensor(f32, extents(rng)) for _ in range(rng.randrange(3))]
    block = Block(arg_types=types)
    values: list[SSAValue] = list(block.args)
    pipelines: list[PipelineOp] = []
    for number in range(rng.randrange(1, 20)):
        choice = rng.random() if values else 0
        if choice < 0.1:
            data = bytes([rng.randrange(3)] * 4)
            op = ConstantOp(DenseAttr(data, tensor(f32, extents(rng))))
        elif choice < 0.5:
            op = random_movement(rng, values)
        else:
            inputs = [some(rng, values) for _ in range(rng.randrange(1, 4))]
            # The stand-in kernels load their first input at the points of the output.
            rank = len(inputs[0].type.get_shape())
            outputs = [tensor(f32, extents(rng, rank)) for _ in range(rng.choice([1, 1, 2]))]
            name = f"k{number}"
            pipelines.append(kernel(name, inputs, outputs, 16 * rng.randrange(9)))
            op = nn.CallOp(name, inputs, outputs)
        block.add_op(op)
        values += op.results
    results = [values[-1], *(some(rng, values) for _ in range(rng.randrange(4)))]
    block.add_op(ReturnOp(*results))
    func = FuncOp("main", (types, [v.type for v in results]), Region(block))
    return ModuleOp([*pipelines, func], {"nn.model": StringAttr("net")})


def extents(rng: random.Random, rank: int | None = None) -> list[int]:
    return [rng.choice(EXTENTS) for _ in range(rng.randrange(1, 4) if rank is None else rank)]


def random_movement(rng: random.Random, values: list[SSAValue]):
    x = some(rng, values)
    shape = x.type.get_shape()
    axis = rng.randrange(len(shape))
    match rng.randrange(6):
        case 0:
            count = math.prod(shape)
            pairs = [[n, count // n] for n in EXTENTS if count % n == 0]
            return ReshapeOp(x, rng.choice([[count], [1, count], [count, 1], *pairs]))
        case 1:
            sizes = [rng.randint(1, n) for n in shape]
            starts = [rng.randint(0, n - size) for n, size in zip(shape, sizes, strict=True)]
            return SliceOp(x, starts, sizes, [1] * len(shape))
        case 2:
            sizes = [-(-n // 2) if a == axis else n for a, n in enumerate(shape)]
            steps = [2 if a == axis else 1 for a in range(len(shape))]
            op = SliceOp(x, [0] * len(shape), sizes, steps)
            return op if op.is_view else ReshapeOp(x, shape)
        case 3:
            return TransposeOp(x, rng.sample(range(len(shape)), len(shape)))
        case _:
            fitting = [
                v for v in values
                if len(v.type.get_shape()) == len(shape)
                and all(
                    a == axis or m == n
                    for a, (m, n) in enumerate(zip(v.type.get_shape(), shape, strict=True))
                )
            ]  # fmt: skip
            return ConcatOp([some(rng, fitting) for _ in range(rng.randrange(1, 4))], axis)


def some(rng: random.Random, values: list[SSAValue]) -> SSAValue:
    """Choose a value, mostly a late one, so that chains form."""
    return rng.choice(values[-4:] if rng.random() < 0.8 else values)


def expand(value: DenseAttr) -> Array:
    return np.full(value.type.get_shape(), np.frombuffer(value.data.data, np.uint32)[0])


def run_graph(func: FuncOp, inputs: list[Array]) -> list[Array]:
    held: dict[SSAValue, Array] = dict(zip(func.body.block.args, inputs, strict=True))
    for op in func.body.block.ops:
        match op:
            case ConstantOp():
                held[op.result] = expand(op.value)
            case ReshapeOp():
                held[op.result] = held[op.x].reshape(op.result.type.get_shape())
            case SliceOp():
                starts, sizes, steps = (p.get_values() for p in (op.starts, op.sizes, op.steps))
                spans = zip(starts, sizes, steps, strict=True)
                held[op.result] = held[op.x][tuple(slice(a, a + n * s, s) for a, n, s in spans)]
            case TransposeOp():
                held[op.result] = held[op.x].transpose(op.permutation.get_values())
            case ConcatOp():
                parts = [held[v] for v in op.inputs]
                held[op.result] = np.concatenate(parts, op.axis.value.data)
            case nn.CallOp():
                read = [held[v] for v in op.inputs]
                for number, out in enumerate(op.outputs):
                    name = op.callee.string_value()
                    held[out] = result_of(name, number, read, out.type.get_shape())
    return [held[v] for v in func.body.block.last_op.operands]


def run_program(program: ProgramOp, inputs: list[Array], scratch: Mapping[str, int]) -> list[Array]:
    """Run a planned program as the C program does: regions of elements and offsets into them.

    ``scratch`` is how many bytes of the arena each kernel works in.
    """
    arena = np.full(program.arena_bytes.value.data // 4, 0xAAAAAAAA, np.uint32)
    file = np.zeros(program.weight_bytes.value.data // 4, np.uint32)
    outputs = [np.zeros(v.type.get_shape(), np.uint32) for v in program.outputs]
    # Where each value lies: its region, and the element of it that is the first.
    at: dict[SSAValue, tuple[Array, int]] = {}
    for value, array in zip(program.body.block.args, [*inputs, *outputs], strict=True):
        at[value] = array.reshape(-1), 0

    def memory_of(output: IntegerAttr | None) -> Array:
        """Return the arena, or the memory of the output that a buffer lies in."""
        return arena if output is None else outputs[output.value.data].reshape(-1)

    def view(value: SSAValue) -> Array:
        region, first = at[value]
        strides = [4 * stride for stride in memref_strides(value.type)]
        return np.lib.stride_tricks.as_strided(region[first:], value.type.get_shape(), strides)

    for op in program.body.block.ops:
        match op:
            case WeightOp() | BufferOp():
                offset, size = op.offset.value.data, memref_bytes(op.result.type)
                region = file if isinstance(op, WeightOp) else memory_of(op.output)
                at[op.result] = region, offset // 4
                assert offset + size <= 4 * len(region)
                if isinstance(op, WeightOp):
                    view(op.result)[:] = expand(op.value)
            case ViewOp():
                region, first = at[op.source]
                at[op.result] = region, first + op.elements_before
    for op in program.body.block.ops:
        match op:
            case CopyOp():
                view(op.target)[:] = view(op.source).reshape(op.target.type.get_shape())
            case CallOp():
                if working := scratch.get(op.callee.string_value(), 0):
                    start, region = op.scratch.value.data // 4, memory_of(op.scratch_output)
                    end = start + -(-working // 4)
                    assert end <= len(region)
                    region[start:end] = 0xCCCCCCCC
                # A kernel may write any part of its outputs before it has read all inputs.
                for out in op.outputs:
                    view(out)[:] = 0x55555555
                read = [view(v) for v in op.inputs]
                name = op.callee.string_value().partition("_strided")[0]
                for number, out in enumerate(op.outputs):
                    shape = out.type.get_shape()
                    is_copy = name.startswith("copy")
                    view(out)[:] = read[0] if is_copy else result_of(name, number, read, shape)
    return outputs


@pytest.mark.exhaustive
@settings(max_examples=200)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_a_planned_program_agrees_with_its_graph(seed: int, reuse: bool, elide: bool):
    module = random_graph(random.Random(seed))
    module.verify()
    func = next(op for op in module.ops if isinstance(op, FuncOp))
    inputs = [
        result_of("input", number, [], argument.type.get_shape())
        for number, argument in enumerate(func.body.block.args)
    ]
    expected = run_graph(func, inputs)
    steps = [ConvertNnToDriverPass(), FormCopiesPass()]
    steps[1:1] = [ElideCopiesPass()] if elide else []
    for step in (*steps, PlanMemoryPass(reuse=reuse), PlaceWeightsPass()):
        step.apply(Context(), module)
        module.verify()
    program = next(op for op in module.ops if isinstance(op, ProgramOp))
    assert program.arena_bytes.value.data % ALIGNMENT == 0
    pipelines = [op for op in module.ops if isinstance(op, PipelineOp)]
    working = {p.sym_name.data: p.scratch_bytes.value.data for p in pipelines if p.scratch_bytes}
    found = run_program(program, inputs, working)
    for want, got in zip(expected, found, strict=True):
        np.testing.assert_array_equal(got, want)
