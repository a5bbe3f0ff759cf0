"""The source files of Halide's C++ backend, less the definitions that Halide puts into each.

Halide writes a kernel as a C++ file that begins with 3,000 lines of definitions. Some of these
compute other numbers than the same kernel as an object file. A kernel here is therefore the body
alone; it includes ``runtime/halide_kernel.hpp``, which defines what bodies use."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cache

from autodeploy.codegen.c.names import KEYWORDS
from autodeploy.codegen.c.template import runtime_file
from autodeploy.codegen.halide.kernel_code import HEADERS
from autodeploy.diagnostics import ToolchainError

_HEADER = HEADERS["c++"]

_BODY = re.compile(
    r"^(#if halide_cpp_use_native_vector\(\w+, \d+\)"
    r"|#if defined\(__FAST_MATH__\).*"
    r'|#ifdef __cplusplus\nextern "C" \{\n#endif\n\n(?:static )?HALIDE_FUNCTION_ATTRS\n)',
    re.MULTILINE,
)

_VECTOR = re.compile(
    r"#if halide_cpp_use_native_vector\((?P<element>\w+), (?P<lanes>\d+)\)\n"
    r"using (?P<name>\w+) = NativeVector<(?P=element), (?P=lanes)>;\n"
    r"using (?P=name)_ops = NativeVectorOps<(?P=element), (?P=lanes)>;\n"
    r"#else\n"
    r"using (?P=name) = CppVector<(?P=element), (?P=lanes)>;\n"
    r"using (?P=name)_ops = CppVectorOps<(?P=element), (?P=lanes)>;\n"
    r"#endif\n"
)

_CONCAT = re.compile(
    r"union \{ \w+ src\[\d+\]; \w+ dst; \} (?P<name>_\d+) = \{\{(?P<parts>[^{}]*)\}\};"
)
"""Consecutive vectors, read as one, for which Halide gives the type of a part."""

_TRUTHS = re.compile(r"^( *)uint8x\d+_t (?=_\d+ = )", re.MULTILINE)
"""A new vector of 8 bits: Halide's type of truths, which the header's comparisons have wider."""

_FAST_MATH_WARNING = re.compile(r"#if defined\(__FAST_MATH__\).*\n#warning .*\n#endif\n")

_LOWEST = ("-9223372036854775808ll", "(-9223372036854775807ll - 1)")
"""The least integer of 64 bits, which Halide writes as one that does not fit, with a sign."""

_TEMPORARY = re.compile(r"\b_\d+\b")

_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^<>()]*>)?\(")

_OF_THE_COMPILER = KEYWORDS | {"__builtin_prefetch", "defined"}


def kernel_body(source: str, kernel: str) -> str:
    """Return the body in a file of the C++ backend, ready to follow the include of the header.

    Temporaries are numbered from 0 on, so that the text does not depend on what the process
    compiled before. Raises ``ToolchainError`` if the file is not laid out as Halide 21 does it,
    or if it calls a function that the header does not define.
    """
    match = _BODY.search(source)
    if match is None:
        raise ToolchainError(f"Halide's C++ source of kernel '{kernel}' has an unknown layout")
    body = _VECTOR.sub(
        r"using \g<name> = Vector<\g<element>, \g<lanes>>;\n"
        r"using \g<name>_ops = VectorOps<\g<element>, \g<lanes>>;\n",
        source[match.start() :],
    )
    concatenated = {match["name"] for match in _CONCAT.finditer(body)}
    body = _TRUTHS.sub(r"\1auto ", body)
    body = _CONCAT.sub(r"auto \g<name> = halide_kernel_concat(\g<parts>);", body)
    body = re.sub(r"\b(_\d+)\.dst\b", lambda m: m[1] if m[1] in concatenated else m[0], body)
    body = _FAST_MATH_WARNING.sub("", body).replace(*_LOWEST)
    _check_names(body, kernel)
    numbers: dict[str, str] = {}

    def renumber(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"_{len(numbers)}")

    return _TEMPORARY.sub(renumber, body)


def _check_names(body: str, kernel: str) -> None:
    code = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", "", body)
    # Halide's own names begin with an underscore, those of its variables among them.
    called = {name for name in _CALL.findall(code) if not re.match("_(?!_|halide)", name)}
    defined = set(re.findall(r"^(?:static )?\w[\w ]*?\b(\w+)\([^;{]*\) \{", code, re.MULTILINE))
    unknown = sorted(called - defined - known_names(_HEADER) - _OF_THE_COMPILER)
    unknown += [word for word in ("NativeVector", "CppVector", "union") if word in code]
    if unknown:
        raise ToolchainError(
            f"Halide's C++ source of kernel '{kernel}' uses '{unknown[0]}', which {_HEADER} does "
            "not define"
        )


@cache
def known_names(header: str) -> Set[str]:
    """Return all names in a header of kernels."""
    text = re.sub(r"/\*.*?\*/", "", runtime_file(header), flags=re.DOTALL)
    text = re.sub(r"(\w+)##(_\w+)", r"\2", text)
    names = set(re.findall(r"\w+", text))
    functions = re.findall(r"^HALIDE_KERNEL_FUNCTION\((\w+)\)$", text, re.MULTILINE)
    return names | {f"{name}{suffix}" for name in functions for suffix in ("_f32", "_f64")}
