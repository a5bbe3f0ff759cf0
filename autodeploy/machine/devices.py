"""Devices that run kernels: the interface of each kind, and the limits of a kernel there.

A machine has at most one: ``--machine host:device=opencl``. The numbers are what every device of
the kind offers; a program asks the device at hand when it starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from autodeploy.diagnostics import UserError, did_you_mean

DEVICE_ALIGNMENT = 512
"""Bytes to which buffers in the memory of a device are aligned: the most that one asks for."""


WARP = 32
"""Threads that a multiprocessor runs together."""

Api = Literal["opencl", "cuda", "webgpu"]
"""The interface of a device, and so the form of its kernels."""

APIS: tuple[Api, ...] = get_args(Api)

NEIGHBOURS = 4
"""Products of bytes that an instruction adds up."""


@dataclass(frozen=True)
class Device:
    """A kind of device.

    ``api`` is its interface, ``feature`` what Halide calls that. A block has ``threads`` at most, a
    grid ``blocks`` along each axis. Elements of buffers are of ``elements``, as MLIR spells types.
    A kernel takes ``buffers`` at most, which have none of ``not_in_memory``. A thread reads at most
    ``loads`` neighbours at once, and has registers for ``rows`` vectors of sums. ``dots`` are pairs
    of element types: one instruction adds up ``NEIGHBOURS`` products of such factors. ``products``
    are the types of factors that its tensor cores multiply. The device computes the ops ``inexact``
    with fewer digits than floats have. It has ``multiprocessors``, 0 if the kind does not say.
    """

    name: str
    api: Api
    feature: str
    threads: int
    blocks: int
    elements: frozenset[str]
    buffers: int = 128
    loads: int = 1
    rows: int = 8
    dots: frozenset[tuple[str, str]] = frozenset()
    products: frozenset[str] = frozenset()
    not_in_memory: frozenset[str] = frozenset()
    inexact: frozenset[str] = frozenset()
    multiprocessors: int = 0

    @property
    def wanted_threads(self) -> int:
        """Return the threads that hide the latency of memory: four warps a multiprocessor."""
        return 4 * WARP * self.multiprocessors


# Floats of 16 bits are held as integers, and computed with in 32 bits (expand-for-device).
_ELEMENTS = frozenset(
    {"f32", "f16", "bf16", "i64", "i32", "i16", "i8", "ui64", "ui32", "ui16", "ui8", "i1"}
)


# Unsigned weights are wider, less their zero points.
_BYTES = frozenset({("i8", "i8"), ("ui8", "i8")})


_AMPERE = 80
"""The first compute capability whose tensor cores multiply all of these types."""


def _cuda(name: str, capability: int, multiprocessors: int) -> Device:
    """Return a device of NVIDIA; kernels for a capability run on those of a higher one, too."""
    return Device(
        name,
        api="cuda",
        feature=f"cuda-cuda_capability_{capability}",
        threads=64,
        blocks=65535,
        elements=_ELEMENTS,
        loads=4,
        dots=_BYTES,  # dp4a
        products=frozenset({"tf32", "f16", "bf16"} if capability >= _AMPERE else ()),
        multiprocessors=multiprocessors,
    )


_CAPABILITIES = {
    75: (75, 40),  # T4
    80: (80, 108),  # A100
    86: (86, 28),  # GeForce RTX 3060
    87: (86, 16),  # Jetson AGX Orin
    89: (86, 58),  # L4
    90: (86, 132),  # H100
    100: (86, 148),  # B200
    120: (86, 70),  # GeForce RTX 5070 Ti
}
"""Compute capabilities of devices of NVIDIA: for each the latest that Halide 21 knows, and the
multiprocessors of a common device."""

# OpenCL 1.2: a full profile has 64-bit integers; floats of 64 bits are an extension.
_OPENCL = Device("opencl", "opencl", "opencl", threads=64, blocks=65535, elements=_ELEMENTS)

_VENDORS = {
    "adreno": (8, 0),
    "amd": (8, 32),  # Radeon RX 7600
    "intel": (8, 6),  # Iris Xe with 96 execution units
    "mali": (4, 4),  # Mali-G610 MP4
}
"""Vendors of GPUs by OpenCL: ``rows``, and the multiprocessors of a common device.

Guides advise loads of 128 bits: Qualcomm 80-NB295-11 (7.2.2: at most four components), Arm 101897
("Vectorize memory access"), Intel on OpenCL ("Loading and Storing Data in Greatest Chunks"). A
vector of sums takes 12 registers: for these, those of a run, and such a load. A thread has 64
registers on Mali (Arm 101574, 9.6), and 128 of 8 lanes on Xe (oneAPI GPU Optimization Guide).

Multiprocessors are compute units (ROCm, "AMD GPU specifications"), dual subslices of 16 execution
units (oneAPI GPU Optimization Guide), and shader cores (data sheet of Rockchip's RK3588). Qualcomm
does not publish them.
"""

DEVICES: Mapping[str, Device] = {
    "opencl": _OPENCL,
    **{
        f"opencl-{vendor}": replace(
            _OPENCL, name=f"opencl-{vendor}", loads=4, rows=rows, dots=_BYTES, multiprocessors=count
        )
        for vendor, (rows, count) in _VENDORS.items()
    },
    # The lowest capability that the drivers of CUDA 13 support.
    "cuda": _cuda("cuda", 75, 40),
    **{f"cuda-sm_{n}": _cuda(f"cuda-sm_{n}", *known) for n, known in _CAPABILITIES.items()},
    # The limits that the specification guarantees; WGSL has no type of 64, 16 or 8 bits.
    "webgpu": Device(
        "webgpu",
        api="webgpu",
        feature="webgpu",
        threads=64,
        blocks=65535,
        elements=frozenset({"f32", "i32", "ui32", "i1"}),
        buffers=8,
        not_in_memory=frozenset({"i1"}),
        # Sines and cosines may be off by 2^-11.
        inexact=frozenset({"nn.sin", "nn.cos"}),
    ),
}
"""The kinds of devices by name."""


def aligned_on_device(size: int) -> int:
    """Return the bytes that a buffer takes in the memory of a device."""
    return -(-size // DEVICE_ALIGNMENT) * DEVICE_ALIGNMENT


def read_device(key: str, text: str) -> str:
    """Return the name of a device; raises ``UserError`` if there is none of this name."""
    if text not in DEVICES:
        raise UserError(
            f"{key} is one of {', '.join(DEVICES)}, found '{text}'{did_you_mean(text, DEVICES)}"
        )
    return text
