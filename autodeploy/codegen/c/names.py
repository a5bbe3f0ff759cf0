"""Names that are safe in C and C++, made from names that a model may choose freely."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Container, Iterable, Sequence

from autodeploy.codegen.c.reserved_names import is_reserved, names_after, names_of_models

MAX_LENGTH = 48
"""Longest identifier made from a name; C99 promises that 63 characters are told apart."""

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
    plain = _plain_identifier(name)
    return f"{plain}_" if plain in KEYWORDS else plain


def _plain_identifier(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
    if not plain or plain[0].isdigit():
        plain = f"x{plain}"
    if len(plain) > MAX_LENGTH:
        digest = f"{zlib.crc32(name.encode('utf-8', 'surrogatepass')):08x}"
        plain = f"{plain[: MAX_LENGTH - 9].rstrip('_')}_{digest}"
    return plain


def unique_names(
    names: Iterable[str], taken: Iterable[str] = (), key: Callable[[str], str] = str
) -> list[str]:
    """Return one identifier for each name, in order, no two equal and none in ``taken``.

    The first of several that would be equal keeps the plain form, the others get ``_2``, ``_3`` …
    Identifiers are equal where ``key`` maps them to the same; ``taken`` holds what it maps to.
    """
    used = set(taken)
    result: list[str] = []
    for name in names:
        result.append(unique_name(name, used, key=key))
        used.add(key(result[-1]))
    return result


def unique_name(name: str, *taken: Container[str], key: Callable[[str], str] = str) -> str:
    """Return an identifier for a name that ``key`` maps to nothing in ``taken``.

    That is the plain form if it is free, or else with the suffix ``_2``, ``_3`` ….
    """
    plain = candidate = c_identifier(name)
    number = 1
    while any(key(candidate) in names for names in taken):
        number += 1
        candidate = f"{plain.rstrip('_')}_{number}"
    return candidate


def model_prefix(name: str) -> str:
    """Return what every C name and file name of a model starts with: its own name, made safe.

    A name that is a keyword, or that a bundle, C, C++ or the system has for something else, gets
    the suffix ``_model`` (``is_reserved``). Capitals make no difference, as some file systems
    do not know them.
    """
    prefix = _plain_identifier(name)
    while prefix in KEYWORDS or is_reserved(prefix):
        prefix += "_model"
    return prefix


def kernel_symbols(
    model: str, kernels: Sequence[str], variant: str | None = None
) -> dict[str, str]:
    """Return the C function name of each kernel: ``<model>_<kernel>``, both made safe.

    ``kernels`` are the names of all pipelines of the model, in the order of the module. The
    model's name in front lets several models live in one program; no kernel takes a name of the
    model's own interface. No two differ in capitals only, as they are names of files, too. For
    several machines, ``variant`` is the machine of the program, which is between the two.
    """
    prefix = model_prefix(model)
    taken = names_of_models() | names_after(prefix)
    if variant is not None:
        between = c_identifier(variant)
        start = f"{between.lower()}_"
        prefix += f"_{between}"
        taken = {name.removeprefix(start) for name in taken if name.startswith(start)}
    names = unique_names(kernels, taken, str.lower)
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
    """Return ``text`` in a form that is valid in a C comment, on one line.

    Control and non-ASCII characters become ``?``, the ends and starts of comments are taken
    apart, and long text is cut.
    """
    plain = "".join(c if " " <= c <= "~" else "?" for c in text)
    plain = re.sub(r"\?(?=\?)", "? ", plain).replace("*/", "* /").replace("/*", "/ *")
    return plain if len(plain) <= 200 else plain[:197] + "..."
