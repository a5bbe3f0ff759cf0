"""``manifest.json``: what a bundle holds and where it came from.

It names no date and no path outside the bundle: the same input gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Annotated, TypeAlias

from autodeploy.analysis.memory_sizes import MemorySizes
from autodeploy.codegen.bundle.tensor_entry import (
    CheckedPart,
    ExtentEntry,
    StateEntry,
    TensorEntry,
    checked_extent,
    checked_tensor,
)
from autodeploy.diagnostics import UserError
from autodeploy.dialects.memref import aligned
from autodeploy.dialects.nn.parts import combination_of
from autodeploy.json_values import IfGiven, from_json, to_json
from autodeploy.machine import Machine
from autodeploy.machine.targets import ARCHITECTURES, ISAS, OPERATING_SYSTEMS

FILE_NAME = "manifest.json"
FORMAT = "autodeploy-bundle"
VERSION = 1

WASM_FOLDER = "wasm"
"""The folder within a page with the bundle for browsers without a device."""


@dataclass(frozen=True)
class _Header:
    """The members of a manifest that say how to read the others."""

    format: str
    version: int


def _identifier(text: str, name: str) -> str:
    if not text.isascii() or not text.isidentifier():
        raise UserError(f"{name} is not an identifier: '{text}'")
    return text


def _file(text: str, _name: str) -> str:
    path = Path(text)
    if not text or path.is_absolute() or ".." in path.parts:
        raise UserError(f"'{text}' is not a file of the bundle")
    return text


def _known_machine(machine: Machine, _name: str) -> Machine:
    for key, known in (("arch", ARCHITECTURES), ("os", OPERATING_SYSTEMS), ("isa", ISAS)):
        if (value := getattr(machine, key)) not in known:
            raise UserError(
                f"'{key}' of 'machine' is '{value}', expected one of {', '.join(known)}"
            )
    return machine


Identifier: TypeAlias = Annotated[str, _identifier]
"""An identifier of C."""

File: TypeAlias = Annotated[str, _file]
"""The name of a file of the bundle."""

KnownMachine: TypeAlias = Annotated[Machine, _known_machine]
"""A machine of an architecture, a system and an instruction set that are known."""


@dataclass(frozen=True)
class KernelEntry:
    """A kernel: its pipeline's name, its C function, its algorithm if known, its file.

    ``prefetches`` is the pipeline's ``halide.prefetches``, where it has that attribute. ``error``
    is the error that rounding can make beyond that of plain sums, relative to the largest product.
    A kernel ``on_device`` has its text in the file; one that is not, in a program with a device,
    says in ``on_host`` why.
    """

    name: str
    symbol: Identifier
    algorithm: str | None
    file: File
    prefetches: str | None = None
    error: float = 0.0
    on_device: IfGiven[bool] = False
    on_host: IfGiven[str | None] = None


@dataclass(frozen=True)
class WeightsEntry:
    """The weights: their file, its bytes with the header, their fingerprint in hexadecimal.

    With ``embedded`` the file is a C source that is linked in, and ``bytes`` are those of the data.
    """

    file: File
    bytes: int
    fingerprint: str
    embedded: bool = False


@dataclass(frozen=True)
class VariantEntry:
    """The program of a bundle for one of several machines, or for a part of open extents.

    ``name`` is that of the program: what C calls the machine, or ``batch=2..32`` for a part of open
    extents. Then ``part`` has the numbers of the part. ``text`` is the file with the program's
    module, ``source`` that with its calls in C. Kernels and bytes are as in ``Manifest``.
    """

    name: str
    machine: KnownMachine
    text: File
    source: File
    kernels: tuple[KernelEntry, ...]
    arena_bytes: int
    arena_lower_bound: int | None = None
    part: IfGiven[tuple[CheckedPart, ...]] = ()
    bytes_in_outputs: IfGiven[int] = 0


@dataclass(frozen=True)
class Manifest:
    """A bundle's content; ``files`` maps each file (but this one) to its SHA-256.

    ``arena_bytes`` is the size of the arena, ``arena_lower_bound`` the largest sum of the sizes of
    tensors and scratch memory that are live at once, if it is known. ``bytes_in_outputs`` is how
    much of the caller's memory for outputs holds further tensors until an output is written.
    ``states`` are what a context keeps from run to run, in ``state_bytes`` of the arena.
    ``stack_bytes`` is about what a run takes of the stack. ``code_bytes`` are those of kernels as
    object files, ``context_bytes`` those of a context on a machine without a system. ``pools`` are
    the memories of the arena. ``prefix`` begins every C name of the model. ``machine`` is what the
    kernels were compiled for. ``options`` are those of the compilation that change what kernels
    compute or how: ``level``, ``emit``, ``threads``, ``winograd``, ``precision``, ``results_only``
    and ``flush_subnormals``, as they took effect. ``doc_string`` and ``metadata`` are the model's.

    If the program chooses among ``variants`` for several machines, the one that comes first of
    those that the processor can run, ``kernels`` are those of all, ``arena_bytes`` is the most that
    one takes, and ``machine`` is missing. Variants with a ``part`` are for one machine; the numbers
    of a run choose, in the order of all parts of the last extent for each part of the one before.
    """

    name: str
    prefix: Identifier
    inputs: tuple[Annotated[TensorEntry, checked_tensor], ...]
    outputs: tuple[Annotated[TensorEntry, checked_tensor], ...]
    kernels: tuple[KernelEntry, ...]
    weights: WeightsEntry
    arena_bytes: int
    arena_lower_bound: int | None = None
    machine: KnownMachine | None = None
    opset: int | None = None
    tools: Mapping[str, str] = field(default_factory=dict[str, str])
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[File, str] = field(default_factory=dict[str, str])
    variants: IfGiven[tuple[VariantEntry, ...]] = ()
    extents: IfGiven[tuple[Annotated[ExtentEntry, checked_extent], ...]] = ()
    stack_bytes: IfGiven[int | None] = None
    bytes_in_outputs: IfGiven[int] = 0
    states: IfGiven[tuple[StateEntry, ...]] = ()
    state_bytes: IfGiven[int] = 0
    doc_string: IfGiven[str] = ""
    metadata: IfGiven[Mapping[str, str]] = field(default_factory=dict[str, str])
    code_bytes: IfGiven[int | None] = None
    context_bytes: IfGiven[int | None] = None
    pools: IfGiven[Mapping[str, int]] = field(default_factory=dict[str, int])

    @property
    def memory(self) -> MemorySizes:
        """Return the memory of the program; of several, the largest arena and all code."""
        return MemorySizes(
            self.weights.bytes,
            self.arena_bytes - aligned(self.state_bytes),
            self.code_bytes,
            aligned(self.state_bytes),
            self.context_bytes,
            self.stack_bytes,
            self.pools,
        )

    @property
    def text(self) -> str:
        """Return the file with the text of the program's module, of the first of several."""
        return self.variants[0].text if self.variants else f"{self.prefix}.mlir"

    @property
    def first_machine(self) -> Machine | None:
        """Return the machine of the program, or of the first of several; ``None`` if unknown."""
        return self.variants[0].machine if self.variants else self.machine

    @property
    def for_machines(self) -> tuple[VariantEntry, ...]:
        """Return the programs among which the processor decides."""
        return tuple(variant for variant in self.variants if not variant.part)

    @property
    def for_parts(self) -> tuple[VariantEntry, ...]:
        """Return the programs among which the numbers of a run decide."""
        return tuple(variant for variant in self.variants if variant.part)

    def part_named(self, name: str | None) -> VariantEntry:
        """Return the program for a part, that for the largest numbers without a name.

        A name may leave out extents that do not distinguish the part. Raises ``UserError`` if not
        exactly one part has it.
        """
        parts = self.for_parts
        if name is None:
            ranges = [extent.ranges for extent in self.extents]
            return parts[combination_of(ranges, [extent.most for extent in self.extents])]
        ranges = set(name.split(","))
        found = [part for part in parts if ranges <= set(part.name.split(","))]
        if len(found) != 1:
            what = f"several parts have '{name}'" if found else f"there is no part '{name}'"
            listed = ", ".join(f"'{part.name}'" for part in found or parts)
            raise UserError(f"{what}, there are {listed}")
        return found[0]

    def only(self, variant: VariantEntry) -> Manifest:
        """Return what the manifest says of one of several programs.

        Inputs and outputs are then those for the largest numbers of its part.
        """
        most = [range_.most for range_ in variant.part]
        extents = self.extents if most else ()
        return replace(
            self,
            inputs=tuple(entry.at(extents, most) for entry in self.inputs),
            outputs=tuple(entry.at(extents, most) for entry in self.outputs),
            kernels=variant.kernels,
            arena_bytes=variant.arena_bytes,
            arena_lower_bound=variant.arena_lower_bound,
            bytes_in_outputs=variant.bytes_in_outputs,
            machine=variant.machine,
            variants=(variant,),
        )

    @property
    def has_objects(self) -> bool:
        """Return whether there are kernels as object files."""
        return any(kernel.file.endswith(".o") for kernel in self.kernels)

    @property
    def has_wasm(self) -> bool:
        """Return whether a page has a bundle in WebAssembly, too."""
        return f"{WASM_FOLDER}/{FILE_NAME}" in self.files

    def weights_path(self, folder: Path) -> Path | None:
        """Return the weight file of the bundle ``folder``, which the program is given.

        ``None`` if the weights are linked in.
        """
        return None if self.weights.embedded else folder / self.weights.file

    def to_json(self) -> str:
        """Return the text of the file."""
        content = {**to_json(_Header(FORMAT, VERSION)), **to_json(self)}
        return json.dumps(content, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Read the text of a file; raises ``UserError`` if it is not a manifest."""
        try:
            content = json.loads(text)
        except ValueError as error:
            raise UserError(f"not JSON: {error}") from None
        header = from_json(_Header, content, "manifest")
        if header.format != FORMAT:
            raise UserError(f"its format is not '{FORMAT}'")
        if header.version != VERSION:
            raise UserError(f"its version is {header.version}, expected {VERSION}")
        found = from_json(cls, content, "manifest")
        for entry in (*found.inputs, *found.outputs):
            if not entry.fits(found.extents):
                raise UserError(
                    f"'{entry.name}' does not grow up to its shape, {list(entry.shape)}"
                )
        _check_parts(found)
        return found

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read the manifest of a bundle.

        Raises ``UserError`` if ``folder`` is no bundle or its manifest is not valid.
        """
        path = folder / FILE_NAME
        if not folder.is_dir():
            raise UserError(f"bundle '{folder}' is not a folder")
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise UserError(f"'{folder}' is not a bundle: it has no {FILE_NAME}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"'{path}' cannot be read: {error}") from None
        try:
            return cls.from_json(text)
        except UserError as error:
            raise UserError(f"'{path}' is not valid: {error}") from None


def _check_parts(found: Manifest) -> None:
    """Raise ``UserError`` if programs are not for all combinations of parts, in order."""
    combined = list(product(*(extent.ranges for extent in found.extents)))
    expected = combined if len(combined) > 1 else []
    if [variant.part for variant in found.for_parts] != expected or (
        found.for_parts and found.for_machines
    ):
        raise UserError("its programs are not those for all parts of its extents")
