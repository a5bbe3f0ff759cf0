"""Forming one ``nn.kernel`` of several nn ops, for grouping rules and ``form-kernels``."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from autodeploy.dialects.locations import fused_location
from autodeploy.dialects.nn.constant import ConstantOp, ConstantValue, DenseAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import largest_count


def form_kernel(ops: Sequence[Operation]) -> KernelOp:
    """Return one kernel, not yet inserted, that computes what ``ops`` compute in their order.

    Each of them is an nn op or itself a kernel, which is taken apart; the results of the last one
    leave the new kernel. Equal operands become one; a constant whose elements are all one number
    goes inside with the pointwise op that reads it, every other constant stays an operand. Ops keep
    their locations, and the kernel has those of all.
    """
    return _Builder().build(ops)


class _Builder:
    def __init__(self) -> None:
        self.block = Block()
        self.inputs: list[SSAValue] = []
        self.inside: dict[SSAValue, SSAValue] = {}
        self.constants: dict[ConstantValue, SSAValue] = {}

    def build(self, ops: Sequence[Operation]) -> KernelOp:
        for op in ops:
            if isinstance(op, KernelOp):
                self._inline(op)
            else:
                self._copy(op)
        last = ops[-1]
        results = [self.inside[result] for result in last.results]
        kernel = KernelOp(self.inputs, self.block, results)
        for new, old in zip(kernel.results, last.results, strict=True):
            new.name_hint = old.name_hint
        computing = (op for op in self.block.ops if not isinstance(op, ConstantOp))
        kernel.location = fused_location(computing)
        return kernel

    def _inline(self, kernel: KernelOp) -> None:
        for argument, operand in zip(kernel.body.block.args, kernel.inputs, strict=True):
            if operand in self.inside:
                self.inside[argument] = self.inside[operand]
            else:
                self.inside[argument] = self._argument(operand, argument.name_hint)
        for op in kernel.body_ops:
            self._copy(op)
        for result, value in zip(kernel.results, kernel.yielded, strict=True):
            self.inside[result] = self.inside[value]

    def _copy(self, op: Operation) -> None:
        if isinstance(op, ConstantOp):
            self.inside[op.result] = self._constant(op)
            return
        for operand in op.operands:
            if operand not in self.inside:
                self.inside[operand] = self._bring(operand, op)
        copy = op.clone(self.inside)
        self.block.add_op(copy)
        self.inside.update(zip(op.results, copy.results, strict=True))

    def _bring(self, operand: SSAValue, user: Operation) -> SSAValue:
        owner = operand.owner
        if (
            isinstance(user, PointwiseOp)
            and isinstance(owner, ConstantOp)
            and isinstance(owner.value, DenseAttr)
            and (owner.value.is_splat or largest_count(owner.value.type) == 1)
        ):
            return self._constant(owner)
        return self._argument(operand, operand.name_hint)

    def _constant(self, op: ConstantOp) -> SSAValue:
        if op.value not in self.constants:
            copy = op.clone()
            self.block.add_op(copy)
            self.constants[op.value] = copy.result
        return self.constants[op.value]

    def _argument(self, operand: SSAValue, name: str | None) -> SSAValue:
        argument = self.block.insert_arg(operand.type, len(self.inputs))
        argument.name_hint = name
        self.inputs.append(operand)
        self.inside[operand] = argument
        return argument
