"""Families of ai.onnx's operators, for passes that run before there are nn ops to ask.

A test converts each operator, and compares what its nn ops do with the families.
"""

from __future__ import annotations

POINTWISE = frozenset((
    "Abs", "Acos", "Acosh", "Add", "And", "Asin", "Asinh", "Atan", "Atanh", "BitCast", "BitShift",
    "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Cast", "Ceil", "Celu", "Clip", "Cos",
    "Cosh", "Div", "Elu", "Equal", "Erf", "Exp", "Floor", "Gelu", "Greater", "GreaterOrEqual",
    "HardSigmoid", "HardSwish", "Identity", "IsInf", "IsNaN", "LeakyRelu", "Less", "LessOrEqual",
    "Log", "Max", "Mean", "Min", "Mish", "Mod", "Mul", "Neg", "Not", "Or", "PRelu", "Pow",
    "Reciprocal", "Relu", "Round", "Selu", "Sigmoid", "Sign", "Sin", "Sinh", "Softplus",
    "Softsign", "Sqrt", "Sub", "Sum", "Swish", "Tan", "Tanh", "ThresholdedRelu", "Where", "Xor"
))  # fmt: skip
"""Operators that compute each element from those at the same place, by NumPy's broadcasting."""

RENUMBERINGS = frozenset((
    "DepthToSpace", "Flatten", "Identity", "Reshape", "SpaceToDepth", "Squeeze", "Transpose",
    "Unsqueeze"
))  # fmt: skip
"""Operators whose result has the elements of their first operand, each once."""

MOVEMENTS = RENUMBERINGS | {"Concat", "Expand", "Gather", "Slice", "Split", "Tile"}
"""Operators whose results have elements of the first operand, or of all that ``Concat`` joins."""

REDUCTIONS = frozenset((
    "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
    "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"
))  # fmt: skip
"""Operators that reduce their first operand along axes, which a second one may list."""
