"""Answers of ONNX about nodes, which are kept: layers of a network mostly ask the same.

Ops of one operator with equal attributes are one node. Its types follow from those of the operands
and from the values of small ones, and the results of ONNX's reference from the values alone.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

from onnx import NodeProto, TensorProto, TypeProto, numpy_helper
from onnx.checker import ValidationError
from onnx.defs import OpSchema
from onnx.helper import make_opsetid
from onnx.shape_inference import InferenceError, infer_node_outputs
from xdsl.context import Context
from xdsl.ir import Attribute, SSAValue

from autodeploy.analysis.reference import Reference
from autodeploy.dialects.nn.constant import ConstantValue
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.onnx.nodes import node_proto
from autodeploy.frontend.onnx.types import type_attr, type_proto
from autodeploy.weights import Array, WeightStore

_UNKNOWN: Any = object()
"""Stands for a key that a table lacks, so that a key is hashed once, which takes long."""

Known: TypeAlias = tuple[Attribute, ConstantValue | None]
"""The type of an operand, and its value if inference is to see it."""


@dataclass(eq=False)
class KnownNode:
    """A node with inputs ``v0``, ``v1`` and so on, and outputs whose names follow."""

    store: WeightStore
    proto: NodeProto
    schema: OpSchema
    version: int
    inputs: Sequence[str]
    outputs: Sequence[str]
    results: dict[object, Any] = field(default_factory=dict[object, Any])
    """Results that readers of the node keep, by keys of their own."""
    _types: dict[object, Sequence[Attribute | None] | None] = field(
        default_factory=dict[object, Sequence[Attribute | None] | None]
    )

    _nodes: ClassVar[dict[int, dict[object, KnownNode | None]]] = {}
    """By the identity of a context, until it is gone: attributes name the weights of its store."""

    @classmethod
    def of(cls, ctx: Context, op: OnnxOp) -> KnownNode | None:
        """Return the node of an op.

        ``None`` for an op with subgraphs, or with a property that ONNX has no form for.
        """
        if op.regions:
            return None
        if (nodes := cls._nodes.get(id(ctx))) is None:
            nodes = cls._nodes[id(ctx)] = {}
            weakref.finalize(ctx, cls._nodes.pop, id(ctx), None)
        key = type(op), len(op.operands), len(op.results), *op.properties.items()
        if (found := nodes.get(key, _UNKNOWN)) is _UNKNOWN:
            found = nodes[key] = cls._made(ctx, op)
        return found

    @classmethod
    def _made(cls, ctx: Context, op: OnnxOp) -> KnownNode | None:
        # A value that is used twice has two names: each stands for any value.
        names = [f"v{place}" for place in range(len(op.operands) + len(op.results))]
        unused = iter(names)

        def name_of(value: SSAValue) -> str:
            return next(unused)

        try:
            proto = node_proto(ctx, op, name_of)
        except ValueError:  # a property that is malformed
            return None
        if proto is None:
            return None
        proto.ClearField("name")
        count = len(op.operands)
        return cls(WeightStore.of(ctx), proto, op.schema, op.version, names[:count], names[count:])

    @cached_property
    def reference(self) -> Reference | None:
        """The node as ONNX's reference runs it; ``None`` if the reference has none of it."""
        return Reference.of(self.proto, self.inputs, self.version)

    def run(self, operands: Sequence[Array]) -> list[Array] | None:
        """Return what ONNX's reference computes of operands; ``None`` if it fails."""
        named = dict(zip(self.inputs, operands, strict=True))
        return None if self.reference is None else self.reference(named)

    def types(
        self, operands: Sequence[Known], opsets: dict[str, int]
    ) -> Sequence[Attribute | None] | None:
        """Return the types that ONNX infers of the results, none where an attribute is malformed.

        ``None`` if the node cannot have such operands.
        """
        key = *operands, *opsets.items()
        if (found := self._types.get(key, _UNKNOWN)) is _UNKNOWN:
            found = self._types[key] = self._inferred(operands, opsets)
        return found

    def _inferred(
        self, operands: Sequence[Known], opsets: dict[str, int]
    ) -> Sequence[Attribute | None] | None:
        types: dict[str, TypeProto] = {}
        data: dict[str, TensorProto] = {}
        try:
            for name, (type_, value) in zip(self.inputs, operands, strict=True):
                types[name] = type_proto(type_) or TypeProto()
                if value is not None:
                    data[name] = numpy_helper.from_array(self.store.array(value), name)
            imports = [make_opsetid(*entry) for entry in opsets.items()]
            found = infer_node_outputs(self.schema, self.proto, types, data, opset_imports=imports)
        except InferenceError:
            return None
        except (ValidationError, ValueError):
            return [None] * len(self.outputs)
        return [type_attr(found[name]) if name in found else None for name in self.outputs]
