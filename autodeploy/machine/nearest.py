"""The preset that is most like a machine: by its instruction set, then by its caches."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2

from autodeploy.machine.machine import Machine


def nearest_preset(machine: Machine, names: Iterable[str]) -> str | None:
    """Return the preset of ``names`` that is most like a machine; ``None`` if none is.

    A preset is like a machine if it has the same architecture and the same vector registers. The
    preset with the fewest other instructions comes first, then that with the nearest cache sizes.
    """
    presets = [
        preset for preset in map(Machine.named, names) if _vectors(preset) == _vectors(machine)
    ]
    nearest = min(presets, key=lambda preset: _distance(preset, machine), default=None)
    return None if nearest is None else nearest.name


def _vectors(machine: Machine) -> tuple[str, str, int, int]:
    return machine.arch, machine.isa, machine.vector_bytes, machine.vector_registers


def _distance(preset: Machine, machine: Machine) -> tuple[bool, int, float, str]:
    features = {name for name in {*preset.features} ^ {*machine.features} if "tune_" not in name}
    caches = ((m.l1_bytes, m.l2_bytes, m.l3_bytes) for m in (preset, machine))
    sizes = sum(abs(log2((one + 1) / (other + 1))) for one, other in zip(*caches, strict=True))
    return preset.name != machine.name, len(features), sizes, preset.name
