"""The spelling of each op of the halide dialect: the one table of both Halide emitters.

An entry names the operator or the function of Halide's API, which the C++ and the Python interface
share. Both emitters walk a pipeline by these tables and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, bf16, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.str_enum import StrEnum

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.halide import expression as ex
from autodeploy.dialects.halide import gpu_schedule, prefetch
from autodeploy.dialects.halide import schedule as sch
from autodeploy.dialects.halide.call_values import CallValueOp, ExtentOp, StrideOp
from autodeploy.dialects.halide.loops import Loops
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.tensor_cores import TensorCoresOp
from autodeploy.dialects.nn.types import ui8, ui16, ui32, ui64

_Entry = TypeVar("_Entry")


class ElementSpelling(NamedTuple):
    """An element type: its C++ name, and Halide's ``Int(8)`` as constructor and bits."""

    cpp: str
    constructor: str
    bits: int


ELEMENTS: Mapping[Attribute, ElementSpelling] = {
    f64: ElementSpelling("double", "Float", 64),
    f32: ElementSpelling("float", "Float", 32),
    f16: ElementSpelling("float16_t", "Float", 16),
    bf16: ElementSpelling("bfloat16_t", "BFloat", 16),
    i64: ElementSpelling("int64_t", "Int", 64),
    i32: ElementSpelling("int32_t", "Int", 32),
    i16: ElementSpelling("int16_t", "Int", 16),
    i8: ElementSpelling("int8_t", "Int", 8),
    ui64: ElementSpelling("uint64_t", "UInt", 64),
    ui32: ElementSpelling("uint32_t", "UInt", 32),
    ui16: ElementSpelling("uint16_t", "UInt", 16),
    ui8: ElementSpelling("uint8_t", "UInt", 8),
    i1: ElementSpelling("bool", "UInt", 1),
}


class Infix(NamedTuple):
    """An operator between two operands; a smaller ``rank`` binds tighter, as in C++."""

    symbol: str
    rank: int


class Prefix(NamedTuple):
    """An operator before its one operand."""

    symbol: str


class Call(NamedTuple):
    """A function of Halide.

    With ``turns_unsigned`` it makes a signed integer an unsigned one, which is cast back.
    """

    function: str
    turns_unsigned: bool = False

    def needs_cast(self, type_: Attribute) -> bool:
        """Return whether the result must be cast back to ``type_``."""
        return self.turns_unsigned and type_ in (i8, i16, i32, i64)


class Cast(NamedTuple):
    """A conversion to the type of the result, by a function that is told the type."""

    function: str


EXPRESSIONS: Mapping[type[Operation], Infix | Prefix | Call | Cast] = {
    ex.MulOp: Infix("*", 5),
    ex.DivOp: Infix("/", 5),
    ex.ModOp: Infix("%", 5),
    ex.AddOp: Infix("+", 6),
    ex.SubOp: Infix("-", 6),
    ex.LtOp: Infix("<", 9),
    ex.LeOp: Infix("<=", 9),
    ex.EqOp: Infix("==", 10),
    ex.BitAndOp: Infix("&", 11),
    ex.BitXorOp: Infix("^", 12),
    ex.BitOrOp: Infix("|", 13),
    ex.AndOp: Infix("&&", 14),
    ex.OrOp: Infix("||", 15),
    ex.NotOp: Prefix("!"),
    ex.SaturatingAddOp: Call("saturating_add"),
    ex.MinOp: Call("min"),
    ex.MaxOp: Call("max"),
    ex.PowOp: Call("pow"),
    ex.AbsOp: Call("abs", turns_unsigned=True),
    ex.ExpOp: Call("exp"),
    ex.LogOp: Call("log"),
    ex.SqrtOp: Call("sqrt"),
    ex.SinOp: Call("sin"),
    ex.CosOp: Call("cos"),
    ex.TanhOp: Call("tanh"),
    ex.ErfOp: Call("erf"),
    ex.FloorOp: Call("floor"),
    ex.CeilOp: Call("ceil"),
    ex.RoundOp: Call("round"),
    ex.StrictOp: Call("strict_float"),
    ex.LikelyOp: Call("likely"),
    ex.IsNanOp: Call("is_nan"),
    ex.SelectOp: Call("select"),
    ex.CastOp: Cast("cast"),
    ex.ReinterpretOp: Cast("reinterpret"),
}
"""The ops that compute a scalar; constants and loads are apart."""


class Loop(NamedTuple):
    """An argument that names a loop of the func's stage."""

    name: str


class ConsumerLoop(NamedTuple):
    """Two arguments: another func, and the name of a loop of any stage of it."""

    func: SSAValue
    name: str


class Source(NamedTuple):
    """An argument that is a buffer."""

    value: SSAValue


class Enumerator(NamedTuple):
    """An argument that is a value of a Halide enumeration."""

    enumeration: str
    name: str


Argument = Loop | ConsumerLoop | Source | Enumerator | int


def _enumerator(enumeration: str, value: StrEnum) -> Enumerator:
    """Return what Halide calls a value of an enumeration of the dialect: its words, in capitals."""
    words = value.name.split("_")
    return Enumerator(enumeration, "".join(w if w in ("AMX", "GPU") else w.title() for w in words))


class Directive(NamedTuple):
    """One scheduling call: ``stage`` is None for a call on the func as a whole."""

    func: SSAValue
    stage: int | None
    method: str
    arguments: tuple[Argument, ...]


def _number(value: IntegerAttr) -> int:
    return value.value.data


def directive(op: sch.FuncScheduleOp) -> Directive:
    """Return the scheduling call that an op is; the call has the op's own name."""
    arguments: tuple[Argument, ...]
    match op:
        case sch.SplitOp():
            names = (op.old.data, op.outer.data, op.inner.data)
            arguments = (*map(Loop, names), _number(op.factor))
            if op.tail.data is not sch.Tail.AUTO:
                arguments += (_enumerator("TailStrategy", op.tail.data),)
        case sch.FuseOp():
            arguments = tuple(map(Loop, (op.inner.data, op.outer.data, op.fused.data)))
        case sch.ReorderOp() | gpu_schedule.GpuLoopsOp():
            arguments = tuple(Loop(v.data) for v in op.vars)
        case sch.LoopOp():
            factor = () if op.factor is None else (_number(op.factor),)
            arguments = (Loop(op.var.data), *factor)
        case sch.ComputeAtOp() | sch.StoreAtOp():
            arguments = (ConsumerLoop(op.consumer, op.var.data),)
        case prefetch.PrefetchOp():
            # The address may be after the buffer, which is no fault of a prefetch.
            strategy = Enumerator("PrefetchBoundStrategy", "NonFaulting")
            loops = Loop(op.var.data), Loop(op.source.data)
            arguments = (Source(op.buffer), *loops, _number(op.offset), strategy)
        case prefetch.PartitionOp():
            arguments = (Loop(op.var.data), _enumerator("Partition", op.policy.data))
        case sch.StoreInOp():
            arguments = (_enumerator("MemoryType", op.memory.data),)
        case sch.AtomicOp():
            arguments = () if op.any_order is None else (1,)
        case sch.BoundOp():
            arguments = (Loop(op.var.data), _number(op.min), _number(op.extent))
        case sch.ExtentOp():
            arguments = (Loop(op.var.data), _number(op.extent))
        case sch.AlignStorageOp():
            arguments = (Loop(op.var.data), _number(op.alignment))
        case _:
            arguments = ()
    stage = op.stage_index if isinstance(op, sch.StageOp) else None
    return Directive(op.func, stage, op.name.removeprefix("halide."), arguments)


def spelling(table: Mapping[type[Operation], _Entry], op: Operation) -> _Entry:
    """Return the table's entry for an op.

    Raises ``UnsupportedError``, naming op and pipeline, for one that is not in the table.
    """
    entry = table.get(type(op))
    if entry is None:
        raise UnsupportedError(f"{op.name} in {where(op)} has no spelling in Halide")
    return entry


def where(op: Operation) -> str:
    """Return ``pipeline 'name'`` for an op inside of one."""
    parent: Operation | None = op
    while parent is not None and not isinstance(parent, PipelineOp):
        parent = parent.parent_op()
    return "no pipeline" if parent is None else f"pipeline '{parent.sym_name.data}'"


def schedule_of(pipeline: PipelineOp) -> tuple[tuple[Directive, ...], Loops]:
    """Return the scheduling calls of a pipeline in order, and the loops that they name."""
    for op in pipeline.body.block.ops:
        if isinstance(op, sch.ScheduleOp):
            ops = [o for o in op.body.block.ops if isinstance(o, sch.FuncScheduleOp)]
            # Halide has no tensor cores.
            calls = [directive(o) for o in ops if not isinstance(o, TensorCoresOp)]
            return tuple(calls), op.loops()
    return (), Loops(pipeline)


def pipelines_of(module: ModuleOp) -> Iterator[PipelineOp]:
    """Yield the pipelines of a module in order."""
    return (op for op in module.body.block.ops if isinstance(op, PipelineOp))


def output_names(pipeline: PipelineOp) -> dict[SSAValue, SSAValue]:
    """Return, for each func that fills an output buffer, that buffer."""
    ops = pipeline.body.block.ops
    return {op.func: op.buffer for op in ops if isinstance(op, OutputOp)}


def unbounded_buffers(pipeline: PipelineOp) -> set[SSAValue]:
    """Return the buffers whose bounds are no constants for Halide."""
    return {op.buffer for op in pipeline.walk() if isinstance(op, prefetch.PrefetchOp)}


CALL_VALUES: Mapping[type[Operation], str] = {StrideOp: "stride", ExtentOp: "extent"}
"""The method of a buffer's dimension that each op is."""


def unknown_fields(pipeline: PipelineOp, kind: type[CallValueOp]) -> set[tuple[SSAValue, int]]:
    """Return the buffers and dimensions whose strides or extents are no constants for Halide."""
    ops = (op for op in pipeline.walk() if isinstance(op, kind))
    return {(op.buffer, _number(op.dimension)) for op in ops}


STRICT_FLOAT = "strict_float"
"""Halide's target feature of a pipeline without ``fast_math``."""


def argument_hints(pipeline: PipelineOp) -> Sequence[str]:
    """Return the names of the buffers as the text has them: inputs, then outputs."""
    inputs = [v.name_hint or f"input_{i}" for i, v in enumerate(pipeline.inputs)]
    return [*inputs, *(v.name_hint or f"output_{i}" for i, v in enumerate(pipeline.outputs))]
