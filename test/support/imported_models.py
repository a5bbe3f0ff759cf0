"""Models in memory, as modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnx import ModelProto
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from autodeploy.frontend.onnx.importer import import_model


def import_model_proto(
    ctx: Context,
    model: ModelProto,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
) -> ModuleOp:
    """Import a model that has no external data."""
    return import_model(ctx, model.SerializeToString(), shapes=shapes, dims=dims)
