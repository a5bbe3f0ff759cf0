"""Properties of ops from values of Python."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute


def properties(**values: Attribute | str | int | bool | None) -> dict[str, Attribute]:
    """Return properties by name: text, numbers of 64 bits, and a unit for true.

    ``None`` and false are left out.
    """
    found: dict[str, Attribute] = {}
    for name, value in values.items():
        match value:
            case Attribute():
                found[name] = value
            case str():
                found[name] = StringAttr(value)
            case True:
                found[name] = UnitAttr()
            case None | False:
                pass
            case _:
                found[name] = IntegerAttr(value, i64)
    return found
