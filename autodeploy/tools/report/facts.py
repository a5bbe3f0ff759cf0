"""The contents of a report on a bundle, collected from its files and by running it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from autodeploy.analysis.live_ranges import calls_of, live_ranges, scratch_blocks
from autodeploy.analysis.memory_map import call_name
from autodeploy.codegen.bundle.code_bytes import code_bytes, kernel_objects
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.c.read_program import find_program
from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver import (
    Call,
    CopyOp,
    JoinOp,
    LibraryCallOp,
    ProgramOp,
    TransferOp,
    root_of,
)
from autodeploy.dialects.locations import nodes_of
from autodeploy.dialects.nn.types import ELEMENT_NAMES
from autodeploy.frontend.names import original_text
from autodeploy.toolchain.kernel_costs import read_module
from autodeploy.toolchain.limits import Limits, measure_limits
from autodeploy.toolchain.profile import DRIVER, KernelTime, profile_bundle
from autodeploy.toolchain.runs_here import check_runs_here


@dataclass(frozen=True)
class Step:
    """A call of the program: its kernel, the nodes of the model that it computes, what it writes.

    ``sources`` are the numbers of the calls whose results it reads, -1 for an input.
    """

    kernel: str
    algorithm: str
    nodes: tuple[str, ...]
    sources: tuple[int, ...]
    result: str


@dataclass(frozen=True)
class Place:
    """A block of the arena, alive from the first to the last of the calls that it has."""

    name: str
    offset: int
    bytes: int
    first: int
    last: int
    is_scratch: bool = False


@dataclass(frozen=True)
class Facts:
    """All that a report tells of a bundle.

    ``times`` are empty, and ``untimed`` says why, where the bundle was not run. ``code_bytes`` are
    those of the kernels in a program, ``None`` if they are not known (``code_bytes``).
    """

    manifest: Manifest
    steps: tuple[Step, ...]
    places: tuple[Place, ...]
    code_bytes: int | None
    times: tuple[KernelTime, ...] = ()
    limits: Limits | None = None
    threads: int = 1
    untimed: str = ""

    @property
    def seconds(self) -> float:
        """Return the seconds of one run."""
        return sum(time.seconds for time in self.times)

    @property
    def kernel_times(self) -> list[KernelTime]:
        """Return the times of kernels and copies, the longest first."""
        kernels = [time for time in self.times if time.name != DRIVER]
        return sorted(kernels, key=lambda time: -time.seconds)

    def nodes(self, kernel: str) -> tuple[str, ...]:
        """Return the nodes that all calls of a kernel compute."""
        found = (node for step in self.steps if step.kernel == kernel for node in step.nodes)
        return tuple(dict.fromkeys(found))


def collect(
    folder: Path,
    rounds: int,
    threads: int,
    limits: Limits | None = None,
    *,
    machine: str | None = None,
    part: str | None = None,
) -> Facts:
    """Read a bundle, and run it ``rounds`` times where it is for this machine, unless that is 0.

    ``limits`` are those of this machine, if they are known. In a bundle for several machines it is
    the program for ``machine``, or the one that would run here, or the first one; of one with parts
    the program for ``part``, or that for the largest numbers. Raises ``UserError`` if the bundle
    is no good.
    """
    manifest, untimed = _program(folder, threads, machine, part)
    program = find_program(read_module(folder / manifest.text))
    untimed, times = untimed if rounds else "the program was not run", ()
    if not untimed:
        times = tuple(profile_bundle(folder, rounds, threads, machine=machine, part=part))
        if limits is None:
            with TemporaryDirectory() as place:
                limits = measure_limits(Path(place))
    steps, places = _steps(program, manifest), _places(program)
    sizes = code_bytes(kernel_objects(folder, manifest))
    return Facts(manifest, steps, places, sizes, times, limits, threads, untimed)


def _program(
    folder: Path, threads: int, machine: str | None, part: str | None
) -> tuple[Manifest, str]:
    """Return the manifest of the program that a report is about, and why it cannot run."""
    manifest = Manifest.load(folder)
    try:
        return check_runs_here(folder, manifest, threads, machine, part), ""
    except UserError as error:
        if manifest.for_parts:
            return manifest.only(manifest.part_named(part)), str(error)
        if part is not None:
            raise
        named = [v for v in manifest.variants if machine in (None, v.name)]
        if machine is not None and not named:
            raise
        return manifest.only(named[0]) if named else manifest, str(error)


def _steps(program: ProgramOp, manifest: Manifest) -> tuple[Step, ...]:
    algorithms = {kernel.name: kernel.algorithm or "" for kernel in manifest.kernels}
    writers: dict[SSAValue, list[int]] = {value: [-1] for value in program.inputs}
    steps: list[Step] = []
    for number, call in enumerate(calls_of(program)):
        inputs, outputs = _operands(call)
        read = {root_of(value) for value in inputs}
        sources = sorted({source for root in read for source in writers.get(root, ())})
        for root in map(root_of, outputs):
            # A value that is written in place loses its older content; a concat has many parts.
            before = [] if root in read else writers.get(root, [])
            writers[root] = [*before, number]
        name = call_name(call)
        result = _shape(outputs[0].type) if outputs else ""
        algorithm = algorithms.get(name, "library" if isinstance(call, LibraryCallOp) else "copy")
        nodes = tuple(map(original_text, nodes_of(call)))
        steps.append(Step(name, algorithm, nodes, tuple(sources), result))
    return tuple(steps)


def _operands(call: Call) -> tuple[list[SSAValue], list[SSAValue]]:
    if isinstance(call, CopyOp | JoinOp | TransferOp):
        return [call.source], [call.target]
    return list(call.inputs), list(call.outputs)


def _shape(type_: Attribute) -> str:
    if not isa(type_, MemRefType[Attribute]):
        return ""
    element = ELEMENT_NAMES.get(type_.element_type, str(type_.element_type))
    return " \u00d7 ".join(map(str, type_.get_shape())) + f" {element}"


def _places(program: ProgramOp) -> tuple[Place, ...]:
    calls = calls_of(program)
    outside = {op for op, *_ in program.output_allocations()}
    found = [
        Place(
            original_text(buffer.result.name_hint or call_name(calls[block.first])),
            buffer.offset.value.data,
            block.bytes,
            block.first,
            block.last,
        )
        for buffer, block in live_ranges(program).items()
        if buffer.offset is not None and buffer not in outside and calls
    ]
    found += [
        Place(
            f"scratch of {call_name(call)}",
            at.value.data,
            block.bytes,
            block.first,
            block.last,
            True,
        )
        for call, block in scratch_blocks(program).items()
        if (at := call.scratch) is not None and call not in outside
    ]
    return tuple(sorted(found, key=lambda place: (place.first, place.offset)))
