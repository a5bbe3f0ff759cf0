"""If, Loop and Scan: their subgraphs become regions of loops and choices."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.diagnostics import ModelWarning
from autodeploy.dialects.extents import Extent, largest, largest_of
from autodeploy.dialects.nn.arithmetic import AddOp, MaxOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.control_flow import ForOp, IfOp, is_one, row_type
from autodeploy.dialects.nn.logic import WhereOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.types import element_of, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axis_of, check_size
from autodeploy.lowering.onnx_to_nn.bounded import filled, settled
from autodeploy.lowering.onnx_to_nn.bounded_numbers import give_bound, numbers_of
from autodeploy.lowering.onnx_to_nn.branches import capture_counts, join_extents, sink_readers
from autodeploy.lowering.onnx_to_nn.computed import known_shape
from autodeploy.lowering.onnx_to_nn.context import (
    Bound,
    ContradictionError,
    ConversionContext,
    DependsOnValueError,
    NotConstantError,
    Size,
    converts,
)
from autodeploy.lowering.onnx_to_nn.problems import problem_of
from autodeploy.lowering.onnx_to_nn.structures import form, is_structure, leaves, like
from autodeploy.lowering.onnx_to_nn.subgraphs import (
    captured_by,
    changes_shapes,
    check_counted,
    end_body,
    inlined,
    inlined_copy,
    retype,
    subgraph_of,
)
from autodeploy.weights import numpy_dtype

_BRANCHES = ("then_branch", "else_branch")

MAX_UNROLLED = 1024
"""The most trips of a loop that carries sequences."""

MAX_GROWING = 64
"""The most trips of a loop that changes the shapes of carried values: each has its own kernels."""


@converts("If")
def choice(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert If, both of whose branches give values of the same types but for an extent.

    A branch may be for inputs of another shape. The program ends with an error where it takes one
    that no run can compute.
    """
    condition = b.operand(op, "cond")
    if not is_one(condition, i1):
        raise ConversionError(f"the condition is one boolean, found {condition.type}")
    known = b.fixed(condition)
    if known is not None:
        return inlined(b, op, _BRANCHES[0] if known.all() else _BRANCHES[1], [])
    blocks = [subgraph_of(op, name) for name in _BRANCHES]
    sink_readers(b, op, blocks)
    captured = captured_by(b, blocks)
    capture_counts(b, blocks, captured)
    if b.open is not None:
        for block in blocks:
            for value, argument in zip(reversed(captured), reversed(block.args), strict=False):
                b.open.follow(argument, b.open.known(value))
    branches = _convert_branches(b, op, blocks)
    axes = join_extents(b, blocks, branches)
    given = [values for values in branches if values is not None]
    if b.open is not None and len(given) == len(branches):
        b.open.choose(op, given)
    if [form(value) for value in given[0]] != [form(value) for value in given[-1]]:
        listed = (", ".join(str(value.type) for value in leaves(values)) for values in given)
        raise DependsOnValueError(
            f"its branches give other types: {' and '.join(listed)}", condition
        )
    types = [value.type for value in leaves(given[0])]
    for block, values in zip(blocks, branches, strict=True):
        end_body(
            block, _ended_by_error(b, block, types) if values is None else list(leaves(values))
        )
    new = IfOp(condition, captured, types, *blocks)
    b.insert(new)
    found = iter(new.outputs)
    results = [like(b, value, found) for value in given[0]]
    counts = results[len(results) - len(axes) :]
    for (position, axis), count in zip(axes.items(), counts, strict=True):
        results[position] = settled(b, op, position, results[position], axis, count)
    return results[: len(results) - len(axes)]


def _convert_branches(
    b: ConversionContext, op: OnnxOp, blocks: Sequence[Block]
) -> list[list[SSAValue] | None]:
    """Convert the branches of an If; returns what each hands out, ``None`` if no run takes it.

    Raises ``ContradictionError`` if no run can take either.
    """
    given: list[list[SSAValue] | None] = []
    problems: dict[str, ContradictionError] = {}
    for name, block in zip(_BRANCHES, blocks, strict=True):
        try:
            given.append(list(b.convert_block(block)))
        except ContradictionError as error:
            given.append(None)
            problems[name] = error
    if len(problems) == len(blocks):
        raise ContradictionError([problem for e in problems.values() for problem in e.problems])
    for name, error in problems.items():
        warnings.warn(
            f"no run can take the {name} of If node {problem_of(op, '').node}, as {error}; "
            "the program ends with an error there",
            ModelWarning,
            stacklevel=2,
        )
    return given


def _ended_by_error(
    b: ConversionContext, block: Block, types: Sequence[Attribute]
) -> Sequence[SSAValue]:
    """Let a block end the program with an error; returns what it hands out for the types' sake."""
    last = block.last_op
    assert last is not None
    last.operands = []
    for inner in reversed(tuple(block.ops)[:-1]):
        inner.detach()
        inner.erase()
    with b.before(last):
        b.choose(b.make_constant(np.array([0])), [(1,)])
        return [
            b.make_constant(np.zeros(shape_of(type_), numpy_dtype(element_of(type_))))
            for type_ in types
        ]


@converts("Loop")
def loop(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Loop; what it collects has a row for each trip.

    The number of trips is a constant, or the extent that the model states. In the second case the
    program ends with an error if a run makes another number of trips. A loop that may end earlier,
    or whose trips have a bound, collects as many rows as a run makes trips.
    """
    trips, condition = [*op.inputs_by_position(), None, None][:2]
    carried = [value for value in op.inputs_by_position()[2:] if value is not None]
    count = None
    if trips is not None and (b.is_varying(trips) or b.array(trips) is not None):
        count = b.constant_integers(op, "M")
    if trips is not None and not is_one(trips, i64):
        raise ConversionError(f"the trip count is one integer of 64 bits, found {trips.type}")
    body = subgraph_of(op, "body")
    if len(body.args) != 2 + len(carried):
        raise ConversionError(
            f"its body takes {len(body.args)} values, expected {2 + len(carried)}"
        )
    is_short = count is not None and not isinstance(count[0], Extent) and count[0] <= MAX_GROWING
    if any(is_structure(value.type) for value in carried) or (
        is_short and changes_shapes(b, op, carried)
    ):
        return _unrolled(b, op, carried)
    start = b.make_constant(np.array(True)) if condition is None else condition
    if not is_one(start, i1):
        raise ConversionError(f"the condition is one boolean, found {start.type}")
    before = [start, *carried]
    retype(body, [tensor(i64, ()), *(value.type for value in before)])
    captured = captured_by(b, [body])
    capture_counts(b, [body], captured)
    after = list(b.convert_block(body))
    check_counted(b, after)
    first = b.array(start)
    results = op.outputs_by_position()[len(carried) :]
    read = {i: result for i, result in enumerate(results) if result is not None and result.uses}
    kept = list(read)
    stays = _stays_true(b, body, after[0])
    always = stays and first is not None and bool(first.all())
    steps = None if count is None else largest(0, count[0])
    if isinstance(steps, Extent) and not kept:
        steps = None  # a run counts them
    if kept and stays and not (always and steps is not None):
        steps = _stated_steps(b, list(read.values()), trips, start)
        always = steps is not None
    if always:
        if trips is None:
            raise ConversionError("it has no end: neither a trip count nor a condition")
        before, after = before[1:], after[1:]
        _replace_by_constant(b, body, 1)
    else:
        after[0] = _in_block(b, body, after[0], before[0].type)
    _check_carried(before, after)
    rows, count, makes_all = after[len(before) :], len(before), always and steps is not None
    limit = trips if steps is None else None
    if isinstance(steps, Extent) and not makes_all:
        limit, steps = trips, largest_of(steps)
    if kept and not makes_all:
        steps = _most_steps(b, trips, steps)
        _count_steps(b, body, before, after)
    values = _for(
        b,
        body,
        before,
        [],
        captured,
        [*after[: len(before)], *(rows[i] for i in kept)],
        steps=steps,
        trips=limit,
        conditional=not always,
    )
    ends = values[count - len(carried) : count]
    collected = dict(zip(kept, values[len(before) :], strict=True))
    for i, value in collected.items() if not makes_all else ():
        b.bounded[value] = Bound(0, values[count])
        made = filled(b, value, 0)  # rows behind the last step hold anything
        collected[i] = settled(b, op, len(carried) + i, made, 0, values[count])
    # A value that nothing reads is not collected: any value stands for it.
    return [*ends, *(collected.get(i, start) for i in range(len(results)))]


def _most_steps(b: ConversionContext, trips: SSAValue | None, steps: int | None) -> int:
    """Return the most steps of a loop that may end earlier; raises where nothing says them."""
    if trips is None:
        raise ConversionError(
            "the extent of what it collects is not known: that takes a trip count that is a "
            "constant or has a bound"
        )
    if steps is not None:
        return steps
    if numbers_of(b, trips) in (None, (None,)):
        if b.bound is None:
            error = NotConstantError("M", trips)
            error.sized = trips
            raise error
        give_bound(b, trips, None, b.bound)
    (number,) = numbers_of(b, trips) or (None,)
    assert isinstance(number, Size)
    return max(number.most, 0)


def _count_steps(
    b: ConversionContext, body: Block, before: list[SSAValue], after: list[SSAValue]
) -> None:
    """Let a loop carry the number of its steps, after all other carried values."""
    one = np.array([1])
    number = body.insert_arg(tensor(i64, (1,)), 1 + len(before))
    with b.before(body.last_op):
        after.insert(len(before), b.emit(AddOp(number, b.make_constant(one))))
    before.append(b.make_constant(one - one))


def _unrolled(b: ConversionContext, op: OnnxOp, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """Convert a Loop that carries sequences, or other shapes at each step: a body for each trip.

    Without a trip count its condition must be a constant after each trip.
    """
    is_counted = op.input_named("M") is not None
    trips = b.constant_integer(op, "M") if is_counted else MAX_UNROLLED
    holds = op.input_named("cond") is None or bool(b.constant(op, "cond").all())
    if trips > MAX_UNROLLED:
        raise ConversionError(
            f"a loop over sequences has {MAX_UNROLLED} trips at most, found {trips}"
        )
    rows: list[list[SSAValue]] = [[] for _ in op.outputs_by_position()[len(carried) :]]
    for step in range(trips if holds else 0):
        given = [b.make_constant(np.array(step)), b.make_constant(np.array(True)), *carried]
        condition, *values = inlined_copy(b, op, "body", given)
        carried = values[: len(carried)]
        for row, value in zip(rows, values[len(carried) :], strict=False):
            row.append(b.reshape(value, (1, *shape_of(value.type))))
        known = b.array(condition)
        if known is None:
            raise NotConstantError("cond", condition)
        if not known.all():
            break
    else:
        if holds and not is_counted:
            raise ConversionError(f"a loop over sequences has {MAX_UNROLLED} trips at most")
    if not all(rows):
        raise ConversionError("the collected values of a loop without trips have no shape")
    return [*carried, *(b.emit(ConcatOp(row, 0)) if len(row) > 1 else row[0] for row in rows)]


@converts("Scan", since=9)
def scan(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Scan: a loop over the places along an axis of its inputs."""
    operands = list(op.operands)
    count = _scan_inputs(b, op, len(operands))
    states, inputs = operands[:-count], operands[-count:]
    stacks = len(op.outputs_by_position()) - len(states)
    axes = _entries(b, op, "scan_input_axes", count)
    out_axes = _entries(b, op, "scan_output_axes", stacks)
    backwards = [
        *_entries(b, op, "scan_input_directions", count),
        *_entries(b, op, "scan_output_directions", stacks),
    ]
    tensors = [_axis_moved(b, x, axis, 0) for x, axis in zip(inputs, axes, strict=True)]
    values = _scan(b, op, states, tensors, backwards)
    stacked = zip(values[len(states) :], out_axes, strict=True)
    return [*values[: len(states)], *(_axis_moved(b, x, 0, axis) for x, axis in stacked)]


@converts("Scan", until=8)
def batched_scan(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert the Scan of opset 8, whose tensors begin with an axis of batches, for one batch."""
    lengths, *operands = op.inputs_by_position()
    given = [value for value in operands if value is not None]
    count = _scan_inputs(b, op, len(given))
    if lengths is not None:
        raise ConversionError("'sequence_lens' is not supported")
    if any(shape_of(value.type)[:1] != (1,) for value in given):
        raise ConversionError("it takes several batches; only one is supported")
    plain = [b.reshape(value, shape_of(value.type)[1:]) for value in given]
    stacks = len(op.outputs_by_position()) - len(given) + count
    backwards = [*_entries(b, op, "directions", count), *(0 for _ in range(stacks))]
    values = _scan(b, op, plain[:-count], plain[-count:], backwards)
    return [b.reshape(value, (1, *shape_of(value.type))) for value in values]


def _scan_inputs(b: ConversionContext, op: OnnxOp, operands: int) -> int:
    count = b.integer(op, "num_scan_inputs")
    if not 0 < count <= operands:
        raise ConversionError(f"num_scan_inputs is 1 to {operands}, found {count}")
    return count


def _entries(b: ConversionContext, op: OnnxOp, name: str, count: int) -> Sequence[int]:
    """Return a list with an entry for each input or output, zeros where it is left out."""
    found = b.integers(op, name) or (0,) * count
    if len(found) != count:
        raise ConversionError(f"{name} has {count} entries, found {list(found)}")
    return found


def _scan(
    b: ConversionContext,
    op: OnnxOp,
    states: Sequence[SSAValue],
    tensors: Sequence[SSAValue],
    backwards: Sequence[int],
) -> Sequence[SSAValue]:
    """Build the loop of a Scan over the outermost axis of tensors; returns its results."""
    extents = {shape_of(x.type)[0] for x in tensors}
    if len(extents) != 1:
        raise ConversionError(f"its inputs have the same number of steps, found {sorted(extents)}")
    body = subgraph_of(op, "body")
    types = [*(value.type for value in states), *map(row_type, tensors)]
    if len(body.args) != len(types):
        raise ConversionError(f"its body takes {len(body.args)} values, expected {len(types)}")
    retype(body, types)
    captured = captured_by(b, [body])
    capture_counts(b, [body], captured)
    after = list(b.convert_block(body))
    check_counted(b, after)
    _check_carried(states, after)
    body.insert_arg(tensor(i64, ()), 0)
    return _for(b, body, states, tensors, captured, after, steps=extents.pop(), backwards=backwards)


def _for(
    b: ConversionContext,
    body: Block,
    inits: Sequence[SSAValue],
    tensors: Sequence[SSAValue],
    captured: Sequence[SSAValue],
    ends: Sequence[SSAValue],
    *,
    steps: int | None,
    trips: SSAValue | None = None,
    conditional: bool = False,
    backwards: Sequence[int] | None = None,
) -> Sequence[SSAValue]:
    """Build the loop of a converted body, whose arguments are in place; returns its results.

    A loop of no steps is what it begins with. It stays where it may have steps for other extents.
    """
    stacked = [
        tensor(element_of(value.type), (0 if steps is None else steps, *shape_of(value.type)))
        for value in ends[len(inits) :]
    ]
    for type_ in stacked:
        check_size("a result", type_)
    if steps == 0 and b.open is None:
        empty = [np.zeros(shape_of(t), numpy_dtype(element_of(t))) for t in stacked]
        return [*inits, *map(b.make_constant, empty)]
    end_body(body, ends)
    new = ForOp(
        inits,
        tensors,
        captured,
        [*(value.type for value in inits), *stacked],
        body,
        backwards=backwards,
        steps=steps,
        trips=trips,
        conditional=conditional,
    )
    b.insert(new)
    return new.outputs


def _stays_true(b: ConversionContext, body: Block, value: SSAValue) -> bool:
    """Return whether a condition that a body yields is the one that it was given, or true."""
    array = b.array(value)
    return value is body.args[1] or (array is not None and bool(array.all()))


def _stated_steps(
    b: ConversionContext,
    results: Sequence[SSAValue],
    trips: SSAValue | None,
    condition: SSAValue,
) -> int | None:
    """Return how many rows the model states; the program checks that there are as many trips.

    The condition is the same before each trip. ``None`` if no number is stated.
    """
    if b.open is not None:
        return None
    shapes = [known_shape(result) for result in results]
    known = next((shape[0] for shape in shapes if shape), None)
    if known is None or trips is None:
        return None
    zero, holds = b.scalar(0, i64), b.reshape(condition, ())
    number = b.emit(MaxOp(b.emit(WhereOp(holds, b.reshape(trips, ()), zero)), zero))
    b.choose(b.reshape(number, (1,)), [(known,)])
    return known


def _replace_by_constant(b: ConversionContext, body: Block, index: int) -> None:
    """Let a condition that always holds be a constant in the body."""
    argument = body.args[index]
    type_ = argument.type
    if argument.uses:
        new = ConstantOp(b.weights.attribute(np.ones(shape_of(type_), np.bool_)))
        Rewriter.insert_op(new, InsertPoint.at_start(body))
        argument.replace_all_uses_with(new.result)
    body.erase_arg(argument)


def _in_block(b: ConversionContext, body: Block, value: SSAValue, type_: Attribute) -> SSAValue:
    """Give a condition the shape that it began with; both have one element."""
    if value.type == type_ or not is_one(value, i1):
        return value
    last = body.last_op
    assert last is not None
    with b.before(last):
        return b.reshape(value, shape_of(type_))


def _check_carried(before: Sequence[SSAValue], after: Sequence[SSAValue]) -> None:
    """Raise where a body does not give back what it was given."""
    if len(after) < len(before):
        raise ConversionError(
            f"its body gives {len(after)} values, expected {len(before)} at least"
        )
    for number, (old, new) in enumerate(zip(before, after, strict=False)):
        if old.type != new.type:
            raise ConversionError(
                f"value {number} that it carries is {old.type}, and {new.type} after a step; that "
                f"takes a trip count that is a constant of at most {MAX_GROWING}"
            )


def _axis_moved(b: ConversionContext, x: SSAValue, source: int, target: int) -> SSAValue:
    """Move one axis to another place."""
    order = list(range(len(shape_of(x.type))))
    order.insert(axis_of(target, len(order)), order.pop(axis_of(source, len(order))))
    return b.transpose(x, order)
