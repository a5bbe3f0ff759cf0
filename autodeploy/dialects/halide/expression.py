"""Expressions: the scalar ops from which the regions of funcs are made.

They are Halide's own, not ``arith``'s: one op serves all element types, unsigned ones included;
integer division leaves a remainder that is never negative, and both give 0 for a divisor of 0, as
Halide's do. Each op is one entry in the emitters' tables.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f64, i1, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.expression_base import (
    BinaryOp,
    BitwiseOp,
    CompareOp,
    ExpressionOp,
    FloatUnaryOp,
    LogicalOp,
    UnaryOp,
)
from autodeploy.dialects.nn.types import ELEMENT_BYTES, is_bool, is_float


@irdl_op_definition
class ConstOp(IRDLOperation):
    """A number of the result's type; floats are held in double precision."""

    name = "halide.const"

    value = prop_def(base(FloatAttr) | base(IntegerAttr))
    result = result_def()

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: float | int, type_: Attribute):
        super().__init__(
            properties={
                "value": FloatAttr(float(value), f64)
                if is_float(type_)
                else IntegerAttr(int(value), i64)
            },
            result_types=[type_],
        )

    def verify_(self) -> None:
        """Check the constraints.

        - (const_c1) the result has a type that Halide computes with
        - (const_c2) number and type are both floats, or both integers
        """
        if self.result.type not in ELEMENT_BYTES:
            raise invalid("const_c1", f"no halide value has type {self.result.type}")
        if is_float(self.result.type) != isinstance(self.value, FloatAttr):
            raise invalid("const_c2", f"{self.value} is no {self.result.type}")

    @classmethod
    def parse(cls, parser: Parser) -> ConstOp:
        """Parse ``number : type``; ``inf``, ``-inf`` and ``nan`` are numbers, too."""
        start = parser.pos
        sign = -1.0 if parser.parse_optional_punctuation("-") is not None else 1.0
        word = parser.parse_optional_keyword("inf") or parser.parse_optional_keyword("nan")
        number = sign * float(word) if word is not None else parser.parse_number()
        value = -number if word is None and sign < 0 else number
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        if isinstance(value, float) and not is_float(type_):
            parser.raise_error(f"{value} is no {type_}", start, parser.pos)
        try:
            return ConstOp(value, type_)
        except OverflowError:  # an integer of hundreds of digits
            parser.raise_error(f"the number is too large for {type_}", start, parser.pos)

    def print(self, printer: Printer) -> None:
        value = self.value.value.data
        text = repr(value)
        if "e" in text and "." not in text:  # MLIR's lexer wants a point before an exponent
            text = text.replace("e", ".0e")
        printer.print_string(f" {text} : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class AddOp(BinaryOp):
    """``lhs + rhs``."""

    name = "halide.add"


@irdl_op_definition
class SaturatingAddOp(BitwiseOp):
    """``saturating_add(lhs, rhs)``: the nearest integer of the type to the sum.

    An instruction of x86 sums neighbours so; see ``halide.atomic``.
    """

    name = "halide.saturating_add"


@irdl_op_definition
class SubOp(BinaryOp):
    """``lhs - rhs``."""

    name = "halide.sub"


@irdl_op_definition
class MulOp(BinaryOp):
    """``lhs * rhs``."""

    name = "halide.mul"


@irdl_op_definition
class DivOp(BinaryOp):
    """``lhs / rhs``; integers are Euclidean (``-7 / -2`` is 4), and a divisor of 0 gives 0."""

    name = "halide.div"


@irdl_op_definition
class ModOp(BinaryOp):
    """``lhs % rhs``: of integers never negative, of floats rounded down; ``x % 0`` is 0 or nan."""

    name = "halide.mod"


@irdl_op_definition
class MinOp(BinaryOp):
    """``min(lhs, rhs)``: rhs if either is nan, unless ``fast_math`` leaves that undefined."""

    name = "halide.min"


@irdl_op_definition
class MaxOp(BinaryOp):
    """``max(lhs, rhs)``: rhs if either is nan, unless ``fast_math`` leaves that undefined."""

    name = "halide.max"


@irdl_op_definition
class PowOp(BinaryOp):
    """``pow(lhs, rhs)``."""

    name = "halide.pow"


@irdl_op_definition
class EqOp(CompareOp):
    """``lhs == rhs``."""

    name = "halide.eq"


@irdl_op_definition
class LtOp(CompareOp):
    """``lhs < rhs``."""

    name = "halide.lt"


@irdl_op_definition
class LeOp(CompareOp):
    """``lhs <= rhs``, which Halide takes as ``!(rhs < lhs)``: a nan makes it true."""

    name = "halide.le"


@irdl_op_definition
class AndOp(LogicalOp):
    """``lhs && rhs``."""

    name = "halide.and"


@irdl_op_definition
class OrOp(LogicalOp):
    """``lhs || rhs``."""

    name = "halide.or"


@irdl_op_definition
class BitAndOp(BitwiseOp):
    """``lhs & rhs``."""

    name = "halide.bit_and"


@irdl_op_definition
class BitOrOp(BitwiseOp):
    """``lhs | rhs``."""

    name = "halide.bit_or"


@irdl_op_definition
class BitXorOp(BitwiseOp):
    """``lhs ^ rhs``."""

    name = "halide.bit_xor"


@irdl_op_definition
class NotOp(UnaryOp):
    """``!x`` of a boolean."""

    name = "halide.not"

    def verify_(self) -> None:
        """Check (not_c1) that the operand is a boolean."""
        super().verify_()
        if not is_bool(self.x.type):
            raise invalid("not_c1", f"{self.name} takes a boolean, found {self.x.type}")


@irdl_op_definition
class AbsOp(UnaryOp):
    """``abs(x)``, in x's own type."""

    name = "halide.abs"


@irdl_op_definition
class ExpOp(FloatUnaryOp):
    """``exp(x)``."""

    name = "halide.exp"


@irdl_op_definition
class LogOp(FloatUnaryOp):
    """``log(x)``."""

    name = "halide.log"


@irdl_op_definition
class SqrtOp(FloatUnaryOp):
    """``sqrt(x)``."""

    name = "halide.sqrt"


@irdl_op_definition
class SinOp(FloatUnaryOp):
    """``sin(x)``."""

    name = "halide.sin"


@irdl_op_definition
class CosOp(FloatUnaryOp):
    """``cos(x)``."""

    name = "halide.cos"


@irdl_op_definition
class TanhOp(FloatUnaryOp):
    """``tanh(x)``."""

    name = "halide.tanh"


@irdl_op_definition
class ErfOp(FloatUnaryOp):
    """``erf(x)``."""

    name = "halide.erf"


@irdl_op_definition
class FloorOp(FloatUnaryOp):
    """``floor(x)``."""

    name = "halide.floor"
    IS_COUNTED: ClassVar[bool] = False


@irdl_op_definition
class CeilOp(FloatUnaryOp):
    """``ceil(x)``."""

    name = "halide.ceil"
    IS_COUNTED: ClassVar[bool] = False


@irdl_op_definition
class RoundOp(FloatUnaryOp):
    """``round(x)``, halves to even."""

    name = "halide.round"
    IS_COUNTED: ClassVar[bool] = False


@irdl_op_definition
class StrictOp(UnaryOp):
    """``strict_float(x)``: x and all that it is made of in its region as IEEE 754 says.

    Covers arithmetic, min, max and comparisons, up to loads; nan and inf are kept, sums are not
    regrouped and not contracted. Other functions (exp, log, …) keep their own ways with nan. Only a
    pipeline with ``fast_math`` needs it.
    """

    name = "halide.strict"


@irdl_op_definition
class LikelyOp(UnaryOp):
    """``likely(x)``: loops are split so that the steady state has x without a test."""

    name = "halide.likely"


@irdl_op_definition
class IsNanOp(ExpressionOp):
    """``is_nan(x)``."""

    name = "halide.is_nan"

    x = operand_def()
    result = result_def(i1)

    assembly_format = "$x attr-dict `:` type($x)"

    def __init__(self, x: SSAValue):
        super().__init__(operands=[x], result_types=[i1])

    def verify_(self) -> None:
        """Check (is_nan_c1) that the operand is a float."""
        super().verify_()
        if not is_float(self.x.type):
            raise invalid("is_nan_c1", f"{self.name} takes a float, found {self.x.type}")


@irdl_op_definition
class CastOp(ExpressionOp):
    """``cast<type>(x)``; a float becomes an integer by dropping its fraction.

    It makes no boolean, as Halide would keep the last bit only: a comparison makes one.
    """

    name = "halide.cast"

    x = operand_def()
    result = result_def()

    assembly_format = "$x attr-dict `:` type($x) `to` type($result)"

    def __init__(self, x: SSAValue, type_: Attribute):
        super().__init__(operands=[x], result_types=[type_])

    def verify_(self) -> None:
        """Check (cast_c1) that the result is no boolean; a comparison with 0 is one."""
        super().verify_()
        if is_bool(self.result.type):
            raise invalid("cast_c1", "halide.cast makes no i1; compare with 0")


@irdl_op_definition
class ReinterpretOp(ExpressionOp):
    """``reinterpret<type>(x)``: the bits of a value read as another type of the same size."""

    name = "halide.reinterpret"

    x = operand_def()
    result = result_def()

    assembly_format = "$x attr-dict `:` type($x) `to` type($result)"

    def __init__(self, x: SSAValue, type_: Attribute):
        super().__init__(operands=[x], result_types=[type_])

    def verify_(self) -> None:
        """Check (reinterpret_c1) that both types have the same number of bits, but not one."""
        super().verify_()
        given, wanted = self.x.type, self.result.type
        if is_bool(given) or is_bool(wanted) or ELEMENT_BYTES[given] != ELEMENT_BYTES[wanted]:
            raise invalid("reinterpret_c1", f"{given} and {wanted} do not have as many bits")


@irdl_op_definition
class SelectOp(ExpressionOp):
    """``select(condition, on_true, on_false)``."""

    name = "halide.select"

    _T: ClassVar = VarConstraint("T", AnyAttr())

    condition = operand_def(i1)
    on_true = operand_def(_T)
    on_false = operand_def(_T)
    result = result_def(_T)

    assembly_format = "$condition `,` $on_true `,` $on_false attr-dict `:` type($on_true)"

    def __init__(self, condition: SSAValue, on_true: SSAValue, on_false: SSAValue):
        super().__init__(operands=[condition, on_true, on_false], result_types=[on_true.type])
