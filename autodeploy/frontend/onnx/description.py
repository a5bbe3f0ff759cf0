"""Versions, texts and metadata of an ONNX model, as attributes of the module."""

from __future__ import annotations

from collections.abc import Mapping

from onnx import ModelProto
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.utils.hints import isa

from autodeploy.frontend.names import ascii_text, original_text
from autodeploy.frontend.onnx.file import nodes_within

OPSETS, METADATA = "onnx.opset", "onnx.metadata"
DOC_STRING, PRODUCER = "onnx.doc_string", "onnx.producer"
ACCURACY_LEVEL = "onnx.accuracy_level"

_ROUNDED = 4
"""The accuracy level of com.microsoft.MatMulNBits with rows of 8 bits."""


def describe(module: ModuleOp, model: ModelProto, opsets: Mapping[str, int]) -> None:
    """Give a module the versions, the producer, the text and the metadata of its model."""
    module.attributes["onnx.ir_version"] = IntegerAttr(model.ir_version, i64)
    module.attributes[OPSETS] = DictionaryAttr(
        {
            ascii_text(domain or "ai.onnx"): IntegerAttr(version, i64)
            for domain, version in opsets.items()
        }
    )
    producer = f"{model.producer_name} {model.producer_version}".strip()
    for name, text in ((PRODUCER, producer), (DOC_STRING, model.doc_string)):
        if text:
            module.attributes[name] = StringAttr(ascii_text(text))
    metadata = {ascii_text(p.key): StringAttr(ascii_text(p.value)) for p in model.metadata_props}
    if metadata:
        module.attributes[METADATA] = DictionaryAttr(metadata)
    if _levels(model) == {_ROUNDED}:
        module.attributes[ACCURACY_LEVEL] = IntegerAttr(_ROUNDED, i64)


def _levels(model: ModelProto) -> set[int]:
    """Return the accuracy levels of products with codes, 0 for those that state none."""
    found: set[int] = set()
    for node in nodes_within(model.graph.node):
        stated = {attribute.name: attribute.i for attribute in node.attribute}
        if (node.domain, node.op_type) == ("com.microsoft", "MatMulNBits"):
            found.add(stated.get("accuracy_level", 0))
        elif node.op_type == "DequantizeLinear" and stated.get("block_size", 0):
            found.add(0)
    return found


def rounds_rows(module: ModuleOp) -> bool:
    """Return whether all products with codes of the model are those of rows of 8 bits."""
    return ACCURACY_LEVEL in module.attributes


def opsets_of(module: ModuleOp) -> dict[str, int]:
    """Return the version of each domain that the model was written for."""
    opsets = module.attributes.get(OPSETS)
    if not isinstance(opsets, DictionaryAttr):
        return {}
    found = opsets.data.items()
    return {original_text(name): v.value.data for name, v in found if isa(v, IntegerAttr)}


def doc_string_of(module: ModuleOp) -> str:
    """Return the text of the model about itself, empty if there is none."""
    return _text(module, DOC_STRING)


def producer_of(module: ModuleOp) -> str:
    """Return the name and version of the tool that wrote the model, empty if it names none."""
    return _text(module, PRODUCER)


def _text(module: ModuleOp, name: str) -> str:
    text = module.attributes.get(name)
    return original_text(text.data) if isinstance(text, StringAttr) else ""


def metadata_of(module: ModuleOp) -> dict[str, str]:
    """Return the values that the producer of the model, or its user, has named."""
    entries = module.attributes.get(METADATA)
    if not isinstance(entries, DictionaryAttr):
        return {}
    return {
        original_text(name): original_text(value.data)
        for name, value in entries.data.items()
        if isinstance(value, StringAttr)
    }
