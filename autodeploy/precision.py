"""Precisions: the types in which programs compute floats, and store weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from autodeploy.diagnostics import UserError, did_you_mean

Precision: TypeAlias = str
"""The types of floats in a program: those of the model, or 32 bits, with weights in fewer bits."""

PRODUCTS_OF_BFLOAT16: Precision = "bf16"
"""The precision with products of bfloat16, summed in 32 bits."""

ROWS_OF_CODES: Precision = "rows=s8"
"""The precision with codes of 8 bits for rows of products with weights that are codes of blocks."""

WEIGHTS: Mapping[str, str | None] = {
    "model": None, "f32": None, PRODUCTS_OF_BFLOAT16: None, ROWS_OF_CODES: None,
    "weights=f16": "float16", "weights=bf16": "bfloat16", "weights=s8": "int8",
    "products=tf32": None, "products=f16": None, "products=bf16": None,
}  # fmt: skip
"""The type in which weights are stored, by precision; ``None`` for the model's."""

PRODUCTS = "products="
"""Begins a precision whose factors are rounded to a type, for the tensor cores of a device."""

_FASTEST_LEVEL = 3
"""The level from which on 16-bit floats are computed in 32 bits."""


def precision_of_processor(chosen: str | None) -> Precision | None:
    """Return the precision of a program for the processor next to one for a device.

    Only the device has tensor cores for which factors are rounded.
    """
    return "f32" if chosen is not None and chosen.startswith(PRODUCTS) else chosen


def precision_use(level: int, chosen: str | None, rounds_rows: bool) -> Precision:
    """Return what was chosen, or what the level and the model say where nothing was.

    ``rounds_rows`` says whether the model states that rows have 8 bits. Raises
    ``UserError`` for an unknown precision.
    """
    if chosen is None:
        if level < _FASTEST_LEVEL:
            return "model"
        return ROWS_OF_CODES if rounds_rows else "f32"
    if chosen not in WEIGHTS:
        raise UserError(
            f"unknown precision '{chosen}'{did_you_mean(chosen, WEIGHTS)}; known are "
            f"{', '.join(WEIGHTS)}"
        )
    return chosen
