"""Maps: rows of a tensor whose columns have keys.

C has no maps, and the keys that an operator gives are the same in each run. A sequence of maps is
therefore a matrix with a row for each of them, and the keys are stored with the name of the output.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.marks import KEYS_ATTRIBUTE
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import MapType, OnnxOp, SequenceType
from autodeploy.frontend.names import ascii_text
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts


@converts("ZipMap", domain="ai.onnx.ml")
def zip_map(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ZipMap: its operand, whose columns have keys; a list is one row."""
    x = b.operand(op, "X")
    strings, integers = b.strings(op, "classlabels_strings"), b.integers(op, "classlabels_int64s")
    shape, count = shape_of(x.type), len(strings) + len(integers)
    if bool(strings) == bool(integers):
        raise ConversionError("it takes keys that are all strings or all integers")
    if len({*strings, *integers}) < count:
        raise ConversionError("a key is given twice")
    if len(shape) not in (1, 2) or shape[-1] != count:
        raise ConversionError(f"{x.type} does not fit {count} keys")
    keys: Sequence[Attribute] = [
        StringAttr(ascii_text(key.decode(errors="replace"))) for key in strings
    ] or [IntegerAttr(key, i64) for key in integers]
    # The operand may be an output of its own, which has no keys.
    found = b.emit(ReshapeOp(x, (1, *shape)[-2:]))
    b.keys[found] = ArrayAttr(keys)
    return [found]


def give_maps(b: ConversionContext, function: FuncOp) -> None:
    """Let a function return rows in place of maps, and say their keys."""
    returned = function.get_return_op()
    types: list[Attribute] = list(function.function_type.outputs)
    marks = function.res_attrs.data if function.res_attrs else [DictionaryAttr({})] * len(types)
    marks, has_maps = list(marks), False
    for index, value in enumerate(returned.operands if returned is not None else ()):
        declared = types[index]
        is_map = isinstance(declared, SequenceType) and isinstance(declared.element, MapType)
        if is_map and value in b.keys:
            types[index], has_maps = value.type, True
            marks[index] = DictionaryAttr({**marks[index].data, KEYS_ATTRIBUTE: b.keys[value]})
    if has_maps:
        inputs = list(function.function_type.inputs)
        function.function_type = FunctionType.from_lists(inputs, types)
        function.res_attrs = ArrayAttr(marks)
