"""The text of kernels in OpenCL C, as Halide 21 writes it; another layout is an error."""

from __future__ import annotations

import re

from autodeploy.codegen.halide.device_starts import unknown

PREAMBLE_END = "__kernel void _at_least_one_kernel(int x) { }\n"

_FIRST_PRAGMA = "#pragma OPENCL FP_CONTRACT ON\n"
_CONTRACT = "#pragma OPENCL FP_CONTRACT {}\n"
_OF_THREE = re.compile(r"\b[a-z]+3 \*\)")
"""Halide 21 takes such a vector for 12 bytes, and OpenCL C for 16."""


def opencl_text(text: str, kernel: str, *, strict: bool) -> tuple[tuple[str, ...], str]:
    """Return the parts that kernels share, and the kernels of one pipeline.

    With ``strict`` floats are computed as IEEE 754 says. Raises ``ToolchainError`` naming the
    ``kernel`` where the text is not as Halide 21 writes it.
    """
    head, found, body = text.partition(PREAMBLE_END)
    before, pragma, shared = head.partition(_FIRST_PRAGMA)
    if not found or not pragma or before.count("\n") != 1:
        raise unknown(kernel, "the text has no kernels")
    if _OF_THREE.search(text):
        raise unknown(kernel, "it loads or stores vectors of three elements")
    return (shared,), _CONTRACT.format("OFF" if strict else "ON") + body
