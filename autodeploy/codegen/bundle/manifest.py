"""``manifest.json``: what a bundle holds and where it came from.

It names no date and no path outside the bundle: the same input gives the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from autodeploy.analysis.memory_sizes import MemorySizes
from autodeploy.codegen.bundle.json_object import JsonObject
from autodeploy.codegen.bundle.tensor_entry import (
    ExtentEntry,
    PartShape,
    StateEntry,
    TensorEntry,
    program_of,
)
from autodeploy.diagnostics import UserError
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.memref import aligned
from autodeploy.dialects.nn.open_extent import MOST
from autodeploy.dialects.nn.parts import Part
from autodeploy.dialects.nn.stored import interface_element
from autodeploy.machine import Machine
from autodeploy.machine.costs import CostModel
from autodeploy.machine.targets import ARCHITECTURES, ISAS, OPERATING_SYSTEMS

FILE_NAME = "manifest.json"
FORMAT = "autodeploy-bundle"
VERSION = 1

WASM_FOLDER = "wasm"
"""The folder within a page with the bundle for browsers without a device."""

_MACHINE_NUMBERS = tuple(f.name for f in fields(Machine) if f.type == "int")
_COSTS = {f.name: int if f.type == "int" else float for f in fields(CostModel)}

_T = TypeVar("_T")


@dataclass(frozen=True)
class KernelEntry:
    """A kernel: its pipeline's name, its C function, its algorithm if known, its file.

    ``prefetches`` is the pipeline's ``halide.prefetches``, where it has that attribute. ``error``
    is the error that rounding can make beyond that of plain sums, relative to the largest product.
    A kernel ``on_device`` has its text in the file; one that is not, in a program with a device,
    says in ``on_host`` why.
    """

    name: str
    symbol: str
    algorithm: str | None
    file: str
    prefetches: str | None = None
    error: float = 0.0
    on_device: bool = False
    on_host: str | None = None


@dataclass(frozen=True)
class WeightsEntry:
    """The weights: their file, its bytes with the header, their fingerprint in hexadecimal.

    With ``embedded`` the file is a C source that is linked in, and ``bytes`` are those of the data.
    """

    file: str
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
    machine: Machine
    text: str
    source: str
    kernels: tuple[KernelEntry, ...]
    arena_bytes: int
    arena_lower_bound: int | None = None
    part: tuple[Part, ...] = ()
    bytes_in_outputs: int = 0


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
    prefix: str
    inputs: tuple[TensorEntry, ...]
    outputs: tuple[TensorEntry, ...]
    kernels: tuple[KernelEntry, ...]
    weights: WeightsEntry
    arena_bytes: int
    arena_lower_bound: int | None = None
    machine: Machine | None = None
    opset: int | None = None
    tools: Mapping[str, str] = field(default_factory=dict[str, str])
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    variants: tuple[VariantEntry, ...] = ()
    extents: tuple[ExtentEntry, ...] = ()
    stack_bytes: int | None = None
    bytes_in_outputs: int = 0
    states: tuple[StateEntry, ...] = ()
    state_bytes: int = 0
    doc_string: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    code_bytes: int | None = None
    context_bytes: int | None = None
    pools: Mapping[str, int] = field(default_factory=dict[str, int])

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
    def for_machines(self) -> tuple[VariantEntry, ...]:
        """Return the programs among which the processor decides."""
        return tuple(variant for variant in self.variants if not variant.part)

    @property
    def for_parts(self) -> tuple[VariantEntry, ...]:
        """Return the programs among which the numbers of a run decide."""
        return tuple(variant for variant in self.variants if variant.part)

    def part_named(self, name: str | None) -> VariantEntry:
        """Return the program for a part, that for the largest numbers without a name.

        Raises ``UserError`` if there is none of this name.
        """
        names = [variant.name for variant in self.for_parts]
        if name is None:
            return self.for_parts[program_of(self.extents, [e.most for e in self.extents])]
        if name not in names:
            raise UserError(f"there is no part '{name}', there are {', '.join(names)}")
        return self.for_parts[names.index(name)]

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
        content: dict[str, Any] = {"format": FORMAT, "version": VERSION, **asdict(self)}
        if not self.variants:
            del content["variants"]
        if not self.extents:
            del content["extents"]
        for entry in _kernel_entries(content):
            _leave_out(entry, "on_device", "on_host")
        for size in ("stack_bytes", "code_bytes", "context_bytes"):
            if content[size] is None:
                del content[size]
        _leave_out(
            content, "bytes_in_outputs", "states", "state_bytes", "doc_string", "metadata", "pools"
        )
        for entry in content.get("states", ()):
            if entry["axis"] is None:
                del entry["axis"], entry["extent"]
        for entry in (*content["inputs"], *content["outputs"]):
            _leave_out(entry, "open", "keys", "growths", "parts", "default")
            for part in (entry, *entry.get("parts", ())):
                for growth in part.get("growths", ()):
                    _leave_out_of_growth(growth)
        for entry in content.get("variants", ()):
            _leave_out(entry, "part", "bytes_in_outputs")
        for entry in content.get("extents", ()):
            _leave_out(entry, "parts", "of_state")
        return json.dumps(content, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Read the text of a file; raises ``UserError`` if it is not a manifest."""
        try:
            content = json.loads(text)
        except ValueError as error:
            raise UserError(f"not JSON: {error}") from None
        root = JsonObject(content, "manifest")
        if root.get("format", str) != FORMAT:
            raise UserError(f"its format is not '{FORMAT}'")
        version = root.get("version", int)
        if version != VERSION:
            raise UserError(f"its version is {version}, expected {VERSION}")
        weights = root.child("weights")
        found = cls(
            root.get("name", str),
            root.identifier("prefix"),
            tuple(_tensor(entry) for entry in root.children("inputs")),
            tuple(_tensor(entry) for entry in root.children("outputs")),
            tuple(_kernel(entry) for entry in root.children("kernels")),
            WeightsEntry(
                weights.path("file"),
                weights.get("bytes", int),
                weights.get("fingerprint", str),
                weights.flag("embedded"),
            ),
            root.get("arena_bytes", int),
            root.optional("arena_lower_bound", int),
            _machine(root),
            root.optional("opset", int),
            root.child("tools").strings(),
            root.child("options").strings(),
            root.child("files").strings(paths=True),
            tuple(map(_variant, root.children("variants") if root.has("variants") else ())),
            tuple(map(_extent, root.children("extents") if root.has("extents") else ())),
            root.optional("stack_bytes", int),
            root.optional("bytes_in_outputs", int) or 0,
            tuple(map(_state, root.children("states") if root.has("states") else ())),
            root.optional("state_bytes", int) or 0,
            root.optional("doc_string", str) or "",
            root.child("metadata").strings() if root.has("metadata") else {},
            root.optional("code_bytes", int),
            root.optional("context_bytes", int),
            root.child("pools").integers() if root.has("pools") else {},
        )
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


def _kernel_entries(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in (content, *content.get("variants", ())):
        yield from part["kernels"]


def _leave_out(entry: dict[str, Any], *names: str) -> None:
    """Remove those members that are empty."""
    for name in names:
        if not entry[name]:
            del entry[name]


def _leave_out_of_growth(growth: dict[str, Any]) -> None:
    """Remove from a growth that it has no further numbers and factors, as most have none."""
    for factor in growth.get("rest", ()):
        _leave_out_of_growth(factor)
    _leave_out(growth, "others", "rest")


def _check_parts(found: Manifest) -> None:
    """Raise ``UserError`` if programs are not for all combinations of parts, in order."""
    combined = list(product(*(extent.ranges for extent in found.extents)))
    expected = combined if len(combined) > 1 else []
    if [variant.part for variant in found.for_parts] != expected or (
        found.for_parts and found.for_machines
    ):
        raise UserError("its programs are not those for all parts of its extents")


def _tensor(entry: JsonObject) -> TensorEntry:
    dtype = entry.get("dtype", str)
    if interface_element(dtype) is None:
        raise UserError(f"unknown element type '{dtype}'")
    whole = _part_shape(entry)
    shape = list(whole.shape)
    keys = entry.items("keys") if entry.has("keys") else []
    if keys and (
        [len(keys)] != shape[-1:]
        or not (all(isinstance(key, str) for key in keys) or all(type(key) is int for key in keys))
    ):
        raise UserError(f"malformed keys of '{entry.get('name', str)}'")
    parts = tuple(map(_part_shape, entry.children("parts") if entry.has("parts") else ()))
    name = entry.get("name", str)
    default = entry.get("default", str) if entry.has("default") else ""
    found = TensorEntry(
        name, dtype, whole.shape, whole.open, tuple(keys), whole.growths, parts, default
    )
    if default and not re.fullmatch(f"([0-9a-f]{{2}}){{{found.bytes}}}", default):
        raise UserError(f"malformed default of '{name}'")
    return found


def _part_shape(entry: JsonObject) -> PartShape:
    shape = entry.items("shape")
    if any(not isinstance(n, int) or isinstance(n, bool) or n < 0 for n in shape):
        raise UserError(f"malformed shape {shape}")
    axes = entry.items("open") if entry.has("open") else []
    if any(not isinstance(n, int) or isinstance(n, bool) or not 0 <= n < len(shape) for n in axes):
        raise UserError(f"malformed open axes {axes}")
    growths = tuple(map(_growth, entry.children("growths") if entry.has("growths") else ()))
    if growths and len(growths) != len(axes):
        raise UserError(f"{len(growths)} growths of {len(axes)} open axes")
    return PartShape(tuple(shape), tuple(axes), growths)


def _growth(entry: JsonObject) -> Growth:
    times, over, by = (entry.get(name, int) for name in ("times", "over", "by"))
    plus, place = entry.integer("plus"), entry.get("place", int) if entry.has("place") else 0
    others = entry.items("others") if entry.has("others") else []
    if not times and (plus, over, by, place) == (0, 1, 1, 0):
        return CONSTANT
    if min(times, over, by) < 1 or place < 0:
        raise UserError(f"malformed growth, {Growth(times, plus, over, by).text('n')}")
    terms = {place: times}
    for other in others:
        match other:
            case [int(at), int(added)] if at >= 0 and added > 0 and at not in terms:
                terms[at] = added
            case _:
                raise UserError(f"malformed growth by other numbers, {other}")
    rest = map(_growth, entry.children("rest") if entry.has("rest") else ())
    return Growth.product([Growth.sum_of(terms, plus, over, by), *rest])


def _extent(entry: JsonObject) -> ExtentEntry:
    least, most = entry.get("least", int), entry.get("most", int)
    step = entry.get("step", int) if entry.has("step") else 1
    if not 0 <= least < most <= MOST or step < 1 or least % step or most % step:
        raise UserError(f"malformed range of an extent, {least} to {most} in steps of {step}")
    parts = _parts(entry, "parts")
    if parts and (
        any(part.least % step or part.most % step for part in parts)
        or (min(p.least for p in parts), max(p.most for p in parts)) != (least, most)
    ):
        raise UserError(f"malformed parts of an extent, {', '.join(map(str, parts))}")
    of_state = entry.flag("of_state")
    return ExtentEntry(entry.get("name", str), least, most, step, parts, of_state)


def _state(entry: JsonObject) -> StateEntry:
    return StateEntry(
        entry.get("input", str),
        entry.get("output", str),
        entry.get("dtype", str),
        _part_shape(entry).shape,
        entry.optional("axis", int),
        entry.optional("extent", int),
    )


def _parts(entry: JsonObject, key: str) -> tuple[Part, ...]:
    """Read ranges of numbers; none where there is no such member."""
    parts = tuple(
        Part(part.get("least", int), part.get("most", int))
        for part in (entry.children(key) if entry.has(key) else ())
    )
    for part in parts:
        if not 0 <= part.least <= part.most <= MOST:
            raise UserError(f"malformed part of an extent, {part}")
    return parts


def _variant(entry: JsonObject) -> VariantEntry:
    return VariantEntry(
        entry.get("name", str),
        _described_machine(entry.child("machine")),
        entry.path("text"),
        entry.path("source"),
        tuple(_kernel(kernel) for kernel in entry.children("kernels")),
        entry.get("arena_bytes", int),
        entry.optional("arena_lower_bound", int),
        _parts(entry, "part"),
        entry.optional("bytes_in_outputs", int) or 0,
    )


def _machine(root: JsonObject) -> Machine | None:
    """Read the machine; ``None`` if a bundle names it only, as older ones do, or not at all."""
    return None if root.is_text_or_missing("machine") else _described_machine(root.child("machine"))


def _described_machine(entry: JsonObject) -> Machine:
    return Machine(
        entry.get("name", str),
        entry.one_of("arch", ARCHITECTURES),
        entry.one_of("os", OPERATING_SYSTEMS),
        entry.one_of("isa", ISAS),
        entry.texts("features"),
        **{key: entry.get(key, int) for key in _MACHINE_NUMBERS},
        costs=_costs(entry),
        cpu=entry.optional("cpu", str) or "",
        device=entry.optional("device", str) or "",
    )


def _costs(machine: JsonObject) -> CostModel:
    """Read what things cost on a machine; a number that an older bundle lacks has its default."""
    if not machine.has("costs"):
        return CostModel()
    entry = machine.child("costs")
    costs: dict[str, Any] = {key: entry.optional(key, type_) for key, type_ in _COSTS.items()}
    return CostModel(**{key: value for key, value in costs.items() if value is not None})


def _kernel(entry: JsonObject) -> KernelEntry:
    return KernelEntry(
        entry.get("name", str),
        entry.identifier("symbol"),
        entry.optional("algorithm", str),
        entry.path("file"),
        entry.optional("prefetches", str),
        entry.optional("error", float) or 0.0,
        entry.flag("on_device"),
        entry.optional("on_host", str),
    )
