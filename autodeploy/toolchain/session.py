"""Running a bundle from Python: build its library if need be, load it, call it with NumPy arrays.

with load_bundle("mnist-bundle") as session:
    outputs = session.run({"Input3": image})
"""

from __future__ import annotations

import ctypes
import numbers
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from types import TracebackType
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt

from autodeploy.codegen.bundle.build_files import shared_library
from autodeploy.codegen.bundle.manifest import FILE_NAME, Manifest
from autodeploy.codegen.bundle.tensor_entry import (
    ExtentEntry,
    StateEntry,
    TensorEntry,
    told_numbers,
)
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.toolchain.compiler import run_make
from autodeploy.toolchain.runs_here import check_runs_here
from autodeploy.toolchain.string_cells import from_cells, to_cells
from autodeploy.weights import named_dtype, packed, unpacked

Array: TypeAlias = npt.NDArray[np.generic]

Row: TypeAlias = Mapping[str | int, float]
"""A map, which is given as a row of the values of its keys, 0 where it lacks one."""

_ALIGNMENT = 64
_MESSAGE_BYTES = 1024


class _Options(ctypes.Structure):
    """``<model>_options`` of the generated header."""

    _fields_ = [
        ("weights_path", ctypes.c_char_p),
        ("weights", ctypes.c_void_p),
        ("weights_bytes", ctypes.c_size_t),
        ("arena", ctypes.c_void_p),
        ("arena_bytes", ctypes.c_size_t),
        ("context", ctypes.c_void_p),
        ("context_bytes", ctypes.c_size_t),
        ("threads", ctypes.c_int),
        ("flush_subnormals", ctypes.c_int),
        ("message", ctypes.c_char_p),
        ("message_bytes", ctypes.c_size_t),
        ("machine", ctypes.c_char_p),  # where there are several programs, else nobody reads it
    ]


_SESSIONS: weakref.WeakSet[Session] = weakref.WeakSet()
"""All sessions of this process."""


def _after_fork() -> None:
    for session in _SESSIONS:
        session.after_fork()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_after_fork)


def load_bundle(
    folder: str | os.PathLike[str],
    *,
    threads: int = 1,
    flush_subnormals: bool | None = None,
    machine: str | None = None,
) -> Session:
    """Return a session that runs the bundle in ``folder``, with up to ``threads`` threads.

    ``flush_subnormals`` says whether subnormal numbers are taken for zero while it computes;
    ``None``: as the bundle was compiled. ``machine`` is the one whose program runs, where the
    bundle has programs for several; ``None``: the best that this processor can run.

    The bundle's library is built by make unless it is there and newer than its sources. Raises
    ``UserError`` if the folder is no bundle, its kernels are for another machine, its weights
    are not those of the program or it was compiled for fewer threads, ``ToolchainError`` if
    building or loading fails.
    """
    if threads < 1:
        raise UserError(f"the number of threads is at least 1, found {threads}")
    path = Path(folder)
    manifest = Manifest.load(path)
    check_runs_here(path, manifest, threads, machine)
    machines = [variant.machine for variant in manifest.for_machines] or [manifest.machine]
    library = path / shared_library(manifest.prefix, machines[0])
    if not _is_current(library, [path / FILE_NAME, *(path / name for name in manifest.files)]):
        run_make(path, [library.relative_to(path).as_posix()])
    weights = manifest.weights_path(path)
    return Session(
        manifest, library, weights, threads, flush_subnormals=flush_subnormals, machine=machine
    )


def flush_option(flush: bool | None) -> int:
    """Return the value of ``flush_subnormals`` in the options of the C program."""
    return 0 if flush is None else 1 if flush else -1


class Session:
    """A loaded network: one context of the C program. ``load_bundle`` makes one.

    ``inputs`` and ``outputs`` describe its tensors, ``run`` computes; at the end of a ``with``
    block, or with ``close``, it gives its memory back:

        with autodeploy.load("out/") as session:
            print(session)
            outputs = session.run({"x": x, "mask": mask})  # or run(x) where there is one input

    Calls from several threads are taken one after the other; for computations that run at the same
    time, use several sessions.
    """

    def __init__(
        self,
        manifest: Manifest,
        library: Path,
        weights: Path | None,
        threads: int = 1,
        *,
        flush_subnormals: bool | None = None,
        machine: str | None = None,
    ):
        self._manifest = manifest
        self._lock = threading.Lock()
        self._functions = _load(library)
        self._context = ctypes.c_void_p()
        self._interrupted = False
        self._init(weights, threads, flush_option(flush_subnormals), machine)
        _SESSIONS.add(self)

    @property
    def name(self) -> str:
        """Return the name of the network."""
        return self._manifest.name

    @property
    def machine(self) -> str | None:
        """Return the machine whose program runs, where the bundle has programs for several."""
        if not self._manifest.for_machines:
            return None
        with self._lock:
            if not self._context:
                raise UserError(f"the session of '{self.name}' is closed")
            return self._function("machine", ctypes.c_char_p)(self._context).decode()

    @property
    def inputs(self) -> tuple[TensorEntry, ...]:
        """Return name, element type and shape of each input, in order; ``extents`` tell of axes
        that are ``open``, of which the shape has the largest extents.
        """
        return self._manifest.inputs

    @property
    def outputs(self) -> tuple[TensorEntry, ...]:
        """Return name, element type and shape of each output, in order."""
        return self._manifest.outputs

    @property
    def extents(self) -> tuple[ExtentEntry, ...]:
        """Return names and ranges of the extents that are open."""
        return self._manifest.extents

    def run(self, inputs: Mapping[str, npt.ArrayLike | Row] | npt.ArrayLike) -> dict[str, Array]:
        """Compute the outputs, by name, from the inputs, by name; both in the tensors' own types.

        The array alone does where the network has one input. The numbers of open extents are those
        of the inputs. An output that depends on values has along its open axes the extents that
        this run has made. An input is copied where it is not C-contiguous and aligned. Strings are
        given as any of NumPy's arrays of strings, and come as arrays of objects. An input that has
        ``keys`` takes a dictionary of these, too. Raises ``UserError`` if a name, an element
        type or a shape is not that of the network, where a kernel fails, or if the session is
        closed.
        """
        with self._lock:
            self._check_open()
            given, told = self._check_inputs(inputs)
            outputs = [entry.at(self.extents, told) for entry in self.outputs]
            results = [_aligned(entry.bytes) for entry in outputs]
            status = 0
            for place, number in enumerate(told):
                if self.extents[place].of_state:
                    continue
                set_extent = self._function("set_extent", ctypes.c_int)
                status = set_extent(self._context, place, ctypes.c_int64(number))
            if status == 0:
                status = self._function("run", ctypes.c_int)(
                    self._context, _pointers(given), _pointers(results)
                )
            self._check_status(status, f"running '{self.name}' failed")
            shapes = [self._shape_of(index, entry) for index, entry in enumerate(outputs)]
        return {
            entry.name: _elements(entry, raw[: (prod(shape) * entry.bits + 7) // 8], shape)
            for entry, raw, shape in zip(outputs, results, shapes, strict=True)
        }

    @property
    def states(self) -> tuple[StateEntry, ...]:
        """Return what the network keeps from run to run."""
        return self._manifest.states

    def reset(self) -> None:
        """Let the next run find what the first one did: a state without rows, or of zeros."""
        with self._lock:
            self._check_state()
            self._check_status(self._function("reset", ctypes.c_int)(self._context), "reset failed")

    def save_state(self) -> bytes:
        """Return the state of the network, for ``load_state`` of this and of other sessions."""
        with self._lock:
            self._check_state()
            size = self._function("state_bytes", ctypes.c_size_t)(self._context)
            memory = ctypes.create_string_buffer(size)
            save = self._function("save_state", ctypes.c_int)
            status = save(self._context, memory, ctypes.c_size_t(size))
            self._check_status(status, f"the state of '{self.name}' cannot be saved")
            return memory.raw

    def load_state(self, state: bytes) -> None:
        """Continue from a saved state: the next run has the bits that it would have had there.

        Raises ``UserError`` if it is none of this network; then the state has not changed.
        """
        with self._lock:
            self._check_state()
            load = self._function("load_state", ctypes.c_int)
            status = load(self._context, state, ctypes.c_size_t(len(state)))
            self._check_status(status, f"'{self.name}' cannot load the state")

    def _check_open(self) -> None:
        """Raise ``UserError`` if the session cannot compute; its lock is held."""
        if not self._context:
            raise UserError(f"the session of '{self.name}' is closed")
        if self._interrupted:
            raise UserError(
                f"the session of '{self.name}' was computing when the process forked; "
                "load the bundle in this process"
            )

    def _check_state(self) -> None:
        """Raise ``UserError`` if there is no state, or the session is closed."""
        self._check_open()
        if not self.states:
            raise UserError(f"'{self.name}' has no state; '--state' of compile gives it one")

    def _check_status(self, status: int, what: str) -> None:
        """Raise ``UserError`` with the message of the C program if a function has failed."""
        if status != 0:
            message = self._function("error_message", ctypes.c_char_p)(self._context)
            raise UserError(f"{what}: {message.decode(errors='replace')}")

    def _shape_of(self, index: int, entry: TensorEntry) -> tuple[int, ...]:
        """Return the extents that an output, one of this run's, has in the last run."""
        if not entry.open:
            return entry.shape
        pointer = ctypes.POINTER(ctypes.c_int64)
        found = self._function("output_shape", pointer)(self._context, index)
        return tuple(found[axis] for axis in range(len(entry.shape)))

    def __repr__(self) -> str:
        """Return the network's name, inputs and outputs."""
        inputs, outputs = (
            ", ".join(f"{t.name}: {t.dtype} {_shape(t.shape)}" for t in tensors)
            for tensors in (self.inputs, self.outputs)
        )
        closed = "" if self._context else ", closed"
        return f"<Session '{self.name}': ({inputs}) -> ({outputs}){closed}>"

    def close(self) -> None:
        """Give back the memory of the session; it cannot run any more. May be called twice."""
        with self._lock:
            if self._context:
                self._function("free", None)(self._context)
                self._context = ctypes.c_void_p()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_context", None):
            self.close()

    def after_fork(self) -> None:
        """Let the child of a fork use this session: no thread gives its lock back here."""
        self._interrupted |= self._lock.locked()
        self._lock = threading.Lock()

    def _init(
        self, weights: Path | None, threads: int, flush_subnormals: int, machine: str | None
    ) -> None:
        message = ctypes.create_string_buffer(_MESSAGE_BYTES)
        options = _Options(
            weights_path=None if weights is None else os.fsencode(weights),
            threads=threads,
            flush_subnormals=flush_subnormals,
            message=ctypes.cast(message, ctypes.c_char_p),
            message_bytes=_MESSAGE_BYTES,
            machine=None if machine is None else machine.encode(),
        )
        status = self._function("init", ctypes.c_int)(
            ctypes.byref(self._context), ctypes.byref(options)
        )
        if status != 0:
            raise UserError(
                f"'{self.name}' cannot be loaded: {message.value.decode(errors='replace')}"
            )

    def _function(self, name: str, result: type | None) -> ctypes._NamedFuncPointer:  # pyright: ignore[reportPrivateUsage]
        function = self._functions[f"{self._manifest.prefix}_{name}"]
        function.restype = result
        return function

    def _check_inputs(
        self, inputs: Mapping[str, npt.ArrayLike | Row] | npt.ArrayLike
    ) -> tuple[list[Array], list[int]]:
        """Return the inputs in order, and the numbers of the open extents that they have."""
        names = [entry.name for entry in self.inputs]
        if not isinstance(inputs, Mapping):
            if len(names) != 1:
                listed = ", ".join(map(repr, names)) or "none"
                raise UserError(
                    f"'{self.name}' takes inputs by name ({listed}), found a value without one"
                )
            return self._checked([inputs])
        for name in inputs:
            if name not in names:
                known = ", ".join(map(repr, names)) or "none"
                raise UserError(
                    f"'{self.name}' has no input '{name}', expected {known}; one that has a "
                    "default in the model is a constant unless it was compiled with a shape "
                    "(--shape)"
                )
        missing = [name for name in names if name not in inputs]
        if missing:
            raise UserError(f"missing input {', '.join(map(repr, missing))} of '{self.name}'")
        return self._checked([_row(entry, inputs[entry.name]) for entry in self.inputs])

    def _checked(self, values: Sequence[npt.ArrayLike]) -> tuple[list[Array], list[int]]:
        shapes = [np.shape(value) for value in values]
        told = told_numbers(self.inputs, self.extents, shapes)
        for place, extent in enumerate(self.extents):
            if extent.of_state:
                rows = self._function("get_extent", ctypes.c_int64)
                told[place] = rows(self._context, place)
        found = [told.get(place, -1) for place in range(len(self.extents))]
        wrong = [
            f"{'the state is full: ' if extent.of_state else ''}extent '{extent.name}' of "
            f"'{self.name}' is {extent}, found {number}"
            for extent, number in zip(self.extents, found, strict=True)
            if not extent.has(number)
        ]
        if wrong:
            raise UserError("; ".join(wrong))
        entries = [entry.at(self.extents, found) for entry in self.inputs]
        return [_checked(*pair) for pair in zip(entries, values, strict=True)], found


def _row(entry: TensorEntry, value: npt.ArrayLike | Row) -> npt.ArrayLike:
    """Return the values of a map as a row of all keys that count; others are what they are."""
    if not isinstance(value, Mapping) or not entry.keys:
        return cast(npt.ArrayLike, value)
    places = {key: place for place, key in enumerate(entry.keys)}
    row = np.zeros(len(places), named_dtype(entry.dtype))
    kind = numbers.Real if row.dtype.kind == "f" else numbers.Integral
    for key, number in value.items():
        if key not in places:
            raise UserError(f"input '{entry.name}' has no key {key!r}")
        try:
            fits = isinstance(number, kind)
            row[places[key]] = number if fits else 0
        except OverflowError:
            fits = False
        if not fits:
            raise UserError(
                f"key {key!r} of input '{entry.name}' has no value of type {entry.dtype}"
            )
    return row


def _checked(entry: TensorEntry, value: npt.ArrayLike) -> Array:
    """Return the value as an aligned array, or raise ``UserError`` if it does not fit."""
    array = np.asarray(value)
    expected = named_dtype(entry.dtype)
    if array.dtype != expected and (entry.cell is None or array.dtype.kind not in "SU"):
        raise UserError(f"input '{entry.name}' takes {entry.dtype}, found {array.dtype}")
    if array.shape != entry.shape:
        raise UserError(
            f"input '{entry.name}' takes shape {_shape(entry.shape)}, found {_shape(array.shape)}"
        )
    if entry.cell is None:
        raw = packed(array, entry.bits)
    else:
        raw = to_cells(entry.name, array, entry.cell)
    if raw.ctypes.data % _ALIGNMENT == 0:
        return raw
    aligned = _aligned(entry.bytes)
    aligned[...] = raw
    return aligned


def _elements(entry: TensorEntry, raw: npt.NDArray[np.uint8], shape: Sequence[int]) -> Array:
    if entry.cell is not None:
        return from_cells(raw, entry.cell, shape)
    return unpacked(raw, entry.bits, named_dtype(entry.dtype), shape)


def _shape(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "scalar"


def _aligned(size: int) -> npt.NDArray[np.uint8]:
    """Return bytes that are aligned as the C program wants them."""
    block: npt.NDArray[np.uint8] = np.empty(size + _ALIGNMENT, np.uint8)
    start = -block.ctypes.data % _ALIGNMENT
    return block[start : start + size]


def _pointers(arrays: Sequence[Array]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))


def _is_current(library: Path, sources: Sequence[Path]) -> bool:
    try:
        built = library.stat().st_mtime_ns
        return all(source.stat().st_mtime_ns <= built for source in sources)
    except OSError:
        return False


def _load(library: Path) -> ctypes.CDLL:
    """Load a copy of the library: the loader would give back an older build of the same path."""
    try:
        with tempfile.TemporaryDirectory(prefix="autodeploy-") as folder:
            copy = Path(folder) / library.name
            shutil.copyfile(library, copy)
            return ctypes.CDLL(str(copy))
    except OSError as error:
        raise ToolchainError(f"library '{library}' cannot be loaded: {error}") from None
