"""Operators that ONNX lacks and a text defines, before ONNX's own tools see a model.

Those of com.microsoft.nchwc are in files that onnxruntime optimised for one processor.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from onnx import FunctionProto, ModelProto, NodeProto, helper
from xdsl.context import Context

from autodeploy.diagnostics import ModelError, ModelWarning, UserError
from autodeploy.dialects.onnx import op_class
from autodeploy.dialects.onnx.texts import (
    SUFFIX,
    OperatorText,
    give_texts,
    read_texts,
)
from autodeploy.frontend.onnx.file import nodes_within

_CHECKED_DOMAIN = "com.microsoft"
"""A domain of which ONNX's checker knows no operators, and so takes any."""


def give_operators(ctx: Context, folder: Path) -> None:
    """Let the operators that the texts of a folder define be known in a context.

    Raises ``UserError`` if the folder has none, and where one is wrong.
    """
    texts = {text.name: text for text in read_texts(folder)}
    if not texts:
        raise UserError(f"folder of operators '{folder}' holds no file that ends in {SUFFIX}")
    give_texts(ctx, texts.values())
    check_texts(ctx, texts.values())
    for domain, op_type in texts:
        made = op_class(op_type, 1, domain, ctx)
        if made is not None and ctx.get_optional_op(made.name) is None:
            ctx.load_op(made)


def check_texts(ctx: Context, texts: Iterable[OperatorText]) -> None:
    """Check texts, and that no operator is defined by itself; raises ``UserError``."""
    for text in texts:
        text.check(lambda node, opset: op_class(node.op_type, opset, node.domain, ctx))
        domain, op_type = text.name
        made = op_class(op_type, 1, domain, ctx)
        if made is None or made.text != text:
            raise text.error(1, f"ONNX defines {op_type} itself")
        if text in _used(ctx, text):
            raise text.error(1, f"{op_type} is defined by itself")


def _used(ctx: Context, text: OperatorText) -> set[OperatorText]:
    """Return the texts that define operators of a text's body, and of theirs."""
    used: set[OperatorText] = set()
    waiting = [text]
    while waiting:
        function = waiting.pop().function
        imports = {entry.domain: entry.version for entry in function.opset_import}
        for node in function.node:
            made = op_class(node.op_type, imports.get(node.domain, 0), node.domain, ctx)
            if made is not None and made.text is not None and made.text not in used:
                used.add(made.text)
                waiting.append(made.text)
    return used


def import_domains(ctx: Context, model: ModelProto) -> None:
    """Import the domains of operators that texts define where a model does not.

    Files of onnxruntime's tools leave the import out, as onnxruntime has these domains anyway.
    """
    versions = {entry.domain: entry.version for entry in model.opset_import}
    for owner, nodes in _owners(model):
        known = {entry.domain for entry in owner.opset_import}
        used = {
            node.domain for node in nodes_within(nodes) if node.domain and _is_foreign(ctx, node, 1)
        }
        for domain in sorted(used - known):
            owner.opset_import.add(domain=domain, version=versions.get(domain, 1))


def hide_foreign(ctx: Context, model: ModelProto) -> None:
    """Give operators without a domain that ONNX lacks in their opset a domain, for the checker."""
    for owner, nodes in _owners(model):
        opset = next((entry.version for entry in owner.opset_import if not entry.domain), 1)
        foreign = [n for n in nodes_within(nodes) if not n.domain and _is_foreign(ctx, n, opset)]
        for node in foreign:
            node.domain = _CHECKED_DOMAIN
        if foreign and all(entry.domain != _CHECKED_DOMAIN for entry in owner.opset_import):
            owner.opset_import.add(domain=_CHECKED_DOMAIN, version=1)


def _is_foreign(ctx: Context, node: NodeProto, opset: int) -> bool:
    """Return whether a text defines the operator of a node, in an opset of its domain."""
    made = op_class(node.op_type, opset, node.domain, ctx)
    return made is not None and made.text is not None


def _owners(model: ModelProto) -> Iterator[tuple[ModelProto | FunctionProto, Sequence[NodeProto]]]:
    """Yield what imports opsets, the model and its functions, with the nodes of each."""
    yield model, model.graph.node
    for function in model.functions:
        yield function, function.node


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
