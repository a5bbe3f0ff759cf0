"""The common part of expressions: operands, results, and the types that they may have."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue
from xdsl.irdl import AnyAttr, IRDLOperation, VarConstraint, operand_def, result_def, traits_def
from xdsl.traits import Pure

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.types import ELEMENT_BYTES, is_bool, is_float


class ExpressionOp(IRDLOperation, ABC):
    """A scalar computed from scalars.

    ``IS_COUNTED`` says that the op is an arithmetic operation where its result is a float.
    """

    IS_COUNTED: ClassVar[bool] = False

    traits = traits_def(Pure())

    def verify_(self) -> None:
        """Check (expression_c1) that operands and result have types that Halide computes with."""
        for value in (*self.operands, *self.results):
            if value.type not in ELEMENT_BYTES:
                raise invalid("expression_c1", f"no halide value has type {value.type}")


class UnaryOp(ExpressionOp, ABC):
    """One operand, a result of its type."""

    _T: ClassVar = VarConstraint("T", AnyAttr())

    x = operand_def(_T)
    result = result_def(_T)

    assembly_format = "$x attr-dict `:` type($x)"

    def __init__(self, x: SSAValue):
        super().__init__(operands=[x], result_types=[x.type])


class FloatUnaryOp(UnaryOp, ABC):
    """One floating-point operand, a result of its type."""

    IS_COUNTED: ClassVar[bool] = True

    def verify_(self) -> None:
        """Check (float_c1) that the operand is a float."""
        super().verify_()
        if not is_float(self.x.type):
            raise invalid("float_c1", f"{self.name} takes a float, found {self.x.type}")


class BinaryOp(ExpressionOp, ABC):
    """Two operands of one type, a result of that type."""

    IS_COUNTED: ClassVar[bool] = True

    _T: ClassVar = VarConstraint("T", AnyAttr())

    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def(_T)

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])


class CompareOp(ExpressionOp, ABC):
    """Two operands of one type, a boolean result."""

    _T: ClassVar = VarConstraint("T", AnyAttr())

    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def(i1)

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[i1])


class LogicalOp(BinaryOp, ABC):
    """Two boolean operands, a boolean result."""

    def verify_(self) -> None:
        """Check (logic_c1) that the operands are booleans."""
        super().verify_()
        if not is_bool(self.lhs.type):
            raise invalid("logic_c1", f"{self.name} takes booleans, found {self.lhs.type}")


class BitwiseOp(BinaryOp, ABC):
    """Two integers of one type, a result of that type."""

    def verify_(self) -> None:
        """Check (bitwise_c1) that the operands are integers."""
        super().verify_()
        if is_float(self.lhs.type) or is_bool(self.lhs.type):
            raise invalid("bitwise_c1", f"{self.name} takes integers, found {self.lhs.type}")
