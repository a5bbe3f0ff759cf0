"""A kind of computer: instruction set, vector registers, caches, cores.

Schedules take their numbers from a ``Machine``, the emitters its Halide target. A machine is a
preset or the one at hand, with single settings replaced. Settings have one text form everywhere:
in ``--machine x86-64-avx2:l2=512K`` and in ``#machine.description<"x86-64-avx2", l2 = 512K>``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from autodeploy.diagnostics import UserError, did_you_mean
from autodeploy.machine.host import host_cache_bytes, host_target, usable_cores
from autodeploy.machine.presets import PRESETS

KERNEL_FEATURES = ("no_asserts", "no_bounds_query", "no_runtime", "user_context")
"""Halide target features of every kernel: its caller knows what it passes and brings a runtime."""


class Isa(NamedTuple):
    """What an instruction set offers: bytes of a vector register, and how many there are."""

    vector_bytes: int
    vector_registers: int


ISAS: Mapping[str, Isa] = {
    "scalar": Isa(8, 16),
    "sse2": Isa(16, 16),
    "sse41": Isa(16, 16),
    "avx": Isa(32, 16),
    "avx2": Isa(32, 16),
    "avx512": Isa(64, 32),
    "neon": Isa(16, 32),
    "neon32": Isa(16, 16),
    "rvv": Isa(16, 32),
    "simd128": Isa(16, 16),
}
"""Instruction sets by the name that a ``Machine`` gives them."""

_HALIDE_ARCH = {
    "x86_64": "x86-64",
    "aarch64": "arm-64",
    "arm": "arm-32",
    "riscv64": "riscv-64",
    "wasm32": "wasm-32",
}
_ARCH_OF_HALIDE = {halide: arch for arch, halide in _HALIDE_ARCH.items()}
_OBJECT_FORMATS = {
    "linux": "ELF", "osx": "Mach-O", "windows": "COFF", "android": "ELF", "ios": "Mach-O",
    "noos": "ELF", "wasmrt": "wasm",
}  # fmt: skip
"""What object files are, by operating system."""

TARGET_KEY = "target"
"""The setting that gives Halide's target string, of a machine that is no preset."""

OPERATING_SYSTEMS = tuple(_OBJECT_FORMATS)
ARCHITECTURES = tuple(_HALIDE_ARCH)


@dataclass(frozen=True)
class Machine:
    """One kind of computer.

    ``features`` are the Halide target features of the instruction set; ``vector_bytes`` and
    ``vector_registers`` describe one core's widest vectors, ``l1_bytes`` to ``l3_bytes`` the data
    caches that one core sees (0 for none), ``cores`` how many may be used.
    """

    name: str
    arch: str
    os: str
    isa: str
    features: tuple[str, ...]
    vector_bytes: int
    vector_registers: int
    l1_bytes: int = 32 << 10
    l2_bytes: int = 512 << 10
    l3_bytes: int = 0
    cores: int = 1

    @staticmethod
    def named(name: str) -> Machine:
        """Return a preset; raises ``UserError`` naming the candidates for any other name."""
        if name not in PRESETS:
            raise UserError(
                f"unknown machine '{name}'{did_you_mean(name, PRESETS)}; known are host, "
                f"{', '.join(PRESETS)}"
            )
        preset = PRESETS[name]
        caches = (size << 10 for size in (preset.l1, preset.l2, preset.l3))
        return Machine.of_target(name, preset.target, *caches)

    @staticmethod
    def of_target(
        name: str, target: str, l1: int = 32 << 10, l2: int = 512 << 10, l3: int = 0, cores: int = 1
    ) -> Machine:
        """Return the machine of a Halide target string; raises ``UserError`` as its parser does."""
        arch, system, features = parse_halide_target(target)
        isa = _isa_of(arch, features)
        return Machine(name, arch, system, isa, features, *ISAS[isa], l1, l2, l3, cores)

    @staticmethod
    def parse(text: str) -> Machine:
        """Return the machine of a text form: ``name`` or ``name:key=value:…``.

        ``name`` is a preset or ``host``; the keys are those of ``with_settings``. Raises
        ``UserError``, with the candidates.
        """
        name, *settings = text.strip().split(":")
        machine = Machine.host() if name == "host" else Machine.named(name)
        pairs = (setting.partition("=") for setting in settings)
        return machine.with_settings((key, value) for key, _, value in pairs)

    @staticmethod
    def host() -> Machine:
        """Return the machine that this runs on.

        The instruction set is what Halide finds, caches come from the system's own description,
        cores are those that this process may use. What cannot be read has a modest default.
        """
        machine = Machine.of_target("host", host_target(), cores=usable_cores())
        sizes = host_cache_bytes()
        return replace(
            machine,
            l1_bytes=sizes.get(1, machine.l1_bytes),
            l2_bytes=sizes.get(2, machine.l2_bytes),
            l3_bytes=sizes.get(3, machine.l3_bytes),
        )

    @staticmethod
    def described(name: str, settings: Mapping[str, str]) -> Machine:
        """Return the machine of a description that is complete: no ``host``, as that may change.

        ``name`` is a preset, or any name where ``target`` gives Halide's target string. Raises
        ``UserError``.
        """
        rest = dict(settings)
        target = rest.pop(TARGET_KEY, None)
        if target is None and name not in PRESETS:
            raise UserError(
                f"machine '{name}' is no preset{did_you_mean(name, PRESETS)}; any other has a "
                f"{TARGET_KEY}, and presets are {', '.join(PRESETS)}"
            )
        machine = Machine.named(name) if target is None else Machine.of_target(name, target)
        return machine.with_settings(rest.items())

    def with_settings(self, settings: Iterable[tuple[str, str]]) -> Machine:
        """Return this machine with values replaced.

        Keys are ``os``, ``cores``, ``l1``, ``l2`` and ``l3``, sizes in bytes or with K or M behind.
        Raises ``UserError``, with the candidates.
        """
        changes: dict[str, str | int] = {}
        for key, value in settings:
            if not value or key not in _SETTINGS:
                raise UserError(
                    f"unknown machine setting '{key}{value and '='}{value}'"
                    f"{did_you_mean(key, _SETTINGS)}; a setting is one of "
                    f"{', '.join(f'{k}=…' for k in _SETTINGS)}"
                )
            field, read = _SETTINGS[key]
            changes[field] = read(key, value)
        return replace(self, **changes)

    @property
    def settings(self) -> Iterator[tuple[str, str]]:
        """Yield what ``described`` takes besides the name: of a preset only what was replaced."""
        base = Machine.named(self.name) if self.name in PRESETS else None
        if base is None or (self.arch, self.features) != (base.arch, base.features):
            base = None
            yield TARGET_KEY, self.halide_target()
        for key, (field, _) in _SETTINGS.items():
            value = getattr(self, field)
            if value != getattr(base, field) if base else key != "os":
                yield key, _show(value)

    def obstacle(self, code: Machine) -> str | None:
        """Return what keeps object files for the machine ``code`` from running on this one.

        ``None`` where nothing known does. Instruction sets are compared on x86-64, where
        Halide asks the processor for all of them.
        """
        formats = [_OBJECT_FORMATS.get(machine.os) for machine in (code, self)]
        if code.arch != self.arch or formats[0] != formats[1]:
            return f"its kernels are for {code.platform}, this machine is {self.platform}"
        missing = [f for f in code.features if f not in (*self.features, *_tuning(code.features))]
        if self.arch == "x86_64" and missing:
            return f"its kernels take {', '.join(missing)}, which this machine lacks"
        return None

    @property
    def platform(self) -> str:
        """Return Halide's name of the architecture and the operating system."""
        return f"{_HALIDE_ARCH[self.arch]}-{self.os}"

    def halide_target(self, *features: str) -> str:
        """Return Halide's target string, with further ``features`` behind the machine's own."""
        return "-".join((self.platform, *self.features, *features))

    def kernel_target(self) -> str:
        """Return the Halide target string with which kernels are compiled."""
        return self.halide_target(*KERNEL_FEATURES)

    @property
    def memory_operands(self) -> bool:
        """Whether arithmetic takes one of its operands from memory, with no register for it."""
        return self.arch == "x86_64"

    @property
    def fetches_ahead(self) -> bool:
        """Tell whether kernels can fetch a line to the second-level cache before it is needed.

        Halide's prefetch is made to do that on x86 (``codegen/halide/prefetch_hint.py``).
        """
        return self.arch == "x86_64"

    @property
    def line_bytes(self) -> int:
        """Return the bytes of a line of the caches, which one prefetch fetches."""
        return 64

    def lanes(self, element_bytes: int) -> int:
        """Return how many elements of ``element_bytes`` one vector register holds, at least 1."""
        return max(1, self.vector_bytes // element_bytes)

    def __str__(self) -> str:
        if self.name not in PRESETS:
            return self.name
        return ":".join((self.name, *(f"{key}={value}" for key, value in self.settings)))


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


def _tuning(features: tuple[str, ...]) -> list[str]:
    """Return the features that change which instructions are preferred, not which there are."""
    return [feature for feature in features if feature.startswith("tune_")]


def _isa_of(arch: str, features: tuple[str, ...]) -> str:
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


def _size(key: str, text: str) -> int:
    match = re.fullmatch(r"(\d+)([kKmM]?)", text)
    if match is None:
        raise UserError(f"{key} is a number of bytes, or one with K or M behind, found '{text}'")
    return int(match[1]) << {"": 0, "k": 10, "m": 20}[match[2].lower()]


def _show(value: str | int) -> str:
    if isinstance(value, str) or value % 1024 or not value:
        return str(value)
    return f"{value >> 20}M" if value % (1 << 20) == 0 else f"{value >> 10}K"


def _count(key: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise UserError(f"{key} is a number from 1 on, found '{text}'")
    return int(text)


def _system(key: str, text: str) -> str:
    if text not in OPERATING_SYSTEMS:
        raise UserError(
            f"{key} is one of {', '.join(OPERATING_SYSTEMS)}, found '{text}'"
            f"{did_you_mean(text, OPERATING_SYSTEMS)}"
        )
    return text


_SETTINGS: Mapping[str, tuple[str, Callable[[str, str], str | int]]] = {
    "os": ("os", _system),
    "cores": ("cores", _count),
    "l1": ("l1_bytes", _size),
    "l2": ("l2_bytes", _size),
    "l3": ("l3_bytes", _size),
}
