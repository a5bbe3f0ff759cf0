"""``convert-interface``: inputs and outputs of a page have elements that its device can hold."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, i32, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.base import MovementOp
from autodeploy.dialects.nn.lookup import LookupOp
from autodeploy.dialects.nn.state import states_of
from autodeploy.dialects.nn.types import element_of, is_bool, shape_of, tensor


class ConvertInterfacePass(ModulePass):
    """Let integers of 64 bits that are inputs, booleans that are inputs or outputs, have 32 bits.

    Memory of WebGPU has words alone. A boolean is 1 or 0, and anything but 0 is true. Integers stay
    in 32 bits where they are moved, are places to look up, or are converted: the result is the
    same. Other ops read them in 64 bits. Outputs of 64 bits stay, since nothing bounds them.
    """

    name = "convert-interface"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all functions of the module that have no states."""
        for function in [f for f in op.body.block.ops if isinstance(f, FuncOp)]:
            if not states_of(function):
                _convert(function)


def _convert(function: FuncOp) -> None:
    block = function.body.block
    for argument in block.args:
        element = element_of(argument.type)
        if element == i64 or is_bool(element):
            word = tensor(i32, shape_of(argument.type))
            converted = CastOp(argument, element)
            argument.replace_all_uses_with(converted.result)
            converted.operands[0] = Rewriter.replace_value_with_new_type(argument, word)
            Rewriter.insert_op(converted, InsertPoint.at_start(block))
            _sink(converted)
    returned = block.last_op
    assert isinstance(returned, ReturnOp)
    for index, value in enumerate(returned.operands):
        if is_bool(element_of(value.type)):
            converted = CastOp(value, i32)
            Rewriter.insert_op(converted, InsertPoint.before(returned))
            returned.operands[index] = converted.result
    function.function_type = FunctionType.from_lists(
        [argument.type for argument in block.args], [value.type for value in returned.operands]
    )


def _sink(word: CastOp) -> None:
    """Let the readers of a converted word read it as it is, if they give the same result."""
    is_wide = not is_bool(element_of(word.result.type))
    for use in list(word.result.uses):
        reader = use.operation
        is_lookup = isinstance(reader, LookupOp) and use.index == 1
        if is_wide and (isinstance(reader, CastOp) or is_lookup):
            reader.operands[use.index] = word.x
        elif isinstance(reader, MovementOp) and len(reader.operands) == 1:
            moved = reader.clone()
            moved.operands[0] = word.x
            element, shape = element_of(word.x.type), shape_of(reader.result.type)
            narrow = Rewriter.replace_value_with_new_type(moved.result, tensor(element, shape))
            Rewriter.insert_op(moved, InsertPoint.before(reader))
            after = CastOp(narrow, element_of(reader.result.type))
            Rewriter.replace_op(reader, after)
            _sink(after)
    if not word.result.uses:
        Rewriter.erase_op(word)
