"""The kernel of a candidate on a device, as C: its text, memory and starts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from autodeploy.codegen.c.device import (
    DeviceBlock,
    DeviceProgram,
    DeviceStart,
    device_sections,
    kernel_lines,
    label_section,
)
from autodeploy.codegen.c.template import fill_text
from autodeploy.codegen.halide.device_code import DeviceCode, program_lines
from autodeploy.dialects.halide.launch import LaunchAttr
from autodeploy.machine.devices import Api, aligned_on_device

_PREFIX = "candidate"

_SOURCE = """\
#include "autodeploy_device.h"

@part device_labels@

@part device@

extern const autodeploy_device_program *const model_device;

const autodeploy_device_program *const model_device = &device_program;
"""


def device_source(api: Api, call: Operation, code: DeviceCode, sizes: Sequence[int]) -> str:
    """Return C that defines ``candidate_device`` for ``measure_device.c``.

    ``code`` is that of the kernel of ``call``, whose shapes are constant. ``sizes`` are the bytes
    of its buffers, which are the first blocks of memory.
    """
    blocks: list[DeviceBlock] = []
    place = 0
    for number, size in enumerate((*sizes, *code.arrays)):
        blocks.append(DeviceBlock(f"DEVICE_{number}", False, place, size))
        place += aligned_on_device(size)
    starts = [
        DeviceStart(
            LaunchAttr(one.entry, one.grid, one.block, one.shared, one.args),
            tuple(map(int, one.grid)),
            tuple(map(int, one.args)),
        )
        for one in code.launches
    ]
    runs = {call: (0, len(starts))}
    program = DeviceProgram(api, tuple(blocks), {}, tuple(starts), frozenset(runs), runs, place)
    sections = {**label_section(program), **device_sections(program)}
    text = fill_text(_SOURCE, _PREFIX, sections, set())
    return text + "\n" + kernel_lines(_PREFIX, "A candidate.", program_lines([code]))
