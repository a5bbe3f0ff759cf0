"""The text of kernels in OpenCL C, as Halide 21 writes it; another layout is an error."""

from __future__ import annotations

import re

from autodeploy.codegen.halide.device_starts import unknown
from autodeploy.codegen.halide.dot_calls import Load, dot_calls

PREAMBLE_END = "__kernel void _at_least_one_kernel(int x) { }\n"

_FIRST_PRAGMA = "#pragma OPENCL FP_CONTRACT ON\n"
_CONTRACT = "#pragma OPENCL FP_CONTRACT {}\n"
_OF_THREE = re.compile(r"\b[a-z]+3 \*\)")
"""Halide 21 takes such a vector for 12 bytes, and OpenCL C for 16."""

_DOTS = """\
#if defined(__opencl_c_integer_dot_product_input_4x8bit_packed)
#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable
inline int dot_char(uint a, uint b, int sum) { return sum + dot_4x8packed_ss_int(a, b); }
inline int dot_uchar(uint a, uint b, int sum) { return sum + dot_4x8packed_us_int(a, b); }
#else
inline int dot_char(uint a, uint b, int sum)
{
    return sum + (char)a * (char)b + (char)(a >> 8) * (char)(b >> 8) +
        (char)(a >> 16) * (char)(b >> 16) + (char)(a >> 24) * (char)(b >> 24);
}
inline int dot_uchar(uint a, uint b, int sum)
{
    return sum + (uchar)a * (char)b + (uchar)(a >> 8) * (char)(b >> 8) +
        (uchar)(a >> 16) * (char)(b >> 16) + (uchar)(a >> 24) * (char)(b >> 24);
}
#endif
"""
"""Sums of four products of bytes: of the extension ``cl_khr_integer_dot_product``, where a compiler
has it, which OpenCL C 3.0 says by the name of a feature."""


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
    added = "\n".join(dot_calls(body.split("\n"), _dot_call))
    parts = (shared,) if added == body else (shared, _DOTS)
    return parts, _CONTRACT.format("OFF" if strict else "ON") + added


def _dot_call(lhs: Load, rhs: Load, added: str) -> str:
    return f"dot_{lhs.type}({_word(lhs)}, {_word(rhs)}, {added})"


def _word(load: Load) -> str:
    """Return a word of four neighbours, which are aligned to bytes."""
    word = f"as_uint(vload4(0, &{load.array}[{load.place}]))"
    other = f"as_uint(({load.type}4)({load.other}))"
    return f"select({other}, {word}, (int)({load.mask}))" if load.mask else word
