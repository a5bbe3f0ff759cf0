"""What the readers of all formats build around the ops of a model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

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

from autodeploy.diagnostics import ModelError, did_you_mean
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
    """Raise ``ModelError`` where a shape, or another ``what``, is given for what is no input."""
    for name in given:
        if name not in inputs:
            listed = ", ".join(f"'{known}'" for known in inputs) or "none"
            raise ModelError(
                f"{what} given for '{name}', which is no input; the model's inputs are {listed}"
                + did_you_mean(name, inputs)
            )
