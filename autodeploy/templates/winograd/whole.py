"""Which convolutions of codes Winograd's filtering computes in integers, exactly.

With G times its denominator all transforms have integers. Images and filters are transformed in 16
bits, and their products summed in 32; the result is that of the convolution times the square of the
denominator. It is exact as long as nothing overflows, which the ranges of codes and weights tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import i8, i16, i32
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue

from autodeploy.dialects.nn.arithmetic import CastOp, SubOp
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.types import element_of, ui8
from autodeploy.dialects.nn.winograd import WINOGRAD, Winograd

_BYTES: Mapping[Attribute, tuple[int, int]] = {ui8: (0, 255), i8: (-128, 127)}
_LARGEST_16, _LARGEST_32 = 2**15 - 1, 2**31 - 1


def whole_forms(kernel: KernelOp, conv: ConvOp) -> Sequence[int]:
    """Return each m for which F(m x m, 3 x 3) sums a convolution of 16-bit codes exactly."""
    if conv.accumulator != i32 or element_of(conv.x.type) != i16:
        return []
    if element_of(conv.filter.type) != i8 or not isinstance(conv.x, BlockArgument):
        return []
    codes = _range(kernel.inputs[conv.x.index])
    _, channels, _ = conv.filter_shape
    if codes is None:
        return []
    low, high = codes
    # Pads hold one of the codes, or 0.
    codes = min(low, 0), max(high, 0)
    return [m for m, transform in WINOGRAD.items() if _fits(transform, codes, channels)]


def _range(value: SSAValue) -> tuple[int, int] | None:
    """Return the least and the largest element of a stored value that is computed from bytes."""
    op = value.owner
    if isinstance(op, ReshapeOp | TransposeOp):
        return _range(op.operands[0])
    if isinstance(value, BlockArgument):
        kernel = value.block.parent_op()
        return _range(kernel.inputs[value.index]) if isinstance(kernel, KernelOp) else None
    if isinstance(op, KernelOp) and isinstance(value, OpResult):
        end = op.body.block.last_op
        assert end is not None
        return _range(end.operands[value.index])
    if isinstance(op, CastOp):
        return _BYTES.get(element_of(op.operands[0].type))
    if isinstance(op, SubOp):
        one, other = (_range(operand) for operand in op.operands)
        if one is not None and other is not None:
            return one[0] - other[1], one[1] - other[0]
    return None


def _fits(transform: Winograd, codes: tuple[int, int], channels: int) -> bool:
    """Tell whether elements of both transforms have 16 bits, and sums of their products 32.

    The result has 32 bits, too; intermediate sums of the output transform may wrap around.
    """
    scaled = [[round(n * transform.denominator) for n in row] for row in transform.filter_transform]
    images = _sizes(transform.input_transform, codes)
    weights = _sizes(scaled, _BYTES[i8])
    if max(*images, *weights) > _LARGEST_16:
        return False
    largest = max(image * weight for image, weight in zip(images, weights, strict=True))
    taps = 9 * max(map(abs, codes)) * -_BYTES[i8][0] * transform.denominator**2
    return channels * max(largest, taps) <= _LARGEST_32


def _sizes(matrix: Sequence[Sequence[float]], elements: tuple[float, float]) -> list[float]:
    """Return the largest size of each element of ``matrix`` X ``matrix``ᵀ, by the range of X."""

    def along(row: Sequence[float], low: float, high: float) -> tuple[float, float]:
        ends = [sorted((n * low, n * high)) for n in row]
        return sum(low for low, _ in ends), sum(high for _, high in ends)

    inner = [along(row, *elements) for row in matrix]
    return [max(map(abs, along(row, *ends))) for ends in inner for row in matrix]
