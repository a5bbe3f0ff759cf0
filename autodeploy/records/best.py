"""Which record of a kernel is to be used, and which are those of another machine or version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from autodeploy.records.record import Record, current_versions


@dataclass
class KernelRecords:
    """The records of one kernel on one machine by one version, in order."""

    records: list[Record] = field(default_factory=list[Record])

    @property
    def trials(self) -> list[Record]:
        """Return the trials, failed ones included."""
        return [record for record in self.records if record.kind == "trial"]

    @property
    def rule(self) -> Record | None:
        """Return the first trial, which is the rule's config, unless it failed."""
        first = next(iter(self.trials), None)
        return first if first is not None and first.error is None else None

    @property
    def best(self) -> Record | None:
        """Return what is to be used: the latest choice or merge, else the fastest trial."""
        working = [record for record in self.records if record.error is None]
        choices = [record for record in working if record.kind != "trial"]
        if choices:
            return max(choices, key=lambda record: record.time)
        return min(working, key=lambda record: record.cost, default=None)


Key = tuple[str, str, tuple[tuple[str, str], ...]]
"""Kernel, machine, versions: records with the same key can be compared."""


def key_of(record: Record) -> Key:
    """Return what a record must have in common with another one to be compared with it."""
    return record.kernel, record.machine, tuple(sorted(record.versions.items()))


def grouped(records: Iterable[Record]) -> dict[Key, KernelRecords]:
    """Return records that can be compared in groups, in the order of the first of each."""
    found: dict[Key, KernelRecords] = {}
    for record in records:
        found.setdefault(key_of(record), KernelRecords()).records.append(record)
    return found


@dataclass(frozen=True)
class Best:
    """The best record of each kernel for one machine, by signature.

    ``foreign`` are the kernels of which there are only records that do not count, each with why.
    """

    records: Mapping[str, Record]
    foreign: Mapping[str, str]


def best_for(records: Iterable[Record], machine: str) -> Best:
    """Return the best records for a machine, given as text, by the versions that are installed."""
    best: dict[str, Record] = {}
    foreign: dict[str, str] = {}
    for (kernel, of_machine, versions), group in grouped(records).items():
        if of_machine != machine:
            foreign.setdefault(kernel, "another machine")
        elif dict(versions) != current_versions():
            foreign[kernel] = "another version"
        elif (found := group.best) is not None:
            best[kernel] = found
    return Best(best, {kernel: why for kernel, why in foreign.items() if kernel not in best})
