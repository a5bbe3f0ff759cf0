"""A pipeline of the halide dialect as objects of Halide's Python interface.

It makes the ``ImageParam``s, ``Func``s and schedule calls that ``source`` writes as C++ text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from autodeploy.codegen.c.names import c_identifier, unique_names
from autodeploy.codegen.halide.expressions import is_negative_zero
from autodeploy.codegen.halide.tables import (
    CALL_VALUES,
    ELEMENTS,
    EXPRESSIONS,
    Call,
    Cast,
    ConsumerLoop,
    Directive,
    Enumerator,
    Infix,
    Loop,
    Prefix,
    Source,
    argument_hints,
    output_names,
    schedule_of,
    spelling,
    unbounded_buffers,
    unknown_fields,
)
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp, YieldOp
from autodeploy.dialects.halide.call_values import CallValueOp, ExtentOp, StrideOp
from autodeploy.dialects.halide.expression import ConstOp
from autodeploy.dialects.halide.expression_base import ExpressionOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import BufferType, buffer_type, steps_before
from autodeploy.dialects.nn.types import ELEMENT_BYTES, is_float

_INFIX: Mapping[str, str] = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "%": "__mod__",
    "<": "__lt__",
    "<=": "__le__",
    "==": "__eq__",
    "&&": "__and__",  # of two booleans, Halide's Python interface makes a logical one
    "||": "__or__",
    "&": "__and__",
    "|": "__or__",
    "^": "__xor__",
}
"""The method of a Python expression for each operator."""


_UNNAMED: Mapping[tuple[str, str], int] = {("MemoryType", "AMXTile"): 8}
"""Values of enumerations that have no name in Python, as in Halide's ``Expr.h``."""


def halide() -> Any:
    """Return Halide's Python module, which carries no type information."""
    return import_module("halide")


def _type(element: Attribute) -> Any:
    spelled = ELEMENTS[element]
    return getattr(halide(), spelled.constructor)(spelled.bits)


PART_WARNING = re.compile(
    r"^Warning: [^\n]* guaranteed to fail [^\n]*\nhalide_error_explicit_bounds_too_small[^\n]*\n",
    re.M,
)
"""The warning for a func that computes a part of its buffer, as it is meant to."""


class PipelineObjects:
    """The Halide objects of one pipeline, ready to compile.

    ``inputs`` are its ``ImageParam``s, ``outputs`` its output ``Func``s, in the order of the
    pipeline's arguments. Funcs are named after the pipeline, and a ``suffix``, too: Halide numbers
    names that it meets twice in one process, and those numbers reach the object code.
    """

    def __init__(self, pipeline: PipelineOp, suffix: str = ""):
        self._hl: Any = halide()
        self._pipeline = pipeline
        self._directives, self._loops = schedule_of(pipeline)
        self._prefix = c_identifier(pipeline.sym_name.data) + suffix
        self._sources: dict[SSAValue, Any] = {}
        self._values: dict[SSAValue, Any] = {}
        self._reductions: dict[tuple[SSAValue, int, str], Any] = {}
        self._unbounded = unbounded_buffers(pipeline)
        # A start of a kernel on a device is a row of constants.
        asked = set[tuple[SSAValue, int]]() if pipeline.on_device is not None else None
        self._strides = unknown_fields(pipeline, StrideOp) if asked is None else asked
        self._extents = unknown_fields(pipeline, ExtentOp) if asked is None else asked
        buffers = list[SSAValue](pipeline.body.block.args)
        self._starts: dict[SSAValue, int] = dict(zip(buffers, pipeline.first_elements, strict=True))
        names = unique_names(argument_hints(pipeline))
        for value, name in zip(pipeline.inputs, names, strict=False):
            type_ = buffer_type(value)
            parameter = self._hl.ImageParam(_type(type_.element), len(type_.extents), name)
            self._bound(parameter, value)
            self._sources[value] = parameter
        for op in pipeline.body.block.ops:
            if isinstance(op, FuncOp):
                self._define(op)
            elif isinstance(op, UpdateOp):
                self._update(op)
            elif isinstance(op, ConstOp | ExpressionOp | CallValueOp):
                operands = [self._values.get(value) for value in op.operands]
                self._values[op.results[0]] = self._value(op, operands)
        filled = {buffer: func for func, buffer in output_names(pipeline).items()}
        for buffer in pipeline.outputs:
            func = self._sources[filled[buffer]]
            self._bound(func.output_buffer(), buffer)
            self._compute_part(func, buffer)
        for directive in self._directives:
            self._schedule(directive)
        self.inputs = [self._sources[value] for value in pipeline.inputs]
        self.outputs = [self._sources[filled[value]] for value in pipeline.outputs]

    @property
    def func_names(self) -> dict[str, str]:
        """Return the name of each func in the pipeline, by that which Halide has for it."""
        ops = self._pipeline.body.block.ops
        funcs = [op for op in ops if isinstance(op, FuncOp)]
        return {self._sources[op.result].name(): op.func_name.data for op in funcs}

    def _bound(self, parameter: Any, buffer: SSAValue) -> None:
        type_ = buffer_type(buffer)
        before = steps_before(type_, self._starts[buffer])
        for index, (extent, stride) in enumerate(zip(type_.extents, type_.strides, strict=True)):
            brought = self._pipeline.is_strided_by_call(buffer, index)
            if not brought and (buffer, index) not in self._strides:
                parameter.dim(index).set_stride(stride)
            if buffer in self._unbounded:
                continue
            if (buffer, index) in self._extents or self._pipeline.is_open(buffer, index):
                parameter.dim(index).set_min(0)
            else:
                parameter.dim(index).set_bounds(-before[index], extent + before[index])

    def _compute_part(self, func: Any, buffer: SSAValue) -> None:
        """Let a func compute its own elements alone of a block that has others before them.

        Halide computes all of an output otherwise. It warns of that (``PART_WARNING``).
        """
        if self._starts[buffer] == 0:
            return
        extents = enumerate(buffer_type(buffer).extents)
        for variable, (index, extent) in zip(func.args(), extents, strict=True):
            if not self._pipeline.is_open(buffer, index):
                func.bound(variable, 0, extent)

    def _define(self, op: FuncOp) -> None:
        func = self._hl.Func(f"{self._prefix}_{c_identifier(op.func_name.data)}")
        self._sources[op.result] = func
        point = self._point(op.var_names)
        func[point] = self._region(op.body.block, point)

    def _update(self, op: UpdateOp) -> None:
        func = self._sources[op.func]
        stage = func.num_update_definitions() + 1
        point = self._point(op.var_names)
        ends = {name: self._values[end] for name, end in op.ends_by_name.items()}
        ranges = [(low, ends.get(name, extent)) for name, low, extent in op.rdom]
        domain = self._hl.RDom(ranges, "r")
        reductions: list[Any] = [domain[index] for index in range(len(ranges))]
        for (name, _, _), variable in zip(op.rdom, reductions, strict=True):
            self._reductions[op.func, stage, name] = variable
        func[point] = self._region(op.body.block, (*point, *reductions))

    def _point(self, names: Iterable[str]) -> tuple[Any, ...]:
        return tuple(self._hl.Var(name) for name in names)

    def _region(self, block: Block, point: tuple[Any, ...]) -> Any:
        values = dict(self._values)
        for argument, variable in zip(block.args, point, strict=True):
            values[argument] = self._hl.Expr(variable)
        for op in block.ops:
            if isinstance(op, YieldOp):
                return values[op.value]
            values[op.results[0]] = self._value(op, [values.get(v) for v in op.operands])
        raise AssertionError("a verified region ends in a yield")

    def _value(self, op: Operation, operands: list[Any]) -> Any:
        """Return the expression of one op; operands that are no scalars are None."""
        if isinstance(op, ConstOp):
            return self._constant(op)
        if isinstance(op, LoadOp):
            loaded = self._sources[op.source][tuple(operands[1:])]
            return loaded if isinstance(op.source.type, BufferType) else self._hl.Expr(loaded)
        if isinstance(op, CallValueOp):
            dimension = self._sources[op.buffer].dim(op.dimension.value.data)
            return getattr(dimension, spelling(CALL_VALUES, op))()
        match spelling(EXPRESSIONS, op):
            case Infix(symbol=symbol):
                return getattr(operands[0], _INFIX[symbol])(operands[1])
            case Prefix():
                return self._hl.logical_not(operands[0])
            case Call() as call:
                type_ = op.results[0].type
                result = getattr(self._hl, call.function)(*operands)
                return self._hl.cast(_type(type_), result) if call.needs_cast(type_) else result
            case Cast(function=function):
                return getattr(self._hl, function)(_type(op.results[0].type), operands[0])

    def _constant(self, op: ConstOp) -> Any:
        """Return a constant; -0.0 by its bits, since Halide takes it and 0.0 for one value."""
        type_, value = op.result.type, op.value.value.data
        if isinstance(op.value, FloatAttr):
            if is_negative_zero(float(value)):
                bits = 8 * ELEMENT_BYTES[type_]
                sign = self._hl.cast(self._hl.UInt(bits), self._hl.u64(1 << (bits - 1)))
                return self._hl.reinterpret(_type(type_), sign)
            return self._hl.cast(_type(type_), self._hl.f64(value))
        assert isinstance(value, int) and not is_float(type_)
        # Expr takes what an int64 holds; the cast keeps the bits of larger unsigned numbers.
        signed = value - (1 << 64) if value >= 1 << 63 else value
        return self._hl.cast(_type(type_), self._hl.i64(signed))

    def _schedule(self, directive: Directive) -> None:
        func = self._sources[directive.func]
        stage = directive.stage or 0
        arguments: list[Any] = []
        for argument in directive.arguments:
            match argument:
                case Loop(name=name):
                    arguments.append(self._loop(directive.func, stage, name))
                case ConsumerLoop(func=consumer, name=name):
                    where = self._loops.stage_of(consumer, name)
                    arguments.append(self._sources[consumer])
                    arguments.append(self._loop(consumer, where, name))
                case Enumerator(enumeration=enumeration, name=name):
                    values = getattr(self._hl, enumeration)
                    number = _UNNAMED.get((enumeration, name))
                    arguments.append(getattr(values, name) if number is None else values(number))
                case Source(value=value):
                    arguments.append(self._sources[value])
                case int():
                    arguments.append(argument)
        if any(isinstance(argument, Source) for argument in directive.arguments):
            arguments = [self._exact(argument) for argument in arguments]
        scheduled = func.update(stage - 1) if stage else func
        getattr(scheduled, directive.method)(*arguments)

    def _exact(self, argument: Any) -> Any:
        """Return an argument in the type of a parameter, for the overload that takes a buffer.

        Halide's Python interface converts some arguments itself; it makes a func of a buffer.
        """
        if isinstance(argument, int):
            return self._hl.Expr(argument)
        if isinstance(argument, self._hl.Var | self._hl.RVar):
            return self._hl.VarOrRVar(argument)
        return argument

    def _loop(self, func: SSAValue, stage: int, name: str) -> Any:
        key = (func, stage, name)
        if key not in self._reductions:
            if not self._loops.is_reduction(*key):
                return self._hl.Var(name)
            self._reductions[key] = self._hl.RVar(name)
        return self._reductions[key]
