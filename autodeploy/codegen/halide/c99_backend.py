"""Kernels of Halide's C++ backend as C99: what it writes of a kernel without vectors.

Such a kernel is a list of statements, one a line: loops, arrays, and temporaries that are computed
by a single operator each. C++ in them is spelled in C, statements for Halide itself are left out,
and numbers are literals. The functions that are left are those of ``runtime/halide_kernel.h``.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from autodeploy.codegen.c.names import KEYWORDS
from autodeploy.codegen.halide.c_backend import known_names
from autodeploy.codegen.halide.contraction import contracted
from autodeploy.codegen.halide.dot_calls import dot_calls
from autodeploy.codegen.halide.expressions import float_text
from autodeploy.codegen.halide.kernel_code import HEADERS
from autodeploy.diagnostics import ToolchainError

_HEADER = HEADERS["c99"]
"""File name of the definitions."""

_TYPES = "bool|float|double|u?int(?:8|16|32|64)_t"
_NAME = r"[A-Za-z_]\w*"

_DROPPED = re.compile(
    r"using \w+ = Vector(?:Ops)?<\w+, \d+>;|"
    r"#ifdef __cplusplus|extern \"C\" \{|\}  // extern \"C\"|#endif|HALIDE_FUNCTION_ATTRS|"
    rf"HalideFreeHelper<halide_free> {_NAME}\(_ucon, {_NAME}\);|"
    rf"halide_maybe_unused\(\(\({_NAME} != nullptr\) \|\| \(_\d+ == 0\)\)\);"
)
"""Lines that C has no use for."""

_HEAD = re.compile(rf"(static )?int ({_NAME})\(void const \*__user_context, (.*)\) \{{")
_CONTEXT = re.compile(r"void \* const _ucon = const_cast<void \*>\(__user_context\);")
_HOST = re.compile(rf"auto \*(_\d+) = _halide_buffer_get_host\(({_NAME})\);")
_BUFFER = re.compile(rf"auto ({_NAME}) = (_\d+);")
_UNUSED = re.compile(rf"halide_maybe_unused\(({_NAME})\);")
_DECLARED = re.compile(rf"(?P<type>{_TYPES}) (?P<name>{_NAME}) = (?P<value>.*);")
_STORED = re.compile(r"(?P<place>[^=]*\]) = (?P<value>.*);")
_MINMAX = re.compile(r"::halide_cpp_(min|max)\(([^,]*), ([^,]*)\)")
_BITS_OF = re.compile(r"reinterpret<(\w+)>\((.*)\)")
_FLOAT = re.compile(r"float_from_bits\((\d+) /\*.*?\*/\)")
_FIELD = re.compile(rf"_halide_buffer_get_(min|extent|stride)\(({_NAME}), (\d+)\)")
_FREED = re.compile(rf"({_NAME})_free\.free\(\);")
_ALLOCATED = re.compile(
    rf"(?P<type>{_TYPES}) \*(?P<name>{_NAME}) = \((?P=type) *\*\)"
    rf"halide_malloc\(_ucon, sizeof\((?P=type) *\)\*(?P<count>_\d+)\);"
)
_OTHER = re.compile(
    rf"(?:{_TYPES}) {_NAME}\[\d+\];|int64_t {_NAME} = .*;|for \(int .*\)|if \({_NAME}\)|else|\{{|"
    rf"\}}|\}} //.*|return 0;|//.*|"
)
"""Lines that are C already, or comments."""


def c99_body(body: str, kernel: str, sums: Set[str]) -> str:
    """Return the C99 of a kernel without vectors, given what ``kernel_body`` returns.

    ``sums`` are the names of the arrays and buffers whose elements are sums of products, to which a
    product is added without being rounded before, where the machine has an instruction for that.
    Raises ``ToolchainError`` if a line is none that Halide 21 writes of such a kernel.
    """
    return _Translation(kernel, sums).text(body)


class _Translation:
    """The translation of one kernel; what is known of its temporaries by their names."""

    def __init__(self, kernel: str, sums: Set[str]):
        self._kernel = kernel
        self._sums = sums
        self._types: dict[str, str] = {}
        self._hosts: dict[str, str] = {}

    def text(self, body: str) -> str:
        lines = dot_calls(contracted(body.split("\n"), self._sums, "multiply_add_{type}"))
        written: list[str] = []
        for line in lines:
            stripped = line.strip()
            indent = line[: len(line) - len(stripped)].replace(" ", "    ")
            for new in self._line(stripped):
                written.append(f"{indent}{new}".rstrip())
        text = re.sub(r"\n{2,}", "\n\n", "\n".join(_without_idle(written))).strip() + "\n"
        self._check_names(text)
        return text

    def _line(self, line: str) -> list[str]:
        """Return the lines that a line becomes."""
        if match := _HOST.fullmatch(line):
            self._hosts[match[1]] = match[2]
            return []
        if _DROPPED.fullmatch(line):
            return []
        if match := _HEAD.fullmatch(line):
            return [f"{match[1] or ''}int {match[2]}(const void *user_context, {match[3]})", "{"]
        if _CONTEXT.fullmatch(line):
            return ["void *const _ucon = (void *)(uintptr_t)user_context;"]
        if match := _BUFFER.fullmatch(line):
            return [f"void *const {match[1]} = {self._hosts[match[2]]}->host;"]
        if match := _UNUSED.fullmatch(line):
            return [f"(void){match[1]};"]
        if match := _ALLOCATED.fullmatch(line):
            type_, bytes_ = match["type"], f"sizeof({match['type']}) * (size_t){match['count']}"
            return [f"{type_} *{match['name']} = ({type_} *)halide_malloc(_ucon, {bytes_});"]
        if match := _FREED.fullmatch(line):
            return [f"halide_free(_ucon, {match[1]});"]
        if match := _DECLARED.fullmatch(line):
            self._types[match["name"]] = match["type"]
            return [f"{match['type']} {match['name']} = {self._value(match['value'])};"]
        if match := _STORED.fullmatch(line):
            return [f"{match['place']} = {self._value(match['value'])};"]
        if not _OTHER.fullmatch(line):
            raise self._unknown(line)
        return [line.replace("< 0 + ", "< ").replace("// ", "/* ") + " */" * ("//" in line)]

    def _value(self, value: str) -> str:
        """Return an expression in C."""
        value = _FLOAT.sub(lambda match: _float(int(match[1])), value)
        value = _FIELD.sub(r"\2->dim[\3].\1", value)
        if match := _MINMAX.fullmatch(value):
            sign = "<" if match[1] == "min" else ">"
            return f"{match[2]} {sign} {match[3]} ? {match[2]} : {match[3]}"
        if match := _BITS_OF.fullmatch(value):
            return self._bits(match[1], match[2])
        if "::" in value or re.search(r"\w<\w+>", value):
            raise self._unknown(value)
        return value

    def _bits(self, wanted: str, value: str) -> str:
        """Return a value as another type of the same size, with the same bits."""
        given = self._types.get(value) or next(
            (type_ for suffix, type_ in _SUFFIXES.items() if value.endswith(f"{suffix}()")), None
        )
        if given is None:
            raise self._unknown(f"reinterpret<{wanted}>({value})")
        if wanted in _UNSIGNED:
            return f"{wanted}_from_bits(({_UNSIGNED[wanted]}){value})"
        if given in _UNSIGNED:
            return f"({wanted})bits_from_{given}({value})"
        return f"({wanted}){value}"

    def _unknown(self, text: str) -> ToolchainError:
        return ToolchainError(
            f"Halide's C++ source of kernel '{self._kernel}' has '{text}', which is no C99 and has "
            "no known translation"
        )

    def _check_names(self, text: str) -> None:
        code = re.sub(r"/\*.*?\*/", "", text)
        called = set(re.findall(rf"\b({_NAME})\(", code)) - {self._kernel}
        declared = set(re.findall(rf"^(?:static )?int ({_NAME})\(", code, re.MULTILINE))
        for name in sorted(called - declared - KEYWORDS - known_names(_HEADER)):
            raise self._unknown(f"{name}(…)")


_UNSIGNED: Mapping[str, str] = {"float": "uint32_t", "double": "uint64_t"}
_SUFFIXES: Mapping[str, str] = {"_f32": "float", "_f64": "double"}


def _without_idle(lines: Sequence[str]) -> list[str]:
    """Return the lines without what is said of things that are used anyway.

    A kernel that takes no scratch memory has no use for its runtime.
    """
    uses = Counter(name for line in lines for name in re.findall(rf"\b{_NAME}\b", line))
    kept: list[str] = []
    for line in lines:
        idle = re.fullmatch(r" *\(void\)(\w+);", line)
        if idle is not None and (uses[idle[1]] > 2 or idle[1] == "_ucon"):
            continue
        if "*const _ucon =" in line and uses["_ucon"] == 2:
            line = line[: line.index("void")] + "(void)user_context;"
        kept.append(line)
    return kept


def _float(bits: int) -> str:
    """Return the number of these bits as C text."""
    number: float = struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0]
    if number != number:
        return "nan_f32()"
    if number in (float("inf"), -float("inf")):
        return "inf_f32()" if number > 0 else "neg_inf_f32()"
    return float_text(number)
