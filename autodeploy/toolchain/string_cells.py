"""Strings of Python and NumPy, and the cells of bytes in which a program takes and returns them.

A cell holds a string in UTF-8 and at least one zero after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from autodeploy.diagnostics import UserError

_ERRORS = "surrogateescape"
"""Bytes that are no UTF-8 stay what they are."""


def to_cells(name: str, values: npt.ArrayLike, width: int) -> npt.NDArray[np.uint8]:
    """Return the cells of an array of strings, or of bytes, for the input of a name.

    Raises ``UserError`` if an element is something else, has a zero byte, or is too long.
    """
    elements: list[Any] = np.asarray(values).reshape(-1).tolist()
    cells = [_cell(name, element, width) for element in elements]
    return np.frombuffer(bytearray(b"".join(cells)), np.uint8)


def _cell(name: str, element: Any, width: int) -> bytes:
    if isinstance(element, bytes):
        text = element.rstrip(b"\0")  # as NumPy does with its own arrays of bytes
    elif isinstance(element, str):
        text = element.encode(errors=_ERRORS)
    else:
        raise UserError(f"input '{name}' takes strings, found {type(element).__name__}")
    if b"\0" in text:
        raise UserError(f"input '{name}' has a string with a zero in it, which no string has in C")
    if len(text) >= width:
        raise UserError(
            f"input '{name}' takes strings of {width - 1} bytes at most, found one of {len(text)}; "
            "compile with a larger --string-bytes"
        )
    return text.ljust(width, b"\0")


def from_cells(
    raw: npt.NDArray[np.uint8], width: int, shape: Sequence[int]
) -> npt.NDArray[np.object_]:
    """Return the strings in cells as an array of Python's."""
    data = raw.tobytes()
    cells = (data[start : start + width] for start in range(0, len(data), width))
    found = np.empty(len(data) // width, object)
    found[:] = [cell.partition(b"\0")[0].decode(errors=_ERRORS) for cell in cells]
    return cast("npt.NDArray[np.object_]", found.reshape(shape))


def as_bytes(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array of strings as one of bytes, any other array as it is."""
    if array.dtype != object:
        return array
    texts = [str(text).encode(errors=_ERRORS) for text in array.reshape(-1).tolist()]
    return np.array(texts, f"S{max(map(len, texts), default=1) or 1}").reshape(array.shape)
