"""Arguments that a caller may leave out: the value that they then have.

No op knows of defaults. They are stored with the name of an argument of a function.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr

from autodeploy.dialects.nn.constant import DenseAttr

DEFAULT_ATTRIBUTE = "nn.default"
"""The value of an argument that a caller leaves out."""


def default_of(marks: DictionaryAttr) -> DenseAttr | None:
    """Return the default of an argument; ``None`` if it has none, or what is there is no tensor."""
    given = marks.data.get(DEFAULT_ATTRIBUTE)
    return given if isinstance(given, DenseAttr) else None
