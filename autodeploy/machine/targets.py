"""Instruction sets and systems, and Halide's target strings, which name both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from autodeploy.diagnostics import UserError

KERNEL_FEATURES = ("no_asserts", "no_bounds_query", "no_runtime", "user_context")
"""Halide target features of every kernel: its caller knows what it passes and brings a runtime."""


class Isa(NamedTuple):
    """The vector registers of an instruction set: their bytes, and their number for a tile."""

    vector_bytes: int
    vector_registers: int


ISAS: Mapping[str, Isa] = {
    "scalar": Isa(1, 16),
    "sse2": Isa(16, 16),
    "sse41": Isa(16, 16),
    "avx": Isa(32, 16),
    "avx2": Isa(32, 16),
    "avx512": Isa(64, 32),
    "neon": Isa(16, 32),
    "neon32": Isa(16, 16),
    "rvv": Isa(16, 32),
    "simd128": Isa(16, 12),
}
"""Instruction sets by the name that a ``Machine`` gives them; ``scalar`` has no vectors.

WebAssembly sets no number of registers; a browser has those of the processor. On x86-64 there are
16, and V8 needs some for itself and for products that are not yet added to a sum. In Chromium on a
Zen 3, MobileNetV2 takes 31 % less time with tiles for 12 than for 16, 7 % less than for 13, and 3 %
less than for 11.
"""

X86_SETS: Mapping[str, tuple[str, ...]] = {
    "sse41": ("sse4.1",),
    "avx": ("avx",),
    "f16c": ("f16c",),
    "fma": ("fma",),
    "avx2": ("avx2",),
    "avx512": ("avx512f", "avx512cd"),
    "avx512_skylake": ("avx512dq", "avx512bw", "avx512vl"),
    "avx512_cannonlake": ("avx512ifma", "avx512vbmi"),
    "avx512_zen4": (
        "avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "avx512bf16", "sse4a",
    ),
    "avx512_sapphirerapids": (
        "avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "avx512bf16", "avxvnni",
    ),
}  # fmt: skip
"""The instruction sets of x86-64 that a feature of Halide adds, as ``autodeploy_cpu.h`` names
them."""

AMX_SETS = ("amx-tile", "amx-int8", "amx-bf16")
"""The instruction sets of tile registers, whose use a process asks the system for."""

_PAIRS: Mapping[tuple[str, str], int] = {
    (lhs, rhs): 2 for lhs in ("ui8", "i8", "i16") for rhs in ("i8", "i16")
}
_WIDENED_PAIRS: Mapping[tuple[str, str], int] = {("ui8", "i8"): 4, ("i8", "i8"): 4}
_VNNI: Mapping[tuple[str, str], int] = {("ui8", "i8"): 4, ("bf16", "bf16"): 2}

DOTS: Mapping[str, Mapping[tuple[str, str], int]] = {
    "x86_64": _PAIRS,
    "arm_dot_prod": {("i8", "i8"): 4},
    "cortex-m4": _WIDENED_PAIRS,
    "cortex-m7": _WIDENED_PAIRS,
    "avx512_zen4": _VNNI,
    "avx512_sapphirerapids": _VNNI,
}
"""How many products of neighbours an instruction adds up to 32 bits, by the element types of the
two factors, for each architecture and feature that has one. None of them saturates on the way."""

BFLOAT16_RATES: Mapping[str, float] = {"avx512_zen4": 2.0, "avx512_sapphirerapids": 0.5}
"""Products of bfloat16 in the time of a product of 32-bit floats, by feature, as measured."""

PORTABLE = "portable"
"""The architecture of a machine of which nothing is known but that it has a C compiler."""

PORTABLE_TARGET = "arm-32-noos-no_neon"
"""A target of Halide's that has no vectors, for which it writes source that is for any machine."""

HALIDE_ARCH = {
    "x86_64": "x86-64",
    "aarch64": "arm-64",
    "arm": "arm-32",
    "riscv64": "riscv-64",
    "wasm32": "wasm-32",
    PORTABLE: "portable-c",
}
_ARCH_OF_HALIDE = {halide: arch for arch, halide in HALIDE_ARCH.items()}
OBJECT_FORMATS = {
    "linux": "ELF", "osx": "Mach-O", "windows": "COFF", "android": "ELF", "ios": "Mach-O",
    "noos": "ELF", "wasmrt": "wasm",
}  # fmt: skip
"""The format of object files, by operating system."""

OPERATING_SYSTEMS = tuple(OBJECT_FORMATS)
ARCHITECTURES = tuple(HALIDE_ARCH)


FMA_RATES: Mapping[str, float] = {"avx512_zen5": 2.0, "avx512_zen4": 1.0}
"""Multiply-adds of vectors that a core starts in a cycle (``CostModel.fma_per_cycle``), by feature,
the newest first. A Zen 4 computes vectors of 512 bits in halves (Software Optimization Guide for
the AMD Zen 4 Microarchitecture, 57647)."""

AMX_RATES: Mapping[str, float] = {"avx512_sapphirerapids": 4.0}
"""That of products in tile registers, relative to those in vectors (``CostModel.amx_rate``)."""


def parse_halide_target(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Split a Halide target string into architecture, operating system and features.

    Raises ``UserError`` for an architecture or an operating system that no ``Machine`` has.
    """
    parts = text.split("-")
    arch = _ARCH_OF_HALIDE.get("-".join(parts[:2]))
    if arch is None or len(parts) < 3 or parts[2] not in OPERATING_SYSTEMS:
        raise UserError(
            f"no machine for Halide target '{text}'; architectures are "
            f"{', '.join(_ARCH_OF_HALIDE)}, systems {', '.join(OPERATING_SYSTEMS)}"
        )
    return arch, parts[2], tuple(parts[3:])


def isa_of(arch: str, features: tuple[str, ...]) -> str:
    """Return the name of the instruction set with these features."""
    if arch == "x86_64":
        if "avx512_skylake" in features:
            return "avx512"
        return next((isa for isa in ("avx2", "avx", "sse41") if isa in features), "sse2")
    if arch == "aarch64":
        return "neon"
    if arch == "arm":
        return "scalar" if "no_neon" in features else "neon32"
    if arch == "riscv64":
        return "rvv" if "rvv" in features else "scalar"
    return "simd128" if "wasm_simd128" in features else "scalar"
