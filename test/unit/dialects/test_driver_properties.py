"""The driver dialect over random programs: text is lossless."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, IntegerAttr, MemRefType, ModuleOp, UnitAttr, i1, i32, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser

from autodeploy.dialects.driver import (
    DRIVER,
    BufferOp,
    CallOp,
    CopyOp,
    ProgramOp,
    ViewOp,
    WeightOp,
    buffer_of,
)
from autodeploy.dialects.halide import HALIDE
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, YieldOp
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.memref import ALIGNMENT, memref_bytes
from autodeploy.dialects.nn import NN
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.nn.types import ELEMENT_BYTES, tensor

ELEMENTS = st.sampled_from(list(ELEMENT_BYTES))
SHAPES = st.lists(st.integers(0, 4), max_size=3)
ASCII = st.text(st.characters(max_codepoint=127))
SIZES = st.none() | st.integers(0, 2**62)


def reread(module: ModuleOp) -> ModuleOp:
    ctx = Context()
    for dialect in (Builtin, NN, HALIDE, DRIVER):
        ctx.load_dialect(dialect)
    read = Parser(ctx, str(module)).parse_module()
    read.verify()
    return read


def pipeline(name: str, source: MemRefType, scratch: int | None) -> PipelineOp:
    """Build a kernel that copies a buffer to another one of its type."""
    buffer = buffer_of(source)
    block = Block(arg_types=[buffer, buffer])
    x, y = block.args
    rank = len(buffer.extents)
    point = Block(arg_types=[i32] * rank)
    load = LoadOp(x, point.args)
    point.add_ops([load, YieldOp(load.result)])
    func = FuncOp("f", [f"v{i}" for i in range(rank)], point, buffer.element)
    block.add_ops([func, OutputOp(func.result, y)])
    return PipelineOp(name, 1, block, ConfigAttr("plain"), scratch)


@st.composite
def offsets(draw: st.DrawFn) -> int | None:
    return draw(st.none() | st.integers(0, 2**40).map(lambda n: n * ALIGNMENT))


@st.composite
def weights(draw: st.DrawFn) -> WeightOp:
    type_ = tensor(draw(ELEMENTS), draw(SHAPES))
    size = ELEMENT_BYTES[type_.get_element_type()]
    data = draw(st.binary(min_size=size, max_size=size))
    if type_.get_element_type() == i1:
        data = bytes([data[0] % 2])
    value = DenseAttr(data, type_) if draw(st.booleans()) else WeightAttr(draw(ASCII), type_)
    return WeightOp(value, draw(offsets()))


@st.composite
def modules(draw: st.DrawFn) -> ModuleOp:
    types = [MemRefType(draw(ELEMENTS), draw(SHAPES)) for _ in range(draw(st.integers(1, 4)))]
    block = Block(arg_types=types)
    inputs = draw(st.integers(0, len(types)))
    readable: list[SSAValue] = list(block.args)
    writable: list[SSAValue] = list(block.args[inputs:])
    pipelines: list[PipelineOp] = []

    def add(op: Operation, *lists: list[SSAValue]) -> None:
        block.add_op(op)
        for values in lists:
            values.extend(op.results)

    for _ in range(draw(st.integers(1, 12))):
        source = draw(st.sampled_from(readable))
        same_bytes = [
            v for v in writable
            if memref_bytes(v.type) == memref_bytes(source.type) and v is not source
        ]  # fmt: skip
        match draw(st.integers(0, 4)):
            case 0:
                add(draw(weights()), readable)
            case 1:
                type_ = MemRefType(draw(ELEMENTS), draw(SHAPES))
                add(BufferOp(type_, draw(offsets())), readable, writable)
            case 2:
                count = math.prod(source.type.get_shape())
                shape = draw(st.sampled_from([[count], [1, count], [*source.type.get_shape(), 1]]))
                add(ViewOp(source, MemRefType(source.type.element_type, shape)), readable)
            case 3 if same_bytes and not isinstance(source.owner, ViewOp):
                add(CopyOp(source, draw(st.sampled_from(same_bytes))))
            case _:
                name = f"k{len(pipelines)}"
                pipelines.append(pipeline(name, source.type, draw(SIZES)))
                buffer = BufferOp(source.type)
                add(buffer, readable, writable)
                add(CallOp(name, [source], [buffer.result]))
    names = draw(st.lists(ASCII, min_size=len(types), max_size=len(types), unique=True))
    name = draw(st.text(st.characters(codec="utf-8")).filter(lambda text: text[:1] != "k"))
    program = ProgramOp(name, names[:inputs], names[inputs:], block)
    for size in ("arena_bytes", "weight_bytes", "worker_scratch_bytes"):
        if (number := draw(SIZES)) is not None:
            program.properties[size] = IntegerAttr(number, i64)
    program.embedded = draw(st.sampled_from([None, UnitAttr()]))
    if (count := draw(st.none() | st.integers(1, 1024))) is not None:
        program.threads = IntegerAttr(count, i64)
    return ModuleOp([*pipelines, program])


@pytest.mark.exhaustive
@settings(max_examples=150)
@given(modules())
def test_any_program_reads_back_as_it_was(module: ModuleOp):
    module.verify()
    read = reread(module)
    assert module.is_structurally_equivalent(read)
    assert str(read) == str(module)
