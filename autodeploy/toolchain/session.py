"""Running a bundle from Python: build its library if need be, load it, call it with NumPy arrays.

with load_bundle("mnist-bundle") as session:
    outputs = session.run({"Input3": image})
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any, cast

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
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.binding import Binding, Bound, bound_array
from autodeploy.toolchain.compiler import run_make
from autodeploy.toolchain.fixed_call import (
    Array,
    FixedCall,
    aligned,
    check_results,
    is_fixed,
    pointers,
    shape_text,
)
from autodeploy.toolchain.library import (
    Options,
    flush_option,
    is_current,
    load_library,
    names_of_choices,
    read_weights,
)
from autodeploy.toolchain.runs_here import check_runs_here
from autodeploy.toolchain.tensor_values import Row, by_name, checked, elements, in_order

_MESSAGE_BYTES = 1024


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
    device: str | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> Session:
    """Return a session that runs the bundle in ``folder``, with up to ``threads`` threads.

    ``flush_subnormals`` says whether subnormal numbers are taken for zero while it computes;
    ``None``: as the bundle was compiled. ``machine`` is the one whose program runs, where the
    bundle has programs for several; ``None``: the best that this processor can run. ``device`` is a
    part of the name of the device to use; ``None``: the first one that there is. ``cache`` is the
    file in which kernels that OpenCL has compiled are kept for later starts; ``None``: none.

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
    choices = names_of_choices(path, manifest, machine, device, cache)
    library = path / shared_library(manifest.prefix, machines[0])
    if not is_current(library, [path / FILE_NAME, *(path / name for name in manifest.files)]):
        run_make(path, [library.relative_to(path).as_posix()])
    weights = manifest.weights_path(path)
    return Session(
        manifest, library, weights, threads, flush_subnormals=flush_subnormals, choices=choices
    )


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
        choices: Sequence[str | None] = (),
    ):
        held = None if weights is None else read_weights(weights)
        settings = threads, flush_subnormals, choices
        self._start(manifest, load_library(library), held, weights, *settings)

    def _start(
        self,
        manifest: Manifest,
        library: ctypes.CDLL,
        held: Array | None,
        weights: Path | None,
        threads: int,
        flush_subnormals: bool | None,
        choices: Sequence[str | None],
    ) -> None:
        self._manifest = manifest
        self._lock = threading.Lock()
        self._functions = library
        self._weights = held, weights
        self._settings = threads, flush_subnormals, choices
        self._context = ctypes.c_void_p()
        self._interrupted = False
        self._run = self._function("run", ctypes.c_int)
        self._names = [entry.name for entry in manifest.inputs]
        self._output_names = [entry.name for entry in manifest.outputs]
        fixed = not manifest.extents and all(map(is_fixed, (*manifest.inputs, *manifest.outputs)))
        self._call = FixedCall(manifest.inputs, manifest.outputs) if fixed else None
        options = threads, flush_option(flush_subnormals), choices
        try:
            self._init(held, None if held is not None else weights, *options)
        except UserError:
            if held is None:
                raise
            self._init(None, weights, *options)  # the error names the file
        _SESSIONS.add(self)

    def clone(self, *, threads: int | None = None) -> Session:
        """Return another session of the network, which shares the weights with this one.

        Both can compute at the same time. ``threads`` is the number of threads of the new session;
        ``None``: as many as this one has.
        """
        of_this, flush_subnormals, choices = self._settings
        other = Session.__new__(Session)
        chosen = of_this if threads is None else threads
        other._start(
            self._manifest, self._functions, *self._weights, chosen, flush_subnormals, choices
        )
        return other

    @property
    def name(self) -> str:
        """Return the name of the network."""
        return self._manifest.name

    @property
    def metadata(self) -> dict[str, str]:
        """Return the metadata of the model, and its text under ``doc_string`` if it has one."""
        text = self._manifest.doc_string
        return {**({"doc_string": text} if text else {}), **self._manifest.metadata}

    @property
    def machine(self) -> str | None:
        """Return the machine whose program runs, where the bundle has programs for several."""
        if not self._manifest.for_machines:
            return None
        with self._lock:
            self._check_open()
            return self._function("machine", ctypes.c_char_p)(self._context).decode()

    @property
    def device(self) -> str:
        """Return the name of the device that computes; empty if the processor does."""
        if not hasattr(self._functions, f"{self._manifest.prefix}_device_name"):
            return ""
        with self._lock:
            self._check_open()
            return self._function("device_name", ctypes.c_char_p)(self._context).decode()

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

    def run(
        self,
        inputs: Mapping[str, npt.ArrayLike | Row] | npt.ArrayLike,
        *,
        out: Mapping[str, Array] | Array | None = None,
    ) -> dict[str, Array]:
        """Compute the outputs, by name, from the inputs, by name; both in the tensors' own types.

        The array alone does where the network has one input. The numbers of open extents are those
        of the inputs. An output that depends on values has along its open axes the extents that
        this run has made. An input is copied where it is not C-contiguous and aligned. Strings are
        given as any of NumPy's arrays of strings, and come as arrays of objects. An input that has
        ``keys`` takes a dictionary of these, too. Numbers that are in no array, such as a list,
        are converted if the type has them.

        ``out`` has arrays for outputs, by name, or the array of the only output: C-contiguous, of
        the output's type and of its shape in this run. They are written and returned.

        Raises ``UserError`` if a name, an element type or a shape is not that of the network,
        where a kernel fails, or if the session is closed.
        """
        targets = {} if out is None else by_name(self.name, "output", self._output_names, out)
        if (call := self._call) is not None and (values := self._values(inputs)) is not None:
            call.check(targets)
            with self._lock:
                self._check_open()
                call.give(values)
                results = call.prepare(targets)
                self._check_run(self._run(self._context, call.inputs, call.outputs))
                return call.take(results, targets)
        with self._lock:
            self._check_open()
            given, told = self._checked(in_order(self.name, self.inputs, inputs))
            outputs = [entry.at(self.extents, told) for entry in self.outputs]
            check_results(outputs, targets)
            results = [aligned(entry.bytes) for entry in outputs]
            status = self._set_extents(told)
            if status == 0:
                status = self._run(self._context, pointers(given), pointers(results))
            self._check_run(status)
            shapes = [self._shape_of(index, entry) for index, entry in enumerate(outputs)]
        found = {
            entry.name: elements(entry, raw[: (prod(shape) * entry.bits + 7) // 8], shape)
            for entry, raw, shape in zip(outputs, results, shapes, strict=True)
        }
        for name, target in targets.items():
            target[...] = found[name]
        return {**found, **targets}

    def bind(
        self,
        inputs: Mapping[str, Array] | Array | None = None,
        outputs: Mapping[str, Array] | Array | None = None,
    ) -> Binding:
        """Return a call with fixed arrays, which checks and copies nothing when it runs.

        Arrays are C-contiguous, of the tensors' types and shapes; those that are not given are
        allocated, inputs with their default or zeros. Open extents are those of the inputs. Raises
        ``UserError`` for other arrays, and for strings, elements of fewer bits than a byte, and
        outputs whose extents depend on values, or on a state.

        With CUDA they may be arrays of other libraries in memory of the device (DLPack), if the
        tensor is ``on_device`` in the manifest.
        """
        if any(extent.of_state for extent in self.extents):
            raise UserError(f"extents of '{self.name}' depend on its state, so no arrays are fixed")
        given = {} if inputs is None else by_name(self.name, "input", self._names, inputs)
        shapes = [np.shape(given[e.name]) if e.name in given else e.shape for e in self.inputs]
        told = self._told(shapes)
        entries = [e.at(self.extents, told) for e in (*self.inputs, *self.outputs)]
        targets = (
            {} if outputs is None else by_name(self.name, "output", self._output_names, outputs)
        )
        bound: list[Bound] = []
        count = len(self.inputs)
        for place, entry in enumerate(entries):
            kind, arrays = ("input", given) if place < count else ("output", targets)
            bound.append(bound_array(kind, entry, arrays.get(entry.name), self.device))
        return Binding(self, bound[:count], bound[count:], told)

    def compute(self, binding: Binding) -> None:
        """Run with the arrays of a binding (``Binding.run``)."""
        with self._lock:
            self._check_open()
            status = self._set_extents(binding.numbers)
            if status == 0:
                status = self._run(self._context, *binding.pointers)
            self._check_run(status)

    def _set_extents(self, numbers: Sequence[int]) -> int:
        for place, number in enumerate(numbers):
            if self.extents[place].of_state:
                continue
            set_extent = self._function("set_extent", ctypes.c_int)
            status = set_extent(self._context, place, ctypes.c_int64(number))
            if status != 0:
                return status
        return 0

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

    def _check_run(self, status: int) -> None:
        """Raise ``UserError`` if a run has failed."""
        if status != 0:
            self._check_status(status, f"running '{self.name}' failed")

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
            ", ".join(f"{t.name}: {t.dtype} {shape_text(t.shape)}" for t in tensors)
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

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_context", None):
            self.close()

    def after_fork(self) -> None:
        """Let the child of a fork use this session: no thread gives its lock back here."""
        self._interrupted |= self._lock.locked()
        self._lock = threading.Lock()

    def _init(
        self,
        held: Array | None,
        weights: Path | None,
        threads: int,
        flush_subnormals: int,
        choices: Sequence[str | None],
    ) -> None:
        message = ctypes.create_string_buffer(_MESSAGE_BYTES)
        options = Options(
            weights_path=None if weights is None else os.fsencode(weights),
            weights=None if held is None else held.ctypes.data,
            weights_bytes=0 if held is None else held.nbytes,
            threads=threads,
            flush_subnormals=flush_subnormals,
            message=ctypes.cast(message, ctypes.c_char_p),
            message_bytes=_MESSAGE_BYTES,
            choices=tuple(None if name is None else os.fsencode(name) for name in choices),
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

    def _values(
        self, inputs: Mapping[str, npt.ArrayLike | Row] | npt.ArrayLike
    ) -> Sequence[Array] | None:
        """Return the inputs in order if they are arrays that need no check, else ``None``."""
        call, names = self._call, self._names
        assert call is not None
        values: list[Any]
        if type(inputs) is dict:
            named = cast("dict[str, Any]", inputs)
            if len(named) != len(names):
                return None
            values = [named.get(name) for name in names]
        elif len(names) == 1:
            values = [inputs]
        else:
            return None
        return values if call.fits(values) else None

    def _checked(self, values: Sequence[npt.ArrayLike]) -> tuple[list[Array], list[int]]:
        found = self._told([np.shape(value) for value in values])
        entries = [entry.at(self.extents, found) for entry in self.inputs]
        return [checked(*pair) for pair in zip(entries, values, strict=True)], found

    def _told(self, shapes: Sequence[Sequence[int]]) -> list[int]:
        """Return the numbers of the open extents for which inputs have their shapes."""
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
        return found
