"""The inputs and outputs of a program, and its name: from a function's attributes."""

from __future__ import annotations

from itertools import chain, count
from typing import NoReturn

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolOpInterface
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.hints import isa

from autodeploy.dialects.locations import node_text
from autodeploy.dialects.nn.constant import DenseAttr
from autodeploy.dialects.nn.marks import default_of, keys_of, states_of
from autodeploy.dialects.nn.open_extent import SHAPE_ATTRIBUTE
from autodeploy.dialects.nn.stored import STORED_ATTRIBUTE
from autodeploy.frontend.names import ascii_text

MODEL_ATTRIBUTE = "nn.model"
NAME_ATTRIBUTE = "nn.name"
DEFAULT_MODEL = "model"


def program_name(module: ModuleOp, func: FuncOp) -> str:
    """Return the model's name, with a number after it if a kernel has that name."""
    name = _text(module.attributes.get(MODEL_ATTRIBUTE)) or DEFAULT_MODEL
    taken: set[StringAttr | None] = set()
    for op in module.body.block.ops:
        symbol = op.get_trait(SymbolOpInterface)
        if op is not func and symbol is not None:
            taken.add(symbol.get_sym_attr_name(op))
    candidates = chain([name], (f"{name}_{number}" for number in count(1)))
    return next(candidate for candidate in candidates if StringAttr(candidate) not in taken)


def names_of(attributes: ArrayAttr[DictionaryAttr] | None, size: int, kind: str) -> list[str]:
    """Return the model's names of the arguments or results, or made-up ones that are free."""
    given = [""] * size
    for i, entry in enumerate(attributes or ()):
        given[i] = _text(entry.data.get(NAME_ATTRIBUTE))
    free = (name for name in (f"{kind}{number}" for number in count()) if name not in given)
    return [name or next(free) for name in given]


def callers_of(func: FuncOp) -> tuple[list[int], list[int]]:
    """Return the numbers of the arguments and of the results that are the caller's: no states."""
    states = states_of(func)
    arguments, results = {s.argument for s in states}, {s.result for s in states}
    return (
        [i for i in range(len(func.function_type.inputs)) if i not in arguments],
        [i for i in range(len(func.function_type.outputs)) if i not in results],
    )


def shapes_of(func: FuncOp) -> ArrayAttr[DenseArrayBase[IntegerType]] | None:
    """Return which results the last ones, marked so, are the extents of."""
    marks = [
        entry.data[SHAPE_ATTRIBUTE]
        for entry in func.res_attrs or ()
        if SHAPE_ATTRIBUTE in entry.data
    ]
    found = [mark for mark in marks if isa(mark, DenseArrayBase[IntegerType])]
    _, results = callers_of(func)
    if len(results) < len(func.function_type.outputs):
        numbers = [list(map(int, mark.get_values())) for mark in found]
        found = [
            DenseArrayBase.from_list(i64, [results.index(one), *axes]) for one, *axes in numbers
        ]
    return ArrayAttr(found) if found else None


def all_keys(func: FuncOp) -> ArrayAttr[ArrayAttr[Attribute]] | None:
    """Return the keys of the columns of inputs and outputs, where some have any."""
    arguments, results = callers_of(func)
    found = [
        keys_of(attributes.data[i]) if attributes else None
        for attributes, numbers in ((func.arg_attrs, arguments), (func.res_attrs, results))
        for i in numbers
    ]
    none = ArrayAttr[Attribute]([])
    return ArrayAttr(keys or none for keys in found) if any(found) else None


def defaults_of(func: FuncOp) -> ArrayAttr[DenseAttr | UnitAttr] | None:
    """Return the defaults of the inputs, ``unit`` of those without, where some have any."""
    arguments, _ = callers_of(func)
    marks = func.arg_attrs
    found = [default_of(marks.data[i]) if marks else None for i in arguments]
    return ArrayAttr(value or UnitAttr() for value in found) if any(found) else None


def stored_types(func: FuncOp) -> ArrayAttr[TensorType[Attribute]] | None:
    """Return the types by which a caller knows inputs and outputs, where some are packed."""
    types: list[TensorType[Attribute]] = []
    plain: list[Attribute] = []
    arguments, results = callers_of(func)
    for attributes, values, numbers in (
        (func.arg_attrs, func.function_type.inputs.data, arguments),
        (func.res_attrs, func.function_type.outputs.data, results),
    ):
        for i in numbers:
            given = attributes.data[i].data.get(STORED_ATTRIBUTE) if attributes else None
            found = values[i] if given is None else given
            if not isa(found, TensorType[Attribute]):
                fail(func, f"expected '{STORED_ATTRIBUTE}' to be a tensor type, found {found}")
            types.append(found)
            plain.append(values[i])
    return None if types == plain else ArrayAttr(types)


def _text(attribute: Attribute | None) -> str:
    """Return a name in ASCII (the parser reads others as bytes), or an empty string for none."""
    match attribute:
        case StringAttr():
            return attribute.data if attribute.data.isascii() else ascii_text(attribute.data)
        case BytesAttr():
            return ascii_text(bytes(attribute.data).decode(errors="replace"))
        case _:
            return ""


def fail(op: Operation, problem: str) -> NoReturn:
    """Raise ``PassFailedException`` that names the operation and the ONNX node it came from."""
    message = f"'{op.name}' op{node_text(op)} {problem}"
    op.emit_error(message, PassFailedException(message))
