"""The least and the greatest value of each element type, as Python numbers, and its sizes' type."""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.ir import Attribute

from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    is_bool,
    is_float,
    is_unsigned,
    ui8,
    ui16,
    ui32,
    ui64,
)

MAX_RUN = 1024
"""Floats that are added up one after another: with more, rounding errors pass 1e-6 of the sum."""


def lowest(element: Attribute) -> float | int:
    """Return the value that no value of the type is below: -inf for floats."""
    if is_float(element):
        return -math.inf
    return 0 if is_unsigned(element) or is_bool(element) else -(2 ** (_bits(element) - 1))


def highest(element: Attribute) -> float | int:
    """Return the value that no value of the type is above: inf for floats."""
    if is_float(element):
        return math.inf
    if is_bool(element):
        return 1
    return 2 ** _bits(element) - 1 if is_unsigned(element) else 2 ** (_bits(element) - 1) - 1


def as_bound(number: float, element: Attribute, to_integer: Callable[[float], int]) -> float | int:
    """Return the number that bounds values of a type as ``number`` does.

    ``to_integer`` rounds the bound of an integer up where it is the lower one, down where it is the
    upper one.
    """
    if is_float(element):
        return number
    return to_integer(min(max(number, lowest(element)), highest(element)))


def unsigned_of(element: Attribute) -> Attribute:
    """Return the unsigned integer type of the same size."""
    return {1: ui8, 2: ui16, 4: ui32, 8: ui64}[ELEMENT_BYTES[element]]


def _bits(element: Attribute) -> int:
    return 8 * ELEMENT_BYTES[element]
