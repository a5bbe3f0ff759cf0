"""The kernels of a device as Halide writes them: their text, and their starts by the host.

Halide writes the text of a device's kernels as one file, and the host's half of a kernel into the
lowered program. The language of the text is that of the interface of the device.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autodeploy.codegen.halide.device_starts import Launch, read_starts, unknown
from autodeploy.machine.devices import Api

PART = "_part"
"""Is between the name of a kernel and the number of one of several functions for it."""


@dataclass(frozen=True)
class DeviceCode:
    """The text of the kernels that a pipeline becomes, their starts, and the bytes of arrays.

    ``preamble`` are the parts that the kernels of all pipelines share.
    """

    preamble: tuple[str, ...]
    source: str
    launches: tuple[Launch, ...]
    arrays: tuple[int, ...]


def program_lines(codes: Sequence[DeviceCode]) -> list[str]:
    """Return the lines of a program of all these kernels."""
    shared = "".join(dict.fromkeys(part for code in codes for part in code.preamble))
    return (shared + "".join(code.source for code in codes)).splitlines()


def device_code(
    api: Api,
    source: bytes,
    lowered: str,
    kernel: str,
    symbol: str,
    buffers: Sequence[str],
    *,
    strict: bool,
) -> DeviceCode:
    """Return the code of a kernel whose functions on the device begin with ``symbol``.

    ``source`` is Halide's ``device_code``, ``lowered`` its ``stmt``; ``buffers`` are Halide's names
    of the buffers. With ``strict`` floats are computed as IEEE 754 says. Raises ``ToolchainError``
    naming the ``kernel`` where they are not as Halide 21 writes them.
    """
    from autodeploy.codegen.halide.opencl_text import opencl_text
    from autodeploy.codegen.halide.ptx_text import ptx_text
    from autodeploy.codegen.halide.wgsl_text import wgsl_text

    # The name of a function is before a bracket where it is defined, and nowhere else.
    texts = {"opencl": opencl_text, "cuda": ptx_text, "webgpu": wgsl_text}
    preamble, body = texts[api](source.decode("latin1").rstrip("\0"), kernel, strict=strict)
    launches, arrays = read_starts(lowered, kernel, buffers)
    renamed: list[Launch] = []
    for number, launch in enumerate(launches):
        entry = symbol if len(launches) == 1 else f"{symbol}{PART}{number}"
        body, count = re.subn(rf"\b{re.escape(launch.entry)}\b(?=\()", entry, body)
        if count != 1:
            raise unknown(kernel, f"'{launch.entry}' is not there once")
        renamed.append(replace(launch, entry=entry))
    return DeviceCode(preamble, body, tuple(renamed), arrays)
