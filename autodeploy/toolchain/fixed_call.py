"""Calls of a program whose tensors have fixed shapes: types, addresses and memory, looked up once.

An address of a NumPy array takes as long to look up as a small array to copy. Small tensors
therefore pass through memory of the call, whose addresses are known.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import UserError
from autodeploy.weights import named_dtype

Array: TypeAlias = npt.NDArray[np.generic]

ALIGNMENT = 64
"""The alignment in bytes that every program accepts."""

_SMALL = 1 << 14
"""Bytes up to which a tensor is copied."""


def is_fixed(entry: TensorEntry) -> bool:
    """Return whether a tensor has one shape and elements of NumPy."""
    return not entry.open and entry.cell is None and entry.bits >= 8


def aligned(size: int) -> npt.NDArray[np.uint8]:
    """Return bytes that are aligned as the C program wants them."""
    block: npt.NDArray[np.uint8] = np.empty(size + ALIGNMENT, np.uint8)
    start = -block.ctypes.data % ALIGNMENT
    return block[start : start + size]


def aligned_array(entry: TensorEntry) -> Array:
    """Return an aligned array for a tensor of fixed shape."""
    return aligned(entry.bytes).view(named_dtype(entry.dtype)).reshape(entry.shape)


def is_array(value: object) -> TypeGuard[Array]:
    """Return whether a value is an array of NumPy."""
    return isinstance(value, np.ndarray)


def shape_text(shape: Sequence[int]) -> str:
    """Return a shape as messages have it."""
    return "x".join(map(str, shape)) or "scalar"


def fitting_array(kind: str, entry: TensorEntry, array: object) -> Array:
    """Return an array of a caller whose memory is used for a tensor, an ``input`` or ``output``.

    Raises ``UserError`` if its type, shape or layout is another, and for tensors that no array of a
    fixed shape can be.
    """
    if not is_fixed(entry):
        raise UserError(
            f"{kind} '{entry.name}' of {entry.dtype} cannot be an array of the caller: it has no "
            "fixed shape, or no elements of whole bytes"
        )
    dtype = named_dtype(entry.dtype)
    if not is_array(array) or array.dtype != dtype or array.shape != entry.shape:
        found = type(array).__name__
        if is_array(array):
            found = f"{array.dtype} {shape_text(array.shape)}"
        raise UserError(
            f"{kind} '{entry.name}' takes an array of {dtype} {shape_text(entry.shape)}, found "
            f"{found}"
        )
    if not array.flags.c_contiguous or (kind == "output" and not array.flags.writeable):
        raise UserError(f"the array for {kind} '{entry.name}' is not C-contiguous and writeable")
    return array


def check_results(entries: Sequence[TensorEntry], targets: Mapping[str, Array]) -> None:
    """Raise ``UserError`` if an array of the caller does not fit the output that it is for."""
    for entry in entries if targets else ():
        if entry.name in targets:
            fitting_array("output", entry, targets[entry.name])


def pointers(arrays: Sequence[Array]) -> ctypes.Array[ctypes.c_void_p]:
    """Return the addresses of arrays as the C program takes them."""
    return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))


class FixedCall:
    """The arguments of one call at a time, for a program whose tensors are all fixed."""

    def __init__(self, inputs: Sequence[TensorEntry], outputs: Sequence[TensorEntry]):
        self.inputs = (ctypes.c_void_p * len(inputs))()
        self.outputs = (ctypes.c_void_p * len(outputs))()
        self._names = [entry.name for entry in outputs]
        self._entries = outputs
        self._types = [(named_dtype(entry.dtype), entry.shape) for entry in inputs]
        self._results = {e.name: (named_dtype(e.dtype), e.shape, e) for e in outputs}
        self._given = [aligned_array(e) if e.bytes <= _SMALL else None for e in inputs]
        self._found = [aligned_array(e) if e.bytes <= _SMALL else None for e in outputs]
        self._kept: list[Array | None] = [None] * len(inputs)
        for pointers, arrays in ((self.inputs, self._given), (self.outputs, self._found)):
            for place, array in enumerate(arrays):
                pointers[place] = 0 if array is None else array.ctypes.data

    def fits(self, values: Sequence[object]) -> bool:
        """Return whether the inputs are arrays of their exact types and shapes."""
        for value, (dtype, shape) in zip(values, self._types, strict=True):
            if type(value) is not np.ndarray or value.dtype != dtype or value.shape != shape:
                return False
        return True

    def give(self, values: Sequence[Array]) -> None:
        """Take the inputs of the call, which fit."""
        for place, value in enumerate(values):
            memory = self._given[place]
            if memory is not None:
                memory[...] = value
                continue
            if not value.flags.c_contiguous or value.ctypes.data % ALIGNMENT:
                copy = aligned(value.nbytes).view(value.dtype).reshape(value.shape)
                copy[...] = value
                value = copy
            self._kept[place] = value
            self.inputs[place] = value.ctypes.data

    def check(self, out: Mapping[str, Array]) -> None:
        """Raise ``UserError`` for an array of the caller that does not fit its output."""
        for name, array in out.items():
            dtype, shape, entry = self._results[name]
            flags = array.flags if type(array) is np.ndarray else None
            if (
                flags is None
                or array.dtype != dtype
                or array.shape != shape
                or not (flags.c_contiguous and flags.writeable)
            ):
                fitting_array("output", entry, array)

    def prepare(self, out: Mapping[str, Array]) -> list[Array]:
        """Return the memory of the outputs; ``out`` has arrays of the caller that fit."""
        results: list[Array] = []
        for place, memory in enumerate(self._found):
            if memory is None:
                memory = out.get(self._names[place])
                if memory is None or memory.ctypes.data % ALIGNMENT:
                    memory = aligned_array(self._entries[place])
                self.outputs[place] = memory.ctypes.data
            results.append(memory)
        return results

    def take(self, results: Sequence[Array], out: Mapping[str, Array]) -> dict[str, Array]:
        """Return the outputs by name, once the call has computed them."""
        taken: dict[str, Array] = {}
        for name, found, small in zip(self._names, results, self._found, strict=True):
            target = out.get(name)
            if target is None:
                taken[name] = found if small is None else found.copy()
                continue
            if target is not found:
                target[...] = found
            taken[name] = target
        return taken
