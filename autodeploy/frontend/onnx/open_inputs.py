"""Inputs whose extents a model leaves open, and how to give these numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnrankedTensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from autodeploy.frontend.extent_expressions import following_example, parse_extent
from autodeploy.frontend.onnx.shapes import DIMS_ATTRIBUTE, is_symbol, listed_shape

_IMAGE = (1, 3, 224, 224)
"""An example of an input with four extents, or with any number of them."""

_BATCH = 1
_LENGTH = 16
"""Examples of the first extent of another input, and of those after it."""


def open_inputs(module: ModuleOp, opened: Sequence[str] = ()) -> str | None:
    """Return a message that names all tensors that ``@main`` takes without a static shape.

    It has their extents as the model names them, and ends with options that can be pasted. If
    others are ``opened``, these may follow from them. ``None`` if all shapes are static.
    """
    listed: list[str] = []
    remedies: list[str] = []
    symbols: dict[str, int] = {}
    unknown: list[str] = []
    are_named = True
    no_attributes: Mapping[str, Attribute] = {}
    for main in module.body.block.ops:
        if not isinstance(main, FuncOp) or main.sym_name.data != "main":
            continue
        attributes = main.arg_attrs.data if main.arg_attrs else ()
        for index, type_ in enumerate(main.function_type.inputs):
            named = attributes[index].data if index < len(attributes) else no_attributes
            label = named.get("nn.name")
            name = label.data if isinstance(label, StringAttr) else str(index)
            if isa(type_, UnrankedTensorType[Attribute]):
                listed.append(f"'{name}' of unknown rank")
                extents: Sequence[int] = _IMAGE
                are_named = False
            elif isa(type_, TensorType[Attribute]) and DYNAMIC_INDEX in type_.get_shape():
                dims = model_dims(type_, named.get(DIMS_ATTRIBUTE))
                listed.append(f"'{name}' {listed_shape(dims)}")
                extents = _example(dims, symbols)
                unknown += [
                    f"{name}:{axis}" if dim == "?" else dim
                    for axis, dim in enumerate(dims)
                    if isinstance(dim, str) and (dim == "?" or is_symbol(dim))
                ]
                are_named &= all(is_symbol(dim) for dim in dims if isinstance(dim, str))
            else:
                continue
            remedies.append(f"--shape {quote(name + '=' + ','.join(map(str, extents)))}")
    if not listed:
        return None
    if are_named and len(symbols) < len(remedies):
        remedies = [f"--dim {quote(f'{name}={n}')}" for name, n in symbols.items()]
    follows = following_example(unknown[0], opened) if unknown else None
    return (
        f"the model leaves extents of its inputs open: {', '.join(listed)}; "
        f"give them numbers, such as {' '.join(remedies)}"
        + (f", or what they are of those that stay open, such as {follows}" if follows else "")
    )


def model_dims(type_: TensorType[Attribute], dims: Attribute | None) -> list[int | str]:
    """Return the extents of a type, and the names that a model has for open ones, else ``?``."""
    shape = type_.get_shape()
    named = dims.data if isa(dims, ArrayAttr[Attribute]) and len(dims) == len(shape) else shape
    return [
        extent if extent >= 0 else name.data if isinstance(name, StringAttr) else "?"
        for extent, name in zip(shape, named, strict=True)
    ]


def _example(dims: Sequence[int | str], symbols: dict[str, int]) -> list[int]:
    """Return numbers that a shape could have; ``symbols`` has those that names stand for so far."""
    usual = _IMAGE if len(dims) == len(_IMAGE) else (_BATCH, *[_LENGTH] * (len(dims) - 1))
    return [
        dim if isinstance(dim, int) else _number(dim, number, symbols)
        for dim, number in zip(dims, usual, strict=True)
    ]


def _number(dim: str, number: int, symbols: dict[str, int]) -> int:
    """Return the number of an extent by its name, or by its declaration in the model."""
    if dim == "?":
        return number
    expression = parse_extent(dim)
    if expression is None:
        return symbols.setdefault(dim, number)
    for name in expression.names:
        symbols.setdefault(name, number)
    return expression.value(symbols)
