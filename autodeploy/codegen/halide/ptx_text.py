"""The text of kernels in PTX, NVIDIA's assembly language, as Halide 21 writes it.

Another layout is an error. Tables of constants, such as the digits of 2/π for large angles, have
the same names in all kernels.
"""

from __future__ import annotations

import re

from autodeploy.codegen.halide.device_starts import unknown

_COMMENT = re.compile(r"[ \t]*(?://.*|/\*.*?\*/)")
_HEAD = re.compile(r"\s*(\.version \d+\.\d+\n\.target sm_\d+\n\.address_size 64\n)")
_KERNEL = re.compile(r"\s*(\.visible \.entry [\w$]+\([^()]*\)\n\{\n.*?^\}\n)", re.M | re.S)
_TABLE = re.compile(r"\s*(\.(?:const|global) \.align \d+ \.b8 [\w$]+\[\d+\] = \{[\d, ]*\};\n)")

_FUSED = re.compile(r"^(.*?)fma\.rn\.f32 *\t?(\S+), (\S+), (\S+), (\S+);", re.M)
_IN_TWO = r"\1mul.rn.f32 \t%product, \3, \4;\n\1add.rn.f32 \t\2, %product, \5;"
_UNROUNDED = re.compile(r"\b(add|sub|mul)\.f32\b")
_PRODUCT = "{\n\t.reg .b32 \t%product;\n"


def ptx_text(text: str, kernel: str, *, strict: bool) -> tuple[tuple[str, ...], str]:
    """Return the parts that kernels share, and the kernels of one pipeline.

    With ``strict`` floats are computed as IEEE 754 says. Raises ``ToolchainError`` naming the
    ``kernel`` where the text is not as Halide 21 writes it.
    """
    text = re.sub(r"\n\s*\n+", "\n", _COMMENT.sub("", text))
    head = _HEAD.match(text)
    if head is None:
        raise unknown(kernel, "the text has no kernels")
    shared, kernels = [head[1]], list[str]()
    place = head.end()
    while text[place:].strip():
        if found := _TABLE.match(text, place):
            shared.append(found[1])
        elif found := _KERNEL.match(text, place):
            kernels.append(_rounded(found[1]) if strict else found[1])
        else:
            raise unknown(kernel, "the text has something besides kernels and tables")
        place = found.end()
    return tuple(shared), "".join(kernels)


def _rounded(kernel: str) -> str:
    """Round each sum and each product.

    Halide lets LLVM make one operation of both, and NVIDIA's assembler those that do not say how
    they round.
    """
    kernel, count = _FUSED.subn(_IN_TWO, kernel)
    kernel = _UNROUNDED.sub(r"\1.rn.f32", kernel)
    return kernel.replace("{\n", _PRODUCT, 1) if count else kernel
