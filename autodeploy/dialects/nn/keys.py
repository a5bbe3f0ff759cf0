"""Results whose innermost axis has a key for each element: rows of them are maps.

No op knows of keys. They are stored with the name of a result of a function, as strings in ASCII
(escaped as names are) or integers.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

KEYS_ATTRIBUTE = "nn.keys"
"""The keys of the elements of a result along its innermost axis."""


def keys_of(marks: DictionaryAttr) -> ArrayAttr[Attribute] | None:
    """Return the keys of a result; ``None`` if it has none, or what is there are no keys."""
    given = marks.data.get(KEYS_ATTRIBUTE)
    return given if isa(given, ArrayAttr[Attribute]) and values_of(given) else None


def values_of(given: ArrayAttr[Attribute]) -> tuple[str | int, ...]:
    """Return the keys; none where they are not all strings in ASCII, or all integers."""
    strings = [key.data for key in given if isinstance(key, StringAttr) and key.data.isascii()]
    integers = [key.value.data for key in given if isa(key, IntegerAttr)]
    found = strings or integers
    return tuple(found) if len(found) == len(given) else ()
