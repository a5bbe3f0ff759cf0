"""Calls with fixed arrays, in which nothing is checked or copied."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.device_array import device_array, is_on_device
from autodeploy.toolchain.fixed_call import Array, aligned_array, fitting_array, is_fixed
from autodeploy.toolchain.tensor_values import default_value

if TYPE_CHECKING:
    from autodeploy.toolchain.session import Session


class Binding:
    """A call with fixed arrays (``Session.bind``): fill ``inputs``, ``run``, read ``outputs``."""

    def __init__(
        self,
        session: Session,
        inputs: Sequence[Bound],
        outputs: Sequence[Bound],
        numbers: Sequence[int],
    ):
        self._session = session
        self.inputs = {e.name: b.array for e, b in zip(session.inputs, inputs, strict=True)}
        self.outputs = {e.name: b.array for e, b in zip(session.outputs, outputs, strict=True)}
        self.numbers = numbers
        self.pointers = _pointers(inputs), _pointers(outputs)
        self._kept = (*inputs, *outputs)

    def run(self) -> dict[str, Array]:
        """Compute ``outputs`` from ``inputs``, and return them.

        Raises ``UserError`` as ``Session.run``, and for memory that is not aligned as the program
        needs it.
        """
        self._session.compute(self)
        return self.outputs


@dataclass(frozen=True)
class Bound:
    """An array of a binding, its address, and the owner of its memory."""

    array: Array
    address: int
    owner: object = None


def _pointers(bound: Sequence[Bound]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(bound))(*(one.address for one in bound))


def bound_array(kind: str, entry: TensorEntry, array: Array | None, device: str) -> Bound:
    """Return the array of a binding for a tensor: the caller's, or one with the default or zeros.

    It may be in memory of the ``device`` of the session. Raises ``UserError`` if the caller's does
    not fit.
    """
    if array is not None and is_on_device(array):
        if not device:
            raise UserError(
                f"the array for {kind} '{entry.name}' is on a device; the session has none"
            )
        found = device_array(kind, entry, array)
        return Bound(array, found.address, found.owner)
    if array is None and is_fixed(entry):
        array = aligned_array(entry)
        array[...] = default_value(entry) if entry.default else np.zeros((), array.dtype)
    array = fitting_array(kind, entry, array)
    return Bound(array, array.ctypes.data)
