"""``widen-codes``: 8-bit codes are stored in 16 bits for machines that multiply pairs of these."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i8, i16, i32
from xdsl.ir import OpResult, Use
from xdsl.passes import ModulePass

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import element_of, ui8
from autodeploy.machine import Machine
from autodeploy.passes.kernels.stored_values import store_as, stored_factor

_CODES = (ui8, i8)


class WidenCodesPass(ModulePass):
    """Store codes of 8 bits as 16-bit integers between kernels where products of weights read them.

    Processors without products of bytes multiply pairs of 16-bit integers. A kernel that reads
    bytes widens each of them once per tile of columns; one that reads wider codes takes them from
    memory as they are. Weights stay bytes: each is widened once for all rows of a tile. Other
    readers of such codes cast them back.
    """

    name = "widen-codes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        machine = machine_of(op)
        stored: dict[OpResult, None] = {}
        for kernel in [inner for inner in op.walk() if isinstance(inner, KernelOp)]:
            if any(_reads_pairs(anchor, machine) for anchor in kernel.anchors[:1]):
                value = stored_factor(kernel)
                if value is not None and element_of(value.type) in _CODES:
                    stored[value] = None
        for value in stored:
            store_as(value, i16, lambda use: _is_product(use, machine))


def _reads_pairs(op: object, machine: Machine) -> bool:
    """Tell whether an op sums products of bytes, which the machine widens to multiply pairs."""
    if not isinstance(op, ConvOp | MatMulOp) or op.accumulator != i32:
        return False
    if isinstance(op, ConvOp) and op.groups.value.data > 1:
        return False
    lhs, rhs = (element_of(operand.type) for operand in op.operands[:2])
    if lhs not in (*_CODES, i16) or rhs != i8:
        return False
    pairs = machine.dot(str(i16), str(rhs))
    return pairs > 1 and all(machine.dot(str(code), str(rhs)) <= pairs for code in _CODES)


def _is_product(use: Use, machine: Machine) -> bool:
    return use.index == 0 and _reads_pairs(use.operation, machine)
