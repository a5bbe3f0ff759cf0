"""Sequences and optionals whose parts are known, and maps.

No op of nn takes them. An op that makes one is ``onnx.SequenceConstruct``, ``onnx.SequenceEmpty``
or ``onnx.Optional`` of nn values, and stays until all that reads it is converted.

Maps are rows of a tensor whose columns have keys. C has no maps, and the keys that an operator
gives are the same in each run. A sequence of maps is therefore a matrix with a row for each of
them, and the keys are stored with the name of the output.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.nn.marks import KEYS_ATTRIBUTE
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import MapType, OnnxOp, OptionalType, SequenceType, op_class
from autodeploy.frontend.names import ascii_text
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts

MAKERS = ("SequenceConstruct", "SequenceEmpty", "Optional")
"""Operators that make a sequence or an optional of parts."""


def is_structure(type_: Attribute) -> bool:
    """Return whether a type is a sequence or an optional."""
    return isinstance(type_, SequenceType | OptionalType)


def parts_of(value: SSAValue) -> Sequence[SSAValue]:
    """Return the elements of a sequence, or what an optional holds; raises ``ConversionError``."""
    owner = value.owner
    if isinstance(owner, OnnxOp) and not owner.domain and owner.op_type in MAKERS:
        return tuple(owner.operands)
    raise ConversionError(f"the number of elements of {value.type} is not known")


def sequence_of(b: ConversionContext, elements: Sequence[SSAValue], type_: Attribute) -> SSAValue:
    """Make a sequence before the op at hand."""
    return _made(b, "SequenceConstruct" if elements else "SequenceEmpty", elements, type_)


def _made(
    b: ConversionContext, operator: str, parts: Sequence[SSAValue], type_: Attribute
) -> SSAValue:
    maker = op_class(operator, 15)
    assert maker is not None
    new = maker.from_positions(parts, [type_])
    b.insert(new)
    return new.results[0]


# Values around and within structures


def leaves(values: Sequence[SSAValue]) -> Iterator[SSAValue]:
    """Yield values, and in place of a structure those of its parts."""
    for value in values:
        if is_structure(value.type):
            yield from leaves(parts_of(value))
        else:
            yield value


def form(value: SSAValue) -> object:
    """Return what two values have in common that differ in their elements alone."""
    if not is_structure(value.type):
        return value.type
    return (isinstance(value.type, SequenceType), *map(form, parts_of(value)))


def like(b: ConversionContext, value: SSAValue, given: Iterator[SSAValue]) -> SSAValue:
    """Return a value of the form of another one, with the next tensors of those given."""
    if not is_structure(value.type):
        return next(given)
    parts = [like(b, part, given) for part in parts_of(value)]
    if isinstance(value.type, SequenceType):
        return sequence_of(b, parts, value.type)
    return _made(b, "Optional", parts, value.type)


def give_parts(function: FuncOp) -> None:
    """Let a function return the tensors of its results: those of ``y`` are ``y_0``, ``y_1``, …

    The value of an optional has the optional's name. Raises ``UnsupportedError`` if the names of
    two results are equal then, and where parts are not known.
    """
    returned = function.get_return_op()
    if returned is None or not any(is_structure(value.type) for value in returned.operands):
        return
    marks = function.res_attrs.data if function.res_attrs else ()
    values: list[SSAValue] = []
    types: list[Attribute] = []
    attributes: list[DictionaryAttr] = []
    for index, (value, type_) in enumerate(
        zip(returned.operands, function.function_type.outputs, strict=True)
    ):
        own = marks[index] if index < len(marks) else DictionaryAttr({})
        label = own.data.get("nn.name")
        name = label.data if isinstance(label, StringAttr) else str(index)
        try:
            found = list(_named(value, type_, name))
        except ConversionError as error:
            raise UnsupportedError(f"output '{name}' of the model: {error}") from None
        for part, said, part_name in found:
            values.append(part)
            types.append(said)
            attributes.append(DictionaryAttr({**own.data, "nn.name": StringAttr(part_name)}))
    names = [entry.data["nn.name"] for entry in attributes]
    if len(set(names)) < len(names):
        raise UnsupportedError("an element of a sequence has the name of another output")
    returned.operands = values
    inputs = list(function.function_type.inputs)
    function.function_type = FunctionType.from_lists(inputs, types)
    function.res_attrs = ArrayAttr(attributes)


def _named(
    value: SSAValue, type_: Attribute, name: str
) -> Iterator[tuple[SSAValue, Attribute, str]]:
    """Yield the tensors of a value, with their declarations and their names."""
    while isinstance(type_, OptionalType):
        type_ = type_.element
    if not is_structure(value.type):
        yield value, type_, name
        return
    inner = type_.element if isinstance(type_, SequenceType) else type_
    parts = parts_of(value)
    if isinstance(value.type, OptionalType):
        for part in parts:
            yield from _named(part, type_, name)
        return
    for i, part in enumerate(parts):
        yield from _named(part, inner, f"{name}_{i}")


def remove_makers(module: ModuleOp) -> None:
    """Remove the ops that make structures; nothing reads them any more."""
    for op in reversed(tuple(module.walk())):
        if isinstance(op, OnnxOp) and op.op_type in MAKERS and not any(r.uses for r in op.results):
            op.detach()
            op.erase()


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
