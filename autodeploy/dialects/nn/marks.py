"""Attributes of arguments, results and values: facts besides their types.

No op knows of them. They are stored with the name of an argument or result of a function: the keys
of the innermost axis, whose rows are maps (strings in ASCII, escaped as names are, or integers),
the default of an argument that a caller may leave out, and the result of which an argument is the
value in the next run.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from autodeploy.dialects.nn.constant import DenseAttr

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


DEFAULT_ATTRIBUTE = "nn.default"
"""The value of an argument that a caller leaves out."""


def default_of(marks: DictionaryAttr) -> DenseAttr | None:
    """Return the default of an argument; ``None`` if it has none, or what is there is no tensor."""
    given = marks.data.get(DEFAULT_ATTRIBUTE)
    return given if isinstance(given, DenseAttr) else None


BOUND_ATTRIBUTE = "nn.bound"
NAME_ATTRIBUTE = "nn.name"
"""On the ``onnx.Identity`` of a value: the largest that it can be, and the name of the value.

On the module ``nn.bound`` is that of every value from which a size is computed.
"""

STATE_ATTRIBUTE = "nn.state"
"""Attribute of an argument: the number of the result that is its value in the next run."""

ROWS_ATTRIBUTE = "nn.state_rows"
"""Attribute of such an argument: its extent along the open axis for which there is memory.

Without it that is the largest extent of the result. Programs for parts of a range have one memory.
"""


class State(NamedTuple):
    """The numbers of an argument and of the result that it is in the next run.

    ``rows`` is the extent for which there is memory, if that is more than the result has.
    """

    argument: int
    result: int
    rows: int | None = None


def states_of(func: FuncOp) -> list[State]:
    """Return the states of a function, in the order of its arguments."""
    found: list[State] = []
    for number, entry in enumerate(func.arg_attrs or ArrayAttr[DictionaryAttr]([])):
        result, rows = (entry.data.get(name) for name in (STATE_ATTRIBUTE, ROWS_ATTRIBUTE))
        if isinstance(result, IntegerAttr):
            room = rows.value.data if isinstance(rows, IntegerAttr) else None
            found.append(State(number, result.value.data, room))
    return found
