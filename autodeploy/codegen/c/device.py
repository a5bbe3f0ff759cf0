"""The device of a program in C: blocks of its memory, and the starts of its kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from autodeploy.codegen.c.names import c_string
from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver import BufferOp, CallOp, ProgramOp, ViewOp, WeightOp, root_of
from autodeploy.dialects.halide.launch import LaunchAttr
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.start_numbers import KIND_BYTES, Extent, Kind, StartNumber, c_number
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.memref import memref_bytes
from autodeploy.dialects.nn.base import ints
from autodeploy.machine.devices import DEVICE_ALIGNMENT, Api, aligned_on_device


@dataclass(frozen=True)
class DeviceBlock:
    """A block of the device's memory: its C enumerator, and the arena or the weights around it."""

    label: str
    is_weight: bool
    offset: int
    bytes: int


@dataclass(frozen=True)
class DeviceStart:
    """A start of a kernel: its grid, and the numbers of the blocks of memory that it is given.

    A negative number in either, -1 - n, is number n of those that a run decides.
    """

    launch: LaunchAttr
    grid: tuple[int, ...]
    blocks: tuple[int, ...]


@dataclass(frozen=True)
class DeviceProgram:
    """The part of a program that is on a device.

    ``numbers`` are those of the blocks of values, ``starts`` all starts in order. A run are the
    starts of calls that follow each other; ``runs`` has the first start, and their count, by the
    call that it ends with. ``calls`` are all calls. ``run_numbers`` are those that a run decides,
    as expressions in C, and their types.

    In one of several programs, ``places`` are the numbers of the blocks in the merged one,
    ``first_number`` is that of the first number that a run decides (``merged_devices``).
    """

    api: Api
    blocks: tuple[DeviceBlock, ...]
    numbers: Mapping[SSAValue, int]
    starts: tuple[DeviceStart, ...]
    calls: frozenset[Operation]
    runs: Mapping[Operation, tuple[int, int]]
    arena_bytes: int
    run_numbers: tuple[tuple[str, Kind], ...] = ()
    places: tuple[int, ...] = ()
    first_number: int = 0


def merged_devices(
    devices: Sequence[DeviceProgram | None],
) -> tuple[DeviceProgram | None, list[DeviceProgram | None]]:
    """Return one program for a device that stands for several, and these as parts of it.

    The device prepares all starts. One of the programs computes in a run, so blocks of the arena
    may overlap; blocks with the same bytes are one. The merged program is ``None`` if all are.
    """
    blocks: dict[tuple[bool, int, int], DeviceBlock] = {}
    starts: list[DeviceStart] = []
    runs: dict[Operation, tuple[int, int]] = {}
    run_numbers: list[tuple[str, Kind]] = []
    parts: list[DeviceProgram | None] = []
    for device in devices:
        if device is None:
            parts.append(None)
            continue
        keys = [(block.is_weight, block.offset, block.bytes) for block in device.blocks]
        for key, block in zip(keys, device.blocks, strict=True):
            blocks.setdefault(key, block)
        numbers = {key: number for number, key in enumerate(blocks)}
        places = tuple(numbers[key] for key in keys)
        first, number = len(starts), len(run_numbers)
        own = {call: (first + start, count) for call, (start, count) in device.runs.items()}
        parts.append(replace(device, places=places, runs=own, first_number=number))
        starts += (
            DeviceStart(
                start.launch,
                tuple(n if n >= 0 else n - number for n in start.grid),
                tuple(places[n] if n >= 0 else n - number for n in start.blocks),
            )
            for start in device.starts
        )
        runs |= own
        run_numbers += device.run_numbers
    found = [device for device in devices if device is not None]
    if not found:
        return None, parts
    merged = DeviceProgram(
        found[0].api,
        tuple(blocks.values()),
        {},
        tuple(starts),
        frozenset(runs),
        runs,
        max(device.arena_bytes for device in found),
        tuple(run_numbers),
    )
    return merged, parts


def read_device(program: ProgramOp, labels: Mapping[SSAValue, str]) -> DeviceProgram | None:
    """Return what a planned program does on a device, ``None`` if it has none.

    Raises ``UserError`` if its memory is not planned, or a kernel is not compiled.
    """
    blocks: list[DeviceBlock] = []
    numbers: dict[SSAValue, int] = {}
    starts: list[DeviceStart] = []
    run_numbers: dict[tuple[str, Kind], int] = {}
    calls: set[Operation] = set()
    runs: dict[Operation, tuple[int, int]] = {}
    run: Operation | None = None
    pipelines = program.pipelines()
    module = program.parent_op()
    assert isinstance(module, ModuleOp)
    for op in program.body.block.ops:
        if isinstance(op, BufferOp | WeightOp) and op.on_device is not None:
            if op.offset is None:
                raise UserError(f"{op.name} has no offset; plan the memory first")
            numbers[op.result] = len(blocks)
            size = memref_bytes(op.result.type)
            is_weight = isinstance(op, WeightOp)
            label = f"DEVICE_{labels[op.result]}"
            blocks.append(DeviceBlock(label, is_weight, op.offset.value.data, size))
        elif isinstance(op, CallOp):
            pipeline = pipelines[op.callee.string_value()]
            if pipeline.on_device is None:
                run = None
                continue
            if pipeline.launches is None:
                raise UserError(f"kernel '{pipeline.sym_name.data}' is not compiled")
            given = [numbers[root_of(value)] for value in op.operands]
            place = 0 if op.scratch is None else op.scratch.value.data
            for size in () if pipeline.arrays is None else ints(pipeline.arrays):
                given.append(len(blocks))
                label = f"DEVICE_SCRATCH_{len(blocks)}"
                blocks.append(DeviceBlock(label, False, place, size))
                place += aligned_on_device(size)
            launches = pipeline.launches.data
            calls.add(op)
            first, count = (len(starts), 0) if run is None else runs.pop(run)
            runs[op] = first, count + len(launches)
            run = op
            extent = partial(_extent_text, program, pipeline)

            def place_of(number: StartNumber, text: Callable[[Extent], str] = extent) -> int:
                if isinstance(number, int):
                    return number
                return ~run_numbers.setdefault(c_number(number, text), len(run_numbers))

            for launch in launches:
                grid = tuple(map(place_of, launch.blocks))
                places = map(place_of, launch.arguments)
                named = tuple(place if place < 0 else given[place] for place in places)
                starts.append(DeviceStart(launch, grid, named))
        elif not isinstance(op, BufferOp | WeightOp | ViewOp):
            run = None
    if not blocks:
        return None
    size = 0 if program.device_arena_bytes is None else program.device_arena_bytes.value.data
    for block in blocks:
        if not block.is_weight and block.offset % DEVICE_ALIGNMENT:
            raise UserError(f"a block of the device is at byte {block.offset} of its arena")
        end = block.offset + block.bytes
        if not block.is_weight and end > size:
            raise UserError(f"a block ends at byte {end} of a device's arena of {size} bytes")
    api = machine_of(module).device_api
    return DeviceProgram(
        api, tuple(blocks), numbers, tuple(starts), frozenset(calls), runs, size, tuple(run_numbers)
    )


def _extent_text(program: ProgramOp, pipeline: PipelineOp, extent: Extent) -> str:
    """Return an open extent of a kernel's buffer in C."""
    buffer, dimension = extent
    growth = program.told(pipeline.open_axes[buffer][dimension])
    return f"(int64_t)({growth.text(lambda place: f'context->extents[{place}]')})"


def label_section(device: DeviceProgram | None) -> dict[str, str]:
    """Return the section of a program's template with the numbers of its blocks."""
    if device is None:
        return {}
    labels = [block.label for block in device.blocks]
    if device.places:
        labels = [f"{name} = {n}" for name, n in zip(labels, device.places, strict=True)]
    return {"device_labels": ",\n".join(f"    {label}" for label in labels)}


def device_sections(device: DeviceProgram | None, *, merged: bool = False) -> dict[str, str]:
    """Return the sections of the driver's template that are about the device.

    Labels of blocks are those of one program: a ``merged`` one has the numbers instead.
    """
    if device is None:
        return {}
    arguments: list[str] = []
    starts: list[str] = []
    for start in device.starts:
        launch = start.launch
        grid, block = (", ".join(map(str, numbers)) for numbers in (start.grid, launch.threads))
        starts.append(
            f"    {{{c_string(launch.entry.data)}, {{{grid}}}, {{{block}}}, {launch.shared.data}, "
            f"{len(arguments)}, {len(start.blocks)}}},"
        )
        arguments += [
            str(number) if number < 0 or merged else device.blocks[number].label
            for number in start.blocks
        ]
    return {
        "device_blocks": "\n".join(
            f"    {{{int(block.is_weight)}, {block.offset}, {block.bytes}}}, /* {block.label} */"
            for block in device.blocks
        ),
        "device_arguments": ",\n    ".join(arguments or ["0"]),
        "device_starts": "\n".join(starts or ['    {"", {1, 1, 1}, {1, 1, 1}, 0, 0, 0},']),
        "device_runs": ", ".join(str(first) for first, _ in device.runs.values()) or "0",
        "device_arena": str(device.arena_bytes),
        "device_number_count": str(len(device.run_numbers)),
        "device_numbers": ", ".join(str(KIND_BYTES[kind]) for _, kind in device.run_numbers) or "0",
    }


def kernel_lines(prefix: str, title: str, lines: Sequence[str]) -> str:
    """Return the C source with the text of the kernels, a string a line."""
    texts = "\n".join(f'    {c_string(line)[:-1]}\\n",' for line in lines)
    return (
        f"/* {title} The kernels of the device, a string a line. */\n"
        f"extern const char *const {prefix}_kernel_lines[];\n\n"
        f"const char *const {prefix}_kernel_lines[] = {{\n{texts}\n    0\n}};\n"
    )
