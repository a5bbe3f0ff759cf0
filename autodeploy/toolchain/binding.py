"""Calls with fixed arrays, in which nothing is checked or copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.toolchain.fixed_call import (
    Array,
    aligned_array,
    fitting_array,
    is_fixed,
    pointers,
)
from autodeploy.toolchain.tensor_values import default_value

if TYPE_CHECKING:
    from autodeploy.toolchain.session import Session


class Binding:
    """A call with fixed arrays (``Session.bind``): fill ``inputs``, ``run``, read ``outputs``."""

    def __init__(
        self,
        session: Session,
        inputs: Sequence[Array],
        outputs: Sequence[Array],
        numbers: Sequence[int],
    ):
        self._session = session
        self.inputs = {e.name: a for e, a in zip(session.inputs, inputs, strict=True)}
        self.outputs = {e.name: a for e, a in zip(session.outputs, outputs, strict=True)}
        self.numbers = numbers
        self.pointers = pointers(inputs), pointers(outputs)

    def run(self) -> dict[str, Array]:
        """Compute ``outputs`` from ``inputs``, and return them.

        Raises ``UserError`` as ``Session.run``, and for memory that is not aligned as the program
        needs it.
        """
        self._session.compute(self)
        return self.outputs


def bound_array(kind: str, entry: TensorEntry, array: Array | None) -> Array:
    """Return the array of a binding for a tensor: the caller's, or one with the default or zeros.

    Raises ``UserError`` if the caller's does not fit.
    """
    if array is None and is_fixed(entry):
        array = aligned_array(entry)
        array[...] = default_value(entry) if entry.default else np.zeros((), array.dtype)
    return fitting_array(kind, entry, array)
