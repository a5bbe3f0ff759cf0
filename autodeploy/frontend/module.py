"""The module that the readers of all formats build around the ops of a model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from autodeploy.diagnostics import ModelError, UserError, did_you_mean
from autodeploy.frontend.names import ascii_text, model_identifier


def model_module(
    name: str,
    block: Block,
    results: Sequence[SSAValue],
    arguments: Sequence[Mapping[str, Attribute]],
    outputs: Sequence[Mapping[str, Attribute]],
) -> ModuleOp:
    """Return the module of a model: ``func.func @main`` of a block, which returns ``results``.

    ``arguments`` and ``outputs`` are the attributes of the arguments and of the results.
    """
    block.add_op(ReturnOp(*results))
    main = FuncOp(
        "main",
        FunctionType.from_lists(
            [argument.type for argument in block.args], [result.type for result in results]
        ),
        Region(block),
        arg_attrs=ArrayAttr(map(DictionaryAttr, arguments)) if arguments else None,
        res_attrs=ArrayAttr(map(DictionaryAttr, outputs)),
    )
    module = ModuleOp([main])
    module.attributes["nn.model"] = StringAttr(model_identifier(name))
    return module


def place(block: Block, op: Operation, name: str) -> None:
    """Append an op to a block; its location is the node or tensor ``name``."""
    op.location = NameLoc(StringAttr(ascii_text(name)), NoneAttr())
    block.add_op(op)


def check_inputs(given: Iterable[str], inputs: Collection[str], what: str = "shape") -> None:
    """Raise ``ModelError`` if a shape (or another ``what``) is given for no input."""
    for name in given:
        if name not in inputs:
            listed = ", ".join(f"'{known}'" for known in inputs) or "none"
            raise ModelError(
                f"{what} given for '{name}', which is no input; the model's inputs are {listed}"
                + did_you_mean(name, inputs)
            )


Axes: TypeAlias = Mapping[str, Mapping[int, int]]
"""Extents of single axes of inputs, by the names of these."""


def with_axes(shapes: Mapping[str, Sequence[int] | None], axes: Axes) -> dict[str, Sequence[int]]:
    """Return the shapes of inputs of which extents are given, with these.

    Raises ``ModelError`` for a name of no input or of unknown rank, and ``UserError`` for an axis
    that an input does not have.
    """
    found: dict[str, Sequence[int]] = {}
    for name, given in axes.items():
        shape = shapes.get(name)
        if shape is None:
            known = [own for own, shape in shapes.items() if shape is not None]
            listed = ", ".join(map(repr, known)) or "none"
            raise ModelError(
                f"an extent of input '{name}' is to stay open, but the inputs are {listed}"
                f"{did_you_mean(name, known)}"
            )
        for axis in given:
            if axis >= len(shape):
                raise UserError(
                    f"input '{name}' has {len(shape)} axes, found axis {axis} to stay open"
                )
        found[name] = [given.get(axis, extent) for axis, extent in enumerate(shape)]
    return found
