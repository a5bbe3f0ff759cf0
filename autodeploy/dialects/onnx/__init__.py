"""The onnx dialect: every operator of ONNX in every version, as the model has it.

Op classes come from the schemas of the installed onnx package, on the first call of ``get_onnx`` or
``op_class``. The text of an op is its newest version as ``onnx.Conv`` and an older one as
``onnx.Conv.v11``; those of other domains are ``onnx.ml.Scaler`` and so on.

Constraints of all ops that come from a schema:

- (attribute_c1) a property has the type that the schema gives the attribute
- (subgraph_c1) each region is one block that ends in ``onnx.yield``
"""

from autodeploy.dialects.onnx.op import CustomOp, OnnxOp, Parameter, Setting, YieldOp, python_value
from autodeploy.dialects.onnx.schemas import get_onnx, op_class
from autodeploy.dialects.onnx.types import (
    MapType,
    OptionalType,
    SequenceType,
    SparseType,
    StringType,
    UnknownType,
)
from autodeploy.dialects.onnx.values import (
    RawAttr,
    StringsAttr,
    TensorValue,
    TextAttr,
    text_attr,
    text_bytes,
)

__all__ = [
    "CustomOp",
    "MapType",
    "OnnxOp",
    "OptionalType",
    "Parameter",
    "RawAttr",
    "SequenceType",
    "Setting",
    "SparseType",
    "StringType",
    "StringsAttr",
    "TensorValue",
    "TextAttr",
    "UnknownType",
    "YieldOp",
    "get_onnx",
    "op_class",
    "python_value",
    "text_attr",
    "text_bytes",
]
