"""The records that ship with presets: ``machine/records/<preset>.jsonl``.

Each kernel of such a file has two records: the trial of the config that the rules chose, and a
choice that was faster. The versions in them say where they come from, no more: a choice counts as
long as the rules choose what it was compared with, and its config is for the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine import Machine
from autodeploy.machine.nearest import nearest_preset
from autodeploy.records.best import KernelRecords
from autodeploy.records.record import parse_config
from autodeploy.records.record_file import parse_records

FOLDER = Path(__file__).parents[1] / "machine" / "records"


@dataclass(frozen=True)
class Shipped:
    """The records of the nearest preset that has some: its name, and records by signature."""

    preset: str = ""
    kernels: Mapping[str, KernelRecords] = field(default_factory=dict[str, KernelRecords])

    def config(self, kernel: str, rule: ConfigAttr) -> ConfigAttr | None:
        """Return what was faster for a kernel than a config that the rules choose, if it is known.

        The config may be none for this kernel, or less exact than the level allows.
        """
        found = self.kernels.get(kernel)
        if found is None or found.rule is None or found.best is None or found.best.by_rule:
            return None
        return found.best.parsed_config() if parse_config(found.rule.config) == rule else None


def shipped_for(machine: Machine) -> Shipped:
    """Return the records that ship with the preset nearest to a machine.

    They were measured with one thread: a machine with more cores has none, nor has a device.
    """
    if machine.cores > 1 or machine.device:
        return Shipped()
    preset = nearest_preset(machine, shipped_presets())
    return (
        Shipped() if preset is None else Shipped(preset, read_shipped(FOLDER / f"{preset}.jsonl"))
    )


def shipped_presets() -> list[str]:
    """Return the presets that have records."""
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


@cache
def read_shipped(path: Path) -> Mapping[str, KernelRecords]:
    """Return the records of a file by signature, without those that are damaged."""
    records, _ = parse_records(path.read_bytes())
    found: dict[str, KernelRecords] = {}
    for record in records:
        if record.kind != "merge":
            found.setdefault(record.kernel, KernelRecords()).records.append(record)
    return found
