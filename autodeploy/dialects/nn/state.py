"""States in nn: an argument of the function whose value is a result of the run before."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr
from xdsl.dialects.func import FuncOp

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
