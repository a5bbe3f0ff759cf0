"""A kind of computer: instruction set, vector registers, caches, cores.

Schedules take their numbers from a ``Machine``, the emitters its Halide target. A machine is a
preset or the one at hand, with single settings replaced. Settings have one text form everywhere:
in ``--machine x86-64-avx2:l2=512K`` and in ``#machine.description<"x86-64-avx2", l2 = 512K>``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autodeploy.diagnostics import UserError, did_you_mean
from autodeploy.machine.compilers import Compiler, compiler_of, flags_of, vector_flags
from autodeploy.machine.costs import CostModel
from autodeploy.machine.devices import DEVICES, Api
from autodeploy.machine.files import SUFFIX, read_description
from autodeploy.machine.host import host_cache_bytes, host_target, offers_amx, usable_cores
from autodeploy.machine.presets import PRESETS
from autodeploy.machine.settings import SETTINGS, Value, check_setting, setting_text
from autodeploy.machine.targets import (
    AMX_RATES,
    AMX_SETS,
    BFLOAT16_RATES,
    DOTS,
    FMA_RATES,
    HALIDE_ARCH,
    ISAS,
    KERNEL_FEATURES,
    OBJECT_FORMATS,
    PORTABLE,
    PORTABLE_TARGET,
    X86_SETS,
    isa_of,
    parse_halide_target,
)

HOST = "host"
"""The name of the machine that this runs on."""

CORE_REGISTERS = 12
"""A core's registers for integers; it has 16, and some hold addresses. On a Cortex-M7, networks of
codes take 22 to 26 % fewer instructions than with tiles for 32 registers, and up to 8 % fewer than
with 11 or 13."""

TARGET_KEY = "target"
"""The setting that gives Halide's target string, of a machine that is no preset."""


@dataclass(frozen=True)
class Machine:
    """One kind of computer.

    ``features`` are the Halide target features of the instruction set; ``vector_bytes`` and
    ``vector_registers`` describe one core's widest vectors, ``l1_bytes`` to ``l3_bytes`` the data
    caches that one core sees (0 for none), ``cores`` how many may be used, ``costs`` what takes how
    long there. ``cpu`` is the processor, of presets that are for one. ``device`` is the kind of
    device that kernels run on where one can (``machine/devices.py``).
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
    costs: CostModel = field(default_factory=CostModel)
    cpu: str = ""
    device: str = ""

    @property
    def fuses(self) -> bool:
        """Whether vectors are multiplied and added in one instruction, which rounds once."""
        return "fma" in self.features or self.isa in ("neon", "rvv")

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
        machine = Machine.of_target(name, preset.target, *caches)
        registers = preset.registers or machine.vector_registers
        return replace(machine, cpu=preset.cpu, vector_registers=registers)

    @staticmethod
    def of_target(
        name: str, target: str, l1: int = 32 << 10, l2: int = 512 << 10, l3: int = 0, cores: int = 1
    ) -> Machine:
        """Return the machine of a Halide target string; raises ``UserError`` as its parser does."""
        arch, system, features = parse_halide_target(target)
        isa = isa_of(arch, features)
        amx = _rate(AMX_RATES, features) if system == "linux" else 1.0
        costs = CostModel(bfloat16_rate=_rate(BFLOAT16_RATES, features), amx_rate=amx)
        started = (rate for feature, rate in FMA_RATES.items() if feature in features)
        costs = replace(costs, fma_per_cycle=next(started, costs.fma_per_cycle))
        if system == "wasmrt":
            costs = replace(costs, download_bytes_per_cycle=1.0)
        return Machine(name, arch, system, isa, features, *ISAS[isa], l1, l2, l3, cores, costs)

    @staticmethod
    def parse(text: str) -> Machine:
        """Return the machine of a text form: ``name`` or ``name:key=value:…``.

        ``name`` is a preset, ``host``, or a file that describes a machine (``*.toml``); the keys
        are those of ``with_settings``. Raises ``UserError``, with the candidates.
        """
        name, *settings = text.strip().split(":")
        if name.endswith(SUFFIX):
            machine = Machine.of_file(Path(name))
        else:
            machine = Machine.host() if name == HOST else Machine.named(name)
        pairs = (setting.partition("=") for setting in settings)
        return machine.with_settings((key, value) for key, _, value in pairs)

    @staticmethod
    def host() -> Machine:
        """Return the machine that this runs on.

        The instruction set is what Halide finds and the system offers, caches come from the
        system's own description, cores are those that this process may use. Unreadable values have
        a modest default.
        """
        machine = Machine.of_target(HOST, host_target(), cores=usable_cores())
        sizes = host_cache_bytes()
        costs = machine.costs if offers_amx() else replace(machine.costs, amx_rate=1.0)
        return replace(
            machine,
            costs=costs,
            l1_bytes=sizes.get(1, machine.l1_bytes),
            l2_bytes=sizes.get(2, machine.l2_bytes),
            l3_bytes=sizes.get(3, machine.l3_bytes),
        )

    @staticmethod
    def of_file(path: Path) -> Machine:
        """Return the machine that a file describes; raises ``UserError`` for any other file."""
        name, settings = read_description(path)
        try:
            return Machine.described(name, settings)
        except UserError as error:
            raise UserError(f"machine file '{path}': {error}") from None

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

        Keys are ``os``, ``cores``, ``l1``, ``l2`` and ``l3``, sizes in bytes or with the suffix K
        or M, and the numbers of the ``CostModel``. Raises ``UserError``, with the candidates."""
        changes: dict[bool, dict[str, Any]] = {False: {}, True: {}}
        for key, text in settings:
            setting = check_setting(key, text)
            changes[setting.of_costs][setting.field] = setting.read(key, text)
        changed = replace(self, **changes[False], costs=replace(self.costs, **changes[True]))
        if changed.device and (reason := changed._no_device()) is not None:
            raise UserError(reason)
        return changed

    def _no_device(self) -> str | None:
        """Return why the machine cannot have its device, ``None`` if it can."""
        if self.is_page and self.os != "wasmrt":
            page = "wasm32-simd128:device=webgpu"
            return f"device=webgpu is for a page, machine '{page}', not for '{self.platform}'"
        if not self.is_page and not self.has_libraries:
            return f"'{self.platform}' has no libraries, and so no device"
        return None

    @property
    def settings(self) -> Iterator[tuple[str, str]]:
        """Yield what ``described`` takes besides the name.

        A preset yields what was replaced, this machine what differs from the default of its kind,
        any other machine all there is.
        """
        base = self._base()
        if base is None:
            yield from self.all_settings
            return
        if self.name == HOST:
            yield TARGET_KEY, self.halide_target()
        for key in SETTINGS:
            if self._value(key) != base._value(key):
                yield key, setting_text(self._value(key))

    @property
    def all_settings(self) -> Iterator[tuple[str, str]]:
        """Yield Halide's target string, which names the system, and all other settings."""
        yield TARGET_KEY, self.halide_target()
        for key in SETTINGS:
            if key != "os" and (key != "device" or self.device):
                yield key, setting_text(self._value(key))

    def _base(self) -> Machine | None:
        """Return the machine from which one of this name differs by settings."""
        if self.name == HOST:
            return Machine.of_target(HOST, self.halide_target())
        base = Machine.named(self.name) if self.name in PRESETS else None
        same = base is not None and (self.arch, self.features) == (base.arch, base.features)
        return base if same else None

    def _value(self, key: str) -> Value:
        setting = SETTINGS[key]
        return getattr(self.costs if setting.of_costs else self, setting.field)

    def obstacle(self, code: Machine) -> str | None:
        """Return what keeps object files for the machine ``code`` from running on this one.

        ``None`` if nothing known does. Instruction sets are compared on x86-64, where
        Halide asks the processor for all of them.
        """
        formats = [OBJECT_FORMATS.get(machine.os) for machine in (code, self)]
        if code.arch != self.arch or formats[0] != formats[1]:
            return f"its kernels are for {code.platform}, this machine is {self.platform}"
        missing = [f for f in code.features if f not in (*self.features, *_tuning(code.features))]
        if self.arch == "x86_64" and missing:
            return f"its kernels take {', '.join(missing)}, which this machine lacks"
        if code.costs.amx_rate > 1 >= self.costs.amx_rate:
            return "its kernels take tile registers (AMX), which this machine lacks"
        return None

    @property
    def compiler(self) -> Compiler | None:
        """Return the C compiler for this machine, ``None`` if none has a common name."""
        return compiler_of(self.arch, self.os)

    @property
    def x86_sets(self) -> tuple[str, ...]:
        """Return the instruction sets that kernels may use besides the basics of x86-64."""
        if self.arch != "x86_64":
            return ()
        sets = (name for key in X86_SETS if key in self.features for name in X86_SETS[key])
        return (*sets, *(AMX_SETS if self.costs.amx_rate > 1 else ()))

    @property
    def has_threads(self) -> bool:
        """Return whether programs for this machine can start threads."""
        return self.os not in ("noos", "wasmrt") and self.arch != PORTABLE

    @property
    def platform(self) -> str:
        """Return Halide's name of the architecture and the operating system."""
        return f"{HALIDE_ARCH[self.arch]}-{self.os}"

    def halide_target(self, *features: str) -> str:
        """Return Halide's target string, with further ``features`` after the machine's own."""
        return "-".join((self.platform, *self.features, *features))

    def kernel_target(self) -> str:
        """Return the Halide target string with which kernels are compiled.

        Source of a machine of no architecture is written for one without vectors.
        """
        if self.arch == PORTABLE:
            return "-".join((PORTABLE_TARGET, *KERNEL_FEATURES))
        return self.halide_target(*KERNEL_FEATURES)

    def device_target(self) -> str:
        """Return the Halide target string of kernels on the device; raises ``KeyError`` without."""
        return "-".join((self.platform, DEVICES[self.device].feature, *KERNEL_FEATURES))

    @property
    def device_api(self) -> Api:
        """Return the interface of the device; raises ``KeyError`` without one."""
        return DEVICES[self.device].api

    @property
    def is_page(self) -> bool:
        """Return whether programs run in a page of a browser, on its device."""
        return bool(self.device) and self.device_api == "webgpu"

    @property
    def has_libraries(self) -> bool:
        """Return whether a program can open a library when it starts, such as that of a device."""
        return self.has_threads

    @property
    def has_system(self) -> bool:
        """Return whether there is an operating system: files, and a heap."""
        return self.os != "noos"

    @property
    def compiler_flags(self) -> tuple[str, ...]:
        """Return the options of a C compiler that name the processor, where they are known."""
        return flags_of(self.cpu)

    @property
    def vector_flags(self) -> tuple[str, ...]:
        """Return the options of a C++ compiler for the instruction sets that kernels may use."""
        return vector_flags(self.arch, self.isa, self.x86_sets)

    @property
    def has_vectors(self) -> bool:
        """Return whether the machine has vector registers; one without has kernels in C99."""
        return self.isa != "scalar"

    def for_integers(self) -> Machine:
        """Return the machine with the registers that hold integers: without vectors, the core's."""
        if self.has_vectors:
            return self
        return replace(self, vector_registers=min(self.vector_registers, CORE_REGISTERS))

    @property
    def has_objects(self) -> bool:
        """Return whether kernels can be object files: whether Halide knows the architecture.

        It knows the 32-bit ARM of computers, not that of microcontrollers.
        """
        is_microcontroller = (self.arch, self.os) == ("arm", "noos") and not self.has_vectors
        return self.arch != PORTABLE and not is_microcontroller

    def dot(self, lhs: str, rhs: str) -> int:
        """Return how many products of neighbours one instruction adds up; 1 where there is none.

        ``lhs`` and ``rhs`` are element types as MLIR spells them.
        """
        names = (self.arch, self.cpu, *self.features)
        return max(DOTS.get(name, {}).get((lhs, rhs), 1) for name in names)

    @property
    def adds_byte_pairs(self) -> bool:
        """Whether an instruction adds two products of ui8 and i8 to 16 bits, and saturates."""
        return "avx2" in self.features

    @property
    def converts_f16(self) -> bool:
        """Whether an instruction converts vectors of float16 to float32 and back."""
        return "f16c" in self.features or self.arch == "aarch64"

    @property
    def memory_operands(self) -> bool:
        """Whether arithmetic takes one of its operands from memory, with no register for it."""
        return self.arch == "x86_64"

    @property
    def fetches_ahead(self) -> bool:
        """Return whether kernels can fetch a line to the second-level cache before it is needed.

        Halide's prefetch is made to do that on x86 (``codegen/halide/prefetch_hint.py``).
        """
        return self.arch == "x86_64"

    @property
    def line_bytes(self) -> int:
        """Return the bytes of a line of the caches, which one prefetch fetches."""
        return 64

    @property
    def resident_bytes(self) -> int:
        """Return the most bytes that stay in L2, besides other data that are read and written."""
        return self.l2_bytes // 2

    def lanes(self, element_bytes: int) -> int:
        """Return how many elements of ``element_bytes`` one vector register holds, at least 1."""
        return max(1, self.vector_bytes // element_bytes)

    def __str__(self) -> str:
        if self.name not in PRESETS:
            return f"{self.name}:device={self.device}" if self.device else self.name
        return ":".join((self.name, *(f"{key}={value}" for key, value in self.settings)))


def _rate(rates: Mapping[str, float], features: Iterable[str]) -> float:
    """Return the rate of an instruction that some features bring, relative to those without it."""
    return max((rates[feature] for feature in features if feature in rates), default=1.0)


def _tuning(features: tuple[str, ...]) -> list[str]:
    """Return the features that change which instructions are preferred, not which there are."""
    return [feature for feature in features if feature.startswith("tune_")]
