"""Types that ONNX has and builtin lacks: strings, sequences, optionals, maps, sparse tensors.

Everything else is builtin: ``tensor<2x?xf32>`` with ``?`` for an extent that is not known,
``tensor<*xf32>`` where the rank is not, ``f8E4M3FN``, ``f4E2M1FN``, ``i4``, ``ui2``,
``complex<f32>`` and so on as element types.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition

from autodeploy.dialects.constraints import invalid


@irdl_attr_definition
class StringType(ParametrizedAttribute, TypeAttribute):
    """Element type of a tensor of strings, and key type of a map."""

    name = "onnx.string"


@irdl_attr_definition
class UnknownType(ParametrizedAttribute, TypeAttribute):
    """A value of which the model says nothing, such as a result of a foreign operator."""

    name = "onnx.unknown"


@dataclass(frozen=True, init=False)
class _Container(ParametrizedAttribute, TypeAttribute):
    """A type around one other type; as a dataclass it hands on what types are compared by."""

    element: Attribute

    def verify(self) -> None:
        """Check (container_c1) that the parameter is a type."""
        if not isinstance(self.element, TypeAttribute):
            raise invalid("container_c1", f"{self.name} takes a type, found {self.element}")


@irdl_attr_definition
class SequenceType(_Container):
    """A list of values of one type: ``!onnx.sequence<tensor<*xf32>>``."""

    name = "onnx.sequence"

    def __init__(self, element: Attribute):
        super().__init__(element)


@irdl_attr_definition
class OptionalType(_Container):
    """A value or nothing: ``!onnx.optional<tensor<2xf32>>``."""

    name = "onnx.optional"

    def __init__(self, element: Attribute):
        super().__init__(element)


@irdl_attr_definition
class SparseType(_Container):
    """A tensor in coordinate form: ``!onnx.sparse<tensor<100x100xf32>>``."""

    name = "onnx.sparse"

    def __init__(self, element: Attribute):
        super().__init__(element)


@irdl_attr_definition
class MapType(ParametrizedAttribute, TypeAttribute):
    """A dictionary with integer or string keys: ``!onnx.map<i64, tensor<f32>>``."""

    name = "onnx.map"

    key: Attribute
    value: Attribute

    def __init__(self, key: Attribute, value: Attribute):
        super().__init__(key, value)

    def verify(self) -> None:
        """Check the constraints.

        - (map_c1) keys are integers or strings
        - (map_c2) the second parameter is a type
        """
        if not isinstance(self.key, IntegerType | StringType):
            message = f"{self.name} takes integer or string keys, found {self.key}"
            raise invalid("map_c1", message)
        if not isinstance(self.value, TypeAttribute):
            raise invalid("map_c2", f"{self.name} takes a type of values, found {self.value}")
