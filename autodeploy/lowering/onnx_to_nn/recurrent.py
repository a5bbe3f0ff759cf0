"""RNN, GRU and LSTM: the products with the inputs of all steps at once, then a loop.

In a step of the loop there is one product with the state that the step before left (two in a GRU
whose reset gate comes before it), and few pointwise ops.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.extents import are_same, largest_of
from autodeploy.dialects.nn.activation import (
    ClipOp,
    EluOp,
    HardSigmoidOp,
    LeakyReluOp,
    ReluOp,
    SigmoidOp,
    SoftplusOp,
    TanhOp,
)
from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.control_flow import ForOp, row_type
from autodeploy.dialects.nn.logic import LessOp, WhereOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.pointwise import UnaryOp
from autodeploy.dialects.nn.types import element_of, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder, RegionBuilder
from autodeploy.frontend.nn.functions import softsign, thresholded_relu
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.weights import Array, numpy_dtype

Activation = Callable[[NnBuilder, SSAValue], SSAValue]


def _affine(b: NnBuilder, x: SSAValue, alpha: float, beta: float) -> SSAValue:
    return (Term(b, x) * alpha + beta).value


def _scaled_tanh(b: NnBuilder, x: SSAValue, alpha: float, beta: float) -> SSAValue:
    inner = Term(b, x) * beta
    return (inner.made(TanhOp(inner.value)) * alpha).value


_ACTIVATIONS: dict[str, tuple[type[UnaryOp] | Callable[..., SSAValue], Sequence[float | None]]] = {
    "affine": (_affine, (None, None)),
    "elu": (EluOp, (1.0,)),
    "hardsigmoid": (HardSigmoidOp, (0.2, 0.5)),
    "leakyrelu": (LeakyReluOp, (0.01,)),
    "relu": (ReluOp, ()),
    "scaledtanh": (_scaled_tanh, (None, None)),
    "sigmoid": (SigmoidOp, ()),
    "softplus": (SoftplusOp, ()),
    "softsign": (softsign, ()),
    "tanh": (TanhOp, ()),
    "thresholdedrelu": (thresholded_relu, (1.0,)),
}
"""By name in small letters: the op or what builds it, and the defaults of alpha and beta.

The defaults are those of the operators; two functions are no operators and have none.
"""


@dataclass
class _Cell(ABC):
    """One step of one direction of a recurrent operator.

    The values are outside of the loop: the transposed weights of the state, gates along the last
    axis, in one piece or two (``weights``); the bias of the state where the sum has it apart; one
    row of peepholes a gate.
    """

    hidden: int
    activations: Sequence[Activation]
    clip: float | None
    weights: Sequence[SSAValue]
    bias: SSAValue | None
    peepholes: Sequence[SSAValue]
    flag: bool

    GATES: ClassVar[int]
    STATES: ClassVar[int] = 1
    ACTIVATIONS: ClassVar[tuple[str, ...]]
    FLAG: ClassVar[str] = ""
    """The attribute that ``flag`` is."""

    @abstractmethod
    def step(self, b: RegionBuilder, x: Term, states: Sequence[Term]) -> Sequence[Term]:
        """Return the states after a step; ``x`` is the part of the input in the sums of gates."""

    def product(self, b: RegionBuilder, h: Term, part: int = 0) -> Term:
        """Return the product of a state with a piece of the weights."""
        return h.made(MatMulOp(h.value, b.read(self.weights[part])))

    def activate(self, number: int, x: Term) -> Term:
        """Apply an activation to the sum of a gate, which is clipped first."""
        if self.clip is not None:
            x = x.made(ClipOp(x.value, -self.clip, self.clip))
        return Term(x.builder, self.activations[number](x.builder, x.value))

    def gate(self, x: Term, first: int, count: int = 1) -> Term:
        """Return the values of gates, which are along the last axis."""
        places = range(first * self.hidden, (first + count) * self.hidden)
        last = len(shape_of(x.value.type)) - 1
        return Term(x.builder, x.builder.slice(x.value, {last: places}))


class _Rnn(_Cell):
    GATES = 1
    ACTIVATIONS = ("tanh",)

    def step(self, b: RegionBuilder, x: Term, states: Sequence[Term]) -> Sequence[Term]:
        return [self.activate(0, self.product(b, states[0]) + x)]


class _Gru(_Cell):
    """Gates are update, reset, hidden."""

    GATES = 3
    ACTIVATIONS = ("sigmoid", "tanh")
    FLAG = "linear_before_reset"

    def step(self, b: RegionBuilder, x: Term, states: Sequence[Term]) -> Sequence[Term]:
        (h,) = states
        product = self.product(b, h)
        gates = (self.gate(product, 0, 2) if self.flag else product) + self.gate(x, 0, 2)
        update = self.activate(0, self.gate(gates, 0))
        reset = self.activate(0, self.gate(gates, 1))
        if self.flag:
            hidden = self.gate(product, 2)
            if self.bias is not None:
                hidden = hidden + Term(b, b.read(self.bias))
            hidden = reset * hidden
        else:
            hidden = self.product(b, reset * h, 1)
        new = self.activate(1, hidden + self.gate(x, 2))
        return [(1 - update) * new + update * h]


class _Lstm(_Cell):
    """Gates are input, output, forget, cell; peepholes are those of input, output, forget."""

    GATES = 4
    STATES = 2
    ACTIVATIONS = ("sigmoid", "tanh", "tanh")
    FLAG = "input_forget"

    def step(self, b: RegionBuilder, x: Term, states: Sequence[Term]) -> Sequence[Term]:
        h, c = states
        sums = self.product(b, h) + x

        def opened(number: int, cell: Term) -> Term:
            gate = self.gate(sums, number)
            if self.peepholes:
                gate = gate + Term(b, b.read(self.peepholes[number])) * cell
            return self.activate(0, gate)

        let_in = opened(0, c)
        keep = 1 - let_in if self.flag else opened(2, c)
        found = self.activate(1, self.gate(sums, 3))
        cell = keep * c + let_in * found
        let_out = opened(1, cell)
        shown = Term(b, self.activations[2](b, cell.value))
        return [let_out * shown, cell]


_CELLS: dict[str, type[_Cell]] = {"RNN": _Rnn, "GRU": _Gru, "LSTM": _Lstm}


@converts(*_CELLS)
def recurrent(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a recurrent operator to a loop for each of its directions."""
    kind = _CELLS[op.op_type]
    x, r = b.operand(op, "X"), b.operand(op, "R")
    batch_first = "layout" in op.schema.attributes and b.integer(op, "layout") == 1
    if len(shape_of(x.type)) != 3:
        raise ConversionError(f"X has three axes, found {x.type}")
    x = b.transpose(x, (1, 0, 2)) if batch_first else x
    directions = _directions(b, op)
    shape = shape_of(r.type)
    if len(shape) != 3 or shape[:2] != (len(directions), kind.GATES * shape[2]):
        raise ConversionError(
            f"R has {len(directions)} directions of {kind.GATES} gates, found {r.type}"
        )
    activations = _activations(b, op, kind, len(directions))
    found = [
        _one_direction(b, op, x, number, backwards, kind, activations[number])
        for number, backwards in enumerate(directions)
    ]
    rows, *states = zip(*found, strict=True)
    y = rows[0] if len(rows) == 1 else b.emit(ConcatOp(rows, 1))
    ends = [v[0] if len(v) == 1 else b.emit(ConcatOp(v, 0)) for v in states]
    if batch_first:
        return [b.transpose(y, (2, 0, 1, 3)), *(b.transpose(v, (1, 0, 2)) for v in ends)]
    return [y, *ends]


def _directions(b: ConversionContext, op: OnnxOp) -> Sequence[bool]:
    """Return whether each direction goes backwards."""
    known = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
    name = b.text(op, "direction", "forward")
    if name not in known:
        raise ConversionError(f"direction is one of {', '.join(known)}, found '{name}'")
    return known[name]


def _activations(
    b: ConversionContext, op: OnnxOp, kind: type[_Cell], directions: int
) -> Sequence[Sequence[Activation]]:
    """Return the activations of each direction, with their parameters.

    The lists of parameters have an entry for each activation that takes one.
    """
    count = len(kind.ACTIVATIONS)
    names = [*kind.ACTIVATIONS] * directions
    if "activations" in op.properties:  # the default of RNN has one too many
        given_names = op.setting("activations")
        names = [str(name) for name in given_names] if isinstance(given_names, tuple) else []
    if len(names) != count * directions:
        raise ConversionError(f"expected {count * directions} activations, found {len(names)}")
    given = [iter(_numbers(op, f"activation_{which}")) for which in ("alpha", "beta")]
    built: list[Activation] = []
    for name in names:
        if name.lower() not in _ACTIVATIONS:
            raise ConversionError(f"activation '{name}' is unknown")
        build, defaults = _ACTIVATIONS[name.lower()]
        found = [next(v, d) for v, d in zip(given, defaults, strict=False)]
        parameters = [number for number in found if number is not None]
        if len(parameters) < len(defaults):
            raise ConversionError(f"activation '{name}' needs activation_alpha and activation_beta")
        built.append(partial(_apply, build, parameters))
    return [built[first : first + count] for first in range(0, len(built), count)]


def _apply(
    build: type[UnaryOp] | Callable[..., SSAValue],
    parameters: Sequence[float],
    b: NnBuilder,
    x: SSAValue,
) -> SSAValue:
    return b.emit(build(x, *parameters)) if isinstance(build, type) else build(b, x, *parameters)


def _numbers(op: OnnxOp, name: str) -> Sequence[float]:
    found = op.setting(name)
    values = found if isinstance(found, tuple) else ()
    return [float(value) for value in values if isinstance(value, int | float)]


def _one_direction(
    b: ConversionContext,
    op: OnnxOp,
    x: SSAValue,
    number: int,
    backwards: bool,
    kind: type[_Cell],
    activations: Sequence[Activation],
) -> Sequence[SSAValue]:
    """Return the states of all steps, then each state after the last one, of a direction."""
    steps, batch, _ = shape_of(x.type)
    gates, hidden = shape_of(b.operand(op, "R").type)[1:]
    element = element_of(x.type)
    flag = kind.FLAG in op.schema.attributes and b.integer(op, kind.FLAG) != 0
    apart = flag and kind is _Gru
    weights = [
        _transposed(b, b.operand(op, "R"), number, part)
        for part in (
            [range(2 * hidden), range(2 * hidden, gates)]
            if kind is _Gru and not flag
            else [range(gates)]
        )
    ]
    input_bias, state_bias = _biases(b, op, number, gates, 2 * hidden if apart else gates)
    peepholes = op.input_named("P") if kind is _Lstm else None
    clip = op.setting("clip")
    cell = kind(
        hidden,
        activations,
        None if clip is None else b.number(op, "clip"),
        weights,
        state_bias,
        []
        if peepholes is None
        else [_row(b, peepholes, number, range(g * hidden, (g + 1) * hidden)) for g in range(3)],
        flag,
    )
    w = _transposed(b, b.operand(op, "W"), number, range(gates))
    # Matrices of a batch are one product for the whole of it if their rows are contiguous.
    sums = b.emit(MatMulOp(x, w))
    if input_bias is not None:
        sums = b.emit(AddOp(sums, input_bias))
    names = ("initial_h", "initial_c")[: kind.STATES]
    inits = [_state(b, op, name, number, (batch, hidden), element) for name in names]
    lengths = op.input_named("sequence_lens")
    tensors = [sums]
    if lengths is not None:
        numbers = b.places(steps, (steps, 1, 1), numpy_dtype(element_of(lengths.type)))
        ends = b.reshape(lengths, (1, batch, 1))
        tensors.append(b.emit(LessOp(numbers, ends)))
    wants_rows = (rows := op.output_named("Y")) is not None and bool(rows.uses)
    region = RegionBuilder(
        b.weights, [tensor(i64, ()), *(v.type for v in inits), *map(row_type, tensors)]
    )
    _, *arguments = region.block.args
    before, (row, *mask) = arguments[: len(inits)], arguments[len(inits) :]
    made = cell.step(region, Term(region, row), [Term(region, value) for value in before])
    after = [term.value for term in made]
    shown = after[0]
    if mask:
        zero = region.scalar(0, element)
        shown = region.emit(WhereOp(mask[0], shown, zero)) if wants_rows else shown
        after = [
            region.emit(WhereOp(mask[0], new, old)) for new, old in zip(after, before, strict=True)
        ]
    region.hand_out([*after, *([shown] if wants_rows else [])])
    loop = ForOp(
        inits,
        tensors,
        region.captured,
        [
            *(v.type for v in inits),
            *([tensor(element, (steps, batch, hidden))] if wants_rows else []),
        ],
        region.block,
        steps=steps,
        backwards=[int(backwards)] * (len(tensors) + wants_rows),
    )
    b.insert(loop)
    states = [loop.outputs[i] for i in range(len(inits))]
    if lengths is not None:
        # A sequence without steps has no state; onnxruntime returns zeros, too.
        some = b.emit(LessOp(b.scalar(0, element_of(lengths.type)), b.reshape(lengths, (batch, 1))))
        states = [b.emit(WhereOp(some, v, b.scalar(0, element))) for v in states]
    y = (
        loop.outputs[-1]
        if wants_rows
        else b.broadcast(b.scalar(0, element), (steps, batch, hidden))
    )
    return [
        b.reshape(y, (steps, 1, batch, hidden)),
        *(b.reshape(v, (1, batch, hidden)) for v in states),
    ]


def _biases(
    b: ConversionContext, op: OnnxOp, number: int, gates: int, shared: int
) -> tuple[SSAValue | None, SSAValue | None]:
    """Return the bias of the input, with that of the state but for gates from ``shared`` on."""
    bias = op.input_named("B")
    if bias is None:
        return None, None
    first, second = (_row(b, bias, number, range(n, n + gates)) for n in (0, gates))
    if shared == gates:
        return b.emit(AddOp(first, second)), None
    added = b.emit(AddOp(b.slice(first, {0: range(shared)}), b.slice(second, {0: range(shared)})))
    apart = range(shared, gates)
    return b.emit(ConcatOp([added, b.slice(first, {0: apart})], 0)), b.slice(second, {0: apart})


def _row(b: ConversionContext, value: SSAValue, number: int, places: range) -> SSAValue:
    """Return some elements of the part of a matrix for one direction."""
    extents = shape_of(value.type)
    if len(extents) != 2 or number >= extents[0] or places.stop > extents[1]:
        raise ConversionError(f"expected {places.stop} values a direction, found {value.type}")
    array = b.array(value)
    if array is not None:
        return b.make_constant(array[number, places.start : places.stop])
    return b.reshape(b.slice(value, {0: range(number, number + 1), 1: places}), (len(places),))


def _transposed(b: ConversionContext, value: SSAValue, number: int, places: range) -> SSAValue:
    """Return the weights of some gates of a direction, inputs or units by gates and units."""
    extents = shape_of(value.type)
    if len(extents) != 3 or number >= extents[0] or places.stop > extents[1]:
        raise ConversionError(f"expected {places.stop} rows of weights, found {value.type}")
    array = b.array(value)
    if array is not None:
        part: Array = array[number, places.start : places.stop].T
        return b.make_constant(np.ascontiguousarray(part))
    rows = b.slice(value, {0: range(number, number + 1), 1: places})
    return b.transpose(b.reshape(rows, (len(places), extents[2])), (1, 0))


def _state(
    b: ConversionContext,
    op: OnnxOp,
    name: str,
    number: int,
    shape: tuple[int, int],
    element: Attribute,
) -> SSAValue:
    """Return the state before the first step, zeros where the model has none."""
    value = op.input_named(name)
    if value is None:
        zeros = np.zeros([largest_of(extent) for extent in shape], numpy_dtype(element))
        return b.first_elements(zeros, shape)
    batch_first = "layout" in op.schema.attributes and b.integer(op, "layout") == 1
    value = b.transpose(value, (1, 0, 2)) if batch_first else value
    extents = shape_of(value.type)
    if len(extents) != 3 or not are_same(extents[1:], shape) or number >= extents[0]:
        raise ConversionError(
            f"{name} has {shape[0]} x {shape[1]} values a direction, found {value.type}"
        )
    part = b.slice(value, {0: range(number, number + 1)})
    return b.reshape(part, shape)
