"""Names that are safe in C and C++, made from names that a model may choose freely."""

from __future__ import annotations

import re
import zlib
from collections.abc import Container, Iterable, Sequence

MAX_LENGTH = 48
"""Longest identifier made from a name; C99 promises that 63 characters are told apart."""

API_NAMES = (
    "context", "context_bytes", "dtype", "error_message", "free", "init", "input_info", "options",
    "output_info", "predict", "run", "status", "status_message", "tensor_info",
)  # fmt: skip
"""What follows ``<model>_`` in the identifiers of a generated header."""

FILE_STEMS = (
    "all", "autodeploy_tensor_file", "autodeploy_weights", "build", "clean", "halide_buffer",
    "halide_runtime", "kernels", "lib", "main", "manifest", "op_gen", "sanitize",
)  # fmt: skip
"""Names that a bundle gives to files, folders and make targets that are not the model's."""

OTHER_PREFIXES = (
    "arena", "autodeploy", "buffer", "halide", "in", "input", "output", "scratch", "view", "weight",
)  # fmt: skip
"""What the other identifiers of a generated program start with."""

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl complex concept const const_cast consteval
    constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit
    export extern false final float for friend goto if imaginary import inline int long module
    mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected
    public register reinterpret_cast requires restrict return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw true try typedef
    typeid typename typeof typeof_unqual union unsigned using virtual void volatile wchar_t while
    xor xor_eq linux unix main stdin stdout stderr errno assert
    """,
    )
)
"""Keywords of C and C++, and macros and names that every program may hold."""


def c_identifier(name: str) -> str:
    """Return an identifier of C and C++ that looks like ``name``.

    Letters, digits and single inner underscores stay; anything else becomes an underscore. A
    keyword gets a trailing underscore, a name that starts with a digit or has nothing to keep gets
    ``x`` in front. A long one is cut and ends in a hash of the whole. The result holds no double
    underscore and does not start with one: such names belong to the compiler. Different names may
    give the same identifier; see ``unique_names``.
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
    if not plain or plain[0].isdigit():
        plain = f"x{plain}"
    if len(plain) > MAX_LENGTH:
        digest = f"{zlib.crc32(name.encode('utf-8', 'surrogatepass')):08x}"
        plain = f"{plain[: MAX_LENGTH - 9].rstrip('_')}_{digest}"
    return f"{plain}_" if plain in KEYWORDS else plain


def unique_names(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Return one identifier for each name, in order, no two equal and none in ``taken``.

    The first of several that would be equal keeps the plain form, the others get ``_2``, ``_3`` …
    """
    used = set(taken)
    result: list[str] = []
    for name in names:
        result.append(unique_name(name, used))
        used.add(result[-1])
    return result


def unique_name(name: str, *taken: Container[str]) -> str:
    """Return an identifier for a name that is in none of ``taken``.

    That is the plain form where it is free, or else ``_2``, ``_3`` … behind it.
    """
    plain = candidate = c_identifier(name)
    number = 1
    while any(candidate in names for names in taken):
        number += 1
        candidate = f"{plain.rstrip('_')}_{number}"
    return candidate


def model_prefix(name: str) -> str:
    """Return what every C name and file name of a model starts with: its own name, made safe.

    It never equals the name of a file that each bundle has, and no identifier that starts with it
    and an underscore equals one that means something else.
    """
    prefix = unique_name(name, FILE_STEMS)
    return f"{prefix}_model" if prefix.lower() in OTHER_PREFIXES else prefix


def kernel_symbols(model: str, kernels: Sequence[str]) -> dict[str, str]:
    """Return the C function name of each kernel: ``<model>_<kernel>``, both made safe.

    ``kernels`` are the names of all pipelines of the model, in the order of the module. The
    model's name in front lets several models live in one program; no kernel takes a name of the
    model's own interface.
    """
    prefix = model_prefix(model)
    names = unique_names(kernels, API_NAMES)
    return {kernel: f"{prefix}_{name}" for kernel, name in zip(kernels, names, strict=True)}


def c_string(text: str) -> str:
    """Return a C string literal of the UTF-8 bytes of ``text``.

    Everything but plain ASCII is written in octal, question marks are escaped so that no trigraph
    arises, and the result is one line.
    """

    def one(byte: int) -> str:
        character = chr(byte)
        if character in '"\\?':
            return f"\\{character}"
        return character if 0x20 <= byte < 0x7F else f"\\{byte:03o}"

    return '"' + "".join(map(one, text.encode("utf-8", "surrogateescape"))) + '"'


def c_comment(text: str) -> str:
    """Return ``text`` as it may stand inside a C comment, on one line.

    Control and non-ASCII characters become ``?``, the ends and starts of comments are taken
    apart, and long text is cut.
    """
    plain = "".join(c if " " <= c <= "~" else "?" for c in text)
    plain = re.sub(r"\?(?=\?)", "? ", plain).replace("*/", "* /").replace("/*", "/ *")
    return plain if len(plain) <= 200 else plain[:197] + "..."
