"""The subgraphs of ONNX's operators: inlined, or made bodies of loops and choices of nn."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import YieldOp
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, NewOp
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.program_interface import differ_in_shape, fits
from autodeploy.lowering.onnx_to_nn.structures import is_structure, parts_of
from autodeploy.passes.onnx.infer_onnx_shapes import infer_result_types, nested_onnx_ops, opset_of
from autodeploy.weights import constant_value


def inlined(
    b: ConversionContext, op: OnnxOp, name: str, inputs: Sequence[SSAValue]
) -> Sequence[SSAValue]:
    """Compute the results of a subgraph, before the op that has it."""
    body = subgraph_of(op, name)
    if len(body.args) != len(inputs):
        raise ConversionError(
            f"subgraph '{name}' takes {len(body.args)} values, expected {len(inputs)}"
        )
    for argument, value in zip(body.args, inputs, strict=True):
        argument.replace_all_uses_with(value)
    results = list(b.convert_block(body))
    for inner in tuple(body.ops)[:-1]:
        assert isinstance(inner, NewOp | OnnxOp)  # the subgraph is converted
        inner.detach()
        b.insert(inner)
    return results


def inlined_copy(
    b: ConversionContext, op: OnnxOp, name: str, inputs: Sequence[SSAValue]
) -> Sequence[SSAValue]:
    """Do as ``inlined`` with a copy of a subgraph, which may be computed again."""
    block, copy = op.parent_block(), op.clone()
    assert block is not None
    block.insert_op_before(copy, op)
    try:
        values = inlined(b, copy, name, inputs)
        check_counted(b, values)
        return values
    finally:
        copy.detach()
        copy.erase(safe_erase=False)


def check_counted(b: ConversionContext, values: Sequence[SSAValue]) -> None:
    """Raise where a body that is computed several times hands out an extent that a run finds."""
    if any(value in b.bounded for value in values):
        raise ConversionError("a subgraph hands out a value whose extent depends on values")


def subgraph_of(op: OnnxOp, name: str) -> Block:
    """Return the one block of a subgraph; raises ``ConversionError`` if an op lacks it."""
    region = op.subgraph_named(name)
    if region is None:
        raise ConversionError(f"it has no subgraph '{name}'")
    return region.block


def retype(block: Block, types: Sequence[Attribute]) -> None:
    """Give the arguments of a body the types of their initial values."""
    for argument, type_ in zip(block.args, types, strict=True):
        Rewriter.replace_value_with_new_type(argument, type_)


def changes_shapes(b: ConversionContext, op: OnnxOp, carried: Sequence[SSAValue]) -> bool:
    """Return whether the first step of a loop gives the values that it carries other shapes."""
    copy = op.clone()
    body = subgraph_of(copy, "body")
    retype(body, [*(argument.type for argument in body.args[:2]), *(x.type for x in carried)])
    for inner in nested_onnx_ops(body):
        infer_result_types(b.ctx, inner, opset_of(inner))
    made = body.last_op.operands[1:] if body.last_op is not None else ()
    pairs = [(new.type, old.type) for new, old in zip(made, carried, strict=False)]
    differ = any(differ_in_shape(*pair) and not fits(*pair) for pair in pairs)
    copy.erase(safe_erase=False)
    return differ


def captured_by(b: ConversionContext, blocks: Sequence[Block]) -> list[SSAValue]:
    """Make outer values that subgraphs read arguments of theirs, and constants ops of theirs.

    A constant of which only some elements count is no constant. Returns the values that become
    arguments, the last ones of each block.
    """
    captured: list[SSAValue] = []
    for block in blocks:
        _copy_makers(block)
        outside = dict.fromkeys(
            value for op in block.walk() for value in op.operands if not _is_inside(value, block)
        )
        for value in outside:
            constant = None if value in b.bounded else constant_value(value)
            if constant is not None:
                new = ConstantOp(constant)
                Rewriter.insert_op(new, InsertPoint.at_start(block))
                replace_inside(value, new.result, block)
            elif value not in captured:
                captured.append(value)
    for block in blocks:
        for value in captured:
            argument = block.insert_arg(value.type, len(block.args))
            argument.name_hint = value.name_hint
            replace_inside(value, argument, block)
    return captured


def _copy_makers(block: Block) -> None:
    """Copy what makes the sequences and optionals into a subgraph that reads them."""
    while True:
        read = (value for op in block.walk() for value in op.operands if is_structure(value.type))
        value = next((value for value in read if not _is_inside(value, block)), None)
        if value is None:
            return
        parts_of(value)
        maker = value.owner
        assert not isinstance(maker, Block)
        copy = maker.clone()
        Rewriter.insert_op(copy, InsertPoint.at_start(block))
        replace_inside(value, copy.results[0], block)


def replace_inside(value: SSAValue, new: SSAValue, block: Block) -> None:
    """Let a block, and the subgraphs of its ops, read another value in place of one."""
    for use in list(value.uses):
        if block.find_ancestor_op_in_block(use.operation) is not None:
            use.operation.operands[use.index] = new


def _is_inside(value: SSAValue, block: Block) -> bool:
    """Return whether a value is defined in a block or in a region of an op there."""
    if isinstance(value, BlockArgument):
        owner = value.block
        parent = owner.parent_op()
        return owner is block or (
            parent is not None and block.find_ancestor_op_in_block(parent) is not None
        )
    assert not isinstance(value.owner, Block)
    return block.find_ancestor_op_in_block(value.owner) is not None


def end_body(block: Block, values: Sequence[SSAValue]) -> None:
    """Take a body out of its onnx op, and let it hand out values."""
    last = block.last_op
    assert last is not None
    new = YieldOp(values)
    new.location = last.location
    Rewriter.replace_op(last, new, [])
    region = block.parent
    assert isinstance(region, Region)
    region.detach_block(block)
