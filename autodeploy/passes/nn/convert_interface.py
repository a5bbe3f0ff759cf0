"""``convert-interface``: inputs and outputs of a page have elements that its device can hold."""

from __future__ import annotations

from typing import TypeGuard

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, i32, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.base import MovementOp
from autodeploy.dialects.nn.lookup import LookupOp
from autodeploy.dialects.nn.marks import states_of
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.types import element_of, is_bool, shape_of, tensor


class ConvertInterfacePass(ModulePass):
    """Let integers of 64 bits and booleans that are inputs or outputs have 32 bits.

    Memory of WebGPU has words alone. A boolean is 1 or 0, and anything but 0 is true. Integers stay
    in 32 bits where they are moved, are places to look up, or are converted: the result is the
    same. Other ops read them in 64 bits. Outputs of 64 bits have 32 if they are words that were
    converted, as places of extremes are, and maybe moved. Nothing bounds other ones, which stay.
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
        if (word := _word(value)) is not None:
            returned.operands[index] = word
            _erase_unused(value)
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
        elif _moves_words(reader):
            after = CastOp(_moved(reader, word.x), element_of(reader.result.type))
            Rewriter.replace_op(reader, after)
            _sink(after)
    if not word.result.uses:
        Rewriter.erase_op(word)


def _moves_words(op: Operation | Block) -> TypeGuard[MovementOp]:
    """Return whether an op moves the elements of its only operand, and adds no wider ones."""
    if isinstance(op, PadOp) and not -(2**31) <= op.value.value.data < 2**31:
        return False
    return isinstance(op, MovementOp) and len(op.operands) == 1


def _moved(op: MovementOp, word: SSAValue) -> SSAValue:
    """Return a word, moved as an op moves a value of another type."""
    moved = op.clone()
    moved.operands[0] = word
    Rewriter.insert_op(moved, InsertPoint.before(op))
    type_ = tensor(element_of(word.type), shape_of(op.result.type))
    return Rewriter.replace_value_with_new_type(moved.result, type_)


def _word(value: SSAValue) -> SSAValue | None:
    """Return an output in 32 bits: a boolean, or what was converted from one or from a word."""
    owner, element = value.owner, element_of(value.type)
    if is_bool(element):
        converted = CastOp(value, i32)
        is_argument = isinstance(owner, Block)
        at = InsertPoint.at_start(owner) if is_argument else InsertPoint.after(owner)
        Rewriter.insert_op(converted, at)
        return converted.result
    if element != i64:
        return None
    if isinstance(owner, CastOp):
        given = element_of(owner.x.type)
        return owner.x if given == i32 else _word(owner.x) if is_bool(given) else None
    word = _word(owner.operands[0]) if _moves_words(owner) else None
    return None if word is None or not isinstance(owner, MovementOp) else _moved(owner, word)


def _erase_unused(value: SSAValue) -> None:
    """Erase an op whose result nothing reads, and those before it that only it read."""
    while not value.uses and isinstance(op := value.owner, CastOp | MovementOp):
        value = op.operands[0]
        Rewriter.erase_op(op)
