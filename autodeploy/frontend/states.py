"""Outputs of one run that are inputs of the next: which ones, by the names of a model."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal, NamedTuple, TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from autodeploy.diagnostics import ModelError, UnsupportedError, did_you_mean
from autodeploy.dialects.extents import Extent
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.base import Tensor
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.marks import ROWS_ATTRIBUTE, STATE_ATTRIBUTE, State, states_of
from autodeploy.dialects.nn.open_extent import SHAPE_ATTRIBUTE, find_open_extent
from autodeploy.dialects.nn.stored import STORED_ATTRIBUTE
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of
from autodeploy.dialects.open_range import OpenRange
from autodeploy.frontend.names import ascii_text, original_text

AUTO = "auto"

StateNames: TypeAlias = Mapping[str, str] | Literal["auto"]
"""Inputs by the outputs that are their values in the next run; ``auto`` finds them by name."""

_NAME = "nn.name"

_RULES = (
    # Caches of decoders: onnxruntime-genai, optimum, torch's exporter.
    (r"present(.*)", (r"past_key_values\1", r"past\1", r"past_key_value\1")),
    # States of recurrent layers: h of torch's LSTM, state of voice detectors, streaming models.
    (r"(.+)_n", (r"\1_0", r"\1")),
    (r"(.+)n", (r"\1", r"\g<1>0")),
    (r"(.+)N", (r"\1",)),
    (r"(.+)_out(.*)", (r"\1_in\2", r"\1\2")),
    (r"out_(.+)", (r"in_\1",)),
    (r"(?:new|next|updated)_(.+)", (r"\1", r"prev_\1", r"past_\1")),
    (r"(.+)_(?:new|next)", (r"\1", r"\1_prev")),
)
"""Names of outputs, and those of the inputs that they are in the next run."""


def mark_states(module: ModuleOp, names: StateNames) -> None:
    """State in a module that is imported which arguments are results of the run before.

    Raises ``ModelError`` for names that the model does not have.
    """
    func = _function(module)
    inputs, outputs = names_of_values(func.arg_attrs), names_of_values(func.res_attrs)
    pairs = dict(_found(inputs, outputs)) if names == AUTO else _checked(names, inputs, outputs)
    if not pairs:
        raise ModelError(
            "no output is named as the next value of an input; state the pairs by "
            f"'--state OUTPUT=INPUT': outputs are {_listed(outputs)}, inputs {_listed(inputs)}"
        )
    attributes = list(func.arg_attrs or ())
    for output, input_ in pairs.items():
        place = inputs.index(input_)
        result = IntegerAttr(outputs.index(output), i64)
        attributes[place] = DictionaryAttr({**attributes[place].data, STATE_ATTRIBUTE: result})
    func.arg_attrs = ArrayAttr(attributes)


_GROUP_QUERY_ATTENTION = "onnx.com.microsoft.GroupQueryAttention"


def append_caches(module: ModuleOp) -> None:
    """Let operators that find rows of a cache by a mask append to caches that are states.

    They check in each run that the mask leaves no row out. Caches of several samples stay as they
    are: samples may have masks of their own.
    """
    func = _function(module)
    returned = func.body.block.last_op
    pairs = {
        (func.body.block.args[state.argument], returned.operands[state.result])
        for state in states_of(func)
        if returned is not None
    }
    for op in func.body.block.ops:
        if not op.name.startswith(_GROUP_QUERY_ATTENTION):
            continue
        found = set(product(op.operands, op.results)) & pairs
        samples = {bounds[0] for past, _ in found if (bounds := _bounds(past.type))}
        if len(found) == len(_CACHES) and samples == {1}:
            op.properties["append"] = IntegerAttr(1, i64)


_CACHES = ("key", "value")


def _bounds(type_: Attribute) -> Sequence[int]:
    return bounds_of(type_) if isa(type_, Tensor) else ()


def give_rows(modules: Sequence[ModuleOp]) -> None:
    """State how many rows there is memory for: the most that one of several programs leaves.

    The modules are in the nn dialect. Raises ``UnsupportedError`` for a state that is no tensor of
    one shape, or of rows along one open axis.
    """
    funcs = [_function(module) for module in modules]
    for number, state in enumerate(states_of(funcs[0])):
        found = [rows_of(func, state) for func in funcs]
        axes = {None if rows is None else rows.axis for rows in found}
        if axes == {None}:
            continue
        known = [rows for rows in found if rows is not None]
        if len(axes) > 1:
            raise _refused(funcs[0], state, "its number stays open in each part of the range")
        ranges = [_range(*pair) for pair in zip(modules, known, strict=True)]
        if min(range_.least for range_ in ranges) or known[0].found.times != 1:
            reason = f"its rows are no number '{ranges[0].label}' from 0 in steps of 1"
            raise _refused(funcs[0], state, reason)
        most = max(rows.most for rows in known)
        for func in funcs:
            attributes = list(func.arg_attrs or ())
            place = states_of(func)[number].argument
            own = {**attributes[place].data, ROWS_ATTRIBUTE: IntegerAttr(most, i64)}
            attributes[place] = DictionaryAttr(own)
            func.arg_attrs = ArrayAttr(attributes)


class Rows(NamedTuple):
    """The axis of rows, how many a run finds and leaves, and the most that it leaves."""

    axis: int
    found: Growth
    left: Growth
    most: int


def rows_of(func: FuncOp, state: State) -> Rows | None:
    """Return the rows of a state; ``None`` if its shape is constant.

    Raises ``UnsupportedError`` for a state that is neither.
    """
    argument = func.function_type.inputs.data[state.argument]
    result = func.function_type.outputs.data[state.result]
    described = [
        entry.data[SHAPE_ATTRIBUTE]
        for entry in func.res_attrs or ()
        if SHAPE_ATTRIBUTE in entry.data
    ]
    if not isa(argument, Tensor) or not isa(result, Tensor):
        raise _refused(func, state, "it is no tensor of numbers")
    if any(
        isa(mark, DenseArrayBase[IntegerType]) and mark.get_values()[0] == state.result
        for mark in described
    ):
        raise _refused(func, state, "its extents depend on values")
    if any(
        STORED_ATTRIBUTE in entries.data[index].data
        for entries, index in ((func.arg_attrs, state.argument), (func.res_attrs, state.result))
        if entries is not None
    ):
        raise _refused(func, state, "it has elements that no operator computes with")
    if element_of(argument) != element_of(result):
        raise _refused(func, state, f"{element_of(result)} is not {element_of(argument)}")
    opened = sorted(
        {
            axis
            for type_ in (argument, result)
            for axis, n in enumerate(shape_of(type_))
            if isinstance(n, Extent)
        }
    )
    fixed = [
        [-1 if axis in opened else n for axis, n in enumerate(bounds_of(type_))]
        for type_ in (argument, result)
    ]
    if fixed[0] != fixed[1]:
        raise _refused(func, state, f"{result} has another shape than {argument}")
    if not opened:
        return None
    found, left = (axes_of_type(type_)[opened[0]] for type_ in (argument, result))
    if len(opened) > 1 or not (found and found.is_proportional and left and left.is_sum):
        raise _refused(func, state, "it has no rows along one axis whose number stays open")
    return Rows(opened[0], found, left, bounds_of(result)[opened[0]])


def _range(module: ModuleOp, rows: Rows) -> OpenRange:
    extent = find_open_extent(module.attributes)
    assert extent is not None  # as it has an open axis
    return extent.ranges[rows.found.place]


def _function(module: ModuleOp) -> FuncOp:
    return next(op for op in module.body.block.ops if isinstance(op, FuncOp))


def _refused(func: FuncOp, state: State, reason: str) -> UnsupportedError:
    name = names_of_values(func.arg_attrs)[state.argument]
    return UnsupportedError(f"input '{original_text(name)}' cannot be a state: {reason}")


def names_of_values(attributes: ArrayAttr[DictionaryAttr] | None) -> list[str]:
    """Return the names of arguments or results; empty ones where there are none."""
    found: list[str] = []
    for entry in attributes or ():
        name = entry.data.get(_NAME)
        found.append(name.data if isinstance(name, StringAttr) else "")
    return found


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{original_text(name)}'" for name in names) or "none"


def _found(inputs: Collection[str], outputs: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield outputs and inputs whose names are those of a state."""
    left = set(inputs)
    for output in outputs:
        for pattern, candidates in _RULES:
            match = re.fullmatch(pattern, output)
            names = (match.expand(candidate) for candidate in candidates) if match else ()
            found = next((name for name in names if name in left), None)
            if found is not None:
                left.remove(found)
                yield output, found
                break


def _checked(
    names: Mapping[str, str], inputs: Sequence[str], outputs: Sequence[str]
) -> dict[str, str]:
    """Return the pairs in ASCII, whose names are those of the model."""
    pairs = {ascii_text(output): ascii_text(input_) for output, input_ in names.items()}
    for what, given, known in (
        ("output", pairs.keys(), outputs),
        ("input", pairs.values(), inputs),
    ):
        for name in given:
            if name not in known:
                raise ModelError(
                    f"state '{original_text(name)}' is no {what}; the model's {what}s are "
                    f"{_listed(known)}{did_you_mean(name, known)}"
                )
    twice = [name for name in pairs.values() if list(pairs.values()).count(name) > 1]
    if twice:
        raise ModelError(f"input '{original_text(twice[0])}' is to be two outputs")
    return pairs
