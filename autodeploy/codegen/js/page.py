"""The files that pages with and without a device have: module, types, and the page itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from autodeploy.codegen.c.names import c_comment
from autodeploy.codegen.c.program import Program, Tensor
from autodeploy.codegen.c.template import fill
from autodeploy.frontend.names import original_text

_ARRAYS: Mapping[str, str] = {
    "float32": "Float32Array",
    "float64": "Float64Array",
    "int8": "Int8Array",
    "int16": "Int16Array",
    "int32": "Int32Array",
    "int64": "BigInt64Array",
    "uint16": "Uint16Array",
    "uint32": "Uint32Array",
    "uint64": "BigUint64Array",
    "float16": "Uint16Array",
    "bfloat16": "Uint16Array",
}
"""JavaScript's arrays of types, those of their bits if it lacks a type; others are bytes."""


def page_files(
    program: Program, module: str, sections: Mapping[str, str], flags: Set[str]
) -> dict[str, str]:
    """Return the files of a page by name; ``module`` is the template of its module."""
    prefix = program.prefix
    known = {
        "title": c_comment(program.name),
        "model": prefix,
        "inputs": rows(map(_described, program.inputs)),
        "outputs": rows(map(_described, program.outputs)),
        "input_types": _types(program.inputs),
        "output_types": _types(program.outputs),
        **sections,
    }
    templates = {
        f"{prefix}.js": module,
        f"{prefix}.d.ts": "template_model.d.ts",
        "index.html": "template_index.html",
    }
    files = {name: fill(text, prefix, known, flags) for name, text in templates.items()}
    return {**files, "package.json": _package(prefix)}


def rows(values: Iterable[Any]) -> str:
    """Return the rows of a table of JavaScript."""
    return "\n".join(f"  {json.dumps(value)}," for value in values)


def _package(prefix: str) -> str:
    """Return the ``package.json`` of the folder."""
    described = {
        "name": prefix.lower(),
        "version": "1.0.0",
        "private": True,
        "type": "module",
        "exports": {".": {"types": f"./{prefix}.d.ts", "default": f"./{prefix}.js"}},
    }
    return json.dumps(described, indent=2) + "\n"


def _array(tensor: Tensor) -> str:
    return _ARRAYS.get(tensor.dtype, "Uint8Array")


def _described(tensor: Tensor) -> dict[str, Any]:
    default = {} if tensor.default is None else {"default": list(tensor.default)}
    return {
        "name": original_text(tensor.name),
        "type": tensor.dtype,
        "array": _array(tensor),
        "shape": list(tensor.shape),
        "bytes": tensor.bytes,
        **default,
    }


def _types(tensors: Sequence[Tensor]) -> str:
    return "\n".join(
        f"  {json.dumps(original_text(t.name))}{'' if t.default is None else '?'}: {_array(t)};"
        for t in tensors
    )
