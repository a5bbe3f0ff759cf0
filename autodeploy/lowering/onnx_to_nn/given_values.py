"""Inputs of a model whose values, if they were given before the run, would make an op convert."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from xdsl.dialects.builtin import StringAttr, TensorType, i32, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.extent_attr import is_varying
from autodeploy.dialects.nn.movement import ConcatOp, ReshapeOp
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    element_count,
    element_of,
    is_bool,
    is_float,
)
from autodeploy.weights import constant_value

MAX_ELEMENTS = 64
"""An input of more elements is data rather than a shape, axes or a number of steps."""


def inputs_behind(value: SSAValue, *, is_size: bool) -> list[BlockArgument]:
    """Return the inputs of the function from which a value is computed.

    None where one of them is no list of a few numbers, or has no name; for a size the numbers are
    integers.
    """
    found: dict[BlockArgument, None] = {}
    seen: set[SSAValue] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        owner = current.owner
        if isinstance(owner, Operation):
            pending += _read_by(owner)
            continue
        around = owner.parent_op()
        if isinstance(around, FuncOp) and isinstance(current, BlockArgument):
            if not _may_be_given(current, is_size=is_size) or input_name(current) is None:
                return []
            found[current] = None
        elif around is not None:
            pending += around.operands
    return sorted(found, key=lambda argument: argument.index)


def input_name(argument: BlockArgument) -> str | None:
    """Return the name of an input of a function."""
    function = argument.block.parent_op()
    attributes = function.arg_attrs if isinstance(function, FuncOp) else None
    if attributes is None or argument.index >= len(attributes.data):
        return None
    name = attributes.data[argument.index].data.get("nn.name")
    return name.data if isinstance(name, StringAttr) else None


def remedy(inputs: list[BlockArgument]) -> str:
    """Return how to give the values of inputs, nothing where there are none."""
    if not inputs:
        return ""
    options = [
        f"--value {quote(f'{input_name(argument)}={_example(argument)}')}" for argument in inputs
    ]
    return f"give the values of inputs that are the same in all runs, such as {' '.join(options)}"


def bound_remedy(value: SSAValue | None) -> str:
    """Return how to give the bound of a value of which a size follows, nothing where there is none.

    The integer itself is named rather than a list that it becomes a part of.
    """
    if value is None:
        return ""
    name = value.name_hint
    while isinstance(value.owner, ReshapeOp | CastOp | ConcatOp):
        rest = [v for v in value.owner.operands if constant_value(v) is None]
        if len(rest) != 1 or element_of(rest[0].type) not in (i32, i64):
            break
        (value,) = rest
        name = value.name_hint or name
    option = quote(f"{name or '*'}=1000")
    return f"give the largest that a run can find, such as --bound {option}"


def _read_by(op: Operation) -> Iterator[SSAValue]:
    """Yield what an op reads, in its regions also what is computed around it."""
    yield from op.operands
    for region in op.regions:
        for block in region.blocks:
            for inner in block.walk():
                yield from (v for v in inner.operands if not _is_within(v, op))


def _is_within(value: SSAValue, op: Operation) -> bool:
    around = value.owner.parent_op()
    while around is not None and around is not op:
        around = around.parent_op()
    return around is op


def _may_be_given(argument: BlockArgument, *, is_size: bool) -> bool:
    type_ = argument.type
    if not isa(type_, TensorType[Attribute]) or type_.element_type not in ELEMENT_BYTES:
        return False
    if not type_.has_static_shape() or is_varying(type_) or element_count(type_) > MAX_ELEMENTS:
        return False
    # A matrix of floats is data, and a size follows from no list of floats that is the same in all
    # runs.
    return not is_float(type_.element_type) or not (is_size or type_.get_num_dims() > 1)


def _example(argument: BlockArgument) -> str:
    word = "true" if is_bool(element_of(argument.type)) else "1"
    return ",".join([word] * element_count(argument.type))
