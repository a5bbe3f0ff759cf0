"""Types that a model declares of its inputs and outputs, and those that it computes."""

from __future__ import annotations

import warnings
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
from xdsl.ir import Attribute

from autodeploy.diagnostics import ModelError, ModelWarning, UnsupportedError
from autodeploy.dialects.extents import last_of
from autodeploy.dialects.nn.extent_attr import extents_of
from autodeploy.dialects.nn.types import ELEMENT_BYTES
from autodeploy.dialects.onnx import OnnxOp, SequenceType


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
