"""Which kernels become one: each proposal of ``fuse-kernels`` is reversed and measured.

Fusion changes the kernels and the contents of the caches between them. The whole network is
therefore measured, in turn with the previous program.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from autodeploy.compiler import CompileOptions
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.control_flow import blocks_of
from autodeploy.machine import Machine
from autodeploy.passes.kernels.configure_kernels import ConfigureKernelsPass
from autodeploy.passes.kernels.fuse_kernels import FuseKernelsPass, decided
from autodeploy.passes.kernels.proposals import Proposal, weighed
from autodeploy.records.merges import merges_for
from autodeploy.records.record import APART, MERGED, Record, current_versions, now
from autodeploy.records.record_file import append_records, read_records
from autodeploy.records.signature import machine_text, merge_signature, merge_title
from autodeploy.runner.in_turn import processor
from autodeploy.tuning.network_timer import NetworkTimer
from autodeploy.tuning.task import run_until

_GAIN = 1.01
"""How much faster the network must be for a proposal to be reversed."""


@dataclass(frozen=True)
class Merge:
    """Kernels that are merged, or kept apart, against the estimate: their signature and title."""

    signature: str
    title: str
    merged: bool


@dataclass(frozen=True)
class Merges:
    """The records of merges that apply to a program, those of earlier searches first.

    ``measured`` proposals were measured now, and the network is ``gain`` times as fast by them.
    """

    records: Sequence[Record] = ()
    measured: int = 0
    gain: float = 1.0


class MergeSearch:
    """Measures each proposal for a model: a merge is undone, or kernels are merged after all.

    Records are appended to the file ``path``. Merges that it holds already are not measured again.
    Raises ``UserError`` as a compilation does.
    """

    def __init__(self, model: str | Path | bytes, options: CompileOptions, path: Path):
        if Machine.parse(options.machine).device:
            # Kernels of a device stay apart.
            _, module, _ = run_until(ConfigureKernelsPass, model, options)
            self._blocks = []
        else:
            _, module, fusion = run_until(FuseKernelsPass, model, options)
            self._blocks = [
                (block, fusion.proposals(block, machine_of(module))) for block in blocks_of(module)
            ]
        self._machine = machine_text(machine_of(module))
        self._path = path

    def run(
        self,
        timer: NetworkTimer,
        trials: float,
        end: float = math.inf,
        report: Callable[[str], None] = lambda doing: None,
    ) -> Merges:
        """Measure up to a number of proposals, as long as ``time.monotonic`` is before ``end``."""
        known = [
            record
            for record in read_records(self._path, missing_ok=True)
            if record.kind == "merge"
            and record.machine == self._machine
            and record.versions == current_versions()
        ]
        tried = {record.kernel for record in known}
        found = Merges([record for record in known if record.error is None])
        while found.measured < trials and time.monotonic() < end:
            decisions = merges_for(found.records, self._machine)
            merge = next((m for m in self.reversible(decisions) if m.signature not in tried), None)
            if merge is None:
                break
            tried.add(merge.signature)
            report(f"{'merged' if merge.merged else 'apart'}: {merge.title}")
            found = self._measured(merge, found, timer)
        return found

    def reversible(self, decisions: Mapping[str, bool]) -> Iterator[Merge]:
        """Yield what may be reversed and changes the program, the largest estimate first."""
        weights: dict[str, float] = {}
        titles: dict[str, str] = {}
        for proposal in chain.from_iterable(proposals for _, proposals in self._blocks):
            digest = merge_signature(proposal.kernels)
            weights[digest] = weights.get(digest, 0) + abs(proposal.gain)
            titles[digest] = merge_title(proposal.kernels)
        now_merged = self._accepted(decisions)
        for digest in sorted(weights.keys() - decisions.keys(), key=lambda d: (-weights[d], d)):
            for merged in (True, False):
                if self._accepted({**decisions, digest: merged}) != now_merged:
                    yield Merge(digest, titles[digest], merged)

    def _accepted(self, decisions: Mapping[str, bool]) -> list[list[Proposal]]:
        """Return what is accepted in each block, without the estimates."""
        return [
            sorted(
                (_without_gain(p) for p in weighed(block, [decided(p, decisions) for p in found])),
                key=lambda p: [id(kernel) for kernel in p.kernels],
            )
            for block, found in self._blocks
        ]

    def _measured(self, merge: Merge, found: Merges, timer: NetworkTimer) -> Merges:
        """Measure a program in which a proposal is reversed, and keep what was found."""
        tried = self._record(merge, (1.0,), None)
        compared = timer.gain(found.records, [*found.records, tried])
        is_faster = compared.error is None and compared.gain >= _GAIN
        error = compared.error or f"the network is {compared.gain:.3f} times as fast"
        record = self._record(merge, compared.seconds, None if is_faster else error)
        append_records(self._path, [record])
        kept = [*found.records, record] if is_faster else found.records
        gain = found.gain * (compared.gain if is_faster else 1.0)
        return Merges(kept, found.measured + 1, gain)

    def _record(self, merge: Merge, seconds: Sequence[float], error: str | None) -> Record:
        return Record(
            "merge",
            merge.signature,
            merge.title,
            self._machine,
            processor(),
            MERGED if merge.merged else APART,
            tuple(seconds) if error is None else (),
            error,
            current_versions(),
            now(),
        )


def _without_gain(proposal: Proposal) -> Proposal:
    return Proposal(proposal.kernels, proposal.config, 0.0, proposal.bytes)
