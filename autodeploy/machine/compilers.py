"""The C compilers of machines: their names, and how one is recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Compiler(NamedTuple):
    """A C compiler for a machine as most systems name it, and the archiver that goes with it."""

    command: str
    archiver: str


_COMPILERS: Mapping[tuple[str, str], Compiler] = {
    **{
        (arch, system): Compiler(f"{prefix}-gcc", f"{prefix}-ar")
        for arch, system, prefix in (
            ("x86_64", "linux", "x86_64-linux-gnu"),
            ("aarch64", "linux", "aarch64-linux-gnu"),
            ("arm", "linux", "arm-linux-gnueabihf"),
            ("riscv64", "linux", "riscv64-linux-gnu"),
            ("x86_64", "windows", "x86_64-w64-mingw32"),
            ("aarch64", "windows", "aarch64-w64-mingw32"),
            ("arm", "noos", "arm-none-eabi"),
            ("riscv64", "noos", "riscv64-unknown-elf"),
        )
    },
    ("wasm32", "wasmrt"): Compiler("clang --target=wasm32-wasi", "llvm-ar"),
    ("x86_64", "osx"): Compiler("clang --target=x86_64-apple-macos", "llvm-ar"),
    ("aarch64", "osx"): Compiler("clang --target=arm64-apple-macos", "llvm-ar"),
}

_ARCHITECTURES: Mapping[str, tuple[str, ...]] = {
    "x86_64": ("x86_64", "amd64"),
    "aarch64": ("aarch64", "arm64"),
    "arm": ("arm%", "thumb%"),
    "riscv64": ("riscv64%",),
    "wasm32": ("wasm32%",),
}
_SYSTEMS: Mapping[str, tuple[str, ...]] = {
    "linux": ("linux%",),
    "android": ("linux%", "android%"),
    "osx": ("darwin%", "macos%"),
    "ios": ("darwin%", "ios%"),
    "windows": ("mingw%", "windows%", "cygwin%"),
}
"""Words by system: ``-dumpmachine`` prints one of them; ``%`` matches any text."""


def compiler_of(arch: str, system: str) -> Compiler | None:
    """Return the compiler for a machine, ``None`` if none has a common name."""
    return _COMPILERS.get((arch, system))


_CPU_FLAGS: Mapping[str, tuple[str, ...]] = {
    "cortex-m3": ("-mcpu=cortex-m3", "-mthumb", "-mfloat-abi=soft"),
    "cortex-m4": ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"),
    "cortex-m7": ("-mcpu=cortex-m7", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"),
}


def flags_of(cpu: str) -> tuple[str, ...]:
    """Return the options by which GCC and Clang compile for a processor; none for others.

    The unit for floats is the smallest that is sold with it: of 32 bits, none in a Cortex-M3.
    """
    return _CPU_FLAGS.get(cpu, ())


_X86_FLAGS = ("sse4.1", "avx", "f16c", "fma", "avx2")
_AVX512_FLAGS = ("avx512f", "avx512cd", "avx512dq", "avx512bw", "avx512vl")


def vector_flags(arch: str, isa: str, x86_sets: Sequence[str]) -> tuple[str, ...]:
    """Return the options by which GCC and Clang use the vectors of a machine in kernels as source.

    ``x86_sets`` are the instruction sets of an x86-64; those that no kernel as source uses are not
    named, as older compilers do not know them. There are no options if a compiler uses the vectors
    of the machine by itself, or if programs of others could not run then."""
    if arch == "x86_64":
        return tuple(f"-m{name}" for name in (*_X86_FLAGS, *_AVX512_FLAGS) if name in x86_sets)
    return {"neon32": ("-mfpu=neon",), "simd128": ("-msimd128",)}.get(isa, ())


def words_of(arch: str, system: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return by which words of ``-dumpmachine`` a compiler for a machine is known.

    The tests of the architecture are first, those of the system follow; a system without a test is
    not asked for.
    """
    return _ARCHITECTURES[arch], _SYSTEMS.get(system, ())
