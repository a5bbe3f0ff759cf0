"""The machines that have a name: Halide's target string of each, and caches.

Caches are those of a common core of the kind; one core, to be replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Preset(NamedTuple):
    """A machine: Halide's target string, KiB of the data caches (0 for none).

    ``cpu`` is the processor that compilers are told, ``registers`` how many there are for numbers
    where that does not follow from the target (0: it does).
    """

    target: str
    l1: int
    l2: int
    l3: int = 0
    cpu: str = ""
    registers: int = 0


PRESETS: Mapping[str, Preset] = {
    "x86-64": Preset("x86-64-linux", 32, 256, 8192),
    "x86-64-sse41": Preset("x86-64-linux-sse41", 32, 256, 8192),
    "x86-64-avx2": Preset("x86-64-linux-avx-avx2-f16c-fma-sse41", 32, 512, 16384),
    "x86-64-avx512": Preset(
        "x86-64-linux-avx-avx2-avx512-avx512_skylake-f16c-fma-sse41", 32, 1024, 16384
    ),
    "x86-64-zen4": Preset(
        "x86-64-linux-avx-avx2-avx512-avx512_cannonlake-avx512_skylake-avx512_zen4-f16c-fma-sse41",
        32,
        1024,
        16384,
    ),
    "x86-64-sapphirerapids": Preset(
        "x86-64-linux-avx-avx2-avx512-avx512_cannonlake-avx512_sapphirerapids-avx512_skylake-f16c-"
        "fma-sse41",
        48,
        2048,
        16384,
    ),
    "aarch64-neon": Preset("arm-64-linux", 32, 512, 2048),
    "aarch64-neon-dotprod": Preset("arm-64-linux-arm_dot_prod-arm_fp16", 64, 512, 4096),
    "arm-neon": Preset("arm-32-linux", 32, 512),
    "riscv64-rvv128": Preset("riscv-64-linux-rvv-vector_bits_128", 32, 512),
    "wasm32-simd128": Preset("wasm-32-wasmrt-wasm_simd128", 32, 256),
    "scalar": Preset("portable-c-linux", 32, 256),
    "cortex-m3": Preset("arm-32-noos-no_neon", 16, 256, cpu="cortex-m3"),
    "cortex-m4": Preset("arm-32-noos-no_neon", 16, 256, cpu="cortex-m4", registers=32),
    "cortex-m7": Preset("arm-32-noos-no_neon", 16, 256, cpu="cortex-m7", registers=32),
}
