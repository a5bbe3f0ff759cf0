"""Builds one ``halide.pipeline`` from one ``nn.kernel``.

Inside, a tensor is a ``Value``: a shape and a rule that gives the element at a point. Pointwise ops
and movements only wrap the rule of their operand, so a chain of them becomes one expression;
contractions and reductions define a func. Coordinates are those of nn, outermost axis first; they
are reversed in one place, where a func or buffer is read.

Floats are computed as IEEE 754 says, but for sums of products: a pipeline with such a sum has
``fast_math``, and all its other funcs are ``halide.strict``. LLVM takes for granted that the result
of fast arithmetic, or of a conversion between floats, is neither nan nor inf. Readers of such a
sum or conversion therefore read it by ``opaque``. For a kernel of a device that does nothing:
Halide knows the extents there, and conversions compute with bits.

A lowering takes the builder, the op and the values of its operands, and returns the value of its
result. ``@lowers(ConvOp)`` enters it for a class of ops and those derived from it, unless one of
them has another one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial, reduce
from importlib import import_module
from operator import add, mul
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NoReturn, TypeAlias, TypeVar

from xdsl.dialects.builtin import bf16, f16, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from autodeploy.analysis.least_shapes import least_for_one
from autodeploy.dialects.growth import Growth, solved
from autodeploy.dialects.halide.algorithm import FuncOp, UpdateOp, YieldOp
from autodeploy.dialects.halide.call_values import ExtentOp, StrideOp
from autodeploy.dialects.halide.expression_base import ExpressionOp
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.types import BufferType, axis_names, buffer_type
from autodeploy.dialects.locations import node_text
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.open_extent import Axes, Least, axes_list
from autodeploy.dialects.nn.types import bounds_of, compute_type, element_of, is_float, signed_of
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope

Coordinates: TypeAlias = tuple[Coordinate, ...]

Ends: TypeAlias = Mapping[int, Callable[[Scope], Expr]]
"""The extent of each open axis."""


@dataclass(frozen=True)
class Value:
    """A tensor inside a kernel: its element type, its shape, and the element at a point."""

    element: Attribute
    shape: tuple[int, ...]
    at: Callable[[Scope, Coordinates], Expr]

    def broadcast(self, scope: Scope, point: Coordinates) -> Expr:
        """Return the element at ``point`` of a wider shape (NumPy's rules)."""
        own = point[len(point) - len(self.shape) :]
        return self.at(
            scope,
            tuple(0 if extent == 1 else c for extent, c in zip(self.shape, own, strict=True)),
        )


@dataclass(frozen=True)
class Domain:
    """A reduction domain: name and extent of each variable, outermost loop first, all from 0.

    ``ends`` are those of variables whose extents only a call brings, in a scope around all funcs.
    """

    axes: tuple[tuple[str, int], ...]
    ends: Mapping[str, Expr] = field(default_factory=dict[str, Expr])


class KernelBuilder:
    """The pipeline under construction; see the module's text."""

    def __init__(
        self,
        inputs: Sequence[Attribute],
        outputs: Sequence[Attribute],
        fast_math: bool = False,
        open_: Sequence[Axes] = (),
        least: Least = least_for_one,
        fuses: bool = False,
        shared_rows: int = 0,
        on_device: bool = False,
        in_runs: bool = False,
    ):
        self._open = tuple(tuple(reversed(axes)) for axes in open_)
        self._least = least
        self.fast_math = fast_math
        self._fuses = fast_math and fuses
        self._hides = fast_math and not on_device
        self.on_device = on_device
        self.in_runs = in_runs
        """Whether long sums of products are sums of runs."""
        self.shared_rows = shared_rows
        """How many rows a core folds at a time, where cores share the rows of a fold."""
        types = [
            BufferType(element_of(t), tuple(reversed(bounds_of(t)))) for t in (*inputs, *outputs)
        ]
        self.block = Block(arg_types=types)
        self.outside = Scope(self.block)
        """Values that are computed once a call, outside of all funcs."""
        self._input_count = len(inputs)
        self._names: set[str] = set()
        for i, argument in enumerate(self.block.args):
            argument.name_hint = f"in{i}" if i < len(inputs) else f"result{i - len(inputs)}"

    def input(self, index: int) -> Value:
        """Return the tensor that input ``index`` of the kernel holds."""
        return self._source(self.block.args[index])

    def _source(self, source: SSAValue) -> Value:
        type_ = buffer_type(source)
        return Value(
            type_.element,
            tuple(reversed(type_.extents)),
            lambda scope, point: scope.load(source, tuple(reversed(point))),
        )

    def _fresh(self, name: str) -> str:
        unique, count = name, 1
        while unique in self._names:
            count += 1
            unique = f"{name}{count}"
        self._names.add(unique)
        return unique

    def func(
        self,
        name: str,
        element: Attribute,
        shape: Sequence[int],
        define: Callable[[Scope, Coordinates], Expr],
        *,
        names: Sequence[str] | None = None,
        update: tuple[Domain, Callable[[Scope, Expr, Coordinates, Coordinates], Expr]]
        | None = None,
        contracts: bool = False,
    ) -> Value:
        """Define a func over ``shape`` by its value at a point, and optionally one update.

        ``name`` is its role; if another func has the name, a number follows it. ``names`` are the
        variables, outermost first. An update gets the value so far, the point and the reduction
        variables (as its domain lists them), and returns the new value. Halide may regroup and
        contract the arithmetic of a func that ``contracts``.
        """
        variables = tuple(names or reversed(axis_names(len(shape))))
        inner_first = tuple(reversed(variables))
        block = _block(inner_first)
        scope = self._scope(block, contracts)
        self._yield(define(scope, self._point(block, scope, len(shape))), contracts)
        extents = tuple(reversed(shape))
        unique = self._fresh(name)
        role = None if unique == name else name
        func = FuncOp(unique, inner_first, block, element, extents, role)
        func.result.name_hint = unique
        self.block.add_op(func)
        if update is not None:
            self._update(func, variables, *update, contracts)
        return Value(
            element,
            tuple(shape),
            lambda scope, point: scope.load(func.result, tuple(reversed(point))),
        )

    @staticmethod
    def _point(block: Block, scope: Scope, rank: int, start: int = 0) -> Coordinates:
        arguments = block.args[start : start + rank]
        return tuple(Expr(argument, scope) for argument in reversed(arguments))

    def _update(
        self,
        func: FuncOp,
        variables: tuple[str, ...],
        domain: Domain,
        step: Callable[[Scope, Expr, Coordinates, Coordinates], Expr],
        contracts: bool,
    ) -> None:
        rank, inner_first = len(variables), tuple(reversed(domain.axes))
        block = _block([*reversed(variables), *(name for name, _ in inner_first)])
        scope = self._scope(block, contracts)
        point = self._point(block, scope, rank)
        reduced = self._point(block, scope, len(inner_first), rank)
        old = scope.load(func.result, tuple(reversed(point)))
        self._yield(step(scope, old, point, reduced), contracts)
        rdom = [(name, 0, extent) for name, extent in inner_first]
        ends = {name: end.value for name, end in domain.ends.items()}
        self.block.add_op(UpdateOp(func.result, tuple(reversed(variables)), rdom, block, ends))

    @staticmethod
    def _yield(result: Expr, contracts: bool) -> None:
        block = result.scope.block
        computes = any(
            isinstance(op, ExpressionOp) and any(is_float(value.type) for value in op.operands)
            for op in block.ops
        )
        strict = computes and not contracts
        block.add_op(YieldOp((result.strict() if strict else result).value))

    def _scope(self, block: Block, contracts: bool) -> Scope:
        hides = self._hides and not contracts
        fuses = self._fuses and contracts
        return Scope(block, self.fast_math, self._opaque_expr if hides else None, fuses)

    def opaque(self, x: Value) -> Value:
        """Return ``x`` so that LLVM knows nothing of it, nan and inf included."""
        if not self._hides or not is_float(x.element):
            return x
        return Value(
            x.element,
            x.shape,
            lambda scope, point: _add_to_bits(
                self.hidden_zero(scope, x.element), x.at(scope, point)
            ),
        )

    def _opaque_expr(self, x: Expr) -> Expr:
        return _add_to_bits(self.hidden_zero(x.scope, x.type), x)

    def hidden_zero(self, scope: Scope, element: Attribute) -> Expr:
        """Return a zero for the bits of an element that only a call of the kernel brings.

        It is the difference of a constant extent of an input, or else a stride, to the extent
        in its type.
        """
        for kind in (ExtentOp, StrideOp):
            for index, buffer in enumerate(self.block.args):
                type_ = buffer_type(buffer)
                known = type_.extents if kind is ExtentOp else type_.strides
                is_open = self._open[index] if self._open and kind is ExtentOp else ()
                constant = [d for d in range(len(known)) if d >= len(is_open) or not is_open[d]]
                if constant:
                    last = constant[-1]
                    field = scope.emit((kind, buffer, last), kind(buffer, last))
                    return (field - known[last]).cast(signed_of(element))
        raise AssertionError("a kernel that sums products has a buffer with an axis")

    @staticmethod
    def open_axes(value: SSAValue) -> Axes:
        """Return how the axes of a value inside of the kernel grow."""
        return axes_of_type(value.type)

    def may_be_empty(self, growth: Growth) -> bool:
        """Return whether an extent that grows so may be 0."""
        return self._least(growth) < 1

    def open_ends(self, value: SSAValue, axes: Sequence[int]) -> Ends:
        """Return what gives the extents of those of the axes of a value that are open."""
        growths = self.open_axes(value)
        return {
            axis: partial(self.open_extent, growth=growths[axis]) for axis in axes if growths[axis]
        }

    def open_extent(self, scope: Scope, growth: Growth) -> Expr:
        """Return the extent of a call that grows so, from that of an input.

        A value that is computed from an input has the number of its elements, of windows along
        it, or of both repeated. Inputs that are no parts of their numbers give the numbers.
        """
        inputs = [
            (buffer, dimension, own)
            for buffer, axes in zip(self.block.args[: self._input_count], self._open, strict=False)
            for dimension, own in enumerate(axes)
            if own
        ]

        def extent(buffer: SSAValue, dimension: int) -> Expr:
            return scope.emit((ExtentOp, buffer, dimension), ExtentOp(buffer, dimension))

        for buffer, dimension, own in inputs:
            if own == growth:
                return extent(buffer, dimension)
        if growth.rest:
            return reduce(mul, [self.open_extent(scope, factor) for factor in growth.factors])
        numbers: dict[int, Expr] = {}
        places = {own: (buffer, dimension) for buffer, dimension, own in inputs}
        for own, place in solved(places):
            rest = extent(*places[own]) - own.plus
            for other, times in own.terms.items():
                if other != place:
                    rest = rest - numbers[other] * times
            numbers[place] = rest // own.terms[place]
        if numbers.keys() >= growth.terms.keys():
            parts = [numbers[place] * times for place, times in growth.terms.items()]
            return (reduce(add, parts) + growth.plus) // growth.over * growth.by
        inputs = [entry for entry in inputs if not entry[-1].rest]
        # Repeated elements are as many as single ones, times the number of repetitions.
        single = replace(growth, by=1)
        for buffer, dimension, own in inputs:
            for wanted, times in ((growth, 1), (single, growth.by)):
                if (move := own.move_to(wanted)) is not None:
                    return (extent(buffer, dimension) + move[0]) // move[1] * times
        raise AssertionError("a result of a kernel follows from an operand")

    def output(
        self,
        index: int,
        value: Value,
        names: Sequence[str] | None = None,
        *,
        contracts: bool = False,
    ) -> None:
        """Fill output ``index`` of the kernel with a tensor."""
        buffer = self.block.args[self._input_count + index]
        name = "out" if len(self.block.args) == self._input_count + 1 else f"out{index}"
        self.func(name, value.element, value.shape, value.at, names=names, contracts=contracts)
        func = self.block.last_op
        assert isinstance(func, FuncOp)
        self.block.add_op(OutputOp(func.result, buffer))

    def pipeline(self, name: str, config: ConfigAttr | None) -> PipelineOp:
        """Return the finished pipeline."""
        outputs = len(self.block.args) - self._input_count
        return PipelineOp(
            name,
            outputs,
            self.block,
            config,
            fast_math=self.fast_math,
            open=axes_list(self._open) if self._open else None,
        )


def _add_to_bits(zero: Expr, x: Expr) -> Expr:
    return (x.reinterpret(zero.type) + zero).reinterpret(x.type)


def _block(names: Sequence[str]) -> Block:
    """Return an empty region for these variables, named after them."""
    block = Block(arg_types=[i32] * len(names))
    for argument, name in zip(block.args, names, strict=True):
        argument.name_hint = name
    return block


def computed(x: Expr) -> Expr:
    """Return an element in the type in which it is computed."""
    return x.cast(compute_type(x.type))


def widened(x: Value) -> Value:
    """Return a tensor in the type in which it is computed."""
    return narrowed(x, compute_type(x.element))


def narrowed(x: Value, element: Attribute) -> Value:
    """Return a tensor converted to an element type."""
    if x.element == element:
        return x
    return Value(element, x.shape, lambda scope, point: rounded(x.at(scope, point), element))


def rounded(x: Expr, element: Attribute) -> Expr:
    """Return a result in its own type; Halide's conversion makes an infinity of some nans."""
    if element not in (f16, bf16) or x.type == element:
        return x.cast(element)
    return x.equals(x).select(x.cast(element), math.nan)


Op = TypeVar("Op", bound=NNOp)
Lowering: TypeAlias = Callable[[KernelBuilder, Any, Sequence[Value]], Value]

_LOWERINGS: dict[type, Lowering] = {}


def lowers(
    *ops: type[Op],
) -> Callable[
    [Callable[[KernelBuilder, Op, Sequence[Value]], Value]],
    Callable[[KernelBuilder, Op, Sequence[Value]], Value],
]:
    """Enter the decorated function as the lowering of these ops."""

    def enter(
        lowering: Callable[[KernelBuilder, Op, Sequence[Value]], Value],
    ) -> Callable[[KernelBuilder, Op, Sequence[Value]], Value]:
        for op in ops:
            _LOWERINGS[op] = lowering
        return lowering

    return enter


@cache
def _load() -> None:
    """Import the modules of this package, which register their lowerings."""
    for module in iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")


def lower(builder: KernelBuilder, op: NNOp, operands: Sequence[Value]) -> Value:
    """Lower one op; raises ``PassFailedException`` if no lowering is entered for it."""
    _load()
    for kind in type(op).__mro__:
        if kind in _LOWERINGS:
            return _LOWERINGS[kind](builder, op, operands)
    fail(op, "has no lowering to Halide")


def fail(op: Operation, problem: str) -> NoReturn:
    """Raise ``PassFailedException`` that names the op and the ONNX node it came from."""
    message = f"'{op.name}' op{node_text(op)} {problem}"
    op.emit_error(message, PassFailedException(message))
