"""Values between kernels, which may be stored in other element types than they are computed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.context import Context
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.types import element_of, shape_of, tensor
from autodeploy.weights import Array, WeightStore, constant_array

MOVEMENTS = (ReshapeOp, TransposeOp)
"""The ops between kernels that move elements as they are."""


def stored_factor(kernel: KernelOp) -> OpResult | None:
    """Return the stored value that a kernel's first anchor multiplies, if its type may change.

    Kernels alone make it and read it.
    """
    if not kernel.anchors:
        return None
    factor = kernel.anchors[0].operands[0]
    if not isinstance(factor, BlockArgument):
        return None
    value = kernel.inputs[factor.index]
    while isinstance(value.owner, MOVEMENTS):
        value = value.owner.operands[0]
    return value if isinstance(value, OpResult) and _is_storable(value) else None


def store_as(value: OpResult, element: Attribute, takes: Callable[[Use], bool]) -> None:
    """Store a result of ``stored_factor`` as ``element``.

    Uses that ``takes`` holds for read it as it is, all others a cast to the type of before.
    """
    kernel = value.op
    assert isinstance(kernel, KernelOp)
    before = element_of(value.type)
    end = kernel.body.block.last_op
    assert end is not None
    end.operands[value.index] = cast_before(end, end.operands[value.index], element)
    readers = list(_readers(value))
    for moved in list(_moved(value)):
        Rewriter.replace_value_with_new_type(moved, tensor(element, shape_of(moved.type)))
    for reader, index in readers:
        assert isinstance(reader, KernelOp)
        read_as(reader, reader.body.block.args[index], element, before, takes)


def own_constant(ctx: Context, kernel: KernelOp, value: SSAValue) -> Array | None:
    """Return the elements of a constant that nothing else in a kernel reads; ``None`` of others."""
    if not isinstance(value, BlockArgument) or not value.has_one_use():
        return None
    return constant_array(ctx, kernel.inputs[value.index])


def replace_constant(ctx: Context, kernel: KernelOp, value: SSAValue, array: Array) -> None:
    """Let a kernel read another constant in place of its ``own_constant``."""
    assert isinstance(value, BlockArgument)
    constant = ConstantOp(WeightStore.of(ctx).attribute(array))
    Rewriter.insert_op(constant, InsertPoint.before(kernel))
    kernel.operands[value.index] = constant.result
    Rewriter.replace_value_with_new_type(value, constant.result.type)


def cast_before(op: Operation, value: SSAValue, element: Attribute) -> SSAValue:
    """Return a value as ``element``, cast before an op."""
    cast = CastOp(value, element)
    Rewriter.insert_op(cast, InsertPoint.before(op))
    return cast.result


def read_as(
    kernel: KernelOp,
    argument: BlockArgument,
    element: Attribute,
    before: Attribute,
    takes: Callable[[Use], bool],
) -> None:
    """Let an argument of a kernel have the type ``element``, and no longer ``before``.

    Uses that ``takes`` holds for read it as it is, all others a cast to the type of before.
    """
    stored = tensor(element, shape_of(argument.type))
    wide = Rewriter.replace_value_with_new_type(argument, stored)
    others = [use for use in wide.uses if not takes(use)]
    if not others:
        return
    cast = CastOp(wide, before)
    Rewriter.insert_op(cast, InsertPoint.at_start(kernel.body.block))
    for use in others:
        use.operation.operands[use.index] = cast.result


def _moved(value: SSAValue) -> Iterator[SSAValue]:
    """Yield a value, and its elements in other orders and shapes."""
    yield value
    for use in value.uses:
        if isinstance(use.operation, MOVEMENTS):
            yield from _moved(use.operation.results[0])


def _readers(value: SSAValue) -> Iterator[tuple[Operation, int]]:
    """Yield the ops that read the elements of a value, with the number of the operand."""
    for moved in _moved(value):
        for use in moved.uses:
            if not isinstance(use.operation, MOVEMENTS):
                yield use.operation, use.index


def _is_storable(value: OpResult) -> bool:
    return all(
        isinstance(op, KernelOp) for op in (value.op, *(reader for reader, _ in _readers(value)))
    )
