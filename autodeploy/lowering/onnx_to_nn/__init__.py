"""The conversion of each ONNX operator to nn ops, one module a category.

Importing this package fills the registry. A converter is one function, registered for the versions
of an operator whose meaning it has: ``@converts("Softmax", since=13)``.
"""

from autodeploy.lowering.onnx_to_nn import (
    activation,
    arithmetic,
    constants,
    contraction,
    einsum,
    indexing,
    logic,
    lookup,
    movement,
    normalisation,
    reduction,
    resampling,
    scan,
    transposed,
    window,
)
from autodeploy.lowering.onnx_to_nn.registry import converted_operators, converter_of

__all__ = [
    "activation",
    "arithmetic",
    "constants",
    "contraction",
    "converted_operators",
    "converter_of",
    "einsum",
    "indexing",
    "logic",
    "lookup",
    "movement",
    "normalisation",
    "reduction",
    "resampling",
    "scan",
    "transposed",
    "window",
]
