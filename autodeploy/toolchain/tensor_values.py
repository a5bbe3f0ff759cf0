"""The values of a caller that a session takes and returns: arrays, numbers, maps, strings."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.fixed_call import ALIGNMENT, Array, aligned, is_array, shape_text
from autodeploy.toolchain.string_cells import from_cells, to_cells
from autodeploy.weights import named_dtype, packed, unpacked

Row: TypeAlias = Mapping[str | int, float]
"""A map, which is given as a row of the values of its keys, 0 where it lacks one."""


def in_order(
    network: str,
    entries: Sequence[TensorEntry],
    inputs: Mapping[str, npt.ArrayLike | Row] | npt.ArrayLike,
) -> list[npt.ArrayLike]:
    """Return the inputs of a network in order, given by name or as the only one.

    Those that are missing have their default. Raises ``UserError`` for a name that there is not,
    and for a missing input that has none.
    """
    names = [entry.name for entry in entries]
    if not isinstance(inputs, Mapping):
        required = [entry.name for entry in entries if not entry.default] or names
        if len(required) != 1:
            listed = ", ".join(map(repr, names)) or "none"
            raise UserError(
                f"'{network}' takes inputs by name ({listed}), found a value without one"
            )
        return in_order(network, entries, {required[0]: inputs})
    for name in inputs:
        if name not in names:
            known = ", ".join(map(repr, names)) or "none"
            raise UserError(
                f"'{network}' has no input '{name}', expected {known}; one that has a default in "
                "the model is a constant unless it was compiled with a shape (--shape)"
            )
    missing = [e.name for e in entries if e.name not in inputs and not e.default]
    if missing:
        raise UserError(f"missing input {', '.join(map(repr, missing))} of '{network}'")
    return [_row(e, inputs[e.name]) if e.name in inputs else default_value(e) for e in entries]


def default_value(entry: TensorEntry) -> Array:
    """Return the value of an input that a run leaves out."""
    return np.frombuffer(bytes.fromhex(entry.default), named_dtype(entry.dtype)).reshape(
        entry.shape
    )


def by_name(
    network: str, kind: str, names: Sequence[str], given: Mapping[str, Array] | Array
) -> dict[str, Array]:
    """Return arrays of the caller by name, for some of the inputs or outputs of a network.

    Raises ``UserError`` for a name that there is not.
    """
    if is_array(given) or not isinstance(given, Mapping):
        if len(names) != 1:
            listed = ", ".join(map(repr, names)) or "none"
            raise UserError(f"'{network}' takes {kind}s by name ({listed}), found one without")
        return {names[0]: given}
    for name in given:
        if name not in names:
            known = ", ".join(map(repr, names)) or "none"
            raise UserError(f"'{network}' has no {kind} '{name}', expected {known}")
    return dict(given)


def _row(entry: TensorEntry, value: npt.ArrayLike | Row) -> npt.ArrayLike:
    """Return the values of a map as a row of all keys that count; others are what they are."""
    if not isinstance(value, Mapping) or not entry.keys:
        return cast(npt.ArrayLike, value)
    places = {key: place for place, key in enumerate(entry.keys)}
    found = np.zeros(len(places), named_dtype(entry.dtype))
    kind = numbers.Real if found.dtype.kind == "f" else numbers.Integral
    for key, number in value.items():
        if key not in places:
            raise UserError(f"input '{entry.name}' has no key {key!r}")
        try:
            fits = isinstance(number, kind)
            found[places[key]] = number if fits else 0
        except OverflowError:
            fits = False
        if not fits:
            raise UserError(
                f"key {key!r} of input '{entry.name}' has no value of type {entry.dtype}"
            )
    return found


def checked(entry: TensorEntry, value: npt.ArrayLike) -> Array:
    """Return the value as an aligned array, or raise ``UserError`` if it does not fit."""
    expected = named_dtype(entry.dtype)
    array = _as_array(value, expected)
    if array.dtype != expected and (entry.cell is None or array.dtype.kind not in "SU"):
        raise UserError(f"input '{entry.name}' takes {entry.dtype}, found {array.dtype}")
    if array.shape != entry.shape:
        expected_shape, found = shape_text(entry.shape), shape_text(array.shape)
        raise UserError(f"input '{entry.name}' takes shape {expected_shape}, found {found}")
    if entry.cell is None:
        raw = packed(array, entry.bits)
    else:
        raw = to_cells(entry.name, array, entry.cell)
    if raw.ctypes.data % ALIGNMENT == 0:
        return raw
    copy = aligned(entry.bytes)
    copy[...] = raw
    return copy


def _as_array(value: npt.ArrayLike, expected: np.dtype[np.generic]) -> Array:
    """Return a value as an array.

    It has the expected type if the value is that in the other byte order, or numbers that are in no
    array and that the type has. Only floats are rounded to a float type.
    """
    if not hasattr(value, "__array__") and hasattr(value, "__dlpack__"):
        return np.from_dlpack(cast("Any", value))
    array = np.asarray(value)
    if array.dtype.newbyteorder("=") == expected:
        return array.astype(expected, copy=False)
    if hasattr(value, "dtype") or array.dtype.kind not in "biuf" or expected.kind == "O":
        return array
    with np.errstate(all="ignore"):
        found = array.astype(expected)
        rounds = array.dtype.kind == "f" and expected.kind in "fV"
        return found if rounds or np.array_equal(found.astype(array.dtype), array) else array


def elements(entry: TensorEntry, raw: npt.NDArray[np.uint8], shape: Sequence[int]) -> Array:
    """Return the elements in the bytes of an output."""
    if entry.cell is not None:
        return from_cells(raw, entry.cell, shape)
    return unpacked(raw, entry.bits, named_dtype(entry.dtype), shape)
