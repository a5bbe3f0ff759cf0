"""The source files of Halide's C backend, made small: one shared prelude, and a body a kernel.

Halide writes each kernel as a C++ file that begins with the same 3,000 lines of definitions.
"""

from __future__ import annotations

import re

from autodeploy.diagnostics import ToolchainError

PRELUDE_FILE = "halide_prelude.hpp"
"""File name of the shared definitions."""

_BODY = re.compile(
    r"^(#if halide_cpp_use_native_vector\(\w+, \d+\)"
    r"|#if defined\(__FAST_MATH__\).*"
    r'|#ifdef __cplusplus\nextern "C" \{\n#endif\n\n(?:static )?HALIDE_FUNCTION_ATTRS\n)',
    re.MULTILINE,
)
_SHUFFLE = """\
    template<int... Indices, typename InputVec>
    static Vec shuffle(const InputVec a) {
"""
"""How the shuffle begins whose operand is a vector of the compiler's own."""

_SHUFFLE_OF_OTHERS = """\
    template<int... Indices, size_t InputLanes>
    static Vec shuffle(const CppVector<ElementType, InputLanes> &a) {
        static_assert(sizeof...(Indices) == Lanes, "shuffle() requires an exact match of lanes");
        Vec r = {a[Indices]...};
        return r;
    }

"""
"""One for vectors of 6 lanes, say, which the compiler has none of; Halide 21 lacks it."""

_TEMPORARY = re.compile(r"\b_\d+\b")


def split_source(source: str, kernel: str) -> tuple[str, str]:
    """Split a file of the C backend into prelude and body.

    Temporaries of the body are numbered from 0 on, so that it does not depend on what the process
    compiled before. Raises ``ToolchainError`` where the file is not laid out as Halide 21 does it.
    """
    match = _BODY.search(source)
    if match is None:
        raise ToolchainError(f"Halide's C source of kernel '{kernel}' has an unknown layout")
    numbers: dict[str, str] = {}

    def renumber(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"_{len(numbers)}")

    return source[: match.start()].rstrip(), _TEMPORARY.sub(renumber, source[match.start() :])


def shared_prelude(preludes: list[str]) -> str:
    """Return the one prelude that serves all kernels: kernels without vectors need a part of it.

    A shuffle that Halide's own lacks is put in.

    Raises ``ToolchainError`` where one is not the beginning of another.
    """
    longest = max(preludes, key=len)
    if not all(longest.startswith(prelude) for prelude in preludes):
        raise ToolchainError("Halide's C sources of two kernels begin with different definitions")
    return f"#pragma once\n{longest.replace(_SHUFFLE, _SHUFFLE_OF_OTHERS + _SHUFFLE)}\n"
