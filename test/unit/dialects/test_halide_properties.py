"""Random pipelines print, parse and print again as the same text, and verify."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, f32, i1, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.parser import Parser

from autodeploy.codegen.halide.source import emit_source
from autodeploy.dialects.halide import HALIDE
from autodeploy.dialects.halide import algorithm as alg
from autodeploy.dialects.halide import expression as ex
from autodeploy.dialects.halide import schedule as sch
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.types import BufferType, FuncType
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.types import ELEMENT_BYTES, is_bool, is_float

ELEMENTS = st.sampled_from(list(ELEMENT_BYTES))
NAMES = st.sampled_from(["x", "y", "c", "n", "for", "select", "co", "ci_0", "long_name"])
FLOAT_OPS = (ex.ExpOp, ex.LogOp, ex.SqrtOp, ex.SinOp, ex.CosOp, ex.TanhOp, ex.ErfOp, ex.FloorOp)
FLOAT_OPS += (ex.CeilOp, ex.RoundOp, ex.StrictOp, ex.LikelyOp, ex.AbsOp)
BINARY_OPS = (ex.AddOp, ex.SubOp, ex.MulOp, ex.DivOp, ex.ModOp, ex.MinOp, ex.MaxOp)
COMPARE_OPS = (ex.EqOp, ex.LtOp, ex.LeOp)


def constants(type_: Attribute) -> st.SearchStrategy[float | int]:
    if is_float(type_):
        return st.floats()
    return st.integers(0, 1) if is_bool(type_) else st.integers(-(1 << 63), (1 << 63) - 1)


class Region:
    """Builds a block of random ops; ``value`` makes one of a type that is asked for."""

    def __init__(self, draw: Callable, sources: list[SSAValue], rank: int):
        self.draw = draw
        self.sources = sources
        self.block = Block(arg_types=[i32] * rank)

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def value(self, type_: Attribute, depth: int) -> SSAValue:
        if type_ == i32 and self.block.args and self.draw(st.booleans()):
            return self.draw(st.sampled_from(list(self.block.args)))
        sources = [s for s in self.sources if s.type.element == type_]
        kind = self.draw(st.integers(0, 5 if depth else 1))
        if kind == 1 and sources:
            source = self.draw(st.sampled_from(sources))
            rank = source.type.rank if isinstance(source.type, FuncType) else None
            count = len(source.type.extents) if rank is None else rank
            return self.add(alg.LoadOp(source, [self.value(i32, 0) for _ in range(count)]))
        if kind < 2:
            return self.add(ex.ConstOp(self.draw(constants(type_)), type_))
        if kind == 2 and is_float(type_):
            return self.add(self.draw(st.sampled_from(FLOAT_OPS))(self.value(type_, depth - 1)))
        if kind == 3 and not is_bool(type_):
            binary = self.draw(st.sampled_from(BINARY_OPS))
            return self.add(binary(self.value(type_, depth - 1), self.value(type_, depth - 1)))
        if kind == 4 and not is_bool(type_):
            return self.add(ex.CastOp(self.value(self.draw(ELEMENTS), depth - 1), type_))
        if type_ == i1:
            other = self.draw(ELEMENTS)
            compare = self.draw(st.sampled_from(COMPARE_OPS))
            return self.add(compare(self.value(other, depth - 1), self.value(other, depth - 1)))
        condition = self.value(i1, depth - 1)
        both = [self.value(type_, depth - 1) for _ in range(2)]
        return self.add(ex.SelectOp(condition, *both))


@st.composite
def buffers(draw: Callable) -> BufferType:
    extents = draw(st.lists(st.integers(0, 9), max_size=3))
    strides = None
    if draw(st.booleans()):
        strides = draw(
            st.lists(st.integers(-50, 500), min_size=len(extents), max_size=len(extents))
        )
    return BufferType(draw(ELEMENTS), extents, strides)


@st.composite
def pipelines(draw: Callable, name: str) -> PipelineOp:
    inputs = draw(st.lists(buffers(), max_size=2))
    element, names = draw(ELEMENTS), draw(st.lists(NAMES, max_size=3, unique=True))
    rank = len(names)
    output = BufferType(element, draw(st.lists(st.integers(1, 9), min_size=rank, max_size=rank)))
    block = Block(arg_types=[*inputs, output])
    region = Region(draw, list(block.args[:-1]), rank)
    region.block.add_op(alg.YieldOp(region.value(element, 2)))
    func = alg.FuncOp("f", names, region.block, element)
    block.add_op(func)
    for _ in range(draw(st.integers(0, 2))):
        free = [n for n in ("r", "s", "rx", "while") if n not in names]
        chosen = draw(st.lists(st.sampled_from(free), min_size=1, max_size=3, unique=True))
        rdom = [(n, draw(st.integers(-5, 5)), draw(st.integers(1, 9))) for n in chosen]
        region = Region(draw, [*block.args[:-1], func.result], rank + len(rdom))
        region.block.add_op(alg.YieldOp(region.value(element, 2)))
        block.add_op(alg.UpdateOp(func.result, names, rdom, region.block))
    block.add_op(OutputOp(func.result, block.args[-1]))
    if names and draw(st.booleans()):
        block.add_op(sch.ScheduleOp(draw(schedules(func, output.extents))))
    config = draw(st.none() | st.just(ConfigAttr("gemm", {"tile": (4, 32)})))
    return PipelineOp(name, 1, block, config)


@st.composite
def schedules(draw: Callable, func: alg.FuncOp, extents: Sequence[int]) -> Block:
    """Draw a schedule of a func of these extents, with no tile that exceeds its loop."""
    loops, value, block = list(func.var_names), func.result, Block()
    iterations = dict(zip(loops, extents, strict=True))
    whole = set(loops)  # no tiles, of which the last one may overlap the one before
    for number in range(draw(st.integers(0, 5))):
        loop = draw(st.sampled_from(loops))
        kind = draw(st.integers(0, 6))
        if kind == 0:
            new = [f"{loop}_o{number}", f"{loop}_i{number}"]
            tail = draw(st.sampled_from(list(sch.Tail)))
            factor = draw(st.integers(1, iterations[loop]))
            if tail is sch.Tail.ROUND_UP and iterations[loop] % factor:
                continue
            block.add_op(sch.SplitOp(value, loop, *new, factor, tail))
            iterations |= {new[0]: -(-iterations[loop] // factor), new[1]: factor}
            loops[loops.index(loop) : loops.index(loop) + 1] = new
        elif kind == 1:
            block.add_op(sch.ReorderOp(value, draw(st.permutations(loops))))
        elif kind == 2:
            op = draw(st.sampled_from([sch.VectorizeOp, sch.UnrollOp, sch.ParallelOp]))
            if op is sch.ParallelOp and loop not in whole:
                continue
            most = 1 if op is sch.ParallelOp else iterations[loop]
            factor = draw(st.none() | st.integers(1, most))
            block.add_op(op(value, loop, factor))
            if factor is not None:  # the loop is over the tiles then
                iterations[loop] = -(-iterations[loop] // factor)
                whole -= {loop}
        elif kind == 3:
            block.add_op(sch.StoreInOp(value, draw(st.sampled_from(list(sch.Memory)))))
        elif kind == 4:
            dimension = draw(st.sampled_from(func.var_names))
            low = draw(st.integers(-9, 9))
            block.add_op(sch.BoundOp(value, dimension, low, draw(st.integers(1, 99))))
        elif kind == 5:
            block.add_op(sch.AlignStorageOp(value, draw(st.sampled_from(func.var_names)), 16))
        elif len(loops) > 1:
            pair = draw(st.permutations(loops))[:2]
            fused = f"fused{number}"
            block.add_op(sch.FuseOp(value, *pair, fused))
            iterations[fused] = iterations[pair[0]] * iterations[pair[1]]
            loops = [name for name in loops if name not in pair] + [fused]
    return block


def parse(text: str) -> ModuleOp:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(HALIDE)
    return Parser(context, text).parse_module()


def printed(*names: str) -> st.SearchStrategy[str]:
    """Return the text of modules with pipelines of these names: short where a test fails."""
    every = st.tuples(*map(pipelines, names))
    return every.map(lambda some: str(ModuleOp(list(some))))


@settings(max_examples=20)
@given(printed("first", "second"))
def test_round_trip(text: str) -> None:
    module = parse(text)
    module.verify()
    assert str(module) == text
    assert module.is_structurally_equivalent(parse(str(module)))


@settings(max_examples=20)
@given(printed("kernel"))
def test_cpp_of_any_pipeline(text: str) -> None:
    cpp = emit_source(parse(text))
    assert cpp == emit_source(parse(text))
    assert cpp.count("{") == cpp.count("}") and cpp.count("(") == cpp.count(")")
    assert max(map(len, cpp.splitlines())) <= 160


@given(st.floats(), st.sampled_from([f32, *(t for t in ELEMENT_BYTES if is_float(t))]))
def test_constants_keep_their_value(value: float, type_: Attribute) -> None:
    op = ex.ConstOp(value, type_)
    (again,) = parse(str(op)).body.block.ops
    assert isinstance(again, ex.ConstOp)
    assert repr(again.value.value.data) == repr(value)
