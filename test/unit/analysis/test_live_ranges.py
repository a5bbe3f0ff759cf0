"""Live ranges of the buffers of a driver program."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import MemRefType, f32, i8
from xdsl.ir import Block as IRBlock

from autodeploy.analysis.live_ranges import calls_of, live_ranges
from autodeploy.analysis.memory_map import lower_bound, memory_map
from autodeploy.analysis.memory_planner import Block
from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    CopyOp,
    ProgramOp,
    ViewOp,
    WeightOp,
    storage_of,
)
from autodeploy.dialects.nn.constant import DenseAttr
from autodeploy.dialects.nn.types import tensor

ROW = MemRefType(f32, [4])
SQUARE = MemRefType(f32, [2, 2])


class Builder:
    """A program from one input to one output, both four floats."""

    def __init__(self) -> None:
        self.block = IRBlock(arg_types=[ROW, ROW])
        self.x, self.y = self.block.args

    def add(self, op):
        self.block.add_op(op)
        return op

    def buffer(self, type_=ROW):
        return self.add(BufferOp(type_)).result

    def call(self, inputs, outputs, name: str = "k"):
        return self.add(CallOp(name, inputs, outputs))

    def program(self) -> ProgramOp:
        return ProgramOp("net", ["x"], ["y"], self.block)


def ranges(program: ProgramOp) -> list[Block]:
    return list(live_ranges(program).values())


def test_a_buffer_lives_from_its_first_call_to_its_last():
    build = Builder()
    a, b = build.buffer(), build.buffer()
    build.call([build.x], [a])
    build.call([a], [b])
    build.call([b], [build.y])
    assert ranges(build.program()) == [Block(16, 0, 1), Block(16, 1, 2)]


def test_a_buffer_lives_between_distant_calls():
    build = Builder()
    a, b = build.buffer(), build.buffer()
    build.call([build.x], [a])
    build.call([build.x], [b])
    build.call([build.x], [build.y])
    build.call([b, a], [build.y])
    assert ranges(build.program()) == [Block(16, 0, 3), Block(16, 1, 3)]


def test_uses_through_views_of_views_count():
    build = Builder()
    a = build.buffer()
    square = build.add(ViewOp(a, SQUARE)).result
    row = build.add(ViewOp(square, ROW)).result
    build.call([build.x], [square])
    build.call([build.x], [build.y])
    build.call([row], [build.y])
    program = build.program()
    assert ranges(program) == [Block(16, 0, 2)]
    assert storage_of(row) is a
    assert storage_of(program.inputs[0]) is program.inputs[0]


def test_copies_are_calls():
    build = Builder()
    a, b = build.buffer(), build.buffer(SQUARE)
    first = build.add(CopyOp(build.x, a))
    second = build.add(CopyOp(a, b))
    third = build.add(CopyOp(b, build.y))
    program = build.program()
    assert calls_of(program) == [first, second, third]
    assert ranges(program) == [Block(16, 0, 1), Block(16, 1, 2)]


def test_weights_views_and_buffers_are_no_calls():
    build = Builder()
    weight = build.add(WeightOp(DenseAttr(bytes(4), tensor(f32, [4])))).result
    build.buffer()
    build.add(ViewOp(weight, SQUARE))
    call = build.call([weight], [build.y])
    assert calls_of(build.program()) == [call]


@pytest.mark.parametrize("calls", [0, 2])
def test_a_buffer_that_no_call_names_is_alive_at_the_first(calls: int):
    build = Builder()
    build.add(ViewOp(build.buffer(), SQUARE))
    for _ in range(calls):
        build.call([build.x], [build.y])
    assert ranges(build.program()) == [Block(16, 0, 0)]


def test_the_order_is_that_of_the_text_and_sizes_are_unrounded():
    build = Builder()
    late, early = build.buffer(MemRefType(i8, [3])), build.buffer(MemRefType(f32, [0]))
    build.call([build.x], [early])
    build.call([early], [late])
    found = live_ranges(build.program())
    assert [op.result for op in found] == [late, early]
    assert list(found.values()) == [Block(3, 1, 1), Block(0, 0, 1)]


def test_the_map_leaves_out_unplanned_blocks():
    build = Builder()
    build.call([build.x], [build.buffer()])
    program = build.program()
    assert lower_bound(program) == 64
    assert memory_map(program).splitlines()[1:] == [
        "arena 0 bytes, largest live sum 64 bytes, ratio 0.000"
    ]


def test_the_map_of_a_program_without_buffers():
    build = Builder()
    build.call([build.x], [build.y])
    assert memory_map(build.program()).splitlines()[1:] == [
        "arena 0 bytes, largest live sum 0 bytes, ratio 1.000"
    ]
