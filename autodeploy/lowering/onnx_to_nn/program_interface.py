"""Inputs and outputs whose elements no op computes with: codes, or bytes that hold several.

The type that the caller knows is in ``nn.stored``, next to the name of the input or output.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from autodeploy.dialects.nn.stored import (
    STORED_ATTRIBUTE,
    STORED_NAMES,
    CellType,
    code_element,
    element_bits,
    interface_bytes,
)
from autodeploy.dialects.nn.types import shape_of, tensor, ui8
from autodeploy.dialects.onnx import StringType
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
