"""The blocks of channels in files that onnxruntime optimised for one processor."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

from onnx import ModelProto, NodeProto, helper

from autodeploy.diagnostics import ModelError, ModelWarning
from autodeploy.frontend.onnx.file import nodes_within

_DOMAIN = "com.microsoft.nchwc"
_WAY_OUT = "let onnxruntime write the model with ORT_ENABLE_EXTENDED instead of ORT_ENABLE_ALL"


def state_blocks(model: ModelProto) -> None:
    """State the channels of a block on the operators of com.microsoft.nchwc, as ``block``.

    A file lacks that number, which decides the order of weights: 16 if onnxruntime wrote it on a
    processor with AVX-512, else 8. If the file allows both, 16 holds, with a ``ModelWarning``.
    Raises ``ModelError`` if it allows none.
    """
    nodes = list(nodes_within(model.graph.node))
    blocked = [node for node in nodes if node.domain == _DOMAIN]
    shapes = {tensor.name: tensor.dims for tensor in model.graph.initializer}
    sizes = [size for size in (16, 8) if _fits(nodes, shapes, size)]
    if not sizes:
        raise ModelError(f"channels of {_DOMAIN} are not in blocks of 8 or 16; {_WAY_OUT}")
    if len(sizes) > 1 and any(node.op_type == "Conv" for node in blocked):
        message = f"channels of {_DOMAIN} are read in blocks of 16, as processors with AVX-512 have"
        warnings.warn(f"{message} them; for others, {_WAY_OUT}", ModelWarning, stacklevel=2)
    for node in (node for node in blocked if node.op_type in ("Conv", "ReorderInput")):
        node.attribute.append(helper.make_attribute("block", sizes[0]))


def _fits(nodes: Sequence[NodeProto], shapes: Mapping[str, Sequence[int]], size: int) -> bool:
    """Return whether channels of a model can be in blocks of a size, with less than one unused."""
    stored: dict[str, int] = {}
    for node in nodes:
        found = [stored.get(name, 0) for name in node.input] or [0]
        channels = found[0]
        if node.op_type == "Concat":
            channels = sum(found) if all(found) else 0
        if node.domain == _DOMAIN and node.op_type == "Conv":
            shape = next((shapes[name] for name in node.input[1:2] if name in shapes), ())
            if len(shape) == 4:
                channels, inputs, *_ = shape
                if channels % size or (inputs >= size and inputs % size):
                    return False
        elif node.domain == _DOMAIN and node.op_type == "ReorderOutput" and channels:
            used = next((a.i for a in node.attribute if a.name == "channels"), 0)
            if not channels - size < used <= channels:
                return False
            channels = 0
        stored.update(dict.fromkeys(node.output, channels))
    return True
