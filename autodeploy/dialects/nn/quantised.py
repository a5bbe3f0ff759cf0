"""Codes: integers that stand for floats by a scale and a zero point.

The code q stands for (q - zero) * scale, as ONNX's QuantizeLinear and DequantizeLinear say. Passes
see a quantised graph as dequantize, op, quantize, whatever operators it had.

Constraints of both ops:

- (codes_c1) codes are integers of 8 or 16 bits, or sums of 32 bits, which have no zero point
- (codes_c2) numbers and their scale are 32-bit floats
- (codes_c3) scale and zero point broadcast to x without widening it
"""

from __future__ import annotations

from xdsl.dialects.builtin import f32, i8, i16, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.base import TENSOR
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.types import element_of, highest, lowest, shape_of, ui8, ui16

CODES: tuple[Attribute, ...] = (ui8, i8, ui16, i16)
"""The element types of codes."""

_SHIFT, _SHIFT_BITS = 1.5 * 2**23, 0x4B400000
"""Added to a float below 2^22 in size, this number rounds it to an integer, halves to even, and
leaves that in the low bits: faster than to round and to convert. Its bits are the integer 0."""


def _check_parameters(op: PointwiseOp, x: SSAValue, *parameters: SSAValue | None) -> None:
    for parameter in parameters:
        if parameter is None:
            continue
        if not are_same(op.shape, shape_of(x.type)):
            raise invalid("codes_c3", f"{parameter.type} widens {x.type}")


@irdl_op_definition
class QuantizeOp(PointwiseOp):
    """The codes of numbers: x / scale rounded to the nearest integer, halves to even, plus zero.

    Codes have the element type of ``zero``. A larger integer becomes the greatest code; a smaller
    one, and nan, the least.
    """

    name = "nn.quantize"

    x = operand_def(TENSOR)
    scale = operand_def(TENSOR)
    zero = operand_def(TENSOR)

    def __init__(self, x: SSAValue, scale: SSAValue, zero: SSAValue):
        self.init_inferred([x, scale, zero])

    def result_element(self) -> Attribute:
        """Return the element type of ``zero``."""
        codes = element_of(self.zero.type)
        if codes not in CODES:
            raise invalid("codes_c1", f"codes are integers of 8 or 16 bits, found {codes}")
        if {element_of(self.x.type), element_of(self.scale.type)} != {f32}:
            raise invalid("codes_c2", f"expected 32-bit floats, found {self.x.type}")
        _check_parameters(self, self.x, self.scale, self.zero)
        return codes

    def body(self, s: Scalars[E], x: E, scale: E, zero: E) -> E:
        codes = self.result_element()
        offset = s.exact(zero, f32)
        place, low, high = x / scale, lowest(codes) - offset, highest(codes) - offset
        # A comparison with nan does not hold.
        place = s.where(low < place, place, low)
        place = s.where(place < high, place, high)
        whole = s.reinterpret(place + _SHIFT, i32) - _SHIFT_BITS
        return s.exact(whole + s.exact(zero, i32), codes)


@irdl_op_definition
class DequantizeOp(PointwiseOp):
    """The numbers that codes stand for: (x - zero) * scale; without ``zero`` it is 0."""

    name = "nn.dequantize"

    x = operand_def(TENSOR)
    scale = operand_def(TENSOR)
    zero = opt_operand_def(TENSOR)

    def __init__(self, x: SSAValue, scale: SSAValue, zero: SSAValue | None = None):
        self.init_inferred([x, scale, zero], f32)

    def result_element(self) -> Attribute:
        """Return f32."""
        codes = element_of(self.x.type)
        if codes not in CODES and (codes != i32 or self.zero is not None):
            raise invalid(
                "codes_c1",
                "codes are integers of 8 or 16 bits, or of 32 without a zero point, "
                f"found {self.x.type}",
            )
        if self.zero is not None and element_of(self.zero.type) != codes:
            raise invalid("codes_c1", f"a zero point is a code, found {self.zero.type}")
        if element_of(self.scale.type) != f32:
            raise invalid("codes_c2", f"expected a scale of 32-bit floats, found {self.scale.type}")
        _check_parameters(self, self.x, self.scale, self.zero)
        return f32

    def body(self, s: Scalars[E], x: E, scale: E, *zero: E) -> E:
        distance = s.exact(x, i32)
        if zero:
            distance = distance - s.exact(zero[0], i32)
        return s.exact(distance, f32) * scale
