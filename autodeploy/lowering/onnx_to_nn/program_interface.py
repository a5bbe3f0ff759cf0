"""Inputs and outputs: their types, as declared and computed, and elements that no op computes with.

Those are codes, or bytes that hold several. The type that the caller knows is in ``nn.stored``,
next to the name of the input or output.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnrankedTensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from autodeploy.diagnostics import ModelError, ModelWarning, UnsupportedError
from autodeploy.dialects.extents import last_of
from autodeploy.dialects.nn.extent_attr import extents_of
from autodeploy.dialects.nn.stored import (
    STORED_ATTRIBUTE,
    STORED_NAMES,
    CellType,
    code_element,
    element_bits,
    interface_bytes,
)
from autodeploy.dialects.nn.types import ELEMENT_BYTES, shape_of, tensor, ui8
from autodeploy.dialects.onnx import OnnxOp, SequenceType, StringType
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.stored import packed_codes, unpacked_codes
from autodeploy.lowering.onnx_to_nn.strings import all_rows, cells


def take_inputs(b: ConversionContext, function: FuncOp) -> None:
    """Let a function take codes or bytes in place of elements that are only stored."""
    block = function.body.block
    types: list[Attribute] = list(function.function_type.inputs)
    stored: dict[int, Attribute] = {}
    with b.before(block.first_op):
        for index, argument in enumerate(block.args):
            type_ = argument.type
            if not isa(type_, TensorType[Attribute]) or not type_.has_static_shape():
                continue
            element, shape = type_.element_type, shape_of(type_)
            if element == StringType():
                stored[index] = tensor(CellType(b.string_bytes), shape)
                types[index] = _take_strings(b, argument, shape)
                continue
            if element not in STORED_NAMES:
                continue
            stored[index] = type_
            uses = list(argument.uses)
            if element_bits(element) == 8:
                types[index] = tensor(code_element(element), shape)
            else:
                types[index] = tensor(ui8, (interface_bytes(type_),))
            codes = Rewriter.replace_value_with_new_type(argument, types[index])
            if element_bits(element) < 8:
                raw, codes = codes, unpacked_codes(b, codes, element, shape)
                for use in uses:
                    use.operation.operands[use.index] = codes
                codes.name_hint = raw.name_hint
            b.stored[codes] = element
    if stored:
        outputs = list(function.function_type.outputs)
        function.function_type = FunctionType.from_lists(types, outputs)
        function.arg_attrs = _marked(function.arg_attrs, stored, len(types))


def _take_strings(b: ConversionContext, argument: SSAValue, shape: Sequence[int]) -> Attribute:
    """Let a function take cells in place of strings; return the type of these."""
    uses = list(argument.uses)
    given = Rewriter.replace_value_with_new_type(argument, tensor(ui8, (*shape, b.string_bytes)))
    rows = b.reshape(given, (prod(shape), b.string_bytes))
    (table,) = b.call("text_take", [rows], [rows.type], checks=True, rows=True)
    codes = all_rows(b, table, shape)
    for use in uses:
        use.operation.operands[use.index] = codes
    codes.name_hint = given.name_hint
    return given.type


def give_outputs(b: ConversionContext, function: FuncOp) -> None:
    """Let a function return codes or bytes in place of elements that are only stored."""
    returned = function.get_return_op()
    if returned is None:
        return
    types: list[Attribute] = list(function.function_type.outputs)
    stored: dict[int, Attribute] = {}
    with b.before(returned):
        for index, value in enumerate(returned.operands):
            element = b.stored.get(value)
            if element is None:
                continue
            found = tensor(element, shape_of(value.type))
            stored[index] = found
            if not _fits(types[index], found):
                continue
            if value in b.tables:
                returned.operands[index], cell = cells(b, value)
                stored[index] = tensor(cell, shape_of(value.type))
            elif element_bits(element) < 8:
                returned.operands[index] = packed_codes(b, value, element)
            types[index] = returned.operands[index].type
    if stored:
        inputs = list(function.function_type.inputs)
        function.function_type = FunctionType.from_lists(inputs, types)
        function.res_attrs = _marked(function.res_attrs, stored, len(types))


def _fits(declared: Attribute, found: TensorType[Attribute]) -> bool:
    """Return whether a result has the type that is declared, where that says something."""
    if not isa(declared, TensorType[Attribute]):
        return True
    extents = zip(declared.get_shape(), found.get_shape(), strict=False)
    return (
        declared.element_type == found.element_type
        and declared.get_num_dims() == found.get_num_dims()
        and all(n < 0 or n == m for n, m in extents)
    )


def _marked(
    attributes: ArrayAttr[DictionaryAttr] | None, stored: dict[int, Attribute], count: int
) -> ArrayAttr[DictionaryAttr]:
    given: Sequence[DictionaryAttr] = (
        attributes.data if attributes else [DictionaryAttr({})] * count
    )
    return ArrayAttr(
        DictionaryAttr({**entry.data, STORED_ATTRIBUTE: stored[index]})
        if index in stored
        else entry
        for index, entry in enumerate(given)
    )


def check_inputs(function: FuncOp) -> None:
    """Raise where an input is no tensor of numbers; no op need take it, it may be passed on."""
    for index, said in enumerate(function.function_type.inputs):
        type_ = tensor_type(said)
        if type_ is not None and type_.element_type in ELEMENT_BYTES:
            continue
        label = _label(function.arg_attrs, index)
        remedy = f"; give the number of its elements as shape of {label}"
        raise UnsupportedError(
            f"input {label} of the model has type {said}, expected a tensor of numbers"
            f"{remedy if isinstance(said, SequenceType) else ''}"
        )


def _label(attributes: ArrayAttr[DictionaryAttr] | None, index: int) -> str:
    """Return the name of an input or output, its number if it has none."""
    name = attributes.data[index].data.get("nn.name") if attributes else None
    return f"'{name.data}'" if isinstance(name, StringAttr) else str(index)


def _shape_text(type_: Attribute) -> str:
    assert isinstance(type_, TensorType)
    known = extents_of(cast("TensorType[Attribute]", type_))
    return f"[{', '.join('?' if extent < 0 else str(extent) for extent in known)}]"


def is_inferred(module: ModuleOp) -> bool:
    """Return whether all ops of a model are of the domain whose shapes ONNX infers."""
    return not any(isinstance(op, OnnxOp) and op.domain for op in module.walk())


def refine_outputs(function: FuncOp, misjudged: bool, inferred: bool) -> None:
    """Give a function the result types that its body computes; raises where these contradict.

    Shapes may do so where some are ``misjudged`` by inference; where not all are ``inferred`` an
    output has the one that the model states, and another one is a ``ModelWarning``.
    """
    returned = function.get_return_op()
    if returned is None:
        return
    declared = tuple(function.function_type.outputs)
    actual = tuple(value.type for value in returned.operands)
    for index, (said, found) in enumerate(zip(declared, actual, strict=True)):
        if fits(said, found) or (misjudged and differ_in_shape(said, found)):
            continue
        if inferred or not differ_in_shape(said, found):
            raise ModelError(
                f"output {index} of @{function.sym_name.data} is declared as {said}, "
                f"but the model computes {found}"
            )
        warnings.warn(
            f"output {_label(function.res_attrs, index)} is declared as {_shape_text(said)}, but "
            f"the model computes {_shape_text(found)}, which it is compiled for",
            ModelWarning,
            stacklevel=2,
        )
    function.function_type = FunctionType.from_lists(
        list(function.function_type.inputs), list(actual)
    )


def fits(declared: Attribute, actual: Attribute) -> bool:
    """Return whether a type is one of those that a declared, maybe dynamic type stands for."""
    if declared == actual:
        return True
    said, found = tensor_type(declared), tensor_type(actual)
    if said is None or not isinstance(found, TensorType):
        return False
    if said.element_type != found.element_type:
        return False
    if not isinstance(said, TensorType):
        return True
    shapes = said.get_shape(), tuple(map(last_of, extents_of(found)))
    return len(shapes[0]) == len(shapes[1]) and all(
        n < 0 or n == m for n, m in zip(*shapes, strict=True)
    )


def differ_in_shape(one: Attribute, other: Attribute) -> bool:
    """Return whether two types are tensors of the same elements, and ranked."""
    said, found = tensor_type(one), tensor_type(other)
    if not isinstance(said, TensorType) or not isinstance(found, TensorType):
        return False
    return said.element_type == found.element_type


def tensor_type(type_: Attribute) -> TensorType[Attribute] | UnrankedTensorType[Attribute] | None:
    """Return a tensor type as such; ``isa`` would cost more time than all of the conversion."""
    if not isinstance(type_, TensorType | UnrankedTensorType):
        return None
    return cast("TensorType[Attribute] | UnrankedTensorType[Attribute]", type_)
